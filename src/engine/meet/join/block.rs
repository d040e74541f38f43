//! Blocks: 512 bottoms, turned so that they can be looked up all at once. They are there for speed alone.
//!
//! For every diagonal there is a **bitset** that says which bottoms of the block occupy it, and for every chunk of
//! diagonals a **table** with the OR of the bitsets of each subset:
//!
//! ```text
//!                      bottom 0 1 2 3 ... 511
//!     diagonal 0              1 . . 1     .         table[0b000] = . . . .     .
//!     diagonal 1              . 1 . .     1         table[0b001] = 1 . . 1     .     bitset 0
//!     diagonal 2              . . . .     1         table[0b011] = 1 1 . 1     1     bitset 0 | bitset 1
//! ```

use std::ops::Range;

use super::bitset::{BLOCK, Bitset};
use super::vector::Vector;

/// The bit of a bottom, always clear, that stands for a diagonal that no bottom can occupy.
pub const NO_CONFLICT: usize = 64;

/// The bitsets of a block: bitset d has the bottoms with bit d.
pub type Bitsets = [Bitset; NO_CONFLICT + 1];

/// Up to 512 bottoms, as words of one or two times 32 bits.
#[derive(Clone, Debug)]
pub struct Block {
    words: [[u32; BLOCK]; 2],
    length: usize,
}

impl Default for Block {
    fn default() -> Self {
        Self { words: [[0; BLOCK]; 2], length: 0 }
    }
}

impl Block {
    pub fn is_empty(&self) -> bool {
        self.length == 0
    }

    pub fn is_full(&self) -> bool {
        self.length == BLOCK
    }

    pub fn clear(&mut self) {
        self.length = 0;
    }

    /// Moves as many of `members`, places in `words`, into the block as fit, the first ones first. There may be no
    /// second words.
    #[inline(always)]
    pub fn fill(&mut self, words: &[Vec<u32>; 2], members: &mut Range<usize>) {
        let count = members.len().min(BLOCK - self.length);
        let from = members.start..members.start + count;
        for (here, words) in self.words.iter_mut().zip(words).filter(|(_, words)| !words.is_empty()) {
            here[self.length..self.length + count].copy_from_slice(&words[from.clone()]);
        }
        (self.length, members.start) = (self.length + count, from.end);
    }

    /// Empties the block into its bitsets, which are clear, and returns the places that held no bottom.
    #[inline(always)]
    pub fn take<V: Vector>(&mut self, wide: bool, bitsets: &mut Bitsets) -> Bitset {
        let length = std::mem::take(&mut self.length);
        let (low, high) = bitsets.split_at_mut(32);
        transpose::<V>(&self.words[0][..length], low);
        if wide {
            transpose::<V>(&self.words[1][..length], &mut high[..32]);
        }
        Bitset(std::array::from_fn(|word| {
            let lane = |lane: usize| match length.saturating_sub(lane).div_ceil(16) {
                32 => 0,
                held => u64::from(u32::MAX << held),
            };
            lane(2 * word) | lane(2 * word + 1) << 32
        }))
    }
}

/// Makes a table: the OR of `base` and each subset of the bitsets of the given bits.
#[inline(always)]
pub fn tabulate<V: Vector>(table: &mut [Bitset], bitsets: &Bitsets, bits: &[usize], base: &Bitset) {
    table[0] = *base;
    for (i, &bit) in bits.iter().enumerate() {
        let bitset = V::load(&bitsets[bit]);
        let (done, next) = table.split_at_mut(1 << i);
        for (next, done) in next.iter_mut().zip(done) {
            V::load(done).or(bitset).store(next);
        }
    }
}

/// The bitsets of 512 words: bitset d has a bit for each word with bit d. (Henry S. Warren, Hacker's Delight, 7-3: the
/// transposition of a 32 x 32 bit matrix, here of sixteen at once, two in each word of a bitset.)
#[inline(always)]
fn transpose<V: Vector>(block: &[u32], bitsets: &mut [Bitset]) {
    let bitsets: &mut [Bitset; 32] = bitsets.try_into().expect("32 bitsets");
    let mut whole = block.chunks_exact(16);
    let mut last = [0; 16];
    for (bitset, words) in bitsets.iter_mut().zip(&mut whole) {
        *bitset = packed(words.try_into().expect("16 words"));
    }
    let rest = whole.remainder();
    if !rest.is_empty() {
        last[..rest.len()].copy_from_slice(rest);
        bitsets[block.len() / 16] = packed(&last);
    }
    exchange::<V, 16>(bitsets, 0x0000_ffff_0000_ffff);
    exchange::<V, 8>(bitsets, 0x00ff_00ff_00ff_00ff);
    exchange::<V, 4>(bitsets, 0x0f0f_0f0f_0f0f_0f0f);
    exchange::<V, 2>(bitsets, 0x3333_3333_3333_3333);
    exchange::<V, 1>(bitsets, 0x5555_5555_5555_5555);
}

#[inline(always)]
fn packed(words: &[u32; 16]) -> Bitset {
    Bitset(std::array::from_fn(|i| u64::from(words[2 * i]) | u64::from(words[2 * i + 1]) << 32))
}

/// One step of a transposition: exchanges, of bitsets that lie `D` apart, the upper bits of the first for the lower
/// bits of the second.
#[inline(always)]
fn exchange<V: Vector, const D: u32>(bitsets: &mut [Bitset; 32], lower: u64) {
    let distance = D as usize;
    let lower = V::splat(lower);
    for first in (0..32).step_by(2 * distance) {
        for low in first..first + distance {
            let (a, b) = (V::load(&bitsets[low]), V::load(&bitsets[low + distance]));
            let swap = a.shift_right::<D>().xor(b).and(lower);
            a.xor(swap.shift_left::<D>()).store(&mut bitsets[low]);
            b.xor(swap).store(&mut bitsets[low + distance]);
        }
    }
}
