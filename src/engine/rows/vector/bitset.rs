//! Bitsets: 512 bits, one for each bottom of a block. And tables of them, with the addresses of their entries.

/// A set of bottoms of a block: bit b of word w stands for bottom 16 (b mod 32) + 2 w + b div 32, because 512 words are
/// turned as sixteen squares of 32 x 32 bits, two side by side in each word.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(align(64))]
pub struct Bitset(pub [u64; 8]);

/// The bottoms of a block.
pub const BLOCK: usize = 512;

/// No bottoms.
pub const EMPTY: Bitset = Bitset([0; 8]);

/// A bitset for each subset of up to eight diagonals.
pub type Table = [Bitset; 256];

/// Where an entry of a [`Table`] is: 64 times its number, so that nothing is left to compute.
#[derive(Clone, Copy, Debug, Default)]
pub struct Address(u16);

impl Address {
    /// The addresses in a word, the first in its lowest bits.
    #[inline(always)]
    pub fn four(word: u64) -> [Self; 4] {
        let word = word & 0x3fc0_3fc0_3fc0_3fc0;
        [Self(word as u16), Self((word >> 16) as u16), Self((word >> 32) as u16), Self((word >> 48) as u16)]
    }

    /// The addresses that the bytes of a word stand for, the lowest first.
    #[inline(always)]
    pub fn of_bytes(word: u32) -> [Self; 4] {
        // One by one, because a closure that the standard library calls need not become part of the loop.
        let [a, b, c, d] = word.to_le_bytes();
        [Self::of_byte(a), Self::of_byte(b), Self::of_byte(c), Self::of_byte(d)]
    }

    #[inline(always)]
    fn of_byte(byte: u8) -> Self {
        Self(u16::from(byte) << 6)
    }

    /// The distance from the beginning of the table, in bytes: that of an entry, whatever the table holds.
    #[inline(always)]
    pub fn bytes(self) -> usize {
        self.0.into()
    }
}
