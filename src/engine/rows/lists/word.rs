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

#[cfg(test)]
mod tests {
    use super::*;

    fn check<W: Word>(relevant: Diagonals) -> W {
        let positions = BitPositions::new::<W>(relevant);
        let word = |diagonals| positions.word::<W>(diagonals).to_u64();
        let mut all = 0;
        for bit in (0..128).filter(|bit| relevant >> bit & 1 == 1) {
            assert_eq!(word(1 << bit).count_ones(), 1);
            all |= word(1 << bit);
        }
        assert_eq!(all, word(relevant));
        assert_eq!(all.count_ones(), relevant.count_ones());
        assert_eq!(word(!relevant), 0);
        W::from_u64(all)
    }

    #[test]
    fn words_have_one_bit_per_relevant_diagonal() {
        for count in 0..=64u32 {
            let relevant: Diagonals = (0..count).fold(0, |all, i| all | 1 << (2 * i - i % 2));
            check::<u64>(relevant);
            if count <= 32 {
                let bytes = check::<u32>(relevant).to_le_bytes().map(u8::count_ones);
                let expected = count / 4..=count.div_ceil(4);
                assert!(
                    bytes.iter().all(|ones| expected.contains(ones)),
                    "{bytes:?}"
                );
            }
        }
    }
}
