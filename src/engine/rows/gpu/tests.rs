//! Tests that devices agree with naive counts for every group size and local memory size.

mod fake;

use std::iter;
use std::sync::{LazyLock, Mutex, MutexGuard, PoisonError};

use self::fake::{column_sets, count, small, weigh};
use super::device::Device;
use super::driver::SIZES;
use super::feeder::Feeder;
use super::opencl;
use super::quarters::Quarters;
use crate::cancel::CancelToken;
use crate::engine::rows::core_lists::CoreLists;
use crate::engine::rows::tests::default_rows;
use crate::engine::rows::theory::tiling::ColumnSet;
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

/// Compares counts of lists of unmarked and marked words, on the first `some` feeders, with a double
/// loop. The other quarters are empty, so each word becomes a half-board.
fn check(some: usize, lists: [[Vec<u64>; 2]; 2]) {
    let lengths = lists.each_ref().map(|list| list.each_ref().map(Vec::len));
    let sides = lists
        .each_ref()
        .map(|[unmarked, marked]| [unmarked.as_slice(), marked, &[]]);
    let expected = weigh(&sides, |tops, bottoms| {
        let mut pairs = 0;
        for top in *tops {
            pairs += bottoms.iter().filter(|&bottom| top & bottom == 0).count() as u64;
        }
        pairs
    });
    let sets = column_sets(1);
    for feeder in feeders().iter_mut().take(some) {
        let words = |_, quarter: usize| match quarter % 2 {
            0 => lists[quarter / 2].clone(),
            _ => [vec![0], vec![]],
        };
        let counted = count(feeder, &sets, words, &CancelToken::new());
        let device = feeder.device;
        assert_eq!(
            counted,
            Ok(Some(u128::from(sets[0].multiplicity) * expected)),
            "{lengths:?}, {} work-items, {} bytes: {:?}",
            device.group,
            device.description.local_memory,
            device.failure()
        );
    }
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

#[test]
fn layouts_of_large_boards_fit_into_local_memory() {
    let stop = CancelToken::new();
    for n in 18..=32 {
        let engine = default_rows(n);
        let mut random = SplitMix64::new(n.into());
        let (unit, core) = iter::repeat_with(|| engine.random_unit(&mut random))
            .find_map(|unit| Some((engine.numbering.unit(unit), engine.core(unit)?)))
            .unwrap();
        let sets: Vec<ColumnSet> = engine
            .numbering
            .tiling(core.symmetry.images)
            .column_sets(unit.tile)
            .step_by(40)
            .collect();
        let mut lists = CoreLists::new(core.half, usize::MAX);
        lists.prepare(&core);
        let context = engine.context(&stop);
        let quarters = Quarters::collect(context, &core, &sets, &mut lists).unwrap();
        for local in GROUP_MEMORIES {
            assert!(
                quarters.layout(local).is_some(),
                "N = {n}: {} diagonals in {local} bytes, marks: {}",
                quarters.statistics.shared(),
                quarters.marks
            );
        }
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
