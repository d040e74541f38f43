//! Tests the loops of feeders with a simulated device, which needs no driver and is fast enough for
//! lists of any length.
//!
//! On this device, all pairs of half-boards are disjoint. The first word of the left quarter is the
//! number of half-boards of a list, a third of which have no mark, one mark and two marks.

#![expect(unsafe_code, reason = "an implementation of the interface of drivers")]

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use super::device::{Device, DeviceDescription};
use super::feeder::Feeder;
use super::host::{Driver, DriverFailure, DriverResult, FILE, Launch, PERMUTE, SCAN, TALLY};
use crate::cancel::{CancelToken, EngineError};
use crate::engine::rows::lists::quarter::QuarterBoards;
use crate::engine::rows::stopped::stop_at_every_check;
use crate::engine::rows::theory::tiling::ColumnSet;

/// A buffer: its size, and the bytes that were written.
#[derive(Default)]
struct Buffer {
    size: usize,
    bytes: Vec<u8>,
}

impl Buffer {
    /// Returns some of the 32-bit words.
    fn u32s<const COUNT: usize>(&self, first: usize) -> [u32; COUNT] {
        let words = &self.bytes.as_chunks().0[first..first + COUNT];
        std::array::from_fn(|word| u32::from_ne_bytes(words[word]))
    }

    /// Returns some of the 64-bit words.
    fn u64s<const COUNT: usize>(&self, first: usize) -> [u64; COUNT] {
        let words = &self.bytes.as_chunks().0[first..first + COUNT];
        std::array::from_fn(|word| u64::from_ne_bytes(words[word]))
    }

    /// Overwrites the bytes from `at` on. Bytes that were never written are not zero.
    fn write(&mut self, at: usize, bytes: &[u8]) {
        let end = at + bytes.len();
        assert!(end <= self.size, "{end} bytes in a buffer of {}", self.size);
        self.bytes.resize(self.bytes.len().max(end), 0xa5);
        self.bytes[at..end].copy_from_slice(bytes);
    }
}

struct SimulatedDriver {
    buffers: Mutex<Vec<Buffer>>,
    /// The number of calls until one fails; 0 means that none fails.
    calls_left: &'static AtomicU64,
    /// Whether the call that fails does so for lack of memory.
    lacks_memory: bool,
}

impl SimulatedDriver {
    fn buffers(&self) -> MutexGuard<'_, Vec<Buffer>> {
        self.buffers.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn call(&self) -> DriverResult<()> {
        let one_less = |left: u64| left.checked_sub(1);
        let before = self
            .calls_left
            .fetch_update(Ordering::Relaxed, Ordering::Relaxed, one_less);
        if before != Ok(1) {
            return Ok(());
        }
        Err(DriverFailure {
            message: "this call fails".to_owned(),
            lacks_memory: self.lacks_memory,
        })
    }
}

impl Driver for SimulatedDriver {
    fn free_memory(&self) -> DriverResult<u64> {
        Ok(1 << 32)
    }

    fn create_queue(&self) -> DriverResult<usize> {
        self.call().map(|()| 0)
    }

    fn allocate(&self, size: usize) -> DriverResult<usize> {
        self.call()?;
        let mut buffers = self.buffers();
        buffers.push(Buffer {
            size,
            bytes: Vec::new(),
        });
        Ok(buffers.len() - 1)
    }

    unsafe fn release(&self, memory: usize) -> DriverResult<()> {
        self.call()?;
        self.buffers()[memory] = Buffer::default();
        Ok(())
    }

    unsafe fn release_queue(&self, _queue: usize) {}

    unsafe fn finish(&self, _queue: usize) -> DriverResult<()> {
        self.call()
    }

    unsafe fn write(&self, _queue: usize, memory: usize, bytes: &[u8]) -> DriverResult<()> {
        self.call()?;
        self.buffers()[memory].write(0, bytes);
        Ok(())
    }

    unsafe fn read(&self, _queue: usize, memory: usize, bytes: &mut [u8]) -> DriverResult<()> {
        self.call()?;
        let buffer = &mut self.buffers()[memory];
        buffer
            .bytes
            .resize(buffer.bytes.len().max(bytes.len()), 0xa5);
        bytes.copy_from_slice(&buffer.bytes[..bytes.len()]);
        Ok(())
    }

    unsafe fn launch(&self, _queue: usize, launch: Launch) -> DriverResult<()> {
        self.call()?;
        let Launch {
            kernel,
            groups,
            numbers,
            memories,
            ..
        } = launch;
        let mut buffers = self.buffers();
        if kernel == TALLY.name {
            let [lists, _, words, counts] = memories[..] else {
                panic!("{memories:?}")
            };
            for list in 0..groups / numbers[2] as usize {
                let [first_word] = buffers[lists].u32s(5 * list);
                let [all] = buffers[words].u64s(first_word as usize);
                let all = all as u32;
                let ends = [0, all / 3, all / 3 * 2, all].map(u32::to_ne_bytes);
                buffers[counts].write(16 * list, ends.as_flattened());
            }
        } else if kernel == SCAN.name {
            let totals = buffers[memories[0]].bytes[..16 * groups].to_vec();
            buffers[memories[1]].write(0, &totals);
        } else if kernel != PERMUTE.name && kernel != FILE.name {
            let [items, weights, _, counts, boards, _, sums] = memories[..] else {
                panic!("{memories:?}")
            };
            for item in numbers[4] as usize..numbers[4] as usize + groups {
                let [longer, from, length, of_block] = buffers[items].u32s(4 * item);
                assert!(4 * (from + length) as usize <= buffers[boards].size);
                let ends: [u32; 4] = buffers[counts].u32s(4 * longer as usize);
                let weights: [u64; 3] = buffers[weights].u64s(3 * of_block as usize);
                let marks = ends.windows(2).map(|ends| u64::from(ends[1] - ends[0]));
                let pairs = marks
                    .zip(weights)
                    .map(|(longer, weight)| longer * weight * u64::from(length));
                let sum = pairs.sum::<u64>().to_ne_bytes();
                buffers[sums].write(8 * item, &sum);
            }
        }
        Ok(())
    }
}

/// Returns a feeder of a new device with this share, and the number of calls until one fails.
fn feeder(share: usize, lacks_memory: bool) -> (Feeder, &'static AtomicU64) {
    let calls_left: &AtomicU64 = Box::leak(Box::default());
    let description = DeviceDescription {
        name: "simulated".to_owned(),
        interface: "none".to_owned(),
        is_cpu: false,
        memory: 1 << 32,
        local_memory: u64::MAX,
    };
    let device = Device::new(description, 256, move || {
        Ok(Box::new(SimulatedDriver {
            buffers: Mutex::default(),
            calls_left,
            lacks_memory,
        }))
    });
    let mut feeder = Feeder::new(Box::leak(Box::new(device))).expect("the device has a share");
    feeder.share = share;
    (feeder, calls_left)
}

const WEIGHTS: [[u64; 3]; 3] = [[1, 10, 0], [100, 1000, 3], [7, 0, 5]];

/// Counts column sets whose tops and bottoms have these lengths.
fn count(
    feeder: &mut Feeder,
    lengths: &[[u32; 2]],
    stop: &CancelToken,
) -> Result<Option<u128>, EngineError> {
    // Each column set has columns of its own in all quarters.
    let sets = (0..).zip(lengths).map(|(number, _)| ColumnSet {
        a: number,
        d: number,
        images: 1 + u64::from(number % 4),
    });
    let sets: Vec<ColumnSet> = sets.collect();
    let find = |quarter: usize, columns: u32, found: super::quarters::Receiver| {
        let of_set = |set: &ColumnSet| set.quarters(12)[quarter] == columns;
        let set = sets.iter().position(of_set).expect("a set");
        let length = lengths[set][quarter / 2];
        found(&QuarterBoards::of(&[vec![length.into()], vec![0]]));
        Ok(())
    };
    feeder.count(&sets, 12, WEIGHTS, find, stop)
}

/// Returns what the device should count.
fn expected(lengths: &[[u32; 2]]) -> u128 {
    let mut total = 0;
    for (number, lengths) in lengths.iter().enumerate() {
        let [tops, bottoms] =
            lengths.map(|length| [length / 3, length / 3, length - length / 3 * 2]);
        for (tops, weights) in tops.iter().zip(WEIGHTS) {
            for (bottoms, weight) in bottoms.iter().zip(weights) {
                let images = 1 + number as u128 % 4;
                total += images * u128::from(*tops) * u128::from(*bottoms) * u128::from(weight);
            }
        }
    }
    total
}

/// Returns the lengths of many short lists.
fn short_lists(sets: u32) -> Vec<[u32; 2]> {
    (0..sets).map(|set| [set % 7 * 10, set % 5 * 9]).collect()
}

#[test]
fn batches_and_launches_of_any_length_are_counted() {
    let never = CancelToken::new();
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
            let counted = count(&mut feeder, &lengths, &never);
            assert_eq!(counted, Ok(Some(expected(&lengths))), "{pace}, {lengths:?}");
        }
    }
}

#[test]
fn units_with_a_batch_too_large_are_declined() {
    let never = CancelToken::new();
    // The first list is too long for any device, the second for the memory.
    for (long, share) in [((1 << 26) + 1, 1 << 30), (1 << 23, 32 << 20)] {
        for place in [0, 1, 255, 256, 299] {
            let mut lengths = short_lists(300);
            lengths[place][place % 2] = long;
            let (mut feeder, _) = feeder(share, false);
            assert_eq!(count(&mut feeder, &lengths, &never), Ok(None), "{place}");
            assert_eq!(feeder.device.units_declined(), 1);
            assert_eq!(feeder.device.failure(), None);
            // The next unit is counted as usual.
            lengths[place] = [5, 5];
            let counted = count(&mut feeder, &lengths, &never);
            assert_eq!(counted, Ok(Some(expected(&lengths))), "{place}");
        }
    }
}

#[test]
fn failures_of_any_call_lose_no_solutions() {
    let never = CancelToken::new();
    let lengths = short_lists(600);
    for lacks_memory in [false, true] {
        for call in 1.. {
            let (mut feeder, calls_left) = feeder(1 << 30, lacks_memory);
            calls_left.store(call, Ordering::Relaxed);
            let counted = count(&mut feeder, &lengths, &never).unwrap();
            if calls_left.load(Ordering::Relaxed) > 0 {
                assert!(call > 40, "{call} calls");
                break;
            }
            if lacks_memory || counted.is_some() {
                assert_eq!(counted, Some(expected(&lengths)), "call {call} fails");
            }
            assert_eq!(feeder.device.failure().is_some(), counted.is_none());
        }
    }
}

#[test]
fn stopped_batches_count_all_or_nothing() {
    let (mut feeder, _) = feeder(1 << 30, false);
    let lengths = short_lists(600);
    stop_at_every_check("batches", |stop| count(&mut feeder, &lengths, stop));
}
