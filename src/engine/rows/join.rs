//! The join: in how many pairs of a top and a bottom half-board do the two share no diagonal?
//!
//! For speed alone; a double loop over both lists (`queencount::plain`) counts the same. Bottoms are taken 512 at a time, as a
//! **block**, and a table for each **chunk** of diagonals says which of them occupy some of it. A top is a handful of chunks: the OR of
//! one table entry for each says which of the 512 bottoms it conflicts with, and the zeros are counted. So each pair costs
//! a fraction of a bit operation, and its price is that of loading the entries.
//!
//! - `direct`: short lists, looked up as they lie.
//! - `keyed`: long lists, both sorted by the diagonals that both occupy most, so that most pairs need not be looked up.
//! - `key`: which diagonals these are, and how many of them pay.

mod direct;
mod key;
mod keyed;
mod sort;

use self::key::Ranking;
use self::sort::Sorted;
use super::kernel::Compress;
use super::lists::half::Half;
use super::lists::word::Word;
use crate::engine::Stop;
use crate::engine::meet::join::{BLOCK, Bitset, EMPTY};

/// What is joined.
#[derive(Clone, Copy)]
pub struct Sides<'a, W> {
    /// The half-boards of the top.
    pub tops: &'a Half<W>,
    /// The half-boards of the bottom.
    pub bottoms: &'a Half<W>,
    /// What a pair counts, by the number of marks of its top and of its bottom.
    pub weights: [[u64; 3]; 3],
    /// The number of diagonals that have a place in words.
    pub diagonals: u32,
}

/// The tables of the chunks of a block.
type Tables = [[Bitset; 256]; 5];

/// The memory of a join, kept for the next one.
#[derive(Clone, Debug)]
pub struct Workspace {
    tables: Box<Tables>,
    /// The tables of both halves of the key.
    key_tables: [Vec<Bitset>; 2],
    /// The rest of the bottoms of a block, and their keys; then, by bit, those that have it.
    words: Box<[[u32; BLOCK]; 2]>,
    bits: Box<[[Bitset; 32]; 2]>,
    tops: Sorted<[u16; 4]>,
    bottoms: Sorted<u32>,
    ranking: Ranking,
    /// The key that the extracted bits of a word mean.
    order: Vec<u16>,
    /// What has been done, for benches.
    pub work: Work,
}

/// How much work joins have been.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Work {
    /// Half-boards of both sides that were sorted by key.
    pub sorted: u64,
    /// Blocks that were made.
    pub blocks: u64,
    /// Lists of tops with one key that were looked up in a block.
    pub visits: u64,
    /// Tops that were looked up in a block.
    pub lookups: u64,
}

impl Work {
    /// Adds other work.
    pub fn add(&mut self, other: Self) {
        self.sorted += other.sorted;
        self.blocks += other.blocks;
        self.visits += other.visits;
        self.lookups += other.lookups;
    }
}

impl Default for Workspace {
    fn default() -> Self {
        // By way of the heap: arrays of this size would have their place on the stack first.
        Self {
            tables: vec![[EMPTY; 256]; 5].try_into().expect("5 tables"),
            key_tables: Default::default(),
            words: vec![[0; BLOCK]; 2].try_into().expect("2 lists of words"),
            bits: vec![[EMPTY; 32]; 2].try_into().expect("2 lists of bitsets"),
            tops: Sorted::default(),
            bottoms: Sorted::default(),
            ranking: Ranking::default(),
            order: Vec::new(),
            work: Work::default(),
        }
    }
}

/// Lists of narrow words up to this length are joined as they lie: sorting four blocks saves less than it costs.
const SHORT: usize = 4 * BLOCK;

/// The number of disjoint pairs, weighted. Of no meaning once `stop` has been requested.
#[inline(always)]
pub fn disjoint_pairs<V: Compress, W: Word>(sides: Sides<W>, workspace: &mut Workspace, stop: &Stop) -> u128 {
    // The shorter list goes in blocks: they cost more than lookups.
    let Sides { tops, bottoms, weights, .. } = sides;
    let sides = if tops.len() < bottoms.len() {
        let weights = std::array::from_fn(|top| std::array::from_fn(|bottom| weights[bottom][top]));
        Sides { tops: bottoms, bottoms: tops, weights, ..sides }
    } else {
        sides
    };
    if sides.bottoms.len() == 0 {
        0
    } else if W::BITS == 32 && sides.bottoms.len() <= SHORT {
        direct::disjoint_pairs::<V, W>(sides, workspace, stop)
    } else {
        keyed::disjoint_pairs::<V, W>(sides, workspace, stop)
    }
}
