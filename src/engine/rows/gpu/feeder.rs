//! Feeders: what a thread needs to have a device count its units.

use super::batch::{Batch, FedUnit};
use super::device::Device;
use super::host::{GpuKernel, Memory, Refusal};
use super::layout::Layout;
use super::model::Density;
use super::quarters::Quarters;
use super::queue::Queue;
use super::shares::Share;
use super::work::DeviceWork;
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
    /// What blocks have taken so far.
    density: Option<Density>,
}

/// The most half-boards that are made at a time, about: enough to keep a large device busy.
const MOST: f64 = if cfg!(test) { 2e4 } else { 3e7 };

/// The bytes that a half-board takes on a device: eight with its key, and that twice, because their number is expected and
/// memory grows by steps.
const BYTES_PER_HALF_BOARD: f64 = 16.0;

/// The most column sets that are worked on at a time.
const SETS: usize = 256;

/// The work-items that a device has to have at least, so that all of its processors are busy.
const ITEMS: usize = 1 << 18;

impl Feeder {
    /// A feeder of a device, unless it has failed or has no room for another.
    pub fn new(device: &'static Device) -> Option<Self> {
        let made = device.share().and_then(|share| {
            let Some(share) = share else { return Ok(None) };
            let queue = Queue::new(device.driver()?.commands()?, share.bytes as usize);
            Ok(Some(Self { queue, _share: share, device, density: None }))
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
    /// quarter-boards of a quarter on some columns, `columns` has those of each set, in the order of
    /// [`Quarter::ALL`](crate::engine::rows::theory::core::Quarter::ALL), and `weights` says what a pair counts, by the marks of
    /// its top and its bottom.
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
            Err(Refusal::TooLarge | Refusal::NoMemory) => {
                self.device.add(&DeviceWork { left: 1, ..DeviceWork::default() })
            }
            Err(Refusal::Failed(failure)) => self.device.fail(failure),
        }
        Ok(None)
    }

    /// The layout of a unit with these quarter-boards, if it has one, and lists that can be numbered.
    fn layout(&self, columns: &[[u32; 4]], quarters: &Quarters) -> Option<Layout> {
        let lengths = columns.iter().flat_map(|&columns| quarters.pairs(columns));
        let layout = Layout::best(quarters.statistics.open(), quarters.marks, self.device.local_memory())?;
        lengths.map(u32::try_from).all(|length| length.is_ok()).then_some(layout)
    }

    /// The count of a unit, with as much memory as the device has.
    fn count_somehow(&mut self, unit: &FedUnit, stop: &Stop) -> Result<u128, Refusal> {
        loop {
            let refusal = match self.count_unit(unit, stop) {
                Err(refusal @ (Refusal::TooLarge | Refusal::NoMemory)) => refusal,
                counted => return counted,
            };
            // Others have more room without what this unit has left.
            self.queue.clear()?;
            if !matches!(refusal, Refusal::NoMemory) || !self.queue.halve() {
                return Err(refusal);
            }
        }
    }

    /// The groups that make half-boards, unless there are more lists.
    fn groups(&self) -> usize {
        ITEMS / self.device.group()
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
            let groups = self.groups();
            let batch = Batch::new(&mut self.queue, self.device, groups, unit, first..first + some);
            total += batch.count(&mut self.density, stop)?;
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
        let groups = quarters.words.len().div_ceil(self.device.group());
        // SAFETY: the permutation has 8 * 256 words.
        #[expect(unsafe_code, reason = "a driver is code that Rust cannot check")]
        unsafe {
            self.queue.launch(GpuKernel::Permute, groups, 0, &[words])
        }
    }

    /// The most half-boards that are to be made at a time: what is left has room for them, beside the counts of as many
    /// slices as there will be.
    fn most_half_boards(&mut self, layout: Layout) -> Result<f64, Refusal> {
        self.queue.reserve(Memory::Counts, 4 * (2 * SETS).max(self.groups()) * layout.numbers(1))?;
        let held = [Memory::Boards, Memory::Keys].map(|memory| self.queue.held(memory)).iter().sum::<usize>();
        Ok(((self.queue.left() + held) as f64 / BYTES_PER_HALF_BOARD).min(MOST))
    }
}
