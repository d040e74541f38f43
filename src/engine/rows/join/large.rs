//! Tests joins of lists longer than any that occur (see `lists/large.rs`), in every shape that the
//! cost model can choose.
//!
//! The lists of small boards fill only one or two blocks. These tests cover cases that require long
//! lists: keys with thousands of half-boards, more than 65,536 blocks, blocks of half-boards that
//! agree on eight diagonals, and counts above 2^32.

use std::collections::BTreeSet;

use super::keyed::join;
use super::shape::JoinShape;
use super::tests::{WEIGHTS, check, expected, half_boards};
use super::*;
use crate::board::bits;
use crate::engine::rows::lists::half::HalfBoards;

/// A length that no list of half-boards reaches.
const LONG: usize = (1 << 22) + 3;

#[test]
fn long_lists_are_joined() {
    for (lengths, diagonals) in [
        // These lists are as long as those for N = 27 and 28.
        ([[131_075, 7001, 3], [140_001, 9001, 1]], [0, 16, 16, 12]),
        // Most tops share the first few keys; each later key has a single top.
        ([[131_075, 7001, 3], [70_001, 9001, 1]], [0, 6, 5, 35]),
        ([[LONG, 7001, 3], [LONG + 600, 9001, 1]], [4, 20, 10, 8]),
        ([[66_001, 70_001, 65_537], [2048, 1, 0]], [0, 5, 5, 10]),
        // If no diagonals are shared, all pairs count.
        ([[70_000, 5000, 66_000], [65_536, 3, 1000]], [0, 0, 0, 0]),
    ] {
        check::<u64>(lengths, diagonals, WEIGHTS, 1);
    }
    for (lengths, diagonals) in [
        ([[131_075, 70_001, 3], [66_001, 72_001, 5]], [0, 12, 12, 8]),
        ([[650_003, 5, 0], [1_048_583, 3001, 0]], [0, 14, 4, 10]),
        // Each key has thousands of tops.
        ([[LONG, 70_001, 65_537], [2048, 0, 0]], [0, 5, 5, 10]),
        ([[100_001, 3, 2], [513, 1021, 512]], [0, 3, 1, 1]),
    ] {
        check::<u32>(lengths, diagonals, WEIGHTS, 2);
    }
}

/// Returns half-boards without marks, which may occupy these diagonals.
fn unmarked(words: Vec<u64>, used: u64) -> HalfBoards<u64> {
    HalfBoards::from_words(&[words, vec![], vec![]], used)
}

/// Joins half-boards that occupy one of the diagonals in `used`, or none. Because table entries and
/// lookups are ORs of diagonals (`complete.rs`), these half-boards decide which diagonals conflict
/// in a shape: each only with itself, so that each is in the group, the key or a chunk. In the
/// longer list, each diagonal occurs a different number of times, so none is taken for another.
/// Then joins all keys, none of which may be lost.
fn check_single_diagonals(kernel: Kernel, used: u64, shape: JoinShape, workspace: &mut Workspace) {
    let singles: Vec<u64> = bits(used).chain([0]).collect();
    let mut keys = vec![0];
    for diagonal in (0..shape.key).map(|rank| 1 << workspace.ranking.position(rank)) {
        keys.extend(keys.clone().iter().map(|key| key | diagonal));
    }
    let times = (1..).zip(&singles).map(|(times, &word)| vec![word; times]);
    let longer = unmarked(times.flatten().collect(), used);
    let of_singles = singles
        .iter()
        .map(|&single| (&longer, unmarked(vec![single], used)));
    let keys = unmarked(keys, used);
    for (longer, shorter) in of_singles.chain([(&keys, unmarked(singles.clone(), used))]) {
        let mut expected = 0;
        for one in shorter.words() {
            let disjoint = longer.words().iter().filter(|&other| one & other == 0);
            expected += disjoint.count() as u128;
        }
        let lists = Lists {
            longer,
            shorter: &shorter,
            weights: [[1; 3]; 3],
        };
        let pairs = join(kernel, lists, shape, workspace, &CancelToken::new());
        assert_eq!(
            pairs,
            Ok(expected),
            "{kernel:?}, {shape:?}, {:?}",
            shorter.words()
        );
    }
}

/// Tries all shapes that may be chosen. (From 2^17 half-boards in the shorter list on, there are no
/// others.)
#[test]
fn every_shape_gives_same_count() {
    let mut seen = BTreeSet::new();
    for shared in 0u32..=48 {
        // The largest keys need more tops, so that each upper half of a key occurs with many lower
        // halves.
        let tops = if shared > 45 { 24_000 } else { 900 };
        let lengths = [[tops, 200, 45], [700, 130, 33]];
        let half = shared.div_ceil(2);
        let diagonals = [0, half, shared / 4, shared - half - shared / 4];
        let half_boards = half_boards::<u64>(lengths, diagonals, shared.into());
        let expected = expected(&half_boards, WEIGHTS);
        let [tops, bottoms] = &half_boards;
        let lists = Lists::new(tops, bottoms, WEIGHTS);
        let mut workspace = Workspace::default();
        workspace.ranking.rank(Kernel::default(), &lists);
        let shapes: BTreeSet<_> = (7..18)
            .flat_map(|bits| workspace.ranking.shapes(1 << bits))
            .collect();
        for shape in shapes {
            seen.insert([shape.key, shape.group, shape.alike]);
            for kernel in Kernel::available() {
                let pairs = join(kernel, lists, shape, &mut workspace, &CancelToken::new());
                assert_eq!(pairs, Ok(expected), "{kernel:?}, {shape:?}");
                check_single_diagonals(kernel, tops.used, shape, &mut workspace);
            }
        }
    }
    assert!(
        seen.contains(&[13, 4, 8]) && seen.contains(&[16, 0, 16]),
        "{seen:?}"
    );
}

#[test]
#[should_panic(expected = "both halves share 49 diagonals, more than 48")]
fn joining_over_48_shared_diagonals_panics() {
    let used = (1 << 49) - 1;
    let half_boards = unmarked(vec![used], used);
    let lists = Lists::new(&half_boards, &half_boards, WEIGHTS);
    let mut workspace = Workspace::default();
    let _ = disjoint_pairs(
        Kernel::default(),
        lists,
        &mut workspace,
        &CancelToken::new(),
    );
}
