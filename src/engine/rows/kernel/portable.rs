//! The kernel for every processor, in safe code. The others are tested against it.

use super::moves::Moves;
use crate::engine::rows::vector::bitset::Bitset;
use crate::engine::rows::vector::{InnerLoop, Vector};

/// Runs an inner loop.
pub fn run<L: InnerLoop>(inner: L) -> L::Output {
    inner.run::<Bitset>()
}

impl Bitset {
    #[inline(always)]
    fn zip(self, other: Self, operation: impl Fn(u64, u64) -> u64) -> Self {
        // One by one, because a closure that the standard library calls need not become part of the loop.
        let word = |i: usize| operation(self.0[i], other.0[i]);
        Self([word(0), word(1), word(2), word(3), word(4), word(5), word(6), word(7)])
    }
}

impl Vector for Bitset {
    type Mask = Moves;

    #[inline(always)]
    fn splat(word: u64) -> Self {
        Self([word; 8])
    }

    #[inline(always)]
    fn load(bitset: &Bitset) -> Self {
        *bitset
    }

    #[inline(always)]
    fn store(self, bitset: &mut Bitset) {
        *bitset = self;
    }

    #[inline(always)]
    fn or(self, other: Self) -> Self {
        self.zip(other, |a, b| a | b)
    }

    #[inline(always)]
    fn and(self, other: Self) -> Self {
        self.zip(other, |a, b| a & b)
    }

    #[inline(always)]
    fn xor(self, other: Self) -> Self {
        self.zip(other, |a, b| a ^ b)
    }

    #[inline(always)]
    fn shift_left<const D: u32>(self) -> Self {
        Self(self.0.map(|word| word << D))
    }

    #[inline(always)]
    fn shift_right<const D: u32>(self) -> Self {
        Self(self.0.map(|word| word >> D))
    }

    #[inline(always)]
    fn is_full(self) -> bool {
        self == Self::splat(u64::MAX)
    }

    #[inline(always)]
    fn add_ones_to(self, counts: Self) -> Self {
        self.zip(counts, |word, count| count + u64::from(word.count_ones()))
    }

    #[inline(always)]
    fn sum(self) -> u64 {
        self.0.iter().sum()
    }
}
