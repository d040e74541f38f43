//! Words: the relevant diagonals that a quarter-board or half-board occupies, as bitmasks.
//!
//! 32-bit words are generated and sorted twice as fast as 64-bit words. They are enough for all
//! boards up to N = 18, and for most cores of N = 19.

use std::fmt::Debug;
use std::ops::{BitAnd, BitOr};

use crate::engine::rows::theory::core::Diagonals;
use crate::engine::rows::vector::{Reserved, Simd};

pub(crate) trait Word: Copy + Default + PartialEq + Debug + Send + 'static
where
    Self: BitAnd<Output = Self> + BitOr<Output = Self>,
{
    const BITS: u32;
    /// Drops the bits beyond the first [`Word::BITS`].
    fn from_u64(bits: u64) -> Self;
    fn to_u64(self) -> u64;
    /// Appends the OR of each pair of words that have no bits in common, in any order. Fails if
    /// there is not enough memory for all pairs.
    fn append<S: Simd>(simd: S, few: &[Self], many: &[Self], out: &mut Vec<Self>) -> Reserved;
}

impl Word for u32 {
    const BITS: u32 = Self::BITS;

    #[inline(always)]
    fn from_u64(bits: u64) -> Self {
        bits as Self
    }

    #[inline(always)]
    fn to_u64(self) -> u64 {
        self.into()
    }

    #[inline(always)]
    fn append<S: Simd>(simd: S, few: &[Self], many: &[Self], out: &mut Vec<Self>) -> Reserved {
        simd.append_narrow(few, many, out)
    }
}

impl Word for u64 {
    const BITS: u32 = Self::BITS;

    #[inline(always)]
    fn from_u64(bits: u64) -> Self {
        bits
    }

    #[inline(always)]
    fn to_u64(self) -> u64 {
        self
    }

    #[inline(always)]
    fn append<S: Simd>(simd: S, few: &[Self], many: &[Self], out: &mut Vec<Self>) -> Reserved {
        simd.append_wide(few, many, out)
    }
}

/// The bit position of each relevant diagonal.
#[derive(Default)]
pub(crate) struct BitPositions {
    relevant: Diagonals,
    positions: Vec<u32>,
}

impl BitPositions {
    pub(crate) fn new<W: Word>(relevant: Diagonals) -> Self {
        let count = relevant.count_ones();
        assert!(
            count <= W::BITS,
            "{count} diagonals in words of {} bits",
            W::BITS
        );
        let positions = match W::BITS {
            // Short lists are looked up byte by byte, so spread the diagonals evenly over the
            // bytes.
            32 => (0..4)
                .flat_map(|byte| 8 * byte..8 * byte + (count + 3 - byte) / 4)
                .collect(),
            _ => (0..count).collect(),
        };
        Self {
            relevant,
            positions,
        }
    }

    /// Returns the word for these diagonals, ignoring those that are not relevant.
    #[inline]
    pub(crate) fn word<W: Word>(&self, diagonals: Diagonals) -> W {
        let mut left = diagonals & self.relevant;
        let mut word = 0;
        while left != 0 {
            let diagonal = left & left.wrapping_neg();
            left ^= diagonal;
            word |= 1 << self.positions[(self.relevant & (diagonal - 1)).count_ones() as usize];
        }
        W::from_u64(word)
    }
}
