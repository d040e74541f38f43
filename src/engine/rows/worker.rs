//! Workers: what a thread needs to count units, kept from one unit to the next.

use std::collections::BTreeMap;

use super::gpu::{Feeder, Refusal};
use super::join::{Halves, Workspace, disjoint_pairs};
use super::kernel::Kernel;
use super::lists::half::{Combine, HalfBoards, parts};
use super::lists::places::Places;
use super::lists::quarter::{Finder, QuarterBoards};
use super::lists::store::Store;
use super::lists::word::Word;
use super::meter::{Meter, Step};
use super::theory::core::{Core, Images, Quarter};
use super::theory::numbering::{CoreTile, Numbering};
use super::theory::tiling::ColumnSet;
use crate::engine::Probe;
use crate::random::Random;
use crate::stop::{Stop, Stopped};

/// What all workers of an engine share.
#[derive(Clone, Copy)]
pub struct Job<'a> {
    pub numbering: &'a Numbering,
    /// The numbers of row sets, by mask.
    pub row_sets: &'a [u32],
    pub kernel: Kernel,
    /// The most half-boards of each side that are made at a time.
    pub most: usize,
    pub stop: &'a Stop,
}

/// A worker: one bench for cores whose diagonals fit into narrow words, one for the others.
pub struct Worker {
    core: Option<Prepared>,
    narrow: CoreLists<u32>,
    wide: CoreLists<u64>,
    workspace: Workspace,
    /// What has a device count whole units.
    feeder: Option<Feeder>,
}

impl Worker {
    /// A worker for quarters of `half` rows that keeps about so many bytes of quarter-boards. With a feeder whole units
    /// are counted on its device.
    pub fn new(half: u32, bytes: usize, feeder: Option<Feeder>) -> Self {
        let (narrow, wide) = (CoreLists::new(half, bytes), CoreLists::new(half, bytes));
        Self { core: None, narrow, wide, workspace: Workspace::default(), feeder }
    }

    /// The number of solutions that belong to a unit, and whether its thread has left them to a device.
    pub fn count(&mut self, job: Job, unit: CoreTile) -> Result<(u128, bool), Stopped> {
        let Some(images) = self.prepare(job, unit)? else { return Ok((0, self.feeder.is_some())) };
        if let Some(count) = self.count_on_device(job, unit, images)? {
            return Ok((count, true));
        }
        let count: Result<u128, Stopped> =
            job.numbering.tiling(images).column_sets(unit.tile).map(|set| self.count_set(job, set)).sum();
        Ok((count?, false))
    }

    /// The number of solutions that belong to a part of a unit.
    pub fn count_part(&mut self, job: Job, unit: CoreTile, part: u64) -> Result<u128, Stopped> {
        let Some(images) = self.prepare(job, unit)? else { return Ok(0) };
        self.count_set(job, job.numbering.tiling(images).column_set(unit.tile, part))
    }

    /// The count of a whole unit by the device, if there is one and it can count it; otherwise that of a random column
    /// set, which stands for all of them.
    pub fn probe_on_device(&mut self, job: Job, unit: CoreTile, random: &mut Random) -> Result<Probe, Stopped> {
        if let Some(images) = self.prepare(job, unit)? {
            self.forget_on_average(job, unit, images, random);
            if let Some(count) = self.count_on_device(job, unit, images)? {
                return Ok(Probe { count, scale: 1.0 });
            }
        }
        self.probe(job, unit, random)
    }

    /// Forgets each quarter-board of a unit, all of which are at hand if the unit has been counted just before, with the
    /// chance that a count would have to find it for this unit: others share it.
    fn forget_on_average(&mut self, job: Job, unit: CoreTile, images: Images, random: &mut Random) {
        // By quarter and columns: how many column sets of this unit need it, and how many in a count share it.
        let mut needed: BTreeMap<(usize, u32), (u64, u64)> = BTreeMap::new();
        for set in job.numbering.tiling(images).column_sets(unit.tile) {
            for (quarter, columns) in columns(job, set).into_iter().enumerate() {
                let sharing = || (0, self.sharing(job, images, set)[quarter]);
                needed.entry((quarter, columns)).or_insert_with(sharing).0 += 1;
            }
        }
        for ((quarter, columns), (here, everywhere)) in needed {
            if random.below(everywhere) < here {
                self.wide.quarters.forget(quarter, columns);
            }
        }
    }

    /// The count of a random column set of a unit, which stands for all of them.
    pub fn probe(&mut self, job: Job, unit: CoreTile, random: &mut Random) -> Result<Probe, Stopped> {
        let Some(images) = self.prepare(job, unit)? else { return Ok(Probe { count: 0, scale: 1.0 }) };
        let parts = job.numbering.tiling(images).sets(unit.tile);
        let set = job.numbering.tiling(images).column_set(unit.tile, random.below(parts));
        // A count finds a quarter-board once for all column sets that share it while it is kept. A probe that follows
        // another of its unit finds its own at hand; so it finds each anew with the chance that this set would have to.
        let sharing = self.sharing(job, images, set);
        let anew = sharing.map(|sets| random.below(sets) == 0);
        self.narrow.forget(job, set, anew);
        self.wide.forget(job, set, anew);
        Ok(Probe { count: self.count_set(job, set)?, scale: parts as f64 })
    }

    /// How many column sets share each quarter-board of this one in a count, in the order of [`Quarter::ALL`].
    fn sharing(&self, job: Job, images: Images, set: ColumnSet) -> [u64; 4] {
        let [a, d] = job.numbering.tiling(images).alike(set);
        // Tiles follow each other along d. Thus the quarter-boards of `a` are used up before the next come. Those of `d`
        // come back with the next row of tiles, when they may have had to make room.
        let keeps = match self.core {
            Some(Prepared { is_narrow: true, .. }) => self.narrow.quarters.keeps_a_tier(),
            _ => self.wide.quarters.keeps_a_tier(),
        };
        let d = if keeps { d } else { d.min(job.numbering.tile_side.into()) };
        [a, d, a, d]
    }

    /// Begins to measure.
    pub fn start_meter(&mut self) {
        self.workspace.meter = Meter::started();
    }

    /// Ends to measure: what has been done since.
    pub fn take_meter(&mut self) -> Meter {
        std::mem::take(&mut self.workspace.meter)
    }

    /// The number of solutions that belong to a unit whose core the worker is prepared for, if it has a device that can
    /// count it. A device that has failed is left.
    fn count_on_device(&mut self, job: Job, unit: CoreTile, images: Images) -> Result<Option<u128>, Stopped> {
        if self.feeder.is_none() {
            return Ok(None);
        }
        let sets: Vec<_> = job.numbering.tiling(images).column_sets(unit.tile).collect();
        match self.feed(job, &sets) {
            Ok(count) => Ok(Some(count)),
            Err(Refusal::Stopped(stopped)) => Err(stopped),
            Err(Refusal::TooLarge) => Ok(None),
            Err(Refusal::Failed(_)) => {
                (self.feeder, self.core) = (None, None);
                // In words of the CPU's width.
                self.prepare(job, unit)?;
                Ok(None)
            }
        }
    }

    /// The number of solutions that some column sets stand for, beside the core that the worker is prepared for.
    fn feed(&mut self, job: Job, sets: &[ColumnSet]) -> Result<u128, Refusal> {
        let Self { core: Some(Prepared { core: Some(core), .. }), wide, feeder: Some(feeder), .. } = self else {
            // Without a feeder the thread counts.
            return Err(Refusal::TooLarge);
        };
        let find = |quarter: usize, columns: u32, found: &mut dyn FnMut(&QuarterBoards<u64>)| {
            wide.find(job, core, quarter, columns)?;
            found(wide.quarters.get(quarter, columns));
            Ok(())
        };
        feeder.count(sets, |set| columns(job, set), core.weights, find, job.stop)
    }

    /// The number of solutions that a column set stands for, beside the core that the worker is prepared for.
    fn count_set(&mut self, job: Job, set: ColumnSet) -> Result<u128, Stopped> {
        let Self { core: Some(Prepared { core: Some(core), is_narrow, .. }), narrow, wide, workspace, .. } = self
        else {
            return Ok(0);
        };
        match is_narrow {
            true => narrow.count(job, core, set, workspace),
            false => wide.count(job, core, set, workspace),
        }
    }

    /// Makes ready for the core of a unit. The images of its column sets, or `None` if no solution is counted for it.
    fn prepare(&mut self, job: Job, unit: CoreTile) -> Result<Option<Images>, Stopped> {
        // Asked of units without a solution, too: a large board begins with billions of them.
        job.stop.check()?;
        if !self.is_prepared(unit) {
            self.core = Some(self.prepared(job, unit));
        }
        let core = self.core.as_ref().and_then(|prepared| prepared.core.as_ref());
        Ok(core.map(|core| core.symmetry.images))
    }

    /// Whether it is ready for the core of a unit.
    pub fn is_prepared(&self, unit: CoreTile) -> bool {
        self.core.as_ref().is_some_and(|prepared| prepared.number == unit.core)
    }

    fn prepared(&mut self, job: Job, unit: CoreTile) -> Prepared {
        let core = job.numbering.core(unit.core);
        // Devices take wide words.
        let is_narrow =
            self.feeder.is_none() && core.as_ref().is_some_and(|core| core.relevant().count_ones() <= u32::BITS);
        match &core {
            Some(core) if is_narrow => self.narrow.prepare(core),
            Some(core) => self.wide.prepare(core),
            None => {}
        }
        Prepared { number: unit.core, core, is_narrow }
    }
}

/// The core that a worker is prepared for.
struct Prepared {
    number: u64,
    /// None if no solution is counted for it.
    core: Option<Core>,
    /// Whether its diagonals fit into narrow words.
    is_narrow: bool,
}

/// The columns of the four quarters of a column set, in the order of [`Quarter::ALL`].
fn columns(job: Job, set: ColumnSet) -> [u32; 4] {
    let all = (1 << job.numbering.half) - 1;
    [set.a, all ^ set.d, all ^ set.a, set.d]
}

/// The lists of a core, in words of one width.
struct CoreLists<W> {
    places: Places,
    quarters: Store<W>,
    finder: Finder<W>,
    tops: HalfBoards<W>,
    bottoms: HalfBoards<W>,
}

impl<W: Word> CoreLists<W> {
    fn new(half: u32, bytes: usize) -> Self {
        Self {
            places: Places::default(),
            quarters: Store::new(half, bytes),
            finder: Finder::default(),
            tops: HalfBoards::default(),
            bottoms: HalfBoards::default(),
        }
    }

    fn prepare(&mut self, core: &Core) {
        self.places = Places::new::<W>(core.relevant());
        self.quarters.clear();
    }

    /// Forgets some of the quarter-boards of a column set.
    fn forget(&mut self, job: Job, set: ColumnSet, which: [bool; 4]) {
        for (quarter, columns) in columns(job, set).into_iter().enumerate().filter(|(quarter, _)| which[*quarter]) {
            self.quarters.forget(quarter, columns);
        }
    }

    /// Sees to it that a quarter-board is at hand. Whether it had to be found.
    fn find(&mut self, job: Job, core: &Core, quarter: usize, columns: u32) -> Result<bool, Stopped> {
        let anew = !self.quarters.touch(quarter, columns);
        if anew {
            let found = self.finder.find(core, &self.places, job.row_sets, Quarter::ALL[quarter], columns, job.stop);
            job.stop.check()?;
            self.quarters.keep(quarter, columns, found);
        }
        Ok(anew)
    }

    /// The number of solutions that a column set stands for.
    fn count(&mut self, job: Job, core: &Core, set: ColumnSet, workspace: &mut Workspace) -> Result<u128, Stopped> {
        job.stop.check()?;
        let columns = columns(job, set);
        for (quarter, columns) in columns.into_iter().enumerate() {
            let found = self.find(job, core, quarter, columns)?;
            workspace.meter.quarter_lists += u64::from(found);
        }
        workspace.meter.end(Step::Find);
        let quarter = |quarter: usize| self.quarters.get(quarter, columns[quarter]);
        let (top, bottom) = ([quarter(0), quarter(1)], [quarter(2), quarter(3)]);
        let (top_parts, bottom_parts) = (parts(top, job.most), parts(bottom, job.most));
        let mut total = 0;
        for (part, row_sets) in bottom_parts.into_iter().enumerate() {
            job.kernel.run(Combine { half_boards: &mut self.bottoms, quarters: bottom, row_sets });
            workspace.meter.half_boards += self.bottoms.len() as u64;
            for row_sets in &top_parts {
                job.stop.check()?;
                // A single part of tops is made once.
                if part == 0 || top_parts.len() > 1 {
                    job.kernel.run(Combine { half_boards: &mut self.tops, quarters: top, row_sets: row_sets.clone() });
                    workspace.meter.half_boards += self.tops.len() as u64;
                }
                workspace.meter.end(Step::Combine);
                let (tops, bottoms) = (&self.tops, &self.bottoms);
                let halves = Halves { tops, bottoms, weights: core.weights };
                total += disjoint_pairs(job.kernel, halves, workspace, job.stop);
                job.stop.check()?;
            }
        }
        Ok(u128::from(set.images) * total)
    }
}

#[cfg(test)]
mod tests {
    use super::super::lists::quarter::row_set_numbers;
    use super::super::lists::sizes::quarter_boards;
    use super::*;

    /// The quarter-boards that one worker finds for a whole board, and those that probes of all units are expected to
    /// find.
    fn found(n: u32, middle_rows: u32, bytes: usize) -> (f64, f64) {
        let numbering = Numbering::new(n, middle_rows, 4);
        let (row_sets, stop) = (row_set_numbers(numbering.half), Stop::new());
        let kernel = Kernel::default();
        let job = Job { numbering: &numbering, row_sets: &row_sets, kernel, most: usize::MAX, stop: &stop };
        let units = || (0..numbering.units()).map(|unit| numbering.unit(unit));
        let mut worker = Worker::new(numbering.half, bytes, None);
        worker.start_meter();
        let total: u128 = units().map(|unit| worker.count(job, unit).unwrap().0).sum();
        assert_eq!(Some(total), crate::known::published(n));
        let counted = worker.take_meter().quarter_lists as f64;
        let (mut probed, mut random) = (0.0, Random::new(1));
        for unit in units() {
            for _ in 0..24 {
                // The first finds what is not at hand, the second what a count would find.
                worker.probe(job, unit, &mut random.clone()).unwrap();
                worker.start_meter();
                let scale = worker.probe(job, unit, &mut random).unwrap().scale;
                probed += scale * worker.take_meter().quarter_lists as f64 / 24.0;
            }
        }
        (counted, probed)
    }

    #[test]
    fn probes_find_as_many_quarter_lists_as_a_count() {
        // Little memory has room for the quarter-boards of a row of tiles, but not for those of a tier.
        for (n, middle_rows, share) in
            [(12, 0, 1), (13, 1, 1), (12, 2, 1), (12, 0, 8), (13, 1, 8), (15, 1, 4), (15, 1, 24)]
        {
            let bytes = 4 * 8 * quarter_boards((n - middle_rows) / 2) as usize / share;
            let (counted, probed) = found(n, middle_rows, bytes);
            let error = probed / counted - 1.0;
            assert!(error.abs() < 0.1, "N = {n}, {middle_rows} middle rows, {bytes} bytes: {probed} for {counted}");
        }
    }
}
