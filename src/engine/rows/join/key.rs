//! The key: the diagonals that the longer list is sorted by, and the shorter one by the first of
//! them.
//!
//! A pair of which both half-boards occupy a diagonal need not be looked up. So those diagonals are
//! the best to sort by that both often occupy. In a sample of each list their shares are counted,
//! and they are ranked by the product of both, the best first. How they are used is the shape of
//! the join: the first s are the key. Its first g tell groups apart, and the half-boards of a block
//! have most of its next a alike.
//!
//! ```text
//!     rank                    0 .. g-1      g .. g+a-1      g+a .. s-1      s ..
//!                             group         alike           others          in chunks
//!                             |------------------ key -----------------|
//!
//!     bin in the longer       group (rank g-1 the highest bit), then alike and others (rank g the highest)
//!     bin in the shorter      alike (rank g the highest bit), then group (rank g-1 the highest)
//! ```
//!
//! | | longer list | shorter list | what it saves |
//! |---|---|---|---|
//! | group | sorted by it | blocks for each value, of what does not conflict with it | every pair that conflicts here; but a half-board goes into several blocks |
//! | alike | sorted by it | sorted by it, so that those of a block have most of it alike | what conflicts with all of a block |
//! | others | sorted by them | as they come | a key is looked up once for all that have it |
//! | in chunks | as they come | as they come | nothing: what is left is looked up, chunk by chunk |

use std::ops::Range;

use super::table::{Lists, transpose};
use crate::engine::rows::kernel::Kernel;
use crate::engine::rows::lists::word::Word;
use crate::engine::rows::vector::{BLOCK, EMPTY, InnerLoop, Vector};

/// How lists are sorted and looked up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct JoinShape {
    /// s: the number of diagonals of the key.
    pub key: u32,
    /// g: how many of them tell groups apart, the first.
    pub group: u32,
    /// a: how many of the next the shorter list is sorted by.
    pub alike: u32,
    /// The number of the diagonals beside the key, which are looked up in chunks.
    pub chunked: u32,
    /// The number of chunks that these are looked up in, 3 or 4.
    pub chunks: u32,
}

impl JoinShape {
    /// The numbers of diagonals in the chunks: as equal as can be.
    pub fn widths(self) -> [u32; 4] {
        std::array::from_fn(|chunk| {
            if (chunk as u32) < self.chunks {
                (self.chunked + self.chunks - 1 - chunk as u32) / self.chunks
            } else {
                0
            }
        })
    }

    /// The bits of the diagonals in [`Chunks`](super::sort::Chunks).
    pub fn addresses(self) -> u64 {
        let address = |(chunk, width): (usize, u32)| ((1 << width) - 1) << (16 * chunk + 6);
        self.widths()
            .into_iter()
            .enumerate()
            .map(address)
            .fold(0, |all, address: u64| all | address)
    }

    /// The number of keys, without the diagonals of the group.
    pub fn keys(self) -> usize {
        1 << (self.key - self.group)
    }

    /// The number of diagonals in the lower half of such a key.
    pub fn low(self) -> u32 {
        (self.key - self.group) / 2
    }
}

/// The diagonals that half-boards of both lists may occupy, those first that both are likely to.
#[derive(Clone, Debug, Default)]
pub struct Ranking {
    ranked: Vec<Diagonal>,
}

/// A diagonal with its place in words.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Diagonal {
    place: u32,
    /// The shares of the longer and of the shorter list that occupy it.
    shares: [f32; 2],
}

impl Diagonal {
    fn both(self) -> f32 {
        self.shares[0] * self.shares[1]
    }
}

/// For each bit, how many of up to 512 words have it.
struct CountBits<'a>(&'a [u32]);

impl InnerLoop for CountBits<'_> {
    type Output = [u32; 32];

    #[inline(always)]
    fn run<V: Vector>(self) -> [u32; 32] {
        let mut bitsets = [EMPTY; 32];
        transpose::<V>(self.0, &mut bitsets);
        let mut counts = [0; 32];
        for (count, bitset) in counts.iter_mut().zip(&bitsets) {
            *count = V::load(bitset).add_ones_to(V::splat(0)).sum() as u32;
        }
        counts
    }
}

/// The half-boards of a list that diagonals are counted in.
const SAMPLE: usize = BLOCK;

/// The most diagonals in chunks: 4 times 8.
const MOST_CHUNKED: u32 = 32;

/// The most bits of a key that a model may choose. Where more diagonals than 45 are in use, there
/// are more.
const KEY: u32 = 13;

/// The most diagonals that both halves may occupy. Half-boards of h rows share 4 h - 2 at most, 46
/// for h = 12. A key has 16 bits at most, because the number of a bin is a `u16`, and half a key
/// the index of one of 256 entries.
pub const MOST_SHARED: u32 = MOST_CHUNKED + 16;

impl Ranking {
    /// Ranks the diagonals of two lists.
    pub fn rank<W: Word>(&mut self, kernel: Kernel, lists: &Lists<W>) {
        let mut shares = [[0.0; 64]; 2];
        let mut words = [[0; SAMPLE]; 2];
        for (list, shares) in [lists.longer, lists.shorter].into_iter().zip(&mut shares) {
            let list = list.words();
            let sampled = list.len().min(SAMPLE);
            // As far apart as can be, in steps of 2^-32.
            let step = ((list.len() as u64) << 32) / sampled as u64;
            for i in 0..sampled {
                let word = list[((i as u64 * step) >> 32) as usize].to_u64();
                words[0][i] = word as u32;
                words[1][i] = (word >> 32) as u32;
            }
            for (i, words) in words.iter().enumerate().take(W::BITS as usize / 32) {
                for (share, count) in shares[32 * i..]
                    .iter_mut()
                    .zip(kernel.run(CountBits(&words[..sampled])))
                {
                    *share = count as f32 / sampled as f32;
                }
            }
        }
        let used = lists.longer.used.to_u64() & lists.shorter.used.to_u64();
        self.ranked.clear();
        for place in (0..u64::BITS).filter(|place| used >> place & 1 == 1) {
            self.ranked.push(Diagonal {
                place,
                shares: shares.map(|shares| shares[place as usize]),
            });
        }
        self.ranked
            .sort_unstable_by(|a, b| b.both().total_cmp(&a.both()));
    }

    /// The places of the diagonals of these ranks.
    pub fn places(&self, ranks: Range<u32>) -> impl DoubleEndedIterator<Item = u32> + Clone + '_ {
        self.ranked[ranks.start as usize..ranks.end as usize]
            .iter()
            .map(|diagonal| diagonal.place)
    }

    /// The places of all but the first ones, as bits.
    pub fn mask_from(&self, rank: u32) -> u64 {
        self.ranked[rank as usize..]
            .iter()
            .fold(0, |mask, diagonal| mask | 1 << diagonal.place)
    }

    /// The shape of least cost for lists of these lengths.
    pub fn best(&self, longer: usize, shorter: usize) -> JoinShape {
        let cost = |shape: &JoinShape| self.cost(*shape, longer as f32, shorter as f32);
        let costs = self.shapes(shorter).map(|shape| (cost(&shape), shape));
        let (_, best) = costs
            .min_by(|one, other| one.0.total_cmp(&other.0))
            .expect("chunks of eight diagonals always do");
        best
    }

    /// The shapes that there are for a shorter list of this length.
    ///
    /// # Panics
    /// When both lists share more diagonals than a key and four chunks take.
    pub fn shapes(&self, shorter: usize) -> impl Iterator<Item = JoinShape> {
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
                // A larger key pays where it makes the tables smaller.
                let key = shared.saturating_sub(widest).clamp(least, most);
                (shared - key <= 8 * chunks).then_some((chunks, key))
            });
        keys.flat_map(move |(chunks, key)| {
            (0..=key.min(GROUP)).map(move |group| {
                // Enough to tell blocks apart, and so many that the other diagonals fit into a word
                // of a block.
                let alike = (2 * shorter / BLOCK + 1)
                    .ilog2()
                    .min(key - group)
                    .min(ALIKE);
                let alike = alike.max((shared - group).saturating_sub(u32::BITS));
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

    /// About the cycles that a join takes.
    fn cost(&self, shape: JoinShape, longer: f32, shorter: f32) -> f32 {
        let (group, others) = self.ranked[..shape.key as usize].split_at(shape.group as usize);
        // A half-board goes into a block for each value of the group that it does not conflict
        // with.
        let copies: f32 = group
            .iter()
            .map(|diagonal| 2.0 - diagonal.shares[1])
            .product();
        let blocks = shorter * copies / BLOCK as f32 + 0.5 * (1 << shape.group) as f32;
        // Blocks of a group are alike in as many bits as it takes to number them.
        let mut alike_bits = (blocks / (1 << shape.group) as f32).log2();
        let mut looked_up: f32 = group.iter().map(|diagonal| 1.0 - diagonal.both()).product();
        for diagonal in others {
            if alike_bits <= 0.0 {
                break;
            }
            looked_up *= 1.0 - diagonal.both() * alike_bits.min(1.0);
            alike_bits -= 1.0;
        }
        let lookups = longer * (shorter / BLOCK as f32 + 0.5) * looked_up;
        let keys = shape.keys() as f32;
        let entries = shape
            .widths()
            .iter()
            .map(|width| 1u32 << width)
            .sum::<u32>() as f32;
        SORTED * (longer + shorter)
            + SORTED_BEYOND * shape.key.saturating_sub(7) as f32 * longer
            + BIN * (1u32 << shape.key) as f32
            + blocks
                * (TURNED + ENTRY * (entries + 2.0 * keys.sqrt()) + KEY_VISITED * keys * looked_up)
            + lookups * (LOOKUP + CHUNK * shape.chunks as f32)
    }
}

/// The most diagonals of a group, and that the shorter list is sorted by beside them.
const GROUP: u32 = 4;
const ALIKE: u32 = 8;

/// About the cycles for sorting a half-board, and more for each diagonal of the key beyond seven;
/// for a bin of the sort; for turning a block, for an entry of a table, for a key that is visited;
/// for a lookup, and more for each chunk. Measured (`cargo bench -p benches --bench rows`):
/// `docs/speed.md`.
const SORTED: f32 = 6.6;
const SORTED_BEYOND: f32 = 1.0;
const BIN: f32 = 3.0;
const TURNED: f32 = 2000.0;
const ENTRY: f32 = 4.0;
const KEY_VISITED: f32 = 20.0;
const LOOKUP: f32 = 1.7;
const CHUNK: f32 = 0.85;
