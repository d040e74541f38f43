//! The search for the solutions that are unchanged by a rotation of the board.
//!
//! Such a solution contains the images of each queen: one image for the half turn, three for the
//! quarter turn. (A queen in the centre of an odd board is its own image.) Therefore each step of
//! the search places queens on the whole **orbit of a square**:
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
//! A square is excluded if the queens on its orbit would attack each other, for example on the main
//! diagonals. For any other square, it suffices to check that the square itself is not attacked,
//! because the queens on the board have the same symmetry as the orbit.
//!
//! Rows are filled from the middle outwards, because queens in the middle attack the most squares;
//! this saves two thirds of the placements. If a rotation leaves a solution unchanged, it also
//! leaves the mirror image unchanged. Therefore the first queen (not counting the centre of an odd
//! board) is placed only in the left half, and each solution found counts twice.

use queencount_recount::rotation as recount;

use crate::board::{BoardSize, bits};
use crate::cancel::{CancelToken, EngineError};
use crate::engine::Engine;

/// A rotation of the board about its centre. The value of each variant is the number of queens in
/// an orbit, and also the number of rows that these queens fill.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Rotation {
    /// A rotation by 180 degrees, which leaves A032522(N) solutions unchanged.
    Half = 2,
    /// A rotation by 90 degrees, which leaves A033148(N) solutions unchanged.
    Quarter = 4,
}

/// An engine that counts the solutions unchanged by a rotation.
///
/// For the half turn, one thread takes 12 seconds for N = 27, and 2.8 times as long for each
/// additional row. For the quarter turn, any board takes only milliseconds.
///
/// ```
/// use queencount::symmetry::{Rotation, RotationSymmetric};
/// use queencount::{BoardSize, Counter};
///
/// let engine = RotationSymmetric::new(BoardSize::new(12)?, Rotation::Half);
/// assert_eq!(Counter::new().count(&engine)?, 80);
/// # Ok::<(), queencount::CountError>(())
/// ```
#[derive(Debug)]
pub struct RotationSymmetric {
    size: BoardSize,
    rotation: Rotation,
    /// For each row, a bitmask of the squares on whose whole orbit queens can stand without
    /// attacking each other.
    squares: [u64; 32],
    /// The rows, columns and diagonals of each square's orbit, indexed by the square's row and
    /// column.
    orbits: Box<[[Taken; 32]; 32]>,
    /// For each unit, the queens of the first two orbits, or fewer if the board is full sooner.
    units: Vec<Vec<Square>>,
}

type Square = [u32; 2];

/// The rows, columns and diagonals with queens, as bitmasks. A queen in row r and column c sets bit
/// r of `rows`, bit c of `columns`, bit r + c of `sums` and bit N - 1 + c - r of `differences`.
/// Each direction has at most 63 diagonals.
#[derive(Clone, Copy, Debug, Default)]
struct Taken {
    rows: u64,
    columns: u64,
    sums: u64,
    differences: u64,
}

impl Taken {
    fn from_queen(size: BoardSize, [row, column]: Square) -> Self {
        Self {
            rows: 1 << row,
            columns: 1 << column,
            sums: 1 << (row + column),
            differences: 1 << (size.get() - 1 + column - row),
        }
    }

    fn overlaps(self, other: Self) -> bool {
        (self.rows & other.rows)
            | (self.columns & other.columns)
            | (self.sums & other.sums)
            | (self.differences & other.differences)
            != 0
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

impl Rotation {
    fn image(self, size: BoardSize, [row, column]: Square) -> Square {
        let last = size.get() - 1;
        match self {
            Self::Half => [last - row, last - column],
            Self::Quarter => [column, last - row],
        }
    }

    fn orbit(self, size: BoardSize, square: Square) -> Vec<Square> {
        std::iter::successors(Some(square), |&last| {
            Some(self.image(size, last)).filter(|&image| image != square)
        })
        .collect()
    }
}

/// A search checks for cancellation only while more than this many rows are empty. Filling this
/// many rows takes a millisecond.
const ROWS_IN_ONE_GO: u32 = 16;

impl RotationSymmetric {
    /// Plans the units of a board: the ways to place the first two orbits.
    pub fn new(size: BoardSize, rotation: Rotation) -> Self {
        let n = size.get();
        let mut squares = [0; 32];
        let mut orbits = Box::new([[Taken::default(); 32]; 32]);
        for square @ [row, column] in (0..n).flat_map(|row| (0..n).map(move |column| [row, column]))
        {
            let taken = rotation
                .orbit(size, square)
                .into_iter()
                .map(|square| Taken::from_queen(size, square))
                .try_fold(Taken::default(), |all, one| {
                    (!all.overlaps(one)).then(|| all.with(one))
                });
            if let Some(taken) = taken {
                squares[row as usize] |= 1 << column;
                orbits[row as usize][column as usize] = taken;
            }
        }
        let mut engine = Self {
            size,
            rotation,
            squares,
            orbits,
            units: Vec::new(),
        };
        let centre = vec![[n / 2; 2]; n as usize % 2];
        let left_half = size.columns() >> n.div_ceil(2);
        engine.units = engine
            .placements(&centre, left_half)
            .iter()
            .flat_map(|queens| engine.placements(queens, !0))
            .collect();
        engine
    }

    fn taken(&self, queens: &[Square]) -> Taken {
        queens.iter().fold(Taken::default(), |all, &queen| {
            all.with(Taken::from_queen(self.size, queen))
        })
    }

    /// Returns the ways to extend `queens` by the orbit of a square in the next row and in one of
    /// these columns. If the board is full, returns only `queens`.
    fn placements(&self, queens: &[Square], columns: u64) -> Vec<Vec<Square>> {
        if queens.len() == self.size.get() as usize {
            return vec![queens.to_vec()];
        }
        let taken = self.taken(queens);
        let row = self.next_row(taken);
        bits(self.open(taken, row) & columns)
            .map(|queen| {
                let square = [row, queen.trailing_zeros()];
                [queens, &self.rotation.orbit(self.size, square)].concat()
            })
            .collect()
    }

    /// Returns the free row of the upper half that is nearest to the middle. There is one until the
    /// board is full, because each orbit fills the same number of rows in both halves.
    #[inline(always)]
    fn next_row(&self, taken: Taken) -> u32 {
        let upper_half = (1 << self.size.get().div_ceil(2)) - 1;
        (!taken.rows & upper_half).ilog2()
    }

    #[inline(always)]
    fn open(&self, taken: Taken, row: u32) -> u64 {
        let attacked =
            taken.columns | taken.sums >> row | taken.differences >> (self.size.get() - 1 - row);
        self.squares[row as usize] & !attacked
    }

    /// Returns the number of ways to fill the `rows` empty rows. The result is meaningless if
    /// `stop` is cancelled.
    fn fill(&self, taken: Taken, rows: u32, stop: &CancelToken) -> u64 {
        if rows == 0 {
            return 1;
        }
        let row = self.next_row(taken);
        let open = self.open(taken, row);
        if rows == self.rotation as u32 {
            return open.count_ones().into();
        }
        if rows > ROWS_IN_ONE_GO && stop.is_cancelled() {
            return 0;
        }
        let orbits = &self.orbits[row as usize];
        bits(open)
            .map(|queen| {
                let below = taken.with(orbits[queen.trailing_zeros() as usize & 31]);
                self.fill(below, rows - self.rotation as u32, stop)
            })
            .sum()
    }

    /// Returns the weight of each solution found: 2, because it also stands for its mirror image,
    /// or 1 if N = 1.
    fn weight(&self) -> u128 {
        if self.size.get() == 1 { 1 } else { 2 }
    }
}

impl Engine for RotationSymmetric {
    fn name(&self) -> &'static str {
        match self.rotation {
            Rotation::Half => "half-turn",
            Rotation::Quarter => "quarter-turn",
        }
    }

    fn size(&self) -> BoardSize {
        self.size
    }

    fn memory(&self, _threads: usize) -> u64 {
        let unit = size_of::<Vec<Square>>() + self.size.get() as usize * size_of::<Square>();
        (size_of_val(&*self.orbits) + self.units.len() * unit) as u64
    }

    fn units(&self) -> u64 {
        self.units.len() as u64
    }

    #[expect(clippy::cast_precision_loss, reason = "a share of the work")]
    fn cumulative_work(&self, unit: u64) -> f64 {
        // All units take about the same time.
        if self.units.is_empty() {
            1.0
        } else {
            unit as f64 / self.units.len() as f64
        }
    }

    fn count(&self, unit: u64, stop: &CancelToken) -> Result<u128, EngineError> {
        let queens = &self.units[unit as usize];
        let rows = self.size.get() - queens.len() as u32;
        let found = self.fill(self.taken(queens), rows, stop);
        stop.check()?;
        Ok(self.weight() * u128::from(found))
    }

    fn recount(&self, unit: u64, stop: &CancelToken) -> Result<u128, EngineError> {
        let order = self.rotation as u32;
        recount::count(self.size.get(), order, unit, &|| stop.is_cancelled())
            .ok_or(EngineError::Cancelled)
    }
}
