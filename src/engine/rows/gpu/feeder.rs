//! Feeders: what a thread needs to have a device count its units, in batches of column sets.
//!
//! ```text
//!     permute         moves the diagonals of a unit's quarter-boards to their places
//!     tally, scan     how many half-boards each list of a batch will have in each bin, and where bins begin
//!     file            makes them again, and puts each into its bin
//!     join            looks the tops up in blocks of bottoms, a launch after the other
//! ```
//!
//! No count depends on the clock that is read here: it says how many blocks go into a launch.

#![expect(unsafe_code, reason = "a driver is code that Rust cannot check")]

use std::ops::Range;
use std::time::Instant;

use super::device::Device;
use super::host::{GpuKernel, Memory, Refusal};
use super::layout::{BLOCK, Layout};
use super::quarters::Quarters;
use super::queue::Queue;
use super::shares::Share;
use crate::engine::rows::lists::half::SURVIVORS;
use crate::engine::rows::lists::quarter::QuarterBoards;
use crate::engine::rows::theory::tiling::ColumnSet;
use crate::stop::{Stop, Stopped};

/// What a thread needs to have a device count.
pub struct Feeder {
    // Its memory goes before its share does.
    pub(super) queue: Queue<'static>,
    _share: Share<'static>,
    pub(super) device: &'static Device,
    /// The work that the device has done in a second of its last batch, see [`BottomBlock::work`].
    pace: f64,
}

/// The longest time of a launch, in seconds, about. A GPU that shows a screen does not draw while it counts, and its driver
/// ends what takes seconds.
const LONGEST_LAUNCH: f64 = if cfg!(test) { 5e-3 } else { 0.05 };

/// The pace of the first batch: that of a small GPU.
const FIRST_PACE: f64 = 1e8;

/// The most half-boards that are made at a time, about: enough to keep a large device busy.
const MOST: f64 = if cfg!(test) { 2e4 } else { 3e7 };

/// The bytes that a half-board takes on a device: eight with its key, and that twice, because their number is expected and
/// memory grows by steps.
const BYTES_PER_HALF_BOARD: f64 = 16.0;

/// The most column sets that are worked on at a time.
const SETS: usize = 256;

/// The work-items that a device has to have at least, so that all of its processors are busy.
const ITEMS: usize = 1 << 18;

/// The most work-items that make a list: a warp takes a row set.
const ITEMS_OF_A_LIST: usize = 1 << 12;

/// The most half-boards of a batch. A work-item that looks all of them up, four at a time and in 128 bottoms each, counts
/// up to 2^31 in 32 bits.
const LONGEST: u32 = 1 << 26;

/// A unit, or some column sets of one, with the quarter-boards that its half-boards are made of.
struct FedUnit<'a> {
    sets: &'a [ColumnSet],
    /// The columns of the quarters of each set.
    columns: Vec<[u32; 4]>,
    /// What a pair counts, by the marks of its top and its bottom.
    weights: [[u64; 3]; 3],
    quarters: Quarters,
    layout: Layout,
}

impl Feeder {
    /// A feeder of a device, unless it has failed or has no room for another.
    pub fn new(device: &'static Device) -> Option<Self> {
        let made = device.share().and_then(|share| {
            let Some(share) = share else { return Ok(None) };
            let queue = Queue::new(device.driver()?, share.bytes as usize);
            Ok(Some(Self { queue, _share: share, device, pace: FIRST_PACE }))
        });
        made.unwrap_or_else(|failure| {
            device.fail(failure);
            None
        })
    }

    /// Whether its device has failed.
    pub fn has_failed(&self) -> bool {
        self.device.failure().is_some()
    }

    /// The number of solutions that some column sets stand for, or `None` if they are left to the CPU. `find` finds the
    /// quarter-boards of a quarter on some columns, `columns` has those of each set, by quarter, and `weights` says what a
    /// pair counts, by the marks of its top and its bottom.
    ///
    /// # Errors
    /// [`Stopped`], soon after `stop` has been requested.
    pub fn count(
        &mut self,
        sets: &[ColumnSet],
        columns: impl Fn(ColumnSet) -> [u32; 4],
        weights: [[u64; 3]; 3],
        find: impl FnMut(usize, u32, &mut dyn FnMut(&QuarterBoards<u64>)) -> Result<(), Stopped>,
        stop: &Stop,
    ) -> Result<Option<u128>, Stopped> {
        let columns: Vec<_> = sets.iter().map(|&set| columns(set)).collect();
        let counted = Quarters::collect(&columns, find).and_then(|quarters| {
            let layout = self.layout(&columns, &quarters).ok_or(Refusal::TooLarge)?;
            self.count_somehow(&FedUnit { sets, columns, weights, quarters, layout }, stop)
        });
        match counted {
            Ok(count) => return Ok(Some(count)),
            Err(Refusal::Stopped(stopped)) => return Err(stopped),
            Err(Refusal::TooLarge | Refusal::NoMemory) => self.device.leave(),
            Err(Refusal::Failed(failure)) => self.device.fail(failure),
        }
        Ok(None)
    }

    /// The layout of a unit with these quarter-boards, if it has one, and lists that can be numbered.
    fn layout(&self, columns: &[[u32; 4]], quarters: &Quarters) -> Option<Layout> {
        let lengths = columns.iter().flat_map(|&columns| quarters.pairs(columns));
        let layout = Layout::best(quarters.statistics.open(), quarters.marks, self.device.description.local_memory)?;
        lengths.map(u32::try_from).all(|length| length.is_ok()).then_some(layout)
    }

    /// The count of a unit, with as much memory as the device has.
    fn count_somehow(&mut self, unit: &FedUnit, stop: &Stop) -> Result<u128, Refusal> {
        loop {
            let counted = self.count_unit(unit, stop);
            if matches!(counted, Err(Refusal::TooLarge | Refusal::NoMemory)) {
                // Others have more room without what this unit has left.
                self.queue.clear();
            }
            if !matches!(counted, Err(Refusal::NoMemory)) || !self.queue.halve() {
                return counted;
            }
        }
    }

    /// The groups that make half-boards, unless there are more lists.
    fn groups(&self) -> usize {
        ITEMS / self.device.group
    }

    fn count_unit(&mut self, unit: &FedUnit, stop: &Stop) -> Result<u128, Refusal> {
        self.upload(unit)?;
        let most = self.most_half_boards(unit.layout)?;
        let (mut total, mut first) = (0, 0);
        while first < unit.sets.len() {
            let mut expected = 0.0;
            let mut fits = |&columns: &[u32; 4]| {
                expected += SURVIVORS * unit.quarters.pairs(columns).map(|pairs| pairs as f64).iter().sum::<f64>();
                expected < most
            };
            let some = unit.columns[first..].iter().take(SETS).take_while(|&columns| fits(columns)).count().max(1);
            stop.check()?;
            total += Batch::new(self, unit, first..first + some).count(stop)?;
            first += some;
        }
        Ok(total)
    }

    /// Brings quarter-boards and weights to the device.
    fn upload(&mut self, unit: &FedUnit) -> Result<(), Refusal> {
        let FedUnit { quarters, layout, weights, .. } = unit;
        self.queue.write(Memory::Words, &quarters.words)?;
        self.queue.write(Memory::Starts, &quarters.starts)?;
        self.queue.write(Memory::Permutation, &quarters.statistics.permutation(*layout))?;
        // What a pair counts, by the marks of its bottom and of its top; then the same with the sides exchanged.
        let by_bottom = |bottom: usize| weights.map(|of_top| of_top[bottom]);
        let weights: Vec<u64> = (0..3).map(by_bottom).chain(*weights).flatten().collect();
        self.queue.write(Memory::Weights, &weights)?;
        let words = u32::try_from(quarters.words.len()).map_err(|_| Refusal::TooLarge)?;
        let groups = quarters.words.len().div_ceil(self.device.group);
        // SAFETY: the permutation has 8 * 256 words.
        unsafe { self.queue.launch(GpuKernel::PERMUTE, groups, 0, &[words]) }
    }

    /// The most half-boards that are to be made at a time: what is left has room for them, beside the counts of as many
    /// slices as there will be.
    fn most_half_boards(&mut self, layout: Layout) -> Result<f64, Refusal> {
        self.queue.reserve(Memory::Counts, 4 * (2 * SETS).max(self.groups()) * layout.numbers(1))?;
        let held = [Memory::Boards, Memory::Keys].map(|memory| self.queue.held(memory)).iter().sum::<usize>();
        Ok(((self.queue.left() + held) as f64 / BYTES_PER_HALF_BOARD).min(MOST))
    }
}

/// Some column sets of a unit.
struct Batch<'a> {
    feeder: &'a mut Feeder,
    unit: &'a FedUnit<'a>,
    sets: &'a [ColumnSet],
    /// As kernels read them: of each column set that of the top, then that of the bottom.
    lists: Vec<[u32; 5]>,
    /// The groups that make a list.
    slices: usize,
}

/// Where a list lies among all half-boards: where those with no mark, with one and with two begin, and where the last end.
type Filed = [u32; 4];

/// A block of bottoms, and the list whose tops are looked up in it.
struct BottomBlock {
    /// As kernels read it: the number of the list, where the bottoms begin, how many they are, and which of six groups of
    /// weights applies.
    item: [u32; 4],
    /// How many tops there are.
    tops: u32,
    /// How many solutions one stands for.
    images: u64,
}

impl BottomBlock {
    /// About what it takes, as a multiple of a top: its tables are as much work as some thousand tops.
    fn work(&self) -> f64 {
        1e4 + f64::from(self.tops)
    }
}

impl<'a> Batch<'a> {
    /// Some column sets of a unit whose quarter-boards have been uploaded.
    fn new(feeder: &'a mut Feeder, unit: &'a FedUnit, sets: Range<usize>) -> Self {
        let columns = &unit.columns[sets.clone()];
        let lists: Vec<_> = columns.iter().flat_map(|&columns| unit.quarters.lists(columns)).collect();
        let slices = (feeder.groups() / lists.len()).clamp(1, ITEMS_OF_A_LIST / feeder.device.group);
        Self { feeder, unit, sets: &unit.sets[sets], lists, slices }
    }

    /// The number of solutions that its column sets stand for.
    fn count(mut self, stop: &Stop) -> Result<u128, Refusal> {
        let totals = self.tally()?;
        stop.check()?;
        let lists = self.file(&totals)?;
        let blocks = self.blocks(&lists);
        let sums = self.join(&blocks)?;
        Ok(blocks.iter().zip(sums).map(|(block, sum)| u128::from(sum) * u128::from(block.images)).sum())
    }

    /// Counts the half-boards of each list by bin, and says where bins begin. For each list: where those with one mark
    /// begin, where those with two, and how many there are in all.
    fn tally(&mut self) -> Result<Vec<[u32; 4]>, Refusal> {
        let (layout, count) = (self.unit.layout, self.lists.len());
        self.feeder.queue.write(Memory::Lists, &self.lists)?;
        self.feeder.queue.reserve(Memory::Counts, 4 * count * layout.numbers(self.slices))?;
        self.feeder.queue.reserve(Memory::Totals, 16 * count)?;
        let (numbers, scan_memory) = (self.numbers(), layout.scan_memory(self.feeder.device.group));
        // SAFETY: lists are those of the unit, and counts and totals have room for all of them.
        unsafe {
            self.feeder.queue.launch(GpuKernel::TALLY, count * self.slices, layout.bin_memory(), &numbers)?;
            self.feeder.queue.launch(GpuKernel::SCAN, count, scan_memory, &numbers)?;
        }
        self.feeder.queue.read(Memory::Totals, count)
    }

    /// Makes the half-boards again, and puts each into its bin. Where each list lies.
    fn file(&mut self, totals: &[[u32; 4]]) -> Result<Vec<Filed>, Refusal> {
        let layout = self.unit.layout;
        let lists = one_after_another(totals, layout.marks).ok_or(Refusal::TooLarge)?;
        let offsets: Vec<u32> = lists.iter().map(|list| list[0]).collect();
        let bytes = 4 * lists.last().map_or(0, |list| list[3]) as usize;
        self.feeder.queue.write(Memory::Offsets, &offsets)?;
        self.feeder.queue.reserve(Memory::Boards, bytes)?;
        self.feeder.queue.reserve(Memory::Keys, bytes)?;
        let numbers = self.numbers();
        // SAFETY: boards and keys have room for as many half-boards as have been tallied.
        unsafe {
            self.feeder.queue.launch(GpuKernel::FILE, lists.len() * self.slices, layout.bin_memory(), &numbers)?;
        }
        Ok(lists)
    }

    /// The numbers that the kernels take which make half-boards.
    fn numbers(&self) -> [u32; 3] {
        [self.unit.layout.key, self.unit.layout.bins() as u32, self.slices as u32]
    }

    /// The blocks of all column sets. In a block all bottoms have as many marks.
    fn blocks(&self, lists: &[Filed]) -> Vec<BottomBlock> {
        let mut blocks = Vec::new();
        for (first, (set, pair)) in (0..).step_by(2).zip(self.sets.iter().zip(lists.chunks_exact(2))) {
            // The shorter list goes in blocks: they cost more than lookups.
            let exchanged = length(pair[0]) < length(pair[1]);
            let (tops, bottoms) = if exchanged { (1, pair[0]) } else { (0, pair[1]) };
            for marks in 0..3 {
                let weights = marks as u32 + if exchanged { 3 } else { 0 };
                let (begin, end) = (bottoms[marks], bottoms[marks + 1]);
                for from in (begin..end).step_by(BLOCK) {
                    let item = [first + tops as u32, from, (end - from).min(BLOCK as u32), weights];
                    blocks.push(BottomBlock { item, tops: length(pair[tops]), images: set.images });
                }
            }
        }
        blocks
    }

    /// Looks all tops up in their blocks, as many at a launch as are expected to take no longer than a launch may. What
    /// each block adds.
    fn join(&mut self, blocks: &[BottomBlock]) -> Result<Vec<u64>, Refusal> {
        let (layout, slices) = (self.unit.layout, self.slices as u32);
        let Feeder { queue, pace, .. } = &mut *self.feeder;
        let items: Vec<[u32; 4]> = blocks.iter().map(|block| block.item).collect();
        queue.write(Memory::Items, &items)?;
        queue.reserve(Memory::Sums, size_of::<u64>() * items.len())?;
        let start = Instant::now();
        let mut first = 0;
        while first < blocks.len() {
            let some = at_once(&blocks[first..], *pace * LONGEST_LAUNCH);
            let numbers = [layout.key, layout.chunk, layout.bins() as u32, slices, first as u32];
            // SAFETY: items are blocks of the half-boards that have been filed.
            unsafe { queue.launch(GpuKernel::join(layout.chunks), some, layout.join_memory(), &numbers)? };
            first += some;
        }
        let sums = queue.read(Memory::Sums, blocks.len())?;
        let (work, time) = (blocks.iter().map(BottomBlock::work).sum::<f64>(), start.elapsed().as_secs_f64());
        if work > 0.0 && time > 0.0 {
            *pace = work / time;
        }
        Ok(sums)
    }
}

/// How many blocks, one or more, are less than so much work.
fn at_once(blocks: &[BottomBlock], most: f64) -> usize {
    let mut work = 0.0;
    let mut fits = |block: &&BottomBlock| {
        work += block.work();
        work < most
    };
    blocks.iter().take_while(|block| fits(block)).count().max(1)
}

/// Where lists lie that are kept one after another, by their totals; unless they are too long.
fn one_after_another(totals: &[[u32; 4]], marks: bool) -> Option<Vec<Filed>> {
    let mut end: u32 = 0;
    let filed = |&[none, one, two, all]: &[u32; 4]| {
        // Lists without marks have no bins for them.
        let [one, two] = if marks { [one, two] } else { [all, all] };
        let first = end;
        end = end.checked_add(all).filter(|&end| end <= LONGEST)?;
        Some([first + none, first + one, first + two, end])
    };
    totals.iter().map(filed).collect()
}

fn length(list: Filed) -> u32 {
    list[3] - list[0]
}
