//! Workers: what a thread needs to count units, kept from one unit to the next; and how much memory
//! that takes.

mod probe;

use super::core_lists::{Context, CoreLists};
use super::gpu::Feeder;
use super::join::Workspace;
use super::lists::quarter::{QuarterBoards, longest_list, quarter_boards};
use super::theory::core::{Core, Images};
use super::theory::numbering::CoreTile;
use super::theory::subsets::binomial;
use super::theory::tiling::ColumnSet;
use crate::cancel::EngineError;

/// A worker: lists for cores whose diagonals fit into narrow words, and others for those whose do
/// not.
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
    /// A worker for quarters of `half` rows that keeps about so many bytes of quarter-boards. With
    /// a feeder whole units are counted on its device.
    pub fn new(half: u32, bytes: usize, feeder: Option<Feeder>) -> Self {
        let (narrow, wide) = (CoreLists::new(half, bytes), CoreLists::new(half, bytes));
        Self {
            core: None,
            narrow,
            wide,
            workspace: Workspace::default(),
            feeder,
        }
    }

    /// The number of solutions that belong to a unit, and whether a device has counted them.
    pub fn count(&mut self, context: Context, unit: CoreTile) -> Result<(u128, bool), EngineError> {
        let Some(images) = self.prepare(context, unit)? else {
            return Ok((0, self.feeder.is_some()));
        };
        if let Some(count) = self.count_on_device(context, unit, images)? {
            return Ok((count, true));
        }
        let sets = context.numbering.tiling(images).column_sets(unit.tile);
        let count: Result<u128, EngineError> = sets.map(|set| self.count_set(context, set)).sum();
        Ok((count?, false))
    }

    /// The number of solutions that belong to a column set beside the core of a unit.
    pub fn count_part(
        &mut self,
        context: Context,
        unit: CoreTile,
        set: ColumnSet,
    ) -> Result<u128, EngineError> {
        self.prepare(context, unit)?;
        self.count_set(context, set)
    }

    /// The number of solutions that belong to a unit whose core the worker is prepared for, if it
    /// has a device that can count it. A device that has failed is not used again.
    fn count_on_device(
        &mut self,
        context: Context,
        unit: CoreTile,
        images: Images,
    ) -> Result<Option<u128>, EngineError> {
        let Self {
            core: Some(Prepared {
                core: Some(core), ..
            }),
            wide,
            feeder: Some(feeder),
            ..
        } = self
        else {
            return Ok(None);
        };
        let sets: Vec<_> = context
            .numbering
            .tiling(images)
            .column_sets(unit.tile)
            .collect();
        let find = |quarter: usize, columns: u32, found: &mut dyn FnMut(&QuarterBoards<u64>)| {
            wide.find(context, core, quarter, columns)?;
            found(wide.quarters.get(quarter, columns));
            Ok(())
        };
        let count = feeder.count(&sets, core.half, core.weights, find, context.stop)?;
        if feeder.has_failed() {
            (self.feeder, self.core) = (None, None);
            // In words as wide as the CPU needs them.
            self.prepare(context, unit)?;
        }
        Ok(count)
    }

    /// The number of solutions that a column set stands for, beside the core that the worker is
    /// prepared for.
    fn count_set(&mut self, context: Context, set: ColumnSet) -> Result<u128, EngineError> {
        let Self {
            core:
                Some(Prepared {
                    core: Some(core),
                    is_narrow,
                    ..
                }),
            narrow,
            wide,
            workspace,
            ..
        } = self
        else {
            return Ok(0);
        };
        match is_narrow {
            true => narrow.count(context, core, set, workspace),
            false => wide.count(context, core, set, workspace),
        }
    }

    /// Prepares for the core of a unit. The images of its column sets, or `None` if no solution is
    /// counted for it.
    fn prepare(&mut self, context: Context, unit: CoreTile) -> Result<Option<Images>, EngineError> {
        // Checked for units without a solution, too: a large board begins with billions of them.
        context.stop.check()?;
        if !self.is_prepared(unit) {
            let core = context.numbering.core(unit.core);
            let fits = |core: &Core| core.relevant().count_ones() <= u32::BITS;
            // Devices take wide words.
            let is_narrow = self.feeder.is_none() && core.as_ref().is_some_and(fits);
            match &core {
                Some(core) if is_narrow => self.narrow.prepare(core),
                Some(core) => self.wide.prepare(core),
                None => {}
            }
            self.core = Some(Prepared {
                number: unit.core,
                core,
                is_narrow,
            });
        }
        let core = self
            .core
            .as_ref()
            .and_then(|prepared| prepared.core.as_ref());
        Ok(core.map(|core| core.symmetry.images))
    }

    /// Whether it is prepared for the core of a unit.
    pub fn is_prepared(&self, unit: CoreTile) -> bool {
        self.core
            .as_ref()
            .is_some_and(|prepared| prepared.number == unit.core)
    }
}

/// The bytes that a quarter-board takes: its word.
const BYTES_PER_QUARTER_BOARD: u64 = 8;

/// The bytes of the places that four quarters have in a store for each set of columns, in words of
/// both widths.
const BYTES_PER_SLOT: u64 = 2 * 4 * 80;

/// The bytes that a half-board of a list takes: eight as a word, ten sorted, and that twice,
/// because vectors grow by doubling.
const BYTES_PER_HALF_BOARD: usize = 36;

/// Of the bytes that a thread may take, those that are for quarter-boards.
pub fn for_quarter_boards(memory: u64) -> usize {
    memory as usize / 2
}

/// The most half-boards of a top, and of a bottom, that a thread makes at a time in what is left.
pub fn most_half_boards(memory: u64) -> usize {
    (memory as usize / 2 / 2 / BYTES_PER_HALF_BOARD).max(1 << 16)
}

/// About the bytes that so many threads take together, each of which may have `memory`, with
/// quarters of `half` rows.
pub fn expected_memory(half: u32, memory: u64, threads: usize) -> u64 {
    // All quarter-boards of a core, or as many as are kept, but never less than four lists; and one
    // that is being found.
    let all = 4 * quarter_boards(half) * BYTES_PER_QUARTER_BOARD + 32 * binomial(2 * half, half);
    let four = 4 * (longest_list(half) * BYTES_PER_QUARTER_BOARD + 8 * binomial(half, half / 2));
    let kept = all.min((memory / 2).max(four)) + (1 << half) * BYTES_PER_SLOT;
    let found = longest_list(half) * (16 + BYTES_PER_QUARTER_BOARD);
    // A fraction of the pairs of quarter-boards on complementary row sets are half-boards, made
    // some at a time.
    let mean = quarter_boards(half) as f64 / f64::from(1 << half);
    let list = (mean * mean / f64::from(1 << half) * 4.0).min(most_half_boards(memory) as f64);
    let lists = 2 * list as u64 * BYTES_PER_HALF_BOARD as u64;
    (4 << half) + threads as u64 * (kept + found + lists + (1 << 20))
}
