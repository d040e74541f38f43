//! Blocks: 512 bottoms, turned so that they can be looked up all at once. They are there for speed alone.

use std::ops::Range;

use crate::engine::rows::join::bitset::{BLOCK, Bitset};
use crate::engine::rows::join::table::{absent, transpose};
use crate::engine::rows::join::vector::Vector;

/// The bit of a bottom, always clear, that stands for a diagonal that no bottom can occupy.
pub const NO_CONFLICT: usize = 64;

/// The bitsets of a block: bitset d has the bottoms with bit d.
pub type Bitsets = [Bitset; NO_CONFLICT + 1];

/// Up to 512 bottoms, as words of one or two times 32 bits.
#[derive(Clone, Debug)]
pub struct Block {
    words: [[u32; BLOCK]; 2],
    length: usize,
}

impl Default for Block {
    fn default() -> Self {
        Self { words: [[0; BLOCK]; 2], length: 0 }
    }
}

impl Block {
    pub fn is_empty(&self) -> bool {
        self.length == 0
    }

    pub fn is_full(&self) -> bool {
        self.length == BLOCK
    }

    pub fn clear(&mut self) {
        self.length = 0;
    }

    /// Moves as many of `members`, places in `words`, into the block as fit, the first ones first. There may be no
    /// second words.
    #[inline(always)]
    pub fn fill(&mut self, words: &[Vec<u32>; 2], members: &mut Range<usize>) {
        let count = members.len().min(BLOCK - self.length);
        let from = members.start..members.start + count;
        for (here, words) in self.words.iter_mut().zip(words).filter(|(_, words)| !words.is_empty()) {
            here[self.length..self.length + count].copy_from_slice(&words[from.clone()]);
        }
        (self.length, members.start) = (self.length + count, from.end);
    }

    /// Empties the block into its bitsets, which are clear, and returns the places that held no bottom.
    #[inline(always)]
    pub fn take<V: Vector>(&mut self, wide: bool, bitsets: &mut Bitsets) -> Bitset {
        let length = std::mem::take(&mut self.length);
        let (low, high) = bitsets.split_at_mut(32);
        transpose::<V>(&self.words[0][..length], low.try_into().expect("32 bitsets"));
        if wide {
            transpose::<V>(&self.words[1][..length], (&mut high[..32]).try_into().expect("32 bitsets"));
        }
        absent(length)
    }
}
