//! Counts the solutions of a core's column sets: finds quarter-boards, combines them and joins the
//! half-boards.

#![deny(
    clippy::cast_possible_truncation,
    clippy::cast_precision_loss,
    clippy::cast_sign_loss,
    reason = "counts are exact"
)]

use super::join::{Lists, Workspace, disjoint_pairs};
use super::kernel::Kernel;
use super::lists::cache::Cache;
use super::lists::half::{Combine, HalfBoards, row_set_ranges};
use super::lists::quarter::{Finder, QuarterBoards};
use super::lists::word::{BitPositions, Word};
use super::theory::core::Core;
use super::theory::numbering::Numbering;
use super::theory::tiling::ColumnSet;
use crate::cancel::{CancelToken, EngineError};

/// The data that all threads of an engine share.
#[derive(Clone, Copy)]
pub(super) struct Context<'a> {
    pub numbering: &'a Numbering,
    pub kernel: Kernel,
    /// The maximum number of half-boards to generate at a time for each list.
    pub most_half_boards: usize,
    pub stop: &'a CancelToken,
}

/// The lists of a core. Their words are either all narrow or all wide.
pub(super) struct CoreLists<W> {
    positions: BitPositions,
    pub quarters: Cache<W>,
    finder: Finder<W>,
    tops: HalfBoards<W>,
    bottoms: HalfBoards<W>,
}

impl<W: Word> CoreLists<W> {
    pub(super) fn new(half: u32, bytes: usize) -> Self {
        Self {
            positions: BitPositions::default(),
            quarters: Cache::new(half, bytes),
            finder: Finder::default(),
            tops: HalfBoards::default(),
            bottoms: HalfBoards::default(),
        }
    }

    pub(super) fn prepare(&mut self, core: &Core) {
        self.positions = BitPositions::new::<W>(core.relevant());
        self.quarters.clear();
    }

    /// Returns a list of quarter-boards, which is in the cache afterwards.
    pub(super) fn find(
        &mut self,
        context: Context,
        core: &Core,
        quarter: usize,
        columns: u32,
    ) -> Result<&QuarterBoards<W>, EngineError> {
        if !self.quarters.touch(quarter, columns) {
            let found = self
                .finder
                .find(core, &self.positions, quarter, columns, context.stop)?;
            self.quarters.insert(quarter, columns, found);
        }
        Ok(self.quarters.get(quarter, columns))
    }

    pub(super) fn count(
        &mut self,
        context: Context,
        core: &Core,
        set: ColumnSet,
        workspace: &mut Workspace,
    ) -> Result<u128, EngineError> {
        context.stop.check()?;
        let columns = set.quarters(core.half);
        for (quarter, columns) in columns.into_iter().enumerate() {
            self.find(context, core, quarter, columns)?;
        }
        let [top, bottom] = [[0, 1], [2, 3]]
            .map(|half| half.map(|quarter: usize| self.quarters.get(quarter, columns[quarter])));
        let of_top = row_set_ranges(top, context.most_half_boards);
        let tops_in_pieces = of_top.clone().nth(1).is_some();
        let mut total = 0;
        for (piece, row_sets) in row_set_ranges(bottom, context.most_half_boards).enumerate() {
            context.kernel.run(Combine {
                half_boards: &mut self.bottoms,
                quarters: bottom,
                row_sets,
            })?;
            for row_sets in of_top.clone() {
                context.stop.check()?;
                // If all tops fit into one piece, they are generated only once.
                if piece == 0 || tops_in_pieces {
                    context.kernel.run(Combine {
                        half_boards: &mut self.tops,
                        quarters: top,
                        row_sets,
                    })?;
                }
                let lists = Lists::new(&self.tops, &self.bottoms, core.weights);
                total += disjoint_pairs(context.kernel, lists, workspace, context.stop)?;
            }
        }
        Ok(u128::from(set.multiplicity) * total)
    }
}
