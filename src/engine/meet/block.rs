//! Blocks: 512 bottoms, turned so that they can be looked up all at once.
//!
//! For every diagonal there is a **row** of 512 bits that says which bottoms of the block occupy it, and for every
//! chunk of diagonals a **table** with the OR of the rows of each subset:
//!
//! ```text
//!                      bottom 0 1 2 3 ... 511
//!     diagonal 0              1 . . 1     .         table[0b000] = . . . .     .
//!     diagonal 1              . 1 . .     1         table[0b001] = 1 . . 1     .     row 0
//!     diagonal 2              . . . .     1         table[0b011] = 1 1 . 1     1     row 0 | row 1
//! ```

use std::ops::Range;

use super::kernel::Vector;

/// A set of bottoms of a block: bit b of word w stands for bottom 8 b + w.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(align(64))]
pub struct Row(pub [u64; 8]);

/// The bottoms of a block.
pub const BLOCK: usize = 512;

/// No bottoms.
pub const EMPTY: Row = Row([0; 8]);

/// The bit of a bottom, always clear, that stands for a diagonal that no bottom can occupy.
pub const NO_CONFLICT: usize = 64;

/// The rows of a block: row d has the bottoms with bit d.
pub type Rows = [Row; NO_CONFLICT + 1];

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

    /// Moves the first of `members`, places in `words`, into the block, as many as fit. The second words may lack.
    #[inline(always)]
    pub fn fill(&mut self, words: &[Vec<u32>; 2], members: &mut Range<usize>) {
        let count = members.len().min(BLOCK - self.length);
        let from = members.start..members.start + count;
        for (here, words) in self.words.iter_mut().zip(words).filter(|(_, words)| !words.is_empty()) {
            here[self.length..self.length + count].copy_from_slice(&words[from.clone()]);
        }
        (self.length, members.start) = (self.length + count, from.end);
    }

    /// Empties the block into its rows, which are clear, and returns the places that held no bottom.
    #[inline(always)]
    pub fn take<V: Vector>(&mut self, wide: bool, rows: &mut Rows) -> Row {
        let length = std::mem::take(&mut self.length);
        let (low, high) = rows.split_at_mut(32);
        transpose::<V>(&self.words[0][..length], low);
        if wide {
            transpose::<V>(&self.words[1][..length], &mut high[..32]);
        }
        Row(std::array::from_fn(|word| {
            let lane = |lane: usize| match length.saturating_sub(lane).div_ceil(16) {
                32 => 0,
                held => u64::from(u32::MAX << held),
            };
            lane(2 * word) | lane(2 * word + 1) << 32
        }))
    }
}

/// The OR of `base` and each subset of the given rows.
#[inline(always)]
pub fn tabulate<V: Vector>(table: &mut [Row], rows: &Rows, bits: &[usize], base: &Row) {
    table[0] = *base;
    for (i, &bit) in bits.iter().enumerate() {
        let row = V::load(&rows[bit]);
        let (done, next) = table.split_at_mut(1 << i);
        for (next, done) in next.iter_mut().zip(done) {
            V::load(done).or(row).store(next);
        }
    }
}

/// The rows of a block: row d has the bits of the words with bit d. (Hacker's Delight, 7-3: the transposition of a
/// 32 x 32 bit matrix, here of sixteen at once, two in each word of a row.)
#[inline(always)]
fn transpose<V: Vector>(block: &[u32], rows: &mut [Row]) {
    let rows: &mut [Row; 32] = rows.try_into().expect("32 rows");
    let mut whole = block.chunks_exact(16);
    let mut last = [0; 16];
    for (row, words) in rows.iter_mut().zip(&mut whole) {
        *row = packed(words.try_into().expect("16 words"));
    }
    let rest = whole.remainder();
    if !rest.is_empty() {
        last[..rest.len()].copy_from_slice(rest);
        rows[block.len() / 16] = packed(&last);
    }
    exchange::<V, 16>(rows, 0x0000_ffff_0000_ffff);
    exchange::<V, 8>(rows, 0x00ff_00ff_00ff_00ff);
    exchange::<V, 4>(rows, 0x0f0f_0f0f_0f0f_0f0f);
    exchange::<V, 2>(rows, 0x3333_3333_3333_3333);
    exchange::<V, 1>(rows, 0x5555_5555_5555_5555);
}

#[inline(always)]
fn packed(words: &[u32; 16]) -> Row {
    Row(std::array::from_fn(|i| u64::from(words[2 * i]) | u64::from(words[2 * i + 1]) << 32))
}

/// One step of a transposition: of rows that lie `D` apart, the upper bits of one and the lower bits of the other.
#[inline(always)]
fn exchange<V: Vector, const D: u32>(rows: &mut [Row; 32], lower: u64) {
    let distance = D as usize;
    let lower = V::splat(lower);
    for first in (0..32).step_by(2 * distance) {
        for low in first..first + distance {
            let (a, b) = (V::load(&rows[low]), V::load(&rows[low + distance]));
            let swap = a.shift_right::<D>().xor(b).and(lower);
            a.xor(swap.shift_left::<D>()).store(&mut rows[low]);
            b.xor(swap).store(&mut rows[low + distance]);
        }
    }
}
