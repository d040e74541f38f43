//! Tests that devices agree with naive counts for every group size and local memory size, and that
//! no failure, lack of memory or cancellation loses solutions.

use std::iter;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{LazyLock, Mutex, MutexGuard, PoisonError};

use super::device::Device;
use super::feeder::Feeder;
use super::kernels::{Memory, SIZES};
use super::layout::Layout;
use super::opencl::{DriverFailure, Refusal};
use super::platforms::find;
use super::queue::Queue;
use crate::cancel::{CancelToken, EngineError};
use crate::engine::Engine;
use crate::engine::rows::Rows;
use crate::engine::rows::core_lists::CoreLists;
use crate::engine::rows::lists::quarter::QuarterBoards;
use crate::engine::rows::tests::stopped::stop_at_every_check;
use crate::engine::rows::tests::{default_rows, rows};
use crate::engine::rows::theory::core::{Core, Weights};
use crate::engine::rows::theory::tiling::ColumnSet;
use crate::engine::rows::worker::Worker;
use crate::known::oeis_a000170;
use crate::splitmix::SplitMix64;

/// Limits on local memory: the least that OpenCL allows, that of NVIDIA's driver, that of others,
/// and no limit.
const GROUP_MEMORIES: [u64; 4] = [32 << 10, 48 << 10, 64 << 10, u64::MAX];

/// Returns new devices with a group size in `sizes` and at most `local` bytes of local memory.
fn devices(sizes: &[usize], local: u64) -> Vec<&'static Device> {
    // The OpenCL library does not expect several threads to load its drivers, and the program lists
    // devices only once.
    static LISTING: Mutex<()> = Mutex::new(());
    let _listing = LISTING.lock().unwrap_or_else(PoisonError::into_inner);
    let mut devices = Vec::new();
    for mut device in find(sizes).devices {
        device.description.local_memory = device.description.local_memory.min(local);
        devices.push(&*Box::leak(Box::new(device)));
    }
    assert!(
        !devices.is_empty(),
        "expected a device, found none: install an OpenCL driver, for example PoCL"
    );
    devices
}

/// Returns a feeder with small batches, so that small units have several.
fn feeder(device: &'static Device) -> Feeder {
    let mut feeder = Feeder::new(device, false).unwrap();
    feeder.most_half_boards = 2e4;
    feeder
}

/// Returns feeders for all devices, with every group size and local memory size that they support.
fn feeders() -> MutexGuard<'static, Vec<Feeder>> {
    static FEEDERS: LazyLock<Mutex<Vec<Feeder>>> = LazyLock::new(|| {
        let mut feeders = Vec::new();
        for local in GROUP_MEMORIES {
            for size in SIZES {
                feeders.extend(devices(&[size], local).into_iter().map(feeder));
            }
        }
        Mutex::new(feeders)
    });
    FEEDERS.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Returns a new device, which can fail.
fn device() -> &'static Device {
    devices(&SIZES, u64::MAX)[0]
}

/// The words of each quarter of a column set: first those without a mark, then those with one.
type Set = [[Vec<u64>; 2]; 4];

const WEIGHTS: Weights = [[1, 10, 0], [100, 1000, 3], [7, 0, 5]];

const HALF: u32 = 12;

/// Returns column sets (at most 4096), no two of which have the same columns in any quarter.
fn column_sets(length: usize) -> Vec<ColumnSet> {
    (0..length as u32)
        .map(|number| ColumnSet {
            a: number * 3 % 4096,
            d: number * 7 % 4096,
            multiplicity: 3 + u64::from(number),
        })
        .collect()
}

fn count(
    feeder: &mut Feeder,
    unit: &[Set],
    stop: &CancelToken,
) -> Result<Option<u128>, EngineError> {
    static ENGINE: LazyLock<Rows> = LazyLock::new(|| rows(2 * HALF, 0));
    let core = Core {
        weights: WEIGHTS,
        ..ENGINE.core(0).unwrap()
    };
    let mut lists = CoreLists::new(HALF, usize::MAX);
    let sets = column_sets(unit.len());
    for (set, words) in sets.iter().zip(unit) {
        for (quarter, columns) in set.quarters(HALF).into_iter().enumerate() {
            let found = QuarterBoards::from_words(&words[quarter]);
            lists.quarters.insert(quarter, columns, found);
        }
    }
    feeder.count(ENGINE.context(stop), &core, &sets, &mut lists)
}

/// Combines two quarters. The half-boards are grouped by their number of marks.
fn half_boards([left, right]: [&[Vec<u64>; 2]; 2]) -> [Vec<u64>; 3] {
    let mut found = [vec![], vec![], vec![]];
    for (of_left, left) in left.iter().enumerate() {
        for (of_right, right) in right.iter().enumerate() {
            for word in left {
                let fitting = right.iter().filter(|&other| word & other == 0);
                found[of_left + of_right].extend(fitting.map(|other| word | other));
            }
        }
    }
    found
}

/// Counts the solutions with double loops.
fn expected(unit: &[Set]) -> u128 {
    let mut sum = 0;
    for (set, [a, b, c, d]) in column_sets(unit.len()).into_iter().zip(unit) {
        let bottoms = half_boards([c, d]);
        for (tops, weights) in half_boards([a, b]).iter().zip(WEIGHTS) {
            for (bottoms, weight) in bottoms.iter().zip(weights) {
                let mut pairs = 0;
                for top in tops {
                    pairs += bottoms.iter().filter(|&bottom| top & bottom == 0).count();
                }
                sum += u128::from(set.multiplicity * weight) * pairs as u128;
            }
        }
    }
    sum
}

fn check(feeders: &mut [Feeder], unit: &[Set]) {
    let expected = expected(unit);
    for feeder in feeders {
        let counted = count(feeder, unit, &CancelToken::new());
        let lengths = unit[0]
            .each_ref()
            .map(|words| words.each_ref().map(Vec::len));
        let device = feeder.device;
        assert_eq!(
            counted,
            Ok(Some(expected)),
            "{} column sets, first {lengths:?}, {} work-items, {} bytes: {:?}",
            unit.len(),
            device.opencl.group,
            device.description.local_memory,
            device.failure()
        );
    }
}

/// Returns a set whose half-boards are these unmarked and marked words.
fn set([tops, bottoms]: [[Vec<u64>; 2]; 2]) -> Set {
    [tops, [vec![0], vec![]], bottoms, [vec![0], vec![]]]
}

/// Returns lists of random words. As on boards of medium size, some diagonals are occupied more
/// often than others.
fn random_lists(random: &mut SplitMix64, lengths: [[usize; 2]; 2]) -> [[Vec<u64>; 2]; 2] {
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

fn random_set(lengths: [[usize; 2]; 2]) -> Set {
    set(random_lists(&mut SplitMix64::new(1), lengths))
}

/// Returns sets whose half-boards have up to two marks.
fn short_sets(length: usize) -> Vec<Set> {
    let mut random = SplitMix64::new(2);
    (0..length)
        .map(|number| {
            let lengths = [[number % 7 * 5, 5], [number % 5 * 4, 3]];
            let [tops, bottoms] = random_lists(&mut random, lengths);
            [tops, [vec![0], vec![2]], bottoms, [vec![0], vec![4]]]
        })
        .collect()
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
        check(&mut feeders(), &[random_set(lengths)]);
    }
    // Words that always or never conflict.
    for (top, bottom) in [
        (0, 0),
        (1, 1),
        (u64::MAX >> 24, 0),
        (0b11, 0b10),
        (0b01, 0b10),
    ] {
        let lists = [[vec![top; 1500], vec![]], [vec![bottom; 1100], vec![]]];
        check(&mut feeders(), &[set(lists)]);
    }
}

/// Tests lists of half-boards and quarter-boards longer than any that occur in practice.
#[test]
fn lists_longer_than_in_practice_are_joined() {
    const LONG: usize = (1 << 22) + 3;
    for lengths in [[[LONG, 0], [100, 0]], [[70, 30], [LONG / 2, LONG / 2]]] {
        check(&mut feeders()[..1], &[random_set(lengths)]);
    }
}

#[test]
fn layouts_of_large_boards_fit_into_local_memory() {
    for n in 18..=32 {
        let engine = default_rows(n);
        let mut random = SplitMix64::new(n.into());
        let cores = iter::repeat_with(|| engine.core(engine.random_unit(&mut random)));
        for core in cores.flatten().take(100) {
            let [a, b, c, d] = [0, 1, 2, 3].map(|quarter| core.reachable(quarter));
            let shared = ((a | b) & (c | d)).count_ones();
            let layout = Layout::best(shared, true, GROUP_MEMORIES[0]);
            assert!(layout.is_some(), "N = {n}: {shared} diagonals");
        }
    }
}

#[test]
fn batches_and_launches_of_any_length_are_counted() {
    for length in [255, 256, 257, 1024] {
        // One block per launch, some blocks, and all blocks.
        for pace in [1.0, 1e9, f64::INFINITY] {
            // One feeder for each group size.
            let feeders = &mut feeders()[..SIZES.len()];
            for feeder in &mut *feeders {
                feeder.pace = pace;
            }
            check(feeders, &short_sets(length));
        }
    }
}

#[test]
fn units_with_oversized_batch_are_declined() {
    // The first list is too long for any device, the second one only for this share of the memory.
    for (left, right, share) in [
        ((1 << 13) + 1, 1 << 13, 1 << 30),
        (1 << 12, 1 << 11, 32 << 20),
    ] {
        let mut unit = short_sets(300);
        unit[299][2..].clone_from_slice(&[left, right].map(|length| [vec![0; length], vec![]]));
        let mut feeder = feeder(device());
        feeder.share = share;
        let counted = count(&mut feeder, &unit, &CancelToken::new());
        assert_eq!(counted, Ok(None), "{left}");
        assert_eq!(feeder.device.units_declined(), 1);
        assert_eq!(feeder.device.failure(), None);
        assert!(feeder.queue.is_none(), "its memory is released");
        check(&mut [feeder], &short_sets(300));
    }
}

#[test]
fn lack_of_memory_is_not_a_failure() {
    let mut queue = Queue::new(&device().opencl, usize::MAX).unwrap();
    queue.reserve(Memory::Boards, 1).unwrap();
    let refusal = queue.reserve(Memory::Boards, 1 << 60).unwrap_err();
    assert!(
        matches!(&refusal, Refusal::Driver(failure) if failure.lacks_memory),
        "{refusal:?}"
    );
}

fn fail(device: &Device) {
    device.fail(&DriverFailure {
        doing: "writing",
        error: "an error".to_owned(),
        lacks_memory: false,
    });
}

#[test]
fn failure_in_any_batch_loses_no_solutions() {
    let unit = short_sets(600);
    for check in 1.. {
        let device = device();
        let mut feeder = feeder(device);
        let checks = AtomicU64::new(0);
        let stop = CancelToken::with_condition(move || {
            if checks.fetch_add(1, Ordering::Relaxed) + 1 == check {
                fail(device);
            }
            false
        });
        let counted = count(&mut feeder, &unit, &stop);
        if device.failure().is_none() {
            assert!(check > 6, "{check} checks in several batches");
            assert_eq!(counted, Ok(Some(expected(&unit))));
            break;
        }
        assert_eq!(counted, Ok(None), "failure at check {check}");
        assert!(feeder.queue.is_none(), "its memory is released");
    }
}

#[test]
fn failure_ends_count_only_if_device_is_required() {
    let engine = rows(14, 0);
    let stop = CancelToken::new();
    for required in [true, false] {
        let device = device();
        let mut worker = Worker::new(7, u64::MAX, Feeder::new(device, required));
        let mut total = 0;
        for number in 0..engine.units() {
            if number == 2 {
                fail(device);
            }
            match worker.count(engine.context(&stop), engine.numbering.unit(number)) {
                Ok((count, on_device)) => {
                    assert_eq!(on_device, number < 2, "unit {number}");
                    total += count;
                }
                Err(error) => {
                    assert_eq!(error.to_string(), device.failure().unwrap());
                    assert!(required && number == 2, "unit {number}");
                    break;
                }
            }
        }
        assert_eq!(oeis_a000170(14) == Some(total), !required);
    }
}

#[test]
fn cancelled_batches_count_all_or_nothing() {
    let unit = short_sets(600);
    let mut feeder = feeder(device());
    stop_at_every_check("batches", &mut |stop| count(&mut feeder, &unit, stop));
}
