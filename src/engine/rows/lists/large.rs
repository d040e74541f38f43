//! Tests lists as long as those of the largest boards, and caches that are too small for their
//! lists.

use std::collections::{BTreeMap, BTreeSet};

use queencount_recount::rows::Part;

use super::cache::Cache;
use super::half::{Combine, HalfBoards, row_set_ranges};
use super::quarter::{Finder, QuarterBoards, Query, longest_list, quarter_boards, row_set_ranks};
use super::word::{BitPositions, Word};
use crate::board::bits;
use crate::cancel::CancelToken;
use crate::engine::rows::kernel::Kernel;
use crate::engine::rows::theory::core::{Core, diagonals, sides};
use crate::engine::rows::theory::large::{placements, planned};
use crate::engine::rows::theory::numbering::Numbering;
use crate::engine::rows::theory::tiling::ColumnSet;
use crate::splitmix::SplitMix64;

/// Returns a core and its number.
fn random_core(numbering: &Numbering, random: &mut SplitMix64) -> (Core, u64) {
    loop {
        let number = random.below(numbering.cores());
        if let Some(core) = numbering.core(number) {
            return (core, number);
        }
    }
}

fn sorted<T: Ord>(mut items: Vec<T>) -> Vec<T> {
    items.sort_unstable();
    items
}

struct Quarters<'a, W> {
    core: &'a Core,
    positions: BitPositions,
    row_set_ranks: Vec<u32>,
    finder: Finder<W>,
}

impl<'a, W: Word> Quarters<'a, W> {
    fn new(core: &'a Core) -> Self {
        Self {
            core,
            positions: BitPositions::new::<W>(core.relevant()),
            row_set_ranks: row_set_ranks(core.half),
            finder: Finder::default(),
        }
    }

    fn find(&mut self, quarter: usize, columns: u32) -> QuarterBoards<W> {
        let query = Query {
            core: self.core,
            positions: &self.positions,
            row_set_ranks: &self.row_set_ranks,
            quarter,
            columns,
        };
        self.finder.find(query, &CancelToken::new()).unwrap()
    }
}

impl Quarters<'_, u64> {
    /// Checks a list against the definition of the problem. Returns its length.
    fn check(&mut self, quarter: usize, columns: u32) -> usize {
        let core = self.core;
        let (bottom, right) = sides(quarter);
        let rows = core.rows(bottom);
        let is_in =
            |squares: &[u32], (row, column): (u32, u32)| squares[row as usize] >> column & 1 == 1;
        let lines = bits(columns.into()).map(|bit| {
            let column = core.columns[usize::from(right)][bit.trailing_zeros() as usize];
            rows.clone()
                .map(|row| (row, column))
                .filter(|&square| is_in(&core.open, square))
                .collect()
        });
        let mut expected: BTreeMap<(bool, u32), Vec<u64>> = BTreeMap::new();
        for queens in placements(lines) {
            let marked = queens.iter().any(|&queen| is_in(&core.marked, queen));
            let mut row_set = 0;
            let mut word = 0;
            for (row, column) in queens {
                row_set |= 1 << (row - rows.start);
                word |= self.positions.word::<u64>(diagonals(core.n, row, column));
            }
            expected.entry((marked, row_set)).or_default().push(word);
        }
        let found = self.find(quarter, columns);
        let list = format!("{:?}, quarter {quarter}, columns {columns:b}", core.columns);
        let length: usize = expected.values().map(Vec::len).sum();
        let used = expected.values().flatten().fold(0, |all, word| all | word);
        assert_eq!(found.len(), length, "{list}");
        assert_eq!(found.used, used, "{list}");
        assert_eq!(
            found.has_marks(),
            expected.keys().any(|group| group.0),
            "{list}"
        );
        let row_sets =
            (0..1u32 << core.half).filter(|set| set.count_ones() == columns.count_ones());
        for (rank, row_set) in row_sets.enumerate() {
            for marked in [false, true] {
                let words = sorted(found.on(marked, rank).to_vec());
                let expected = expected.remove(&(marked, row_set)).unwrap_or_default();
                assert!(words == sorted(expected), "{list}, rows {row_set:b}");
            }
        }
        length
    }
}

#[test]
fn quarter_board_counts_match_table_and_bound() {
    for half in 2..=9 {
        let core = Numbering::new(2 * half, 0, 16).core(0).unwrap();
        let mut quarters = Quarters::<u64>::new(&core);
        let mut all = 0;
        for columns in 0..1 << half {
            let length = quarters.find(0, columns).len() as u64;
            assert!(length <= longest_list(half), "{half} rows, {columns:b}");
            all += length;
        }
        assert_eq!(all, quarter_boards(half), "{half} rows");
    }
}

#[test]
fn long_quarter_board_lists_match_definition() {
    for (n, at_least) in [(22, 1 << 15), (24, 1 << 14), (27, 1 << 17), (28, 1 << 16)] {
        let mut random = SplitMix64::new(n.into());
        let (core, _) = random_core(&planned(n).0, &mut random);
        let mut quarters = Quarters::new(&core);
        let all = 1u32 << core.half;
        let (quarter, columns) = (0..60)
            .map(|_| (random.below(4) as usize, random.below(all.into()) as u32))
            .max_by_key(|&(quarter, columns)| quarters.find(quarter, columns).len())
            .unwrap();
        let length = quarters.check(quarter, columns);
        assert!(length > at_least, "N = {n}: {length} quarter-boards");
        // Small column sets have the widest gaps. Sets with half of the columns have the most row
        // sets.
        let few = (0..all).filter(|columns| columns.count_ones() <= 3);
        let half_of_them = (0..all).filter(|columns| 2 * columns.count_ones() == core.half);
        for columns in few.chain(half_of_them.step_by(300)) {
            quarters.check(random.below(4) as usize, columns);
        }
    }
}

#[test]
fn longest_quarter_board_list_matches_definition() {
    let core = Numbering::new(28, 0, 16).core(0).unwrap();
    let length = Quarters::new(&core).check(0, 0b01_0101_0101_0101);
    assert!(length > 1 << 20, "{length} quarter-boards");
}

/// Converts half-boards to the recount's format: sorted words with only the diagonals that cross to
/// the other half.
fn crossing<W: Word>(quarters: &Quarters<W>, made: [Vec<W>; 3]) -> [Vec<u64>; 3] {
    let core = quarters.core;
    let n = core.n as i32;
    let most = core.half as i32 - 1;
    let mut recounted = [0u64; 64];
    for line in (0..128).filter(|line| core.relevant() >> line & 1 == 1) {
        let word: W = quarters.positions.word(1 << line);
        // A falling diagonal is identified by column - row, a rising one by column + row - (n - 1).
        let (offset, shift) = if line < 2 * n - 1 {
            (line - (n - 1), 0)
        } else {
            (line - (3 * n - 2), 2 * most + 1)
        };
        if offset.abs() <= most {
            recounted[word.to_u64().trailing_zeros() as usize] = 1 << (offset + most + shift);
        }
    }
    made.map(|words| {
        let words = words.into_iter().map(|word| {
            bits(word.to_u64()).fold(0, |all, bit| all | recounted[bit.trailing_zeros() as usize])
        });
        sorted(words.collect())
    })
}

/// Makes the half-boards of a column set with each kernel, all at once and in pieces, and compares
/// them with the recount's. Returns the length of the longer list.
fn check_half_boards<W: Word>(core: &Core, part: &Part) -> usize {
    let mut search = Quarters::<W>::new(core);
    let [a, d] = part.sets;
    let columns = ColumnSet {
        a,
        d,
        multiplicity: 1,
    }
    .quarters(core.half);
    let mut longest = 0;
    for bottom in [false, true] {
        let [left, right] = [0, 1].map(|right| {
            let quarter = 2 * usize::from(bottom) + right;
            search.find(quarter, columns[quarter])
        });
        let mut expected = part.half_boards(bottom, &|| false).unwrap();
        if part.core.is_empty() {
            // The engine's words have no bits for the main diagonals.
            let main = 1 << (core.half - 1) | 1 << (3 * core.half - 2);
            expected
                .iter_mut()
                .flatten()
                .for_each(|word| *word &= !main);
        } else {
            // No solution with this core contains a half-board with two marks.
            expected[2].clear();
        }
        let expected = expected.map(sorted);
        longest = longest.max(expected.iter().map(Vec::len).sum());
        let mut half_boards = HalfBoards::default();
        for kernel in Kernel::available() {
            for target in [usize::MAX, 5000, 0] {
                let mut made: [Vec<W>; 3] = Default::default();
                for row_sets in row_set_ranges([&left, &right], target) {
                    let combine = Combine {
                        half_boards: &mut half_boards,
                        quarters: [&left, &right],
                        row_sets,
                    };
                    kernel.run(combine).unwrap();
                    for (made, words) in made.iter_mut().zip(half_boards.lists()) {
                        made.extend(words);
                    }
                    let used = half_boards.used;
                    assert!(half_boards.words().iter().all(|&word| word & used == word));
                }
                assert!(
                    crossing(&search, made) == expected,
                    "{:?}, {columns:?}, {kernel:?}, {target}",
                    part.core
                );
            }
        }
    }
    longest
}

#[test]
fn half_boards_of_large_boards_match_backtracking() {
    let mut longest = 0;
    let mut widest = 0;
    for n in [18, 20, 22, 23, 24, 26, 27, 28] {
        let (numbering, listing) = planned(n);
        let mut random = SplitMix64::new(n.into());
        for draws in [1, 300] {
            // Of several random cores, take the one with the largest number of relevant diagonals.
            let (core, number) = (0..draws)
                .map(|_| random_core(&numbering, &mut random))
                .max_by_key(|(core, _)| core.relevant().count_ones())
                .unwrap();
            let diagonals = core.relevant().count_ones();
            widest = widest.max(diagonals);
            // The tiles in the middle have the longest lists.
            let units = numbering.units_of_core(number);
            let parts = listing.parts(units.start + (units.end - units.start) / 2);
            let part = &parts[random.below(parts.len() as u64) as usize];
            longest = longest.max(check_half_boards::<u64>(&core, part));
            if diagonals <= u32::BITS {
                check_half_boards::<u32>(&core, part);
            }
        }
    }
    assert!(longest > 1 << 17, "{longest} half-boards are not many");
    assert!(widest > 48, "{widest} diagonals are not many");
}

#[test]
fn long_half_board_lists_keep_every_pair() {
    let [left, right] = [800, 700].map(|length| {
        let marked = vec![0u64; length / 3];
        QuarterBoards::from_words(&[vec![0; length], marked])
    });
    let mut made = HalfBoards::default();
    for kernel in Kernel::available() {
        let combine = Combine {
            half_boards: &mut made,
            quarters: [&left, &right],
            row_sets: 0..1,
        };
        kernel.run(combine).unwrap();
        let lengths = made.lists().map(<[u64]>::len);
        assert_eq!(
            lengths,
            [800 * 700, 800 * 233 + 266 * 700, 266 * 233],
            "{kernel:?}"
        );
    }
}

fn named(core: u64, quarter: usize, columns: u32, length: usize) -> QuarterBoards<u64> {
    let name = core << 32 | (quarter as u64) << 16 | u64::from(columns);
    QuarterBoards::from_words(&[vec![name; length], vec![]])
}

#[test]
fn undersized_cache_never_returns_wrong_list() {
    let mut random = SplitMix64::new(12);
    // Use only 64 sets of columns, so that the same lists are needed repeatedly.
    let sets = (0..400).map(|_| [0; 4].map(|_| random.below(1 << 12) as u32 & 0xe07));
    let mut sets: Vec<[u32; 4]> = sets.collect();
    let longest = 1 + 6 * 40;
    let list =
        |core, quarter, columns: u32| named(core, quarter, columns, 1 + columns as usize % 7 * 40);
    let largest = named(0, 0, 0, longest).bytes();
    for limit in [0, largest, 5 * largest, 30 * largest, usize::MAX] {
        let mut cache = Cache::<u64>::new(12, limit);
        let mut found = 0;
        let mut needed = BTreeSet::new();
        for core in 0..3 {
            cache.clear();
            for set in &sets {
                for (quarter, &columns) in set.iter().enumerate() {
                    needed.insert((core, quarter, columns));
                    if !cache.touch(quarter, columns) {
                        cache.insert(quarter, columns, list(core, quarter, columns));
                        found += 1;
                    }
                }
                let mut of_four = 0;
                for (quarter, &columns) in set.iter().enumerate() {
                    let cached = cache.get(quarter, columns);
                    assert_eq!(
                        cached.words_and_starts(),
                        list(core, quarter, columns).words_and_starts(),
                        "{limit} bytes, core {core}, {set:?}, {quarter}"
                    );
                    of_four += cached.bytes();
                }
                let bytes = cache.bytes;
                assert!(bytes <= limit.max(of_four), "{bytes} bytes of {limit}");
            }
            // The next core begins with the lists that this one used last.
            sets.reverse();
        }
        let needed = needed.len();
        assert_eq!(
            found == needed,
            limit == usize::MAX,
            "{found} found, {needed} needed, {limit} bytes"
        );
    }
    // The least recently used list is evicted, however often it was used before.
    let mut cache = Cache::<u64>::new(12, 5 * largest);
    (5..1 << 16).for_each(|_| _ = cache.touch(0, 0));
    for columns in [0, 1, 2, 3, 4, 0, 2, 5, 6] {
        if !cache.touch(0, columns) {
            cache.insert(0, columns, named(0, 0, columns, longest));
        }
    }
    let cached: Vec<u32> = (0..7).filter(|&columns| cache.touch(0, columns)).collect();
    assert_eq!(cached, [0, 2, 4, 5, 6]);
    // However large the cache is, it is cleared before each core.
    let mut cache = Cache::<u64>::new(12, usize::MAX);
    cache.insert(0, 1, named(0, 0, 1, 20 << 20));
    cache.clear();
    assert!(cache.bytes == 0 && !cache.touch(0, 1));
}
