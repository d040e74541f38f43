//! Ranks diagonals for the key, and chooses the shape of a join with a cost model.
//!
//! The best diagonals to sort by are those occupied by many half-boards of both lists. For each
//! diagonal, the fraction of each list that occupies it is estimated from a sample. Diagonals are
//! ranked by the product of the two fractions.

use super::shape::JoinShape;
use super::table::{Lists, transpose};
use crate::board::bits;
use crate::engine::rows::kernel::Kernel;
use crate::engine::rows::lists::word::Word;
use crate::engine::rows::vector::{BLOCK, Counter, EMPTY, InnerLoop, Simd};

/// The diagonals that both lists may occupy, by number of conflicts, highest first.
#[derive(Clone, Debug, Default)]
pub(crate) struct Ranking {
    ranked: Vec<Diagonal>,
}

#[derive(Clone, Copy, Debug, PartialEq)]
struct Diagonal {
    /// The bit position in a word.
    place: u32,
    /// The fraction of the shorter list that occupies the diagonal.
    shorter: f32,
    /// The fraction of pairs in which both half-boards occupy the diagonal.
    both: f32,
}

/// From a sample of 512 half-boards, estimates the fraction of a list that occupies each diagonal.
struct Shares<'a, W>(&'a [W]);

impl<W: Word> InnerLoop for Shares<'_, W> {
    type Output = [f32; 64];

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) -> [f32; 64] {
        let list = self.0;
        let sampled = list.len().min(BLOCK);
        // The sample is evenly spaced; `step` is in units of 2^-32.
        let step = ((list.len() as u64) << 32) / sampled as u64;
        let mut words = [0; BLOCK];
        let mut bitsets = [EMPTY; 32];
        let mut shares = [0.0; 64];
        for bit in (0..W::BITS).step_by(32) {
            for i in 0..sampled {
                let word = list[((i as u64 * step) >> 32) as usize].to_u64();
                words[i] = (word >> bit) as u32;
            }
            transpose(simd, &words[..sampled], &mut bitsets);
            for (i, bitset) in bitsets.iter().enumerate() {
                let count = simd.counter().add(simd.load(bitset)).sum();
                shares[bit as usize + i] = count as f32 / sampled as f32;
            }
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
const MOST_SHARED: u32 = MOST_CHUNKED + 16;

impl Ranking {
    pub(crate) fn rank<W: Word>(&mut self, kernel: Kernel, lists: &Lists<W>) {
        let longer = kernel.run(Shares(lists.longer.words()));
        let shorter = kernel.run(Shares(lists.shorter.words()));
        let used = lists.longer.used.to_u64() & lists.shorter.used.to_u64();
        self.ranked.clear();
        self.ranked.extend(bits(used).map(|bit| {
            let place = bit.trailing_zeros() as usize;
            Diagonal {
                place: place as u32,
                shorter: shorter[place],
                both: longer[place] * shorter[place],
            }
        }));
        self.ranked
            .sort_unstable_by(|a, b| b.both.total_cmp(&a.both));
    }

    pub(crate) fn place(&self, rank: u32) -> u32 {
        self.ranked[rank as usize].place
    }

    /// Returns the places of the diagonals from this rank on, as a bitmask.
    pub(crate) fn mask_from(&self, rank: u32) -> u64 {
        self.ranked[rank as usize..]
            .iter()
            .fold(0, |mask, diagonal| mask | 1 << diagonal.place)
    }

    /// Returns the places of the diagonals that the tables cover: those in the rest of a key,
    /// lowest bit first, then those in the chunks.
    pub(crate) fn in_tables(&self, shape: JoinShape) -> impl Iterator<Item = u32> {
        shape
            .longer_ranks()
            .take(shape.rest() as usize)
            .map(|rank| self.place(rank))
            .chain(bits(self.mask_from(shape.key)).map(u64::trailing_zeros))
    }

    pub(crate) fn best(&self, longer: usize, shorter: usize) -> JoinShape {
        let (_, best) = self
            .shapes(shorter)
            .map(|shape| (self.cost(shape, longer as f32, shorter as f32), shape))
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
        let least = shared.saturating_sub(MOST_CHUNKED);
        let most = KEY.min(shared).max(least);
        let keys = [(3, 18), (3, 21), (3, 24), (4, 24), (4, 28), (4, 32)]
            .into_iter()
            .filter_map(move |(chunks, widest)| {
                // A larger key pays off only if it makes the tables smaller.
                let key = shared.saturating_sub(widest).clamp(least, most);
                (shared - key <= 8 * chunks).then_some((chunks, key))
            });
        keys.flat_map(move |(chunks, key)| {
            (0..=key.min(GROUP)).map(move |group| {
                // Enough diagonals to give the half-boards of each block a subset of their own, and to leave at most 32 others.
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

    fn cost(&self, shape: JoinShape, longer: f32, shorter: f32) -> f32 {
        let (group, others) = self.ranked[..shape.key as usize].split_at(shape.group as usize);
        // Each half-board of the shorter list goes into a block of every group that it does not
        // conflict with.
        let copies: f32 = group
            .iter()
            .map(|diagonal| 2.0 - diagonal.shorter)
            .product();
        let blocks = shorter * copies / BLOCK as f32 + 0.5 * (1 << shape.group) as f32;
        // If a group has 2^k blocks, the half-boards in each block are alike in about k diagonals.
        let mut alike_bits = (blocks / (1 << shape.group) as f32).log2();
        let mut looked_up: f32 = group.iter().map(|diagonal| 1.0 - diagonal.both).product();
        for diagonal in others {
            if alike_bits <= 0.0 {
                break;
            }
            looked_up *= 1.0 - diagonal.both * alike_bits.min(1.0);
            alike_bits -= 1.0;
        }
        let lookups = longer * (shorter / BLOCK as f32 + 0.5) * looked_up;
        let keys = (1u32 << shape.rest()) as f32;
        let entries = shape
            .widths()
            .map(|width| 1u32 << width)
            .iter()
            .sum::<u32>() as f32;
        SORTED * (longer + shorter)
            + SORTED_BEYOND * shape.key.saturating_sub(7) as f32 * longer
            + BIN * (1u32 << shape.key) as f32
            + blocks * (TURNED + ENTRY * entries + KEY_VISITED * keys * looked_up)
            + lookups * (LOOKUP + CHUNK * shape.chunks as f32)
    }
}

const GROUP: u32 = 4;
/// The maximum number of further diagonals by which the shorter list is sorted.
const ALIKE: u32 = 8;

// Approximate costs in cycles, as measured (docs/experiments.md).

/// Per half-board that is sorted. Each diagonal of the key beyond the seventh adds `SORTED_BEYOND`.
const SORTED: f32 = 6.6;
const SORTED_BEYOND: f32 = 1.0;
/// Per bin of a sort.
const BIN: f32 = 3.0;
/// Per block, to fill and transpose it.
const TURNED: f32 = 2000.0;
/// Per table entry.
const ENTRY: f32 = 4.0;
/// Per key that is visited.
const KEY_VISITED: f32 = 20.0;
/// Per lookup. Each chunk adds `CHUNK`.
const LOOKUP: f32 = 2.2;
const CHUNK: f32 = 1.1;
