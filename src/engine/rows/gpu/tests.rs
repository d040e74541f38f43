//! Devices count what is counted naively, with all sizes and memories of groups, and refuse what they cannot.

use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError};

use super::device::{Device, Found};
use super::feeder::Feeder;
use super::host::SIZES;
use super::layout::Layout;
use super::quarters::Quarters;
use super::queue::Queue;
use super::{cuda, opencl};
use crate::engine::rows::Rows;
use crate::engine::rows::lists::quarter::{Finder, QuarterBoards, row_set_numbers};
use crate::engine::rows::lists::word::Places;
use crate::engine::rows::theory::numbering::Numbering;
use crate::engine::rows::theory::tiling::ColumnSet;
use crate::random::Random;
use crate::stop::{Stop, Stopped};

/// The memories of groups that devices have: of small ones, most, and the largest. And of the one that is here.
const GROUP_MEMORIES: [u64; 4] = [64 << 10, 99 << 10, 227 << 10, u64::MAX];

/// Feeders of all devices, with all sizes and memories of groups that they can have.
fn feeders() -> MutexGuard<'static, Vec<Feeder>> {
    static FEEDERS: OnceLock<Mutex<Vec<Feeder>>> = OnceLock::new();
    let with = |(mut found, local): (Found, u64)| {
        found.description.local_memory = found.description.local_memory.min(local);
        let device: &Device = Box::leak(Box::new(Device::new(0, found)));
        Feeder::new(device).unwrap_or_else(|| panic!("{:?}", device.failure()))
    };
    let all = || {
        let all = || cuda::devices().into_iter().chain(SIZES.into_iter().flat_map(|size| opencl::devices(&[size])));
        let devices = || all().map(|found| found.expect("every driver can be used"));
        GROUP_MEMORIES.into_iter().flat_map(|local| devices().map(move |found| (found, local))).map(with).collect()
    };
    let feeders = FEEDERS.get_or_init(|| Mutex::new(all())).lock().unwrap_or_else(PoisonError::into_inner);
    assert!(!feeders.is_empty(), "expected a device, found none: install an OpenCL driver, for example PoCL");
    feeders
}

const WEIGHTS: [[u64; 3]; 3] = [[1, 10, 0], [100, 1000, 3], [7, 0, 5]];

/// Lists of words by their marks, at most one: as quarter-boards whose neighbours are empty, they are half-boards.
fn check(lists: [&[Vec<u64>; 2]; 2], feeders: &mut [Feeder]) {
    let weights = |top: usize, bottom: usize| u128::from(WEIGHTS[top][bottom]);
    let pairs = |tops: &[u64], bottoms: &[u64]| {
        tops.iter().map(|top| bottoms.iter().filter(|&bottom| top & bottom == 0).count()).sum::<usize>() as u128
    };
    let expected: u128 = (0..4)
        .map(|marks| (marks / 2, marks % 2))
        .map(|(top, bottom)| weights(top, bottom) * pairs(&lists[0][top], &lists[1][bottom]))
        .sum();
    for feeder in feeders {
        let find = |quarter: usize, _: u32, found: &mut dyn FnMut(&QuarterBoards<u64>)| {
            found(&match quarter {
                0 | 2 => QuarterBoards::of(lists[quarter / 2]),
                _ => QuarterBoards::of(&[vec![0], vec![]]),
            });
            Ok(())
        };
        let set = ColumnSet { a: 0, d: 0, images: 3 };
        let count = feeder.count(&[set], |_| [0; 4], WEIGHTS, find, &Stop::new()).unwrap();
        let device = feeder.device;
        let count = count.unwrap_or_else(|| panic!("{:?} of {device:?}", device.failure()));
        let [tops, bottoms] = lists.map(|list| list.each_ref().map(Vec::len));
        let (size, local) = (device.group, device.description.local_memory);
        assert_eq!(count, 3 * expected, "{tops:?} tops, {bottoms:?} bottoms, {size} work-items, {local} bytes");
    }
}

/// So many words, whose bits are diagonals of a board of middle size, the first ones more likely.
fn words(count: usize, random: &mut Random) -> Vec<u64> {
    let bit = |random: &mut Random, bit: u64| if random.below(4 + bit / 4) == 0 { 1 << (bit * 5 % 37) } else { 0 };
    (0..count).map(|_| (0..36).fold(0, |word, i| word | bit(random, i))).collect()
}

#[test]
fn lists_of_every_length_around_a_word_a_column_and_a_block_are_joined() {
    let (mut feeders, mut random) = (feeders(), Random::new(1));
    for tops in [0, 1, 31, 32, 33, 1000] {
        for bottoms in [0, 1, 63, 64, 65, 127, 128, 129, 511, 512, 513, 1023, 1024, 1025] {
            let [one, other] = [tops, bottoms].map(|length| [words(length, &mut random), vec![]]);
            check([&one, &other], &mut feeders);
            check([&other, &one], &mut feeders);
        }
    }
}

#[test]
fn marks_have_their_weights() {
    let (mut feeders, mut random) = (feeders(), Random::new(2));
    for lengths in [[[0, 1], [1, 0]], [[5, 0], [700, 300]], [[2000, 600], [900, 1500]], [[0, 300], [0, 200]]] {
        let [tops, bottoms] = lengths.map(|lengths| lengths.map(|length| words(length, &mut random)));
        check([&tops, &bottoms], &mut feeders);
    }
}

#[test]
fn a_hundred_thousand_words_are_joined() {
    let (mut feeders, mut random) = (feeders(), Random::new(3));
    let [tops, bottoms] = [100_000, 2000].map(|length| [words(length, &mut random), vec![]]);
    check([&tops, &bottoms], &mut feeders);
}

#[test]
fn words_that_all_conflict_or_never_do_are_joined() {
    let mut feeders = feeders();
    for (top, bottom) in [(0, 0), (1, 1), (u64::MAX >> 24, 0), (0b11, 0b10), (0b01, 0b10)] {
        check([&[vec![top; 1500], vec![]], &[vec![bottom; 1100], vec![]]], &mut feeders);
    }
}

#[test]
fn lists_without_room_are_refused_and_leave_the_room_to_others() {
    for feeder in feeders().iter_mut() {
        let queue = Queue::new(feeder.device.driver().unwrap(), 24 << 20);
        let queue = std::mem::replace(&mut feeder.queue, queue);
        let left = feeder.device.units_left();
        for _ in 0..2 {
            assert_eq!(count_empty(feeder, [1 << 20, 8]), Ok(None));
            assert_eq!(count_empty(feeder, [8, 8]), Ok(Some(4096)));
        }
        assert_eq!((feeder.device.units_left() - left, feeder.device.failure()), (2, None));
        feeder.queue = queue;
    }
}

/// The count of a column set whose quarters have so many boards without queens, those of the top and of the bottom. A
/// half-board is any two of them.
fn count_empty(feeder: &mut Feeder, words: [usize; 2]) -> Result<Option<u128>, Stopped> {
    let find = |quarter: usize, _: u32, found: &mut dyn FnMut(&QuarterBoards<u64>)| {
        found(&QuarterBoards::of(&[vec![0; words[quarter / 2]], vec![]]));
        Ok(())
    };
    feeder.count(&[ColumnSet { a: 0, d: 0, images: 1 }], |_| [0; 4], WEIGHTS, find, &Stop::new())
}

#[test]
fn large_boards_have_tables_on_common_devices() {
    for n in 18..=32 {
        let numbering = Numbering::new(n, Rows::middle_rows(n), 16);
        let mut random = Random::new(n.into());
        let mut cores = std::iter::repeat_with(|| {
            let unit = numbering.unit(random.below(numbering.units()));
            Some((numbering.core(unit.core)?, unit.tile))
        });
        let (core, tile) = cores.by_ref().flatten().next().unwrap();
        let (places, row_sets) = (Places::new::<u64>(core.relevant()), row_set_numbers(core.half));
        let sets = numbering.tiling(core.symmetry.images).column_sets(tile).step_by(50);
        let all = (1 << core.half) - 1;
        let columns: Vec<[u32; 4]> = sets.map(|set| [set.a, all ^ set.d, all ^ set.a, set.d]).collect();
        let mut finder = Finder::default();
        let quarters = Quarters::collect(&columns, |quarter, columns, found| {
            found(&finder.find(&core, &places, &row_sets, quarter, columns, &Stop::new()).unwrap());
            Ok(())
        });
        let quarters = quarters.unwrap();
        let open = quarters.statistics.open();
        for local in &GROUP_MEMORIES {
            let layout = Layout::best(open, quarters.marks, *local);
            assert!(layout.is_some(), "N = {n}: {open} diagonals in {local} bytes, marks: {}", quarters.marks);
        }
    }
}
