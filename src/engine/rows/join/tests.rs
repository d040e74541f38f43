//! Tests the join of random lists against a double loop.

use std::collections::BTreeMap;

use super::*;
use crate::engine::rows::lists::half::HalfBoards;
use crate::splitmix::SplitMix64;

/// A different weight for each class of pairs; one of the weights is 0.
pub(super) const WEIGHTS: [[u64; 3]; 3] = [[8, 1, 5], [3, 2, 7], [6, 4, 0]];

/// Returns random tops and bottoms. `lengths` says how many have 0, 1 and 2 marks; `diagonals`
/// says how many diagonals are occupied with probability 7/8, 1/2, 1/4 and 1/8.
pub(super) fn half_boards<W: Word>(
    lengths: [[usize; 3]; 2],
    diagonals: [u32; 4],
    seed: u64,
) -> [HalfBoards<W>; 2] {
    let mut random = SplitMix64::new(seed);
    let mut positions: Vec<u32> = (0..W::BITS).collect();
    positions.sort_by_cached_key(|_| random.next_u64());
    let mut positions = positions.into_iter();
    let [nearly_all, half, quarter, eighth] = diagonals.map(|count| {
        positions
            .by_ref()
            .take(count as usize)
            .fold(0u64, |all, position| all | 1 << position)
    });
    lengths.map(|lengths| {
        // Even long lists have at most 4096 distinct words, so `expected` compares few pairs.
        let words = [(); 4096].map(|()| {
            let [one, two, three] = [(); 3].map(|()| random.next_u64());
            nearly_all & (one | two | three) | one & (half | two & (quarter | three & eighth))
        });
        let lists = lengths.map(|length| {
            (0..length)
                .map(|_| words[random.below(4096) as usize])
                .map(W::from_u64)
                .collect()
        });
        HalfBoards::from_words(&lists, W::from_u64(nearly_all | half | quarter | eighth))
    })
}

/// Compares each distinct top with each distinct bottom.
pub(super) fn expected<W: Word>(half_boards: &[HalfBoards<W>; 2], weights: [[u64; 3]; 3]) -> u128 {
    let [tops, bottoms] = half_boards.each_ref().map(|half_boards| {
        half_boards.lists().map(|list| {
            let mut times = BTreeMap::<u64, u64>::new();
            for word in list {
                *times.entry(word.to_u64()).or_default() += 1;
            }
            Vec::from_iter(times)
        })
    });
    let mut total = 0;
    for (tops, weights) in tops.iter().zip(weights) {
        for (bottoms, weight) in bottoms.iter().zip(weights) {
            for (top, times) in tops {
                let disjoint = bottoms.iter().filter(|(bottom, _)| top & bottom == 0);
                let pairs = times * disjoint.map(|(_, times)| times).sum::<u64>();
                total += u128::from(weight) * u128::from(pairs);
            }
        }
    }
    total
}

pub(super) fn check<W: Word>(
    lengths: [[usize; 3]; 2],
    diagonals: [u32; 4],
    weights: [[u64; 3]; 3],
    seed: u64,
) {
    let half_boards = half_boards::<W>(lengths, diagonals, seed);
    let expected = expected(&half_boards, weights);
    let lists = Lists::new(&half_boards[0], &half_boards[1], weights);
    let mut workspace = Workspace::default();
    for kernel in Kernel::available() {
        let pairs = disjoint_pairs(kernel, lists, &mut workspace, &CancelToken::new());
        assert_eq!(
            pairs,
            Ok(expected),
            "{kernel:?}, {} bits, {lengths:?}",
            W::BITS
        );
    }
}

#[test]
fn join_handles_lengths_near_word_and_block_size() {
    let lengths = [0, 1, 63, 64, 65, 511, 512, 513, 1000, 2049];
    for tops in lengths {
        for bottoms in lengths {
            let lengths = [[tops, 0, 0], [bottoms, 0, 0]];
            check::<u32>(lengths, [0, 0, 20, 10], [[1; 3]; 3], 1);
            check::<u64>(lengths, [0, 0, 26, 10], [[1; 3]; 3], 2);
        }
    }
}
