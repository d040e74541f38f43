//! Feeders, which count the solutions of a unit's column sets on a device, in batches.
//!
//! The clock only determines how many blocks a launch joins. No count depends on it.

#![deny(clippy::cast_precision_loss, reason = "counts are exact")]
#![expect(unsafe_code, reason = "launches kernels")]

use std::sync::atomic::Ordering;
use std::time::Instant;

use super::device::Device;
use super::kernels::{FILE, Memory, PERMUTE, SCAN, TALLY, join};
use super::layout::{BLOCK, Layout};
use super::opencl::{DeviceResult, Refusal};
use super::quarters::Quarters;
use super::queue::Queue;
use crate::cancel::{CancelToken, EngineError};
use crate::engine::rows::core_lists::{Context, CoreLists};
use crate::engine::rows::lists::half::SURVIVORS;
use crate::engine::rows::theory::core::Core;
use crate::engine::rows::theory::tiling::ColumnSet;

/// Counts units on a device for one thread.
pub(crate) struct Feeder {
    pub(super) device: &'static Device,
    /// Whether the failure of the device is an error, instead of leaving units to the CPU.
    required: bool,
    pub(super) queue: Option<Queue>,
    /// The device memory that the queue may use, in bytes.
    pub(super) share: usize,
    /// The approximate maximum number of half-boards in a batch.
    pub(super) most_half_boards: f64,
    /// The work done per second in the last batch, in lookups.
    pub(super) pace: f64,
}

/// The size, in bytes, of the half-boards that keep a large device busy, and of their
/// quarter-boards.
const SHARE: u64 = 1 << 30;

/// The smallest share, in bytes, that makes an additional feeder worthwhile.
const LEAST_SHARE: u64 = 64 << 20;

/// The approximate maximum duration of a launch in seconds. A GPU cannot update its screen during a
/// launch, and some drivers abort kernels that run for several seconds.
const LONGEST_LAUNCH: f64 = 0.05;

/// The pace of a small GPU.
const FIRST_PACE: f64 = 1e8;

/// Enough half-boards to keep a large device busy.
const MOST_HALF_BOARDS: f64 = 3e7;

/// The bytes allowed for a half-board and its key: eight, doubled because the numbers of
/// half-boards are only estimates and buffers grow in steps.
const BYTES_PER_HALF_BOARD: f64 = 16.0;

const SETS: usize = 256;

/// The number of work-items that keep all processors of a device busy.
const ITEMS: usize = 1 << 18;

/// The maximum number of work-items per list. Each warp handles one row set at a time.
const ITEMS_OF_A_LIST: usize = 1 << 12;

/// The maximum number of half-boards in a batch. A work-item compares at most a quarter of them
/// with 128 half-boards of a block; that is at most 2^31 pairs, so 32 bits suffice to count them.
const LONGEST: u32 = 1 << 26;

/// The position of a list: where its half-boards with 0, 1 and 2 marks start, and where it ends.
type Span = [u32; 4];

/// Describes a block to a `join` kernel, as in `kernels.c`.
type Item = [u32; 4];

impl Feeder {
    /// Creates a feeder for a device, unless the device already has enough feeders.
    pub(crate) fn new(device: &'static Device, required: bool) -> Option<Self> {
        // Leave some memory for the screen and for other programs.
        let room = device.description.memory / 16 * 15;
        let limit = (room / SHARE).max((room / LEAST_SHARE).clamp(1, Device::FEEDERS as u64));
        device
            .opencl
            .feeders
            .fetch_update(Ordering::Relaxed, Ordering::Relaxed, |feeders| {
                (feeders < limit).then_some(feeders + 1)
            })
            .ok()?;
        Some(Self {
            device,
            required,
            queue: None,
            share: (room / limit) as usize,
            most_half_boards: MOST_HALF_BOARDS,
            pace: FIRST_PACE,
        })
    }

    pub(crate) fn has_failed(&self) -> bool {
        self.device.failure().is_some()
    }

    /// Counts the solutions of some of a core's column sets, or returns `None` if the CPU must count
    /// them. `lists` finds the quarter-boards.
    ///
    /// # Errors
    /// Returns [`EngineError`] soon after a cancellation, or if a required device has failed.
    pub(in crate::engine::rows) fn count(
        &mut self,
        context: Context,
        core: &Core,
        sets: &[ColumnSet],
        lists: &mut CoreLists<u64>,
    ) -> Result<Option<u128>, EngineError> {
        match self.count_sets(context, core, sets, lists) {
            Ok(count) => return Ok(Some(count)),
            Err(Refusal::EngineError(stopped)) => return Err(stopped),
            Err(Refusal::HasFailed) => {}
            Err(Refusal::Driver(failure)) if !failure.lacks_memory => self.device.fail(&failure),
            Err(refusal) => {
                self.device.units_declined.fetch_add(1, Ordering::Relaxed);
                if let Refusal::Driver(_) = refusal {
                    self.share /= 2;
                }
            }
        }
        match self.device.failure() {
            Some(failure) if self.required => Err(EngineError::Device(failure)),
            _ => Ok(None),
        }
    }

    /// Fails if the count was cancelled, or if the device has failed.
    fn check(&self, stop: &CancelToken) -> DeviceResult<()> {
        stop.check()?;
        if self.has_failed() {
            return Err(Refusal::HasFailed);
        }
        Ok(())
    }

    fn count_sets(
        &mut self,
        context: Context,
        core: &Core,
        sets: &[ColumnSet],
        lists: &mut CoreLists<u64>,
    ) -> DeviceResult<u128> {
        self.check(context.stop)?;
        let quarters = Quarters::collect(context, core, sets, lists)?;
        let layout = quarters
            .layout(self.device.description.local_memory)
            .ok_or(Refusal::TooLarge)?;
        // If the unit is not counted, the queue is dropped, so that other feeders can use its
        // memory.
        let mut queue = match self.queue.take() {
            Some(queue) => queue,
            None => Queue::new(&self.device.opencl, self.share)?,
        };
        let words = &quarters.words;
        queue.write(Memory::Words, words)?;
        queue.write(Memory::Starts, &quarters.starts)?;
        let permutation = quarters.statistics.permutation(layout);
        queue.write(Memory::Permutation, &permutation)?;
        // The weights are stored twice: once as `[bottom][top]` and once as `[top][bottom]`.
        let weights: Vec<u64> = (0..3)
            .map(|bottom| core.weights.map(|of_top| of_top[bottom]))
            .chain(core.weights)
            .flatten()
            .collect();
        queue.write(Memory::Weights, &weights)?;
        let group = self.device.opencl.group;
        let groups = words.len().div_ceil(group);
        // SAFETY: the buffers contain these words and a permutation.
        unsafe { queue.launch(PERMUTE, groups, 0, &[words.len() as u32])? };
        // Reserve memory for the maximum number of slices. The rest is for half-boards.
        let most_lists = (2 * SETS).max(ITEMS / group);
        queue.reserve(Memory::Counts, 4 * most_lists * layout.numbers(1))?;
        let room = queue.left() + queue.held(Memory::Boards) + queue.held(Memory::Keys);
        #[expect(clippy::cast_precision_loss, reason = "an estimate")]
        let room_left = (room as f64 / BYTES_PER_HALF_BOARD).min(self.most_half_boards);
        let mut total = 0;
        let mut first = 0;
        while first < sets.len() {
            #[expect(clippy::cast_precision_loss, reason = "an estimate")]
            let half_boards = quarters.pairs[first..]
                .iter()
                .map(|pairs| SURVIVORS * (pairs[0] + pairs[1]) as f64);
            let batch = first..first + fitting(half_boards.take(SETS), room_left);
            first = batch.end;
            let lists = quarters.lists[batch.clone()].as_flattened();
            total += self.count_batch(&mut queue, layout, &sets[batch], lists, context.stop)?;
        }
        self.queue = Some(queue);
        Ok(total)
    }

    /// Counts the solutions of some column sets whose quarter-boards have been uploaded. `lists`
    /// describes the lists of tops and bottoms, as in `kernels.c`.
    fn count_batch(
        &mut self,
        queue: &mut Queue,
        layout: Layout,
        sets: &[ColumnSet],
        lists: &[[u32; 5]],
        stop: &CancelToken,
    ) -> DeviceResult<u128> {
        self.check(stop)?;
        let group = self.device.opencl.group;
        // The number of groups that generate each list.
        let slices = (ITEMS / group / lists.len()).clamp(1, ITEMS_OF_A_LIST / group);
        let numbers = [layout.key, layout.bins() as u32, slices as u32];
        queue.write(Memory::Lists, lists)?;
        queue.reserve(Memory::Counts, 4 * lists.len() * layout.numbers(slices))?;
        queue.reserve(Memory::Spans, size_of::<Span>() * lists.len())?;
        // SAFETY: the lists refer to uploaded quarter-boards, and there is room for the results.
        unsafe {
            queue.launch(TALLY, lists.len() * slices, layout.bin_memory(), &numbers)?;
            queue.launch(SCAN, lists.len(), layout.scan_memory(group), &numbers)?;
        }
        let totals = queue.read(Memory::Spans, lists.len())?;
        self.check(stop)?;
        let spans = one_after_another(&totals, layout.marks).ok_or(Refusal::TooLarge)?;
        let bytes = 4 * spans.last().map_or(0, |list| list[3]) as usize;
        queue.write(Memory::Spans, &spans)?;
        queue.reserve(Memory::Boards, bytes)?;
        queue.reserve(Memory::Keys, bytes)?;
        // SAFETY: there is room for all half-boards that were tallied.
        unsafe { queue.launch(FILE, lists.len() * slices, layout.bin_memory(), &numbers)? };
        let items = items(&spans);
        // The work in lookups. Building the tables takes as long as 10,000 lookups.
        let work = |item: &Item| 1e4 + f64::from(length(spans[item[0] as usize]));
        let sums = self.join(queue, layout, slices, &items, work)?;
        Ok(items
            .iter()
            .zip(sums)
            .map(|(item, sum)| {
                u128::from(sum) * u128::from(sets[item[0] as usize / 2].multiplicity)
            })
            .sum())
    }

    /// Joins each block with the longer list of its pair, and returns the count of each block.
    fn join(
        &mut self,
        queue: &mut Queue,
        layout: Layout,
        slices: usize,
        items: &[Item],
        work: impl Fn(&Item) -> f64,
    ) -> DeviceResult<Vec<u64>> {
        if items.is_empty() {
            return Ok(Vec::new());
        }
        queue.write(Memory::Items, items)?;
        queue.reserve(Memory::Sums, size_of::<u64>() * items.len())?;
        let start = Instant::now();
        let mut first = 0;
        while first < items.len() {
            let some = fitting(items[first..].iter().map(&work), self.pace * LONGEST_LAUNCH);
            let numbers = [
                layout.key,
                layout.chunk,
                layout.bins() as u32,
                slices as u32,
                first as u32,
            ];
            // SAFETY: the items refer to generated half-boards, and there is room for the sums.
            unsafe { queue.launch(join(layout.chunks), some, layout.join_memory(), &numbers)? };
            first += some;
        }
        let sums = queue.read(Memory::Sums, items.len())?;
        self.pace = items.iter().map(&work).sum::<f64>() / start.elapsed().as_secs_f64();
        Ok(sums)
    }
}

impl Drop for Feeder {
    fn drop(&mut self) {
        // The queue must release its memory before the share is returned.
        self.queue = None;
        self.device.opencl.feeders.fetch_sub(1, Ordering::Relaxed);
    }
}

/// Returns the number of leading values whose sum is below `limit`, or 1 if there are none.
fn fitting(values: impl Iterator<Item = f64>, limit: f64) -> usize {
    let mut sum = 0.0;
    values
        .take_while(|value| {
            sum += value;
            sum < limit
        })
        .count()
        .max(1)
}

fn length(list: Span) -> u32 {
    list[3] - list[0]
}

/// Divides the shorter list of each pair into blocks, because putting a half-board into a block
/// costs more than looking one up. All half-boards of a block have the same number of marks.
fn items(lists: &[Span]) -> Vec<Item> {
    let mut items = Vec::new();
    for (first, pair) in (0..).step_by(2).zip(lists.chunks_exact(2)) {
        let longer = u32::from(length(pair[0]) < length(pair[1]));
        let shorter = pair[1 - longer as usize];
        for marks in 0..3 {
            let end = shorter[marks + 1];
            for from in (shorter[marks]..end).step_by(BLOCK) {
                let length = (end - from).min(BLOCK as u32);
                items.push([first + longer, from, length, 3 * longer + marks as u32]);
            }
        }
    }
    items
}

/// Returns the positions of consecutive lists with these totals, or `None` if they are too long.
fn one_after_another(totals: &[[u32; 4]], marks: bool) -> Option<Vec<Span>> {
    let mut end: u32 = 0;
    let mut spans = Vec::new();
    for &[none, one, two, all] in totals {
        // If there are no marks, the kernel does not set `one` and `two`.
        let [one, two] = if marks { [one, two] } else { [all, all] };
        let first = end;
        end = end.checked_add(all).filter(|&end| end <= LONGEST)?;
        spans.push([first + none, first + one, first + two, end]);
    }
    Some(spans)
}
