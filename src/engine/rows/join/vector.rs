//! Vectors: what an instruction set has to offer, so that the loops of the engine are written once for all of them.

use super::bitset::Bitset;
use super::table::{Address, Table};

/// 512 bits, as eight words that are worked on alike.
pub trait Vector: Copy {
    /// All words equal to `word`.
    fn splat(word: u64) -> Self;
    /// The vector held in a bitset.
    fn load(bitset: &Bitset) -> Self;
    /// The vector held at an address of a table.
    #[inline(always)]
    fn load_at(table: &Table, address: Address) -> Self {
        // The remainder changes nothing and spares a check of bounds.
        Self::load(&table[address.bytes() / size_of::<Bitset>() % table.len()])
    }
    /// Puts the vector in a bitset.
    fn store(self, bitset: &mut Bitset);
    /// Bitwise OR.
    fn or(self, other: Self) -> Self;
    /// Bitwise OR of three.
    #[inline(always)]
    fn or3(self, other: Self, third: Self) -> Self {
        self.or(other).or(third)
    }
    /// Bitwise AND.
    fn and(self, other: Self) -> Self;
    /// Bitwise exclusive OR.
    fn xor(self, other: Self) -> Self;
    /// Each word shifted towards its high end.
    fn shift_left<const D: u32>(self) -> Self;
    /// Each word shifted towards its low end.
    fn shift_right<const D: u32>(self) -> Self;
    /// Whether every bit is set.
    fn is_full(self) -> bool;
    /// Adds the numbers of set bits to the words of `counts`, in whatever arrangement [`Vector::sum`] takes.
    fn add_ones_to(self, counts: Self) -> Self;
    /// The sum of the words.
    fn sum(self) -> u64;
}
