//! Tests that the integer types are wide enough for the longest lists. The tested lengths go up to
//! the next power of two above the longest list that occurs. At that length, any type that is too
//! narrow would overflow.
//!
//! The command below samples column sets and prints the maximum of each quantity:
//!
//! ```text
//!  N  quarter-boards  half-boards  row sets  shared diagonals  diagonals  column sets
//! 13              92           87        20                18         22          225
//! 14             296          564        35                24         26          256
//! 15             296          338        35                22         26          256
//! 16            1174         2918        70                28         30          256
//! 17            1174         1790        70                26         30          256
//! 18            5366        16236       126                30         32          256
//! 19            5308        10069       126                30         34          256
//! 20           26548       102864       252                34         36          256
//! 21           24324        59113       252                34         38          256
//! 22          126578       745456       462                38         40           16
//! 23          125966       428914       462                38         42          256
//! 24           84285       305472       462                37         44          256
//! 25           88123       263343       462                36         44          256
//! 26          457911      1923239       924                42         48          256
//! 27          417223      1674434       924                41         48         1024
//! 28          209825       904622       924                39         49         1024
//! 29          183748       605978       924                38         50         1024
//! 30          162228       509046       924                37         50         1024
//! 31           78811       345845       924                37         50         1024
//! 32           87470       152396       924                35         50         1024
//! ```
//!
//! ```sh
//! cargo test --release --lib sizes_that_occur -- --ignored --nocapture
//! ```
//!
//! The longest known lists occur for N = 26: 526,010 quarter-boards (unit 20425) and 2.26 million
//! half-boards. The tests use lists of 2^20 and 2^22, respectively. Quarter-boards are tested by
//! `lists::at_size`, tiles of 1024 column sets by `at_size`, and keys of 16 diagonals by
//! `join::at_size`.

use super::core_lists::CoreLists;
use super::join::{Lists, Workspace, disjoint_pairs};
use super::lists::half::{Combine, HalfBoards};
use super::lists::quarter::QuarterBoards;
use super::lists::word::Word;
use super::theory::subsets::binomial;
use super::*;

/// A length that no list of half-boards exceeds.
const HALF_BOARDS: usize = 1 << 22;

/// Combines two lists of quarter-boards, whose words are consecutive numbers, into half-boards.
fn make_half_boards<W: Word>() {
    const LEFT: u64 = 2100;
    const RIGHT: u64 = 2001;
    let numbered = |length: u64, shift: u32| {
        let words = (0..length).map(|number| W::from_u64(number << shift));
        QuarterBoards::of(&[words.collect(), vec![]])
    };
    let [left, right] = [numbered(LEFT, 0), numbered(RIGHT, 12)];
    for kernel in Kernel::available() {
        let mut half_boards = HalfBoards::default();
        kernel
            .run(Combine {
                half_boards: &mut half_boards,
                quarters: [&left, &right],
                row_sets: 0..1,
            })
            .unwrap();
        assert!(half_boards.len() > HALF_BOARDS);
        assert_eq!(half_boards.len() as u64, LEFT * RIGHT, "{kernel:?}");
        let mut seen = vec![false; 1 << 24];
        for word in half_boards.with_marks(0) {
            seen[word.to_u64() as usize] = true;
        }
        let seen = seen.into_iter().filter(|seen| *seen).count();
        assert_eq!(seen as u64, LEFT * RIGHT, "{kernel:?}, {} bits", W::BITS);
    }
}

#[test]
fn longer_lists_than_occur_are_made() {
    make_half_boards::<u32>();
    make_half_boards::<u64>();
}

/// Joins lists that are longer than any in a count, but contain only a few hundred different words.
fn join_lists<W: Word>(kernels: &[Kernel], bits: u32, lengths: [[usize; 3]; 2]) {
    const WORDS: u64 = 200;
    let mut random = SplitMix64::new(bits.into());
    // Most pairs of words conflict on most diagonals, so joining the lists takes only a second.
    let mut word = |number: u64| {
        let dense = random.next_u64() | random.next_u64() | random.next_u64() | random.next_u64();
        let sparse = random.next_u64() & random.next_u64() & random.next_u64();
        let word = if number < 4 { sparse } else { dense };
        word & ((1 << bits) - 1)
    };
    let words = [0, 1].map(|_| (0..WORDS).map(&mut word).collect::<Vec<u64>>());
    let mut numbers = [[[0_u128; WORDS as usize]; 3]; 2];
    let mut half_boards = Vec::new();
    for side in 0..2 {
        let mut lists: [Vec<W>; 3] = Default::default();
        for marks in 0..3 {
            for _ in 0..lengths[side][marks] {
                let number = random.below(WORDS) as usize;
                numbers[side][marks][number] += 1;
                lists[marks].push(W::from_u64(words[side][number]));
            }
        }
        half_boards.push(HalfBoards::of(&lists));
    }
    let weights = [[8, 1, 5], [3, 2, 7], [6, 4, 0]];
    let mut expected = 0;
    for (top, by_bottom) in weights.iter().enumerate() {
        for (bottom, &weight) in by_bottom.iter().enumerate() {
            for (one, tops) in words[0].iter().zip(numbers[0][top]) {
                for (other, bottoms) in words[1].iter().zip(numbers[1][bottom]) {
                    if one & other == 0 {
                        expected += u128::from(weight) * tops * bottoms;
                    }
                }
            }
        }
    }
    assert!(expected > 1 << 20);
    let lists = Lists::of(&half_boards[0], &half_boards[1], weights);
    for &kernel in kernels {
        let pairs = disjoint_pairs(
            kernel,
            lists,
            &mut Workspace::default(),
            &CancelToken::new(),
        );
        assert_eq!(pairs, Ok(expected), "{kernel:?}, {bits} bits, {lengths:?}");
    }
}

#[test]
fn longer_lists_than_occur_are_joined() {
    const LONG: usize = HALF_BOARDS + 3;
    join_lists::<u64>(
        &[Kernel::default()],
        42,
        [[LONG, 7001, 3], [LONG + 600, 9001, 1]],
    );
    // Here the shorter list is short enough to be joined without sorting.
    join_lists::<u32>(
        &Kernel::available(),
        30,
        [[LONG, 70_001, 65_537], [2048, 0, 0]],
    );
}

#[test]
#[ignore = "measures, and proves nothing"]
fn sizes_that_occur() {
    println!(" N  quarter-boards  half-boards  row sets  shared diagonals  diagonals  column sets");
    for n in 13..=32 {
        let engine = Rows::new(BoardSize::new(n).unwrap(), EngineOptions::new());
        let mut random = SplitMix64::new(1);
        let stop = CancelToken::new();
        let context = engine.context(&stop);
        let half = engine.numbering.half;
        let [mut quarters, mut halves, mut sets] = [0; 3];
        let [mut shared, mut places] = [0; 2];
        for _ in 0..1000 {
            let unit = engine
                .numbering
                .unit(engine.unit_at(random.unit_interval()));
            let Some(core) = engine.numbering.core(unit.core) else {
                continue;
            };
            let tiling = engine.numbering.tiling(core.symmetry.images);
            let of_tile: Vec<ColumnSet> = tiling.column_sets(unit.tile).collect();
            sets = sets.max(of_tile.len());
            places = places.max(core.relevant().count_ones());
            let columns = of_tile[random.below(of_tile.len() as u64) as usize].quarters(half);
            let mut lists = CoreLists::<u64>::new(half, usize::MAX);
            lists.prepare(&core);
            for (quarter, columns) in columns.into_iter().enumerate() {
                lists.find(context, &core, quarter, columns).unwrap();
                quarters = quarters.max(lists.quarters.get(quarter, columns).len());
            }
            let used = [0, 2].map(|quarter| {
                let quarters = [quarter, quarter + 1]
                    .map(|quarter: usize| lists.quarters.get(quarter, columns[quarter]));
                let mut half_boards = HalfBoards::default();
                let row_sets = 0..quarters[0].row_sets;
                let combine = Combine {
                    half_boards: &mut half_boards,
                    quarters,
                    row_sets,
                };
                engine.kernel.run(combine).unwrap();
                halves = halves.max(half_boards.len());
                half_boards.used
            });
            shared = shared.max((used[0] & used[1]).count_ones());
        }
        let row_sets = binomial(half, half / 2);
        println!(
            "{n:2}  {quarters:14}  {halves:11}  {row_sets:8}  {shared:16}  {places:9}  {sets:11}"
        );
    }
}
