//! Long lists: tops sorted by the key, bottoms by the part of it that tells groups and blocks apart.

use super::block::{Block, Bottom, Cursor, Keys, LookUp, TakeNext};
use super::key::Ranking;
use super::shape::JoinShape;
use super::sort::{Bins, Runs, Sort, Sorted, Top};
use super::workspace::Workspace;
use crate::engine::rows::kernel::Kernel;
use crate::engine::rows::lists::half::Halves;
use crate::engine::rows::lists::word::Word;
use crate::engine::rows::profile::{Profile, Step};
use crate::engine::rows::vector::bitset::BLOCK;
use crate::stop::{Stop, Stopped};

/// The number of disjoint pairs, weighted.
///
/// # Errors
/// When it was stopped, or there is no memory to sort.
pub fn disjoint_pairs<W: Word>(
    kernel: Kernel,
    halves: Halves<W>,
    workspace: &mut Workspace,
    stop: &Stop,
) -> Result<u128, Stopped> {
    workspace.ranking.rank(kernel, halves);
    let (tops, bottoms) = (halves.tops.len(), halves.bottoms.len());
    let shape = workspace.ranking.best(tops, bottoms);
    workspace.profile.end(Step::Rank);
    join(kernel, halves, shape, workspace, stop)
}

/// The same for lists whose diagonals have been ranked, in some shape.
pub fn join<W: Word>(
    kernel: Kernel,
    halves: Halves<W>,
    shape: JoinShape,
    workspace: &mut Workspace,
    stop: &Stop,
) -> Result<u128, Stopped> {
    let Workspace { block, ranking, bins, keys, tops, narrow, wide, profile, .. } = workspace;
    let mut join = Join { kernel, halves, shape, ranking, bins, keys, block, tops, profile, stop };
    if shape.key + shape.rest <= u32::BITS { join.pairs(narrow) } else { join.pairs(wide) }
}

/// A join of two lists.
struct Join<'a, W> {
    kernel: Kernel,
    halves: Halves<'a, W>,
    shape: JoinShape,
    ranking: &'a Ranking,
    bins: &'a mut Bins,
    keys: &'a mut [Keys; 3],
    block: &'a mut Block,
    tops: &'a mut Sorted<Top>,
    profile: &'a mut Profile,
    stop: &'a Stop,
}

impl<W: Word> Join<'_, W> {
    /// Sorts and joins the lists.
    fn pairs<B: Bottom>(&mut self, bottoms: &mut Sorted<B>) -> Result<u128, Stopped> {
        self.sort_bottoms(bottoms)?;
        self.sort_tops()?;
        self.profile.end(Step::Sort);
        let bits = self.bits::<B>();
        let mut total = 0;
        for group in 0..1 << self.shape.group {
            for (marks, keys) in self.keys.iter_mut().enumerate() {
                if let Some(tops) = self.tops.with_marks(marks) {
                    keys.list(tops, group, self.shape);
                }
            }
            for marks in 0..3 {
                let weights = self.halves.weights.map(|by_bottom| by_bottom[marks]);
                if let Some(bottoms) = bottoms.with_marks(marks).filter(|_| weights != [0; 3]) {
                    total += self.pairs_of_group(group, bottoms, &bits, weights);
                }
            }
            self.stop.check()?;
        }
        Ok(total)
    }

    /// The bits of bottoms for the diagonals of the key, by rank, and for the rest as chunks have them, by place.
    fn bits<B: Bottom>(&self) -> [u8; 64] {
        let (open, rest) = (self.ranking.open(), self.ranking.rest(self.shape));
        let rest = (0..64).filter(|place| rest >> place & 1 == 1);
        let mut bits = [0; 64];
        for (bit, place) in bits.iter_mut().zip(self.ranking.places(0..self.shape.key).chain(rest)) {
            *bit = B::bit(place, open);
        }
        bits
    }

    /// The pairs of a group of tops and some bottoms, block by block, weighted by the marks of the tops.
    fn pairs_of_group<B: Bottom>(&mut self, group: usize, bottoms: Runs<B>, bits: &[u8], weights: [u64; 3]) -> u128 {
        let (shape, mut total, mut cursor) = (self.shape, 0, Cursor::new(group, self.shape));
        while self.kernel.run(TakeNext { block: self.block, bottoms, cursor: &mut cursor, bits, shape }) {
            if self.stop.requested() {
                break;
            }
            self.profile.blocks += 1;
            self.profile.end(Step::Blocks);
            total += self.pairs_of_block(weights);
            self.profile.end(Step::LookUp);
        }
        total
    }

    /// The pairs of a group of tops and a block, weighted by the marks of the tops.
    fn pairs_of_block(&mut self, weights: [u64; 3]) -> u128 {
        let mut total = 0;
        for (marks, weight) in weights.into_iter().enumerate().filter(|(_, weight)| *weight > 0) {
            let Some(tops) = self.tops.with_marks(marks) else { continue };
            let (block, keys, shape) = (&*self.block, &self.keys[marks], self.shape);
            let [lookups, conflicts] = match shape.chunks {
                3 => self.kernel.run(LookUp::<3> { block, tops, keys, shape }),
                _ => self.kernel.run(LookUp::<4> { block, tops, keys, shape }),
            };
            self.profile.lookups += lookups;
            total += u128::from(weight * (BLOCK as u64 * lookups - conflicts));
        }
        total
    }

    /// Sorts bottoms by the group, and by what makes blocks alike.
    fn sort_bottoms<B: Bottom>(&mut self, bottoms: &mut Sorted<B>) -> Result<(), Stopped> {
        let JoinShape { group, alike, .. } = self.shape;
        let (of_group, of_alike) = (self.ranking.places(0..group), self.ranking.places(group..group + alike));
        self.bins.tell_apart(of_group.chain(of_alike.rev()));
        let (lists, left) = (self.halves.bottoms.lists(), self.ranking.open());
        bottoms.make_room(self.halves.bottoms.len())?;
        self.kernel.run(Sort { sorted: bottoms, lists, by: self.bins, left, chunks: 0 });
        Ok(())
    }

    /// Sorts tops by the key.
    fn sort_tops(&mut self) -> Result<(), Stopped> {
        let JoinShape { key, group, .. } = self.shape;
        self.bins.tell_apart(self.ranking.places(group..key).rev().chain(self.ranking.places(0..group)));
        let (lists, left) = (self.halves.tops.lists(), self.ranking.rest(self.shape));
        self.tops.make_room(self.halves.tops.len())?;
        self.kernel.run(Sort { sorted: self.tops, lists, by: self.bins, left, chunks: self.shape.addresses() });
        Ok(())
    }
}
