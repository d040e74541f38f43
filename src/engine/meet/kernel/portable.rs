//! The kernel for every processor, in safe code: the one that the others are tested against.

use super::{Entry, Loops, Vector};
use crate::engine::Stop;
use crate::engine::meet::block::Row;
use crate::engine::meet::half::{Half, Part};
use crate::engine::meet::join::{Join, Sides, Workspace};
use crate::engine::meet::quarter::Quarter;

/// This kernel, for [`super::ALL`]. Every processor can run it.
pub const KERNEL: Entry = (NAME, || Some(&Portable));

const NAME: &str = "portable";

struct Portable;

impl Loops for Portable {
    fn name(&self) -> &'static str {
        NAME
    }

    fn combine(&self, half: &mut Half, quarters: [&Quarter; 2], part: Part) {
        half.combine(quarters, part, Row::append);
    }

    fn disjoint_pairs(&self, join: &Join, sides: Sides, workspace: &mut Workspace, stop: &Stop) -> u128 {
        join.disjoint_pairs::<Row>(sides, workspace, stop)
    }
}

impl Row {
    #[inline(always)]
    fn zip(self, other: Self, operation: impl Fn(u64, u64) -> u64) -> Self {
        Self(std::array::from_fn(|i| operation(self.0[i], other.0[i])))
    }
}

impl Vector for Row {
    #[inline(always)]
    fn splat(word: u64) -> Self {
        Self([word; 8])
    }

    #[inline(always)]
    fn load(row: &Row) -> Self {
        *row
    }

    #[inline(always)]
    fn store(self, row: &mut Row) {
        *row = self;
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
