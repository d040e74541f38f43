//! Where the diagonals of a unit lie in the words on a device, and how a block looks them up.
//!
//! Of the diagonals that both sides may occupy, those that both are most likely to occupy become the key: lists are
//! sorted by it. The others are looked up in chunks. Diagonals that one side alone occupies only keep quarter-boards
//! apart, and lie wherever there is room.
//!
//! ```text
//!     bit   0                  32              32 + key           64
//!           chunks             key             others
//! ```

use super::host::SIZES;

/// How a block of bottoms looks tops up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Tables {
    /// The chunks, with a table each.
    pub chunks: u32,
    /// The columns of an entry: a column has 128 bottoms.
    pub columns: u32,
}

impl Tables {
    /// Those that kernels are compiled for, the fastest first: fewer lookups for a top, more bottoms for a lookup.
    pub const ALL: [Self; 5] = [
        Self { chunks: 3, columns: 8 },
        Self { chunks: 4, columns: 8 },
        Self { chunks: 5, columns: 8 },
        Self { chunks: 4, columns: 4 },
        Self { chunks: 5, columns: 4 },
    ];

    /// The bottoms of a block.
    pub fn block(self) -> usize {
        128 * self.columns as usize
    }
}

/// The numbers of diagonals in the parts of a word, and the tables that fit them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shape {
    /// The diagonals of the key.
    pub key: u32,
    /// The diagonals of a chunk.
    pub chunk: u32,
    /// Which of [`Tables::ALL`].
    pub tables: usize,
    /// Whether half-boards are filed by marks, too.
    pub marks: bool,
}

/// The diagonals of a key: more of them only where chunks have no room for the others. The bins of a list take 16 KB of a
/// group's memory for 12 diagonals, thrice that if half-boards are filed by marks.
const KEY: u32 = 12;
const LARGEST_KEY: u32 = 14;

/// The most diagonals of a chunk: three tables for nine of them take 192 KB.
const LARGEST_CHUNK: u32 = 9;

impl Shape {
    /// The best shape for so many diagonals that both sides may occupy, on a device whose groups have so much memory.
    /// `None` if they are too many.
    pub fn best(open: u32, marks: bool, local: u64) -> Option<Self> {
        let with_key = |tables: usize, key: u32| {
            let chunks = Tables::ALL[tables].chunks;
            let shape = Self { key, chunk: (open - key).div_ceil(chunks).max(1), tables, marks };
            let needed = shape.join_memory().max(shape.bin_memory()) as u64;
            (chunks * shape.chunk <= 32 && shape.chunk <= LARGEST_CHUNK && needed <= local).then_some(shape)
        };
        let with_one_of = |keys: &[u32]| {
            let shapes = (0..Tables::ALL.len()).flat_map(|tables| keys.iter().map(move |&key| (tables, key)));
            shapes.filter(|&(_, key)| key <= open).find_map(|(tables, key)| with_key(tables, key))
        };
        let keys: Vec<u32> = (0..=LARGEST_KEY).rev().collect();
        let (larger, usual) = keys.split_at((LARGEST_KEY - KEY) as usize);
        with_one_of(usual).or_else(|| with_one_of(larger))
    }

    /// The bins of a list.
    pub fn bins(self) -> usize {
        (if self.marks { 3 } else { 1 }) << self.key
    }

    /// The bytes that a group needs to file half-boards.
    pub fn bin_memory(self) -> usize {
        4 * self.bins()
    }

    /// The bytes that a group needs to join.
    pub fn join_memory(self) -> usize {
        let Tables { chunks, columns } = Tables::ALL[self.tables];
        let entries = (chunks << self.chunk) + 16 * self.key.div_ceil(4) + 1;
        let alive = (1usize << self.key.saturating_sub(5)).max(4);
        // At the end the sums of all work-items lie there.
        (16 * (entries * columns) as usize + 4 * alive).max(8 * SIZES[0])
    }
}

/// What is known of the diagonals of a unit before its half-boards are made.
#[derive(Clone, Debug)]
pub struct Statistics {
    /// For the top and the bottom, about how often its half-boards occupy a diagonal, relative to others.
    shares: [[f32; 64]; 2],
    /// The diagonals that some half-board may occupy.
    used: [u64; 2],
}

impl Default for Statistics {
    fn default() -> Self {
        Self { shares: [[0.0; 64]; 2], used: [0; 2] }
    }
}

impl Statistics {
    /// Adds the words of a quarter-board to a side: half-boards are made of them.
    pub fn add(&mut self, side: usize, words: &[u64], used: u64) {
        self.used[side] |= used;
        let sample = words.len().min(256);
        for i in 0..sample {
            let mut word = words[i * words.len() / sample];
            while word != 0 {
                self.shares[side][word.trailing_zeros() as usize] += 1.0 / sample as f32;
                word &= word - 1;
            }
        }
    }

    /// The number of diagonals that both sides may occupy.
    pub fn open(&self) -> u32 {
        (self.used[0] & self.used[1]).count_ones()
    }

    /// Where the bits of each byte of a word go, by its value.
    pub fn permutation(&self, shape: Shape) -> Vec<u64> {
        let both = self.used[0] & self.used[1];
        let mut ranked: Vec<usize> = (0..64).filter(|place| both >> place & 1 == 1).collect();
        let score = |place: usize| self.shares[0][place] * self.shares[1][place];
        ranked.sort_by(|&one, &other| score(other).total_cmp(&score(one)));
        let (key, chunks) = ranked.split_at(shape.key as usize);
        let mut to = [0u32; 64];
        key.iter().zip((32..32 + shape.key).rev()).for_each(|(&from, bit)| to[from] = bit);
        chunks.iter().zip(0..).for_each(|(&from, bit)| to[from] = bit);
        let others = (0..64).filter(|place| both >> place & 1 == 0);
        others.zip((32 + shape.key..64).chain(chunks.len() as u32..32)).for_each(|(from, bit)| to[from] = bit);
        let moved = |i: usize, value: u64| {
            (0..8).filter(|bit| value >> bit & 1 == 1).fold(0, |word, bit| word | 1u64 << to[8 * i + bit])
        };
        (0..8).flat_map(|i| (0..256).map(move |value| moved(i, value))).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shapes_fit_the_memory_of_devices_and_take_all_diagonals() {
        for (local, most) in [(32 << 10, 41), (48 << 10, 42), (64 << 10, 42), (227 << 10, 46), (1 << 20, 46)] {
            for marks in [false, true] {
                for open in 0..=most {
                    let shape = Shape::best(open, marks, local).unwrap_or_else(|| panic!("{open} of {local}"));
                    let chunks = Tables::ALL[shape.tables].chunks;
                    assert!(shape.key + chunks * shape.chunk >= open && chunks * shape.chunk <= 32, "{shape:?}");
                    assert!(shape.join_memory().max(shape.bin_memory()) as u64 <= local, "{shape:?}");
                }
            }
        }
        assert_eq!(Shape::best(64, false, 1 << 20), None);
    }

    #[test]
    fn a_permutation_moves_every_diagonal_and_puts_the_likeliest_highest_in_the_key() {
        let mut statistics = Statistics::default();
        let words = [0b1000_0001, 0b1000_0010, 0b1100_0000];
        let used = words.iter().fold(0, |used, word| used | word);
        statistics.add(0, &words, used);
        statistics.add(1, &words, used | 1 << 40);
        let shape = Shape { key: 2, chunk: 1, tables: 0, marks: false };
        let table = statistics.permutation(shape);
        let bits: Vec<u64> = (0..64).map(|bit: usize| table[256 * (bit / 8) + (1 << (bit % 8))]).collect();
        assert_eq!(bits.iter().fold(0, |all, bit| all | bit), u64::MAX);
        assert!(bits.iter().all(|bit| bit.count_ones() == 1));
        assert_eq!(bits[7], 1 << 33);
        assert_eq!(statistics.open(), 4);
    }
}
