//! What an instruction set has to offer to this engine beside [`Vector`]: half-boards appended, and bits picked out.

use crate::engine::rows::join::vector::Vector;

/// A [`Vector`] whose instruction set also compresses words and bits.
pub trait Compress: Vector {
    /// Some bits of a word, made ready.
    type Mask: Copy;

    /// Makes the bits of a mask ready.
    fn mask(mask: u64) -> Self::Mask;
    /// The bits of a word at a mask, side by side.
    fn extract(word: u64, mask: Self::Mask) -> u64;
    /// The lowest bits of a word, spread to the places of a mask.
    fn deposit(word: u64, mask: Self::Mask) -> u64;
    /// Appends what [`append`](super::lists::word::append) appends, in any order.
    fn append_narrow(few: &[u32], many: &[u32], out: &mut Vec<u32>);
    /// The same for wide words.
    fn append_wide(few: &[u64], many: &[u64], out: &mut Vec<u64>);
}
