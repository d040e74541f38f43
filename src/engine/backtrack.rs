//! The backtracking engine: a short reference implementation.
//!
//! A plain search branches at every queen, and the CPU may mispredict each branch. Here boards are
//! processed in batches: one loop places the next queen on all boards of a batch without branching.
//! Of the resulting boards, those with an open square in each of the next two rows form the next
//! batch.

#![deny(clippy::cast_precision_loss, reason = "counts are exact")]

mod units;

use queencount_recount::backtrack as recount;
use rayon::prelude::*;

use self::units::Units;
use super::{Engine, Probe};
use crate::board::{BoardSize, Row, bits};
use crate::cancel::{CancelToken, EngineError};
use crate::splitmix::SplitMix64;

/// An engine that counts solutions by placing queens row by row.
///
/// ```
/// use queencount::engine::backtrack::Backtrack;
/// use queencount::{BoardSize, Engine};
///
/// let engine = Backtrack::with_first_rows(BoardSize::new(9)?, 3);
/// assert_eq!(engine.units(), 117);
/// assert_eq!(engine.placement(0), [0, 2, 4]);
/// # Ok::<(), queencount::ParseError>(())
/// ```
#[derive(Debug)]
pub struct Backtrack {
    size: BoardSize,
    units: Units,
}

/// Up to this many empty rows are filled in one go, within about a millisecond. If more rows are
/// empty, the placements in the next row are distributed among threads, after a check for
/// cancellation. Two threads are then 1.99 times as fast as one for N = 16 and 17; with 14 rows,
/// one thread is no faster (`cargo bench -p benches -- threads`).
pub(crate) const ROWS_IN_ONE_GO: u32 = 13;

/// The boards in a batch. For N = 16, the time relative to the plain search in C is 0.55, 0.6 with
/// 32 boards, and 1.03 queen by queen (`cargo bench -p benches -- engine`).
const BATCH: usize = 128;

/// A probe fills rows at random until at most this many are empty. For N = 27, an estimate of 20 s
/// has an error of 0.5%, 0.4%, 0.4% and 0.7% with 9, 11, 12 and 13 rows. With 12 or more, a probe
/// also predicts the time (`queencount estimate 27 --engine backtrack`).
const ROWS_IN_A_PROBE: u32 = 12;

impl Backtrack {
    /// Returns the number of rows that each unit fills on the `n` x `n` board. A unit takes 1, 0.5,
    /// 3, 2, 1, 7, 4, 30 and 20 s for N = 18 to 26, and two minutes for N = 27.
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
        let units = Units::new(size, Self::first_rows(size.get()));
        Self { size, units }
    }

    /// Plans units that fill this many rows.
    ///
    /// # Panics
    /// Panics unless `rows` is between 2 and N - 1.
    pub fn with_first_rows(size: BoardSize, rows: u32) -> Self {
        assert!(
            (2..size.get()).contains(&rows),
            "N = {size} has no units of {rows} rows"
        );
        let units = Units::new(size, rows);
        Self { size, units }
    }

    /// Returns the columns of a unit's queens, starting with the first row. For N = 1, there are
    /// none.
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

    /// Returns the weight of a solution: 2, because it also stands for its mirror image, or 1 if
    /// N = 1.
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
        // For each row, a thread stores a batch, or all of the row's placements if these are
        // distributed among threads.
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

    fn recount(&self, unit: u64, stop: &CancelToken) -> Result<u128, EngineError> {
        let n = self.size.get();
        recount::count(n, self.units.rows, unit, &|| stop.is_cancelled())
            .ok_or(EngineError::Cancelled)
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
        while rows > ROWS_IN_A_PROBE {
            let squares = u64::from(row.open().count_ones());
            if squares == 0 {
                return Ok(Probe {
                    count: 0,
                    inverse_probability,
                });
            }
            inverse_probability *= squares as f64;
            let queen = bits(row.open()).nth(random.below(squares) as usize);
            row = row.place(queen.expect("one of the open squares"));
            rows -= 1;
        }
        Ok(Probe {
            count: u128::from(self.weight()) * spread(row, rows, stop)?,
            inverse_probability,
        })
    }
}

/// Counts the ways to fill the last `rows` rows, starting with `row`, on all threads of the pool.
fn spread(row: Row, rows: u32, stop: &CancelToken) -> Result<u128, EngineError> {
    stop.check()?;
    if rows <= ROWS_IN_ONE_GO {
        return Ok(u128::from(completions(row, rows)));
    }
    bits(row.open())
        .map(|queen| row.place(queen))
        .collect::<Vec<Row>>()
        .into_par_iter()
        .map(|row| spread(row, rows - 1, stop))
        .try_reduce(|| 0, |a, b| Ok(a + b))
}

/// Counts the ways to fill the last `rows` rows (1 to [`ROWS_IN_ONE_GO`] of them), starting with
/// `row`.
pub(crate) fn completions(row: Row, rows: u32) -> u64 {
    // The batches are on the heap, because a waiting thread runs other tasks on the same stack.
    fill(&[row], rows, &mut vec![[row; BATCH]; rows as usize])
}

/// Counts the ways to complete these boards: at most 13! ways per board. `spare` holds a batch for
/// each of the rows that follow.
///
/// Writes every placement to the next batch, but advances past it only if each of the next two rows
/// has an open square. That batch is processed when it might not have room for the placements on
/// the next board.
fn fill(boards: &[Row], rows: u32, spare: &mut [[Row; BATCH]]) -> u64 {
    match rows {
        1 => return boards.iter().filter(|row| row.open() != 0).count() as u64,
        2 => return boards.iter().map(|&row| fill_two(row)).sum(),
        _ => {}
    }
    let (batch, spare) = spare.split_first_mut().expect("a batch for each row");
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

/// Counts the ways to fill the last two rows. The queens can take the two free columns in either
/// order, unless these columns are adjacent.
fn fill_two(row: Row) -> u64 {
    let left = row.free & row.free.wrapping_neg();
    let right = row.free ^ left;
    let fits = |upper, lower| {
        (row.open() & upper != 0) & (row.open_below(1) & lower != 0) & (right != left << 1)
    };
    u64::from(fits(left, right)) + u64::from(fits(right, left))
}
