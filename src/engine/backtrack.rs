//! The backtracking engine: the reference, short enough to be believed.
//!
//! Queens are placed row by row on the open squares that are left (`src/board.rs` has the picture). The left-right
//! mirror image of a solution is another solution (for N >= 2 none is its own image), so half of them are counted, each
//! for two: those whose first-row queen stands in the left half. If N is odd, it may also stand in the middle column,
//! and then the second-row queen, which cannot, decides.
//!
//! ```text
//!   N = 8, first row   Q Q Q Q . . . .        N = 7   Q Q Q . . . .   or   . . . Q . . .
//!   second row         anywhere                       anywhere             Q Q . . . . .
//! ```
//!
//! A unit is one placement of the first two rows that passes this test; its weight is 2.
//!
//! Below, a search that goes down and up with every queen ([`crate::plain::backtrack`]) would spend its time on
//! guesses. Whether a square leads on is as good as random, and each branch that the processor foresees wrongly costs
//! more than all the bit operations of a placement. So boards go down in batches: all placements on all boards of a
//! batch are made and written in one loop, and those that stay are the next batch.

use rayon::prelude::*;

use super::{Engine, Probe, Stop, Stopped, recount};
use crate::board::{BoardSize, Row, bits};
use crate::random::Random;

/// Counts by placing queens row by row.
#[derive(Debug)]
pub struct Backtrack {
    size: BoardSize,
    /// The queens of the first two rows of every unit, a bit each. For N = 1, one unit without queens.
    units: Vec<[u64; 2]>,
    /// `work[i]` is the share of the work before unit i.
    work: Vec<f64>,
}

/// Boards with this number of rows left, or fewer, are counted in one go. Boards with more rows left are not: the
/// placements of their next row are spread over the thread pool, where idle threads take them. So the few, heavy units
/// of a large board keep every thread busy to the last, and a request to stop is heard. A piece of 13 rows lasts about
/// a millisecond, long beside the microsecond that it takes to hand it over: two threads count N = 16 and N = 17 1.99
/// times as fast as one (`cargo bench --bench scaling` for N = 14 and 15). With 14 rows one thread is no faster.
pub(crate) const ROWS_IN_ONE_GO: u32 = 13;

/// The number of boards that a batch has room for. With 128, N = 16 takes 0.55 of the time of a plain half-board
/// bitmask search in C, with 32 it takes 0.6; without batches, queen by queen, it took 1.03 (`cargo bench --bench
/// engines`).
const BATCH: usize = 128;

/// A probe draws the queens of its upper rows, and counts the ways to fill this number of last rows. For N = 27, in 20
/// seconds of one CPU, 9, 11, 12 and 13 rows leave an error of 0.5, 0.4, 0.4 and 0.7 %. Only from 12 on does drawing
/// take so little time that a probe tells the time of counting (`queencount estimate 27 --engine backtrack`).
const ROWS_IN_A_PROBE: u32 = 12;

impl Backtrack {
    /// Plans the units of the board.
    pub fn new(size: BoardSize) -> Self {
        let n = size.get();
        let first = Row::first(size);
        let (left_half, middle) = (size.columns() >> n.div_ceil(2), if n % 2 == 1 { 1 << (n / 2) } else { 0 });
        let below = |queen| first.place(queen).open() & if queen == middle { left_half } else { size.columns() };
        let units: Vec<_> = match n {
            1 => vec![[0, 0]],
            _ => {
                bits(left_half | middle).flat_map(|upper| bits(below(upper)).map(move |lower| [upper, lower])).collect()
            }
        };
        // A unit is expected to cost as much as it has placements of its next two rows; one more than that, so that no
        // unit is for nothing.
        let cost = |&[upper, lower]: &[u64; 2]| {
            1 + children(first.place(upper).place(lower)).map(|row| children(row).count()).sum::<usize>()
        };
        let costs: Vec<usize> = units.iter().map(cost).collect();
        let total = costs.iter().sum::<usize>();
        let mut before = 0;
        let mut work = Vec::with_capacity(costs.len() + 1);
        for cost in costs {
            work.push(before as f64 / total as f64);
            before += cost;
        }
        work.push(1.0);
        Self { size, units, work }
    }

    /// The columns, counted from 0, of the two queens that a unit begins with, in the first and the second row.
    /// `None` for the unit of N = 1, the one board without a second row.
    ///
    /// # Panics
    /// When `unit` is not below [`Engine::units`].
    pub fn placement(&self, unit: u64) -> Option<(u32, u32)> {
        let [upper, lower] = self.units[unit as usize];
        (upper != 0).then_some((upper.trailing_zeros(), lower.trailing_zeros()))
    }

    fn start(&self, unit: u64) -> Start {
        let first = Row::first(self.size);
        match (self.units[unit as usize], self.size.get()) {
            (_, 1) => Start { row: first, rows: 1, weight: 1 },
            ([upper, lower], n) => Start { row: first.place(upper).place(lower), rows: n - 2, weight: 2 },
        }
    }
}

impl Engine for Backtrack {
    fn name(&self) -> &'static str {
        "backtrack"
    }

    fn size(&self) -> BoardSize {
        self.size
    }

    fn memory(&self, threads: usize) -> u64 {
        let plan =
            size_of::<Self>() + self.units.capacity() * size_of::<[u64; 2]>() + self.work.capacity() * size_of::<f64>();
        // On its way down a thread has the placements of some rows to hand out, and then a batch for each row.
        let (rows, in_one_go) = (self.size.get() as usize, ROWS_IN_ONE_GO as usize);
        let boards = rows.saturating_sub(in_one_go) * rows + rows.min(in_one_go) * BATCH;
        (plan + threads * boards * size_of::<Row>()) as u64
    }

    fn units(&self) -> u64 {
        self.units.len() as u64
    }

    fn units_per_task(&self) -> u64 {
        1
    }

    fn work_before(&self, unit: u64) -> f64 {
        self.work[unit as usize]
    }

    fn count(&self, unit: u64, stop: &Stop) -> Result<u128, Stopped> {
        let Start { row, rows, weight } = self.start(unit);
        Ok(weight * spread(row, rows, stop)?)
    }

    fn recount(&self, unit: u64, stop: &Stop) -> Result<u128, Stopped> {
        recount::recount(self.size, unit, stop)
    }

    fn probe(&self, unit: u64, random: &mut Random, stop: &Stop) -> Result<Probe, Stopped> {
        let Start { mut row, mut rows, weight } = self.start(unit);
        let mut scale = 1.0;
        // Of each row but the last few one open square is drawn, and stands for all of them.
        while rows > ROWS_IN_A_PROBE {
            let open = row.open();
            if open == 0 {
                return Ok(Probe { count: 0, scale });
            }
            let squares = u64::from(open.count_ones());
            scale *= squares as f64;
            row = row.place(bits(open).nth(random.below(squares) as usize).expect("one of the open squares"));
            rows -= 1;
        }
        Ok(Probe { count: weight * spread(row, rows, stop)?, scale })
    }
}

/// Where the count of a unit begins.
struct Start {
    /// The first row to fill.
    row: Row,
    /// The number of rows to fill.
    rows: u32,
    /// How many solutions a solution found stands for.
    weight: u128,
}

/// The boards that have a queen on `row`, too.
fn children(row: Row) -> impl Iterator<Item = Row> {
    bits(row.open()).map(move |queen| row.place(queen))
}

/// The number of ways to fill the last `rows` rows of a board, the first of which is `row`, using idle threads.
fn spread(row: Row, rows: u32, stop: &Stop) -> Result<u128, Stopped> {
    stop.check()?;
    if rows <= ROWS_IN_ONE_GO {
        return Ok(u128::from(completions(row, rows)));
    }
    let below: Vec<Row> = children(row).collect();
    below.into_par_iter().map(|row| spread(row, rows - 1, stop)).try_reduce(|| 0, |a, b| Ok(a + b))
}

/// The number of ways to fill the last `rows` rows of a board, at least one and at most [`ROWS_IN_ONE_GO`].
pub(crate) fn completions(row: Row, rows: u32) -> u64 {
    // On the heap, because a thread that waits for others takes on their work meanwhile, and frames of the stack pile
    // up.
    let mut spare = vec![[row; BATCH]; rows as usize];
    fill(&[row], rows, &mut spare)
}

/// The number of ways to fill the last `rows` rows of the boards of a batch, each given by the first of these rows. A
/// word holds it: 13 rows can be filled in at most 13! ways.
///
/// `spare` has room for the batches below. Every placement is written to the next of them, but stays only if it has a
/// future: an open square in the row that comes next and in the one after that. To stay is to move the place where the
/// one that follows is written, by one or none, which is a sum and not a branch. A batch goes down when it could lack
/// room for the placements on one more board. A board has no more placements in its next row than rows left, because
/// each of these has one free column.
fn fill(boards: &[Row], rows: u32, spare: &mut [[Row; BATCH]]) -> u64 {
    match rows {
        1 => return boards.iter().filter(|row| row.open() != 0).count() as u64,
        2 => return boards.iter().map(|&row| fill_two(row)).sum(),
        _ => {}
    }
    let (batch, spare) = spare.split_first_mut().expect("room for a batch of every row");
    let (mut count, mut len) = (0, 0);
    for row in boards {
        if len > BATCH - ROWS_IN_ONE_GO as usize {
            count += fill(&batch[..len], rows - 1, spare);
            len = 0;
        }
        for queen in bits(row.open()) {
            let below = row.place(queen);
            batch[len] = below;
            len += usize::from((below.open() != 0) & (below.open_below(1) != 0));
        }
    }
    count + fill(&batch[..len], rows - 1, spare)
}

/// The number of ways to fill the last two rows of a board, where two columns are free: one way round and the other,
/// unless they are neighbours, so that the queens would attack each other.
fn fill_two(row: Row) -> u64 {
    let right = row.free & row.free.wrapping_neg();
    let left = row.free ^ right;
    let fits = |upper, lower| (row.open() & upper != 0) & (row.open_below(1) & lower != 0) & (left != right << 1);
    u64::from(fits(left, right)) + u64::from(fits(right, left))
}
