//! Workers: what a thread needs to count units, kept from one unit to the next.

mod probe;

use super::core_lists::{CoreLists, Shared};
use super::gpu::Feeder;
use super::join::Workspace;
use super::lists::quarter::QuarterBoards;
use super::theory::core::{Core, Images};
use super::theory::numbering::CoreTile;
use super::theory::tiling::ColumnSet;
use crate::stop::Stopped;

/// A worker: lists for cores whose diagonals fit into narrow words, and others for those whose do not.
pub struct Worker {
    core: Option<Prepared>,
    narrow: CoreLists<u32>,
    wide: CoreLists<u64>,
    pub workspace: Workspace,
    /// What has a device count whole units.
    feeder: Option<Feeder>,
}

/// The core that a worker is prepared for.
struct Prepared {
    number: u64,
    /// None if no solution is counted for it.
    core: Option<Core>,
    /// Whether its diagonals fit into narrow words.
    is_narrow: bool,
}

impl Worker {
    /// A worker for quarters of `half` rows that keeps about so many bytes of quarter-boards. With a feeder whole units
    /// are counted on its device.
    pub fn new(half: u32, bytes: usize, feeder: Option<Feeder>) -> Self {
        let (narrow, wide) = (CoreLists::new(half, bytes), CoreLists::new(half, bytes));
        Self { core: None, narrow, wide, workspace: Workspace::default(), feeder }
    }

    /// The number of solutions that belong to a unit, and whether its thread has left them to a device.
    pub fn count(&mut self, shared: Shared, unit: CoreTile) -> Result<(u128, bool), Stopped> {
        let Some(images) = self.prepare(shared, unit)? else { return Ok((0, self.feeder.is_some())) };
        if let Some(count) = self.count_on_device(shared, unit, images)? {
            return Ok((count, true));
        }
        let sets = shared.numbering.tiling(images).column_sets(unit.tile);
        let count: Result<u128, Stopped> = sets.map(|set| self.count_set(shared, set)).sum();
        Ok((count?, false))
    }

    /// The number of solutions that belong to a column set beside the core of a unit.
    pub fn count_part(&mut self, shared: Shared, unit: CoreTile, set: ColumnSet) -> Result<u128, Stopped> {
        self.prepare(shared, unit)?;
        self.count_set(shared, set)
    }

    /// The number of solutions that belong to a unit whose core the worker is prepared for, if it has a device that can
    /// count it. A device that has failed is left.
    fn count_on_device(&mut self, shared: Shared, unit: CoreTile, images: Images) -> Result<Option<u128>, Stopped> {
        let Self { core: Some(Prepared { core: Some(core), .. }), wide, feeder: Some(feeder), .. } = self else {
            return Ok(None);
        };
        let sets: Vec<_> = shared.numbering.tiling(images).column_sets(unit.tile).collect();
        let find = |quarter: usize, columns: u32, found: &mut dyn FnMut(&QuarterBoards<u64>)| {
            wide.find(shared, core, quarter, columns)?;
            found(wide.quarters.get(quarter, columns));
            Ok(())
        };
        let count = feeder.count(&sets, |set| set.quarters(core.half), core.weights, find, shared.stop)?;
        if feeder.has_failed() {
            (self.feeder, self.core) = (None, None);
            // In words of the CPU's width.
            self.prepare(shared, unit)?;
        }
        Ok(count)
    }

    /// The number of solutions that a column set stands for, beside the core that the worker is prepared for.
    fn count_set(&mut self, shared: Shared, set: ColumnSet) -> Result<u128, Stopped> {
        let Self { core: Some(Prepared { core: Some(core), is_narrow, .. }), narrow, wide, workspace, .. } = self
        else {
            return Ok(0);
        };
        match is_narrow {
            true => narrow.count(shared, core, set, workspace),
            false => wide.count(shared, core, set, workspace),
        }
    }

    /// Makes ready for the core of a unit. The images of its column sets, or `None` if no solution is counted for it.
    fn prepare(&mut self, shared: Shared, unit: CoreTile) -> Result<Option<Images>, Stopped> {
        // Asked of units without a solution, too: a large board begins with billions of them.
        shared.stop.check()?;
        if !self.is_prepared(unit) {
            self.core = Some(self.prepared(shared, unit));
        }
        let core = self.core.as_ref().and_then(|prepared| prepared.core.as_ref());
        Ok(core.map(|core| core.symmetry.images))
    }

    /// Whether it is ready for the core of a unit.
    pub fn is_prepared(&self, unit: CoreTile) -> bool {
        self.core.as_ref().is_some_and(|prepared| prepared.number == unit.core)
    }

    fn prepared(&mut self, shared: Shared, unit: CoreTile) -> Prepared {
        let core = shared.numbering.core(unit.core);
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
