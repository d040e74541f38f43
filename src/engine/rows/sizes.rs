//! Tests that the integer types are wide enough for the longest lists. The tested lengths go up to
//! the first power of two above the greatest length that occurs, because that is where a narrower
//! type would overflow.
//!
//! `cargo test --release --lib largest_sizes_in_practice_are_printed -- --ignored --nocapture`
//! samples column sets and prints the maximum of each quantity:
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
//! The longest known lists occur for N = 26: 526,010 quarter-boards (unit 20425) and 2.26 million
//! half-boards. The tests use lists of 2^20 and 2^22, respectively. `lists::large` tests
//! quarter-boards, `large` tests tiles of 1024 column sets, and `join::large` tests long lists
//! and keys of 16 diagonals.

use super::core_lists::CoreLists;
use super::lists::half::{Combine, HalfBoards};
use super::lists::quarter::QuarterBoards;
use super::lists::word::Word;
use super::tests::default_rows;
use super::theory::subsets::binomial;
use super::*;

fn combine<W: Word>(kernel: Kernel, quarters: [&QuarterBoards<W>; 2]) -> HalfBoards<W> {
    let mut half_boards = HalfBoards::default();
    let combine = Combine {
        half_boards: &mut half_boards,
        quarters,
        row_sets: 0..quarters[0].row_sets,
    };
    kernel.run(combine).unwrap();
    half_boards
}

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
        let half_boards = combine(kernel, [&left, &right]);
        let what = format!("{kernel:?}, {} bits", W::BITS);
        assert!(half_boards.len() > 1 << 22);
        assert_eq!(half_boards.len() as u64, LEFT * RIGHT, "{what}");
        let mut seen = vec![false; 1 << 24];
        for word in half_boards.with_marks(0) {
            seen[word.to_u64() as usize] = true;
        }
        let seen = seen.into_iter().filter(|seen| *seen).count();
        assert_eq!(seen as u64, LEFT * RIGHT, "{what}");
    }
}

#[test]
fn lists_longer_than_in_practice_are_generated() {
    make_half_boards::<u32>();
    make_half_boards::<u64>();
}

#[test]
#[ignore = "measures, and proves nothing"]
fn largest_sizes_in_practice_are_printed() {
    println!(" N  quarter-boards  half-boards  row sets  shared diagonals  diagonals  column sets");
    for n in 13..=32 {
        let engine = default_rows(n);
        let mut random = SplitMix64::new(1);
        let stop = CancelToken::new();
        let half = engine.numbering.half;
        let [mut quarters, mut halves, mut sets] = [0; 3];
        let [mut shared, mut places] = [0; 2];
        for _ in 0..1000 {
            let unit = engine.random_unit(&mut random);
            let Some(core) = engine.core(unit) else {
                continue;
            };
            let tiling = engine.numbering.tiling(core.symmetry.images);
            let tile = engine.numbering.unit(unit).tile;
            let of_tile: Vec<ColumnSet> = tiling.column_sets(tile).collect();
            sets = sets.max(of_tile.len());
            places = places.max(core.relevant().count_ones());
            let columns = of_tile[random.below(of_tile.len() as u64) as usize].quarters(half);
            let mut lists = CoreLists::<u64>::new(half, usize::MAX);
            lists.prepare(&core);
            for (quarter, columns) in columns.into_iter().enumerate() {
                lists
                    .find(engine.context(&stop), &core, quarter, columns)
                    .unwrap();
                quarters = quarters.max(lists.quarters.get(quarter, columns).len());
            }
            let [tops, bottoms] = [[0, 1], [2, 3]].map(|half| {
                let quarters =
                    half.map(|quarter: usize| lists.quarters.get(quarter, columns[quarter]));
                combine(engine.kernel, quarters)
            });
            halves = halves.max(tops.len()).max(bottoms.len());
            shared = shared.max((tops.used & bottoms.used).count_ones());
        }
        let row_sets = binomial(half, half / 2);
        println!(
            "{n:2}  {quarters:14}  {halves:11}  {row_sets:8}  {shared:16}  {places:9}  {sets:11}"
        );
    }
}
