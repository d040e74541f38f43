//! Joins long lists. The longer list is sorted by a key, the shorter one by some of the key's
//! diagonals. A group of the longer list is looked up only in blocks of half-boards that do not
//! conflict with it.

#![deny(clippy::cast_precision_loss, reason = "counts are exact")]

use super::block::{Cursor, Fill};
use super::look_up::{KeyStarts, LookUp};
use super::ranking::Ranking;
use super::shape::JoinShape;
use super::sort::{Addresses, Binning, Sort, Sorted, extracted_bit};
use super::table::{Block, Lists};
use crate::cancel::{CancelToken, EngineError};
use crate::engine::rows::kernel::Kernel;
use crate::engine::rows::lists::word::Word;

/// Memory that joins reuse. Lists are split by number of marks.
#[derive(Clone, Debug, Default)]
pub(crate) struct Workspace {
    pub block: Block,
    pub ranking: Ranking,
    binning: Binning,
    keys: [KeyStarts; 3],
    longer: [Sorted<Addresses>; 3],
    shorter: [Sorted<u32>; 3],
}

pub(super) fn disjoint_pairs<W: Word>(
    kernel: Kernel,
    lists: Lists<W>,
    workspace: &mut Workspace,
    stop: &CancelToken,
) -> Result<u128, EngineError> {
    workspace.ranking.rank(kernel, &lists);
    let shape = workspace
        .ranking
        .best(lists.longer.len(), lists.shorter.len());
    join(kernel, lists, shape, workspace, stop)
}

/// Joins lists, using this shape. Their diagonals must have been ranked.
pub(super) fn join<W: Word>(
    kernel: Kernel,
    lists: Lists<W>,
    shape: JoinShape,
    workspace: &mut Workspace,
    stop: &CancelToken,
) -> Result<u128, EngineError> {
    workspace.sort(kernel, lists, shape)?;
    let bitset_of = &bitset_of(&workspace.ranking, shape);
    let mut total = 0;
    for group in 0..1 << shape.group {
        for (keys, longer) in workspace.keys.iter_mut().zip(&workspace.longer) {
            if !longer.is_empty() {
                keys.list(longer, group, shape);
            }
        }
        for marks in 0..3 {
            let weights = lists.weights.map(|by_shorter| by_shorter[marks]);
            if workspace.shorter[marks].is_empty() || weights == [0; 3] {
                continue;
            }
            let mut cursor = Cursor::new(group, shape);
            while kernel.run(Fill {
                block: &mut workspace.block,
                shorter: &workspace.shorter[marks],
                cursor: &mut cursor,
                bitset_of,
                shape,
            }) {
                stop.check()?;
                total += workspace.look_up(kernel, weights, shape);
            }
        }
        stop.check()?;
    }
    Ok(total)
}

/// Computes [`Fill::bitset_of`].
fn bitset_of(ranking: &Ranking, shape: JoinShape) -> Vec<u32> {
    let kept = ranking.mask_from(shape.group + shape.alike);
    let mut of_alike = u32::BITS;
    let mut bitsets = Vec::new();
    for position in ranking.in_tables(shape) {
        if kept >> position & 1 == 1 {
            bitsets.push(extracted_bit(kept, position));
        } else {
            bitsets.push(of_alike);
            of_alike += 1;
        }
    }
    bitsets
}

impl Workspace {
    fn sort<W: Word>(
        &mut self,
        kernel: Kernel,
        lists: Lists<W>,
        shape: JoinShape,
    ) -> Result<(), EngineError> {
        let Self {
            ranking,
            binning: by,
            longer,
            shorter,
            ..
        } = self;
        let positions = shape.shorter_ranks().map(|rank| ranking.position(rank));
        by.set(positions, ranking.mask_from(shape.group + shape.alike), 0);
        for (sorted, list) in shorter.iter_mut().zip(lists.shorter.lists()) {
            kernel.run(Sort { sorted, list, by })?;
        }
        let positions = shape.longer_ranks().map(|rank| ranking.position(rank));
        by.set(
            positions,
            ranking.mask_from(shape.key),
            shape.address_bits(),
        );
        for (sorted, list) in longer.iter_mut().zip(lists.longer.lists()) {
            kernel.run(Sort { sorted, list, by })?;
        }
        Ok(())
    }

    /// Looks up the listed keys in the block. Returns the weighted number of disjoint pairs.
    fn look_up(&self, kernel: Kernel, weights: [u64; 3], shape: JoinShape) -> u128 {
        let block = &self.block;
        let mut total = 0;
        for ((longer, keys), weight) in self.longer.iter().zip(&self.keys).zip(weights) {
            if weight == 0 || longer.is_empty() {
                continue;
            }
            let pairs = kernel.run(LookUp {
                block,
                longer,
                keys,
                shape,
            });
            total += u128::from(weight * pairs);
        }
        total
    }
}
