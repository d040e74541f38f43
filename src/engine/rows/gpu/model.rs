//! What the work of a device should take, by machine code. No device has been measured yet.
//!
//! A multiprocessor of NVIDIA's reads 128 bytes a clock from the memory of a group, which lookups wait for, and starts four
//! instructions a clock at most, which all else waits for. What else work waits for is hidden by other warps, if the
//! model is right. `scripts/gpu-check` prints what it predicts beside what it measures.

use super::layout::{BlockTables, Layout};
use super::work::{DeviceTime, DeviceWork};

/// The longest time of a launch, in seconds, about. A GPU that shows a screen does not draw while it counts, and its driver
/// ends what takes seconds. So there is room for a model that promises ten times too much.
pub const LONGEST_LAUNCH: f64 = if cfg!(test) { 1e-5 } else { 0.05 };

/// The clocks that a multiprocessor takes for a half-board: 11 instructions of a warp for both times that it is made.
const HALF_BOARD: f64 = 4.0;

/// The clocks for a block. A column of an entry, of 16 bytes, takes an eighth to be written, and about as much to be made.
/// All else is some 10 000 instructions of a warp, whatever the tables are, a dozen barriers, and the wait for what is read
/// first.
const BLOCK: f64 = 4000.0;
const COLUMN: f64 = 0.2;

/// The clocks for a key of a block whose tops are looked up: 75 instructions, its part of those for a bundle of 16 keys
/// included; and as tops are looked up four at a time, one and a half that are not there.
const KEY: f64 = 30.0;

/// The clocks for a top that is looked up in a column of a table: one for 128 bytes.
const LOOKUP: f64 = 1.0 / 8.0;

/// What blocks take, on average: the keys whose tops are looked up, and the share of all tops that these are.
#[derive(Clone, Copy, Debug)]
pub struct Density {
    keys: f64,
    share: f64,
}

impl Density {
    /// The most that they can take.
    pub fn most(layout: Layout) -> Self {
        Self { keys: layout.bins() as f64, share: 1.0 }
    }

    /// What a block takes where this work was done in blocks with so many tops, if there were any.
    pub fn of(work: &DeviceWork, tops: u64) -> Option<Self> {
        let &DeviceWork { blocks, keys, lookups, .. } = work;
        (tops > 0).then(|| Self { keys: keys as f64 / blocks as f64, share: lookups as f64 / tops as f64 })
    }

    /// The clocks that a block is expected to take, in which so many tops are to be looked up.
    pub fn clocks(self, layout: Layout, tops: u32) -> f64 {
        let lookups = self.share * f64::from(tops);
        block_clocks(layout) + self.keys * KEY + lookups * lookup_clocks(layout)
    }
}

/// The work that joining some blocks was, on a device with so many clocks a second, when so many half-boards had been made.
/// Of each block `sums` has what the kernel says: its count, and then the keys in the highest 24 bits and the lookups in the
/// others.
pub fn work(layout: Layout, half_boards: u64, sums: &[[u64; 2]], clocks_per_second: f64) -> DeviceWork {
    let (blocks, keys) = (sums.len() as u64, sums.iter().map(|[_, took]| took >> 40).sum());
    let lookups = sums.iter().map(|[_, took]| took & ((1 << 40) - 1)).sum();
    let seconds = |count: u64, clocks: f64| count as f64 * clocks / clocks_per_second;
    DeviceWork {
        half_boards,
        blocks,
        keys,
        lookups,
        left: 0,
        expected: DeviceTime {
            half_boards: seconds(half_boards, HALF_BOARD),
            blocks: seconds(blocks, block_clocks(layout)),
            keys: seconds(keys, KEY),
            lookups: seconds(lookups, lookup_clocks(layout)),
        },
    }
}

/// The clocks for the tables of a block.
fn block_clocks(layout: Layout) -> f64 {
    let BlockTables { chunks, columns } = BlockTables::ALL[layout.tables];
    let entries = (chunks << layout.chunk) + 16 * layout.key.div_ceil(4);
    BLOCK + COLUMN * f64::from(entries * columns)
}

/// The clocks for a top that is looked up in a block.
fn lookup_clocks(layout: Layout) -> f64 {
    let BlockTables { chunks, columns } = BlockTables::ALL[layout.tables];
    LOOKUP * f64::from(chunks * columns)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_are_expected_to_take_what_those_before_took() {
        let layout = Layout::best(38, true, 227 << 10).unwrap();
        // Two blocks, the one with 3 keys and 500 lookups among 1000 tops, the other with 5 and 100 among 3000.
        let work = work(layout, 0, &[[0, 3 << 40 | 500], [0, 5 << 40 | 100]], 1e9);
        assert_eq!((work.blocks, work.keys, work.lookups), (2, 8, 600));
        let density = Density::of(&work, 4000).unwrap();
        let expected = density.clocks(layout, 1000) + density.clocks(layout, 3000);
        assert!((expected / 1e9 / work.expected.sum() - 1.0).abs() < 1e-9, "{expected} clocks, {:?}", work.expected);
        // Before anything is known, all tops of all keys may have to be looked up.
        assert!(Density::most(layout).clocks(layout, 4000) > expected);
        assert!(Density::of(&work, 0).is_none());
    }
}
