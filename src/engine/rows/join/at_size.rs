//! Tests of joins as large as on the largest boards, compared with the splitting join of recounts.
//!
//! The lists of small boards fill one or two blocks. These tests cover what only happens with long
//! lists: keys with thousands of half-boards, blocks beyond the 65,536th, blocks that are alike in
//! eight diagonals, and counts above 2^32; and every shape that the cost model can choose.

use std::collections::{BTreeMap, BTreeSet};

use super::keyed::join;
use super::ranking::Ranking;
use super::shape::JoinShape;
use super::*;
use crate::engine::rows::lists::half::HalfBoards;
use crate::engine::rows::recount;
use crate::splitmix::SplitMix64;

/// A different weight for each class of pairs; one of them is 0.
const WEIGHTS: [[u64; 3]; 3] = [[8, 1, 5], [3, 2, 7], [6, 4, 0]];

/// Returns random half-boards, of the given lengths with 0, 1 and 2 marks. `half` diagonals, at
/// random bit positions, are occupied by half of them, `quarter` by a quarter, and `eighth` by an
/// eighth.
fn half_boards<W: Word>(
    random: &mut SplitMix64,
    lengths: [usize; 3],
    [half, quarter, eighth]: [u32; 3],
) -> HalfBoards<W> {
    let mut places: Vec<u32> = (0..W::BITS).collect();
    // The same bit positions for tops and bottoms.
    let mut order = SplitMix64::new(u64::from(half + quarter + eighth));
    places.sort_by_cached_key(|_| order.next_u64());
    let mut places = places.into_iter();
    let [half, quarter, eighth] = [half, quarter, eighth].map(|lines| {
        places
            .by_ref()
            .take(lines as usize)
            .fold(0, |all, place| all | 1u64 << place)
    });
    let mut word = |_| {
        let drawn = [0; 3].map(|_| random.next_u64());
        W::from_u64(drawn[0] & (half | drawn[1] & (quarter | drawn[2] & eighth)))
    };
    // The longest lists have few different words, because `expected` joins each word once.
    if lengths.iter().sum::<usize>() > 1 << 19 {
        let words: Vec<W> = (0..256).map(&mut word).collect();
        return HalfBoards::of(&lengths.map(|length| {
            (0..length)
                .map(|_| words[random.below(256) as usize])
                .collect()
        }));
    }
    HalfBoards::of(&lengths.map(|length| (0..length).map(&mut word).collect()))
}

/// Returns the weighted number of disjoint pairs, computed by splitting. Equal words are joined
/// once.
fn expected<W: Word>(
    tops: &HalfBoards<W>,
    bottoms: &HalfBoards<W>,
    weights: [[u64; 3]; 3],
) -> u128 {
    let [tops, bottoms]: [[Vec<u64>; 3]; 2] = [tops, bottoms].map(|half_boards| {
        half_boards
            .lists()
            .map(|list| list.iter().map(|word| word.to_u64()).collect())
    });
    let mut total = 0;
    for (tops, weights) in tops.iter().zip(weights) {
        for (bottoms, weight) in bottoms
            .iter()
            .zip(weights)
            .filter(|(_, weight)| *weight > 0)
        {
            total += u128::from(weight) * u128::from(disjoint(tops, bottoms));
        }
    }
    total
}

/// Returns the number of disjoint pairs.
fn disjoint(tops: &[u64], bottoms: &[u64]) -> u64 {
    let [tops_by_word, bottoms_by_word] = [tops, bottoms].map(|words| {
        let mut by_word: BTreeMap<u64, u64> = BTreeMap::new();
        words
            .iter()
            .take(4096)
            .for_each(|&word| *by_word.entry(word).or_default() += 1);
        let few = by_word.len() < 300;
        few.then(|| {
            words
                .iter()
                .skip(4096)
                .for_each(|&word| *by_word.entry(word).or_default() += 1);
            by_word
        })
    });
    let (Some(tops_by_word), Some(bottoms_by_word)) = (tops_by_word, bottoms_by_word) else {
        return recount::disjoint_pairs(tops, bottoms, &CancelToken::new()).unwrap();
    };
    let pairs = tops_by_word.iter().map(|(top, times)| {
        let disjoint = bottoms_by_word
            .iter()
            .filter(|(bottom, _)| top & **bottom == 0);
        times * disjoint.map(|(_, times)| times).sum::<u64>()
    });
    pairs.sum()
}

/// Compares every kernel with splitting.
fn check<W: Word>(lengths: [[usize; 3]; 2], lines: [u32; 3], weights: [[u64; 3]; 3]) {
    let mut random = SplitMix64::new(lines.iter().sum::<u32>().into());
    let [tops, bottoms] = lengths.map(|lengths| half_boards::<W>(&mut random, lengths, lines));
    let lists = Lists::of(&tops, &bottoms, weights);
    let expected = expected(&tops, &bottoms, weights);
    for kernel in Kernel::available() {
        let pairs = disjoint_pairs(
            kernel,
            lists,
            &mut Workspace::default(),
            &CancelToken::new(),
        )
        .unwrap();
        assert_eq!(
            pairs,
            expected,
            "{kernel:?}, words of {} bits, {lengths:?}, {lines:?}",
            W::BITS
        );
    }
}

#[test]
fn lists_of_large_boards_are_joined_with_marks() {
    // As long as the lists of N = 27 and 28, with few marks and then with many.
    check::<u64>(
        [[131_075, 7001, 3], [140_001, 9001, 1]],
        [16, 16, 12],
        WEIGHTS,
    );
    check::<u32>(
        [[131_075, 70_001, 3], [66_001, 72_001, 5]],
        [12, 12, 8],
        WEIGHTS,
    );
    // With keys of a single top, after the keys of most tops.
    check::<u64>([[131_075, 7001, 3], [70_001, 9001, 1]], [6, 5, 35], WEIGHTS);
}

#[test]
fn the_longest_lists_are_joined() {
    check::<u64>(
        [[1_048_583, 3001, 0], [650_003, 70_001, 9]],
        [14, 4, 20],
        WEIGHTS,
    );
    // The bottoms are the longer list.
    check::<u32>(
        [[650_003, 5, 0], [1_048_583, 3001, 0]],
        [14, 4, 10],
        WEIGHTS,
    );
}

#[test]
fn long_lists_of_equal_half_boards_are_joined() {
    // Each key has thousands of tops; and words without shared diagonals, where all pairs count.
    for lines in [[0, 0, 0], [1, 0, 0], [3, 1, 1]] {
        check::<u64>([[70_000, 5000, 66_000], [65_536, 3, 1000]], lines, WEIGHTS);
        // The count of a block exceeds 2^32.
        check::<u32>([[70_000, 0, 0], [70_000, 0, 0]], lines, [[1 << 36; 3]; 3]);
    }
}

#[test]
fn many_tops_are_looked_up_in_a_few_blocks() {
    check::<u32>(
        [[1_048_583, 70_001, 65_537], [2048, 0, 0]],
        [5, 5, 10],
        WEIGHTS,
    );
    check::<u32>([[100_001, 3, 2], [513, 1021, 512]], [3, 1, 1], WEIGHTS);
    check::<u64>(
        [[66_001, 70_001, 65_537], [2048, 1, 0]],
        [5, 5, 10],
        WEIGHTS,
    );
}

/// Returns all shapes that a join may use, up to blocks that are alike in eight diagonals.
fn shapes(ranking: &Ranking) -> BTreeSet<JoinShape> {
    (8..18).flat_map(|bits| ranking.shapes(1 << bits)).collect()
}

/// Compares every kernel with splitting, in every shape.
fn check_shapes<W: Word>(diagonals: impl Iterator<Item = u32>) {
    let mut seen = BTreeSet::new();
    for shared in diagonals {
        let mut random = SplitMix64::new(shared.into());
        let lines = [shared - shared / 2, shared / 4, shared / 2 - shared / 4];
        // The largest keys, in which each higher half has more lower halves than in a shorter key.
        let lengths = if shared > 45 {
            [[24_000, 200, 45], [700, 130, 33]]
        } else {
            [[900, 200, 45], [700, 130, 33]]
        };
        let [mut tops, mut bottoms] =
            lengths.map(|lengths| half_boards::<W>(&mut random, lengths, lines));
        // So that both sides may occupy all diagonals, whatever the random words are.
        let used = tops.used | bottoms.used;
        (tops.used, bottoms.used) = (used, used);
        let lists = Lists::of(&tops, &bottoms, WEIGHTS);
        let expected = expected(&tops, &bottoms, WEIGHTS);
        let mut workspace = Workspace::default();
        workspace.ranking.rank(Kernel::default(), &lists);
        for shape in shapes(&workspace.ranking) {
            seen.insert((shape.key, shape.group, shape.alike));
            for kernel in Kernel::available() {
                let pairs =
                    join(kernel, lists, shape, &mut workspace, &CancelToken::new()).unwrap();
                assert_eq!(
                    pairs,
                    expected,
                    "{kernel:?}, words of {} bits, {shape:?}",
                    W::BITS
                );
            }
        }
    }
    if W::BITS == 64 {
        assert!(
            seen.contains(&(13, 4, 8)) && seen.contains(&(16, 0, 16)),
            "{seen:?}"
        );
    }
}

#[test]
fn every_shape_counts_the_same_in_wide_words() {
    check_shapes::<u64>(0..=48);
}

#[test]
fn every_shape_counts_the_same_in_narrow_words() {
    check_shapes::<u32>(0..=32);
}

#[test]
#[should_panic(expected = "both halves share 49 diagonals, more than 48")]
fn more_diagonals_than_bins_distinguish_are_refused() {
    let half_boards = HalfBoards::<u64>::of(&[vec![(1 << 49) - 1], vec![], vec![]]);
    let lists = Lists::of(&half_boards, &half_boards, WEIGHTS);
    disjoint_pairs(
        Kernel::default(),
        lists,
        &mut Workspace::default(),
        &CancelToken::new(),
    )
    .unwrap();
}
