//! The engine of middle rows: counts pairs of half-boards, 512 at a time, beside the queens of the middle rows.
//!
//! Backtracking visits some 80 nodes for every solution. This engine visits none. It places the queens of some middle
//! rows first, makes lists of what can stand above them and below, and counts the pairs that fit. There are far more
//! pairs than solutions, but most need not be looked at, and the others take a fraction of a bit operation each. Its
//! plain form is [`crate::plain::middle_rows`].
//!
//! A row that is placed first divides the pairs by 2.5, shortens both lists to a quarter, and closes diagonals. So the
//! number of middle rows is chosen for the board ([`Rows::middle_rows`]), and a solution costs about the same for every
//! large N.
//!
//! # The reader's map
//!
//! [Why the number is right](#why-the-number-is-right) is told below, once, and `theory` is its numbers. All other
//! rooms are there for speed:
//!
//! ```text
//!     theory     cores, weights, units
//!     vector     what an instruction set has to offer, and what an inner loop is
//!     kernel     compiles inner loops for what the processor offers
//!     lists      half-boards, made of quarter-boards
//!     join       counts the disjoint pairs of two lists, sorted by the diagonals that both occupy most
//!     gpu        makes and joins lists on a GPU
//!     core_lists lists and joins of a core, one column set after another
//!     worker     what a thread keeps from one unit to the next
//!     rows       the engine: the plan, and who counts what
//! ```
//!
//! Each of them uses only rooms above it in this drawing. None knows the engine in `backtrack`.
//!
//! # From plain to fast
//!
//! | step | where | what it saves |
//! |---|---|---|
//! | middle rows first | `theory` | at N = 24 pairs of half-boards: 1400 for a solution instead of 9500 |
//! | order 8 by closed squares | `theory` | at N = 24 0.57 of these pairs, and 0.78 of the half-boards |
//! | half-boards out of quarter-boards | `lists` | a search for each column set |
//! | pairs 512 at a time, in blocks | `join` | a word of 512 bits is worked on as one |
//! | both lists sorted by key | `join` | nine tenths of these pairs are not looked up |
//! | groups | `join` | at N = 24 0.7 of the lookups, for twice as many blocks |
//!
//! (Counts and measurements: `docs/speed.md`.)
//!
//! # Prior art
//!
//! - N-Queens-Count-Sol (Evgeny Kluev) counts with four quadrants, and was the fastest published program for
//!   processors.
//! - Q27 (T. B. Preusser and M. R. Engelhardt, *Putting Queens in Carry Chains, No. 27*, 2017) counted N = 27 by
//!   backtracking on FPGAs, with queens of the border placed first; NQueensFAF (Ole Poeschl) does so on GPUs.
//! - The published values are OEIS A000170. `docs/references.md` has more.
//!
#![doc = include_str!("rows/README.md")]

#[cfg(test)]
mod at_size;
mod core_lists;
pub(crate) mod gpu;
mod join;
pub(crate) mod kernel;
mod lists;
mod memory;
pub mod profile;
mod recount;
mod theory;
mod vector;
mod worker;

use std::ops::{Range, RangeInclusive};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, OnceLock, PoisonError};

use self::core_lists::Shared;
use self::gpu::Device;
use self::kernel::Kernel;
use self::lists::quarter::row_set_numbers;
use self::profile::Profile;
use self::recount::units::{Listing, Part};
use self::theory::core::weighs_main_diagonals;
use self::theory::numbering::{CoreTile, Numbering};
use self::theory::tiling::ColumnSet;
use self::worker::Worker;
use super::{Engine, Probe};
use crate::board::BoardSize;
use crate::random::Random;
use crate::stop::{Stop, Stopped};

/// Counts pairs of half-boards beside the queens of the middle rows.
pub struct Rows {
    size: BoardSize,
    numbering: Numbering,
    kernel: Kernel,
    /// The numbers of sets of rows, by mask.
    row_sets: Vec<u32>,
    /// The bytes that a thread may take.
    memory: u64,
    /// Whether the parts of a unit are its column sets; otherwise the unit is its only part.
    has_parts: bool,
    /// The devices that count, and how many threads may still feed one.
    devices: Vec<&'static Device>,
    feeders: AtomicUsize,
    /// Whether devices are all that counts: every thread feeds one.
    on_devices_alone: bool,
    /// What units are by the text of the proof, listed when the first is recounted.
    listing: OnceLock<Listing>,
    /// The workers of threads that are between two units.
    #[expect(clippy::vec_box, reason = "some hundred bytes that move with every unit")]
    idle: Mutex<Vec<Box<Worker>>>,
}

impl Rows {
    /// The boards that this engine counts. Smaller ones have no halves worth the name.
    pub const SIZES: RangeInclusive<u32> = 4..=32;

    /// The smallest board whose units have several parts: column sets. On smaller boards a unit is its only part, for it is
    /// recounted soon enough.
    const FIRST_IN_PARTS: u32 = 18;

    /// The number of middle rows that are placed first on the board with `n` rows, where the cost of a solution is
    /// least. It keeps lists between some thousand and some hundred thousand half-boards, and quarters at 12 rows. One row
    /// for N = 25 would take 0.88 of the time with AVX-512, but 1.15 with AVX2.
    pub fn middle_rows(n: u32) -> u32 {
        match n {
            ..=23 => n % 2,
            24 | 26 => 2,
            25 | 27 => 3,
            28 => 4,
            _ => n - 24,
        }
    }

    /// Plans the units of the board, to be counted by `kernel` in about `memory` bytes for each thread.
    ///
    /// # Panics
    /// When the board is not one of [`Rows::SIZES`].
    pub fn new(size: BoardSize, kernel: Kernel, memory: u64) -> Self {
        Self::with_middle_rows(size, Self::middle_rows(size.get()), kernel, memory)
    }

    /// The same with another number of middle rows: one that has the parity of N, and leaves a row above and below.
    ///
    /// ```
    /// use queencount::engine::rows::Rows;
    /// use queencount::{BoardSize, FanOut, Kernel};
    ///
    /// for middle_rows in [1, 3, 5, 7] {
    ///     let engine = Rows::with_middle_rows(BoardSize::new(9)?, middle_rows, Kernel::default(), Rows::MEMORY);
    ///     assert_eq!(FanOut::default().count(&engine)?, 352);
    /// }
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Panics
    /// When the board is not one of [`Rows::SIZES`], has not so many middle rows, or is left with more than 12 rows above
    /// them: more diagonals than a key and four chunks take.
    pub fn with_middle_rows(size: BoardSize, middle_rows: u32, kernel: Kernel, memory: u64) -> Self {
        assert!(Self::SIZES.contains(&size.get()), "N = {size} is not a board of this engine");
        let half = size.get().saturating_sub(middle_rows) / 2;
        assert!(half <= 12, "N = {size} with {middle_rows} middle rows has quarters of {half} rows, more than 12");
        // A list of quarter-boards serves a whole side of a tile, so that finding it costs little beside joining; but a unit
        // should be recounted within minutes. Without middle rows column sets last longest, beside 0.4 ms for such a list.
        let tile_side = match (middle_rows, half) {
            (0, 11..) => 4,
            (3.., 12..) => 32,
            _ => 16,
        };
        let numbering = Numbering::new(size.get(), middle_rows, tile_side);
        let row_sets = row_set_numbers(half);
        let has_parts = size.get() >= Self::FIRST_IN_PARTS;
        let (devices, feeders, on_devices_alone, listing, idle) = Default::default();
        Self { size, numbering, kernel, row_sets, memory, has_parts, devices, feeders, on_devices_alone, listing, idle }
    }

    /// Has devices count whole units, each fed by so many threads at most; the other threads count by themselves. What a
    /// device cannot count, because it fails or has not the memory, is counted by the thread that feeds it.
    ///
    /// With `usize::MAX` all threads feed, and so probes count whole units on the devices, too. Otherwise, where one
    /// thread is not like the other, probes tell of the CPU.
    pub fn on_devices(self, devices: Vec<&'static Device>, feeders: usize) -> Self {
        let on_devices_alone = !devices.is_empty() && feeders == usize::MAX;
        let feeders = AtomicUsize::new(devices.len().saturating_mul(feeders));
        Self { devices, feeders, on_devices_alone, ..self }
    }

    /// The memory that a thread is allowed by default, in bytes.
    pub const MEMORY: u64 = 256 << 20;

    fn shared<'a>(&'a self, stop: &'a Stop) -> Shared<'a> {
        let (numbering, row_sets, most) = (&self.numbering, &self.row_sets, memory::most_half_boards(self.memory));
        Shared { numbering, row_sets, kernel: self.kernel, most, stop }
    }

    /// What the units are by the text of the proof.
    fn listing(&self) -> &Listing {
        let Numbering { half, tile_side, .. } = self.numbering;
        self.listing.get_or_init(|| Listing::new(self.size.get(), self.size.get() - 2 * half, tile_side))
    }

    /// A part of a unit, as the proof has it. The engine counts what it is told here, so that the parts sum to the count of
    /// the unit only if the engine has found the same column sets by itself. `None` if the unit has no core.
    ///
    /// # Panics
    /// When there is no such part.
    fn part(&self, unit: u64, part: u64) -> Option<Part> {
        let mut parts = self.listing().parts(unit);
        assert!(part < parts.len().max(1) as u64, "no such part of unit {unit}: {part}");
        (!parts.is_empty()).then(|| parts.swap_remove(part as usize))
    }

    /// Counts a random part of a unit, as [`Engine::probe`] does, and adds to a profile what that took.
    ///
    /// ```
    /// use queencount::engine::rows::Rows;
    /// use queencount::engine::rows::profile::{Profile, Step};
    /// use queencount::{BoardSize, Kernel, Random, Stop};
    ///
    /// let engine = Rows::new(BoardSize::new(16)?, Kernel::default(), Rows::MEMORY);
    /// let mut profile = Profile::default();
    /// let probe = engine.measure(20, &mut Random::new(1), &mut profile, &Stop::new())?;
    /// let (half_boards, time) = (profile.half_boards, profile.time(Step::Combine));
    /// println!("{} solutions; {half_boards} half-boards made in {time:?}", probe.count);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`Stopped`], soon after `stop` has been requested.
    ///
    /// # Panics
    /// When there is no such unit.
    pub fn measure(
        &self,
        unit: u64,
        random: &mut Random,
        profile: &mut Profile,
        stop: &Stop,
    ) -> Result<Probe, Stopped> {
        let unit = self.numbering.unit(unit);
        self.with_worker(unit, |worker| {
            profile.start();
            std::mem::swap(profile, &mut worker.workspace.profile);
            let probe = worker.probe(self.shared(stop), unit, random);
            std::mem::swap(profile, &mut worker.workspace.profile);
            probe
        })
    }

    /// Has a worker do something for a unit: one that is prepared for its core, the one that became idle last, or a new
    /// one.
    fn with_worker<T>(
        &self,
        unit: CoreTile,
        act: impl FnOnce(&mut Worker) -> Result<T, Stopped>,
    ) -> Result<T, Stopped> {
        let idle = {
            let mut idle = self.idle.lock().unwrap_or_else(PoisonError::into_inner);
            let prepared = idle.iter().rposition(|worker| worker.is_prepared(unit));
            prepared.map(|at| idle.remove(at)).or_else(|| idle.pop())
        };
        let mut worker = idle.unwrap_or_else(|| {
            Box::new(Worker::new(self.numbering.half, memory::for_quarter_boards(self.memory), self.feeder()))
        });
        let result = act(&mut worker)?;
        self.idle.lock().unwrap_or_else(PoisonError::into_inner).push(worker);
        Ok(result)
    }

    /// The name of what counts, on a device or not.
    fn kernel_of(&self, on_device: bool) -> &'static str {
        if on_device { Device::KERNEL } else { self.kernel.name() }
    }

    /// A feeder of the next device, if one may have another.
    fn feeder(&self) -> Option<gpu::Feeder> {
        let one_less = |left: usize| left.checked_sub(1);
        let left = self.feeders.fetch_update(Ordering::Relaxed, Ordering::Relaxed, one_less).ok()?;
        gpu::Feeder::new(self.devices[left % self.devices.len()])
    }
}

impl Engine for Rows {
    fn name(&self) -> &'static str {
        "rows"
    }

    fn size(&self) -> BoardSize {
        self.size
    }

    fn parameters(&self) -> String {
        let (middle_rows, tile_side) = (self.numbering.middle_rows, self.numbering.tile_side);
        // Which solutions a unit stands for depends on this, too.
        let alike = middle_rows == 0 && !weighs_main_diagonals(self.numbering.half);
        let alike = if alike { ", main diagonals alike" } else { "" };
        format!("middle rows {middle_rows}, tiles of {tile_side}{alike}")
    }

    fn kernel(&self) -> Option<&'static str> {
        Some(self.kernel_of(!self.devices.is_empty()))
    }

    fn memory(&self, threads: usize) -> u64 {
        memory::expected(self.numbering.half, self.memory, threads)
    }

    fn units(&self) -> u64 {
        self.numbering.units()
    }

    fn units_per_task(&self) -> u64 {
        // From milliseconds for small boards to a minute for the largest.
        match (self.size.get(), self.numbering.middle_rows) {
            // As it was planned first.
            (26, 4) => 64,
            (28.., _) => 16,
            _ => 1,
        }
    }

    fn work_before(&self, unit: u64) -> f64 {
        self.numbering.work_before(unit)
    }

    fn count(&self, unit: u64, stop: &Stop) -> Result<u128, Stopped> {
        let unit = self.numbering.unit(unit);
        self.with_worker(unit, |worker| Ok(worker.count(self.shared(stop), unit)?.0))
    }

    fn divisor(&self, units: Range<u64>) -> u64 {
        self.numbering.divisor(units)
    }

    fn count_each(
        &self,
        units: Range<u64>,
        stop: &Stop,
        counted: &mut dyn FnMut(u128, Option<&'static str>),
    ) -> Result<(), Stopped> {
        if units.is_empty() {
            return Ok(());
        }
        self.with_worker(self.numbering.unit(units.start), |worker| {
            for unit in units {
                let (count, on_device) = worker.count(self.shared(stop), self.numbering.unit(unit))?;
                counted(count, Some(self.kernel_of(on_device)));
            }
            Ok(())
        })
    }

    fn recount(&self, unit: u64, stop: &Stop) -> Result<u128, Stopped> {
        recount::recount(self.listing(), unit, stop)
    }

    fn parts(&self, unit: u64) -> u64 {
        assert!(unit < self.units(), "no such unit: {unit}");
        // A placement that is no core has one part, which counts nothing.
        if self.has_parts { self.listing().parts(unit).len().max(1) as u64 } else { 1 }
    }

    fn count_part(&self, unit: u64, part: u64, stop: &Stop) -> Result<u128, Stopped> {
        if !self.has_parts {
            assert!(part < self.parts(unit), "no such part of unit {unit}: {part}");
            return self.count(unit, stop);
        }
        stop.check()?;
        let Some(Part { sets: [a, d], images: [_, images], .. }) = self.part(unit, part) else { return Ok(0) };
        let unit = self.numbering.unit(unit);
        self.with_worker(unit, |worker| worker.count_part(self.shared(stop), unit, ColumnSet { a, d, images }))
    }

    fn recount_part(&self, unit: u64, part: u64, stop: &Stop) -> Result<u128, Stopped> {
        if !self.has_parts {
            assert!(part < self.parts(unit), "no such part of unit {unit}: {part}");
            return self.recount(unit, stop);
        }
        stop.check()?;
        self.part(unit, part).map_or(Ok(0), |part| part.count(stop))
    }

    fn probe(&self, unit: u64, random: &mut Random, stop: &Stop) -> Result<Probe, Stopped> {
        let unit = self.numbering.unit(unit);
        self.with_worker(unit, |worker| match self.on_devices_alone {
            true => worker.probe_on_device(self.shared(stop), unit, random),
            false => worker.probe(self.shared(stop), unit, random),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::recount::units::tests::boards;
    use super::*;
    use crate::count::FanOut;

    fn rows(n: u32, middle_rows: u32, kernel: Kernel, memory: u64) -> Rows {
        Rows::with_middle_rows(BoardSize::new(n).unwrap(), middle_rows, kernel, memory)
    }

    #[test]
    fn any_number_of_middle_rows_leads_to_the_published_count() {
        // Those of N = 13 and 14 with hardly any rows beside the middle ones have billions of cores, most of them empty.
        let long = std::env::var_os("QUEENCOUNT_LONG").is_some();
        for (n, middle_rows) in boards(14, if long { 1 << 28 } else { 1 << 21 }) {
            let engine = rows(n, middle_rows, Kernel::default(), Rows::MEMORY);
            let total = FanOut::default().threads(if long { 0 } else { 1 }).count(&engine).unwrap();
            assert_eq!(Some(total), crate::known::published(n), "N = {n}, {middle_rows} middle rows");
        }
    }

    #[test]
    fn units_are_recounted_by_the_definition_of_weights() {
        for (n, middle_rows) in boards(9, 1 << 18) {
            let engine = rows(n, middle_rows, Kernel::default(), Rows::MEMORY);
            for unit in 0..engine.units() {
                let counts = [engine.count(unit, &Stop::new()), engine.recount(unit, &Stop::new())];
                assert_eq!(counts[0], counts[1], "N = {n}, {middle_rows} middle rows, unit {unit}");
            }
        }
    }

    #[test]
    fn parts_are_recounted_and_sum_to_their_units() {
        let stop = Stop::new();
        for (n, middle_rows) in boards(10, 1 << 18) {
            let engine = Rows { has_parts: true, ..rows(n, middle_rows, Kernel::default(), Rows::MEMORY) };
            for unit in 0..engine.units() {
                let mut sum = 0;
                for part in 0..engine.parts(unit) {
                    let count = engine.count_part(unit, part, &stop).unwrap();
                    let recount = engine.recount_part(unit, part, &stop);
                    assert_eq!(recount, Ok(count), "N = {n}, {middle_rows} middle rows, unit {unit}, part {part}");
                    sum += count;
                }
                assert_eq!(engine.count(unit, &stop), Ok(sum), "N = {n}, {middle_rows} middle rows, unit {unit}");
            }
        }
    }

    #[test]
    fn units_of_large_boards_have_parts_that_sum_to_them() {
        let stop = Stop::new();
        for n in 17..=20 {
            let engine = rows(n, Rows::middle_rows(n), Kernel::default(), Rows::MEMORY);
            for unit in random_units(&engine, 2) {
                let parts = engine.parts(unit);
                assert_eq!(parts > 1, n >= 18, "N = {n}, unit {unit}");
                let sum = (0..parts).map(|part| engine.count_part(unit, part, &stop).unwrap()).sum();
                assert_eq!(engine.count(unit, &stop), Ok(sum), "N = {n}, unit {unit}");
            }
        }
    }

    #[test]
    #[should_panic(expected = "no such part of unit 30: 256")]
    fn a_part_that_is_not_there_is_not_counted() {
        let engine = rows(18, 0, Kernel::default(), Rows::MEMORY);
        assert_eq!(engine.parts(30), 256);
        let _ = engine.count_part(30, 256, &Stop::new());
    }

    /// Random units of a board.
    fn random_units(engine: &Rows, units: usize) -> Vec<u64> {
        let mut random = Random::new(engine.size.get().into());
        (0..units).map(|_| random.below(engine.units())).collect()
    }

    /// The column sets of a board that count something, as the proof shows them: the queens of the core, the columns of
    /// the top, the number of images, the count.
    fn counted_column_sets(n: u32, middle_rows: u32) -> Vec<(String, u128)> {
        let engine = Rows {
            // A column set is a unit.
            numbering: Numbering::new(n, middle_rows, 1),
            ..rows(n, middle_rows, Kernel::default(), Rows::MEMORY)
        };
        let mut shown = Vec::new();
        for number in 0..engine.units() {
            let unit = engine.numbering.unit(number);
            let Some(core) = engine.numbering.core(unit.core) else { continue };
            let count = engine.count(number, &Stop::new()).unwrap();
            for set in engine.numbering.tiling(core.symmetry.images).column_sets(unit.tile).filter(|_| count > 0) {
                let on_top = |column: u32| {
                    let at = |side: usize| core.columns[side].iter().position(|&here| here == column);
                    at(0).is_some_and(|at| set.a >> at & 1 == 1) || at(1).is_some_and(|at| set.d >> at & 1 == 0)
                };
                let columns: String = (0..n).map(|column| if on_top(column) { 'o' } else { '.' }).collect();
                let mut board: Vec<String> =
                    core.queens.iter().map(|&(row, column)| format!("{row}-{column}")).collect();
                board.extend([
                    columns,
                    format!("images {}", set.images * core.symmetry.weight),
                    format!("count {count}"),
                ]);
                shown.push((board.join("   "), count));
            }
        }
        shown
    }

    #[test]
    fn the_column_sets_of_some_boards_are_those_of_the_proof() {
        let proof = include_str!("rows/README.md");
        for (n, middle_rows) in [(5, 1), (6, 0), (6, 2), (8, 0), (8, 2)] {
            let shown = counted_column_sets(n, middle_rows);
            for (line, _) in &shown {
                assert!(proof.contains(line), "expected in the proof, N = {n}, k = {middle_rows}: {line}");
            }
            let total: u128 = shown.iter().map(|(_, count)| count).sum();
            assert!(proof.contains(&format!("Q({n}) = {total}")), "N = {n}: {total}");
        }
    }

    #[test]
    fn kernels_agree_on_units_of_large_boards() {
        for (n, middle_rows) in [(19, 1), (20, 2), (21, 3), (24, 6)] {
            let portable = rows(n, middle_rows, "portable".parse().unwrap(), Rows::MEMORY);
            for unit in random_units(&portable, 2) {
                let expected = portable.count(unit, &Stop::new());
                for kernel in Kernel::available() {
                    let engine = rows(n, middle_rows, kernel, Rows::MEMORY);
                    assert_eq!(engine.count(unit, &Stop::new()), expected, "N = {n}, unit {unit}, {kernel:?}");
                }
            }
        }
    }

    #[test]
    fn nothing_is_counted_after_a_stop() {
        let stop = Stop::new();
        stop.request();
        for n in [4, 5, 16, 17, 24, 28] {
            let engine = rows(n, Rows::middle_rows(n), Kernel::default(), Rows::MEMORY);
            let unit =
                (0..engine.units()).find(|&unit| engine.numbering.core(engine.numbering.unit(unit).core).is_some());
            assert_eq!(engine.count(unit.unwrap(), &stop), Err(Stopped::Requested), "N = {n}");
            assert_eq!(engine.recount(unit.unwrap(), &stop), Err(Stopped::Requested), "N = {n}");
        }
    }
}
