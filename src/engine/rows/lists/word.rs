//! Words: the diagonals that a quarter-board or a half-board occupies, a bit each.
//!
//! Words of 32 bits are made and sorted twice as fast as those of 64, and the diagonals of boards up to N = 19 fit into
//! them.

use std::fmt::Debug;
use std::ops::{BitAnd, BitOr};

use crate::engine::rows::vector::Vector;

/// A set of diagonals of a core.
pub trait Word:
    Copy + Default + PartialEq + Debug + BitAnd<Output = Self> + BitOr<Output = Self> + Send + 'static
{
    /// The number of diagonals that have a place.
    const BITS: u32;
    /// The word with these bits; those above [`Word::BITS`] are lost.
    fn from_bits(bits: u64) -> Self;
    /// Its bits.
    fn bits(self) -> u64;
    /// Appends the ORs of all pairs without a common bit, in any order.
    fn append<V: Vector>(few: &[Self], many: &[Self], out: &mut Vec<Self>);
}

impl Word for u32 {
    const BITS: u32 = Self::BITS;

    #[inline(always)]
    fn from_bits(bits: u64) -> Self {
        bits as Self
    }

    #[inline(always)]
    fn bits(self) -> u64 {
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
    fn from_bits(bits: u64) -> Self {
        bits
    }

    #[inline(always)]
    fn bits(self) -> u64 {
        self
    }

    #[inline(always)]
    fn append<V: Vector>(few: &[Self], many: &[Self], out: &mut Vec<Self>) {
        V::append_wide(few, many, out);
    }
}
