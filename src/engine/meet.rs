//! The meet-in-the-middle engine: counts pairs of half-boards, 512 at a time.
//!
//! Backtracking visits some 80 nodes for every solution. This engine visits none. It cuts the board into a top and a
//! bottom half, makes lists of both, and counts the pairs that fit. There are far more pairs than solutions (some 2700
//! for each at N = 18), but a pair takes a fraction of a bit operation. Its plain form is [`crate::plain::meet`].
//!
//! # The reader's map
//!
//! [Why the number is right](#why-the-number-is-right) is told below, once, and `theory` is its numbers. All other
//! rooms are there for speed:
//!
//! ```text
//!     theory     cores, units, weights; the recount by plain backtracking
//!     tuning     sizes chosen by measurement
//!     lists      half-boards, made of quarter-boards
//!     join       counts the disjoint pairs of two lists
//!     prepared   a core, with all that making and joining its lists takes
//!     kernel     compiles the loops of lists and joins for what the processor offers
//!     worker     what a thread needs to count units
//!     meet       the engine: the plan, and who counts what
//! ```
//!
//! Each of them uses only rooms above it in this drawing. None knows the engine in `backtrack`.
//!
//! # From plain to fast
//!
//! What each step from [`crate::plain::meet`] to this engine buys. Instructions were counted by callgrind, with the
//! portable kernel at N = 16 and the plain form at N = 14. Times are of one thread (`docs/speed.md` has the machine).
//!
//! | step | where | what it buys |
//! |---|---|---|
//! | symmetry: units and weights | `theory` | 1/8.6 of the pairs |
//! | half-boards out of quarter-boards, instead of a search for each C | `lists` | 41 instructions for a half-board instead of 590 |
//! | pairs 512 at a time, in blocks | `join` | 0.46 instructions for a pair instead of 3.9 |
//! | buckets, and bottoms sorted by them | `lists`, `join` | 0.66 of the time at N = 20; nothing below N = 18 |
//! | groups | `join` | 0.88 of the time at N = 20 |
//! | vectors of AVX2, of AVX-512 | `kernel` | 0.42 and 0.24 of the time at N = 18 |
//!
//! # Prior art
//!
//! - N-Queens-Count-Sol (Evgeny Kluev) counts with four quadrants, and was the fastest published program for
//!   processors.
//! - Q27 (T. B. Preusser and M. R. Engelhardt, *Putting Queens in Carry Chains, No. 27*, 2017) counted N = 27 by
//!   backtracking on FPGAs, with queens of the border placed first; NQueensFAF (Ole Poeschl) does so on GPUs.
//! - The published values are OEIS A000170.
//!
#![doc = include_str!("meet/README.md")]

#[cfg(test)]
mod fault;
mod join;
mod kernel;
mod lists;
mod prepared;
mod theory;
mod tuning;
mod worker;

use std::ops::Range;

use self::kernel::Loops;
use self::lists::Limits;
use self::prepared::PreparedCore;
use self::theory::{Tiers, Unit, recount};
use self::tuning::Tuning;
use self::worker::{Job, Worker, Workers};
use super::rows::Rows;
use super::rows::kernel::Kernel;
use super::{Engine, Probe, Stop, Stopped};
use crate::board::BoardSize;
use crate::random::Random;

/// Counts pairs of half-boards that share no diagonal.
pub struct Meet {
    size: BoardSize,
    kernel: Kernel,
    loops: &'static dyn Loops,
    limits: Limits,
    cores: Vec<PreparedCore>,
    tiers: Tiers,
    workers: Workers,
}

impl Meet {
    /// The boards that this engine counts. Smaller ones have no halves worth the name.
    pub const SIZES: std::ops::RangeInclusive<u32> = 4..=32;

    /// The memory that a thread is allowed by default, in bytes.
    pub const MEMORY: u64 = Rows::MEMORY;

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
        Self { size, kernel, loops: kernel::loops(kernel), limits, cores, tiers, workers }
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
            counted(worker.count(Job { core, unit: &unit, kernel: self.loops, limits: self.limits, stop })?);
        }
        worker.into_iter().for_each(|worker| self.workers.leave(worker));
        Ok(())
    }

    /// Of long lists, a random batch of the top half-boards against one of the bottom ones.
    fn probe(&self, unit: u64, random: &mut Random, stop: &Stop) -> Result<Probe, Stopped> {
        let (tier, core, unit) = self.unit(unit);
        let mut worker = self.workers.take(tier);
        self.workers.prepare(&mut worker, tier, core, self.limits.keeps);
        let job = Job { core, unit: &unit, kernel: self.loops, limits: self.limits, stop };
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
    fn the_units_of_two_boards_are_those_of_the_proof() {
        let proof = include_str!("meet/README.md");
        for n in [5, 6] {
            let engine = engine(n, Meet::MEMORY);
            let mut total = 0;
            for number in 0..engine.units() {
                let (_, core, Unit { top: [near, far], .. }) = engine.unit(number);
                let middle = core.filing.core.middle.map(|(column, _)| column);
                let square = |column| match column {
                    _ if near >> column & 1 == 1 || far >> (n - 1 - column) & 1 == 1 => 'o',
                    _ if middle == Some(column) && column != n / 2 => 'Q',
                    _ => '.',
                };
                let columns: String = (0..n).map(square).collect();
                let count = engine.count(number, &Stop::new()).unwrap();
                let line = format!("unit {number}   {columns:6}   count {count}");
                assert!(proof.contains(&line), "expected in the proof, N = {n}: {line}");
                total += count;
            }
            assert!(proof.contains(&format!("Q({n}) = {total}")), "N = {n}: {total}");
        }
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
