//! Devices count what is counted naively, with all sizes and memories of groups, and refuse what
//! they cannot.

use std::iter;
use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError};

use super::device::Device;
use super::feeder::Feeder;
use super::host::SIZES;
use super::quarters::Quarters;
use super::{cuda, opencl};
use crate::cancel::CancelToken;
use crate::engine::rows::Rows;
use crate::engine::rows::lists::quarter::{Finder, QuarterBoards, row_set_numbers};
use crate::engine::rows::lists::word::Places;
use crate::engine::rows::theory::numbering::Numbering;
use crate::engine::rows::theory::tiling::ColumnSet;
use crate::splitmix::SplitMix64;

/// The memories of groups that devices have: of small ones, most, and the largest. And of the one
/// that is here.
const GROUP_MEMORIES: [u64; 4] = [64 << 10, 99 << 10, 227 << 10, u64::MAX];

/// Feeders of all devices, with all sizes and memories of groups that they can have.
fn feeders() -> MutexGuard<'static, Vec<Feeder>> {
    static FEEDERS: OnceLock<Mutex<Vec<Feeder>>> = OnceLock::new();
    let all = || {
        let of_opencl = |size| opencl::drivers(&[size], false).unwrap();
        let mut feeders = Vec::new();
        for local in GROUP_MEMORIES {
            for found in iter::once(cuda::devices()).chain(SIZES.into_iter().flat_map(of_opencl)) {
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
    };
    FEEDERS
        .get_or_init(all)
        .lock()
        .unwrap_or_else(PoisonError::into_inner)
}

const WEIGHTS: [[u64; 3]; 3] = [[1, 10, 0], [100, 1000, 3], [7, 0, 5]];

/// The count of three images of a column set whose quarters have these words, by their marks.
fn count(feeder: &mut Feeder, quarters: [&[Vec<u64>; 2]; 4]) -> Option<u128> {
    let find = |quarter: usize, _: u32, found: &mut dyn FnMut(&QuarterBoards<u64>)| {
        found(&QuarterBoards::of(quarters[quarter]));
        Ok(())
    };
    feeder
        .count(
            &[ColumnSet {
                a: 0,
                d: 0,
                images: 3,
            }],
            0,
            WEIGHTS,
            find,
            &CancelToken::new(),
        )
        .unwrap()
}

/// Lists of words by their marks, at most one: as quarter-boards whose neighbours are empty, they
/// are half-boards.
fn check(lists: [[Vec<u64>; 2]; 2]) {
    let mut expected = 0;
    for (marks, weight) in [([0, 0], 1), ([0, 1], 10), ([1, 0], 100), ([1, 1], 1000)] {
        let [tops, bottoms] = [&lists[0][marks[0]], &lists[1][marks[1]]];
        let disjoint =
            |top: &u64| bottoms.iter().filter(|&bottom| top & bottom == 0).count() as u128;
        expected += weight * tops.iter().map(disjoint).sum::<u128>();
    }
    let empty = [vec![0], vec![]];
    for feeder in feeders().iter_mut() {
        let count = count(feeder, [&lists[0], &empty, &lists[1], &empty]);
        let (device, lengths) = (
            feeder.device,
            lists.each_ref().map(|list| list.each_ref().map(Vec::len)),
        );
        let (size, local, failure) = (
            device.group,
            device.description.local_memory,
            device.failure(),
        );
        assert_eq!(
            count,
            Some(3 * expected),
            "{lengths:?}, {size} work-items, {local} bytes: {failure:?}"
        );
    }
}

/// So many words for each list, whose bits are diagonals of a board of middle size, the first ones
/// more likely.
fn check_random(lengths: [[usize; 2]; 2]) {
    let mut random = SplitMix64::new(1);
    let mut bit = |bit: u64| {
        if random.below(4 + bit / 4) == 0 {
            1 << (bit * 5 % 37)
        } else {
            0
        }
    };
    let mut words = |length| {
        (0..length)
            .map(|_| (0..36).fold(0, |word, i| word | bit(i)))
            .collect()
    };
    check(lengths.map(|list| list.map(&mut words)));
}

#[test]
fn lists_of_every_length_around_a_word_a_column_and_a_block_are_joined() {
    for tops in [0, 1, 31, 32, 33, 1000] {
        for bottoms in [
            0, 1, 63, 64, 65, 127, 128, 129, 511, 512, 513, 1023, 1024, 1025,
        ] {
            check_random([[tops, 0], [bottoms, 0]]);
            check_random([[bottoms, 0], [tops, 0]]);
        }
    }
    check_random([[100_000, 0], [2000, 0]]);
    // With marks, too.
    for lengths in [
        [[0, 1], [1, 0]],
        [[5, 0], [700, 300]],
        [[2000, 600], [900, 1500]],
        [[0, 300], [0, 200]],
    ] {
        check_random(lengths);
    }
}

#[test]
fn words_that_all_conflict_or_never_do_are_joined() {
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
fn lists_without_room_are_refused_and_leave_the_room_to_others() {
    // A half-board is any two of these.
    let [many, few] = [1 << 20, 8].map(|count| [vec![0; count], vec![]]);
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
        (feeder.share, feeder.queue) = (bytes, None);
    }
}

#[test]
fn large_boards_have_tables_on_common_devices() {
    for n in 18..=32 {
        let numbering = Numbering::new(n, Rows::middle_rows(n), 16);
        let mut random = SplitMix64::new(n.into());
        let units = iter::repeat_with(|| numbering.unit(random.below(numbering.units())));
        let mut cores = units.filter_map(|unit| Some((numbering.core(unit.core)?, unit.tile)));
        let (core, tile) = cores.next().unwrap();
        let (places, row_sets) = (
            Places::new::<u64>(core.relevant()),
            row_set_numbers(core.half),
        );
        let sets = numbering
            .tiling(core.symmetry.images)
            .column_sets(tile)
            .step_by(50);
        let columns: Vec<[u32; 4]> = sets.map(|set| set.quarters(core.half)).collect();
        let mut finder = Finder::default();
        let quarters = Quarters::collect(&columns, |quarter, columns, found| {
            found(
                &finder
                    .find(
                        &core,
                        &places,
                        &row_sets,
                        quarter,
                        columns,
                        &CancelToken::new(),
                    )
                    .unwrap(),
            );
            Ok(())
        });
        let quarters = quarters.unwrap();
        let (shared, marks) = (quarters.statistics.shared(), quarters.marks);
        for local in GROUP_MEMORIES {
            assert!(
                quarters.layout(local).is_some(),
                "N = {n}: {shared} diagonals in {local} bytes, marks: {marks}"
            );
        }
    }
}
