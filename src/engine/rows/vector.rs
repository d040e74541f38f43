//! Vectors: what an instruction set has to offer, and loops that are written once for all of them.
//!
//! Lists and joins are made by **inner loops**. Each is the struct of what it works on, written over a [`Vector`] of 512
//! bits. A kernel says how such a vector is held and worked on, and compiles each inner loop as a function of its own,
//! because its loops need most of the registers. All else is plain code that runs them.

pub mod bitset;

use std::ops::{BitAnd, BitOr};

use self::bitset::{Address, Bitset, Table};

/// An inner loop. [`InnerLoop::run`] has to be inlined, so that it is compiled for the instruction set that runs it.
pub trait InnerLoop {
    /// What it yields.
    type Output;
    /// Runs it with the vector of an instruction set.
    fn run<V: Vector>(self) -> Self::Output;
}

/// Some bits of a word, made ready to be picked out.
pub trait Mask: Copy {
    /// Makes the bits of a mask ready.
    fn new(mask: u64) -> Self;
    /// The bits of a word at the mask, side by side.
    fn extract(self, word: u64) -> u64;
    /// The lowest bits of a word, spread to the places of the mask.
    fn deposit(self, word: u64) -> u64;
}

/// 512 bits, as eight words that are worked on alike; and what the same instruction set does with single words and with
/// lists of them.
pub trait Vector: Copy {
    /// How it picks bits out of a word.
    type Mask: Mask;

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

    /// Appends the ORs of all pairs of words without a common bit, in any order.
    #[inline(always)]
    fn append_narrow(few: &[u32], many: &[u32], out: &mut Vec<u32>) {
        append(few, many, out);
    }
    /// The same for wide words.
    #[inline(always)]
    fn append_wide(few: &[u64], many: &[u64], out: &mut Vec<u64>) {
        append(few, many, out);
    }
}

/// Appends word by word.
#[inline(always)]
fn append<W>(few: &[W], many: &[W], out: &mut Vec<W>)
where
    W: Copy + Default + PartialEq + BitAnd<Output = W> + BitOr<Output = W>,
{
    for &one in few {
        out.extend(many.iter().filter(|&&other| one & other == W::default()).map(|&other| one | other));
    }
}
