//! The kernel for every processor, in safe code. The others are tested against it.

use crate::engine::rows::vector::{Bitset, InnerLoop, Mask, Vector};

/// Runs an inner loop: a function of its own, as those of the other kernels are.
#[inline(never)]
pub fn run<L: InnerLoop>(inner: L) -> L::Output {
    inner.run::<Bitset>()
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
        let word = |i: usize| self.0[i] | other.0[i];
        Self([
            word(0),
            word(1),
            word(2),
            word(3),
            word(4),
            word(5),
            word(6),
            word(7),
        ])
    }

    #[inline(always)]
    fn is_full(self) -> bool {
        self == Self::splat(u64::MAX)
    }

    /// All are added to the first word, a single sum, which compilers make of whole registers.
    #[inline(always)]
    fn add_ones_to(self, counts: Self) -> Self {
        let ones: u64 = self.0.iter().map(|word| u64::from(word.count_ones())).sum();
        Self([counts.0[0] + ones, 0, 0, 0, 0, 0, 0, 0])
    }

    #[inline(always)]
    fn sum(self) -> u64 {
        self.0[0]
    }
}

/// A mask, and which of its bits have to move by 1, 2, 4, ... places to come together.
#[derive(Clone, Copy, Debug)]
pub struct Moves {
    mask: u64,
    moves: [u64; 6],
}

impl Mask for Moves {
    /// The moves of a mask. (Hacker's Delight, 7-4: compress, or generalized extract.)
    fn new(mask: u64) -> Self {
        let mut moves = [0; 6];
        let mut moved = mask;
        // Bits below which the number of gaps is yet to be divided by two.
        let mut gaps = !mask << 1;
        for (step, of_step) in moves.iter_mut().enumerate() {
            // For each place whether the number of gaps up to there is odd.
            let parity = (0..6).fold(gaps, |parity, shift| parity ^ parity << (1 << shift));
            *of_step = parity & moved;
            moved = moved ^ *of_step | *of_step >> (1 << step);
            gaps &= !parity;
        }
        Self { mask, moves }
    }

    #[inline(always)]
    fn extract(self, word: u64) -> u64 {
        let mut word = word & self.mask;
        for (step, of_step) in self.moves.iter().enumerate() {
            let moved = word & of_step;
            word = word ^ moved | moved >> (1 << step);
        }
        word
    }

    /// (Hacker's Delight, 7-5: expand.)
    #[inline(always)]
    fn deposit(self, mut word: u64) -> u64 {
        for (step, of_step) in self.moves.iter().enumerate().rev() {
            word = word & !of_step | word << (1 << step) & of_step;
        }
        word & self.mask
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn bits_are_picked_out_and_spread_as_bit_by_bit(word: u64, mask: u64, other: u64) {
            for mask in [mask, mask & other, mask | other, 0, u64::MAX] {
                let moves = Moves::new(mask);
                let places: Vec<u32> = (0..64).filter(|place| mask >> place & 1 == 1).collect();
                let picked = (0..).zip(&places).fold(0u64, |all, (i, place)| all | (word >> place & 1) << i);
                let spread = (0..).zip(&places).fold(0u64, |all, (i, place)| all | (word >> i & 1) << place);
                prop_assert_eq!(moves.extract(word), picked);
                prop_assert_eq!(moves.deposit(word), spread);
            }
        }
    }
}
