//! A batch: the half-boards of some column sets of a unit, made and joined at a time.
//!
//! ```text
//!     tally, scan     how many half-boards each list will have in each bin, and where bins begin
//!     file            makes them again, and puts each into its bin
//!     join            looks the tops up in blocks of bottoms, a launch after the other
//! ```

#![expect(unsafe_code, reason = "a driver is code that Rust cannot check")]

use std::ops::Range;

use super::device::Device;
use super::host::{GpuKernel, Memory, Refusal};
use super::layout::Layout;
use super::model::{self, Density, LONGEST_LAUNCH};
use super::quarters::Quarters;
use super::queue::Queue;
use crate::engine::rows::theory::tiling::ColumnSet;
use crate::stop::Stop;

/// The most work-items that make a list: a warp takes a row set.
const ITEMS_OF_A_LIST: usize = 1 << 12;

/// The most half-boards of a batch. A work-item that looks all of them up, four at a time and in 128 bottoms each, counts
/// up to 2^31 in 32 bits.
const LONGEST: u32 = 1 << 26;

/// A unit, or some column sets of one, with the quarter-boards that its half-boards are made of.
pub struct FedUnit<'a> {
    pub sets: &'a [ColumnSet],
    /// The columns of the quarters of each set.
    pub columns: Vec<[u32; 4]>,
    /// What a pair counts, by the marks of its top and its bottom.
    pub weights: [[u64; 3]; 3],
    pub quarters: Quarters,
    pub layout: Layout,
}

/// Some column sets of a unit.
pub struct Batch<'a> {
    queue: &'a mut Queue<'static>,
    device: &'static Device,
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

impl<'a> Batch<'a> {
    /// Some column sets of a unit whose quarter-boards have been uploaded by this queue. As many groups keep the device
    /// busy.
    pub fn new(
        queue: &'a mut Queue<'static>,
        device: &'static Device,
        groups: usize,
        unit: &'a FedUnit,
        sets: Range<usize>,
    ) -> Self {
        let columns = &unit.columns[sets.clone()];
        let lists: Vec<_> = columns.iter().flat_map(|&columns| unit.quarters.lists(columns)).collect();
        let slices = (groups / lists.len()).clamp(1, ITEMS_OF_A_LIST / device.group());
        Self { queue, device, unit, sets: &unit.sets[sets], lists, slices }
    }

    /// The number of solutions that its column sets stand for. `density` says what blocks have taken before, if there were
    /// any, and then what they have taken here.
    pub fn count(mut self, density: &mut Option<Density>, stop: &Stop) -> Result<u128, Refusal> {
        let totals = self.tally()?;
        stop.check()?;
        let lists = self.file(&totals)?;
        let blocks = self.blocks(&lists);
        self.join(&blocks, density.unwrap_or(Density::most(self.unit.layout)))?;
        let sums: Vec<[u64; 2]> = self.queue.read(Memory::Sums, blocks.len())?;
        let half_boards = lists.iter().map(|&list| u64::from(length(list))).sum();
        let took: Vec<u64> = sums.iter().map(|&[_, took]| took).collect();
        let work = model::work(self.unit.layout, half_boards, &took, self.device.clocks_per_second());
        self.device.add(&work);
        *density = Density::of(&work, blocks.iter().map(|block| u64::from(block.tops)).sum()).or(*density);
        Ok(blocks.iter().zip(sums).map(|(block, [sum, _])| u128::from(sum) * u128::from(block.images)).sum())
    }

    /// Counts the half-boards of each list by bin, and says where bins begin. For each list: where those with one mark
    /// begin, where those with two, and how many there are in all.
    fn tally(&mut self) -> Result<Vec<[u32; 4]>, Refusal> {
        let (layout, count) = (self.unit.layout, self.lists.len());
        self.queue.write(Memory::Lists, &self.lists)?;
        self.queue.reserve(Memory::Counts, 4 * count * layout.numbers(self.slices))?;
        self.queue.reserve(Memory::Totals, 16 * count)?;
        let (numbers, scan_memory) = (self.numbers(), layout.scan_memory(self.device.group()));
        // SAFETY: lists are those of the unit, and counts and totals have room for all of them.
        unsafe {
            self.queue.launch(GpuKernel::Tally, count * self.slices, layout.bin_memory(), &numbers)?;
            self.queue.launch(GpuKernel::Scan, count, scan_memory, &numbers)?;
        }
        self.queue.read(Memory::Totals, count)
    }

    /// Makes the half-boards again, and puts each into its bin. Where each list lies.
    fn file(&mut self, totals: &[[u32; 4]]) -> Result<Vec<Filed>, Refusal> {
        let layout = self.unit.layout;
        let lists = one_after_another(totals, layout.marks).ok_or(Refusal::TooLarge)?;
        let offsets: Vec<u32> = lists.iter().map(|list| list[0]).collect();
        let bytes = 4 * lists.last().map_or(0, |list| list[3]) as usize;
        self.queue.write(Memory::Offsets, &offsets)?;
        self.queue.reserve(Memory::Boards, bytes)?;
        self.queue.reserve(Memory::Keys, bytes)?;
        let numbers = self.numbers();
        // SAFETY: boards and keys have room for as many half-boards as have been tallied.
        unsafe {
            self.queue.launch(GpuKernel::File, lists.len() * self.slices, layout.bin_memory(), &numbers)?;
        }
        Ok(lists)
    }

    /// The numbers that the kernels take which make half-boards.
    fn numbers(&self) -> [u32; 3] {
        [self.unit.layout.key, self.unit.layout.bins() as u32, self.slices as u32]
    }

    /// The blocks of all column sets. In a block all bottoms have as many marks.
    fn blocks(&self, lists: &[Filed]) -> Vec<BottomBlock> {
        let (mut blocks, most) = (Vec::new(), self.unit.layout.block());
        for (first, (set, pair)) in (0..).step_by(2).zip(self.sets.iter().zip(lists.chunks_exact(2))) {
            // The shorter list goes in blocks: they cost more than lookups.
            let exchanged = length(pair[0]) < length(pair[1]);
            let (tops, bottoms) = if exchanged { (1, pair[0]) } else { (0, pair[1]) };
            for marks in 0..3 {
                let weights = marks as u32 + if exchanged { 3 } else { 0 };
                let (begin, end) = (bottoms[marks], bottoms[marks + 1]);
                for from in (begin..end).step_by(most) {
                    let item = [first + tops as u32, from, (end - from).min(most as u32), weights];
                    blocks.push(BottomBlock { item, tops: length(pair[tops]), images: set.images });
                }
            }
        }
        blocks
    }

    /// Looks all tops up in their blocks, as many at a launch as are expected to take no longer than a launch may.
    fn join(&mut self, blocks: &[BottomBlock], density: Density) -> Result<(), Refusal> {
        let layout = self.unit.layout;
        let items: Vec<[u32; 4]> = blocks.iter().map(|block| block.item).collect();
        self.queue.write(Memory::Items, &items)?;
        self.queue.reserve(Memory::Sums, size_of::<[u64; 2]>() * items.len())?;
        let most = LONGEST_LAUNCH * self.device.clocks_per_second();
        let mut first = 0;
        while first < blocks.len() {
            let mut clocks = 0.0;
            let mut fits = |block: &BottomBlock| {
                clocks += density.clocks(layout, block.tops);
                clocks < most
            };
            let some = blocks[first..].iter().take_while(|block| fits(block)).count().max(1);
            let numbers = [layout.key, layout.chunk, layout.bins() as u32, self.slices as u32, first as u32];
            // SAFETY: items are blocks of the half-boards that have been filed.
            unsafe {
                self.queue.launch(GpuKernel::Join(layout.tables), some, layout.join_memory(), &numbers)?;
            }
            first += some;
        }
        Ok(())
    }
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
