//! Joins long lists, as the double loop of [`plain::meet`](crate::plain::meet) does. The longer
//! list is sorted by a key, the shorter one by some of the key's diagonals. A group of the longer
//! list is looked up only in blocks of half-boards that do not conflict with it.

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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::rows::join::tests::{WEIGHTS, expected};
    use crate::engine::rows::lists::half::HalfBoards;
    use crate::splitmix::SplitMix64;

    /// In each group, each of the six lists (longer and shorter, with 0, 1 and 2 marks) may be
    /// empty, independently of the other groups. All joins share one workspace, in which lists of
    /// earlier joins and groups may be left over.
    fn check_empty_lists<W: Word>() {
        const SHARED: u32 = 26;
        let used = W::from_u64((1 << SHARED) - 1);
        let mut workspace = Workspace::default();
        // The lower a diagonal, the more half-boards occupy it, so ranks and positions are equal.
        let nested = (0..=SHARED).map(|diagonals| W::from_u64((1 << diagonals) - 1));
        let nested = HalfBoards::from_words(&[nested.collect(), vec![], vec![]], used);
        let lists = Lists::new(&nested, &nested, WEIGHTS);
        workspace.ranking.rank(Kernel::default(), &lists);
        let shapes: Vec<JoinShape> = workspace
            .ranking
            .shapes(1 << 10)
            .filter(|shape| shape.group == 2)
            .collect();
        assert!(!shapes.is_empty());
        let mut random = SplitMix64::new(1);
        for pattern in 0..64 {
            let mut words: [[Vec<W>; 3]; 2] = Default::default();
            for group in 0..4 {
                let present = (pattern + 11 * group) % 64;
                for (list, words) in words.as_flattened_mut().iter_mut().enumerate() {
                    for _ in 0..(present >> list & 1) * (1 + random.below(3)) {
                        let others = random.next_u64() & random.next_u64();
                        let word = (others % (1 << SHARED)) & !3 | group;
                        words.push(W::from_u64(word));
                    }
                }
            }
            let half_boards = words.map(|words| HalfBoards::from_words(&words, used));
            let expected = expected(&half_boards, WEIGHTS);
            let lists = Lists::new(&half_boards[0], &half_boards[1], WEIGHTS);
            for &shape in &shapes {
                for kernel in Kernel::available() {
                    let pairs = join(kernel, lists, shape, &mut workspace, &CancelToken::new());
                    assert_eq!(
                        pairs,
                        Ok(expected),
                        "{kernel:?}, {shape:?}, pattern {pattern}"
                    );
                }
            }
        }
    }

    #[test]
    fn any_lists_of_a_group_may_be_empty() {
        check_empty_lists::<u32>();
        check_empty_lists::<u64>();
    }
}
