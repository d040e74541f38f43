//! Units counted on a GPU: the same lists and the same pairs as on a CPU, by other loops.
//!
//! A CPU thread finds quarter-boards and feeds the device with them. All else happens there, for many column sets at
//! once: half-boards are made, sorted by key, and joined block by block. Threads have queues of their own, so that the
//! device works for one while others prepare.
//!
//! - `kernels.c` is what runs on the device, `host` what kernels and hosts agree on. Hosts are `cuda`, for NVIDIA's GPUs,
//!   and `opencl`, for all others. Without the feature `gpu` there are none, and so there are no devices.
//! - `device` says what there is, `queue` what a feeder may have it do, `quarters` has what it is fed with.
//! - `layout` chooses the key, and the tables that fit a device.

#[cfg(feature = "gpu")]
mod cuda;
mod device;
mod host;
mod layout;
#[cfg(feature = "gpu")]
mod opencl;
mod quarters;
mod queue;

pub use self::device::Device;
use self::device::Place;
pub use self::host::Refusal;
use self::host::{Argument, Kernel, Memory};
use self::layout::{Shape, Tables};
use self::quarters::Quarters;
use self::queue::Queue;
use super::lists::quarter::QuarterBoards;
use super::theory::tiling::ColumnSet;
use crate::stop::{Stop, Stopped};

/// What a thread needs to have a device count.
pub struct Feeder {
    // Its memory goes before its place does.
    queue: Queue<'static>,
    place: Place,
    /// The bytes that a group of work-items may share.
    local: u64,
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

/// The most work-items that make a list: a warp takes a row set.
const ITEMS_OF_A_LIST: usize = 1 << 12;

/// The most pairs of half-boards of a launch, those included that need not be looked up, about nine tenths. A GPU that
/// shows a screen does not draw while it counts, and its driver ends what takes seconds. The smallest of today, with 200
/// lanes at 1 GHz, look up some 10^12 pairs a second, so this takes them 100 ms. On the largest it is a millisecond,
/// beside some microseconds for a launch.
const PAIRS: u64 = if cfg!(test) { 1 << 20 } else { 1 << 40 };

impl Feeder {
    /// A feeder of a device, unless it has failed or has no room for another.
    pub fn new(device: &'static Device) -> Option<Self> {
        if device.failure().is_some() {
            return None;
        }
        let place = device.place()?;
        let commands = device.driver.commands().map_err(|failure| device.fail(failure)).ok()?;
        Some(Self { queue: Queue::new(commands, place.share as usize), place, local: device.local_memory() })
    }

    /// The number of solutions that some column sets stand for. `find` finds the quarter-boards of a quarter on some
    /// columns, `columns` has those of each set, in the order of [`Quarter::ALL`](super::theory::core::Quarter::ALL), and
    /// `weights` says what a pair counts, by the marks of its top and its bottom.
    pub fn count(
        &mut self,
        sets: &[ColumnSet],
        columns: impl Fn(ColumnSet) -> [u32; 4],
        weights: [[u64; 3]; 3],
        find: impl FnMut(usize, u32, &mut dyn FnMut(&QuarterBoards<u64>)) -> Result<(), Stopped>,
        stop: &Stop,
    ) -> Result<u128, Refusal> {
        let columns: Vec<[u32; 4]> = sets.iter().map(|&set| columns(set)).collect();
        let quarters = Quarters::collect(&columns, find)?;
        let Some(shape) = Shape::best(quarters.statistics.open(), quarters.marks, self.local) else {
            return Err(Refusal::TooLarge);
        };
        let counted = self.count_quarters(sets, &columns, weights, &quarters, shape, stop);
        let counted = counted.map_err(|refusal| match refusal {
            // Other units have more room without what this one has left.
            Refusal::TooLarge => self.queue.clear().map_or_else(Refusal::Failed, |()| Refusal::TooLarge),
            refusal => refusal,
        });
        counted.inspect_err(|refusal| {
            if let Refusal::Failed(failure) = refusal {
                self.place.device.fail(failure.clone());
            }
        })
    }

    /// The groups that make half-boards, unless there are more lists.
    fn groups(&self) -> usize {
        ITEMS / self.size()
    }

    /// The work-items of a group.
    fn size(&self) -> usize {
        self.place.device.driver.size()
    }

    fn count_quarters(
        &mut self,
        sets: &[ColumnSet],
        columns: &[[u32; 4]],
        weights: [[u64; 3]; 3],
        quarters: &Quarters,
        shape: Shape,
        stop: &Stop,
    ) -> Result<u128, Refusal> {
        let words = quarters.words.len();
        self.queue.write(Memory::Words, &quarters.words)?;
        self.queue.write(Memory::Starts, &quarters.starts)?;
        self.queue.write(Memory::Permutation, &quarters.statistics.permutation(shape))?;
        // What a pair counts, by the marks of its bottom and of its top; then the same with the sides exchanged.
        let by_bottom = |bottom: usize| weights.map(|of_top| of_top[bottom]);
        let weights: Vec<u64> = (0..3).map(by_bottom).chain(weights).flatten().collect();
        self.queue.write(Memory::Weights, &weights)?;
        let arguments =
            [Argument::Number(words as u32), Argument::Memory(Memory::Permutation), Argument::Memory(Memory::Words)];
        // SAFETY: the permutation has 8 * 256 words.
        #[expect(unsafe_code, reason = "a driver is code that Rust cannot check")]
        unsafe {
            self.queue.launch(Kernel::Permute, words.div_ceil(self.size()), 0, &arguments)?;
        }
        // Half-boards get what is left beside the counts of as many slices as there will be.
        self.queue.reserve(Memory::Counts, 4 * (2 * SETS).max(self.groups()) * (shape.bins() + 1))?;
        let held = [Memory::Boards, Memory::Keys].map(|memory| self.queue.held(memory)).iter().sum::<usize>();
        let most = ((self.queue.left() + held) as f64 / BYTES_PER_HALF_BOARD).min(MOST);
        let (mut total, mut first) = (0, 0);
        while first < sets.len() {
            let mut expected = 0.0;
            let mut fits = |columns: &[u32; 4]| {
                expected += quarters.half_boards(columns);
                expected < most
            };
            let some = columns[first..].iter().take(SETS).take_while(|&columns| fits(columns)).count().max(1);
            stop.check()?;
            total += self.join(&sets[first..first + some], &columns[first..first + some], quarters, shape, stop)?;
            first += some;
        }
        Ok(total)
    }

    /// Makes and joins the half-boards of some column sets.
    fn join(
        &mut self,
        sets: &[ColumnSet],
        columns: &[[u32; 4]],
        quarters: &Quarters,
        shape: Shape,
        stop: &Stop,
    ) -> Result<u128, Refusal> {
        let lists: Vec<[u32; 5]> = columns.iter().flat_map(|&columns| quarters.lists(columns)).collect();
        let (bins, count) = (shape.bins(), lists.len());
        let slices = (self.groups() / count).clamp(1, ITEMS_OF_A_LIST / self.size());
        self.queue.write(Memory::Lists, &lists)?;
        self.queue.reserve(Memory::Counts, 4 * count * (bins * slices + 1))?;
        self.queue.reserve(Memory::Totals, 16 * count)?;
        let numbers = [shape.key, bins as u32, slices as u32].map(Argument::Number);
        let made_of = [Memory::Lists, Memory::Starts, Memory::Words].map(Argument::Memory);
        let [counts, totals, offsets] = [Memory::Counts, Memory::Totals, Memory::Offsets].map(Argument::Memory);
        let arguments = |more: &[&[Argument]]| [&[&numbers[..]], more].concat().concat();
        // SAFETY: lists are those of `quarters`, and counts and totals have room for all of them.
        #[expect(unsafe_code, reason = "a driver is code that Rust cannot check")]
        unsafe {
            self.queue.launch(Kernel::Tally, count * slices, shape.bin_memory(), &arguments(&[&made_of, &[counts]]))?;
            self.queue.launch(Kernel::Scan, count, 4 * self.size(), &arguments(&[&[counts, totals]]))?;
        }
        let mut totals: Vec<[u32; 4]> = self.queue.read(Memory::Totals, count)?;
        stop.check()?;
        let mut starts = vec![0];
        for totals in &mut totals {
            if !shape.marks {
                (totals[1], totals[2]) = (totals[3], totals[3]);
            }
            starts.push(starts[starts.len() - 1] + totals[3]);
        }
        let half_boards = 4 * starts[count] as usize;
        self.queue.write(Memory::Offsets, &starts)?;
        self.queue.reserve(Memory::Boards, half_boards)?;
        self.queue.reserve(Memory::Keys, half_boards)?;
        let [boards, keys] = [Memory::Boards, Memory::Keys].map(Argument::Memory);
        // SAFETY: boards and keys have room for as many half-boards as have been tallied.
        #[expect(unsafe_code, reason = "a driver is code that Rust cannot check")]
        unsafe {
            let arguments = arguments(&[&made_of, &[counts, offsets, boards, keys]]);
            self.queue.launch(Kernel::File, count * slices, shape.bin_memory(), &arguments)?;
        }
        let tables = Tables::ALL[shape.tables];
        let (mut items, mut images) = (Vec::new(), Vec::new());
        for (set, of) in sets.iter().enumerate() {
            let [top, bottom] = [2 * set, 2 * set + 1];
            // The shorter list goes in blocks: they cost more than lookups.
            let exchanged = totals[top][3] < totals[bottom][3];
            let [tops, bottoms] = if exchanged { [bottom, top] } else { [top, bottom] };
            for marks in 0..3 {
                let [first, end] = [marks, marks + 1].map(|marks| starts[bottoms] + totals[bottoms][marks]);
                for from in (first..end).step_by(tables.block()) {
                    let length = (end - from).min(tables.block() as u32);
                    items.push([tops as u32, from, length, marks as u32 + if exchanged { 3 } else { 0 }]);
                    images.push(of.images);
                }
            }
        }
        self.queue.write(Memory::Items, &items)?;
        self.queue.reserve(Memory::Sums, 8 * items.len())?;
        let numbers = [shape.key, shape.chunk, bins as u32, slices as u32].map(Argument::Number);
        let [items_argument, weights, sums] = [Memory::Items, Memory::Weights, Memory::Sums].map(Argument::Memory);
        let mut first = 0;
        while first < items.len() {
            let mut pairs = 0;
            let mut fits = |[tops, _, length, _]: &[u32; 4]| {
                pairs += u64::from(totals[*tops as usize][3]) * u64::from(*length);
                pairs < PAIRS
            };
            let some = items[first..].iter().take_while(|&item| fits(item)).count().max(1);
            let of_items = [Argument::Number(first as u32), items_argument];
            let of_lists = [weights, offsets, counts, boards, keys, sums];
            let arguments = [&numbers[..], &of_items, &of_lists].concat();
            // SAFETY: items are blocks of the half-boards that have been filed.
            #[expect(unsafe_code, reason = "a driver is code that Rust cannot check")]
            unsafe {
                self.queue.launch(Kernel::Join(shape.tables), some, shape.join_memory(), &arguments)?;
            }
            first += some;
        }
        let sums: Vec<u64> = self.queue.read(Memory::Sums, items.len())?;
        Ok(sums.into_iter().zip(images).map(|(sum, images)| u128::from(sum) * u128::from(images)).sum())
    }
}

#[cfg(all(test, feature = "gpu"))]
mod tests {
    use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError};

    use super::super::lists::places::Places;
    use super::super::lists::quarter::{Finder, row_set_numbers};
    use super::super::theory::core::Quarter;
    use super::super::theory::numbering::Numbering;
    use super::host::{Driver, SIZES};
    use super::*;
    use crate::random::Random;

    /// The memories of groups that devices have: of small ones, most, and the largest. And of the one that is here.
    const GROUP_MEMORIES: [u64; 4] = [32 << 10, 48 << 10, 227 << 10, u64::MAX];

    /// Feeders of all devices, with all sizes and memories of groups that they can have.
    fn feeders() -> MutexGuard<'static, Vec<Feeder>> {
        static FEEDERS: OnceLock<Mutex<Vec<Feeder>>> = OnceLock::new();
        let with = |(driver, local): (Box<dyn Driver>, u64)| {
            let device: &Device = Box::leak(Box::new(Device::new(0, driver)));
            let local = local.min(device.local_memory());
            Feeder { local, ..Feeder::new(device).unwrap_or_else(|| panic!("{:?}", device.failure())) }
        };
        let all = || {
            let drivers = || {
                let of_all = cuda::devices().into_iter().map(|driver| Box::new(driver) as Box<dyn Driver>);
                let of_size = |size| opencl::devices(&[size]).into_iter().map(|driver| Box::new(driver) as _);
                of_all.chain(SIZES.into_iter().flat_map(of_size))
            };
            GROUP_MEMORIES
                .into_iter()
                .flat_map(|local| drivers().map(move |driver| (driver, local)))
                .map(with)
                .collect()
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
            let count = feeder.count(&[set], |_| [0; 4], WEIGHTS, find, &Stop::new());
            let count =
                count.unwrap_or_else(|_| panic!("{:?} of {:?}", feeder.place.device.failure(), feeder.place.device));
            let [tops, bottoms] = lists.map(|list| list.each_ref().map(Vec::len));
            let (size, local) = (feeder.size(), feeder.local);
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
            let commands = feeder.place.device.driver.commands().unwrap();
            let queue = std::mem::replace(&mut feeder.queue, Queue::new(commands, 24 << 20));
            let mut count = |words: usize| {
                let find = |_: usize, _: u32, found: &mut dyn FnMut(&QuarterBoards<u64>)| {
                    found(&QuarterBoards::of(&[vec![0; words], vec![]]));
                    Ok(())
                };
                feeder.count(&[ColumnSet { a: 0, d: 0, images: 1 }], |_| [0; 4], WEIGHTS, find, &Stop::new())
            };
            for _ in 0..2 {
                assert!(matches!(count(1 << 20), Err(Refusal::TooLarge)));
                assert!(matches!(count(8), Ok(4096)));
            }
            feeder.queue = queue;
        }
    }

    #[test]
    fn large_boards_have_tables_on_common_devices() {
        for n in 18..=32 {
            let numbering = Numbering::new(n, super::super::Rows::middle_rows(n), 16);
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
                found(&finder.find(&core, &places, &row_sets, Quarter::ALL[quarter], columns, &Stop::new()));
                Ok(())
            });
            let quarters = quarters.unwrap();
            let open = quarters.statistics.open();
            for local in if n <= 30 { &GROUP_MEMORIES[..] } else { &GROUP_MEMORIES[2..] } {
                let shape = Shape::best(open, quarters.marks, *local);
                assert!(shape.is_some(), "N = {n}: {open} diagonals in {local} bytes, marks: {}", quarters.marks);
            }
        }
    }
}
