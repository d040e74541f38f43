//! Fills blocks with half-boards of the shorter list that do not conflict with a group of the
//! longer list, and makes the tables in which the group is looked up.

use super::shape::JoinShape;
use super::sort::{PADDING, Sorted};
use super::table::{Block, absent, tabulate, transpose};
use crate::engine::rows::vector::{BLOCK, Bitset, EMPTY, InnerLoop, Simd};

/// The position in the shorter list where a group's next block starts. A **run** consists of
/// consecutive bins that do not conflict with the group. Their numbers differ only in bits below
/// the group's lowest 1.
#[derive(Clone, Debug)]
pub(super) struct Cursor {
    /// The bits of `alike` in the bins of the next run.
    alike: usize,
    of_group: usize,
    /// How many half-boards of the next run have already been taken.
    taken: usize,
    /// The number of bins in a run.
    bins: usize,
    /// The bits of `of_group` in which runs differ.
    free: usize,
}

impl Cursor {
    pub(super) fn new(group: usize, shape: JoinShape) -> Self {
        let bins = 1 << group.trailing_zeros().min(shape.group);
        Self {
            alike: 0,
            of_group: 0,
            taken: 0,
            bins,
            free: ((1 << shape.group) - bins) & !group,
        }
    }

    /// Copies as many of the next half-boards as fit into the block, and returns how many.
    #[inline(always)]
    fn copy(&mut self, shorter: &Sorted<u32>, block: &mut Block, shape: JoinShape) -> usize {
        let alike = &mut block.bitsets[1][..shape.alike as usize];
        for (bit, bitset) in alike.iter_mut().enumerate() {
            *bitset = Bitset([0u64.wrapping_sub((self.alike >> bit & 1) as u64); 8]);
        }
        let mut length = 0;
        while self.alike < 1 << shape.alike {
            let bin = shape.shorter_bin(self.alike, self.of_group);
            let start = shorter.start(bin) + self.taken;
            let end = shorter.start(bin + self.bins);
            let fitting = (end - start).min(BLOCK - length);
            for at in (0..fitting).step_by(PADDING) {
                block.words[length + at..][..PADDING].copy_from_slice(shorter.padded(start + at));
            }
            length += fitting;
            if start + fitting < end {
                self.taken += fitting;
                break;
            }
            self.taken = 0;
            // Continue with the next subset of `free`.
            self.of_group = self.of_group.wrapping_sub(self.free) & self.free;
            if self.of_group == 0 {
                // In the next half-boards, `alike` is larger by 1, which flips its bits up to and
                // including the lowest 0.
                let flipped = self.alike.trailing_ones() as usize + 1;
                let from_here = absent(length);
                for bitset in alike.iter_mut().take(flipped) {
                    for word in 0..8 {
                        bitset.0[word] ^= from_here.0[word];
                    }
                }
                self.alike += 1;
            }
        }
        length
    }
}

/// Fills a block with the next half-boards and makes its tables. Returns `false` if none are left.
pub(super) struct Fill<'a> {
    pub block: &'a mut Block,
    pub shorter: &'a Sorted<u32>,
    pub cursor: &'a mut Cursor,
    /// The bitset index of each diagonal in
    /// [`Ranking::in_tables`](super::ranking::Ranking::in_tables): the diagonal's bit position in a
    /// word, or 32 plus its bit position in `alike`.
    pub bitset_of: &'a [u32],
    pub shape: JoinShape,
}

impl InnerLoop for Fill<'_> {
    type Output = bool;

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) -> bool {
        let Self {
            block,
            shorter,
            cursor,
            shape,
            ..
        } = self;
        let length = cursor.copy(shorter, block, shape);
        if length == 0 {
            return false;
        }
        transpose(simd, &block.words[..length], &mut block.bitsets[0]);
        let bitsets = block.bitsets.as_flattened();
        let mut left = self.bitset_of;
        // With the empty places, the upper half of a key can conflict with the whole block.
        let bases = [&EMPTY, &absent(length), &EMPTY, &EMPTY, &EMPTY, &EMPTY];
        for ((table, width), base) in block.tables.iter_mut().zip(shape.widths()).zip(bases) {
            let (of_table, others) = left.split_at(width as usize);
            let of_table = of_table.iter().map(|&of| &bitsets[of as usize % 64]);
            tabulate(simd, table, of_table, base);
            left = others;
        }
        true
    }
}
