//! Tests that devices agree with naive counts for every group size and local memory size, and that
//! they decline units that do not fit.

use std::iter;
use std::sync::{LazyLock, Mutex, MutexGuard, PoisonError};

use super::device::Device;
use super::feeder::Feeder;
use super::host::SIZES;
use super::quarters::{Quarters, Receiver};
use super::{cuda, opencl};
use crate::board::BoardSize;
use crate::cancel::CancelToken;
use crate::engine::Engine;
use crate::engine::rows::Rows;
use crate::engine::rows::core_lists::CoreLists;
use crate::engine::rows::join::Workspace;
use crate::engine::rows::lists::quarter::{Finder, QuarterBoards, Query, row_set_ranks};
use crate::engine::rows::lists::word::BitPositions;
use crate::engine::rows::stopped::stop_at_every_check;
use crate::engine::rows::theory::numbering::Numbering;
use crate::engine::rows::theory::tiling::ColumnSet;
use crate::options::EngineOptions;
use crate::splitmix::SplitMix64;

/// Limits on local memory: those of a small, a typical and a very large device, and one that has no
/// effect.
const GROUP_MEMORIES: [u64; 4] = [64 << 10, 99 << 10, 227 << 10, u64::MAX];

/// Returns feeders for all devices, with every group size and local memory size that they support.
fn feeders() -> MutexGuard<'static, Vec<Feeder>> {
    static FEEDERS: LazyLock<Mutex<Vec<Feeder>>> = LazyLock::new(|| {
        let mut feeders = Vec::new();
        for local in GROUP_MEMORIES {
            let mut drivers = vec![cuda::devices()];
            for size in SIZES {
                drivers.extend(opencl::drivers(&[size], false).unwrap());
            }
            for found in drivers {
                for mut device in found.expect("every driver can be used") {
                    device.description.local_memory = device.description.local_memory.min(local);
                    let device: &Device = Box::leak(Box::new(device));
                    feeders.push(
                        Feeder::new(device).unwrap_or_else(|| panic!("{:?}", device.failure())),
                    );
                }
            }
        }
        assert!(
            !feeders.is_empty(),
            "expected a device, found none: install an OpenCL driver, for example PoCL"
        );
        Mutex::new(feeders)
    });
    FEEDERS.lock().unwrap_or_else(PoisonError::into_inner)
}

const WEIGHTS: [[u64; 3]; 3] = [[1, 10, 0], [100, 1000, 3], [7, 0, 5]];

/// Counts a column set with three images. Each quarter has words without a mark and words with one.
fn count(feeder: &mut Feeder, quarters: [&[Vec<u64>; 2]; 4]) -> Option<u128> {
    feeder
        .count(
            &[ColumnSet {
                a: 0,
                d: 0,
                images: 3,
            }],
            0,
            WEIGHTS,
            |quarter, _, found| {
                found(&QuarterBoards::of(quarters[quarter]));
                Ok(())
            },
            &CancelToken::new(),
        )
        .unwrap()
}

/// Checks the count for lists of words with and without a mark. Each word is a quarter-board, which
/// becomes a half-board because the other quarter is empty.
fn check(lists: [[Vec<u64>; 2]; 2]) {
    check_on(usize::MAX, lists);
}

fn check_on(some: usize, lists: [[Vec<u64>; 2]; 2]) {
    let mut expected = 0;
    for (marks, weight) in [([0, 0], 1), ([0, 1], 10), ([1, 0], 100), ([1, 1], 1000)] {
        let bottoms = &lists[1][marks[1]];
        for top in &lists[0][marks[0]] {
            let pairs = bottoms.iter().filter(|&bottom| top & bottom == 0).count();
            expected += weight * pairs as u128;
        }
    }
    let empty = [vec![0], vec![]];
    for feeder in feeders().iter_mut().take(some) {
        let count = count(feeder, [&lists[0], &empty, &lists[1], &empty]);
        let lengths = lists.each_ref().map(|list| list.each_ref().map(Vec::len));
        let device = feeder.device;
        let size = device.group;
        let local = device.description.local_memory;
        let failure = device.failure();
        assert_eq!(
            count,
            Some(3 * expected),
            "{lengths:?}, {size} work-items, {local} bytes: {failure:?}"
        );
    }
}

/// Checks lists of these lengths, filled with random words. As on boards of medium size, the first
/// diagonals are occupied most often.
fn check_random(lengths: [[usize; 2]; 2]) {
    check(random_lists(lengths));
}

fn random_lists(lengths: [[usize; 2]; 2]) -> [[Vec<u64>; 2]; 2] {
    let mut random = SplitMix64::new(1);
    lengths.map(|list| {
        list.map(|length| {
            let words = (0..length).map(|_| {
                let bits = (0..36).filter(|bit| random.below(4 + bit / 4) == 0);
                bits.fold(0, |word, bit| word | 1 << (bit * 5 % 37))
            });
            words.collect()
        })
    })
}

#[test]
fn lists_around_word_column_and_block_lengths_join() {
    for tops in [0, 1, 31, 32, 33, 1000] {
        for bottoms in [
            0, 1, 63, 64, 65, 127, 128, 129, 511, 512, 513, 1023, 1024, 1025,
        ] {
            check_random([[tops, 0], [bottoms, 0]]);
            check_random([[bottoms, 0], [tops, 0]]);
        }
    }
    check_random([[100_000, 0], [2000, 0]]);
    for lengths in [
        [[0, 1], [1, 0]],
        [[5, 0], [700, 300]],
        [[2000, 600], [900, 1500]],
        [[0, 300], [0, 200]],
    ] {
        check_random(lengths);
    }
}

/// Tests lists of half-boards and quarter-boards longer than any that occur in practice (see
/// `sizes`).
#[test]
fn longer_lists_than_occur_join_on_devices() {
    const LONG: usize = (1 << 22) + 3;
    check_on(1, random_lists([[LONG, 0], [100, 0]]));
    check_on(1, random_lists([[70, 30], [LONG / 2, LONG / 2]]));
}

/// Tests row sets of 12 rows, with as many diagonals as on the largest boards, on one device.
#[test]
fn large_boards_count_on_devices_as_on_cpus() {
    let stop = CancelToken::new();
    for n in [24, 27, 28, 32] {
        let engine = Rows::new(BoardSize::new(n).unwrap(), EngineOptions::new());
        let context = engine.context(&stop);
        let mut random = SplitMix64::new(n.into());
        let drawn = iter::repeat_with(|| random.unit_interval());
        let units = drawn.map(|work| engine.numbering.unit(engine.unit_at(work)));
        let mut cores = units.filter_map(|unit| Some((unit, engine.numbering.core(unit.core)?)));
        let (unit, core) = cores.next().unwrap();
        let tiling = engine.numbering.tiling(core.symmetry.images);
        let sets: Vec<ColumnSet> = tiling.column_sets(unit.tile).step_by(40).take(3).collect();
        let mut lists = CoreLists::<u64>::new(core.half, usize::MAX);
        lists.prepare(&core);
        let mut workspace = Workspace::default();
        let expected = sets
            .iter()
            .map(|&set| lists.count(context, &core, set, &mut workspace))
            .sum::<Result<u128, _>>()
            .unwrap();
        assert!(expected > 0, "N = {n}");
        let feeder = &mut feeders()[0];
        let find = |quarter, columns, found: Receiver| {
            lists.find(context, &core, quarter, columns)?;
            found(lists.quarters.get(quarter, columns));
            Ok(())
        };
        let count = feeder.count(&sets, core.half, core.weights, find, &stop);
        assert_eq!(count, Ok(Some(expected)), "N = {n}, {unit:?}");
    }
}

#[test]
fn words_that_always_or_never_conflict_are_joined() {
    for (top, bottom) in [
        (0, 0),
        (1, 1),
        (u64::MAX >> 24, 0),
        (0b11, 0b10),
        (0b01, 0b10),
    ] {
        check([[vec![top; 1500], vec![]], [vec![bottom; 1100], vec![]]]);
    }
}

#[test]
fn units_too_large_for_memory_are_declined() {
    // Each pair of these quarter-boards forms a half-board.
    let many = [vec![0; 1 << 20], vec![]];
    let few = [vec![0; 8], vec![]];
    for feeder in feeders().iter_mut() {
        feeder.queue = None;
        let bytes = std::mem::replace(&mut feeder.share, 24 << 20);
        let left = feeder.device.units_declined();
        for _ in 0..2 {
            assert_eq!(count(feeder, [&many, &many, &few, &few]), None);
            assert_eq!(count(feeder, [&few; 4]), Some(3 * 4096));
        }
        assert_eq!(
            (
                feeder.device.units_declined() - left,
                feeder.device.failure()
            ),
            (2, None)
        );
        feeder.share = bytes;
        feeder.queue = None;
    }
}

#[test]
fn large_boards_have_layouts_on_common_devices() {
    for n in 18..=32 {
        let numbering = Numbering::new(n, Rows::middle_rows(n), 16);
        let mut random = SplitMix64::new(n.into());
        let units = iter::repeat_with(|| numbering.unit(random.below(numbering.units())));
        let mut cores = units.filter_map(|unit| Some((numbering.core(unit.core)?, unit.tile)));
        let (core, tile) = cores.next().unwrap();
        let positions = BitPositions::new::<u64>(core.relevant());
        let ranks = row_set_ranks(core.half);
        let sets = numbering
            .tiling(core.symmetry.images)
            .column_sets(tile)
            .step_by(50);
        let columns: Vec<[u32; 4]> = sets.map(|set| set.quarters(core.half)).collect();
        let mut finder = Finder::default();
        let quarters = Quarters::collect(&columns, |quarter, columns, found| {
            let query = Query {
                core: &core,
                positions: &positions,
                row_set_ranks: &ranks,
                quarter,
                columns,
            };
            found(&finder.find(query, &CancelToken::new()).unwrap());
            Ok(())
        });
        let quarters = quarters.unwrap();
        let shared = quarters.statistics.shared();
        let marks = quarters.marks;
        for local in GROUP_MEMORIES {
            assert!(
                quarters.layout(local).is_some(),
                "N = {n}: {shared} diagonals in {local} bytes, marks: {marks}"
            );
        }
    }
}

/// Returns a few made-up quarter-boards, which differ for each quarter and each set of columns.
fn few_words(quarter: usize, columns: u32, longest: u64) -> [Vec<u64>; 2] {
    let mut random = SplitMix64::new(u64::from(columns) << 2 | quarter as u64);
    let lengths = [1 + random.below(longest), random.below(3)];
    lengths.map(|length| {
        (0..length)
            .map(|_| random.next_u64() & random.next_u64() & random.next_u64() & ((1 << 36) - 1))
            .collect()
    })
}

/// Combines two quarters into half-boards and returns them, indexed by number of marks.
fn half_boards([left, right]: [&[Vec<u64>; 2]; 2]) -> [Vec<u64>; 3] {
    let mut made = [vec![], vec![], vec![]];
    for (marks, left) in left.iter().enumerate() {
        for (more, right) in right.iter().enumerate() {
            for one in left {
                let apart = right.iter().filter(|&other| one & other == 0);
                made[marks + more].extend(apart.map(|other| one | other));
            }
        }
    }
    made
}

/// Counts a unit with `length` column sets, and checks the result by comparing all pairs one by
/// one.
fn check_unit(length: u32, longest: u64) {
    const HALF: u32 = 12;
    let sets = (0..length).map(|number| ColumnSet {
        a: number * 3 % 4096,
        d: number * 7 % 4096,
        images: 1 + u64::from(number % 4),
    });
    let sets: Vec<ColumnSet> = sets.collect();
    let mut expected = 0;
    for set in &sets {
        let mut quarter = 0;
        let words = set.quarters(HALF).map(|columns| {
            quarter += 1;
            few_words(quarter - 1, columns, longest)
        });
        let tops = half_boards([&words[0], &words[1]]);
        let bottoms = half_boards([&words[2], &words[3]]);
        for (tops, weights) in tops.iter().zip(WEIGHTS) {
            for (bottoms, weight) in bottoms.iter().zip(weights) {
                let pairs = tops
                    .iter()
                    .map(|top| bottoms.iter().filter(|&bottom| top & bottom == 0).count());
                expected += u128::from(set.images * weight) * pairs.sum::<usize>() as u128;
            }
        }
    }
    for feeder in feeders().iter_mut().step_by(5) {
        let count = feeder.count(
            &sets,
            HALF,
            WEIGHTS,
            |quarter, columns, found| {
                found(&QuarterBoards::of(&few_words(quarter, columns, longest)));
                Ok(())
            },
            &CancelToken::new(),
        );
        let size = feeder.device.group;
        assert_eq!(
            count,
            Ok(Some(expected)),
            "{length} column sets, {size} work-items"
        );
    }
}

/// Tests units that exceed a batch's maximum number of column sets or of half-boards.
#[test]
fn units_of_many_batches_are_counted() {
    for length in [257, 800] {
        check_unit(length, 4);
    }
    // In these units, batches are limited by the number of half-boards.
    check_unit(100, 150);
}

#[test]
fn devices_that_are_stopped_count_all_or_nothing() {
    let lists = [7, 8, 9, 10].map(|seed| few_words(0, seed, 12));
    let sets = [1, 2, 3].map(|images| ColumnSet { a: 0, d: 0, images });
    let sets = sets.repeat(100);
    for feeder in feeders().iter_mut().take(1) {
        stop_at_every_check("a device", |stop| {
            feeder.count(
                &sets,
                0,
                WEIGHTS,
                |quarter, _, found| {
                    found(&QuarterBoards::of(&lists[quarter]));
                    Ok(())
                },
                stop,
            )
        });
    }
}
