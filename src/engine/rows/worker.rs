//! A worker holds the data that a thread needs to count units. This module also estimates how much
//! memory workers use.

#![deny(
    clippy::cast_possible_truncation,
    clippy::cast_precision_loss,
    clippy::cast_sign_loss,
    reason = "counts are exact"
)]

mod probe;

use super::core_lists::{Context, CoreLists};
use super::gpu::Feeder;
use super::join::Workspace;
use super::lists::quarter::{longest_list, quarter_boards};
use super::theory::core::Core;
use super::theory::numbering::CoreTile;
use super::theory::subsets::binomial;
use super::theory::tiling::ColumnSet;
use crate::cancel::EngineError;

/// The state of a thread that counts units. Lists have narrow words if 32 bits suffice for a core's
/// diagonals.
pub(super) struct Worker {
    core: Option<Prepared>,
    narrow: CoreLists<u32>,
    wide: CoreLists<u64>,
    pub workspace: Workspace,
    /// The feeder, if any, counts whole units on a device.
    feeder: Option<Feeder>,
}

struct Prepared {
    number: u64,
    /// `None` if no solutions with this core are counted.
    core: Option<Core>,
    is_narrow: bool,
}

impl Worker {
    /// Creates a worker for quarters of `half` rows. About half of its `memory`, in bytes, is for
    /// quarter-boards.
    #[expect(clippy::cast_possible_truncation, reason = "bytes of this machine")]
    pub(super) fn new(half: u32, memory: u64, feeder: Option<Feeder>) -> Self {
        let bytes = memory as usize / 2;
        Self {
            core: None,
            narrow: CoreLists::new(half, bytes),
            wide: CoreLists::new(half, bytes),
            workspace: Workspace::default(),
            feeder,
        }
    }

    /// Counts the solutions of a unit, and returns whether a device counted them.
    pub(super) fn count(
        &mut self,
        context: Context,
        unit: CoreTile,
    ) -> Result<(u128, bool), EngineError> {
        let sets = self.prepare(context, unit)?;
        if sets.is_empty() {
            return Ok((0, self.feeder.is_some()));
        }
        if let Some(count) = self.count_on_device(context, &sets)? {
            return Ok((count, true));
        }
        let counts = sets.into_iter().map(|set| self.count_set(context, set));
        Ok((counts.sum::<Result<u128, EngineError>>()?, false))
    }

    pub(super) fn count_part(
        &mut self,
        context: Context,
        unit: CoreTile,
        set: ColumnSet,
    ) -> Result<u128, EngineError> {
        self.prepare(context, unit)?;
        self.count_set(context, set)
    }

    /// Counts the column sets of a unit on the worker's device, or returns `None` if that is not
    /// possible. The worker must be prepared for the unit's core. After a failure, it never uses
    /// the device again.
    fn count_on_device(
        &mut self,
        context: Context,
        sets: &[ColumnSet],
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
        let count = feeder.count(context, core, sets, wide)?;
        if feeder.has_failed() {
            self.feeder = None;
        }
        Ok(count)
    }

    fn count_set(&mut self, context: Context, set: ColumnSet) -> Result<u128, EngineError> {
        let Some(Prepared {
            core: Some(core),
            is_narrow,
            ..
        }) = &self.core
        else {
            return Ok(0);
        };
        if *is_narrow {
            self.narrow.count(context, core, set, &mut self.workspace)
        } else {
            self.wide.count(context, core, set, &mut self.workspace)
        }
    }

    /// Prepares the worker for the core of a unit. Returns the unit's column sets: none if no
    /// solutions with this core are counted.
    fn prepare(&mut self, context: Context, unit: CoreTile) -> Result<Vec<ColumnSet>, EngineError> {
        // A large board starts with billions of units without solutions, so check for cancellation
        // before each unit.
        context.stop.check()?;
        if !self.is_prepared(unit) {
            let core = context.numbering.core(unit.core);
            // Devices need wide words.
            let is_narrow = self.feeder.is_none()
                && core
                    .as_ref()
                    .is_some_and(|core| core.relevant().count_ones() <= u32::BITS);
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
        let Some(Prepared {
            core: Some(core), ..
        }) = &self.core
        else {
            return Ok(vec![]);
        };
        let tiling = context.numbering.tiling(core.symmetry.images);
        Ok(tiling.column_sets(unit.tile).collect())
    }

    pub(super) fn is_prepared(&self, unit: CoreTile) -> bool {
        self.core
            .as_ref()
            .is_some_and(|prepared| prepared.number == unit.core)
    }
}

const BYTES_PER_QUARTER_BOARD: u64 = 8;

/// The size of the cache slots for one set of columns: 80 bytes for each quarter and each width of
/// words.
const BYTES_PER_SLOT: u64 = 2 * 4 * 80;

/// 8 bytes for the word and 10 for the sorted form, both doubled because vectors double their
/// capacity when they grow.
const BYTES_PER_HALF_BOARD: usize = 36;

/// Returns the maximum length at which two lists of half-boards both fit into the rest of a
/// thread's memory.
#[expect(clippy::cast_possible_truncation, reason = "bytes of this machine")]
pub(super) fn most_half_boards(memory: u64) -> usize {
    (memory as usize / 2 / 2 / BYTES_PER_HALF_BOARD).max(1 << 16)
}

/// Estimates the bytes that `threads` threads use in total, if quarters have `half` rows and each
/// thread may use `memory` bytes.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_precision_loss,
    clippy::cast_sign_loss,
    reason = "an estimate of memory"
)]
pub(super) fn expected_memory(half: u32, memory: u64, threads: usize) -> u64 {
    // The cache holds all quarter-boards of a core, or as many as fit, but at least four lists.
    let all = 4 * quarter_boards(half) * BYTES_PER_QUARTER_BOARD + 32 * binomial(2 * half, half);
    let four = 4 * (longest_list(half) * BYTES_PER_QUARTER_BOARD + 8 * binomial(half, half / 2));
    let kept = all.min((memory / 2).max(four)) + (1 << half) * BYTES_PER_SLOT;
    let found = longest_list(half) * (16 + BYTES_PER_QUARTER_BOARD);
    // Not all pairs of quarter-boards on complementary row sets form half-boards.
    let mean = quarter_boards(half) as f64 / f64::from(1 << half);
    let list = (mean * mean / f64::from(1 << half) * 4.0).min(most_half_boards(memory) as f64);
    let lists = 2 * list as u64 * BYTES_PER_HALF_BOARD as u64;
    (4 << half) + threads as u64 * (kept + found + lists + (1 << 20))
}
