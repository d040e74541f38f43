//! Tests lists as long as those of the largest boards: quarter-boards on 12 columns, and hundreds
//! of thousands of half-boards. Also tests caches that are too small for their lists.

use std::collections::{BTreeMap, BTreeSet};

use super::cache::Cache;
use super::half::{Combine, HalfBoards, row_set_ranges};
use super::quarter::{Finder, QuarterBoards, Query, row_set_ranks};
use super::word::{BitPositions, Word};
use crate::cancel::CancelToken;
use crate::engine::rows::Rows;
use crate::engine::rows::kernel::Kernel;
use crate::engine::rows::recount::units::Part;
use crate::engine::rows::recount::units::tests::planned;
use crate::engine::rows::theory::core::{Core, Images, attack, diagonals, sides};
use crate::engine::rows::theory::numbering::Numbering;
use crate::engine::rows::theory::tiling::ColumnSet;
use crate::splitmix::SplitMix64;

fn numbering(n: u32) -> Numbering {
    Numbering::new(n, Rows::middle_rows(n), 16)
}

fn core(numbering: &Numbering, random: &mut SplitMix64) -> Core {
    loop {
        if let Some(core) = numbering.core(random.below(numbering.cores())) {
            return core;
        }
    }
}

/// Finds the quarter-boards on the given columns directly from the definition of the problem.
/// Returns their words, indexed by mark and row set.
fn quarter_boards(
    core: &Core,
    places: &BitPositions,
    quarter: usize,
    columns: u32,
) -> BTreeMap<(bool, u32), Vec<u64>> {
    fn fill(
        core: &Core,
        columns: &[u32],
        rows: std::ops::Range<u32>,
        queens: &mut Vec<(u32, u32)>,
        act: &mut impl FnMut(&[(u32, u32)]),
    ) {
        let Some(&column) = columns.get(queens.len()) else {
            return act(queens);
        };
        for row in rows.clone() {
            let is_open = core.open[row as usize] >> column & 1 == 1;
            if is_open
                && queens
                    .iter()
                    .all(|&queen| queen.0 != row && !attack(queen, (row, column)))
            {
                queens.push((row, column));
                fill(core, columns, rows.clone(), queens, act);
                queens.pop();
            }
        }
    }
    let mut found: BTreeMap<(bool, u32), Vec<u64>> = BTreeMap::new();
    let (bottom, right) = sides(quarter);
    let all = &core.columns[usize::from(right)];
    let columns: Vec<u32> = (0..all.len())
        .filter(|index| columns >> index & 1 == 1)
        .map(|index| all[index])
        .collect();
    let rows = core.rows(bottom);
    fill(
        core,
        &columns,
        rows.clone(),
        &mut Vec::new(),
        &mut |queens| {
            let marked = queens
                .iter()
                .any(|&(row, column)| core.marked[row as usize] >> column & 1 == 1);
            let set = queens
                .iter()
                .fold(0, |set, queen| set | 1 << (queen.0 - rows.start));
            let word = queens.iter().fold(0, |word, &(row, column)| {
                word | places.word::<u64>(diagonals(core.n, row, column))
            });
            found.entry((marked, set)).or_default().push(word);
        },
    );
    found.values_mut().for_each(|words| words.sort_unstable());
    found
}

#[test]
fn quarter_boards_of_twelve_columns_are_filed() {
    for (n, at_least) in [(22, 1 << 15), (24, 1 << 14), (27, 1 << 17), (28, 1 << 16)] {
        let mut random = SplitMix64::new(n.into());
        let core = core(&numbering(n), &mut random);
        let places = BitPositions::new::<u64>(core.relevant());
        let numbers = row_set_ranks(core.half);
        let mut finder = Finder::<u64>::default();
        let mut find = |(quarter, columns)| {
            finder
                .find(
                    Query {
                        core: &core,
                        positions: &places,
                        row_set_ranks: &numbers,
                        quarter,
                        columns,
                    },
                    &CancelToken::new(),
                )
                .unwrap()
        };
        let drawn = (0..60).map(|_| {
            (
                random.below(4) as usize,
                random.below(1 << core.half) as u32,
            )
        });
        let (quarter, columns) = drawn.max_by_key(|&drawn| find(drawn).len()).unwrap();
        let found = find((quarter, columns));
        assert!(
            found.len() > at_least,
            "N = {n}: {} quarter-boards are not many",
            found.len()
        );
        check_quarter_boards(&core, &places, quarter, columns, &found);
        // Small column sets have the widest gaps between columns; sets with half of the columns
        // have the most row sets.
        let half_of_them = (0..1u32 << core.half)
            .filter(|columns| 2 * columns.count_ones() == core.half)
            .step_by(300);
        let few = (0..1u32 << core.half).filter(|columns| columns.count_ones() <= 3);
        for columns in few.chain(half_of_them) {
            let quarter = random.below(4) as usize;
            check_quarter_boards(&core, &places, quarter, columns, &find((quarter, columns)));
        }
    }
}

/// Checks a list longer than any in a count. Counts use quarters of fewer than 14 rows, and lists
/// of fewer than 2^20 quarter-boards.
#[test]
fn longest_list_of_quarter_boards_is_filed() {
    let core = Numbering::new(28, 0, 16).core(0).unwrap();
    let places = BitPositions::new::<u64>(core.relevant());
    let ranks = row_set_ranks(core.half);
    let columns = 0b01_0101_0101_0101;
    let found = Finder::<u64>::default()
        .find(
            Query {
                core: &core,
                positions: &places,
                row_set_ranks: &ranks,
                quarter: 0,
                columns,
            },
            &CancelToken::new(),
        )
        .unwrap();
    assert!(found.len() > 1 << 20, "{} quarter-boards", found.len());
    check_quarter_boards(&core, &places, 0, columns, &found);
}

/// Checks a list of quarter-boards against the definition of the problem.
fn check_quarter_boards(
    core: &Core,
    places: &BitPositions,
    quarter: usize,
    columns: u32,
    found: &QuarterBoards<u64>,
) {
    let expected = quarter_boards(core, places, quarter, columns);
    assert_eq!(found.len(), expected.values().map(Vec::len).sum::<usize>());
    assert_eq!(
        found.has_marks(),
        expected.keys().any(|(marked, _)| *marked),
        "{:?}, {quarter:?}",
        core.queens
    );
    assert_eq!(
        found.used,
        expected
            .values()
            .flatten()
            .fold(0, |used, word| used | word),
        "{:?}",
        core.queens
    );
    let row_sets = (0..1u32 << core.half).filter(|set| set.count_ones() == columns.count_ones());
    for (number, set) in row_sets.enumerate() {
        for marked in [false, true] {
            let mut words = found.on(marked, number).to_vec();
            words.sort_unstable();
            let expected = expected.get(&(marked, set)).map_or(&[][..], Vec::as_slice);
            assert!(
                words == expected,
                "{:?}, {quarter:?}, columns {columns:b}, rows {set:b}",
                core.queens
            );
        }
    }
}

/// Converts half-boards, grouped by number of marks, to sorted words in the recount's format. These
/// words contain only diagonals that cross to the other half.
fn crossing<W: Word>(core: &Core, places: &BitPositions, made: &[Vec<W>; 3]) -> [Vec<u64>; 3] {
    let n = core.n as i32;
    let most = core.half as i32 - 1;
    let mut bits = [0u64; 64];
    for line in (0..128).filter(|line| core.relevant() >> line & 1 == 1) {
        let place = places.word::<W>(1 << line).to_u64().trailing_zeros() as usize;
        // A falling diagonal is identified by column - row, a rising one by column + row - (n - 1).
        let falling = (line - (n - 1), 0);
        let rising = (line - (2 * n - 1) - (n - 1), 2 * most + 1);
        let (offset, shift) = if line < 2 * n - 1 { falling } else { rising };
        bits[place] = if offset.abs() <= most {
            1 << (offset + most + shift)
        } else {
            0
        };
    }
    made.each_ref().map(|words| {
        let crossing = words.iter().map(|word| {
            let mut all = 0;
            let mut left = word.to_u64();
            while left != 0 {
                all |= bits[left.trailing_zeros() as usize];
                left &= left - 1;
            }
            all
        });
        let mut crossing: Vec<u64> = crossing.collect();
        crossing.sort_unstable();
        crossing
    })
}

/// Checks the half-boards that each kernel generates for a column set, both all at once and in
/// pieces, against the recount's.
fn check_half_boards<W: Word>(core: &Core, part: &Part) -> usize {
    let places = BitPositions::new::<W>(core.relevant());
    let numbers = row_set_ranks(core.half);
    let [a, d] = part.sets;
    let columns = ColumnSet { a, d, images: 1 }.quarters(core.half);
    let mut longest = 0;
    for bottom in [false, true] {
        let [left, right] = [0, 1].map(|right| {
            let quarter = 2 * usize::from(bottom) + right;
            Finder::<W>::default()
                .find(
                    Query {
                        core,
                        positions: &places,
                        row_set_ranks: &numbers,
                        quarter,
                        columns: columns[quarter],
                    },
                    &CancelToken::new(),
                )
                .unwrap()
        });
        let mut expected = part.half_boards(bottom, &CancelToken::new()).unwrap();
        if core.queens.is_empty() {
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
        expected.iter_mut().for_each(|words| words.sort_unstable());
        let mut half_boards = HalfBoards::default();
        for kernel in Kernel::available() {
            for most in [usize::MAX, 5000, 0] {
                let mut made: [Vec<W>; 3] = Default::default();
                for row_sets in row_set_ranges([&left, &right], most) {
                    kernel
                        .run(Combine {
                            half_boards: &mut half_boards,
                            quarters: [&left, &right],
                            row_sets,
                        })
                        .unwrap();
                    (0..3).for_each(|marks| made[marks].extend(half_boards.with_marks(marks)));
                    assert!(
                        half_boards
                            .words()
                            .iter()
                            .all(|&word| word & half_boards.used == word)
                    );
                }
                longest = longest.max(made.iter().map(Vec::len).sum());
                let found = crossing(core, &places, &made);
                assert!(
                    found == expected,
                    "N = {}, {:?}, {columns:?}, {kernel:?}, {most}",
                    core.n,
                    core.queens
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
    for (n, draws) in [
        (18, 2),
        (20, 1),
        (22, 1),
        (23, 1),
        (24, 2),
        (26, 1),
        (27, 1),
        (28, 2),
    ] {
        let numbering = numbering(n);
        let listing = planned(n);
        let mut random = SplitMix64::new(n.into());
        for draw in 0..draws {
            // Alternate between a random core and the one with the most relevant diagonals among
            // 300 random cores.
            let cores = (0..[1, 300][draw % 2]).map(|_| core(&numbering, &mut random));
            let core = cores
                .max_by_key(|core| core.relevant().count_ones())
                .unwrap();
            widest = widest.max(core.relevant().count_ones());
            let mut queens = core.queens.clone();
            queens.sort_unstable();
            // The tiles in the middle have the longest lists.
            let units = listing.units_of_core(&queens);
            let parts = listing.parts(units.start + (units.end - units.start) / 2);
            let part = &parts[random.below(parts.len() as u64) as usize];
            longest = longest.max(check_half_boards::<u64>(&core, part));
            if core.relevant().count_ones() <= u32::BITS {
                check_half_boards::<u32>(&core, part);
            }
        }
    }
    assert!(longest > 1 << 17, "{longest} half-boards are not many");
    assert!(widest > 48, "{widest} diagonals are not many");
}

/// Combines artificial lists into half-boards, and compares the result with a double loop.
fn check_long<W: Word + Ord>(random: &mut SplitMix64) {
    for (few, many) in [(1, 70_003), (65, 5001), (130, 6003), (64, 1024), (200, 200)] {
        // Create one list without marks, and one in which every word has a mark.
        let mut list = |length: usize| {
            [length, length / 3].map(|length| {
                let words = (0..length).map(|_| {
                    let drawn = random.next_u64() & random.next_u64() & random.next_u64();
                    W::from_u64(drawn & 0x3_0c03_0c03)
                });
                words.collect()
            })
        };
        let one: [Vec<W>; 2] = list(few);
        let other: [Vec<W>; 2] = list(many);
        let mut expected: [Vec<W>; 3] = Default::default();
        for (marks, left) in one.iter().enumerate() {
            for (more, right) in other.iter().enumerate() {
                for &left in left {
                    let apart = right.iter().filter(|&&right| left & right == W::default());
                    expected[marks + more].extend(apart.map(|&right| left | right));
                }
            }
        }
        expected.iter_mut().for_each(|words| words.sort_unstable());
        for kernel in Kernel::available() {
            for quarters in [[&one, &other], [&other, &one]] {
                let [left, right] = quarters.map(QuarterBoards::of);
                let mut made = HalfBoards::default();
                kernel
                    .run(Combine {
                        half_boards: &mut made,
                        quarters: [&left, &right],
                        row_sets: 0..1,
                    })
                    .unwrap();
                let mut made = made.lists().map(<[W]>::to_vec);
                made.iter_mut().for_each(|words| words.sort_unstable());
                assert!(
                    made == expected,
                    "{kernel:?}, words of {} bits, {few} and {many}",
                    W::BITS
                );
            }
        }
    }
}

#[test]
fn half_boards_of_long_lists_are_all_there() {
    check_long::<u32>(&mut SplitMix64::new(32));
    check_long::<u64>(&mut SplitMix64::new(64));
}

/// Returns a list of the given length whose contents identify it.
fn named(core: u64, quarter: usize, columns: u32, length: usize) -> QuarterBoards<u64> {
    QuarterBoards::of(&[
        vec![core << 32 | (quarter as u64) << 16 | u64::from(columns); length],
        vec![],
    ])
}

#[test]
fn a_store_without_room_never_has_the_list_of_another() {
    let numbering = Numbering::new(28, 4, 32);
    let tiling = numbering.tiling(Images::None);
    // Take the first tiles of each tier, and the last tiles of the largest tier. Some of these
    // tiles are clipped.
    let tiles: Vec<_> = tiling
        .tiles()
        .iter()
        .filter(|tile| tile.first.iter().all(|first| *first < 64 || *first > 890))
        .collect();
    let lengths = |columns: u32| 1 + columns as usize % 7 * 40;
    let largest = named(0, 0, 0, 1 + 6 * 40).bytes();
    for limit in [0, largest, 5 * largest, 30 * largest, usize::MAX] {
        let mut store = Cache::<u64>::new(12, limit);
        let mut found = 0;
        let mut needed = BTreeSet::new();
        for core in 0..3 {
            store.clear();
            // Alternate the direction, so that each core begins with the lists that the previous
            // one used last.
            for at in 0..tiles.len() {
                let tile = tiles[if core == 1 { tiles.len() - 1 - at } else { at }];
                for set in
                    tiling
                        .column_sets(*tile)
                        .step_by(if limit == usize::MAX { 13 } else { 131 })
                {
                    let columns = set.quarters(12);
                    for (quarter, &columns) in columns.iter().enumerate() {
                        needed.insert((core, quarter, columns));
                        if !store.touch(quarter, columns) {
                            store.insert(
                                quarter,
                                columns,
                                named(core, quarter, columns, lengths(columns)),
                            );
                            found += 1;
                        }
                    }
                    let mut of_four = 0;
                    for (quarter, &columns) in columns.iter().enumerate() {
                        let list = store.get(quarter, columns);
                        let expected = named(core, quarter, columns, lengths(columns));
                        assert_eq!(
                            list.words_and_starts(),
                            expected.words_and_starts(),
                            "{limit} bytes, core {core}, {set:?}, {quarter}"
                        );
                        of_four += list.bytes();
                    }
                    assert!(
                        store.bytes <= limit.max(of_four),
                        "{} bytes of {limit}",
                        store.bytes
                    );
                }
            }
        }
        assert_eq!(
            found == needed.len(),
            limit == usize::MAX,
            "{found} found, {} needed, {limit} bytes",
            needed.len()
        );
    }
    // The least recently used list is evicted, however often it was used before.
    let mut store = Cache::<u64>::new(12, 5 * largest);
    (5..1 << 16).for_each(|_| _ = store.touch(0, 0));
    for columns in [0, 1, 2, 3, 4, 0, 2, 5, 6] {
        if !store.touch(0, columns) {
            store.insert(0, columns, named(0, 0, columns, 1 + 6 * 40));
        }
    }
    let at_hand: Vec<u32> = (0..7).filter(|&columns| store.touch(0, columns)).collect();
    assert_eq!(at_hand, [0, 2, 4, 5, 6]);
    // At the start of each core, a cache of any size is empty.
    let mut store = Cache::<u64>::new(12, usize::MAX);
    store.insert(0, 1, named(0, 0, 1, 20 << 20));
    store.clear();
    assert!(store.bytes == 0 && !store.touch(0, 1));
}
