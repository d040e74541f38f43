//! What a join needs beside its lists.

use super::key::Ranking;
use super::sort::Sorted;
use crate::engine::meet::join::{BLOCK, Bitset, EMPTY};

/// The tables of the chunks of a block.
pub type Tables = [[Bitset; 256]; 5];

/// The memory of a join, kept for the next one.
#[derive(Clone, Debug)]
pub struct Workspace {
    pub tables: Box<Tables>,
    /// The tables of both halves of the key.
    pub key_tables: [Vec<Bitset>; 2],
    /// The rest of the bottoms of a block, and their keys; then, by bit, those that have it.
    pub words: Box<[[u32; BLOCK]; 2]>,
    pub bits: Box<[[Bitset; 32]; 2]>,
    pub tops: Sorted<[u16; 4]>,
    pub bottoms: Sorted<u32>,
    pub ranking: Ranking,
    /// The key that the extracted bits of a word mean.
    pub order: Vec<u16>,
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
        }
    }
}
