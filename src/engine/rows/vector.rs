//! Vectors: the operations of each instruction set.
//!
//! **Inner loops** make lists and join them. An inner loop is a struct that holds its data. Its
//! function `run` is generic over [`Simd`], so that it is written only once. Each kernel implements
//! [`Simd`], and compiles each inner loop as a separate function, because the loop needs most of
//! the registers.
//!
//! A value whose type implements [`Simd`] is **evidence** that the CPU supports the instructions of
//! the kernel. [`Vector`]s, [`Counter`]s and [`Mask`]s are made only by its methods, so they are evidence, too.
//! Therefore all methods are safe, and no safe code can use an instruction that the CPU lacks.
//!
//! Functions called by an inner loop are compiled for the instruction set only if they are inlined.
//! Only `#[inline(always)]` guarantees this. Much of the standard library lacks this attribute:
//! `zip`, `extend`, `map` for arrays, and closures in `filter` and `from_fn`. Therefore, hot loops
//! are plain loops.

use std::collections::TryReserveError;
use std::fmt::Debug;
use std::ops::{BitAnd, BitOr};

/// One bit per half-board of a block. Half-boards are transposed as sixteen squares of 32 x 32
/// bits, so bit b of word w belongs to half-board 16 (b mod 32) + 2 w + b div 32.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(align(64))]
pub(crate) struct Bitset(pub [u64; 8]);

/// The number of half-boards in a block.
pub(super) const BLOCK: usize = 512;

pub(super) const EMPTY: Bitset = Bitset([0; 8]);

/// Creates an array directly on the heap, because it is too large for the stack.
pub(super) fn boxed<T: Copy + Debug, const N: usize>(item: T) -> Box<[T; N]> {
    vec![item; N].try_into().expect("the vector has N items")
}

/// For a set of up to eight diagonals, a bitset for each subset.
pub(super) type Table = [Bitset; 256];

/// The byte offset of an entry in a [`Table`]: 64 times the entry's index.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Address(u16);

impl Address {
    /// Unpacks four addresses from a word, the first from its lowest bits.
    #[inline(always)]
    pub(crate) fn four(word: u64) -> [Self; 4] {
        let word = word & 0x3fc0_3fc0_3fc0_3fc0;
        [
            Self(word as u16),
            Self((word >> 16) as u16),
            Self((word >> 32) as u16),
            Self((word >> 48) as u16),
        ]
    }

    /// Returns the addresses of the entries indexed by the bytes of a word, starting with the
    /// lowest byte.
    #[inline(always)]
    pub(crate) fn of_bytes(word: u32) -> [Self; 4] {
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

    #[inline(always)]
    pub(crate) fn bytes(self) -> usize {
        self.0.into()
    }
}

pub(crate) trait InnerLoop {
    type Output;
    /// Runs the loop. This function must be inlined to be compiled for the instruction set.
    fn run<S: Simd>(self, simd: S) -> Self::Output;
}

/// Evidence that the CPU supports the instructions of a kernel.
pub(crate) trait Simd: Copy {
    type Vector: Vector;
    type Counter: Counter<Self::Vector>;
    type Mask: Mask;
    /// If the shorter list is at most this long, sorting narrow words costs more than it saves.
    const SHORT: usize = 4 * BLOCK;

    fn splat(self, word: u64) -> Self::Vector;
    fn load(self, bitset: &Bitset) -> Self::Vector;
    #[inline(always)]
    fn load_at(self, table: &Table, address: Address) -> Self::Vector {
        // The index is in range anyway, but the remainder avoids a bounds check.
        self.load(&table[address.bytes() / size_of::<Bitset>() % table.len()])
    }
    /// Returns a counter at 0.
    fn counter(self) -> Self::Counter;
    /// Fetches the cache line of an item that is about to be written. There may be no such item.
    #[inline(always)]
    fn prefetch<T>(self, _items: &[T], _at: usize) {}
    /// Swaps, in each word, the bits of `other` selected by `lower` with the bits of `one` that are
    /// `D` positions higher.
    #[inline(always)]
    fn exchange<const D: u32>(self, one: &mut Bitset, other: &mut Bitset, lower: u64) {
        for word in 0..8 {
            let swap = (one.0[word] >> D ^ other.0[word]) & lower;
            one.0[word] ^= swap << D;
            other.0[word] ^= swap;
        }
    }
    /// Returns the mask that selects the bits of a word that are set in `bits`.
    fn mask(self, bits: u64) -> Self::Mask;

    /// Appends, in any order, the OR of each pair of words that have no bits in common. Fails if
    /// there is not enough memory for all pairs.
    #[inline(always)]
    fn append_narrow(self, few: &[u32], many: &[u32], out: &mut Vec<u32>) -> Reserved {
        append(few, many, out)
    }
    #[inline(always)]
    fn append_wide(self, few: &[u64], many: &[u64], out: &mut Vec<u64>) -> Reserved {
        append(few, many, out)
    }
}

/// A mask that selects bits of a word.
pub(crate) trait Mask: Copy {
    /// Moves the selected bits of `word` to contiguous low bits (PEXT).
    fn extract(self, word: u64) -> u64;
    /// Moves the low bits of `word` to the bit positions that the mask selects (PDEP).
    fn deposit(self, word: u64) -> u64;
}

/// A vector of 512 bits: eight words to which the same operation is applied.
pub(crate) trait Vector: Copy {
    fn store(self, bitset: &mut Bitset);
    fn or(self, other: Self) -> Self;
    #[inline(always)]
    fn or3(self, other: Self, third: Self) -> Self {
        self.or(other).or(third)
    }
    fn is_full(self) -> bool;
}

/// Counts the set bits of vectors.
pub(crate) trait Counter<V>: Copy {
    fn add(self, vector: V) -> Self;
    #[inline(always)]
    fn add_four(self, [a, b, c, d]: [V; 4]) -> Self {
        self.add(a).add(b).add(c).add(d)
    }
    /// Returns the number of set bits in all vectors that were added.
    fn sum(self) -> u64;
}

/// Fails if there is not enough memory.
pub(crate) type Reserved = Result<(), TryReserveError>;

/// The room for a whole register at the end of a list, the same for every kernel.
pub(super) const PADDING: usize = 64;

/// Reserves memory for the OR of each pair of words, and for [`PADDING`] more words.
#[inline(always)]
pub(super) fn reserve<W>(few: &[W], many: &[W], out: &mut Vec<W>) -> Reserved {
    let room = few.len().saturating_mul(many.len()).saturating_add(PADDING);
    // Usually, enough is already reserved.
    if out.capacity() - out.len() < room {
        out.try_reserve(room)?;
    }
    Ok(())
}

#[inline(always)]
fn append<W>(few: &[W], many: &[W], out: &mut Vec<W>) -> Reserved
where
    W: Copy + Default + PartialEq + BitAnd<Output = W> + BitOr<Output = W>,
{
    reserve(few, many, out)?;
    for &one in few {
        // Always write the OR, but advance past it only if the words have no bits in common. A
        // branch would be mispredicted too often.
        let mut length = out.len();
        out.resize(length + many.len(), W::default());
        for &other in many {
            out[length] = one | other;
            length += usize::from(one & other == W::default());
        }
        out.truncate(length);
    }
    Ok(())
}
