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
//!   found once and kept.
//! - `half`: the half-boards of a C are the pairs of quarter-boards that share no row and no diagonal. `format` says
//!   how they lie in words of 32 bits and in classes.
//! - `join`: counts disjoint pairs by looking up 512 bottoms at once, four lookups for each top.
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
mod quarter;
mod recount;
mod signature;
mod weights;

use std::ops::Range;
use std::sync::{Arc, Mutex, OnceLock, PoisonError, Weak};

use self::block::BLOCK;
use self::core::{Core, Tuning, Unit, Weights};
use self::half::Half;
use self::join::Tables;
use self::kernel::Kernel;
use self::quarter::{Quarter, Squares};
use self::signature::Geometry;
use super::{Engine, Stop, Stopped};
use crate::board::BoardSize;

/// Counts pairs of half-boards that share no diagonal.
pub struct Meet {
    size: BoardSize,
    geometry: Geometry,
    kernel: Kernel,
    cores: Vec<Core>,
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
    /// The most half-boards that are made at a time.
    batch: usize,
}

impl Meet {
    /// The boards that this engine counts. Smaller ones have no halves worth the name; the half-boards of larger ones
    /// have more diagonals than their words have room for.
    pub const SIZES: std::ops::RangeInclusive<u32> = 4..=28;

    /// The memory that a thread is allowed by default, in bytes.
    pub const MEMORY: u64 = 256 << 20;

    /// Plans the units of the board, to be counted by `kernel` in about `memory` bytes for each thread.
    ///
    /// # Panics
    /// When the board is not one of [`Meet::SIZES`].
    pub fn new(size: BoardSize, kernel: Kernel, memory: u64) -> Self {
        assert!(Self::SIZES.contains(&size.get()), "N = {size} is not a board of this engine");
        let cores = Core::all(size.get(), Tuning::of(size.get()));
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
            geometry: Geometry::new(size.get()),
            kernel,
            quarters: cores.iter().flat_map(|core| core.blocks()).map(|_| Mutex::default()).collect(),
            cores,
            starts,
            work,
            blocks,
            idle: Mutex::default(),
            batch: (memory / BYTES_PER_HALF_BOARD).max(1 << 16) as usize,
        }
    }

    fn unit(&self, unit: u64) -> (usize, Unit) {
        assert!(unit < self.units(), "unit {unit} of {}", self.units());
        let core = self.starts.partition_point(|&start| start <= unit) - 1;
        (core, self.cores[core].unit(unit - self.starts[core]))
    }

    /// The memory of an idle thread, if possible one that last counted a unit like this one.
    fn scratch(&self, core: usize, unit: &Unit) -> Box<Scratch> {
        let block = self.blocks[core] + unit.top[0].count_ones() as usize;
        let mut idle = self.idle.lock().unwrap_or_else(PoisonError::into_inner);
        let place = idle.iter().rposition(|scratch| scratch.block == block).or(idle.len().checked_sub(1));
        let mut scratch = place.map(|place| idle.swap_remove(place)).unwrap_or_default();
        drop(idle);
        if scratch.quarters.is_some() && scratch.block == block {
            return scratch;
        }
        let mut shared = self.quarters[block].lock().unwrap_or_else(PoisonError::into_inner);
        let quarters = shared.upgrade().unwrap_or_else(|| Arc::new(Quarters::new(self.geometry, &self.cores[core])));
        *shared = Arc::downgrade(&quarters);
        // The slots hold quarter-boards of the core before.
        (scratch.block, scratch.quarters, scratch.slots) = (block, Some(quarters), Default::default());
        scratch
    }

    /// The pairs of half-boards of a unit, weighted.
    fn join(&self, core: &Core, unit: &Unit, scratch: &mut Scratch, stop: &Stop) -> Result<u128, Stopped> {
        let Scratch { quarters, slots, tops, bottoms, tables, .. } = scratch;
        let quarters = quarters.as_ref().expect("scratch has been made for a core");
        let [a, b, c, d] = slots;
        let top = [quarters.get(0, unit.top[0], a), quarters.get(1, unit.top[1], b)];
        let bottom = [quarters.get(2, unit.bottom[0], c), quarters.get(3, unit.bottom[1], d)];
        let [top_batches, bottom_batches] = [self.batches(top), self.batches(bottom)];
        let mut total: u128 = 0;
        for bottom_batch in 0..bottom_batches {
            self.kernel.combine(bottoms, bottom, runs(bottom, bottom_batch, bottom_batches));
            for top_batch in 0..top_batches {
                stop.check()?;
                // A single batch of tops is made once.
                if bottom_batch == 0 || top_batches > 1 {
                    self.kernel.combine(tops, top, runs(top, top_batch, top_batches));
                }
                total += self.disjoint_pairs(core, unit, tops, bottoms, tables, stop);
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
        tables: &mut Tables,
        stop: &Stop,
    ) -> u128 {
        let [down, up] = &core.joins;
        let [tops_weights, bottoms_weights] = core.weights.of_pairs(unit.images);
        let mut pairs =
            |join, tops, bottoms, weights| self.kernel.disjoint_pairs(join, tops, bottoms, weights, tables, stop);
        if core.weights == Weights::MainDiagonals {
            return pairs(down, tops, bottoms, tops_weights) + pairs(up, bottoms, tops, bottoms_weights);
        }
        // Either side may be the one that is looked up in blocks.
        let price = |blocks: &Half, items: &Half| blocks.len().div_ceil(BLOCK) * (BLOCK_COST + items.len());
        if price(bottoms, tops) <= price(tops, bottoms) {
            pairs(down, tops, bottoms, tops_weights)
        } else {
            pairs(up, bottoms, tops, bottoms_weights)
        }
    }

    /// The number of batches in which the half-boards of two quarters are made, so that memory suffices.
    fn batches(&self, [near, far]: [&Quarter; 2]) -> u32 {
        let expected = near.len() as f64 * far.len() as f64 / f64::from(near.runs) * SURVIVORS;
        ((expected / self.batch as f64).ceil() as u32).clamp(1, near.runs)
    }
}

/// The runs of the near quarter that a batch is made of.
fn runs([near, _]: [&Quarter; 2], batch: u32, batches: u32) -> Range<u32> {
    let bound = |batch: u32| (u64::from(near.runs) * u64::from(batch) / u64::from(batches)) as u32;
    bound(batch)..bound(batch + 1)
}

/// The bytes that a half-board of a batch takes: four in a top, four and up to eight in a bottom, and as much again,
/// for vectors grow by doubling.
const BYTES_PER_HALF_BOARD: u64 = 32;

/// About the share of the pairs of quarter-boards with complementary rows that share no diagonal: a guess, and only for
/// the size of batches.
const SURVIVORS: f64 = 0.2;

/// What a block costs beside its lookups, in lookups: transposing it and making its tables. A guess from the number of
/// vector operations, for the choice of the side that is looked up in blocks.
const BLOCK_COST: usize = 400;

/// Quarter-boards of up to so many rows are kept while units need them, by estimate 60 MB of 10 rows, for N = 20,
/// and some hundred MB of 11. Of more rows, a thread keeps those of its unit.
const KEPT: u32 = 11;

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
        let half = self.geometry.half;
        // Quarter-boards: counted up to 10 rows, about 9 times as many a row above.
        let placements = QUARTERS[half.min(11) as usize] * 9u64.pow(half.saturating_sub(11));
        let (shared, own) = if half <= KEPT { (placements * 14, 0) } else { (0, placements / (1 << half) * 4 * 40) };
        // A half-board is a fraction of the pairs of quarter-boards on its columns; at most a batch is made.
        let pairs = (placements as f64 / f64::from(1 << half)).powi(2) / f64::from(1 << half) * 4.0;
        let batches = (pairs.min(self.batch as f64) as u64) * BYTES_PER_HALF_BOARD;
        let cores = if self.cores.len() > 1 { threads as u64 } else { 1 };
        shared * cores + (own + batches + (1 << 20)) * threads as u64
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
        let (index, unit) = self.unit(unit);
        let mut scratch = self.scratch(index, &unit);
        let count = self.join(&self.cores[index], &unit, &mut scratch, stop);
        self.idle.lock().unwrap_or_else(PoisonError::into_inner).push(scratch);
        count
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
    slots: [Slot; 4],
    tops: Half,
    bottoms: Half,
    tables: Tables,
}

/// A quarter-board that is not kept for all, with its columns.
#[derive(Default)]
struct Slot(Option<(u32, Quarter)>);

/// The quarter-boards of a core: near and far of the top, near and far of the turned bottom. Where top and bottom are
/// alike, the former serve for both.
struct Quarters {
    geometry: Geometry,
    core: Core,
    kept: [Vec<OnceLock<Quarter>>; 4],
}

impl Quarters {
    fn new(geometry: Geometry, core: &Core) -> Self {
        let sets = if geometry.half <= KEPT { 1 << geometry.half } else { 0 };
        let kept = std::array::from_fn(|_| (0..sets).map(|_| OnceLock::new()).collect());
        Self { geometry, core: core.clone(), kept }
    }

    /// The quarter-board on the given columns at one of the four sides.
    fn get<'a>(&'a self, side: usize, columns: u32, slot: &'a mut Slot) -> &'a Quarter {
        let core = &self.core;
        let side = if core.weights == Weights::Eight { side } else { side % 2 };
        let (half, squares): (usize, &[Squares; 2]) = if side < 2 { (0, &core.top) } else { (1, &core.bottom) };
        let find = || Quarter::new(self.geometry, &core.formats[half], &core.runs[half], &squares[side % 2], columns);
        if let Some(kept) = self.kept[side].get(columns as usize) {
            return kept.get_or_init(find);
        }
        if !matches!(&slot.0, Some((of, _)) if *of == columns) {
            slot.0 = Some((columns, find()));
        }
        &slot.0.as_ref().expect("has just been filled").1
    }
}

/// The numbers of ways to place 0 to h non-attacking queens on an h x h board, for h up to 11.
const QUARTERS: [u64; 12] = [1, 2, 5, 18, 87, 462, 2_635, 16_870, 118_969, 915_442, 7_535_369, 66_807_234];

#[cfg(test)]
mod tests {
    use super::*;

    fn engine(n: u32, memory: u64) -> Meet {
        Meet::new(BoardSize::new(n).unwrap(), Kernel::default(), memory)
    }

    /// The numbers of batches of a unit.
    fn batches(engine: &Meet, unit: u64) -> [u32; 2] {
        let (core, unit) = engine.unit(unit);
        let mut scratch = engine.scratch(core, &unit);
        let quarters = scratch.quarters.take().unwrap();
        let [a, b, c, d] = &mut scratch.slots;
        let top = [quarters.get(0, unit.top[0], a), quarters.get(1, unit.top[1], b)];
        let bottom = [quarters.get(2, unit.bottom[0], c), quarters.get(3, unit.bottom[1], d)];
        [engine.batches(top), engine.batches(bottom)]
    }

    #[test]
    fn batches_change_no_count() {
        for n in [13, 16, 17] {
            let whole = engine(n, Meet::MEMORY);
            for batch in [1, 3, 100] {
                let parts = Meet { batch, ..engine(n, 0) };
                let mut parted = false;
                for unit in (0..whole.units()).step_by((whole.units() / 20).max(1) as usize) {
                    parted |= batches(&parts, unit).iter().all(|&count| count > 1);
                    assert_eq!(parts.count(unit, &Stop::new()), whole.count(unit, &Stop::new()), "N = {n}, {unit}");
                }
                assert!(parted || batch > 1, "N = {n}: no unit had batches");
            }
        }
    }

    #[test]
    fn little_memory_means_batches() {
        let units = engine(22, 0).units();
        assert_eq!(batches(&engine(22, Meet::MEMORY), units - 1), [1, 1]);
        assert!(batches(&engine(22, 1 << 20), units - 1).iter().all(|&count| count > 1));
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
