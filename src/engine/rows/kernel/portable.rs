//! The portable kernel, which consists of safe code and runs on all CPUs.

use crate::engine::rows::vector::{Bitset, Counter, InnerLoop, Mask, Simd, Vector};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Portable;

impl Portable {
    pub(super) fn detect() -> Option<Self> {
        Some(Self)
    }

    /// Runs an inner loop in a separate function, as the other kernels do.
    #[inline(never)]
    pub(super) fn run<L: InnerLoop>(self, inner: L) -> L::Output {
        inner.run(self)
    }
}

impl Simd for Portable {
    type Vector = Bitset;
    type Counter = u64;
    type Mask = Moves;

    #[inline(always)]
    fn splat(self, word: u64) -> Bitset {
        Bitset([word; 8])
    }

    #[inline(always)]
    fn load(self, bitset: &Bitset) -> Bitset {
        *bitset
    }

    #[inline(always)]
    fn counter(self) -> u64 {
        0
    }

    fn mask(self, bits: u64) -> Moves {
        Moves::new(bits)
    }
}

impl Vector for Bitset {
    #[inline(always)]
    fn store(self, bitset: &mut Bitset) {
        *bitset = self;
    }

    #[inline(always)]
    fn or(self, other: Self) -> Self {
        let Self([a, b, c, d, e, f, g, h]) = self;
        let Self([i, j, k, l, m, n, o, p]) = other;
        Self([a | i, b | j, c | k, d | l, e | m, f | n, g | o, h | p])
    }

    #[inline(always)]
    fn is_full(self) -> bool {
        self == Self([u64::MAX; 8])
    }
}

impl Counter<Bitset> for u64 {
    #[inline(always)]
    fn add(self, bitset: Bitset) -> Self {
        let ones = bitset.0.iter().map(|word| Self::from(word.count_ones()));
        self + ones.sum::<Self>()
    }

    #[inline(always)]
    fn sum(self) -> u64 {
        self
    }
}

/// A mask, and the moves that bring together the bits it selects: the bits that move by 1 position,
/// those that move by 2, by 4, and so on.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Moves {
    mask: u64,
    moves: [u64; 6],
}

impl Moves {
    /// Computes the moves as in Hacker's Delight, 7-4 (compress, or generalized extract).
    pub(super) fn new(mask: u64) -> Self {
        let mut moves = [0; 6];
        let mut moved = mask;
        // A bit of `gaps` is set if the position below it is a gap that is not closed yet.
        let mut gaps = !mask << 1;
        for (step, of_step) in moves.iter_mut().enumerate() {
            // A bit of `parity` is set if the number of such gaps below it is odd.
            let parity = (0..6).fold(gaps, |parity, shift| parity ^ parity << (1 << shift));
            *of_step = parity & moved;
            moved = moved ^ *of_step | *of_step >> (1 << step);
            gaps &= !parity;
        }
        Self { mask, moves }
    }
}

impl Mask for Moves {
    #[inline(always)]
    fn extract(self, word: u64) -> u64 {
        let mut word = word & self.mask;
        for (step, of_step) in self.moves.iter().enumerate() {
            let moved = word & of_step;
            word = word ^ moved | moved >> (1 << step);
        }
        word
    }

    /// Reverses the moves, as in Hacker's Delight, 7-5 (expand).
    #[inline(always)]
    fn deposit(self, mut word: u64) -> u64 {
        for (step, of_step) in self.moves.iter().enumerate().rev() {
            word = word & !of_step | word << (1 << step) & of_step;
        }
        word & self.mask
    }
}
