//! The meet-in-the-middle engine: counts pairs of half-boards, 512 at a time.
//!
//! Backtracking visits some 80 nodes for every solution. This engine visits none. It cuts the board into a top and a
//! bottom half, makes lists of both, and counts the pairs that fit. There are far more pairs than solutions (some 2700 for
//! each at N = 18), but a pair takes a fraction of a bit operation. Its plain form is [`crate::plain::meet`].
//!
//! Its rooms, each of which uses only rooms before it: `theory`, `tuning`, `lists`, `join`, `prepared`, `kernel`, `worker`.

#[cfg(test)]
mod fault;
mod join;
pub(crate) mod kernel;
mod lists;
mod prepared;
mod theory;
mod tuning;
mod worker;

use std::ops::Range;

use self::kernel::Kernel;
use self::lists::Limits;
use self::prepared::PreparedCore;
use self::theory::{Tiers, Unit, recount};
use self::tuning::Tuning;
use self::worker::{Job, Worker, Workers};
use super::{Engine, Probe, Stop, Stopped};
use crate::board::BoardSize;
use crate::random::Random;

/// Counts pairs of half-boards that share no diagonal.
pub struct Meet {
    size: BoardSize,
    kernel: Kernel,
    limits: Limits,
    cores: Vec<PreparedCore>,
    tiers: Tiers,
    workers: Workers,
}

impl Meet {
    /// The boards that this engine counts. Smaller ones have no halves worth the name.
    pub const SIZES: std::ops::RangeInclusive<u32> = 4..=32;

    /// The memory that a thread is allowed by default, in bytes.
    pub const MEMORY: u64 = 256 << 20;

    /// Plans the units of the board, to be counted by `kernel` in about `memory` bytes for each thread.
    ///
    /// # Panics
    /// When the board is not one of [`Meet::SIZES`].
    pub fn new(size: BoardSize, kernel: Kernel, memory: u64) -> Self {
        Self::tuned(size, kernel, memory, Tuning::of(size.get()))
    }

    fn tuned(size: BoardSize, kernel: Kernel, memory: u64, tuning: Tuning) -> Self {
        assert!(Self::SIZES.contains(&size.get()), "N = {size} is not a board of this engine");
        let cores = PreparedCore::all(size.get(), tuning);
        let tiers = Tiers::new(cores.iter().map(|core| &core.filing.core));
        let (limits, workers) = (Limits::new(size.get() / 2, memory), Workers::new(tiers.len()));
        Self { size, kernel, limits, cores, tiers, workers }
    }

    /// The number of a unit's tier, and its core and columns.
    fn unit(&self, unit: u64) -> (usize, &PreparedCore, Unit) {
        assert!(unit < self.units(), "unit {unit} of {}", self.units());
        let (number, tier) = self.tiers.find(unit);
        let core = &self.cores[tier.core];
        (number, core, core.filing.core.unit(unit - tier.start))
    }
}

impl Engine for Meet {
    fn name(&self) -> &'static str {
        "meet"
    }

    fn size(&self) -> BoardSize {
        self.size
    }

    fn parameters(&self) -> String {
        // The numbering of the units: see `theory::Core::all`.
        "core 1".to_owned()
    }

    fn kernel(&self) -> Option<&'static str> {
        Some(self.kernel.name())
    }

    fn memory(&self, threads: usize) -> u64 {
        // Each thread may be at a core of its own.
        let cores = if self.cores.len() > 1 { threads } else { 1 };
        self.limits.bytes(self.size.get() / 2, cores, threads)
    }

    fn units(&self) -> u64 {
        self.tiers.units()
    }

    fn units_per_task(&self) -> u64 {
        // Some milliseconds; for the largest boards some seconds, so that records stay small.
        match self.size.get() {
            ..=15 => 256,
            16 => 128,
            17 => 512,
            18 => 32,
            19 => 128,
            20 => 4,
            21 | 23 | 25 | 27 => 64,
            _ => 1,
        }
    }

    fn work_before(&self, unit: u64) -> f64 {
        self.tiers.work_before(unit)
    }

    fn count(&self, unit: u64, stop: &Stop) -> Result<u128, Stopped> {
        let mut count = 0;
        self.count_each(unit..unit + 1, stop, &mut |unit| count = unit)?;
        Ok(count)
    }

    fn count_each(&self, units: Range<u64>, stop: &Stop, counted: &mut dyn FnMut(u128)) -> Result<(), Stopped> {
        let mut worker: Option<Box<Worker>> = None;
        for unit in units {
            stop.check()?;
            let (tier, core, unit) = self.unit(unit);
            let worker = worker.get_or_insert_with(|| self.workers.take(tier));
            self.workers.prepare(worker, tier, core, self.limits.keeps);
            counted(worker.count(Job { core, unit: &unit, kernel: self.kernel, limits: self.limits, stop })?);
        }
        worker.into_iter().for_each(|worker| self.workers.leave(worker));
        Ok(())
    }

    /// Of long lists, a random batch of the top half-boards against one of the bottom ones.
    fn probe(&self, unit: u64, random: &mut Random, stop: &Stop) -> Result<Probe, Stopped> {
        let (tier, core, unit) = self.unit(unit);
        let mut worker = self.workers.take(tier);
        self.workers.prepare(&mut worker, tier, core, self.limits.keeps);
        let job = Job { core, unit: &unit, kernel: self.kernel, limits: self.limits, stop };
        let probe = worker.probe(job, random)?;
        self.workers.leave(worker);
        Ok(probe)
    }

    fn recount(&self, unit: u64, stop: &Stop) -> Result<u128, Stopped> {
        let (_, core, unit) = self.unit(unit);
        recount(&core.filing.core, &unit, stop)
    }
}

#[cfg(test)]
mod tests {
    use super::tuning::Layout;
    use super::*;

    fn engine(n: u32, memory: u64) -> Meet {
        Meet::new(BoardSize::new(n).unwrap(), Kernel::default(), memory)
    }

    /// Holds an engine against one that does all at once, in some units.
    fn check(engine: &Meet, all_at_once: &Meet) {
        for unit in (0..engine.units()).step_by((engine.units() / 20).max(1) as usize) {
            let [count, expected] = [engine, all_at_once].map(|engine| engine.count(unit, &Stop::new()));
            assert_eq!(count, expected, "N = {}, unit {unit}, in {} slices", engine.size, 1 << engine.limits.slices);
        }
    }

    #[test]
    fn the_work_of_a_unit_is_two_and_one_for_each_near_queen() {
        for n in [8, 13, 16] {
            let engine = engine(n, Meet::MEMORY);
            let near = |unit| engine.unit(unit).2.top[0].count_ones();
            let expected: Vec<f64> = (0..engine.units()).map(|unit| f64::from(2 + near(unit))).collect();
            let total: f64 = expected.iter().sum();
            let mut before = 0.0;
            for unit in 0..engine.units() {
                assert!((engine.work_before(unit) - before / total).abs() < 1e-9, "N = {n}, unit {unit}");
                before += expected[unit as usize];
            }
        }
    }

    #[test]
    fn a_small_unit_of_a_board_with_wide_half_boards_is_what_backtracking_counts() {
        let engine = engine(29, Meet::MEMORY);
        assert!(engine.cores[0].filing.formats[0].is_wide());
        // With two queens in the near quarter of the top.
        let unit = engine.cores[0].filing.core.tiers().iter().sum::<u64>() + 5_000;
        let count = engine.count(unit, &Stop::new()).unwrap();
        assert!(count > 0);
        assert_eq!(engine.recount(unit, &Stop::new()), Ok(count));
    }

    #[test]
    fn how_chunks_lie_changes_no_count() {
        for n in [8, 11, 14, 15, 18] {
            for layout in [Layout::Four, Layout::Five].into_iter().chain((5..=8).map(Layout::Wide)) {
                let tuning = Tuning { layout, ..Tuning::of(n) };
                for kernel in Kernel::available() {
                    let other = Meet::tuned(BoardSize::new(n).unwrap(), kernel, Meet::MEMORY, tuning);
                    check(&other, &engine(n, Meet::MEMORY));
                }
            }
        }
    }

    #[test]
    fn threads_at_different_cores_share_no_memory() {
        let memory = |n, threads| engine(n, Meet::MEMORY).memory(threads);
        assert_eq!(memory(17, 8), 8 * memory(17, 1));
        // There is but one core.
        assert!(memory(18, 8) < 8 * memory(18, 1));
    }

    #[test]
    fn the_unit_of_a_number_is_that_of_its_core() {
        for n in [4, 5, 10, 13] {
            let engine = engine(n, Meet::MEMORY);
            let cores = engine.cores.iter().map(|core| &core.filing.core);
            let units =
                cores.flat_map(|core| (0..core.tiers().iter().sum()).map(move |unit| (core.middle, core.unit(unit))));
            let found = (0..engine.units()).map(|unit| engine.unit(unit));
            assert!(units.eq(found.map(|(_, core, unit)| (core.filing.core.middle, unit))), "N = {n}");
        }
    }
}
