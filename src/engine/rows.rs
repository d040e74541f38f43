//! The engine of middle rows: places the queens of some middle rows first, and counts pairs of half-boards beside them.
//!
//! It is the engine for large boards. [`meet`](super::meet) cuts the board into a top and a bottom half and counts pairs
//! of these; but the lists of halves grow sixfold from board to board, and pairs with them. A row that is placed first
//! divides the pairs by 2.5, shortens both lists to a quarter, and closes diagonals. So the number of middle rows is
//! chosen for the board ([`Rows::middle_rows`]), and a solution costs about the same for every N.
//!
//! - [`theory`]: why the count is right. Start there.
//! - [`lists`]: the quarter-boards and half-boards of a column set.
//! - [`join`]: counts the disjoint pairs of two lists, both sorted by the diagonals that both occupy most.
//! - [`kernel`]: the inner loops for what the processor offers.
//! - [`worker`]: what a thread keeps from one unit to the next.
//!
//! | step | what it saves |
//! |---|---|
//! | middle rows first | at N = 24 pairs of half-boards: 1400 for a solution instead of 9500 |
//! | order 8 by closed squares | at N = 24 0.57 of these pairs, and 0.78 of the half-boards |
//! | both lists sorted by key | nine tenths of these pairs are not looked up |
//! | groups | at N = 24 0.7 of the lookups, for twice as many blocks |
//!
//! (Design and counts: `docs/speed.md`.) To place the middle rows first is the way of the great counts, too: the Q27
//! project preplaced the border instead, Yao and Li the first rows (`docs/references.md`).

mod join;
mod kernel;
mod lists;
mod theory;
mod worker;

use std::ops::{Range, RangeInclusive};
use std::sync::{Mutex, PoisonError};

pub use self::join::Work;
use self::kernel::Loops;
use self::lists::quarter::row_set_numbers;
use self::theory::plan::Plan;
use self::theory::recount;
use self::worker::{Job, Worker};
use super::meet::kernel::Kernel;
use super::meet::lists::{largest, placements};
use super::{Engine, Probe, Stop, Stopped};
use crate::board::BoardSize;
use crate::random::Random;

/// Counts pairs of half-boards beside the queens of the middle rows.
pub struct Rows {
    size: BoardSize,
    plan: Plan,
    kernel: Kernel,
    loops: &'static dyn Loops,
    /// The numbers of sets of rows, by mask.
    row_sets: Vec<u32>,
    /// The bytes that a thread may take.
    memory: u64,
    /// The workers of threads that are between two units.
    idle: Mutex<Vec<Box<Worker>>>,
    work: Mutex<Work>,
}

impl Rows {
    /// The boards that this engine counts. Smaller ones have no halves worth the name.
    pub const SIZES: RangeInclusive<u32> = 4..=32;

    /// The number of middle rows that are placed first on the board with `n` rows, where the cost of a solution is least.
    /// It keeps lists between some thousand and some hundred thousand half-boards, and quarters at 12 rows.
    pub fn middle_rows(n: u32) -> u32 {
        match n {
            ..=23 => n % 2,
            24 => 2,
            25 | 27 => 3,
            26 | 28 => 4,
            _ => n - 24,
        }
    }

    /// Plans the units of the board, to be counted by `kernel` in about `memory` bytes for each thread.
    ///
    /// # Panics
    /// When the board is not one of [`Rows::SIZES`].
    pub fn new(size: BoardSize, kernel: Kernel, memory: u64) -> Self {
        Self::with_middle_rows(size, Self::middle_rows(size.get()), kernel, memory)
    }

    /// The same with another number of middle rows: one that has the parity of N, and leaves a row above and below.
    ///
    /// ```
    /// use queencount::engine::rows::Rows;
    /// use queencount::{BoardSize, FanOut, Kernel};
    ///
    /// for middle_rows in [1, 3, 5, 7] {
    ///     let engine = Rows::with_middle_rows(BoardSize::new(9)?, middle_rows, Kernel::default(), Rows::MEMORY);
    ///     assert_eq!(FanOut::default().count(&engine)?, 352);
    /// }
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Panics
    /// When the board is not one of [`Rows::SIZES`], or has not so many middle rows.
    pub fn with_middle_rows(size: BoardSize, middle_rows: u32, kernel: Kernel, memory: u64) -> Self {
        assert!(Self::SIZES.contains(&size.get()), "N = {size} is not a board of this engine");
        let half = (size.get() - middle_rows) / 2;
        let tile_side = if half < 12 { 16 } else { 32 };
        let plan = Plan::new(size.get(), middle_rows, tile_side);
        let row_sets = row_set_numbers(half);
        let loops = kernel::loops(kernel);
        Self { size, plan, kernel, loops, row_sets, memory, idle: Mutex::default(), work: Mutex::default() }
    }

    /// The memory that a thread is allowed by default, in bytes.
    pub const MEMORY: u64 = super::meet::Meet::MEMORY;

    /// How much work the joins have been so far: for benches.
    pub fn work(&self) -> Work {
        *self.work.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn job<'a>(&'a self, stop: &'a Stop) -> Job<'a> {
        let most = (self.memory as usize / 2 / 2 / BYTES_PER_HALF_BOARD).max(1 << 16);
        Job { plan: &self.plan, row_sets: &self.row_sets, loops: self.loops, most, stop }
    }

    /// Has a worker do something with a unit. One that last counted a unit of the same core is preferred by chance alone:
    /// the last to become idle.
    fn with_worker<T>(&self, act: impl FnOnce(&mut Worker) -> Result<T, Stopped>) -> Result<T, Stopped> {
        let idle = self.idle.lock().unwrap_or_else(PoisonError::into_inner).pop();
        let mut worker = idle.unwrap_or_else(|| Box::new(Worker::new(self.plan.half, self.memory as usize / 2)));
        let result = act(&mut worker)?;
        self.work.lock().unwrap_or_else(PoisonError::into_inner).add(worker.take_work());
        self.idle.lock().unwrap_or_else(PoisonError::into_inner).push(worker);
        Ok(result)
    }
}

/// The bytes that a placement of a quarter-board takes: its word.
const BYTES_PER_PLACEMENT: u64 = 8;

/// The bytes that a half-board of a list takes: eight as a word, twelve sorted, and as much again, because vectors grow by
/// doubling.
const BYTES_PER_HALF_BOARD: usize = 40;

impl Engine for Rows {
    fn name(&self) -> &'static str {
        "rows"
    }

    fn size(&self) -> BoardSize {
        self.size
    }

    fn parameters(&self) -> String {
        format!("middle rows {}, tiles of {}", self.plan.middle_rows(), self.plan.tile_side)
    }

    fn kernel(&self) -> Option<&'static str> {
        Some(self.kernel.name())
    }

    fn memory(&self, threads: usize) -> u64 {
        let half = self.plan.half;
        // All quarter-boards of a core, or as many as are kept; and one that is being found.
        let kept = (4 * placements(half) * BYTES_PER_PLACEMENT).min(self.memory / 2);
        let found = largest(half) * (16 + BYTES_PER_PLACEMENT);
        // About one in four of the pairs of quarter-boards on complementary row sets is a half-board; four times as many
        // where there are most.
        let mean = placements(half) as f64 / f64::from(1 << half);
        let list = (mean * mean / f64::from(1 << half) * 4.0).min(self.job(&Stop::new()).most as f64);
        let lists = 2 * list as u64 * BYTES_PER_HALF_BOARD as u64;
        self.row_sets.len() as u64 * 4 + threads as u64 * (kept + found + lists + (1 << 20))
    }

    fn units(&self) -> u64 {
        self.plan.units()
    }

    fn units_per_task(&self) -> u64 {
        // From milliseconds for small boards to a minute for the largest.
        match self.size.get() {
            26 => 64,
            28.. => 16,
            _ => 1,
        }
    }

    fn work_before(&self, unit: u64) -> f64 {
        self.plan.work_before(unit)
    }

    fn count(&self, unit: u64, stop: &Stop) -> Result<u128, Stopped> {
        self.with_worker(|worker| worker.count(self.job(stop), self.plan.unit(unit)))
    }

    fn count_each(&self, units: Range<u64>, stop: &Stop, counted: &mut dyn FnMut(u128)) -> Result<(), Stopped> {
        self.with_worker(|worker| {
            for unit in units {
                counted(worker.count(self.job(stop), self.plan.unit(unit))?);
            }
            Ok(())
        })
    }

    fn recount(&self, unit: u64, stop: &Stop) -> Result<u128, Stopped> {
        recount::recount(&self.plan, unit, stop)
    }

    fn probe(&self, unit: u64, random: &mut Random, stop: &Stop) -> Result<Probe, Stopped> {
        self.with_worker(|worker| worker.probe(self.job(stop), self.plan.unit(unit), random))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::count::FanOut;

    fn rows(n: u32, middle_rows: u32, kernel: Kernel, memory: u64) -> Rows {
        Rows::with_middle_rows(BoardSize::new(n).unwrap(), middle_rows, kernel, memory)
    }

    #[test]
    fn any_number_of_middle_rows_leads_to_the_published_count() {
        for n in 4..=12 {
            for middle_rows in (n % 2..n.min(6) - 1).step_by(2) {
                let engine = rows(n, middle_rows, Kernel::default(), Rows::MEMORY);
                let total = FanOut::default().threads(1).count(&engine).unwrap();
                assert_eq!(Some(total), crate::known::published(n), "N = {n}, {middle_rows} middle rows");
            }
        }
    }

    #[test]
    fn units_are_recounted_by_the_definition_of_weights() {
        for n in 4..=9 {
            for middle_rows in (n % 2..n.min(6) - 1).step_by(2) {
                let engine = rows(n, middle_rows, Kernel::default(), Rows::MEMORY);
                for unit in 0..engine.units() {
                    let counts = [engine.count(unit, &Stop::new()), engine.recount(unit, &Stop::new())];
                    assert_eq!(counts[0], counts[1], "N = {n}, {middle_rows} middle rows, unit {unit}");
                }
            }
        }
    }
}
