//! The backtracking engine: a short reference implementation.
//!
//! [`crate::plain::backtrack`] branches at every queen, and the CPU may mispredict each branch.
//! Here boards are processed in batches: one loop places the next queen on all boards of a batch
//! without branching. Of the resulting boards, those with an open square in each of the next two
//! rows form the next batch.

#![deny(clippy::cast_precision_loss, reason = "counts are exact")]

mod units;

use std::ops::Range;

use rayon::prelude::*;

use self::units::Units;
use super::{Engine, Probe, recount};
use crate::board::{BoardSize, Row, bits};
use crate::cancel::{CancelToken, EngineError};
use crate::splitmix::SplitMix64;

/// An engine that counts solutions by placing queens row by row.
#[derive(Debug)]
pub struct Backtrack {
    size: BoardSize,
    units: Units,
}

/// The maximum number of empty rows that are filled in one go; filling them takes about a
/// millisecond. If more rows are empty, the placements in the next row are distributed among
/// threads, after a check for cancellation.
pub(crate) const ROWS_IN_ONE_GO: u32 = 13;

const BATCH: usize = 128;

/// A probe fills rows at random until at most this many are empty, then counts all ways to fill the
/// rest.
const ROWS_IN_A_PROBE: u32 = 12;

impl Backtrack {
    /// Returns how many rows each unit fills on a board of size `n`. For N up to 26, a unit takes
    /// at most half a minute, so a killed process loses little: one unit per thread.
    pub fn first_rows(n: u32) -> u32 {
        match n {
            1 => 0,
            ..=18 => 2,
            19 | 20 => 3,
            21 => 4,
            22 | 23 => 5,
            24 | 25 => 6,
            _ => 7,
        }
    }

    /// Plans the units of a board.
    pub fn new(size: BoardSize) -> Self {
        Self {
            size,
            units: Units::new(size, Self::first_rows(size.get())),
        }
    }

    /// Plans units that fill this many rows. The more rows they fill, the smaller the units are.
    ///
    /// ```
    /// use queencount::engine::backtrack::Backtrack;
    /// use queencount::{BoardSize, Engine, Counter};
    ///
    /// let units = [2, 3, 5].map(|rows| {
    ///     let engine = Backtrack::with_first_rows(BoardSize::new(9).unwrap(), rows);
    ///     assert_eq!(Counter::default().count(&engine).unwrap(), 352);
    ///     engine.units()
    /// });
    /// assert_eq!(units, [28, 117, 807]);
    /// ```
    ///
    /// # Panics
    /// Panics unless `rows` is from 2 to N - 1.
    pub fn with_first_rows(size: BoardSize, rows: u32) -> Self {
        assert!(
            (2..size.get()).contains(&rows),
            "N = {size} has no units of {rows} rows"
        );
        Self {
            size,
            units: Units::new(size, rows),
        }
    }

    /// Returns the columns of a unit's queens, starting with the first row. For N = 1, there are
    /// none.
    ///
    /// ```
    /// use queencount::BoardSize;
    /// use queencount::engine::backtrack::Backtrack;
    ///
    /// assert_eq!(Backtrack::new(BoardSize::new(8)?).placement(0), [0, 2]);
    /// assert_eq!(Backtrack::new(BoardSize::new(20)?).placement(17), [0, 3, 5]);
    /// # Ok::<(), queencount::BoardSizeError>(())
    /// ```
    ///
    /// # Panics
    /// Panics unless `unit` is below [`Engine::units`].
    pub fn placement(&self, unit: u64) -> Vec<u8> {
        self.units
            .queens(unit)
            .into_iter()
            .map(|queen| queen.trailing_zeros() as u8)
            .collect()
    }

    fn rows_left(&self) -> u32 {
        self.size.get() - self.units.rows
    }

    /// Returns the weight of each solution found: 2, because a solution also stands for its mirror
    /// image, or 1 for N = 1.
    fn weight(&self) -> u64 {
        if self.size.get() == 1 { 1 } else { 2 }
    }
}

impl Engine for Backtrack {
    fn name(&self) -> &'static str {
        "backtrack"
    }

    fn size(&self) -> BoardSize {
        self.size
    }

    fn parameters(&self) -> String {
        match self.units.rows {
            ..=2 => String::new(),
            rows => format!("first {rows} rows"),
        }
    }

    fn memory(&self, threads: usize) -> u64 {
        let plan = size_of::<Self>() + self.units.memory();
        // Each thread stores the placements for the distributed rows, and one batch for every
        // remaining row.
        let rows = self.size.get() as usize;
        let in_one_go = ROWS_IN_ONE_GO as usize;
        let boards = rows.saturating_sub(in_one_go) * rows + rows.min(in_one_go) * BATCH;
        (plan + threads * boards * size_of::<Row>()) as u64
    }

    fn units(&self) -> u64 {
        self.units.number()
    }

    fn cumulative_work(&self, unit: u64) -> f64 {
        self.units.cumulative_work(unit)
    }

    fn count(&self, unit: u64, stop: &CancelToken) -> Result<u128, EngineError> {
        Ok(u128::from(self.weight()) * spread(self.units.row_below(unit), self.rows_left(), stop)?)
    }

    fn divisor(&self, units: Range<u64>) -> u64 {
        assert!(
            units.start < units.end && units.end <= self.units(),
            "no such units: {units:?}"
        );
        self.weight()
    }

    fn recount(&self, unit: u64, stop: &CancelToken) -> Result<u128, EngineError> {
        recount::recount(self.size, self.units.rows, unit, stop)
    }

    #[expect(clippy::cast_precision_loss, reason = "a random sample")]
    fn probe(
        &self,
        unit: u64,
        random: &mut SplitMix64,
        stop: &CancelToken,
    ) -> Result<Probe, EngineError> {
        let mut row = self.units.row_below(unit);
        let mut rows = self.rows_left();
        let mut inverse_probability = 1.0;
        // In each row except the last few, an open square chosen at random represents all open
        // squares.
        while rows > ROWS_IN_A_PROBE {
            let open = row.open();
            if open == 0 {
                return Ok(Probe {
                    count: 0,
                    inverse_probability,
                });
            }
            let squares = u64::from(open.count_ones());
            inverse_probability *= squares as f64;
            row = row.place(
                bits(open)
                    .nth(random.below(squares) as usize)
                    .expect("one of the open squares"),
            );
            rows -= 1;
        }
        Ok(Probe {
            count: u128::from(self.weight()) * spread(row, rows, stop)?,
            inverse_probability,
        })
    }
}

/// Counts the ways to fill the last `rows` rows, starting with `row`, with help from idle threads.
fn spread(row: Row, rows: u32, stop: &CancelToken) -> Result<u128, EngineError> {
    #[cfg(test)]
    crate::engine::independent::enter();
    stop.check()?;
    if rows <= ROWS_IN_ONE_GO {
        return Ok(u128::from(completions(row, rows)));
    }
    let below: Vec<Row> = bits(row.open()).map(|queen| row.place(queen)).collect();
    below
        .into_par_iter()
        .map(|row| spread(row, rows - 1, stop))
        .try_reduce(|| 0, |a, b| Ok(a + b))
}

/// Counts the ways to fill the last `rows` rows (1 to [`ROWS_IN_ONE_GO`]) in one go.
pub(crate) fn completions(row: Row, rows: u32) -> u64 {
    #[cfg(test)]
    crate::engine::independent::enter();
    // Keep the batches on the heap: a thread runs other tasks while it waits, so stack frames
    // accumulate.
    fill(&[row], rows, &mut vec![[row; BATCH]; rows as usize])
}

/// Counts the ways to complete these boards. Each board can be completed in at most 13! ways, so
/// the count fits into 64 bits. `spare` holds a batch for each of the rows that follow.
///
/// Writes every placement to the next batch, but advances past it only if each of the next two rows
/// has an open square. A batch is processed as soon as it might not have room for the next board's
/// placements.
fn fill(boards: &[Row], rows: u32, spare: &mut [[Row; BATCH]]) -> u64 {
    match rows {
        1 => return boards.iter().filter(|row| row.open() != 0).count() as u64,
        2 => return boards.iter().map(|&row| fill_two(row)).sum(),
        _ => {}
    }
    let (batch, spare) = spare
        .split_first_mut()
        .expect("room for a batch of every row");
    let mut count = 0;
    let mut len = 0;
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

/// Counts the ways to fill the last two rows of a board. The queens can take the two free columns
/// in either order, unless these columns are adjacent.
fn fill_two(row: Row) -> u64 {
    let left = row.free & row.free.wrapping_neg();
    let right = row.free ^ left;
    let fits = |upper, lower| {
        (row.open() & upper != 0) & (row.open_below(1) & lower != 0) & (right != left << 1)
    };
    u64::from(fits(left, right)) + u64::from(fits(right, left))
}
