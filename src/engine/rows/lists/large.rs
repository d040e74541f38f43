//! Tests lists as long as those of the largest boards, and caches that are too small for their
//! lists.
//!
//! The longest known lists occur for N = 26: 526,010 quarter-boards (unit 20425) and 2.26 million
//! half-boards. The tests use lists beyond the next power of two, because that is where an integer
//! type that is too narrow would overflow.

use std::collections::BTreeSet;

use super::cache::Cache;
use super::half::{Combine, HalfBoards};
use super::quarter::{Finder, QuarterBoards, Query, longest_list, quarter_boards};
use super::word::{BitPositions, Word};
use crate::board::bits;
use crate::cancel::CancelToken;
use crate::engine::rows::kernel::Kernel;
use crate::engine::rows::theory::core::Core;
use crate::engine::rows::theory::large::placements;
use crate::engine::rows::theory::numbering::Numbering;
use crate::splitmix::SplitMix64;

/// Finds quarter-boards at the top left.
fn find(core: &Core, columns: u32) -> QuarterBoards<u64> {
    let query = Query {
        core,
        positions: &BitPositions::new::<u64>(core.relevant()),
        quarter: 0,
        columns,
    };
    Finder::default().find(query, &CancelToken::new()).unwrap()
}

#[test]
fn quarter_board_counts_match_table_and_bound() {
    for half in 2..=9 {
        let core = Numbering::new(2 * half, 0, 16).core(0).unwrap();
        let mut all = 0;
        for columns in 0..1 << half {
            let length = find(&core, columns).len() as u64;
            assert!(length <= longest_list(half), "{half} rows, {columns:b}");
            all += length;
        }
        assert_eq!(all, quarter_boards(half), "{half} rows");
    }
}

#[test]
fn longest_quarter_board_list_is_complete() {
    let core = Numbering::new(28, 0, 16).core(0).unwrap();
    let columns = 0b01_0101_0101_0101;
    let lines = bits(columns)
        .map(|column| column.trailing_zeros())
        .map(|column| (0..14).map(|row| (row, column)).collect());
    let length = placements(lines).len();
    assert!(length > 1 << 20, "{length} quarter-boards");
    let found = find(&core, columns as u32);
    assert_eq!(found.len(), length);
}

fn check_long_half_board_lists<W: Word>() {
    const LENGTHS: [usize; 2] = [2100, 2001];
    let [left, right] = LENGTHS.map(|length| {
        let words = [length, length / 3].map(|length| vec![W::default(); length]);
        QuarterBoards::from_words(&words)
    });
    let [a, b] = LENGTHS;
    assert!(a * b > 1 << 22);
    let mut made = HalfBoards::default();
    for kernel in Kernel::available() {
        let combine = Combine {
            half_boards: &mut made,
            quarters: [&left, &right],
            row_sets: 0..1,
        };
        kernel.run(combine).unwrap();
        assert_eq!(
            made.lists().map(<[W]>::len),
            [a * b, a * (b / 3) + a / 3 * b, a / 3 * (b / 3)],
            "{kernel:?}, {} bits",
            W::BITS
        );
    }
}

#[test]
fn long_half_board_lists_keep_every_pair() {
    check_long_half_board_lists::<u32>();
    check_long_half_board_lists::<u64>();
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
}
