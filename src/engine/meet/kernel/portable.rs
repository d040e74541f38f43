//! The kernel for every processor, in safe code. The others are tested against it.

use super::loops::{Candidate, Loops};
use crate::engine::Stop;
use crate::engine::meet::join::{Bitset, Join, Sides, Vector, Workspace};
use crate::engine::meet::lists::{Batch, Half, Quarter};

/// This kernel, for the list of all kernels. Every processor can run it.
pub const KERNEL: Candidate = (NAME, || Some(&Portable));

const NAME: &str = "portable";

struct Portable;

impl Loops for Portable {
    fn name(&self) -> &'static str {
        NAME
    }

    fn combine(&self, half: &mut Half, quarters: [&Quarter; 2], batch: Batch) {
        half.combine(quarters, batch, Bitset::append);
    }

    fn disjoint_pairs(&self, join: &Join, sides: Sides, workspace: &mut Workspace, stop: &Stop) -> u128 {
        join.disjoint_pairs::<Bitset>(sides, workspace, stop)
    }
}

impl Bitset {
    #[inline(always)]
    fn zip(self, other: Self, operation: impl Fn(u64, u64) -> u64) -> Self {
        Self(std::array::from_fn(|i| operation(self.0[i], other.0[i])))
    }
}

impl Vector for Bitset {
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
