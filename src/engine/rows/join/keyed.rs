//! Joining long lists: the longer one is sorted by a key, the shorter one by some of its diagonals.
//!
//! In place of the double loop of [`plain::meet`](crate::plain::meet), which compares every pair,
//! a group of the longer list meets the blocks of the shorter one that do not conflict with it, and
//! in a block only the keys that do not conflict with all of it.

#![deny(clippy::cast_precision_loss, reason = "counts are exact")]

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
    let of_others = (group + alike..key)
        .rev()
        .map(|rank| extracted_bit(kept, ranking.place(rank)));
    let chunked = bits(ranking.mask_from(key)).map(u64::trailing_zeros);
    let mut bitset_of = [0; 64];
    for (entry, bitset) in bitset_of.iter_mut().zip(
        of_others
            .chain(of_alike)
            .chain(chunked.map(|place| extracted_bit(kept, place))),
    ) {
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::rows::lists::half::HalfBoards;
    use crate::engine::rows::vector::{BLOCK, Bitset};
    use crate::splitmix::SplitMix64;

    fn mask(places: &[u32]) -> u64 {
        places.iter().fold(0, |all, place| all | 1 << place)
    }

    /// Composes the words of a block from its tables.
    fn words(block: &Block, shape: JoinShape, places: &[u32]) -> Vec<u64> {
        let [lower, upper] = &*block.key_tables;
        let low = shape.low();
        let rest = shape.rest();
        let bitsets = (0..places.len() as u32).map(|bit| {
            if bit < low {
                return lower[1 << bit];
            } else if bit < rest {
                return upper[1 << (bit - low)];
            }
            let mut left = bit - rest;
            for (table, width) in block.tables.iter().zip(shape.widths()) {
                if left < width {
                    return table[1 << left];
                }
                left -= width;
            }
            panic!("no chunk has bit {bit}")
        });
        fn has(bitset: &Bitset, place: usize) -> bool {
            bitset.0[place / 64] >> (place % 64) & 1 == 1
        }
        let bitsets: Vec<Bitset> = bitsets.collect();
        let present = (0..BLOCK).filter(|&place| !has(&lower[0], place));
        let words = present.map(|place| {
            let occupied = bitsets
                .iter()
                .zip(places)
                .filter(|(bitset, _)| has(bitset, place));
            occupied.fold(0, |word, (_, diagonal)| word | 1 << diagonal)
        });
        words.collect()
    }

    // The conditions of `valid` in `proof/join_statements.v`, by which `joined_pairs` is proved.
    // That a block has 512 places at most is in its type.
    #[test]
    fn blocks_keys_and_chunks_satisfy_the_theorem() {
        let kernel = Kernel::default();
        let mut workspace = Workspace::default();
        for (longer, shorter, diagonals) in [
            (1, 1, 3),
            (700, 513, 20),
            (5000, 600, 33),
            (9000, 2049, 46),
            (3000, 1000, 48),
        ] {
            let mut random = SplitMix64::new(diagonals);
            let mut list = |length: usize| {
                let words: Vec<u64> = (0..length)
                    .map(|_| random.next_u64() & random.next_u64() & ((1 << diagonals) - 1))
                    .collect();
                HalfBoards::of(&[words, vec![], vec![]])
            };
            let longer = list(longer);
            let shorter = list(shorter);
            let lists = Lists {
                longer: &longer,
                shorter: &shorter,
                weights: [[1; 3]; 3],
            };
            workspace.ranking.rank(kernel, &lists);
            let shapes = [1 << 10, 1 << 14, 1 << 18, 1 << 24]
                .map(|length| workspace.ranking.best(length, length / 4));
            for shape in shapes {
                workspace.sort(kernel, lists, shape).unwrap();
                let ranking = &workspace.ranking;
                let of_group: Vec<u32> = (0..shape.group).map(|rank| ranking.place(rank)).collect();
                let of_rest = (shape.group..shape.key)
                    .rev()
                    .map(|rank| ranking.place(rank));
                let chunked = bits(ranking.mask_from(shape.key));
                let places: Vec<u32> = of_rest.chain(chunked.map(u64::trailing_zeros)).collect();
                // What two half-boards share is in the group or in what is looked up.
                let [one, other] = [&longer, &shorter]
                    .map(|list| list.words().iter().fold(0, |all, word| all | word));
                let shared = one & other;
                assert_eq!(shared & !mask(&of_group) & !mask(&places), 0);
                let bitset_of = &bitset_of(&workspace.ranking, shape);
                for group in 0..1usize << shape.group {
                    let occupied =
                        bits(group as u64).map(|bit| of_group[bit.trailing_zeros() as usize]);
                    let occupied = mask(&occupied.collect::<Vec<u32>>());
                    let mut found = Vec::new();
                    let mut cursor = Cursor::new(group, shape);
                    while kernel.run(Fill {
                        block: &mut workspace.block,
                        shorter: &workspace.shorter[0],
                        cursor: &mut cursor,
                        bitset_of,
                        shape,
                    }) {
                        let block = words(&workspace.block, shape, &places);
                        // A key that is passed over conflicts with the whole block.
                        let common =
                            bits(workspace.block.common as u64 & ((1 << shape.rest()) - 1));
                        for bit in common {
                            let diagonal = 1 << places[bit.trailing_zeros() as usize];
                            assert!(block.iter().all(|word| word & diagonal != 0));
                        }
                        found.extend(block);
                    }
                    // The blocks of a group hold the half-boards without its diagonals, each once.
                    let fitting = shorter.words().iter().filter(|&word| word & occupied == 0);
                    let mut expected: Vec<u64> = fitting.map(|word| word & mask(&places)).collect();
                    expected.sort_unstable();
                    found.sort_unstable();
                    assert!(found == expected, "{shape:?}, group {group}");
                }
            }
        }
    }
}
