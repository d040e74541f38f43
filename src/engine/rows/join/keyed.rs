//! Long lists: the longer one sorted by the key, the shorter one by the group and by what makes
//! blocks alike.

use super::block::{Block, Cursor, Keys, LookUp, TakeNext};
use super::key::{JoinShape, Ranking};
use super::sort::{Bins, Chunks, Runs, Sort, Sorted};
use super::table::{ByteTables, Lists};
use crate::cancel::{CancelToken, EngineError};
use crate::engine::rows::kernel::Kernel;
use crate::engine::rows::lists::word::Word;
use crate::engine::rows::profile::{Profile, Step};
use crate::engine::rows::vector::BLOCK;

/// The memory of a join, kept for the next one.
#[derive(Clone, Debug, Default)]
pub struct Workspace {
    pub tables: ByteTables,
    block: Block,
    pub ranking: Ranking,
    bins: Bins,
    /// The keys of a group, by marks.
    keys: [Keys; 3],
    /// The longer list, by marks.
    longer: [Sorted<Chunks>; 3],
    /// The shorter list, by marks.
    shorter: [Sorted<u32>; 3],
    pub profile: Profile,
}

/// The number of disjoint pairs of long lists, weighted.
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
    workspace.profile.end(Step::Rank);
    join(kernel, lists, shape, workspace, stop)
}

/// The same when diagonals have been ranked, in some shape.
pub fn join<W: Word>(
    kernel: Kernel,
    lists: Lists<W>,
    shape: JoinShape,
    workspace: &mut Workspace,
    stop: &CancelToken,
) -> Result<u128, EngineError> {
    let Workspace {
        block,
        ranking,
        bins,
        keys,
        longer,
        shorter,
        profile,
        ..
    } = workspace;
    let mut join = Join {
        kernel,
        lists,
        shape,
        ranking,
        bins,
        keys,
        block,
        longer,
        profile,
        stop,
    };
    join.pairs(shorter)
}

struct Join<'a, W> {
    kernel: Kernel,
    lists: Lists<'a, W>,
    shape: JoinShape,
    ranking: &'a Ranking,
    bins: &'a mut Bins,
    keys: &'a mut [Keys; 3],
    block: &'a mut Block,
    longer: &'a mut [Sorted<Chunks>; 3],
    profile: &'a mut Profile,
    stop: &'a CancelToken,
}

impl<W: Word> Join<'_, W> {
    fn pairs(&mut self, shorter: &mut [Sorted<u32>; 3]) -> Result<u128, EngineError> {
        self.sort(shorter)?;
        self.profile.end(Step::Sort);
        let block_bits = self.block_bits();
        let mut total = 0;
        for group in 0..1 << self.shape.group {
            for (keys, longer) in self.keys.iter_mut().zip(&*self.longer) {
                if let Some(longer) = longer.runs() {
                    keys.list(longer, group, self.shape);
                }
            }
            for (marks, shorter) in shorter.iter().enumerate() {
                let by_longer = self.lists.weights.map(|by_shorter| by_shorter[marks]);
                if let Some(shorter) = shorter.runs().filter(|_| by_longer != [0; 3]) {
                    total += self.pairs_of_group(group, shorter, &block_bits, by_longer);
                }
            }
            self.stop.check()?;
        }
        Ok(total)
    }

    /// The bitsets of a block for the diagonals of the key without the group, by rank, and for
    /// those in chunks, by place.
    fn block_bits(&self) -> [u8; 64] {
        let JoinShape {
            key, group, alike, ..
        } = self.shape;
        let (kept, chunked) = (
            self.ranking.mask_from(group + alike),
            self.ranking.mask_from(key),
        );
        let chunked = (0..64).filter(|place| chunked >> place & 1 == 1);
        let of_words = self.ranking.places(group + alike..key).chain(chunked);
        let of_words = of_words.map(|place| (kept & ((1 << place) - 1)).count_ones());
        let mut bits = [0; 64];
        for (bit, of) in bits
            .iter_mut()
            .zip((u32::BITS..u32::BITS + alike).rev().chain(of_words))
        {
            *bit = of as u8;
        }
        bits
    }

    /// The pairs of a group and some of the shorter list, block by block.
    fn pairs_of_group(
        &mut self,
        group: usize,
        shorter: Runs<u32>,
        block_bits: &[u8],
        by_longer: [u64; 3],
    ) -> u128 {
        let (shape, mut total, mut cursor) = (self.shape, 0, Cursor::new(group, self.shape));
        while self.kernel.run(TakeNext {
            block: self.block,
            shorter,
            cursor: &mut cursor,
            block_bits,
            shape,
        }) {
            if self.stop.is_cancelled() {
                break;
            }
            self.profile.blocks += 1;
            self.profile.end(Step::Blocks);
            total += self.pairs_of_block(by_longer);
            self.profile.end(Step::LookUp);
        }
        total
    }

    /// The pairs of a group and a block, weighted by the marks of the longer list.
    fn pairs_of_block(&mut self, by_longer: [u64; 3]) -> u128 {
        let mut total = 0;
        for (marks, weight) in by_longer
            .into_iter()
            .enumerate()
            .filter(|(_, weight)| *weight > 0)
        {
            let Some(longer) = self.longer[marks].runs() else {
                continue;
            };
            let (block, keys, shape) = (&*self.block, &self.keys[marks], self.shape);
            let [lookups, conflicts] = match shape.chunks {
                3 => self.kernel.run(LookUp::<3> {
                    block,
                    longer,
                    keys,
                    shape,
                }),
                _ => self.kernel.run(LookUp::<4> {
                    block,
                    longer,
                    keys,
                    shape,
                }),
            };
            self.profile.lookups += lookups;
            total += u128::from(weight * (BLOCK as u64 * lookups - conflicts));
        }
        total
    }

    /// Sorts the shorter list by the group and by what makes blocks alike, and the longer one by
    /// the key.
    fn sort(&mut self, shorter: &mut [Sorted<u32>; 3]) -> Result<(), EngineError> {
        let Self {
            kernel,
            lists,
            shape,
            ranking,
            bins,
            longer,
            ..
        } = self;
        let JoinShape {
            key, group, alike, ..
        } = *shape;
        let (of_group, others) = (ranking.places(0..group), ranking.places(group..key));
        bins.tell_apart(
            of_group
                .clone()
                .chain(ranking.places(group..group + alike).rev()),
        );
        for (sorted, list) in shorter.iter_mut().zip(lists.shorter.lists()) {
            kernel.run(Sort {
                sorted,
                list,
                by: bins,
                kept: ranking.mask_from(group + alike),
                chunks: 0,
            })?;
        }
        bins.tell_apart(others.rev().chain(of_group));
        let (kept, chunks) = (ranking.mask_from(key), shape.addresses());
        for (sorted, list) in longer.iter_mut().zip(lists.longer.lists()) {
            kernel.run(Sort {
                sorted,
                list,
                by: bins,
                kept,
                chunks,
            })?;
        }
        Ok(())
    }
}
