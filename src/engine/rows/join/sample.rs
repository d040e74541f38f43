//! Samples of lists, from which diagonals are ranked.

use super::table::transpose;
use crate::engine::rows::lists::word::Word;
use crate::engine::rows::vector::{BLOCK, Bitset, Counter, EMPTY, Simd};

#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Diagonal {
    /// The bit position in a word.
    pub position: u32,
    /// The fraction of the shorter list that occupies the diagonal.
    pub shorter: f32,
    /// The fraction of pairs in which both half-boards occupy the diagonal. If diagonals are ranked
    /// greedily, only of the pairs that share none of those before.
    pub both: f32,
}

/// Returns half-board `i` of an evenly spaced sample of `length` half-boards.
#[inline(always)]
pub(super) fn sampled<W: Word>(list: &[W], i: usize, length: usize) -> u64 {
    // In units of 2^-32.
    let step = ((list.len() as u64) << 32) / length as u64;
    list[((i as u64 * step) >> 32) as usize].to_u64()
}

/// Up to 512 half-boards of a list.
pub(super) struct Sample {
    pub length: usize,
    /// For each diagonal, the half-boards that occupy it.
    pub bitsets: [Bitset; 64],
}

impl Sample {
    #[inline(always)]
    pub(super) fn new<S: Simd, W: Word>(simd: S, list: &[W]) -> Self {
        let length = list.len().min(BLOCK);
        let mut words = [0; BLOCK];
        let mut bitsets = [EMPTY; 64];
        let (halves, _) = bitsets.as_chunks_mut();
        for (half, bitsets) in halves[..W::BITS as usize / 32].iter_mut().enumerate() {
            for (i, word) in words[..length].iter_mut().enumerate() {
                *word = (sampled(list, i, length) >> (32 * half)) as u32;
            }
            transpose(simd, &words[..length], bitsets);
        }
        Self { length, bitsets }
    }

    /// Estimates the fraction of the list that occupies a diagonal.
    #[inline(always)]
    pub(super) fn share<S: Simd>(&self, simd: S, position: usize) -> f32 {
        let occupying = simd.counter().add(simd.load(&self.bitsets[position])).sum();
        occupying as f32 / self.length as f32
    }
}
