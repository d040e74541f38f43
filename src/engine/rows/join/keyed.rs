//! Joining long lists: the longer one is sorted by a key, the shorter one by some of its diagonals.
//!
//! In place of the double loop of [`plain::meet`](crate::plain::meet), which compares every pair,
//! a group of the longer list meets the blocks of the shorter one that do not conflict with it, and
//! in a block only the keys that do not conflict with all of it.

use super::block::{Block, Cursor, Fill};
use super::look_up::{KeyStarts, LookUp};
use super::ranking::Ranking;
use super::shape::JoinShape;
use super::sort::{Addresses, Binning, Sort, Sorted, extracted_bit};
use super::table::{ByteTables, Lists};
use crate::board::bits;
use crate::cancel::{CancelToken, EngineError};
use crate::engine::rows::kernel::Kernel;
use crate::engine::rows::lists::word::Word;

/// The memory of a join, kept for the next one.
#[derive(Clone, Debug, Default)]
pub struct Workspace {
    pub tables: ByteTables,
    pub ranking: Ranking,
    block: Block,
    binning: Binning,
    /// The keys of a group, by marks.
    keys: [KeyStarts; 3],
    /// The longer list, by marks.
    longer: [Sorted<Addresses>; 3],
    /// The shorter list, by marks.
    shorter: [Sorted<u32>; 3],
}

/// Counts the disjoint pairs of long lists, weighted.
pub fn disjoint_pairs<W: Word>(
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

/// Counts them in a given shape, after diagonals were ranked.
pub fn join<W: Word>(
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

/// Returns [`Fill::bitset_of`].
fn bitset_of(ranking: &Ranking, shape: JoinShape) -> [u8; 64] {
    let JoinShape {
        key, group, alike, ..
    } = shape;
    let kept = ranking.mask_from(group + alike);
    let of_alike = (u32::BITS..).take(alike as usize);
    let of_place = |place| extracted_bit(kept, place);
    let of_others = (group + alike..key)
        .rev()
        .map(|rank| of_place(ranking.place(rank)));
    let chunked = bits(ranking.mask_from(key)).map(u64::trailing_zeros);
    let mut bitset_of = [0; 64];
    for (entry, bitset) in bitset_of
        .iter_mut()
        .zip(of_others.chain(of_alike).chain(chunked.map(of_place)))
    {
        *entry = bitset as u8;
    }
    bitset_of
}

impl Workspace {
    /// Sorts both lists.
    fn sort<W: Word>(
        &mut self,
        kernel: Kernel,
        lists: Lists<W>,
        shape: JoinShape,
    ) -> Result<(), EngineError> {
        let Self {
            ranking,
            binning,
            longer,
            shorter,
            ..
        } = self;
        binning.sort_by(shape.shorter_ranks().map(|rank| ranking.place(rank)));
        for (sorted, list) in shorter.iter_mut().zip(lists.shorter.lists()) {
            let kept = ranking.mask_from(shape.group + shape.alike);
            kernel.run(Sort {
                sorted,
                list,
                by: binning,
                kept,
                spread_to: 0,
            })?;
        }
        binning.sort_by(shape.longer_ranks().map(|rank| ranking.place(rank)));
        for (sorted, list) in longer.iter_mut().zip(lists.longer.lists()) {
            let kept = ranking.mask_from(shape.key);
            let spread_to = shape.address_bits();
            kernel.run(Sort {
                sorted,
                list,
                by: binning,
                kept,
                spread_to,
            })?;
        }
        Ok(())
    }

    /// Counts the disjoint pairs of the listed keys and the block, weighted by the marks of the
    /// longer list.
    fn look_up(&self, kernel: Kernel, weights: [u64; 3], shape: JoinShape) -> u128 {
        let block = &self.block;
        let mut total = 0;
        for ((longer, keys), weight) in self.longer.iter().zip(&self.keys).zip(weights) {
            if weight == 0 || longer.is_empty() {
                continue;
            }
            let pairs = match shape.chunks {
                3 => kernel.run(LookUp::<3> {
                    block,
                    longer,
                    keys,
                    shape,
                }),
                _ => kernel.run(LookUp::<4> {
                    block,
                    longer,
                    keys,
                    shape,
                }),
            };
            total += u128::from(weight * pairs);
        }
        total
    }
}
