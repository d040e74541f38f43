//! Tests lists as long as those of the largest boards, and caches that are too small for their
//! lists.
//!
//! The longest known lists occur for N = 26: 526,010 quarter-boards (unit 20425) and 2.26 million
//! half-boards. The tests use lists beyond the next power of two, because that is where an integer
//! type that is too narrow would overflow.

use super::cache::Cache;
use super::half::{Combine, HalfBoards, row_set_ranges};
use super::quarter::{Finder, QuarterBoards, longest_list, quarter_boards};
use super::word::{BitPositions, Word};
use crate::board::bits;
use crate::cancel::CancelToken;
use crate::engine::rows::kernel::Kernel;
use crate::engine::rows::tests::placements;
use crate::engine::rows::theory::core::Core;
use crate::engine::rows::theory::numbering::Numbering;

/// Finds quarter-boards at the top left.
fn find(core: &Core, columns: u32) -> QuarterBoards<u64> {
    let positions = BitPositions::new::<u64>(core.relevant());
    Finder::default()
        .find(core, &positions, 0, columns, &CancelToken::new())
        .unwrap()
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
    // Transposed, so that each column has one queen.
    let each_column = bits(columns).map(u64::trailing_zeros);
    let length = placements(each_column, (1 << 14) - 1, 14).len();
    assert!(length > 1 << 20, "{length} quarter-boards");
    let found = find(&core, columns as u32);
    assert_eq!(found.len(), length);
    for most in [1, 1000, 1 << 20, usize::MAX] {
        let ranges = row_set_ranges([&found, &found], most);
        assert!(
            ranges.flatten().eq(0..found.row_sets),
            "{most} half-boards at a time"
        );
    }
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

#[test]
fn full_cache_evicts_least_recently_used_lists() {
    let list = || QuarterBoards::<u64>::from_words(&[vec![0; 240], vec![]]);
    let bytes = list().bytes();
    // The four lists that were used last are kept even if they do not fit.
    for (fitting, expected) in [
        (5, vec![0, 2, 4, 5, 6]),
        (4, vec![0, 2, 5, 6]),
        (0, vec![0, 2, 5, 6]),
    ] {
        let mut cache = Cache::new(12, fitting * bytes);
        // It does not matter how often a list was used before.
        (5..1 << 16).for_each(|_| _ = cache.touch(0, 0));
        for columns in [0, 1, 2, 3, 4, 0, 2, 5, 6] {
            if !cache.touch(0, columns) {
                cache.insert(0, columns, list());
            }
        }
        let cached: Vec<u32> = (0..7).filter(|&columns| cache.touch(0, columns)).collect();
        assert_eq!(cached, expected, "room for {fitting} lists");
        assert_eq!(cache.bytes, expected.len() * bytes);
        cache.clear();
        assert!(!(0..7).any(|columns| cache.touch(0, columns)));
    }
}
