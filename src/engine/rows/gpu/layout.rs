//! The layout of words on a device.
//!
//! Lists are sorted by a key: the diagonals that both sides are most likely to occupy. The other
//! diagonals that both sides may occupy are divided into chunks, each with a table. The remaining
//! diagonals are needed only to combine quarter-boards.
//!
//! ```text
//!     bit   0                  32              32 + key           64
//!           chunks             key             others
//! ```

use super::kernels::{CHUNKS, SIZES};
use crate::board::bits;

pub(super) const BLOCK: usize = 1024;

/// The size of a table entry in bytes.
const ENTRY: u32 = BLOCK as u32 / 8;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Layout {
    /// The number of diagonals in the key.
    pub key: u32,
    /// The number of diagonals in a chunk.
    pub chunk: u32,
    pub chunks: u32,
    /// Whether half-boards are also grouped by their number of marks.
    pub marks: bool,
}

/// The least number of bits in a key, even if some are unused, because the kernels process five
/// diagonals of a key at a time.
const LEAST_KEY: u32 = 5;

/// The possible numbers of diagonals in a key, best first: 12, or fewer if the bins would not fit
/// into local memory, or more if there are too many diagonals for the chunks.
const KEYS: [u32; 10] = [12, 11, 10, 9, 8, 7, 6, LEAST_KEY, 13, 14];

/// The possible numbers of diagonals in a chunk. At least four, because the kernels compute 16
/// table entries at a time; at most nine, because three tables of nine diagonals take 192 KB in
/// total.
const CHUNK: std::ops::RangeInclusive<u32> = 4..=9;

impl Layout {
    /// Returns the layout with the fewest chunks, or `None` if there are too many diagonals.
    /// `shared` diagonals may be occupied by both sides, and a group has `local` bytes of local
    /// memory.
    pub(super) fn best(shared: u32, marks: bool, local: u64) -> Option<Self> {
        for chunks in CHUNKS {
            for key in KEYS.into_iter().filter(|&key| key <= shared.max(LEAST_KEY)) {
                let chunk = shared
                    .saturating_sub(key)
                    .div_ceil(chunks)
                    .max(*CHUNK.start());
                let layout = Self {
                    key,
                    chunk,
                    chunks,
                    marks,
                };
                let fits = layout.memory() as u64 <= local;
                if chunks * chunk <= u32::BITS && CHUNK.contains(&chunk) && fits {
                    return Some(layout);
                }
            }
        }
        None
    }

    fn memory(self) -> usize {
        self.join_memory().max(self.bin_memory())
    }

    pub(super) fn bins(self) -> usize {
        (if self.marks { 3 } else { 1 }) << self.key
    }

    /// Returns `NUMBERS` (see `kernels.c`).
    pub(super) fn numbers(self, slices: usize) -> usize {
        self.bins() * slices + 1 + self.bins() / 32
    }

    /// Returns how many bytes of local memory a work-group of `size` items needs in `scan`.
    pub(super) fn scan_memory(self, size: usize) -> usize {
        4 * (size + self.bins() / 32)
    }

    /// Returns how many bytes of local memory a work-group needs in `tally` and `file`.
    pub(super) fn bin_memory(self) -> usize {
        4 * self.bins()
    }

    /// Returns how many bytes of local memory a work-group needs in `join`.
    pub(super) fn join_memory(self) -> usize {
        let Self {
            key, chunk, chunks, ..
        } = self;
        let key_tables = key.div_ceil(4);
        // Before it holds the tables, this memory holds the block and its keys.
        let tables = ENTRY * ((chunks << chunk) + 16 * key_tables).max(64);
        let singles = (ENTRY + 16) * (chunks * chunk + 4 * key_tables);
        let alive = 4 << (key - 5);
        let next = 4 * 33;
        let bundles = self.bins() as u32 / 4;
        // At the end, the same memory holds one sum per work-item.
        ((tables + singles + ENTRY + alive + next + bundles) as usize).max(8 * SIZES[0])
    }
}

/// Statistics on the diagonals of quarter-boards, for the top and the bottom separately.
pub(super) struct Statistics {
    /// Roughly how often each diagonal is occupied, relative to other diagonals.
    shares: [[f32; 64]; 2],
    /// The diagonals that may be occupied.
    used: [u64; 2],
}

impl Default for Statistics {
    fn default() -> Self {
        Self {
            shares: [[0.0; 64]; 2],
            used: [0; 2],
        }
    }
}

impl Statistics {
    pub(super) fn add(&mut self, side: usize, words: &[u64], used: u64) {
        self.used[side] |= used;
        let sample = words.len().min(256);
        for i in 0..sample {
            for diagonal in bits(words[i * words.len() / sample]) {
                self.shares[side][diagonal.trailing_zeros() as usize] += 1.0 / sample as f32;
            }
        }
    }

    /// Returns the number of diagonals that both sides may occupy.
    pub(super) fn shared(&self) -> u32 {
        (self.used[0] & self.used[1]).count_ones()
    }

    /// Returns a table for moving diagonals to their bit positions: the resulting bits for each
    /// byte of a word and each value of that byte.
    pub(super) fn permutation(&self, layout: Layout) -> Vec<u64> {
        let both = self.used[0] & self.used[1];
        let score = |bit: usize| match both >> bit & 1 {
            1 => self.shares[0][bit] * self.shares[1][bit],
            // A diagonal that only one side may occupy never causes a conflict.
            _ => -1.0,
        };
        let mut ranked: Vec<usize> = (0..64).collect();
        ranked.sort_by(|&one, &other| score(other).total_cmp(&score(one)));
        let (key, others) = (32..32 + layout.key, 32 + layout.key..64);
        let mut to = [0u32; 64];
        for (from, bit) in ranked.into_iter().zip(key.rev().chain(0..32).chain(others)) {
            to[from] = bit;
        }
        let mut table = Vec::new();
        for to in to.chunks(8) {
            for value in 0..256 {
                let bits = (0..8).filter(|bit| value >> bit & 1 == 1);
                table.push(bits.fold(0, |word, bit| word | 1u64 << to[bit]));
            }
        }
        table
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn best_layout_holds_all_diagonals_and_fits_in_memory() {
        for (local, last) in [
            (32 << 10, 42),
            (48 << 10, 42),
            (64 << 10, 42),
            (227 << 10, 46),
            (1 << 20, 46),
        ] {
            for marks in [false, true] {
                for shared in 0..=last {
                    let layout = Layout::best(shared, marks, local)
                        .unwrap_or_else(|| panic!("{shared} of {local}"));
                    let in_chunks = layout.chunks * layout.chunk;
                    let holds_all = layout.key + in_chunks >= shared && in_chunks <= 32;
                    assert!(holds_all && layout.memory() as u64 <= local, "{layout:?}");
                }
            }
        }
        assert_eq!(Layout::best(64, false, 1 << 20), None);
    }
}
