//! The engine of middle rows: counts pairs of half-boards, 512 at a time, beside the queens of the
//! middle rows.
//!
//! Backtracking visits some 80 nodes for every solution, this engine none. It places the queens of
//! some middle rows first, lists what can stand above them and below, and counts the pairs that
//! fit. There are far more pairs than solutions, but most need not be looked at, and the others
//! take a fraction of a bit operation each. Its plain form is [`crate::plain::middle_rows`];
//! without middle rows, as on even boards up to N = 22, [`crate::plain::meet`]. [Why the number is
//! right](#why-the-number-is-right) is told below.
//!
//! On one board, a row that is placed first divides the pairs by 2.5, shortens both lists to a
//! quarter, and closes squares. How many are, depends on the board ([`Rows::middle_rows`]), and a
//! solution costs much the same for every large N.
//!
//! # From plain to fast
//!
//! | step | where | effect |
//! |---|---|---|
//! | middle rows first | `theory` | at N = 24 1400 pairs for a solution instead of 9500 |
//! | symmetry of order 8 by closed squares | `theory` | at N = 24 0.57 of these pairs are left |
//! | half-boards out of quarter-boards | `lists` | column sets need no search of their own |
//! | pairs 512 at a time, in blocks | `join` | a word of 512 bits is worked on as one |
//! | one list sorted by a key of diagonals, the other by some of the key | `join` | nine tenths of these pairs are not looked up |
//! | groups of equal first diagonals of the key | `join` | fewer lookups, more blocks; at N = 24 0.7 to 0.8 of the time |
//!
//! (`docs/speed.md` has measurements, `docs/references.md` prior art.)
//!
#![doc = include_str!("rows/README.md")]

#[cfg(test)]
mod at_size;
mod core_lists;
pub(crate) mod gpu;
mod join;
pub(crate) mod kernel;
mod lists;
pub mod profile;
mod recount;
mod theory;
#[cfg(test)]
mod tie;
mod vector;
mod worker;

use std::fmt;
use std::ops::{Range, RangeInclusive};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, OnceLock, PoisonError};

use self::core_lists::Context;
use self::gpu::Device;
use self::kernel::Kernel;
use self::lists::quarter::row_set_numbers;
use self::profile::Profile;
use self::recount::units::{Listing, Part};
use self::theory::core::weighs_main_diagonals;
use self::theory::numbering::{CoreTile, Numbering};
use self::theory::tiling::ColumnSet;
use self::worker::Worker;
use super::{Backend, Engine, Probe};
use crate::board::BoardSize;
use crate::cancel::{CancelToken, EngineError};
use crate::choice::EngineOptions;
use crate::splitmix::SplitMix64;

/// Counts pairs of half-boards beside the queens of the middle rows.
pub struct Rows {
    size: BoardSize,
    numbering: Numbering,
    kernel: Kernel,
    /// The numbers of row sets, by mask.
    row_set_numbers: Vec<u32>,
    /// The bytes that a thread may take.
    memory: u64,
    /// The devices that count, and how many threads may still feed one.
    devices: Vec<&'static Device>,
    feeders: AtomicUsize,
    /// Whether devices are all that counts: every thread feeds one.
    on_devices_alone: bool,
    /// What units are by the text of the proof, listed when the first is recounted.
    listing: OnceLock<Listing>,
    /// The workers of threads that are between two units.
    #[expect(
        clippy::vec_box,
        reason = "some hundred bytes that move with every unit"
    )]
    idle: Mutex<Vec<Box<Worker>>>,
}

impl Rows {
    /// The boards that this engine counts. Smaller ones have no halves worth the name.
    pub const SIZES: RangeInclusive<u32> = 4..=32;

    /// The number of middle rows that are placed first on the board with `n` rows, where the cost
    /// of a solution is least (`docs/speed.md`). Lists have some thousand to some hundred thousand
    /// half-boards, and quarters at most 12 rows.
    pub fn middle_rows(n: u32) -> u32 {
        match n {
            ..=23 => n % 2,
            24 | 26 => 2,
            25 | 27 => 3,
            28 => 4,
            _ => n - 24,
        }
    }

    /// Plans the units of the board.
    ///
    /// # Panics
    /// When the board is not one of [`Rows::SIZES`].
    pub fn new(size: BoardSize, options: EngineOptions) -> Self {
        Self::with_middle_rows(size, Self::middle_rows(size.get()), options)
    }

    /// Plans the units of the board with another number of middle rows: one that has the parity of
    /// N, and leaves a row above and below.
    ///
    /// ```
    /// use queencount::engine::rows::Rows;
    /// use queencount::{BoardSize, Counter, EngineOptions};
    ///
    /// for middle_rows in [1, 3, 5, 7] {
    ///     let engine = Rows::with_middle_rows(BoardSize::new(9)?, middle_rows, EngineOptions::new());
    ///     assert_eq!(Counter::default().count(&engine)?, 352);
    /// }
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Panics
    /// When the board is not one of [`Rows::SIZES`], has fewer middle rows, or is left with more
    /// than 12 rows above them: more diagonals than a key and four chunks take.
    pub fn with_middle_rows(size: BoardSize, middle_rows: u32, options: EngineOptions) -> Self {
        assert!(
            Self::SIZES.contains(&size.get()),
            "N = {size} is not a board of this engine"
        );
        let half = size.get().saturating_sub(middle_rows) / 2;
        assert!(
            half <= 12,
            "N = {size} with {middle_rows} middle rows has quarters of {half} rows, more than 12"
        );
        // A list of quarter-boards serves a whole side of a tile, so that finding it costs little
        // beside joining; but a unit should be recounted within minutes. Without middle rows column
        // sets last longest, beside 0.4 ms for such a list.
        let tile_side = match (middle_rows, half) {
            (0, 11..) => 4,
            (3.., 12..) => 32,
            _ => 16,
        };
        let memory = options.memory_per_thread;
        Self {
            size,
            numbering: Numbering::new(size.get(), middle_rows, tile_side),
            kernel: options.kernel.unwrap_or_default(),
            row_set_numbers: row_set_numbers(half),
            memory: memory.unwrap_or(Self::DEFAULT_MEMORY_PER_THREAD),
            devices: options.devices.devices().collect(),
            feeders: AtomicUsize::new(options.devices.most_feeders()),
            on_devices_alone: options.devices.uses_all_threads(),
            listing: OnceLock::new(),
            idle: Mutex::default(),
        }
    }

    /// The memory that a thread is allowed by default, in bytes.
    pub const DEFAULT_MEMORY_PER_THREAD: u64 = 256 << 20;

    fn context<'a>(&'a self, stop: &'a CancelToken) -> Context<'a> {
        let (numbering, row_set_numbers) = (&self.numbering, &self.row_set_numbers);
        Context {
            numbering,
            row_set_numbers,
            kernel: self.kernel,
            most: worker::most_half_boards(self.memory),
            stop,
        }
    }

    /// What the units are by the text of the proof.
    fn listing(&self) -> &Listing {
        let Numbering {
            half, tile_side, ..
        } = self.numbering;
        self.listing
            .get_or_init(|| Listing::new(self.size.get(), self.size.get() - 2 * half, tile_side))
    }

    /// A part of a unit, as the proof has it; `None` if the unit has no core. The engine counts the
    /// column set that it finds here, so the parts sum to the count of the unit only if the engine
    /// has found the same column sets by itself.
    fn part(&self, unit: u64, part: u64) -> Option<Part> {
        let mut parts = self.listing().parts(unit);
        assert!(
            part < parts.len().max(1) as u64,
            "no such part of unit {unit}: {part}"
        );
        (!parts.is_empty()).then(|| parts.swap_remove(part as usize))
    }

    /// Counts a random part of a unit, as [`Engine::probe`] does, and adds to a profile what that
    /// took.
    pub fn measure(
        &self,
        unit: u64,
        random: &mut SplitMix64,
        profile: &mut Profile,
        stop: &CancelToken,
    ) -> Result<Probe, EngineError> {
        let unit = self.numbering.unit(unit);
        self.with_worker(unit, |worker| {
            profile.start();
            std::mem::swap(profile, &mut worker.workspace.profile);
            let probe = worker.probe(self.context(stop), unit, random);
            std::mem::swap(profile, &mut worker.workspace.profile);
            probe
        })
    }

    /// Has a worker act for a unit: one that is prepared for its core, or else the one that became
    /// idle last, or else a new one.
    fn with_worker<T>(
        &self,
        unit: CoreTile,
        act: impl FnOnce(&mut Worker) -> Result<T, EngineError>,
    ) -> Result<T, EngineError> {
        let idle = {
            let mut idle = self.idle.lock().unwrap_or_else(PoisonError::into_inner);
            let prepared = idle.iter().rposition(|worker| worker.is_prepared(unit));
            prepared.map(|at| idle.remove(at)).or_else(|| idle.pop())
        };
        let mut worker = idle.unwrap_or_else(|| {
            Box::new(Worker::new(
                self.numbering.half,
                worker::for_quarter_boards(self.memory),
                self.feeder(),
            ))
        });
        let result = act(&mut worker)?;
        self.idle
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .push(worker);
        Ok(result)
    }

    fn backend_of(&self, on_device: bool) -> Backend {
        if on_device {
            Backend::Devices
        } else {
            Backend::Cpu(self.kernel)
        }
    }

    /// A feeder of the next device, if one may have another.
    fn feeder(&self) -> Option<gpu::Feeder> {
        let one_less = |left: usize| left.checked_sub(1);
        let left = self
            .feeders
            .fetch_update(Ordering::Relaxed, Ordering::Relaxed, one_less)
            .ok()?;
        gpu::Feeder::new(self.devices[left % self.devices.len()])
    }
}

impl fmt::Debug for Rows {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("Rows")
            .field("size", &self.size)
            .field("parameters", &self.parameters())
            .field("kernel", &self.kernel)
            .field("devices", &self.devices)
            .finish_non_exhaustive()
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
        let Numbering {
            middle_rows,
            tile_side,
            half,
            ..
        } = self.numbering;
        // Which solutions a unit stands for depends on this, too.
        let unweighed = middle_rows == 0 && !weighs_main_diagonals(half);
        format!(
            "middle rows {middle_rows}, tiles of {tile_side}{}",
            if unweighed {
                ", main diagonals alike"
            } else {
                ""
            }
        )
    }

    fn backend(&self) -> Option<Backend> {
        Some(self.backend_of(!self.devices.is_empty()))
    }

    fn memory(&self, threads: usize) -> u64 {
        worker::expected_memory(self.numbering.half, self.memory, threads)
    }

    fn units(&self) -> u64 {
        self.numbering.units()
    }

    fn units_per_task(&self) -> u64 {
        // From milliseconds for small boards to a minute for the largest.
        if self.size.get() < 28 { 1 } else { 16 }
    }

    fn cumulative_work(&self, unit: u64) -> f64 {
        self.numbering.cumulative_work(unit)
    }

    fn count(&self, unit: u64, stop: &CancelToken) -> Result<u128, EngineError> {
        Ok(self.count_by_backend(unit, stop)?.0)
    }

    fn count_by_backend(
        &self,
        unit: u64,
        stop: &CancelToken,
    ) -> Result<(u128, Option<Backend>), EngineError> {
        let unit = self.numbering.unit(unit);
        let (count, on_device) =
            self.with_worker(unit, |worker| worker.count(self.context(stop), unit))?;
        Ok((count, Some(self.backend_of(on_device))))
    }

    fn divisor(&self, units: Range<u64>) -> u64 {
        self.numbering.divisor(units)
    }

    fn recount(&self, unit: u64, stop: &CancelToken) -> Result<u128, EngineError> {
        recount::recount(self.listing(), unit, stop)
    }

    fn parts(&self, unit: u64) -> u64 {
        // A placement that is no core has one part, which counts nothing.
        self.listing().parts(unit).len().max(1) as u64
    }

    fn count_part(&self, unit: u64, part: u64, stop: &CancelToken) -> Result<u128, EngineError> {
        stop.check()?;
        let Some(Part {
            sets: [a, d],
            images: [_, images],
            ..
        }) = self.part(unit, part)
        else {
            return Ok(0);
        };
        let unit = self.numbering.unit(unit);
        self.with_worker(unit, |worker| {
            worker.count_part(self.context(stop), unit, ColumnSet { a, d, images })
        })
    }

    fn recount_part(&self, unit: u64, part: u64, stop: &CancelToken) -> Result<u128, EngineError> {
        stop.check()?;
        self.part(unit, part).map_or(Ok(0), |part| part.count(stop))
    }

    fn probe(
        &self,
        unit: u64,
        random: &mut SplitMix64,
        stop: &CancelToken,
    ) -> Result<Probe, EngineError> {
        let unit = self.numbering.unit(unit);
        self.with_worker(unit, |worker| match self.on_devices_alone {
            true => worker.probe_on_device(self.context(stop), unit, random),
            false => worker.probe(self.context(stop), unit, random),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::recount::units::tests::boards;
    use super::*;
    use crate::count::Counter;

    fn rows(n: u32, middle_rows: u32) -> Rows {
        let size = BoardSize::new(n).unwrap();
        Rows::with_middle_rows(size, middle_rows, EngineOptions::new())
    }

    #[test]
    fn any_number_of_middle_rows_leads_to_the_published_count() {
        // Those of N = 13 and 14 with hardly any rows beside the middle ones have billions of
        // cores, most of them empty.
        let long = std::env::var_os("QUEENCOUNT_LONG").is_some();
        for (n, middle_rows) in boards(14, if long { 1 << 28 } else { 1 << 21 }) {
            let engine = rows(n, middle_rows);
            let total = Counter::default()
                .threads(if long { 0 } else { 1 })
                .count(&engine)
                .unwrap();
            assert_eq!(
                Some(total),
                crate::known::oeis_a000170(n),
                "N = {n}, {middle_rows} middle rows"
            );
        }
    }

    #[test]
    fn parts_are_recounted_and_sum_to_their_units() {
        let stop = CancelToken::new();
        for (n, middle_rows) in boards(10, 1 << 18) {
            let engine = rows(n, middle_rows);
            for unit in 0..engine.units() {
                let mut sum = 0;
                for part in 0..engine.parts(unit) {
                    let count = engine.count_part(unit, part, &stop).unwrap();
                    let recount = engine.recount_part(unit, part, &stop);
                    assert_eq!(
                        recount,
                        Ok(count),
                        "N = {n}, {middle_rows} middle rows, unit {unit}, part {part}"
                    );
                    sum += count;
                }
                assert_eq!(
                    engine.count(unit, &stop),
                    Ok(sum),
                    "N = {n}, {middle_rows} middle rows, unit {unit}"
                );
            }
        }
    }

    #[test]
    #[should_panic(expected = "no such part of unit 30: 256")]
    fn a_part_that_is_not_there_is_not_counted() {
        let engine = rows(18, 0);
        assert_eq!(engine.parts(30), 256);
        let _ = engine.count_part(30, 256, &CancelToken::new());
    }
}
