//! The meet-in-the-middle engine: counts pairs of half-boards, 512 at a time.
//!
//! Backtracking visits some 80 nodes for every solution. This engine visits none. It cuts the board into a top and a
//! bottom half:
//!
//! ```text
//!     . . . Q . . . .
//!     . . . . . . Q .      a placement of the top rows on a set C of columns
//!     . . Q . . . . .
//!     . . . . . . . Q
//!     - - - - - - - -  cut
//!     . Q . . . . . .
//!     . . . . Q . . .      a placement of the bottom rows on the other columns
//!     Q . . . . . . .
//!     . . . . . Q . .
//! ```
//!
//! Rows and columns cannot be in conflict any more; a diagonal can only if it crosses the cut. So a half-board is worth
//! one word, which of the crossing diagonals it occupies (`signature`), and
//!
//! ```text
//!     Q(N) = sum over C of the number of pairs (t, b) with t AND b = 0,
//!            t a top half-board on C, b a bottom half-board on the complement of C
//! ```
//!
//! There are far more pairs than solutions (some 2700 for each at N = 18), but a pair costs a fraction of a bit
//! operation:
//!
//! - `quarter`: a half-board is two quarter-boards side by side. There are few of those (915 442 for N = 18); they are
//!   found once and kept (`quarters`, as far as `memory` allows).
//! - `half`: the half-boards of a C are the pairs of quarter-boards that share no row and no diagonal. `format` says
//!   how they lie in words and in classes.
//! - `join`: counts disjoint pairs by looking up 512 bottoms at once, four or five lookups for each top. `order` says
//!   how bottoms are sorted for that, and `block` how they are made ready.
//! - `core`: uses the eight symmetries, and for odd N places the queens of the middle row and column first. It defines
//!   the units: a unit is a C (for odd N, with these queens) together with the C's that symmetry says have the same
//!   count.
//! - `kernel`: the inner loops for what the processor offers.
//!
//! Nothing here knows the engine in `backtrack`; `recount` counts a unit of this engine by plain backtracking.

mod block;
mod combinations;
mod core;
#[cfg(test)]
mod fault;
mod format;
mod half;
mod join;
pub(crate) mod kernel;
mod memory;
mod order;
mod quarter;
mod quarters;
mod recount;
mod signature;
mod weights;

use std::ops::Range;
use std::sync::{Arc, Mutex, PoisonError, Weak};

use self::block::BLOCK;
use self::core::{Core, Tuning, Unit, Weights};
use self::half::{Half, Part};
use self::join::{Join, Sides, Workspace};
use self::kernel::Kernel;
use self::memory::Limits;
use self::quarter::{Quarter, Slice};
use self::quarters::{Own, Quarters};
use self::signature::Geometry;
use super::{Engine, Probe, Stop, Stopped};
use crate::board::BoardSize;
use crate::random::Random;

/// Counts pairs of half-boards that share no diagonal.
pub struct Meet {
    size: BoardSize,
    geometry: Geometry,
    kernel: Kernel,
    cores: Vec<Arc<Core>>,
    /// `starts[i]` is the first unit of core i.
    starts: Vec<u64>,
    /// `work[i]` is the expected work before core i, in a unit of its own.
    work: Vec<f64>,
    /// `blocks[i]` is the first block of core i: blocks are the units of a core with so many near queens on top.
    blocks: Vec<usize>,
    /// The quarter-boards of each block, while a thread counts units of it.
    quarters: Vec<Mutex<Weak<Quarters>>>,
    /// The memory of threads that are between two units.
    #[expect(clippy::vec_box, reason = "some hundred bytes that move with every unit")]
    idle: Mutex<Vec<Box<Scratch>>>,
    limits: Limits,
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
        let geometry = Geometry::new(size.get());
        let cores: Vec<_> = Core::all(size.get(), tuning).into_iter().map(Arc::new).collect();
        let (mut starts, mut work, mut blocks) = (vec![0], vec![0.0], vec![0]);
        for core in &cores {
            blocks.push(blocks[blocks.len() - 1] + core.blocks().len());
            starts.push(starts[starts.len() - 1] + core.units());
            work.push(
                work[work.len() - 1]
                    + core.blocks().iter().enumerate().map(|(k, &units)| units as f64 * cost(k)).sum::<f64>(),
            );
        }
        Self {
            size,
            geometry,
            kernel,
            quarters: cores.iter().flat_map(|core| core.blocks()).map(|_| Mutex::default()).collect(),
            cores,
            starts,
            work,
            blocks,
            idle: Mutex::default(),
            limits: Limits::new(geometry.half, memory),
        }
    }

    fn unit(&self, unit: u64) -> (usize, Unit) {
        assert!(unit < self.units(), "unit {unit} of {}", self.units());
        let core = self.starts.partition_point(|&start| start <= unit) - 1;
        (core, self.cores[core].unit(unit - self.starts[core]))
    }

    /// The memory of an idle thread, if possible one that last counted a unit of this core and with as many near queens.
    fn scratch(&self, core: usize, unit: &Unit) -> Box<Scratch> {
        let block = self.block(core, unit);
        let mut idle = self.idle.lock().unwrap_or_else(PoisonError::into_inner);
        let place = idle.iter().rposition(|scratch| scratch.block == block).or(idle.len().checked_sub(1));
        let mut scratch = place.map(|place| idle.swap_remove(place)).unwrap_or_else(Scratch::new);
        drop(idle);
        self.prepare(&mut scratch, core, unit);
        scratch
    }

    /// Makes memory ready for units of this core and with as many near queens.
    fn prepare(&self, scratch: &mut Scratch, core: usize, unit: &Unit) {
        let block = self.block(core, unit);
        if scratch.quarters.is_some() && scratch.block == block {
            return;
        }
        let mut shared = self.quarters[block].lock().unwrap_or_else(PoisonError::into_inner);
        let quarters = shared
            .upgrade()
            .unwrap_or_else(|| Arc::new(Quarters::new(self.geometry, &self.cores[core], self.limits.keeps)));
        *shared = Arc::downgrade(&quarters);
        drop(shared);
        scratch.own.forget();
        (scratch.block, scratch.quarters) = (block, Some(quarters));
    }

    /// Leaves memory to the next unit.
    fn leave(&self, scratch: Box<Scratch>) {
        self.idle.lock().unwrap_or_else(PoisonError::into_inner).push(scratch);
    }

    fn block(&self, core: usize, unit: &Unit) -> usize {
        self.blocks[core] + unit.top[0].count_ones() as usize
    }

    /// The pairs of half-boards of a unit, weighted.
    fn join(&self, core: &Core, unit: &Unit, scratch: &mut Scratch, stop: &Stop) -> Result<u128, Stopped> {
        let mut total: u128 = 0;
        for bottom_slice in Slice::all(self.limits.slices) {
            for top_slice in Slice::all(self.limits.slices) {
                total += self.join_slices(core, unit, [top_slice, bottom_slice], scratch, stop)?;
            }
        }
        Ok(total)
    }

    /// Those with half-boards of these slices of the top and the bottom.
    fn join_slices(
        &self,
        core: &Core,
        unit: &Unit,
        slices: [Slice; 2],
        scratch: &mut Scratch,
        stop: &Stop,
    ) -> Result<u128, Stopped> {
        let Scratch { quarters, own, tops, bottoms, workspace, .. } = scratch;
        let quarters = quarters.as_ref().expect("scratch has been made for a core");
        let [top, bottom] = quarters.halves(unit, slices, own, stop)?;
        let [top_parts, bottom_parts] = [top, bottom].map(|half| Self::parts(half, self.limits.batch));
        let mut total: u128 = 0;
        for bottom_part in Part::all(bottom_parts) {
            self.kernel.combine(bottoms, bottom, bottom_part);
            for top_part in Part::all(top_parts) {
                stop.check()?;
                // A single part of tops is made once.
                if bottom_part.number == 0 || top_parts > 1 {
                    self.kernel.combine(tops, top, top_part);
                }
                total += self.disjoint_pairs(core, unit, tops, bottoms, workspace, stop);
                stop.check()?;
            }
        }
        Ok(total)
    }

    fn disjoint_pairs(
        &self,
        core: &Core,
        unit: &Unit,
        tops: &Half,
        bottoms: &Half,
        workspace: &mut Workspace,
        stop: &Stop,
    ) -> u128 {
        let [tops_weights, bottoms_weights] = core.weights.of_pairs(unit.images);
        let down = (&core.joins[0], Sides { tops, bottoms, weights: tops_weights });
        let up = (&core.joins[1], Sides { tops: bottoms, bottoms: tops, weights: bottoms_weights });
        let mut pairs = |(join, sides)| self.kernel.disjoint_pairs(join, sides, workspace, stop);
        if core.weights == Weights::MainDiagonals {
            return pairs(down) + pairs(up);
        }
        // Either side may be the one that is looked up in blocks.
        let price = |(_, sides): (&Join, Sides)| sides.bottoms.len().div_ceil(BLOCK) * (BLOCK_COST + sides.tops.len());
        pairs(if price(down) <= price(up) { down } else { up })
    }

    /// The number of parts that the half-boards of two quarters are made in, so that about so many are made at a time.
    fn parts([near, far]: [&Quarter; 2], batch: u64) -> u32 {
        let expected = near.len() as f64 * far.len() as f64 / near.held.max(1) as f64 * SURVIVORS;
        (expected as u64).div_ceil(batch).max(1) as u32
    }
}

/// About the most half-boards of each side that a probe joins: a second or two, so that what is not a part, finding the
/// quarter-boards, weighs little in its time.
const PROBED: u64 = 1 << 20;

/// About the share of the pairs of quarter-boards with complementary rows that share no diagonal: a guess, and only for
/// the size of batches.
const SURVIVORS: f64 = 0.2;

/// What a block costs beside its lookups, in lookups: transposing it and making its tables. A guess from the number of
/// vector operations, for the choice of the side that is looked up in blocks.
const BLOCK_COST: usize = 400;

/// What a unit with so many near queens on top is expected to cost, in a unit of its own. (`queencount estimate N`
/// weighs units by this.)
fn cost(near_queens: usize) -> f64 {
    2.0 + near_queens as f64
}

impl Engine for Meet {
    fn name(&self) -> &'static str {
        "meet"
    }

    fn size(&self) -> BoardSize {
        self.size
    }

    fn parameters(&self) -> String {
        // The numbering of the units: see `core`.
        "core 1".to_owned()
    }

    fn kernel(&self) -> Option<&'static str> {
        Some(self.kernel.name())
    }

    fn memory(&self, threads: usize) -> u64 {
        // Each thread may be at a core of its own.
        let cores = if self.cores.len() > 1 { threads } else { 1 };
        self.limits.bytes(self.geometry.half, cores, threads)
    }

    fn units(&self) -> u64 {
        self.starts[self.starts.len() - 1]
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
        let core = (self.starts.partition_point(|&start| start <= unit) - 1).min(self.cores.len() - 1);
        let mut rest = unit - self.starts[core];
        let mut work = self.work[core];
        for (k, &units) in self.cores[core].blocks().iter().enumerate() {
            let here = rest.min(units);
            work += here as f64 * cost(k);
            rest -= here;
        }
        work / self.work[self.cores.len()]
    }

    fn count(&self, unit: u64, stop: &Stop) -> Result<u128, Stopped> {
        let mut count = 0;
        self.count_each(unit..unit + 1, stop, &mut |unit| count = unit)?;
        Ok(count)
    }

    fn count_each(&self, units: Range<u64>, stop: &Stop, counted: &mut dyn FnMut(u128)) -> Result<(), Stopped> {
        let mut scratch: Option<Box<Scratch>> = None;
        for unit in units {
            stop.check()?;
            let (core, unit) = self.unit(unit);
            let scratch = scratch.get_or_insert_with(|| self.scratch(core, &unit));
            self.prepare(scratch, core, &unit);
            counted(self.join(&self.cores[core], &unit, scratch, stop)?);
        }
        scratch.into_iter().for_each(|scratch| self.leave(scratch));
        Ok(())
    }

    /// Of long lists, a random part of the top half-boards against one of the bottom ones.
    fn probe(&self, unit: u64, random: &mut Random, stop: &Stop) -> Result<Probe, Stopped> {
        let (index, unit) = self.unit(unit);
        let core = &self.cores[index];
        let mut scratch = self.scratch(index, &unit);
        let Scratch { quarters, own, tops, bottoms, workspace, .. } = &mut *scratch;
        let quarters = quarters.as_ref().expect("scratch has been made for a core");
        let slices =
            [(); 2].map(|()| Slice { rows: self.limits.slices, near: random.below(1 << self.limits.slices) as u32 });
        let halves = quarters.halves(&unit, slices, own, stop)?;
        let [top, bottom] = halves.map(|half| {
            let parts = Self::parts(half, PROBED.min(self.limits.batch));
            Part { number: random.below(parts.into()) as u32, parts }
        });
        stop.check()?;
        self.kernel.combine(tops, halves[0], top);
        self.kernel.combine(bottoms, halves[1], bottom);
        let count = self.disjoint_pairs(core, &unit, tops, bottoms, workspace, stop);
        stop.check()?;
        self.leave(scratch);
        Ok(Probe {
            count,
            scale: f64::from(top.parts) * f64::from(bottom.parts) * 4f64.powi(self.limits.slices as i32),
        })
    }

    fn recount(&self, unit: u64, stop: &Stop) -> Result<u128, Stopped> {
        let (core, unit) = self.unit(unit);
        recount::recount(self.size.get(), &self.cores[core], &unit, stop)
    }
}

/// What a thread needs to count a unit.
#[derive(Default)]
struct Scratch {
    block: usize,
    quarters: Option<Arc<Quarters>>,
    own: Own,
    tops: Half,
    bottoms: Half,
    workspace: Workspace,
}

impl Scratch {
    /// Out of line, for the arrays in it want a large stack on the way to the heap, and every unit would pay for that.
    #[cold]
    #[inline(never)]
    fn new() -> Box<Self> {
        Box::default()
    }
}

#[cfg(test)]
mod tests {
    use super::format::Layout;
    use super::*;

    fn engine(n: u32, memory: u64) -> Meet {
        Meet::new(BoardSize::new(n).unwrap(), Kernel::default(), memory)
    }

    /// The numbers of parts of the halves of a unit, in the first slices.
    fn parts(engine: &Meet, unit: u64) -> [u32; 2] {
        let (core, unit) = engine.unit(unit);
        let mut scratch = engine.scratch(core, &unit);
        let quarters = scratch.quarters.take().unwrap();
        let halves = quarters.halves(&unit, [Slice::default(); 2], &mut scratch.own, &Stop::new());
        halves.unwrap().map(|half| Meet::parts(half, engine.limits.batch))
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
            let near = |unit| engine.unit(unit).1.top[0].count_ones();
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
    fn parts_and_slices_change_no_count() {
        for n in [13, 16, 17] {
            let whole = engine(n, Meet::MEMORY);
            for (batch, slices) in [(1, 0), (3, 1), (100, 0), (u64::MAX, 2), (u64::MAX, 3)] {
                let limits = Limits { keeps: slices == 0, slices, batch };
                let parted = Meet { limits, ..engine(n, Meet::MEMORY) };
                check(&parted, &whole);
                let several = |unit| parts(&parted, unit).iter().all(|&parts| parts > 1);
                assert!(batch > 1 || (0..parted.units()).any(several), "N = {n}: no unit had parts");
            }
        }
    }

    #[test]
    fn a_thread_takes_no_quarter_boards_along_to_another_core() {
        for n in [9, 11] {
            let limits = Limits { keeps: false, slices: 0, batch: u64::MAX };
            let (whole, own) = (engine(n, Meet::MEMORY), Meet { limits, ..engine(n, Meet::MEMORY) });
            // Units of the same number have the same columns in many cores.
            for number in 0..whole.cores[1].units() {
                for core in 0..whole.cores.len() {
                    let unit = whole.starts[core] + number;
                    if unit < whole.starts[core + 1] {
                        let [count, expected] = [&own, &whole].map(|engine| engine.count(unit, &Stop::new()));
                        assert_eq!(count, expected, "N = {n}, unit {number} of core {core}");
                    }
                }
            }
        }
    }

    #[test]
    fn probes_of_parts_and_slices_are_expected_to_give_the_count() {
        let whole = engine(13, Meet::MEMORY);
        let counted = |unit| whole.count(unit, &Stop::new()).unwrap();
        for slices in [0, 1] {
            let limits = Limits { keeps: false, slices, batch: 3 };
            let parted = Meet { limits, ..engine(13, Meet::MEMORY) };
            // Not all units have solutions, and not all halves come in parts.
            let several = |unit| parts(&parted, unit).iter().all(|&parts| parts > 1);
            let unit = (0..whole.units()).find(|&unit| several(unit) && counted(unit) > 0).unwrap();
            let count = counted(unit) as f64;
            let mut random = Random::new(1);
            let mut probes = || parted.probe(unit, &mut random, &Stop::new()).unwrap();
            let drawn: Vec<f64> = (0..20_000).map(|_| probes()).map(|probe| probe.count as f64 * probe.scale).collect();
            let mean = drawn.iter().sum::<f64>() / drawn.len() as f64;
            let variance = drawn.iter().map(|estimate| (estimate - mean).powi(2)).sum::<f64>() / drawn.len() as f64;
            let error = (variance / drawn.len() as f64).sqrt();
            assert!(error < count / 10.0 && (mean - count).abs() < 5.0 * error, "{count} as {mean} +- {error}");
        }
    }

    #[test]
    fn a_small_unit_of_a_board_with_wide_half_boards_is_what_backtracking_counts() {
        let engine = engine(29, Meet::MEMORY);
        assert!(engine.cores[0].formats[0].is_wide());
        // With two queens in the near quarter of the top.
        let unit = engine.starts[1] + 5_000;
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
    fn little_memory_means_parts_and_slices() {
        let units = engine(22, 0).units();
        let (much, little) = (engine(22, Meet::MEMORY), engine(22, 8 << 20));
        assert_eq!((parts(&much, units - 1), much.limits.slices), ([1, 1], 0));
        assert!(little.limits.slices > 0 && !little.limits.keeps);
        for n in 4..=32 {
            for memory in [64 << 20, Meet::MEMORY, 1 << 30] {
                let engine = engine(n, memory);
                let (limits, taken) = (engine.limits, engine.memory(1));
                assert!(limits.keeps || taken < 2 * memory, "N = {n}: {taken} bytes");
                // Half for half-boards, and more than a quarter for slices that could not be larger.
                assert!(limits.slices == 0 || 4 * taken > 3 * memory, "N = {n}: {taken} bytes");
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
            let units =
                engine.cores.iter().enumerate().flat_map(|(i, core)| (0..core.units()).map(move |u| (i, core.unit(u))));
            assert!(units.eq((0..engine.units()).map(|unit| engine.unit(unit))), "N = {n}");
        }
    }
}
