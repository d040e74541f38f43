//! Where the diagonals of a unit lie in the words on a device, and how a block looks them up.
//!
//! Of the diagonals that both sides may occupy, those that both are most likely to occupy become
//! the key: lists are sorted by it. The others are looked up in chunks. Diagonals that one side
//! alone occupies only keep quarter-boards apart, and lie wherever there is room.
//!
//! ```text
//!     bit   0                  32              32 + key           64
//!           chunks             key             others
//! ```

use super::host::{CHUNKS, SIZES};

/// The half-boards of a block, as in `kernels.c`.
pub const BLOCK: usize = 1024;

/// The bytes of an entry of a table: a bit for each half-board of a block.
const ENTRY: u32 = BLOCK as u32 / 8;

/// The numbers of diagonals in the parts of a word.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Layout {
    /// The diagonals of the key.
    pub key: u32,
    /// The diagonals of a chunk.
    pub chunk: u32,
    /// The chunks, with a table each.
    pub chunks: u32,
    /// Whether half-boards are filed by marks, too.
    pub marks: bool,
}

/// The diagonals of a key, the best numbers first: 12, fewer where the bins of a list have no room
/// for them, and more only where chunks have no room for the others. Bins take 16 KB of a group's
/// memory for 12 diagonals, thrice that if half-boards are filed by marks. The kernels work on five
/// diagonals of a key at a time. So a key has that many, even if there are fewer.
const KEYS: [u32; 10] = [12, 11, 10, 9, 8, 7, 6, 5, 13, 14];

/// The diagonals that a chunk may have. The kernels make tables of 16 entries, and three tables for
/// nine diagonals take 192 KB.
const CHUNK: std::ops::RangeInclusive<u32> = 4..=9;

impl Layout {
    /// The best layout for so many diagonals that both sides may occupy, on a device whose groups
    /// have so much memory: that with the fewest chunks. `None` if there are too many diagonals.
    pub fn best(shared: u32, marks: bool, local: u64) -> Option<Self> {
        let chunks_and_keys = CHUNKS
            .into_iter()
            .flat_map(|chunks| KEYS.map(|key| (chunks, key)));
        let fits = |(chunks, key): (u32, u32)| {
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
            let needed = layout.join_memory().max(layout.bin_memory()) as u64;
            (chunks * chunk <= u32::BITS && CHUNK.contains(&chunk) && needed <= local)
                .then_some(layout)
        };
        chunks_and_keys
            .filter(|&(_, key)| key <= shared.max(KEYS[7]))
            .find_map(fits)
    }

    /// The bins of a list.
    pub fn bins(self) -> usize {
        (if self.marks { 3 } else { 1 }) << self.key
    }

    /// The numbers of a list that is made in so many slices: those of its bins, their sum, and
    /// which bins have some.
    pub fn numbers(self, slices: usize) -> usize {
        self.bins() * slices + 1 + self.bins() / 32
    }

    /// The bytes that a group of so many work-items needs to say where bins begin.
    pub fn scan_memory(self, size: usize) -> usize {
        4 * (size + self.bins() / 32)
    }

    /// The bytes that a group needs to file half-boards.
    pub fn bin_memory(self) -> usize {
        4 * self.bins()
    }

    /// The bytes that a group needs to join, as `join` lays them out in `kernels.c`.
    pub fn join_memory(self) -> usize {
        let Self {
            key, chunk, chunks, ..
        } = self;
        let key_tables = key.div_ceil(4);
        // The block and its keys lie where tables will be.
        let tables = ENTRY * ((chunks << chunk) + 16 * key_tables).max(64);
        let singles = (ENTRY + 16) * (chunks * chunk + 4 * key_tables);
        let alive = 4 << (key - 5);
        let (next, bundles) = (4 * 33, self.bins() as u32 / 4);
        // At the end a number of each work-item lies there.
        ((tables + singles + ENTRY + alive + next + bundles) as usize).max(8 * SIZES[0])
    }
}

/// What is known of the diagonals of a unit before its half-boards are made.
#[derive(Clone, Debug)]
pub struct Statistics {
    /// For the top and the bottom, about how often its half-boards occupy a diagonal, relative to
    /// others.
    shares: [[f32; 64]; 2],
    /// The diagonals that some half-board may occupy.
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
    pub fn shared(&self) -> u32 {
        (self.used[0] & self.used[1]).count_ones()
    }

    /// Where the bits of each byte of a word go, by its value.
    pub fn permutation(&self, layout: Layout) -> Vec<u64> {
        let both = self.used[0] & self.used[1];
        let mut ranked: Vec<usize> = (0..64).filter(|place| both >> place & 1 == 1).collect();
        let score = |place: usize| self.shares[0][place] * self.shares[1][place];
        ranked.sort_by(|&one, &other| score(other).total_cmp(&score(one)));
        let (key, chunks) = ranked.split_at(ranked.len().min(layout.key as usize));
        let mut to = [0u32; 64];
        key.iter()
            .zip((32..32 + layout.key).rev())
            .for_each(|(&from, bit)| to[from] = bit);
        chunks
            .iter()
            .zip(0..)
            .for_each(|(&from, bit)| to[from] = bit);
        let others = (0..64).filter(|place| both >> place & 1 == 0);
        let left = (32 + layout.key..64)
            .chain(chunks.len() as u32..32)
            .chain(32..32 + layout.key - key.len() as u32);
        others.zip(left).for_each(|(from, bit)| to[from] = bit);
        let moved = |i: usize, value: u64| {
            (0..8)
                .filter(|bit| value >> bit & 1 == 1)
                .fold(0, |word, bit| word | 1u64 << to[8 * i + bit])
        };
        (0..8)
            .flat_map(|i| (0..256).map(move |value| moved(i, value)))
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn layouts_fit_the_memory_of_devices_and_take_all_diagonals() {
        for (local, most) in [
            (32 << 10, 34),
            (48 << 10, 37),
            (64 << 10, 42),
            (227 << 10, 46),
            (1 << 20, 46),
        ] {
            for marks in [false, true] {
                for shared in 0..=most {
                    let layout = Layout::best(shared, marks, local)
                        .unwrap_or_else(|| panic!("{shared} of {local}"));
                    let in_chunks = layout.chunks * layout.chunk;
                    assert!(
                        layout.key + in_chunks >= shared && in_chunks <= 32,
                        "{layout:?}"
                    );
                    assert!(
                        layout.join_memory().max(layout.bin_memory()) as u64 <= local,
                        "{layout:?}"
                    );
                }
            }
        }
        assert_eq!(Layout::best(64, false, 1 << 20), None);
    }

    /// A longer key costs less than one more table.
    #[test]
    fn the_layout_with_the_fewest_chunks_is_taken() {
        for (kibibytes, shared, expected) in [
            (227, 39, (12, 3, 9)),
            (227, 41, (14, 3, 9)),
            (64, 39, (12, 5, 6)),
        ] {
            let Layout {
                key, chunks, chunk, ..
            } = Layout::best(shared, false, kibibytes << 10).unwrap();
            assert_eq!(
                (key, chunks, chunk),
                expected,
                "{shared} diagonals, {kibibytes} KiB"
            );
        }
    }

    #[test]
    fn a_permutation_moves_every_diagonal_and_puts_the_likeliest_highest_in_the_key() {
        let mut statistics = Statistics::default();
        let words = [0b1000_0001, 0b1000_0010, 0b1100_0000];
        let used = words.iter().fold(0, |used, word| used | word);
        statistics.add(0, &words, used);
        statistics.add(1, &words, used | 1 << 40);
        let layout = Layout {
            key: 2,
            chunk: 1,
            chunks: 3,
            marks: false,
        };
        let table = statistics.permutation(layout);
        let bits: Vec<u64> = (0..64)
            .map(|bit: usize| table[256 * (bit / 8) + (1 << (bit % 8))])
            .collect();
        assert_eq!(bits.iter().fold(0, |all, bit| all | bit), u64::MAX);
        assert!(bits.iter().all(|bit| bit.count_ones() == 1));
        assert_eq!(bits[7], 1 << 33);
        assert_eq!(statistics.shared(), 4);
    }
}
