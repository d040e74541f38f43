//! The solutions that a turn of the board leaves as they are, counted by a search of their own.
//!
//! In such a solution a queen brings its images along: for the half turn a second one, for the quarter turn three more
//! (in the middle of an odd board one queen is its own image). So what is placed at a time is the whole **orbit of a
//! square**, and N rows are full after N/2 or N/4 placements:
//!
//! ```text
//!     . . . . . . . .                            . . . . . . . .
//!     . . . . . . . .                            . . . . Q . . .
//!     . . . . . . . .                            . . . . . . . .
//!     . Q . . . . . .   a square of row 3        . Q . . . . . .   a square of row 3
//!     . . . . . . Q .   and its image            . . . . . . Q .   and its images
//!     . . . . . . . .                            . . . . . . . .
//!     . . . . . . . .                            . . . Q . . . .
//!     . . . . . . . .                            . . . . . . . .
//! ```
//!
//! Squares whose orbit attacks itself, as on the main diagonals, are left out from the start. For the others it is
//! enough to test the square: what is on the board is as symmetric as the orbit.
//!
//! Rows are filled from the middle outwards, where queens stand in the way of the most squares: that takes a third of
//! the placements that filling from the border takes. The mirror image of a solution that a turn leaves as it is is
//! another one, so the first queen is placed in the left half alone, and counts for two. In the middle column it could
//! not stand: on an odd board the middle queen does.

use crate::board::{BoardSize, bits};
use crate::engine::{Engine, Stop, Stopped};

/// A turn of the board.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Turn {
    /// By 180 degrees: OEIS A032522 counts the solutions that it leaves as they are.
    Half,
    /// By 90 degrees: OEIS A033148 counts the solutions that it leaves as they are.
    Quarter,
}

/// Counts the solutions that a turn of the board leaves as they are.
///
/// An [`Engine`] like the others, but for what it counts. One thread takes 12 seconds for the half turn of N = 27 and
/// 2.8 times as long from board to board; for the quarter turn milliseconds, whatever the board.
///
/// ```
/// use queencount::{BoardSize, FanOut, Engine, Turn, Turned};
///
/// let engine = Turned::new(BoardSize::new(12)?, Turn::Quarter);
/// assert_eq!(FanOut::default().count(&engine, &[0..engine.units()])?, 8);
/// # Ok::<(), queencount::CountError>(())
/// ```
pub struct Turned {
    size: BoardSize,
    turn: Turn,
    /// The squares of each row whose orbit does not attack itself, a bit for each column.
    squares: [u64; 32],
    /// The lines that the orbit of each of these squares takes, by row and column.
    orbits: Box<[[Lines; 32]; 32]>,
    units: Vec<Unit>,
}

/// A unit: the board after two placements, or fewer where fewer fill it.
#[derive(Clone)]
struct Unit {
    lines: Lines,
    /// The queens, images included.
    queens: Vec<Square>,
}

/// A row and a column.
type Square = [u32; 2];

/// The rows, columns and diagonals that queens stand on, a bit each: row r, column c, "/" diagonal r + c, "\" diagonal
/// N - 1 + c - r. Of the diagonals there are at most 63.
#[derive(Clone, Copy, Default)]
struct Lines {
    rows: u64,
    columns: u64,
    sums: u64,
    differences: u64,
}

impl Lines {
    fn of(size: BoardSize, [row, column]: Square) -> Self {
        Self {
            rows: 1 << row,
            columns: 1 << column,
            sums: 1 << (row + column),
            differences: 1 << (size.get() - 1 + column - row),
        }
    }

    fn meet(self, other: Self) -> bool {
        let diagonals = (self.sums & other.sums) | (self.differences & other.differences);
        (self.rows & other.rows) | (self.columns & other.columns) | diagonals != 0
    }

    #[inline(always)]
    fn with(self, other: Self) -> Self {
        Self {
            rows: self.rows | other.rows,
            columns: self.columns | other.columns,
            sums: self.sums | other.sums,
            differences: self.differences | other.differences,
        }
    }
}

impl Turn {
    /// Where a square goes.
    fn image(self, size: BoardSize, [row, column]: Square) -> Square {
        let last = size.get() - 1;
        match self {
            Self::Half => [last - row, last - column],
            Self::Quarter => [column, last - row],
        }
    }

    /// A square and its images.
    fn orbit(self, size: BoardSize, square: Square) -> Vec<Square> {
        let mut orbit = vec![square];
        loop {
            let image = self.image(size, orbit[orbit.len() - 1]);
            if image == square {
                return orbit;
            }
            orbit.push(image);
        }
    }

    /// How many rows a placement fills.
    const fn rows(self) -> u32 {
        match self {
            Self::Half => 2,
            Self::Quarter => 4,
        }
    }
}

/// Boards with more rows left ask whether to stop. Below, a count is a matter of a millisecond.
const ROWS_IN_ONE_GO: u32 = 16;

impl Turned {
    /// Plans the units of the board.
    pub fn new(size: BoardSize, turn: Turn) -> Self {
        let n = size.get();
        let mut squares = [0; 32];
        let mut orbits = Box::new([[Lines::default(); 32]; 32]);
        for square @ [row, column] in (0..n).flat_map(|row| (0..n).map(move |column| [row, column])) {
            let orbit = turn.orbit(size, square).into_iter().map(|square| Lines::of(size, square));
            let apart = orbit.map(Some).reduce(|all, one| match (all?, one?) {
                (all, one) if all.meet(one) => None,
                (all, one) => Some(all.with(one)),
            });
            if let Some(lines) = apart.flatten() {
                squares[row as usize] |= 1 << column;
                orbits[row as usize][column as usize] = lines;
            }
        }
        let mut engine = Self { size, turn, squares, orbits, units: Vec::new() };
        let empty = Unit { lines: Lines::default(), queens: Vec::new() };
        let start = if n % 2 == 1 { engine.place(&empty, [n / 2, n / 2]) } else { empty };
        let left_half = size.columns() >> n.div_ceil(2);
        engine.units = engine.placements(&start, left_half);
        engine.units = engine.units.iter().flat_map(|unit| engine.placements(unit, !0)).collect();
        engine
    }

    /// What a board becomes by one placement in these columns of the row that is next; a full one stays.
    fn placements(&self, unit: &Unit, columns: u64) -> Vec<Unit> {
        if unit.queens.len() == self.size.get() as usize {
            return vec![unit.clone()];
        }
        let row = self.next_row(unit.lines);
        let open = bits(self.open(unit.lines, row) & columns);
        open.map(|queen| self.place(unit, [row, queen.trailing_zeros()])).collect()
    }

    fn place(&self, unit: &Unit, square @ [row, column]: Square) -> Unit {
        let lines = unit.lines.with(self.orbits[row as usize][column as usize]);
        let queens = [unit.queens.clone(), self.turn.orbit(self.size, square)].concat();
        Unit { lines, queens }
    }

    /// The lowest free row of the upper half: with its images it goes for the lower half, too.
    #[inline(always)]
    fn next_row(&self, lines: Lines) -> u32 {
        let upper_half = (1 << self.size.get().div_ceil(2)) - 1;
        (!lines.rows & upper_half).ilog2()
    }

    /// The squares of a row that no queen attacks and whose orbit does not attack itself.
    #[inline(always)]
    fn open(&self, lines: Lines, row: u32) -> u64 {
        let attacked = lines.columns | lines.sums >> row | lines.differences >> (self.size.get() - 1 - row);
        self.squares[row as usize] & !attacked
    }

    /// The number of ways to fill a board with so many rows left.
    fn fill(&self, lines: Lines, rows: u32) -> u64 {
        let row = self.next_row(lines);
        let open = self.open(lines, row);
        if rows == self.turn.rows() {
            return u64::from(open.count_ones());
        }
        let orbits = &self.orbits[row as usize];
        let below = |queen: u64| lines.with(orbits[queen.trailing_zeros() as usize & 31]);
        bits(open).map(|queen| self.fill(below(queen), rows - self.turn.rows())).sum()
    }

    /// The same for many rows, until a stop.
    fn spread(&self, lines: Lines, rows: u32, stop: &Stop) -> Result<u64, Stopped> {
        stop.check()?;
        match rows {
            0 => Ok(1),
            1..=ROWS_IN_ONE_GO => Ok(self.fill(lines, rows)),
            _ => {
                let row = self.next_row(lines);
                let below = |queen: u64| lines.with(self.orbits[row as usize][queen.trailing_zeros() as usize]);
                let placements = bits(self.open(lines, row));
                placements.map(|queen| self.spread(below(queen), rows - self.turn.rows(), stop)).sum()
            }
        }
    }

    /// How many solutions a solution found stands for.
    fn weight(&self) -> u128 {
        if self.size.get() == 1 { 1 } else { 2 }
    }
}

impl Engine for Turned {
    fn name(&self) -> &'static str {
        match self.turn {
            Turn::Half => "half-turn",
            Turn::Quarter => "quarter-turn",
        }
    }

    fn size(&self) -> BoardSize {
        self.size
    }

    fn memory(&self, _threads: usize) -> u64 {
        let unit = size_of::<Unit>() + self.size.get() as usize * size_of::<Square>();
        (size_of_val(&*self.orbits) + self.units.len() * unit) as u64
    }

    fn units(&self) -> u64 {
        self.units.len() as u64
    }

    fn units_per_task(&self) -> u64 {
        1
    }

    fn work_before(&self, unit: u64) -> f64 {
        // Boards with two placements are much alike.
        if self.units.is_empty() { 1.0 } else { unit as f64 / self.units.len() as f64 }
    }

    fn count(&self, unit: u64, stop: &Stop) -> Result<u128, Stopped> {
        let unit = &self.units[unit as usize];
        let rows = self.size.get() - unit.queens.len() as u32;
        Ok(self.weight() * u128::from(self.spread(unit.lines, rows, stop)?))
    }

    fn recount(&self, unit: u64, stop: &Stop) -> Result<u128, Stopped> {
        let mut queens = self.units[unit as usize].queens.clone();
        Ok(self.weight() * u128::from(self.complete(&mut queens, stop)?))
    }
}

/// The recount: from the top, row by row, and whether two queens attack each other is asked of every pair.
impl Turned {
    fn complete(&self, queens: &mut Vec<Square>, stop: &Stop) -> Result<u64, Stopped> {
        stop.check()?;
        let n = self.size.get();
        let Some(row) = (0..n).find(|row| queens.iter().all(|[taken, _]| taken != row)) else { return Ok(1) };
        let mut count = 0;
        for column in 0..n {
            let before = queens.len();
            let orbit = self.turn.orbit(self.size, [row, column]);
            let fits = |queens: &[Square], new: &Square| queens.iter().all(|old| !attack(*old, *new));
            if orbit.iter().all(|new| {
                let fits = fits(queens, new);
                queens.push(*new);
                fits
            }) {
                count += self.complete(queens, stop)?;
            }
            queens.truncate(before);
        }
        Ok(count)
    }
}

/// Whether queens on two squares attack each other.
fn attack([row, column]: Square, [other_row, other_column]: Square) -> bool {
    let (rows, columns) = (row.abs_diff(other_row), column.abs_diff(other_column));
    rows == 0 || columns == 0 || rows == columns
}
