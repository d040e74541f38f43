//! Vectors: what an instruction set has to offer, and loops that are written once for all of them.
//!
//! Lists and joins are made by **inner loops**: structs of what they work on, with a function `run`
//! over a [`Vector`] of 512 bits. A kernel says how such a vector is held and worked on, and
//! compiles each inner loop as a function of its own, because its loops need most of the registers.
//!
//! What an inner loop calls has to become part of it, or it is not compiled for the instruction
//! set. The compiler makes sure of that for what is marked, and much of the standard library is
//! not: `zip`, `extend`, `map` of an array, closures of `filter` and `from_fn`. Where these would
//! be called often there are plain loops.

use std::fmt::Debug;
use std::ops::{BitAnd, BitOr};

/// 512 bits, one for each half-board of a block: bit b of word w stands for number 16 (b mod 32) +
/// 2 w + b div 32, because 512 words are turned as sixteen squares of 32 x 32 bits, two side by
/// side in each word.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(align(64))]
pub struct Bitset(pub [u64; 8]);

/// The half-boards of a block.
pub const BLOCK: usize = 512;

/// No half-boards.
pub const EMPTY: Bitset = Bitset([0; 8]);

/// An array on the heap, which is too large to have its place on the stack first.
pub fn boxed<T: Copy + Debug, const N: usize>(item: T) -> Box<[T; N]> {
    vec![item; N].try_into().expect("as many items")
}

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
        [
            Self(word as u16),
            Self((word >> 16) as u16),
            Self((word >> 32) as u16),
            Self((word >> 48) as u16),
        ]
    }

    /// The addresses that the bytes of a word stand for, the lowest first.
    #[inline(always)]
    pub fn of_bytes(word: u32) -> [Self; 4] {
        let [a, b, c, d] = word.to_le_bytes();
        [
            Self::of_byte(a),
            Self::of_byte(b),
            Self::of_byte(c),
            Self::of_byte(d),
        ]
    }

    #[inline(always)]
    fn of_byte(byte: u8) -> Self {
        Self(u16::from(byte) << 6)
    }

    /// The distance from the beginning of the table, in bytes: that of an entry, whatever the table
    /// holds.
    #[inline(always)]
    pub fn bytes(self) -> usize {
        self.0.into()
    }
}

/// An inner loop. [`InnerLoop::run`] has to be inlined, so that it is compiled for the instruction
/// set that runs it.
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

/// 512 bits, as eight words that are worked on alike; and what the same instruction set does with
/// single words and with lists of them.
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
    /// Exchanges the bits of `one` that lie `D` above those at `lower` for the bits of `other` at
    /// `lower`, in each word.
    #[inline(always)]
    fn exchange<const D: u32>(one: &mut Bitset, other: &mut Bitset, lower: u64) {
        for word in 0..8 {
            let swap = (one.0[word] >> D ^ other.0[word]) & lower;
            one.0[word] ^= swap << D;
            other.0[word] ^= swap;
        }
    }
    /// Whether every bit is set.
    fn is_full(self) -> bool;
    /// Adds the numbers of set bits to the words of `counts`, in whatever arrangement
    /// [`Vector::sum`] takes.
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

/// Makes room for so many more words. Asked first, because mostly there is room.
#[inline(always)]
pub fn make_room<W>(out: &mut Vec<W>, room: usize) {
    if out.capacity() - out.len() < room {
        out.reserve(room);
    }
}

/// Appends word by word.
#[inline(always)]
fn append<W>(few: &[W], many: &[W], out: &mut Vec<W>)
where
    W: Copy + Default + PartialEq + BitAnd<Output = W> + BitOr<Output = W>,
{
    for &one in few {
        // Written in any case, and kept if the two are apart: a branch would be predicted wrong too
        // often.
        let mut length = out.len();
        out.resize(length + many.len(), W::default());
        for &other in many {
            out[length] = one | other;
            length += usize::from(one & other == W::default());
        }
        out.truncate(length);
    }
}
