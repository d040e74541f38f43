//! Tables: 512 words, turned so that they can be looked up all at once. They are there for speed alone.
//!
//! For every diagonal there is a **bitset** that says which bottoms of a block occupy it, and for every chunk of
//! diagonals a **table** with the OR of the bitsets of each subset:
//!
//! ```text
//!                      bottom 0 1 2 3 ... 511
//!     diagonal 0              1 . . 1     .         table[0b000] = . . . .     .
//!     diagonal 1              . 1 . .     1         table[0b001] = 1 . . 1     .     bitset 0
//!     diagonal 2              . . . .     1         table[0b011] = 1 1 . 1     1     bitset 0 | bitset 1
//! ```

use crate::engine::rows::vector::Vector;
use crate::engine::rows::vector::bitset::{Bitset, EMPTY};

/// Makes a table: the OR of `base` and each subset of the bitsets.
#[inline(always)]
pub fn tabulate<'a, V: Vector>(table: &mut [Bitset], bitsets: impl IntoIterator<Item = &'a Bitset>, base: &Bitset) {
    table[0] = *base;
    let mut made = 1;
    for bitset in bitsets {
        let bitset = V::load(bitset);
        let (done, next) = table.split_at_mut(made);
        for (next, done) in next.iter_mut().zip(done) {
            V::load(done).or(bitset).store(next);
        }
        made *= 2;
    }
}

/// The places of a block that hold no bottom, when the first `length` do.
#[inline(always)]
pub fn absent(length: usize) -> Bitset {
    Bitset(std::array::from_fn(|word| {
        let lane = |lane: usize| match length.saturating_sub(lane).div_ceil(16) {
            32 => 0,
            held => u64::from(u32::MAX << held),
        };
        lane(2 * word) | lane(2 * word + 1) << 32
    }))
}

/// The bitsets of 512 words: bitset d has a bit for each word with bit d. (Henry S. Warren, Hacker's Delight, 7-3: the
/// transposition of a 32 x 32 bit matrix, here of sixteen at once, two in each word of a bitset.)
#[inline(always)]
pub fn transpose<V: Vector>(block: &[u32], bitsets: &mut [Bitset; 32]) {
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
    bitsets[block.len().div_ceil(16)..].fill(EMPTY);
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
