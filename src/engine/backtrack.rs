//! The backtracking engine: the reference, short enough to be believed.
//!
//! Queens are placed row by row on the open squares that are left (see [`crate::board`]); a board whose last row has
//! been reached is a solution. The left-right mirror image of a solution is another solution (for N >= 2 none is its own
//! image), so half of them are counted, each for two: those whose first-row queen stands in the left half. If N is odd,
//! it may also stand in the middle column, and then the second-row queen, which cannot, decides.
//!
//! ```text
//!   N = 8, first row   Q Q Q Q . . . .        N = 7   Q Q Q . . . .   or   . . . Q . . .
//!   second row         anywhere                       anywhere             Q Q . . . . .
//! ```
//!
//! A unit is one placement of the first two rows that passes this test; its weight is 2.

use rayon::prelude::*;

use super::{Engine, Probe, Stop, Stopped, recount};
use crate::board::{BoardSize, Row, bits};
use crate::random::Random;

/// Counts by placing queens row by row.
#[derive(Debug)]
pub struct Backtrack {
    size: BoardSize,
    /// The third row of every unit: the board below its two queens. (For N = 1, the one row that there is.)
    units: Vec<Row>,
    /// `work[i]` is the share of the work before unit i.
    work: Vec<f64>,
    /// How many solutions a solution found stands for.
    weight: u128,
}

/// Boards with so many rows left, or fewer, are counted in one go; above, the placements of a row are spread over the
/// thread pool, where idle threads take them. So the few, heavy units of a large board keep every thread busy to the
/// last. A piece lasts about 10 ms (`cargo bench --bench scaling`); a unit of N = 20, about 20 s.
const ROWS_IN_ONE_GO: u32 = 13;

/// A probe draws the queens of its rows down to the last so many, and counts the ways to fill those. For N = 27, in 20
/// seconds of one core, 9, 11, 12 and 13 rows leave an error of 0.5, 0.4, 0.4 and 0.7 %; and only from 12 on does drawing
/// take so little of the time that the time is that of counting (`queencount estimate 27 --engine backtrack`).
const ROWS_IN_A_PROBE: u32 = 12;

impl Backtrack {
    /// Plans the units of the board.
    pub fn new(size: BoardSize) -> Self {
        let first = Row::first(size);
        let (units, weight) = match size.get() {
            1 => (vec![first], 1),
            n => {
                let left_half = (1 << (n / 2)) - 1;
                let middle = if n % 2 == 1 { 1 << (n / 2) } else { 0 };
                let off_centre = bits(left_half).flat_map(|queen| children(first.place(queen)));
                let centre = bits(middle).flat_map(|queen| {
                    let second = first.place(queen);
                    bits(second.open() & left_half).map(move |queen| second.place(queen))
                });
                (off_centre.chain(centre).collect(), 2)
            }
        };
        // A unit is expected to cost as much as it has placements of its next two rows; one more than that, so that no
        // unit is for nothing.
        let costs: Vec<usize> = units.iter().map(|&row| 1 + children(row).flat_map(children).count()).collect();
        let total = costs.iter().sum::<usize>().max(1) as f64;
        let mut before = 0;
        let mut work: Vec<f64> = Vec::with_capacity(costs.len() + 1);
        for cost in costs {
            work.push(before as f64 / total);
            before += cost;
        }
        work.push(1.0);
        Self { size, units, work, weight }
    }
}

impl Engine for Backtrack {
    fn name(&self) -> &'static str {
        "backtrack"
    }

    fn size(&self) -> BoardSize {
        self.size
    }

    fn memory(&self, _threads: usize) -> u64 {
        // The units alone: the search itself lives on the stack.
        (self.units.len() * (size_of::<Row>() + size_of::<f64>())) as u64
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
        let rows = self.size.get().saturating_sub(2).max(1);
        Ok(self.weight * spread(self.units[unit as usize], rows, stop)?)
    }

    fn recount(&self, unit: u64, stop: &Stop) -> Result<u128, Stopped> {
        recount::recount(self.size, unit, stop)
    }

    fn probe(&self, unit: u64, random: &mut Random, stop: &Stop) -> Result<Probe, Stopped> {
        stop.check()?;
        let mut row = self.units[unit as usize];
        let mut scale = 1.0;
        // Of each row but the last few one open square is drawn, and stands for all of them.
        for _ in ROWS_IN_A_PROBE..self.size.get().saturating_sub(2) {
            let open = row.open();
            if open == 0 {
                return Ok(Probe { count: 0, scale });
            }
            let squares = u64::from(open.count_ones());
            scale *= squares as f64;
            let drawn = bits(open).nth(random.below(squares) as usize).expect("one of the open squares");
            row = row.place(drawn);
        }
        Ok(Probe { count: self.weight * u128::from(fill(row)), scale })
    }
}

/// The boards that have a queen on `row`, too.
fn children(row: Row) -> impl Iterator<Item = Row> {
    bits(row.open()).map(move |queen| row.place(queen))
}

/// The number of ways to fill the last `rows` rows of a board, the first of which is `row`, using idle threads.
fn spread(row: Row, rows: u32, stop: &Stop) -> Result<u128, Stopped> {
    stop.check()?;
    if rows <= ROWS_IN_ONE_GO {
        return Ok(u128::from(fill(row)));
    }
    let below: Vec<Row> = children(row).collect();
    below.into_par_iter().map(|row| spread(row, rows - 1, stop)).try_reduce(|| 0, |a, b| Ok(a + b))
}

/// The number of ways to fill the rows of a board from `row` to the last: at most [`ROWS_IN_ONE_GO`], so the number of ways is at
/// most 13! and fits a word.
fn fill(row: Row) -> u64 {
    bits(row.open())
        .map(|queen| match row.place(queen) {
            Row { free: 0, .. } => 1,
            below if below.open() == 0 => 0,
            below => fill(below),
        })
        .sum()
}
