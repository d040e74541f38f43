//! Filling blocks: 512 half-boards of the shorter list at a time, with the tables that half-boards
//! of the longer one are looked up in.
//!
//! A block stands for 512 steps of the inner loop of [`plain::meet`](crate::plain::meet). It has
//! only half-boards that do not conflict with the group that is looked up in it.

use super::shape::JoinShape;
use super::sort::{PADDING, Sorted};
use super::table::{absent, tabulate, transpose};
use crate::engine::rows::vector::{BLOCK, Bitset, EMPTY, InnerLoop, Table, Vector, boxed};

/// The tables of a block, and the memory to make them.
#[derive(Clone, Debug)]
pub struct Block {
    /// A table for each chunk.
    pub tables: Box<[Table; 4]>,
    /// The tables of the lower and the upper half of the rest of a key.
    pub key_tables: Box<[Table; 2]>,
    /// The bits of the rest of a key that all half-boards have.
    pub common: usize,
    /// The half-boards without the diagonals of the group and of `alike`, and room to write
    /// [`PADDING`] at a time.
    words: Box<[u32; BLOCK + PADDING]>,
    /// The half-boards that have each bit of a word, and each bit of `alike`.
    bitsets: Box<[[Bitset; 32]; 2]>,
}

impl Default for Block {
    fn default() -> Self {
        Self {
            tables: boxed([EMPTY; 256]),
            key_tables: boxed([EMPTY; 256]),
            common: 0,
            words: boxed(0),
            bitsets: boxed([EMPTY; 32]),
        }
    }
}

/// The half-boards that are left for the blocks of a group, as runs: consecutive bins of the
/// shorter list that do not conflict with the group. They differ only in the diagonals below the
/// lowest one of the group.
#[derive(Clone, Debug)]
pub struct Cursor {
    /// The next run, by its bits of `alike` and of the group.
    alike: usize,
    of_group: usize,
    /// The number of half-boards already taken of it.
    taken: usize,
    /// The number of bins in a run.
    bins: usize,
    /// The diagonals of the group in which runs differ.
    free: usize,
}

impl Cursor {
    /// Returns a cursor before the first half-board that does not conflict with a group.
    pub fn new(group: usize, shape: JoinShape) -> Self {
        let bins = 1 << group.trailing_zeros().min(shape.group);
        Self {
            alike: 0,
            of_group: 0,
            taken: 0,
            bins,
            free: ((1 << shape.group) - bins) & !group,
        }
    }

    /// Copies the next half-boards to a block, as many as it holds, and returns their number.
    #[inline(always)]
    fn copy(&mut self, shorter: &Sorted<u32>, block: &mut Block, shape: JoinShape) -> usize {
        let alike = &mut block.bitsets[1][..shape.alike as usize];
        for (bit, bitset) in alike.iter_mut().enumerate() {
            *bitset = Bitset([0u64.wrapping_sub((self.alike >> bit & 1) as u64); 8]);
        }
        let mut length = 0;
        let mut common = usize::MAX;
        while self.alike < 1 << shape.alike {
            let bin = shape.shorter_bin(self.alike, self.of_group);
            let start = shorter.start(bin) + self.taken;
            let end = shorter.start(bin + self.bins);
            let fitting = (end - start).min(BLOCK - length);
            for at in (0..fitting).step_by(PADDING) {
                block.words[length + at..][..PADDING].copy_from_slice(shorter.padded(start + at));
            }
            length += fitting;
            if fitting > 0 {
                common &= self.alike;
            }
            if start + fitting < end {
                self.taken += fitting;
                break;
            }
            self.taken = 0;
            // The next subset of `free`.
            self.of_group = self.of_group.wrapping_sub(self.free) & self.free;
            if self.of_group == 0 {
                // Counting up flips the lowest bits, up to the first 0, from here on.
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
        block.common = shape.rest_of_alike(common);
        length
    }
}

/// Fills a block with the next half-boards and makes its tables. Returns whether any were left.
pub struct Fill<'a> {
    pub block: &'a mut Block,
    pub shorter: &'a Sorted<u32>,
    pub cursor: &'a mut Cursor,
    /// The bitset of each bit of the rest of a key, lowest first, and then of the diagonals in
    /// chunks: the bit of a word, or 32 and the bit of `alike`.
    pub bitset_of: &'a [u8; 64],
    pub shape: JoinShape,
}

impl InnerLoop for Fill<'_> {
    type Output = bool;

    #[inline(always)]
    fn run<V: Vector>(self) -> bool {
        let Self {
            block,
            shorter,
            cursor,
            bitset_of,
            shape,
        } = self;
        let length = cursor.copy(shorter, block, shape);
        if length == 0 {
            return false;
        }
        transpose::<V>(&block.words[..length], &mut block.bitsets[0]);
        let bitsets = block.bitsets.as_flattened();
        let bitset = |&of: &u8| &bitsets[usize::from(of) % 64];
        let (lower, left) = bitset_of.split_at(shape.low() as usize);
        let (upper, mut left) = left.split_at((shape.rest() - shape.low()) as usize);
        let [lower_table, upper_table] = &mut *block.key_tables;
        tabulate::<V>(lower_table, lower.iter().map(bitset), &absent(length));
        tabulate::<V>(upper_table, upper.iter().map(bitset), &EMPTY);
        let chunks = block.tables.iter_mut().zip(shape.widths());
        for (table, width) in chunks.take(shape.chunks as usize) {
            let (chunk, others) = left.split_at(width as usize);
            tabulate::<V>(table, chunk.iter().map(bitset), &EMPTY);
            left = others;
        }
        true
    }
}
