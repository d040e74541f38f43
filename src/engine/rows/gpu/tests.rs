//! Tests that devices agree with naive counts for every group size and local memory size.

mod fake;

use std::fmt::Debug;
use std::iter;
use std::sync::{LazyLock, Mutex, MutexGuard, PoisonError};

use self::fake::{HALF, column_sets, count, small, weigh};
use super::Receiver;
use super::device::Device;
use super::driver::SIZES;
use super::feeder::Feeder;
use super::opencl;
use super::quarters::Quarters;
use crate::board::BoardSize;
use crate::cancel::CancelToken;
use crate::engine::Engine;
use crate::engine::rows::Rows;
use crate::engine::rows::core_lists::CoreLists;
use crate::engine::rows::join::Workspace;
use crate::engine::rows::tests::stopped::stop_at_every_check;
use crate::engine::rows::theory::tiling::ColumnSet;
use crate::options::EngineOptions;
use crate::splitmix::SplitMix64;

/// Limits on local memory: the least that OpenCL allows, that of NVIDIA's driver, that of others,
/// and no limit.
const GROUP_MEMORIES: [u64; 4] = [32 << 10, 48 << 10, 64 << 10, u64::MAX];

/// Returns feeders for all devices, with every group size and local memory size that they support.
fn feeders() -> MutexGuard<'static, Vec<Feeder>> {
    static FEEDERS: LazyLock<Mutex<Vec<Feeder>>> = LazyLock::new(|| {
        let mut feeders = Vec::new();
        for local in GROUP_MEMORIES {
            for platform in SIZES
                .into_iter()
                .flat_map(|size| opencl::platforms(&[size]).unwrap().unwrap())
            {
                for mut device in platform.devices.unwrap() {
                    device.description.local_memory = device.description.local_memory.min(local);
                    let device: &Device = Box::leak(Box::new(device));
                    feeders.push(small(Feeder::new(device, true).unwrap().unwrap()));
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

/// Compares counts of column sets with the number of disjoint pairs.
fn check_sets<'a>(
    what: impl Debug,
    feeders: impl Iterator<Item = &'a mut Feeder>,
    sets: &[ColumnSet],
    words: impl Fn(usize, u32) -> [Vec<u64>; 2],
) {
    let mut expected = 0;
    for set in sets {
        let columns = set.quarters(HALF);
        let sides = [[0, 1], [2, 3]]
            .map(|side| half_boards(side.map(|quarter| words(quarter, columns[quarter]))));
        let count = weigh(&sides, |tops, bottoms| {
            let mut pairs = 0;
            for top in tops {
                pairs += bottoms.iter().filter(|&bottom| top & bottom == 0).count() as u64;
            }
            pairs
        });
        expected += u128::from(set.multiplicity) * count;
    }
    for feeder in feeders {
        let counted = count(feeder, sets, &words, &CancelToken::new());
        let device = feeder.device;
        assert_eq!(
            counted,
            Ok(Some(expected)),
            "{what:?}, {} work-items, {} bytes: {:?}",
            device.group,
            device.description.local_memory,
            device.failure()
        );
    }
}

/// Combines two quarters into half-boards and returns them, indexed by number of marks.
fn half_boards([left, right]: [[Vec<u64>; 2]; 2]) -> [Vec<u64>; 3] {
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

/// Checks lists of unmarked and marked words on the first `some` feeders. The other quarters are
/// empty, so each word becomes a half-board.
fn check(some: usize, lists: [[Vec<u64>; 2]; 2]) {
    let lengths = lists.each_ref().map(|list| list.each_ref().map(Vec::len));
    check_sets(
        lengths,
        feeders().iter_mut().take(some),
        &column_sets(1),
        |quarter, _| {
            if quarter % 2 == 0 {
                lists[quarter / 2].clone()
            } else {
                [vec![0], vec![]]
            }
        },
    );
}

/// Returns lists of random words. As on boards of medium size, some diagonals are occupied more
/// often than others.
fn random_lists(lengths: [[usize; 2]; 2]) -> [[Vec<u64>; 2]; 2] {
    let mut random = SplitMix64::new(1);
    lengths.map(|list| {
        list.map(|length| {
            (0..length)
                .map(|_| {
                    (0..36)
                        .filter(|bit| random.below(4 + bit / 4) == 0)
                        .fold(0, |word, bit| word | 1 << (bit * 5 % 37))
                })
                .collect()
        })
    })
}

#[test]
fn lists_near_word_and_block_lengths_are_joined() {
    let mut lists = vec![
        [[100_000, 0], [2000, 0]],
        [[0, 1], [1, 0]],
        [[5, 0], [700, 300]],
        [[2000, 600], [900, 1500]],
        [[0, 300], [0, 200]],
    ];
    for tops in [0, 1, 31, 32, 33, 1000] {
        for bottoms in [
            0, 1, 63, 64, 65, 127, 128, 129, 511, 512, 513, 1023, 1024, 1025,
        ] {
            lists.push([[tops, 0], [bottoms, 0]]);
            lists.push([[bottoms, 0], [tops, 0]]);
        }
    }
    for lengths in lists {
        check(usize::MAX, random_lists(lengths));
    }
}

/// Tests lists of half-boards and quarter-boards longer than any that occur in practice.
#[test]
fn lists_longer_than_in_practice_are_joined() {
    const LONG: usize = (1 << 22) + 3;
    check(1, random_lists([[LONG, 0], [100, 0]]));
    check(1, random_lists([[70, 30], [LONG / 2, LONG / 2]]));
}

/// Tests row sets of up to 12 rows, with as many diagonals as on the largest boards.
#[test]
fn device_counts_of_large_boards_match_cpu() {
    let stop = CancelToken::new();
    for n in 18..=32 {
        let engine = Rows::new(BoardSize::new(n).unwrap(), EngineOptions::new());
        let context = engine.context(&stop);
        let mut random = SplitMix64::new(n.into());
        let (unit, core) = iter::repeat_with(|| random.unit_interval())
            .map(|work| engine.numbering.unit(engine.unit_at(work)))
            .filter_map(|unit| Some((unit, engine.numbering.core(unit.core)?)))
            .next()
            .unwrap();
        let sets: Vec<ColumnSet> = engine
            .numbering
            .tiling(core.symmetry.images)
            .column_sets(unit.tile)
            .step_by(40)
            .collect();
        let mut lists = CoreLists::<u64>::new(core.half, usize::MAX);
        lists.prepare(&core);
        let mut find = |quarter, columns, found: Receiver| {
            lists.find(context, &core, quarter, columns)?;
            found(lists.quarters.get(quarter, columns));
            Ok(())
        };
        let columns: Vec<_> = sets.iter().map(|set| set.quarters(core.half)).collect();
        let quarters = Quarters::collect(&columns, &mut find).unwrap();
        for local in GROUP_MEMORIES {
            assert!(
                quarters.layout(local).is_some(),
                "N = {n}: {} diagonals in {local} bytes, marks: {}",
                quarters.statistics.shared(),
                quarters.marks
            );
        }
        if ![24, 27, 28, 32].contains(&n) {
            continue;
        }
        let sets = &sets[..3];
        let count = feeders()[0].count(sets, core.half, core.weights, find, &stop);
        let mut workspace = Workspace::default();
        let expected = sets
            .iter()
            .map(|&set| lists.count(context, &core, set, &mut workspace))
            .sum::<Result<u128, _>>()
            .unwrap();
        assert!(expected > 0, "N = {n}");
        assert_eq!(count, Ok(Some(expected)), "N = {n}, {unit:?}");
    }
}

#[test]
fn always_and_never_conflicting_words_are_joined() {
    for (top, bottom) in [
        (0, 0),
        (1, 1),
        (u64::MAX >> 24, 0),
        (0b11, 0b10),
        (0b01, 0b10),
    ] {
        let lists = [[vec![top; 1500], vec![]], [vec![bottom; 1100], vec![]]];
        check(usize::MAX, lists);
    }
}

/// Returns made-up quarter-boards that depend on the quarter and its columns.
fn few_words(quarter: usize, columns: u32, longest: u64) -> [Vec<u64>; 2] {
    let mut random = SplitMix64::new(u64::from(columns) << 2 | quarter as u64);
    [1 + random.below(longest), random.below(3)].map(|length| {
        (0..length)
            .map(|_| random.next_u64() & random.next_u64() & random.next_u64() & ((1 << 36) - 1))
            .collect()
    })
}

/// Tests units that exceed a batch's maximum number of column sets or of half-boards.
#[test]
fn units_of_many_batches_are_counted() {
    // In the last unit, batches are limited by the number of half-boards.
    for (length, longest) in [(257, 4), (800, 4), (100, 150)] {
        check_sets(
            (length, longest),
            feeders().iter_mut().step_by(5),
            &column_sets(length),
            |quarter, columns| few_words(quarter, columns, longest),
        );
    }
}

#[test]
fn cancelled_devices_count_all_or_nothing() {
    let sets = column_sets(300);
    stop_at_every_check("a device", &mut |stop| {
        count(
            &mut feeders()[0],
            &sets,
            |quarter, columns| few_words(quarter, columns, 12),
            stop,
        )
    });
}
