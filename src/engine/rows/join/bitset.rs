//! Bitsets: 512 bits, one for each bottom of a block.

/// A set of bottoms of a block: bit b of word w stands for bottom 8 b + w.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(align(64))]
pub struct Bitset(pub [u64; 8]);

/// The bottoms of a block.
pub const BLOCK: usize = 512;

/// No bottoms.
pub const EMPTY: Bitset = Bitset([0; 8]);
