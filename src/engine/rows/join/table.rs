//! Blocks and their tables. Also joins short lists without sorting them. In such a join, each byte
//! of a word is a chunk.
//!
//! A diagonal's **bitset** has 1s for the half-boards of a block that occupy it. A chunk's
//! **table** has, for each subset of its diagonals, the OR of their bitsets:
//!
//! ```text
//!                  half-board 0 1 2 3 ... 511
//!     diagonal 0              1 . . 1     .     table[0b000] = . . . .     .
//!     diagonal 1              . 1 . .     1     table[0b001] = 1 . . 1     .   bitset 0
//!     diagonal 2              . . . .     1     table[0b011] = 1 1 . 1     1   bitset 0 | bitset 1
//! ```

#![deny(clippy::cast_precision_loss, reason = "counts are exact")]

use super::sort::PADDING;
use crate::cancel::CancelToken;
use crate::engine::rows::lists::half::HalfBoards;
use crate::engine::rows::lists::word::Word;
use crate::engine::rows::theory::core::Weights;
use crate::engine::rows::vector::{
    Address, BLOCK, Bitset, Counter, EMPTY, InnerLoop, Simd, Table, Vector, boxed,
};

/// Fills a table with the OR of `base` and each subset of the bitsets.
#[inline(always)]
pub(super) fn tabulate<'a, S: Simd>(
    simd: S,
    table: &mut [Bitset],
    bitsets: impl IntoIterator<Item = &'a Bitset>,
    base: &Bitset,
) {
    table[0] = *base;
    let mut made = 1;
    for bitset in bitsets {
        let bitset = simd.load(bitset);
        let table = &mut table[..2 * made];
        for subset in 0..made {
            simd.load(&table[subset])
                .or(bitset)
                .store(&mut table[made + subset]);
        }
        made *= 2;
    }
}

/// Fills the entries for the subsets of `used`. Other entries are never looked up.
#[inline(always)]
pub(super) fn tabulate_used<S: Simd>(
    simd: S,
    table: &mut Table,
    bitsets: &[Bitset; 8],
    used: u8,
    base: &Bitset,
) {
    table[0] = *base;
    let mut made = 0;
    for (bit, bitset) in bitsets.iter().enumerate() {
        let diagonal = used & 1 << bit;
        if diagonal == 0 {
            continue;
        }
        let bitset = simd.load(bitset);
        let mut subset = 0;
        loop {
            simd.load(&table[usize::from(subset)])
                .or(bitset)
                .store(&mut table[usize::from(subset | diagonal)]);
            // Continue with the next subset of `made`.
            subset = subset.wrapping_sub(made) & made;
            if subset == 0 {
                break;
            }
        }
        made |= diagonal;
    }
}

/// Returns the half-boards of a block that occupy any of these diagonals.
#[inline(always)]
fn conflicts<S: Simd>(simd: S, tables: &[Table; 4], diagonals: u32) -> S::Vector {
    let [a, b, c, d] = Address::of_bytes(diagonals);
    simd.load_at(&tables[0], a)
        .or3(simd.load_at(&tables[1], b), simd.load_at(&tables[2], c))
        .or(simd.load_at(&tables[3], d))
}

/// Returns the empty places of a block with `length` half-boards. [`transpose`] puts half-board 16
/// i + l into bit i of 32-bit lane l, so the empty places come last in each lane.
#[inline(always)]
pub(super) fn absent(length: usize) -> Bitset {
    let mut absent = [0; 16];
    for (lane, bits) in absent.iter_mut().enumerate() {
        *bits = (u64::from(u32::MAX) << ((length + 15 - lane) / 16)) as u32;
    }
    packed(&absent)
}

/// Computes the bitsets of up to 512 words: bitset d has a 1 for each word in which bit d is set.
/// Transposes sixteen squares of 32 x 32 bits at once, two per word of a bitset, as in Hacker's
/// Delight, 7-3.
#[inline(always)]
pub(super) fn transpose<S: Simd>(simd: S, block: &[u32], bitsets: &mut [Bitset; 32]) {
    let (whole, rest) = block.as_chunks();
    let (full, others) = bitsets.split_at_mut(whole.len());
    for (i, bitset) in full.iter_mut().enumerate() {
        *bitset = packed(&whole[i]);
    }
    for bitset in others.iter_mut() {
        simd.splat(0).store(bitset);
    }
    if !rest.is_empty() {
        let mut last = [0; 16];
        last[..rest.len()].copy_from_slice(rest);
        others[0] = packed(&last);
    }
    exchange::<S, 16>(simd, bitsets, 0x0000_ffff_0000_ffff);
    exchange::<S, 8>(simd, bitsets, 0x00ff_00ff_00ff_00ff);
    exchange::<S, 4>(simd, bitsets, 0x0f0f_0f0f_0f0f_0f0f);
    exchange::<S, 2>(simd, bitsets, 0x3333_3333_3333_3333);
    exchange::<S, 1>(simd, bitsets, 0x5555_5555_5555_5555);
}

#[inline(always)]
fn packed(words: &[u32; 16]) -> Bitset {
    let mut packed = EMPTY;
    for (i, &[low, high]) in words.as_chunks().0.iter().enumerate() {
        packed.0[i] = u64::from(low) | u64::from(high) << 32;
    }
    packed
}

/// Swaps the upper bits of each bitset with the lower bits of the bitset `D` places later.
#[inline(always)]
fn exchange<S: Simd, const D: u32>(simd: S, bitsets: &mut [Bitset; 32], lower: u64) {
    let distance = D as usize;
    for both in bitsets.chunks_exact_mut(2 * distance) {
        let (low, high) = both.split_at_mut(distance);
        for (i, one) in low.iter_mut().enumerate() {
            simd.exchange::<D>(one, &mut high[i], lower);
        }
    }
}

/// The two lists of a join. The shorter one is put into blocks, because putting a half-board into a
/// block costs more than looking one up.
#[derive(Clone, Copy)]
pub(crate) struct Lists<'a, W> {
    pub longer: &'a HalfBoards<W>,
    pub shorter: &'a HalfBoards<W>,
    /// The weights, indexed by the marks of the half-board in the longer list, then by those of the
    /// one in the shorter list.
    pub weights: Weights,
}

impl<'a, W: Word> Lists<'a, W> {
    pub(crate) fn new(
        tops: &'a HalfBoards<W>,
        bottoms: &'a HalfBoards<W>,
        weights: Weights,
    ) -> Self {
        if tops.len() >= bottoms.len() {
            return Self {
                longer: tops,
                shorter: bottoms,
                weights,
            };
        }
        Self {
            longer: bottoms,
            shorter: tops,
            weights: [0, 1, 2].map(|bottom| weights.map(|by_bottom| by_bottom[bottom])),
        }
    }
}

/// The tables for up to 512 half-boards, and scratch memory for building them.
#[derive(Clone, Debug)]
pub(crate) struct Block {
    /// The tables for the lower and the upper half of the key diagonals outside the group, then one
    /// for each chunk.
    pub tables: Box<[Table; 6]>,
    /// For each half-board, the bits that were not used to sort it; then [`PADDING`] spare words.
    pub words: Box<[u32; BLOCK + PADDING]>,
    /// One bitset for each bit of the words, then one for each bit of `alike`.
    pub bitsets: Box<[[Bitset; 32]; 2]>,
}

impl Default for Block {
    fn default() -> Self {
        Self {
            tables: boxed([EMPTY; 256]),
            words: boxed(0),
            bitsets: boxed([EMPTY; 32]),
        }
    }
}

/// Returns the weighted number of disjoint pairs, or `None` if the lists should be sorted first. The
/// number is meaningless if `stop` is cancelled.
pub(super) struct Direct<'a, W> {
    pub lists: Lists<'a, W>,
    pub block: &'a mut Block,
    pub stop: &'a CancelToken,
}

impl<W: Word> InnerLoop for Direct<'_, W> {
    type Output = Option<u128>;

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) -> Option<u128> {
        let Lists {
            longer,
            shorter,
            weights,
        } = self.lists;
        if W::BITS != 32 || shorter.len() > S::SHORT {
            return None;
        }
        let [_, _, tables @ ..] = &mut *self.block.tables;
        let words = &mut self.block.words;
        let bitsets = &mut self.block.bitsets[0];
        let used = (longer.used.to_u64() & shorter.used.to_u64()) as u32;
        let mut total = 0;
        for shorter_marks in 0..3 {
            let by_longer = weights.map(|by_shorter| by_shorter[shorter_marks]);
            if by_longer == [0; 3] {
                continue;
            }
            for block in shorter.with_marks(shorter_marks).chunks(BLOCK) {
                if self.stop.is_cancelled() {
                    return Some(0);
                }
                let words = &mut words[..block.len()];
                for (i, half_board) in block.iter().enumerate() {
                    words[i] = half_board.to_u64() as u32;
                }
                transpose(simd, words, bitsets);
                let (bytes, _) = bitsets.as_chunks::<8>();
                let mut base = &absent(block.len());
                for (i, table) in tables.iter_mut().enumerate() {
                    tabulate_used(simd, table, &bytes[i], (used >> (8 * i)) as u8, base);
                    base = &EMPTY;
                }
                for (marks, &weight) in by_longer.iter().enumerate() {
                    if weight == 0 {
                        continue;
                    }
                    let list = longer.with_marks(marks);
                    let mut ones = simd.counter();
                    let (fours, last) = list.as_chunks();
                    for &[a, b, c, d] in fours {
                        ones = ones.add_four([
                            conflicts(simd, tables, a.to_u64() as u32 & used),
                            conflicts(simd, tables, b.to_u64() as u32 & used),
                            conflicts(simd, tables, c.to_u64() as u32 & used),
                            conflicts(simd, tables, d.to_u64() as u32 & used),
                        ]);
                    }
                    for word in last {
                        ones = ones.add(conflicts(simd, tables, word.to_u64() as u32 & used));
                    }
                    total += u128::from(weight * ((BLOCK * list.len()) as u64 - ones.sum()));
                }
            }
        }
        Some(total)
    }
}
