//! The join: counts the pairs of a top and a bottom half-board that share no diagonal.
//!
//! This is the double loop of [`plain::meet`](crate::plain::meet), made fast:
//!
//! ```text
//!     for top in tops
//!         pairs += the number of bottoms with top & bottom == 0
//! ```
//!
//! The half-boards of the shorter list are taken 512 at a time, as a **block**. Diagonals are
//! divided into **chunks** of up to eight, and for each chunk a table has the half-boards of the
//! block that occupy any of a subset of its diagonals. A half-board of the longer list is looked
//! up in these tables: the OR of one entry per chunk has a bit for each of the 512 that it
//! conflicts with, and the zeros are counted.
//!
//! - `table`: tables, and the join of short lists, which are looked up unsorted.
//! - `keyed`: the join of long lists, which are sorted by a **key**, the diagonals that both lists
//!   occupy most, so that most pairs need not be looked up.
//! - `shape`: the diagonals of the key, and how a **bin** of a sorted list is composed of them.
//! - `ranking`: the choice of these diagonals, and of a shape. `sort`: the counting sort.
//! - `block`: filling a block from **runs** of bins. `look_up`: lookups of a group in a block.

#[cfg(test)]
mod at_size;
mod block;
mod keyed;
mod look_up;
mod ranking;
mod shape;
mod sort;
mod table;

pub use self::keyed::Workspace;
use self::table::Direct;
pub use self::table::Lists;
use super::kernel::Kernel;
use super::lists::word::Word;
use super::vector::BLOCK;
use crate::cancel::{CancelToken, EngineError};

/// Lists of narrow words are joined unsorted if the shorter one has at most this length, because
/// sorting would cost more than it saves.
const SHORT: usize = 4 * BLOCK;

/// Counts the disjoint pairs, weighted.
///
/// # Errors
/// When it is cancelled or runs out of memory.
pub fn disjoint_pairs<W: Word>(
    kernel: Kernel,
    lists: Lists<W>,
    workspace: &mut Workspace,
    stop: &CancelToken,
) -> Result<u128, EngineError> {
    if lists.shorter.len() == 0 {
        Ok(0)
    } else if W::BITS == 32 && lists.shorter.len() <= SHORT {
        let pairs = kernel.run(Direct {
            lists,
            tables: &mut workspace.tables,
            stop,
        });
        stop.check()?;
        Ok(pairs)
    } else {
        keyed::disjoint_pairs(kernel, lists, workspace, stop)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use proptest::sample::select;

    use super::*;
    use crate::engine::rows::kernel::Kernel;
    use crate::engine::rows::lists::half::HalfBoards;
    use crate::engine::rows::lists::word::BitPositions;
    use crate::splitmix::SplitMix64;

    /// Returns random half-boards, of the given lengths with 0, 1 and 2 marks.
    fn boards<W: Word>(
        random: &mut SplitMix64,
        diagonals: u32,
        lengths: [usize; 3],
        shares: &[f64],
    ) -> HalfBoards<W> {
        let places = BitPositions::new::<W>((1 << diagonals) - 1);
        HalfBoards::of(&lengths.map(|length| {
            let boards = (0..length).map(|_| {
                let lines = (0..diagonals)
                    .filter(|&line| random.unit_interval() < shares[line as usize % shares.len()]);
                places.word(lines.fold(0, |all, line| all | 1 << line))
            });
            boards.collect()
        }))
    }

    /// The weighted number of disjoint pairs, pair by pair.
    fn brute<W: Word>(
        tops: &HalfBoards<W>,
        bottoms: &HalfBoards<W>,
        weights: [[u64; 3]; 3],
    ) -> u128 {
        let mut total = 0;
        for (top_marks, by_bottom) in weights.iter().enumerate() {
            for (bottom_marks, &weight) in by_bottom.iter().enumerate() {
                for &top in tops.with_marks(top_marks) {
                    let pairs = bottoms
                        .with_marks(bottom_marks)
                        .iter()
                        .filter(|&&bottom| top & bottom == W::default())
                        .count();
                    total += u128::from(weight) * pairs as u128;
                }
            }
        }
        total
    }

    /// Compares every kernel with brute force on random half-boards.
    fn check<W: Word>(
        diagonals: u32,
        lengths: [[usize; 3]; 2],
        shares: &[f64],
        weights: [[u64; 3]; 3],
        seed: u64,
    ) {
        let mut random = SplitMix64::new(seed);
        let [tops, bottoms] =
            lengths.map(|lengths| boards::<W>(&mut random, diagonals, lengths, shares));
        let expected = brute(&tops, &bottoms, weights);
        let lists = Lists::of(&tops, &bottoms, weights);
        let mut workspace = Workspace::default();
        for kernel in Kernel::available() {
            // Twice, because a workspace keeps what it held, and what it held when a join was
            // stopped.
            let stopped = CancelToken::new();
            stopped.cancel();
            for _ in 0..2 {
                let pairs =
                    disjoint_pairs(kernel, lists, &mut workspace, &CancelToken::new()).unwrap();
                assert_eq!(
                    pairs, expected,
                    "{kernel:?}, {diagonals} diagonals, {lengths:?}, {shares:?}, {weights:?}"
                );
                let pairs = disjoint_pairs(kernel, lists, &mut workspace, &stopped);
                assert!(
                    [Ok(0), Err(EngineError::Cancelled)].contains(&pairs),
                    "{pairs:?}"
                );
            }
        }
    }

    /// Shares of half-boards that occupy the diagonals, in turn.
    const SHARES: [&[f64]; 5] = [
        &[0.0],
        &[1.0, 0.0],
        &[0.05],
        &[0.5, 0.3, 0.1],
        &[0.4, 0.05, 0.05, 0.05, 0.0],
    ];

    #[test]
    fn lists_of_every_length_around_a_word_and_a_block_are_joined() {
        const LENGTHS: [usize; 10] = [0, 1, 63, 64, 65, 511, 512, 513, 1000, 2049];
        for tops in LENGTHS {
            for bottoms in LENGTHS {
                let lengths = [[tops, 0, 0], [bottoms, 0, 0]];
                check::<u32>(30, lengths, &[0.2], [[1; 3]; 3], 1);
                check::<u64>(36, lengths, &[0.2], [[1; 3]; 3], 2);
            }
        }
    }

    #[test]
    fn a_block_is_passed_over_only_if_all_of_it_conflicts() {
        // All bottoms conflict with all tops, but for those that lack the one diagonal or the
        // other. Sorted by both, they take every place of a block.
        const TOPS: usize = 600;
        for kernel in Kernel::available() {
            let mut workspace = Workspace::default();
            for lacking in 0..=BLOCK {
                for [one, other] in [[1u64, 2], [2, 1]] {
                    let tops =
                        HalfBoards::of(&[[vec![1; TOPS], vec![2; TOPS]].concat(), vec![], vec![]]);
                    let bottoms = [
                        vec![one; lacking.min(1)],
                        vec![other; lacking],
                        vec![3; BLOCK - lacking],
                    ]
                    .concat();
                    let bottoms = HalfBoards::of(&[bottoms, vec![], vec![]]);
                    let lists = Lists::of(&tops, &bottoms, [[1; 3]; 3]);
                    let pairs =
                        disjoint_pairs(kernel, lists, &mut workspace, &CancelToken::new()).unwrap();
                    let expected = TOPS * (lacking.min(1) + lacking);
                    assert_eq!(
                        pairs, expected as u128,
                        "{kernel:?}, {lacking} bottoms lack diagonal {one}"
                    );
                }
            }
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig {
            cases: 100,
            failure_persistence: None,
            ..ProptestConfig::default()
        })]

        #[test]
        fn disjoint_pairs_are_what_pair_by_pair_counts(
            diagonals in 0u32..=45,
            lengths in prop::array::uniform2((0usize..3000, 0usize..700, 0usize..300)),
            shares in select(&SHARES[..]),
            weights in prop::array::uniform3(prop::array::uniform3(0u64..5)),
            seed in any::<u64>(),
        ) {
            let lengths = lengths.map(|(none, one, two)| [none, one, two]);
            check::<u64>(diagonals, lengths, shares, weights, seed);
            if diagonals <= 32 {
                check::<u32>(diagonals, lengths, shares, weights, seed);
            }
        }
    }
}
