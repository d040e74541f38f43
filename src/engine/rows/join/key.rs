//! The key: the diagonals that both lists are sorted by.
//!
//! Of a sample of each list it is counted how often each diagonal is occupied. A pair of which both halves occupy a
//! diagonal need not be looked up, so the best diagonals are those where this is likely: the product of both shares is
//! large. The s best become the key. They are looked up no more, and the others fit into fewer chunks.
//!
//! Blocks of sorted bottoms are alike in the first bits of the key, and tops that conflict with what is common to a
//! block are passed over. The g best of all are the **group**: for each value that tops have there, blocks are made
//! anew, out of bottoms that do not conflict. That is exact, not only likely, but a bottom goes into several blocks.
//!
//! How many diagonals pay depends on the lists. A model of the cost says how many: see [`Ranking::best`].

use super::sides::Sides;
use crate::engine::meet::join::{BLOCK, Bitset, transpose};
use crate::engine::rows::compress::Compress;
use crate::engine::rows::lists::word::Word;

/// The diagonals that both sides may occupy, those first that both are likely to.
#[derive(Clone, Debug, Default)]
pub struct Ranking {
    ranked: Vec<Diagonal>,
}

/// A diagonal with its place in words.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Diagonal {
    place: u32,
    /// The shares of tops and of bottoms that occupy it.
    shares: [f32; 2],
}

impl Diagonal {
    fn both(self) -> f32 {
        self.shares[0] * self.shares[1]
    }
}

/// How lists are sorted and looked up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shape {
    /// The bits of the key.
    pub key: u32,
    /// How many of them tell groups apart: its lowest bits.
    pub group: u32,
    /// The number of the other diagonals.
    pub rest: u32,
    /// The number of chunks, 3 or 4, and of the diagonals of each.
    pub chunks: u32,
    pub width: u32,
}

/// The most diagonals in chunks: 4 times 8.
const CHUNKED: u32 = 32;

/// The most bits of a key that a model may choose. Where more diagonals than 45 are in use, there are more.
const KEY: u32 = 13;

impl Ranking {
    /// Ranks the diagonals of two lists.
    #[inline(always)]
    pub fn rank<V: Compress, W: Word>(
        &mut self,
        sides: Sides<W>,
        words: &mut [[u32; BLOCK]; 2],
        bits: &mut [[Bitset; 32]; 2],
    ) {
        let mut shares = [[0.0; 64]; 2];
        for (half, shares) in [sides.tops, sides.bottoms].into_iter().zip(&mut shares) {
            let list = half.words();
            let sampled = list.len().min(BLOCK);
            for i in 0..sampled {
                let word = list[i * list.len() / sampled].bits();
                words[0][i] = word as u32;
                words[1][i] = (word >> 32) as u32;
            }
            for (i, (words, bits)) in words.iter().zip(bits.iter_mut()).enumerate().take(W::BITS as usize / 32) {
                transpose::<V>(&words[..sampled], bits);
                for (share, bitset) in shares[32 * i..].iter_mut().zip(bits.iter()) {
                    *share = V::load(bitset).add_ones_to(V::splat(0)).sum() as f32 / sampled as f32;
                }
            }
        }
        let used = sides.tops.used.bits() & sides.bottoms.used.bits();
        self.ranked.clear();
        for place in (0..u64::BITS).filter(|place| used >> place & 1 == 1) {
            self.ranked.push(Diagonal { place, shares: shares.map(|shares| shares[place as usize]) });
        }
        self.ranked.sort_unstable_by(|a, b| b.both().total_cmp(&a.both()));
    }

    /// The places of the key's diagonals, best first.
    pub fn key(&self, shape: Shape) -> impl Iterator<Item = u32> + Clone + '_ {
        self.ranked[..shape.key as usize].iter().map(|diagonal| diagonal.place)
    }

    /// The places of the others, as bits.
    pub fn rest(&self, shape: Shape) -> u64 {
        self.ranked[shape.key as usize..].iter().fold(0, |rest, diagonal| rest | 1 << diagonal.place)
    }

    /// The shape of least cost for lists of these lengths.
    pub fn best(&self, tops: usize, bottoms: usize) -> Shape {
        let open = self.ranked.len() as u32;
        let least = open.saturating_sub(CHUNKED);
        let most = KEY.min(open).max(least);
        // A larger key pays where it saves a chunk, or half of the tables.
        let sizes = [32, 28, 24, 21, 18].map(|rest| open.saturating_sub(rest).clamp(least, most));
        let mut best = (f32::INFINITY, Shape::new(open, least, 0));
        let mut last = None;
        for key in sizes.into_iter().filter(|&key| last.replace(key) != Some(key)) {
            for group in 0..=key.min(GROUP) {
                let shape = Shape::new(open, key, group);
                let cost = self.cost(shape, tops as f32, bottoms as f32);
                if cost < best.0 {
                    best = (cost, shape);
                }
            }
        }
        best.1
    }

    /// About the cycles that a join takes.
    fn cost(&self, shape: Shape, tops: f32, bottoms: f32) -> f32 {
        let (group, others) = self.ranked[..shape.key as usize].split_at(shape.group as usize);
        // A bottom goes into a block for each value of the group that it does not conflict with.
        let copies: f32 = group.iter().map(|diagonal| 2.0 - diagonal.shares[1]).product();
        let blocks = bottoms * copies / BLOCK as f32 + 0.5 * (1 << shape.group) as f32;
        // Blocks of a group are alike in as many bits as it takes to number them.
        let mut alike = (blocks / (1 << shape.group) as f32).log2();
        let mut looked_up: f32 = group.iter().map(|diagonal| 1.0 - diagonal.both()).product();
        for diagonal in others {
            if alike <= 0.0 {
                break;
            }
            looked_up *= 1.0 - diagonal.both() * alike.min(1.0);
            alike -= 1.0;
        }
        let lookups = tops * (bottoms / BLOCK as f32 + 0.5) * looked_up;
        let keys = (1u32 << (shape.key - shape.group)) as f32;
        let entries = (shape.chunks << shape.width.min(shape.rest)) as f32 + 2.0 * keys.sqrt();
        SORTED * (tops + bottoms)
            + BIN * (1u32 << shape.key) as f32
            + blocks * (TRANSPOSED + ENTRY * entries + KEY_VISITED * keys * looked_up)
            + lookups * (LOOKUP + CHUNK * shape.chunks as f32)
    }
}

/// The most bits that tell groups apart.
const GROUP: u32 = 4;

/// About the cycles for sorting a half-board, for a bin of the sort, for turning a block, for an entry of a table, for a key that
/// is visited, and for a lookup beside that of each chunk. Measured on an Intel Xeon of the fourth generation.
const SORTED: f32 = 6.0;
const BIN: f32 = 3.0;
const TRANSPOSED: f32 = 1200.0;
const ENTRY: f32 = 1.6;
const KEY_VISITED: f32 = 20.0;
const LOOKUP: f32 = 0.8;
const CHUNK: f32 = 0.8;

impl Shape {
    /// The shape with such a key for so many diagonals in use.
    fn new(open: u32, key: u32, group: u32) -> Self {
        let (chunks, width) = match open - key {
            0..=18 => (3, 6),
            19..=21 => (3, 7),
            22..=24 => (3, 8),
            25..=28 => (4, 7),
            _ => (4, 8),
        };
        Self { key, group, rest: open - key, chunks, width }
    }
}
