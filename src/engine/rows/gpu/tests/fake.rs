//! Tests feeders with a fake device, which needs no driver and is fast enough for long lists.
//!
//! On this device, all pairs of half-boards are disjoint. The first word of the left quarter is the
//! number of half-boards in a list, of which a third have no mark, a third one mark, and a third
//! two marks.

#![expect(unsafe_code, reason = "implements a driver")]

use std::collections::{BTreeSet, HashMap};
use std::ops::Range;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::{LazyLock, Mutex};

use bytemuck::Pod;

use crate::board::BoardSize;
use crate::cancel::{CancelToken, EngineError};
use crate::count::{CountError, Counter};
use crate::engine::rows::Rows;
use crate::engine::rows::core_lists::CoreLists;
use crate::engine::rows::gpu::Feeders;
use crate::engine::rows::gpu::device::{Device, DeviceDescription};
use crate::engine::rows::gpu::driver::{
    Commands, Driver, DriverFailure, DriverResult, FILE, GpuKernel, Memory, PERMUTE, SCAN, TALLY,
};
use crate::engine::rows::gpu::feeder::Feeder;
use crate::engine::rows::kernel::Kernel;
use crate::engine::rows::lists::quarter::QuarterBoards;
use crate::engine::rows::tests::rows;
use crate::engine::rows::tests::stopped::stop_at_every_check;
use crate::engine::rows::theory::core::{Core, Weights};
use crate::engine::rows::theory::tiling::ColumnSet;
use crate::options::EngineOptions;

/// A buffer: its size, and the bytes that were written.
#[derive(Default)]
struct Buffer {
    size: usize,
    bytes: Vec<u8>,
}

impl Buffer {
    /// Returns an item of an array.
    fn get<T: Pod>(&self, index: usize) -> T {
        let size = size_of::<T>();
        bytemuck::pod_read_unaligned(&self.bytes[index * size..(index + 1) * size])
    }

    fn set(&mut self, index: usize, item: impl Pod) {
        let bytes = bytemuck::bytes_of(&item);
        let start = index * bytes.len();
        self.range(start..start + bytes.len())
            .copy_from_slice(bytes);
    }

    /// Returns the bytes in this range. Bytes that were never written are not zero.
    fn range(&mut self, range: Range<usize>) -> &mut [u8] {
        let end = range.end;
        assert!(end <= self.size, "{end} bytes in a buffer of {}", self.size);
        self.bytes.resize(self.bytes.len().max(end), 0xa5);
        &mut self.bytes[range]
    }
}

/// A driver in which one call can fail.
#[derive(Default)]
struct FakeDriver {
    /// The number of calls until one fails, or 0 if none fails.
    calls_left: AtomicU64,
    lacks_memory: bool,
    /// Whether all lists are empty, whatever the quarters contain.
    is_empty: bool,
    /// The number of queues that have not been released.
    queues: AtomicUsize,
}

impl FakeDriver {
    fn call(&self, doing: &'static str) -> DriverResult<()> {
        let left = self.calls_left.load(Ordering::Relaxed);
        self.calls_left
            .store(left.saturating_sub(1), Ordering::Relaxed);
        if left != 1 {
            return Ok(());
        }
        Err(DriverFailure {
            doing,
            error: "an error".to_owned(),
            lacks_memory: self.lacks_memory,
        })
    }
}

impl Driver for &'static FakeDriver {
    fn create_queue(&self) -> DriverResult<Box<dyn Commands + '_>> {
        self.call("creating a queue")?;
        self.queues.fetch_add(1, Ordering::Relaxed);
        Ok(Box::new(FakeQueue {
            driver: self,
            buffers: HashMap::new(),
        }))
    }
}

struct FakeQueue {
    driver: &'static FakeDriver,
    buffers: HashMap<Memory, Buffer>,
}

impl Drop for FakeQueue {
    fn drop(&mut self) {
        self.driver.queues.fetch_sub(1, Ordering::Relaxed);
    }
}

impl FakeQueue {
    fn buffer(&mut self, memory: Memory) -> &mut Buffer {
        self.buffers
            .get_mut(&memory)
            .expect("the buffer is allocated")
    }
}

impl Commands for FakeQueue {
    fn allocate(&mut self, memory: Memory, size: usize) -> DriverResult<()> {
        self.buffers.remove(&memory);
        self.driver.call("reserving memory")?;
        let bytes = Vec::new();
        self.buffers.insert(memory, Buffer { size, bytes });
        Ok(())
    }

    fn write(&mut self, memory: Memory, bytes: &[u8]) -> DriverResult<()> {
        self.driver.call("writing")?;
        self.buffer(memory)
            .range(0..bytes.len())
            .copy_from_slice(bytes);
        Ok(())
    }

    fn read(&mut self, memory: Memory, bytes: &mut [u8]) -> DriverResult<()> {
        self.driver.call("reading")?;
        bytes.copy_from_slice(self.buffer(memory).range(0..bytes.len()));
        Ok(())
    }

    unsafe fn launch(
        &mut self,
        kernel: GpuKernel,
        groups: usize,
        _local: usize,
        numbers: &[u32],
    ) -> DriverResult<()> {
        self.driver.call("starting a kernel")?;
        for memory in kernel.memories {
            self.buffer(*memory);
        }
        if kernel.name == TALLY.name {
            for list in 0..groups / numbers[2] as usize {
                let [first_word, ..] = self.buffer(Memory::Lists).get::<[u32; 5]>(list);
                let all = if self.driver.is_empty {
                    0
                } else {
                    self.buffer(Memory::Words).get::<u64>(first_word as usize) as u32
                };
                let ends = [0, all / 3, all / 3 * 2, all];
                self.buffer(Memory::Counts).set(list, ends);
            }
        } else if kernel.name == SCAN.name {
            for list in 0..groups {
                let ends: [u32; 4] = self.buffer(Memory::Counts).get(list);
                self.buffer(Memory::Totals).set(list, ends);
            }
        } else if kernel.name != PERMUTE.name && kernel.name != FILE.name {
            for item in numbers[4] as usize..numbers[4] as usize + groups {
                let [longer, from, length, block]: [u32; 4] = self.buffer(Memory::Items).get(item);
                assert!(4 * (from + length) as usize <= self.buffer(Memory::Boards).size);
                let ends: [u32; 4] = self.buffer(Memory::Counts).get(longer as usize);
                let weights: [u64; 3] = self.buffer(Memory::Weights).get(block as usize);
                let mut sum = 0;
                for (marks, weight) in weights.into_iter().enumerate() {
                    sum += weight * u64::from(ends[marks + 1] - ends[marks]);
                }
                let sum = u64::from(length) * sum;
                self.buffer(Memory::Sums).set(item, sum);
            }
        }
        Ok(())
    }
}

/// Returns a new device with this driver.
fn device(driver: FakeDriver) -> (&'static Device, &'static FakeDriver) {
    let driver: &FakeDriver = Box::leak(Box::new(driver));
    let description = DeviceDescription {
        name: "fake".to_owned(),
        interface: String::new(),
        is_cpu: false,
        memory: 1 << 32,
        local_memory: u64::MAX,
    };
    let device = Device::new(description, 256, move || Ok(Box::new(driver)));
    (Box::leak(Box::new(device)), driver)
}

/// Returns a feeder for a new device, and the driver of the device.
fn feeder(share: usize, lacks_memory: bool) -> (Feeder, &'static FakeDriver) {
    let (device, driver) = device(FakeDriver {
        lacks_memory,
        ..FakeDriver::default()
    });
    let mut feeder = small(Feeder::new(device, false).unwrap().unwrap());
    feeder.share = share;
    (feeder, driver)
}

/// Limits batches and launches, so that small units have several.
pub(super) fn small(mut feeder: Feeder) -> Feeder {
    feeder.longest_launch = 5e-3;
    feeder.most_half_boards = 2e4;
    feeder
}

const WEIGHTS: Weights = [[1, 10, 0], [100, 1000, 3], [7, 0, 5]];

const HALF: u32 = 12;

/// Returns column sets (at most 4096), no two of which have the same columns in any quarter.
pub(super) fn column_sets(length: u32) -> Vec<ColumnSet> {
    (0..length)
        .map(|number| ColumnSet {
            a: number * 3 % 4096,
            d: number * 7 % 4096,
            multiplicity: 3 + u64::from(number),
        })
        .collect()
}

/// Counts the solutions of column sets. Given the index of a set, and a quarter, `words` returns the
/// quarter-boards: first those without a mark, then those with one.
pub(super) fn count(
    feeder: &mut Feeder,
    sets: &[ColumnSet],
    words: impl Fn(usize, usize) -> [Vec<u64>; 2],
    stop: &CancelToken,
) -> Result<Option<u128>, EngineError> {
    static ENGINE: LazyLock<Rows> = LazyLock::new(|| rows(2 * HALF, 0));
    let core = Core {
        weights: WEIGHTS,
        ..ENGINE.core(0).unwrap()
    };
    let mut lists = CoreLists::new(HALF, usize::MAX);
    for (index, set) in sets.iter().enumerate() {
        for (quarter, columns) in set.quarters(HALF).into_iter().enumerate() {
            let found = QuarterBoards::from_words(&words(index, quarter));
            lists.quarters.insert(quarter, columns, found);
        }
    }
    feeder.count(ENGINE.context(stop), &core, sets, &mut lists)
}

/// Adds up the weights of all pairs. `pairs` counts the pairs of a group of tops and a group of
/// bottoms; half-boards are grouped by their number of marks.
pub(super) fn weigh<T>(sides: &[[T; 3]; 2], pairs: impl Fn(&T, &T) -> u64) -> u128 {
    let mut sum = 0;
    for (top, weights) in sides[0].iter().zip(WEIGHTS) {
        for (bottom, weight) in sides[1].iter().zip(weights) {
            sum += u128::from(weight) * u128::from(pairs(top, bottom));
        }
    }
    sum
}

/// Counts the solutions of column sets whose lists of tops and bottoms have these lengths.
fn count_lists(
    feeder: &mut Feeder,
    lengths: &[[u64; 2]],
    stop: &CancelToken,
) -> Result<Option<u128>, EngineError> {
    let sets = column_sets(lengths.len() as u32);
    count(
        feeder,
        &sets,
        |set, quarter| [vec![lengths[set][quarter / 2]], vec![0]],
        stop,
    )
}

fn check(feeder: &mut Feeder, lengths: &[[u64; 2]]) {
    let counted = count_lists(feeder, lengths, &CancelToken::new());
    assert_eq!(counted, Ok(Some(expected(lengths))), "{lengths:?}");
}

fn expected(lengths: &[[u64; 2]]) -> u128 {
    let counts = column_sets(lengths.len() as u32)
        .into_iter()
        .zip(lengths)
        .map(|(set, lengths)| {
            let sides = lengths.map(|all| [all / 3, all / 3, all - all / 3 * 2]);
            u128::from(set.multiplicity) * weigh(&sides, |top, bottom| top * bottom)
        });
    counts.sum()
}

fn short_lists(sets: u64) -> Vec<[u64; 2]> {
    (0..sets).map(|set| [set % 7 * 10, set % 5 * 9]).collect()
}

#[test]
fn batches_and_launches_of_any_length_are_counted() {
    let long = 1 << 25;
    for lengths in [
        short_lists(1),
        short_lists(255),
        short_lists(256),
        short_lists(257),
        short_lists(1024),
        vec![[long, long]],
        vec![[5, 3], [long, long / 2], [7, 2000], [2000, 7]],
    ] {
        // One block per launch, some blocks, and all blocks.
        for pace in [1.0, 1e9, f64::INFINITY] {
            let (mut feeder, _) = feeder(1 << 30, false);
            feeder.pace = pace;
            check(&mut feeder, &lengths);
        }
    }
}

#[test]
fn units_with_oversized_batch_are_declined() {
    // The first list is too long for any device, the second one only for this share of the memory.
    for (long, share) in [((1 << 26) + 1, 1 << 30), (1 << 23, 32 << 20)] {
        for block in [0, 1, 255, 256, 299] {
            let mut lengths = short_lists(300);
            lengths[block][block % 2] = long;
            let (mut feeder, _) = feeder(share, false);
            let counted = count_lists(&mut feeder, &lengths, &CancelToken::new());
            assert_eq!(counted, Ok(None), "{block}");
            assert_eq!(feeder.device.units_declined(), 1);
            assert_eq!(feeder.device.failure(), None);
            // The next unit is counted as usual.
            lengths[block] = [5, 5];
            check(&mut feeder, &lengths);
        }
    }
}

#[test]
fn failure_of_any_call_loses_no_solutions() {
    let lengths = short_lists(600);
    for lacks_memory in [false, true] {
        let mut failed = BTreeSet::new();
        for call in 1.. {
            let (mut feeder, driver) = feeder(1 << 30, lacks_memory);
            driver.calls_left.store(call, Ordering::Relaxed);
            let counted = count_lists(&mut feeder, &lengths, &CancelToken::new()).unwrap();
            if driver.calls_left.load(Ordering::Relaxed) > 0 {
                break;
            }
            // After a lack of memory, half of the share is enough.
            let expected = lacks_memory.then(|| expected(&lengths));
            assert_eq!(counted, expected, "call {call} fails");
            assert_eq!(feeder.device.failure().is_some(), !lacks_memory);
            failed.extend(feeder.device.failure().map(str::to_owned));
            if !lacks_memory {
                assert_eq!(
                    driver.queues.load(Ordering::Relaxed),
                    0,
                    "call {call} fails"
                );
            }
            drop(feeder);
            assert_eq!(
                driver.queues.load(Ordering::Relaxed),
                0,
                "call {call} fails"
            );
        }
        let messages = [
            "creating a queue",
            "reading",
            "reserving memory",
            "starting a kernel",
            "writing",
        ]
        .map(|call| format!("gpu:0 (fake) failed while {call}: an error"));
        assert!(lacks_memory || failed.iter().eq(&messages), "{failed:?}");
    }
}

/// Counts a board on a device with empty lists that fails at its hundredth call. Returns the
/// result, and the kernels that counted the finished tasks.
fn count_with_failing_device(required: bool) -> (Result<u128, CountError>, Vec<&'static str>) {
    let (device, _) = device(FakeDriver {
        calls_left: 100.into(),
        is_empty: true,
        ..FakeDriver::default()
    });
    let size = BoardSize::new(14).unwrap();
    let engine = Rows {
        feeders: Feeders::new(vec![device], usize::MAX, required),
        ..Rows::new(size, EngineOptions::new())
    };
    let finished = Mutex::new(Vec::new());
    let counted = Counter::new()
        .threads(1)
        .on_task(&|task| finished.lock().unwrap().extend(&task.kernels))
        .count(&engine);
    assert!(device.failure().is_some());
    (counted, finished.into_inner().unwrap())
}

#[test]
fn failure_of_required_device_ends_count() {
    let (counted, kernels) = count_with_failing_device(true);
    let error = counted.unwrap_err().to_string();
    assert!(error.starts_with("gpu:0 (fake) failed while "), "{error}");
    assert!(kernels.len() > 1 && kernels.iter().all(|&kernel| kernel == "gpu"));
}

#[test]
fn cpu_continues_after_failure_of_device() {
    let (counted, kernels) = count_with_failing_device(false);
    assert!(counted.unwrap() > 0);
    let on_device = kernels.partition_point(|&kernel| kernel == "gpu");
    let cpu = Kernel::default().name();
    assert!(0 < on_device && on_device < kernels.len());
    assert!(kernels[on_device..].iter().all(|&kernel| kernel == cpu));
}

#[test]
fn cancelled_batches_count_all_or_nothing() {
    let (mut feeder, _) = feeder(1 << 30, false);
    let lengths = short_lists(600);
    stop_at_every_check("batches", &mut |stop| {
        count_lists(&mut feeder, &lengths, stop)
    });
}
