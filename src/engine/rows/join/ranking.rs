//! Ranks diagonals for the key, and chooses the shape of a join with a cost model.
//!
//! The best diagonals to sort by are those occupied by many half-boards of both lists. For each
//! diagonal, the fraction of each list that occupies it is estimated from a sample. Diagonals are
//! ranked by the product of the two fractions or, if there are many pairs, greedily.

use std::ops::RangeInclusive;

use super::greedy::Greedy;
use super::sample::{Diagonal, Sample};
use super::shape::JoinShape;
use super::table::Lists;
use crate::board::bits;
use crate::engine::rows::kernel::Kernel;
use crate::engine::rows::lists::word::Word;
use crate::engine::rows::vector::{BLOCK, InnerLoop, Simd};

/// The diagonals that both lists may occupy, by number of conflicts, highest first.
#[derive(Clone, Debug, Default)]
pub(crate) struct Ranking {
    ranked: Vec<Diagonal>,
}

/// Estimates the fraction of a list that occupies each diagonal.
struct Shares<'a, W>(&'a [W]);

impl<W: Word> InnerLoop for Shares<'_, W> {
    type Output = [f32; 64];

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) -> [f32; 64] {
        let sample = Sample::new(simd, self.0);
        let mut shares = [0.0; 64];
        for (position, share) in shares[..W::BITS as usize].iter_mut().enumerate() {
            *share = sample.share(simd, position);
        }
        shares
    }
}

const MOST_CHUNKED: u32 = 4 * 8;

/// The maximum number of diagonals in a key, unless the two lists share more than 45.
const KEY: u32 = 13;

/// The maximum number of shared diagonals. Half-boards of h rows share at most 4 h - 2, which is 46
/// for h = 12. A key has at most 16 bits, because a bin is a `u16` and each half of a key indexes
/// 256 entries.
const MOST_SHARED: u32 = MOST_CHUNKED + MOST_KEY as u32;
const MOST_KEY: usize = 16;

/// If lists have at least this many pairs, a greedy ranking saves more time than it takes.
const GREEDY: u64 = 1 << 31;

/// Returns the possible numbers of diagonals in a key, if the two lists share this many.
fn keys(shared: u32) -> RangeInclusive<u32> {
    let least = shared.saturating_sub(MOST_CHUNKED);
    least..=KEY.min(shared).max(least)
}

impl Ranking {
    pub(crate) fn rank<W: Word>(&mut self, kernel: Kernel, lists: &Lists<W>) {
        let [longer, shorter] = [lists.longer.words(), lists.shorter.words()];
        let shared = lists.longer.used.to_u64() & lists.shorter.used.to_u64();
        self.ranked.clear();
        if longer.len() as u64 * shorter.len() as u64 >= GREEDY {
            kernel.run(Greedy {
                longer,
                shorter,
                shared,
                most: *keys(shared.count_ones()).end() as usize,
                ranked: &mut self.ranked,
            });
            let key = self.mask_from(0);
            self.ranked.extend(bits(shared & !key).map(|bit| Diagonal {
                position: bit.trailing_zeros(),
                shorter: 0.0,
                both: 0.0,
            }));
            return;
        }
        let longer = kernel.run(Shares(longer));
        let shorter = kernel.run(Shares(shorter));
        self.ranked.extend(bits(shared).map(|bit| {
            let position = bit.trailing_zeros() as usize;
            Diagonal {
                position: position as u32,
                shorter: shorter[position],
                both: longer[position] * shorter[position],
            }
        }));
        self.ranked
            .sort_unstable_by(|a, b| b.both.total_cmp(&a.both));
    }

    pub(crate) fn position(&self, rank: u32) -> u32 {
        self.ranked[rank as usize].position
    }

    /// Returns the positions of the diagonals from this rank on, as a bitmask.
    pub(crate) fn mask_from(&self, rank: u32) -> u64 {
        self.ranked[rank as usize..]
            .iter()
            .fold(0, |mask, diagonal| mask | 1 << diagonal.position)
    }

    /// Returns the positions of the diagonals that the tables cover: those in the rest of a key,
    /// lowest bit first, then those in the chunks.
    pub(crate) fn in_tables(&self, shape: JoinShape) -> impl Iterator<Item = u32> {
        shape
            .longer_ranks()
            .take(shape.rest() as usize)
            .map(|rank| self.position(rank))
            .chain(bits(self.mask_from(shape.key)).map(u64::trailing_zeros))
    }

    pub(crate) fn best(&self, longer: usize, shorter: usize) -> JoinShape {
        let costs: [Costs; GROUP as usize + 1] =
            std::array::from_fn(|group| self.costs(group, longer as f32, shorter as f32));
        let (_, best) = self
            .shapes(shorter)
            .map(|shape| (costs[shape.group as usize].of(shape), shape))
            .min_by(|one, other| one.0.total_cmp(&other.0))
            .expect("chunks of eight diagonals always do");
        best
    }

    pub(crate) fn shapes(&self, shorter: usize) -> impl Iterator<Item = JoinShape> {
        let shared = self.ranked.len() as u32;
        assert!(
            shared <= MOST_SHARED,
            "both halves share {shared} diagonals, more than {MOST_SHARED}"
        );
        let (least, most) = keys(shared).into_inner();
        // Fewer diagonals in chunks would hardly make lookups faster.
        let keys = [(3, 21, 24), (4, 22, 32)].into_iter().flat_map(
            move |(chunks, fewest, most_chunked)| {
                let [first, last] = [most_chunked, fewest]
                    .map(|chunked| shared.saturating_sub(chunked).clamp(least, most));
                (first..=last)
                    .filter(move |key| shared - key <= 8 * chunks)
                    .map(move |key| (chunks, key))
            },
        );
        keys.flat_map(move |(chunks, key)| {
            (0..=key.min(GROUP)).map(move |group| {
                // Enough diagonals to give the half-boards of each block a subset of their own, and
                // to leave at most 32 others.
                let alike = (2 * shorter / BLOCK + 1)
                    .ilog2()
                    .min(key - group)
                    .min(ALIKE)
                    .max((shared - group).saturating_sub(u32::BITS));
                JoinShape {
                    key,
                    group,
                    alike,
                    chunked: shared - key,
                    chunks,
                }
            })
        })
    }

    fn costs(&self, group: usize, longer: f32, shorter: f32) -> Costs {
        let (of_group, others) = self.ranked.split_at(group.min(self.ranked.len()));
        // Each half-board of the shorter list goes into a block of every group that it does not
        // conflict with.
        let copies: f32 = of_group
            .iter()
            .map(|diagonal| 2.0 - diagonal.shorter)
            .product();
        let groups = (1 << group) as f32;
        let blocks = shorter * copies / BLOCK as f32 + 0.5 * groups;
        // If a group has 2^k blocks, the half-boards in each block are alike in about k diagonals.
        let mut alike_bits = (blocks / groups).log2();
        let mut looked_up: f32 = of_group
            .iter()
            .map(|diagonal| 1.0 - diagonal.both)
            .product();
        let mut by_key = [looked_up; MOST_KEY + 1];
        for (diagonal, by_key) in others.iter().zip(&mut by_key[group + 1..]) {
            looked_up *= 1.0 - diagonal.both * alike_bits.clamp(0.0, 1.0);
            alike_bits -= 1.0;
            *by_key = looked_up;
        }
        Costs {
            blocks,
            looked_up: by_key,
            lookups: longer * (shorter / BLOCK as f32 + 0.5),
            sorted: longer + shorter,
        }
    }
}

/// What determines the costs of the shapes with the same group.
struct Costs {
    blocks: f32,
    /// The fraction of pairs that are looked up, by the number of diagonals in the key.
    looked_up: [f32; MOST_KEY + 1],
    /// The number of lookups if no pair were skipped.
    lookups: f32,
    /// The number of half-boards.
    sorted: f32,
}

impl Costs {
    fn of(&self, shape: JoinShape) -> f32 {
        let looked_up = self.looked_up[shape.key as usize];
        let keys = (1u32 << shape.rest()) as f32;
        let entries = shape
            .widths()
            .map(|width| 1u32 << width)
            .iter()
            .sum::<u32>() as f32;
        SORTED * self.sorted
            + BIN * (1u32 << shape.key) as f32
            + self.blocks * (TURNED + ENTRY * entries + KEY_VISITED * keys * looked_up)
            + self.lookups * looked_up * (LOOKUP + CHUNK * shape.chunks as f32)
    }
}

const GROUP: u32 = 4;
/// The maximum number of further diagonals by which the shorter list is sorted.
const ALIKE: u32 = 8;

// Approximate costs in cycles, as measured (docs/experiments.md).

/// Per half-board that is sorted.
const SORTED: f32 = 6.6;
/// Per bin of a sort.
const BIN: f32 = 3.0;
/// Per block, to fill and transpose it.
const TURNED: f32 = 2000.0;
/// Per table entry.
const ENTRY: f32 = 5.0;
/// Per key that is visited.
const KEY_VISITED: f32 = 120.0;
/// Per lookup. Each chunk adds `CHUNK`.
const LOOKUP: f32 = 2.4;
const CHUNK: f32 = 0.8;
