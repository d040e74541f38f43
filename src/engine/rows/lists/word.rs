//! Words: the diagonals that a quarter-board or a half-board occupies, a bit each, and the places
//! of diagonals in them.
//!
//! Words of 32 bits are made and sorted twice as fast as those of 64. The diagonals of boards up to
//! N = 18 fit into them, and of N = 19 for most cores.

use std::fmt::Debug;
use std::ops::{BitAnd, BitOr};

use crate::engine::rows::theory::core::Diagonals;
use crate::engine::rows::vector::Vector;

/// A set of diagonals of a core.
pub trait Word:
    Copy + Default + PartialEq + Debug + BitAnd<Output = Self> + BitOr<Output = Self> + Send + 'static
{
    /// The number of diagonals that have a place.
    const BITS: u32;
    /// The word with these bits; those above [`Word::BITS`] are lost.
    fn from_u64(bits: u64) -> Self;
    fn to_u64(self) -> u64;
    /// Appends the ORs of all pairs without a common bit, in any order.
    fn append<V: Vector>(few: &[Self], many: &[Self], out: &mut Vec<Self>);
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
    fn append<V: Vector>(few: &[Self], many: &[Self], out: &mut Vec<Self>) {
        V::append_narrow(few, many, out);
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
    fn append<V: Vector>(few: &[Self], many: &[Self], out: &mut Vec<Self>) {
        V::append_wide(few, many, out);
    }
}

/// The place of each relevant diagonal.
#[derive(Clone, Debug, Default)]
pub struct Places {
    relevant: Diagonals,
    places: Vec<u32>,
}

impl Places {
    pub fn new<W: Word>(relevant: Diagonals) -> Self {
        let count = relevant.count_ones();
        assert!(
            count <= W::BITS,
            "{count} diagonals in words of {} bits",
            W::BITS
        );
        let places = match W::BITS {
            // Evenly in the bytes, which are what short lists look up.
            32 => (0..4)
                .flat_map(|byte| 8 * byte..8 * byte + (count + 3 - byte) / 4)
                .collect(),
            _ => (0..count).collect(),
        };
        Self { relevant, places }
    }

    /// The relevant ones of some diagonals, each at its place.
    #[inline]
    pub fn word<W: Word>(&self, diagonals: Diagonals) -> W {
        let mut left = diagonals & self.relevant;
        let mut word = 0;
        while left != 0 {
            let diagonal = left & left.wrapping_neg();
            left ^= diagonal;
            word |= 1 << self.places[(self.relevant & (diagonal - 1)).count_ones() as usize];
        }
        W::from_u64(word)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_relevant_diagonal_has_a_place_of_its_own_and_the_others_have_none() {
        for count in 0..=64u32 {
            let relevant: Diagonals = (0..count).fold(0, |all, i| all | 1 << (2 * i - i % 2));
            let check = |word: &dyn Fn(Diagonals) -> u64| {
                let each: Vec<u64> = (0..128)
                    .filter(|bit| relevant >> bit & 1 == 1)
                    .map(|bit| word(1 << bit))
                    .collect();
                assert!(each.iter().all(|word| word.count_ones() == 1));
                assert_eq!(each.iter().fold(0, |all, word| all | word), word(relevant));
                assert_eq!((word(relevant).count_ones(), word(!relevant)), (count, 0));
            };
            let wide = Places::new::<u64>(relevant);
            check(&|diagonals| wide.word::<u64>(diagonals));
            if count <= 32 {
                let narrow = Places::new::<u32>(relevant);
                check(&|diagonals| narrow.word::<u32>(diagonals).into());
                let bytes = narrow
                    .word::<u32>(relevant)
                    .to_le_bytes()
                    .map(u8::count_ones);
                assert!(
                    bytes
                        .iter()
                        .all(|ones| count / 4 <= *ones && *ones <= count.div_ceil(4)),
                    "{bytes:?}"
                );
            }
        }
    }
}
