//! The lists of a core: quarter-boards found, half-boards made of them and joined, one column set
//! after another.

use super::join::{Lists, Workspace, disjoint_pairs};
use super::kernel::Kernel;
use super::lists::half::{Combine, HalfBoards, row_set_ranges};
use super::lists::quarter::Finder;
use super::lists::store::Store;
use super::lists::word::{Places, Word};
use super::profile::Step;
use super::theory::core::Core;
use super::theory::numbering::Numbering;
use super::theory::tiling::ColumnSet;
use crate::cancel::{CancelToken, EngineError};

/// What all threads of an engine share.
#[derive(Clone, Copy)]
pub struct Context<'a> {
    pub numbering: &'a Numbering,
    /// The numbers of row sets, by mask.
    pub row_set_numbers: &'a [u32],
    pub kernel: Kernel,
    /// The most half-boards of the top, and of the bottom, that are made at a time.
    pub most: usize,
    pub stop: &'a CancelToken,
}

/// The lists of a core, in words of one width.
pub struct CoreLists<W> {
    places: Places,
    pub quarters: Store<W>,
    finder: Finder<W>,
    tops: HalfBoards<W>,
    bottoms: HalfBoards<W>,
}

impl<W: Word> CoreLists<W> {
    /// Lists for quarters of `half` rows, of which about so many bytes of quarter-boards are kept.
    pub fn new(half: u32, bytes: usize) -> Self {
        Self {
            places: Places::default(),
            quarters: Store::new(half, bytes),
            finder: Finder::default(),
            tops: HalfBoards::default(),
            bottoms: HalfBoards::default(),
        }
    }

    pub fn prepare(&mut self, core: &Core) {
        self.places = Places::new::<W>(core.relevant());
        self.quarters.clear();
    }

    /// Finds a list of quarter-boards, unless it is at hand. Whether it had to be found.
    pub fn find(
        &mut self,
        context: Context,
        core: &Core,
        quarter: usize,
        columns: u32,
    ) -> Result<bool, EngineError> {
        let anew = !self.quarters.touch(quarter, columns);
        if anew {
            let numbers = context.row_set_numbers;
            let found =
                self.finder
                    .find(core, &self.places, numbers, quarter, columns, context.stop)?;
            self.quarters.keep(quarter, columns, found);
        }
        Ok(anew)
    }

    /// The number of solutions that a column set stands for.
    pub fn count(
        &mut self,
        context: Context,
        core: &Core,
        set: ColumnSet,
        workspace: &mut Workspace,
    ) -> Result<u128, EngineError> {
        context.stop.check()?;
        let columns = set.quarters(core.half);
        for (quarter, columns) in columns.into_iter().enumerate() {
            let found = self.find(context, core, quarter, columns)?;
            workspace.profile.quarter_lists += u64::from(found);
        }
        workspace.profile.end(Step::Find);
        let quarter = |quarter: usize| self.quarters.get(quarter, columns[quarter]);
        let (top, bottom) = ([quarter(0), quarter(1)], [quarter(2), quarter(3)]);
        let of_top = row_set_ranges(top, context.most);
        let (tops_in_pieces, mut total) = (of_top.clone().nth(1).is_some(), 0);
        for (piece, row_sets) in row_set_ranges(bottom, context.most).enumerate() {
            context.kernel.run(Combine {
                half_boards: &mut self.bottoms,
                quarters: bottom,
                row_sets,
            })?;
            workspace.profile.half_boards += self.bottoms.len() as u64;
            for row_sets in of_top.clone() {
                context.stop.check()?;
                // Tops that are made in one go are made once.
                if piece == 0 || tops_in_pieces {
                    context.kernel.run(Combine {
                        half_boards: &mut self.tops,
                        quarters: top,
                        row_sets,
                    })?;
                    workspace.profile.half_boards += self.tops.len() as u64;
                }
                workspace.profile.end(Step::Combine);
                let lists = Lists::of(&self.tops, &self.bottoms, core.weights);
                total += disjoint_pairs(context.kernel, lists, workspace, context.stop)?;
            }
        }
        Ok(u128::from(set.images) * total)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::BoardSize;
    use crate::choice::EngineOptions;
    use crate::engine::Engine;
    use crate::engine::rows::Rows;

    #[test]
    fn half_boards_made_in_pieces_change_no_count() {
        let engine = Rows::with_middle_rows(BoardSize::new(14).unwrap(), 0, EngineOptions::new());
        let stop = CancelToken::new();
        for unit in 0..engine.units() {
            let whole = engine.count(unit, &stop).unwrap();
            for most in [1, 20, 300] {
                let context = Context {
                    most,
                    ..engine.context(&stop)
                };
                let pieced = engine.with_worker(engine.numbering.unit(unit), |worker| {
                    worker.count(context, engine.numbering.unit(unit))
                });
                assert_eq!(
                    pieced,
                    Ok((whole, false)),
                    "unit {unit}, {most} half-boards at a time"
                );
            }
        }
    }
}
