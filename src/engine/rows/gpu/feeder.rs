//! Feeders, which count the solutions of a unit's column sets on a device, in batches.
//!
//! The clock only determines how many blocks a launch joins. No count depends on it.

#![deny(clippy::cast_precision_loss, reason = "counts are exact")]
#![expect(unsafe_code, reason = "launches kernels")]

use std::ops::Range;
use std::sync::atomic::Ordering;
use std::time::Instant;

use super::device::Device;
use super::driver::{DeviceResult, FILE, Memory, PERMUTE, Refusal, SCAN, TALLY, join};
use super::layout::{BLOCK, Layout};
use super::quarters::Quarters;
use super::queue::Queue;
use crate::cancel::{CancelToken, EngineError};
use crate::engine::rows::core_lists::{Context, CoreLists};
use crate::engine::rows::lists::half::SURVIVORS;
use crate::engine::rows::theory::core::{Core, Weights};
use crate::engine::rows::theory::tiling::ColumnSet;

/// Counts units on a device for one thread.
pub(crate) struct Feeder {
    pub(super) device: &'static Device,
    /// Whether the failure of the device is an error, instead of leaving units to the CPU.
    required: bool,
    pub(super) queue: Option<Queue<'static>>,
    /// The device memory that the queue may use, in bytes.
    pub(super) share: usize,
    /// The approximate maximum duration of a launch in seconds.
    pub(super) longest_launch: f64,
    /// The approximate maximum number of half-boards in a batch.
    pub(super) most_half_boards: f64,
    /// The work done per second in the last batch (see [`GpuBlock::work`]).
    pub(super) pace: f64,
}

/// The smallest useful share in bytes: enough for the lists of small boards.
const LEAST_SHARE: usize = 16 << 20;

/// A GPU cannot update its screen during a launch, and some drivers abort kernels that run for
/// several seconds.
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

/// Some column sets of a unit, and their quarter-boards.
struct FedUnit<'a> {
    sets: &'a [ColumnSet],
    weights: Weights,
    quarters: Quarters,
    layout: Layout,
}

/// The position of a list: where its half-boards with 0, 1 and 2 marks start, and where it ends.
type Filed = [u32; 4];

struct GpuBlock {
    /// Describes the block to a `join` kernel.
    item: [u32; 4],
    /// The length of the longer list.
    longer: u32,
    multiplicity: u64,
}

impl GpuBlock {
    /// Estimates the work, in lookups. Building the tables takes as long as 10,000 lookups.
    fn work(&self) -> f64 {
        1e4 + f64::from(self.longer)
    }
}

impl Feeder {
    /// Creates a feeder for a device, unless the device already has enough feeders, or has failed
    /// and is not required.
    ///
    /// # Errors
    /// Fails if the device has failed and is required.
    pub(crate) fn new(
        device: &'static Device,
        required: bool,
    ) -> Result<Option<Self>, EngineError> {
        if let Some(failure) = device.failure() {
            return if required {
                Err(EngineError::Device(failure))
            } else {
                Ok(None)
            };
        }
        Ok(device.take_share().map(|share| Self {
            device,
            required,
            queue: None,
            share,
            longest_launch: LONGEST_LAUNCH,
            most_half_boards: MOST_HALF_BOARDS,
            pace: FIRST_PACE,
        }))
    }

    pub(crate) fn has_failed(&self) -> bool {
        self.device.failure().is_some()
    }

    /// Counts the solutions of some of a core's column sets, or returns `None` if the CPU must count
    /// them. `lists` finds the quarter-boards.
    ///
    /// # Errors
    /// Returns [`EngineError`] soon after a cancellation, or if a required device fails.
    pub(in crate::engine::rows) fn count(
        &mut self,
        context: Context,
        core: &Core,
        sets: &[ColumnSet],
        lists: &mut CoreLists<u64>,
    ) -> Result<Option<u128>, EngineError> {
        let counted = Quarters::collect(context, core, sets, lists).and_then(|quarters| {
            let layout = quarters
                .layout(self.device.description.local_memory)
                .ok_or(Refusal::TooLarge)?;
            let unit = FedUnit {
                sets,
                weights: core.weights,
                quarters,
                layout,
            };
            loop {
                match self.count_unit(&unit, context.stop) {
                    Err(Refusal::Driver(failure))
                        if failure.lacks_memory && self.share / 2 >= LEAST_SHARE =>
                    {
                        // Retry with less memory.
                        self.share /= 2;
                    }
                    counted => return counted,
                }
            }
        });
        match counted {
            Ok(count) => Ok(Some(count)),
            Err(Refusal::EngineError(stopped)) => Err(stopped),
            Err(Refusal::Driver(failure)) if !failure.lacks_memory => {
                self.device.fail(&failure);
                match self.device.failure() {
                    Some(failure) if self.required => Err(EngineError::Device(failure)),
                    _ => Ok(None),
                }
            }
            Err(Refusal::TooLarge | Refusal::Driver(_)) => {
                self.device.units_declined.fetch_add(1, Ordering::Relaxed);
                Ok(None)
            }
        }
    }

    fn count_unit(&mut self, unit: &FedUnit, stop: &CancelToken) -> DeviceResult<u128> {
        // If the unit is not counted, the queue is dropped, so that other feeders can use its
        // memory.
        let mut queue = match self.queue.take() {
            Some(queue) => queue,
            None => Queue::new(self.device.driver()?, self.share)?,
        };
        let FedUnit {
            quarters,
            layout,
            weights,
            ..
        } = unit;
        let words = &quarters.words;
        queue.write(Memory::Words, words)?;
        queue.write(Memory::Starts, &quarters.starts)?;
        let permutation = quarters.statistics.permutation(*layout);
        queue.write(Memory::Permutation, &permutation)?;
        // The weights are stored twice: once as `[bottom][top]` and once as `[top][bottom]`.
        let weights: Vec<u64> = (0..3)
            .map(|bottom| weights.map(|of_top| of_top[bottom]))
            .chain(*weights)
            .flatten()
            .collect();
        queue.write(Memory::Weights, &weights)?;
        let groups = words.len().div_ceil(self.device.group);
        let count = u32::try_from(words.len()).map_err(|_| Refusal::TooLarge)?;
        // SAFETY: the buffers contain `count` words and a permutation.
        unsafe { queue.launch(PERMUTE, groups, 0, &[count])? };
        // Reserve memory for the maximum number of slices. The rest is for half-boards.
        let most_lists = (2 * SETS).max(ITEMS / self.device.group);
        queue.reserve(Memory::Counts, 4 * most_lists * layout.numbers(1))?;
        let room = queue.left() + queue.held(Memory::Boards) + queue.held(Memory::Keys);
        #[expect(clippy::cast_precision_loss, reason = "an estimate")]
        let room_left = (room as f64 / BYTES_PER_HALF_BOARD).min(self.most_half_boards);
        let mut total = 0;
        let mut first = 0;
        while first < unit.sets.len() {
            #[expect(clippy::cast_precision_loss, reason = "an estimate")]
            let half_boards = quarters.pairs[first..]
                .iter()
                .map(|pairs| SURVIVORS * (pairs[0] + pairs[1]) as f64);
            let some = fitting(half_boards.take(SETS), room_left);
            stop.check()?;
            total += self.count_batch(&mut queue, unit, first..first + some, stop)?;
            first += some;
        }
        self.queue = Some(queue);
        Ok(total)
    }

    /// Counts the solutions of some column sets whose quarter-boards have been uploaded.
    fn count_batch(
        &mut self,
        queue: &mut Queue,
        unit: &FedUnit,
        sets: Range<usize>,
        stop: &CancelToken,
    ) -> DeviceResult<u128> {
        let layout = unit.layout;
        let group = self.device.group;
        let lists = unit.quarters.lists[sets.clone()].as_flattened();
        // The number of groups that generate each list.
        let slices = (ITEMS / group / lists.len()).clamp(1, ITEMS_OF_A_LIST / group);
        let numbers = [layout.key, layout.bins() as u32, slices as u32];
        queue.write(Memory::Lists, lists)?;
        queue.reserve(Memory::Counts, 4 * lists.len() * layout.numbers(slices))?;
        queue.reserve(Memory::Totals, size_of::<Filed>() * lists.len())?;
        // SAFETY: the lists refer to uploaded quarter-boards, and there is room for the results.
        unsafe {
            queue.launch(TALLY, lists.len() * slices, layout.bin_memory(), &numbers)?;
            queue.launch(SCAN, lists.len(), layout.scan_memory(group), &numbers)?;
        }
        let totals = queue.read(Memory::Totals, lists.len())?;
        stop.check()?;
        let filed = one_after_another(&totals, layout.marks).ok_or(Refusal::TooLarge)?;
        let offsets: Vec<u32> = filed.iter().map(|list| list[0]).collect();
        let bytes = 4 * filed.last().map_or(0, |list| list[3]) as usize;
        queue.write(Memory::Offsets, &offsets)?;
        queue.reserve(Memory::Boards, bytes)?;
        queue.reserve(Memory::Keys, bytes)?;
        // SAFETY: there is room for all half-boards that were tallied.
        unsafe { queue.launch(FILE, lists.len() * slices, layout.bin_memory(), &numbers)? };
        let blocks = blocks(&unit.sets[sets], &filed);
        let sums = self.join(queue, layout, slices, &blocks)?;
        Ok(blocks
            .iter()
            .zip(sums)
            .map(|(block, sum)| u128::from(sum) * u128::from(block.multiplicity))
            .sum())
    }

    /// Joins each block with the longer list of its pair, and returns the count of each block.
    fn join(
        &mut self,
        queue: &mut Queue,
        layout: Layout,
        slices: usize,
        blocks: &[GpuBlock],
    ) -> DeviceResult<Vec<u64>> {
        let items: Vec<[u32; 4]> = blocks.iter().map(|block| block.item).collect();
        queue.write(Memory::Items, &items)?;
        queue.reserve(Memory::Sums, size_of::<u64>() * items.len())?;
        let kernel = join(layout.chunks);
        let all: f64 = blocks.iter().map(GpuBlock::work).sum();
        let start = Instant::now();
        let mut first = 0;
        while first < blocks.len() {
            let work = blocks[first..].iter().map(GpuBlock::work);
            let some = fitting(work, self.pace * self.longest_launch);
            let numbers = [
                layout.key,
                layout.chunk,
                layout.bins() as u32,
                slices as u32,
                first as u32,
            ];
            // SAFETY: the items refer to generated half-boards, and there is room for the sums.
            unsafe { queue.launch(kernel, some, layout.join_memory(), &numbers)? };
            first += some;
        }
        let sums = queue.read(Memory::Sums, blocks.len())?;
        let time = start.elapsed().as_secs_f64();
        if all > 0.0 && time > 0.0 {
            self.pace = all / time;
        }
        Ok(sums)
    }
}

impl Drop for Feeder {
    fn drop(&mut self) {
        // The queue must release its memory before the share is returned.
        self.queue = None;
        self.device.return_share();
    }
}

/// Returns the number of leading values whose sum is below `most`, or 1 if there are none.
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

fn length(list: Filed) -> u32 {
    list[3] - list[0]
}

/// Divides the shorter list of each pair into blocks, because putting a half-board into a block
/// costs more than looking one up. All half-boards of a block have the same number of marks.
fn blocks(sets: &[ColumnSet], lists: &[Filed]) -> Vec<GpuBlock> {
    let mut blocks = Vec::new();
    for (first, (set, pair)) in (0..).step_by(2).zip(sets.iter().zip(lists.chunks_exact(2))) {
        let longer = usize::from(length(pair[0]) < length(pair[1]));
        let shorter = pair[1 - longer];
        for marks in 0..3 {
            let end = shorter[marks + 1];
            for from in (shorter[marks]..end).step_by(BLOCK) {
                blocks.push(GpuBlock {
                    item: [
                        first + longer as u32,
                        from,
                        (end - from).min(BLOCK as u32),
                        (3 * longer + marks) as u32,
                    ],
                    longer: length(pair[longer]),
                    multiplicity: set.multiplicity,
                });
            }
        }
    }
    blocks
}

/// Returns the positions of consecutive lists with these totals, or `None` if they are too long.
fn one_after_another(totals: &[[u32; 4]], marks: bool) -> Option<Vec<Filed>> {
    let mut end: u32 = 0;
    let mut filed = Vec::new();
    for &[none, one, two, all] in totals {
        // If there are no marks, the kernel does not set `one` and `two`.
        let [one, two] = if marks { [one, two] } else { [all, all] };
        let first = end;
        end = end.checked_add(all).filter(|&end| end <= LONGEST)?;
        filed.push([first + none, first + one, first + two, end]);
    }
    Some(filed)
}
