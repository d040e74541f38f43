//! Workers: what a thread needs to count units, kept from one unit to the next.

use std::sync::{Arc, Mutex, PoisonError, Weak};

use super::join::{Join, Sides, Workspace};
use super::kernel::Loops;
use super::lists::{Batch, Half, Limits, Own, Quarter, Quarters, Slice};
use super::prepared::PreparedCore;
use super::theory::{Unit, Weights};
use crate::engine::rows::join::bitset::BLOCK;
use crate::engine::{Probe, Stop, Stopped};
use crate::random::Random;

/// A unit to be counted, and with what.
#[derive(Clone, Copy)]
pub struct Job<'a> {
    pub core: &'a PreparedCore,
    pub unit: &'a Unit,
    pub kernel: &'static dyn Loops,
    pub limits: Limits,
    pub stop: &'a Stop,
}

/// The memory of a thread.
#[derive(Default)]
pub struct Worker {
    /// The tier that it is prepared for.
    tier: usize,
    /// The quarter-boards of this tier; none if it has not been prepared yet.
    quarters: Option<Arc<Quarters>>,
    own: Own,
    tops: Half,
    bottoms: Half,
    workspace: Workspace,
}

impl Worker {
    /// Out of line, because the arrays in it want a large stack on the way to the heap, and every unit would pay for
    /// that.
    #[cold]
    #[inline(never)]
    fn new() -> Box<Self> {
        Box::default()
    }

    /// Counts a unit of the tier that it is prepared for.
    pub fn count(&mut self, job: Job) -> Result<u128, Stopped> {
        let mut total: u128 = 0;
        for bottom in Slice::all(job.limits.slices) {
            for top in Slice::all(job.limits.slices) {
                total += self.count_slices(job, [top, bottom])?;
            }
        }
        Ok(total)
    }

    /// Counts the pairs whose top and bottom are in these slices.
    fn count_slices(&mut self, job: Job, slices: [Slice; 2]) -> Result<u128, Stopped> {
        let Self { quarters, own, tops, bottoms, workspace, .. } = self;
        let quarters = quarters.as_ref().expect("prepared for a tier");
        let [top, bottom] = quarters.halves(job.unit, slices, own, job.stop)?;
        let [top_batches, bottom_batches] = [top, bottom].map(|half| batches(half, job.limits.batch));
        let mut total: u128 = 0;
        for bottom_batch in Batch::all(bottom_batches) {
            job.kernel.combine(bottoms, bottom, bottom_batch);
            for top_batch in Batch::all(top_batches) {
                job.stop.check()?;
                // A single batch of tops is made once.
                if bottom_batch.number == 0 || top_batches > 1 {
                    job.kernel.combine(tops, top, top_batch);
                }
                total += job.disjoint_pairs(tops, bottoms, workspace);
                job.stop.check()?;
            }
        }
        Ok(total)
    }

    /// Counts a random batch of tops against a random batch of bottoms, in random slices.
    pub fn probe(&mut self, job: Job, random: &mut Random) -> Result<Probe, Stopped> {
        let Self { quarters, own, tops, bottoms, workspace, .. } = self;
        let quarters = quarters.as_ref().expect("prepared for a tier");
        let rows = job.limits.slices;
        let slices = [(); 2].map(|()| Slice { rows, near: random.below(1 << rows) as u32 });
        let halves = quarters.halves(job.unit, slices, own, job.stop)?;
        let [top, bottom] = halves.map(|half| {
            let batches = batches(half, PROBED.min(job.limits.batch));
            Batch { number: random.below(batches.into()) as u32, batches }
        });
        job.stop.check()?;
        job.kernel.combine(tops, halves[0], top);
        job.kernel.combine(bottoms, halves[1], bottom);
        let count = job.disjoint_pairs(tops, bottoms, workspace);
        job.stop.check()?;
        let scale = f64::from(top.batches) * f64::from(bottom.batches) * 4f64.powi(rows as i32);
        Ok(Probe { count, scale })
    }
}

impl Job<'_> {
    /// The pairs of half-boards that share no diagonal, weighted.
    fn disjoint_pairs(&self, tops: &Half, bottoms: &Half, workspace: &mut Workspace) -> u128 {
        let PreparedCore { filing, joins: [down, up] } = self.core;
        let [tops_weights, bottoms_weights] = filing.core.weights.of_pairs(self.unit.images);
        let down = (down, Sides { tops, bottoms, weights: tops_weights });
        let up = (up, Sides { tops: bottoms, bottoms: tops, weights: bottoms_weights });
        let mut pairs = |(join, sides)| self.kernel.disjoint_pairs(join, sides, workspace, self.stop);
        if filing.core.weights == Weights::MainDiagonals {
            return pairs(down) + pairs(up);
        }
        // Either side may be made into blocks, and the cheaper one is.
        let price = |(_, sides): (&Join, Sides)| sides.bottoms.len().div_ceil(BLOCK) * (BLOCK_COST + sides.tops.len());
        pairs(if price(down) <= price(up) { down } else { up })
    }
}

/// In how many batches the half-boards of two quarters are made, so that each has about `size`.
fn batches([near, far]: [&Quarter; 2], size: u64) -> u32 {
    let expected = near.len() as f64 * far.len() as f64 / near.held.max(1) as f64 * SURVIVORS;
    (expected as u64).div_ceil(size).max(1) as u32
}

/// About the most half-boards of each side that a probe joins. That takes a second or two, so that finding the
/// quarter-boards, which is the same for a batch and for all, weighs little in the time of a probe.
const PROBED: u64 = 1 << 20;

/// About the share of the pairs of quarter-boards with complementary rows that share no diagonal: a guess, and only for
/// the size of batches.
const SURVIVORS: f64 = 0.2;

/// What a block costs beside its lookups, in lookups: transposing it and making its tables. A guess from the number of
/// vector operations, for the choice of the side that is made into blocks.
const BLOCK_COST: usize = 400;

/// The workers of a board, and what they share.
pub struct Workers {
    /// The quarter-boards of each tier, while a worker is prepared for it.
    quarters: Vec<Mutex<Weak<Quarters>>>,
    /// Those that no thread has at the moment.
    #[expect(clippy::vec_box, reason = "some hundred bytes that move with every unit")]
    idle: Mutex<Vec<Box<Worker>>>,
}

impl Workers {
    /// None yet, for this number of tiers.
    pub fn new(tiers: usize) -> Self {
        Self { quarters: (0..tiers).map(|_| Mutex::default()).collect(), idle: Mutex::default() }
    }

    /// An idle worker, if possible one that is prepared for the tier, or a new one.
    pub fn take(&self, tier: usize) -> Box<Worker> {
        let mut idle = self.idle.lock().unwrap_or_else(PoisonError::into_inner);
        let place = idle.iter().rposition(|worker| worker.tier == tier).or(idle.len().checked_sub(1));
        place.map(|place| idle.swap_remove(place)).unwrap_or_else(Worker::new)
    }

    /// Prepares a worker for units of a tier of the core.
    pub fn prepare(&self, worker: &mut Worker, tier: usize, core: &PreparedCore, keeps: bool) {
        if worker.quarters.is_some() && worker.tier == tier {
            return;
        }
        let mut shared = self.quarters[tier].lock().unwrap_or_else(PoisonError::into_inner);
        let quarters = shared.upgrade().unwrap_or_else(|| Arc::new(Quarters::new(&core.filing, keeps)));
        *shared = Arc::downgrade(&quarters);
        drop(shared);
        worker.own.forget();
        (worker.tier, worker.quarters) = (tier, Some(quarters));
    }

    /// Leaves a worker to the next thread.
    pub fn leave(&self, worker: Box<Worker>) {
        self.idle.lock().unwrap_or_else(PoisonError::into_inner).push(worker);
    }
}

#[cfg(test)]
mod tests {
    use super::super::Meet;
    use super::*;
    use crate::BoardSize;
    use crate::Kernel;
    use crate::engine::Engine;

    fn engine(n: u32, memory: u64) -> Meet {
        Meet::new(BoardSize::new(n).unwrap(), Kernel::default(), memory)
    }

    /// The numbers of batches of the halves of a unit, in the first slices.
    fn batches_of(engine: &Meet, unit: u64) -> [u32; 2] {
        let (_, core, unit) = engine.unit(unit);
        let quarters = Quarters::new(&core.filing, engine.limits.keeps);
        let mut own = Own::default();
        let halves = quarters.halves(&unit, [Slice::default(); 2], &mut own, &Stop::new());
        halves.unwrap().map(|half| batches(half, engine.limits.batch))
    }

    /// Holds an engine against one that does all at once, in some units.
    fn check(engine: &Meet, all_at_once: &Meet) {
        for unit in (0..engine.units()).step_by((engine.units() / 20).max(1) as usize) {
            let [count, expected] = [engine, all_at_once].map(|engine| engine.count(unit, &Stop::new()));
            assert_eq!(count, expected, "N = {}, unit {unit}, in {} slices", engine.size, 1 << engine.limits.slices);
        }
    }

    #[test]
    fn batches_and_slices_change_no_count() {
        for n in [13, 16, 17] {
            let whole = engine(n, Meet::MEMORY);
            for (batch, slices) in [(1, 0), (3, 1), (100, 0), (u64::MAX, 2), (u64::MAX, 3)] {
                let limits = Limits { keeps: slices == 0, slices, batch };
                let parted = Meet { limits, ..engine(n, Meet::MEMORY) };
                check(&parted, &whole);
                let several = |unit| batches_of(&parted, unit).iter().all(|&batches| batches > 1);
                assert!(batch > 1 || (0..parted.units()).any(several), "N = {n}: no unit had batches");
            }
        }
    }

    #[test]
    fn a_thread_takes_no_quarter_boards_along_to_another_core() {
        for n in [9, 11] {
            let limits = Limits { keeps: false, slices: 0, batch: u64::MAX };
            let (whole, own) = (engine(n, Meet::MEMORY), Meet { limits, ..engine(n, Meet::MEMORY) });
            let units = |core: usize| whole.cores[core].filing.core.tiers().iter().sum::<u64>();
            let starts: Vec<u64> = (0..whole.cores.len()).map(|core| (0..core).map(units).sum()).collect();
            // Units of the same number have the same columns in many cores.
            for number in 0..units(1) {
                for (core, start) in starts.iter().enumerate() {
                    if number < units(core) {
                        let [count, expected] = [&own, &whole].map(|engine| engine.count(start + number, &Stop::new()));
                        assert_eq!(count, expected, "N = {n}, unit {number} of core {core}");
                    }
                }
            }
        }
    }

    #[test]
    fn probes_of_batches_and_slices_are_expected_to_give_the_count() {
        let whole = engine(13, Meet::MEMORY);
        let counted = |unit| whole.count(unit, &Stop::new()).unwrap();
        for slices in [0, 1] {
            let limits = Limits { keeps: false, slices, batch: 3 };
            let parted = Meet { limits, ..engine(13, Meet::MEMORY) };
            // Not all units have solutions, and not all halves come in batches.
            let several = |unit| batches_of(&parted, unit).iter().all(|&batches| batches > 1);
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
    fn little_memory_means_batches_and_slices() {
        let units = engine(22, 0).units();
        let (much, little) = (engine(22, Meet::MEMORY), engine(22, 8 << 20));
        assert_eq!((batches_of(&much, units - 1), much.limits.slices), ([1, 1], 0));
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
}
