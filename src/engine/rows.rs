//! The `rows` engine: places the queens of some middle rows, then counts pairs of half-boards that
//! fit them, 512 at a time.
//!
//! Backtracking visits about 80 nodes per solution. This engine does not search for solutions. It
//! lists the half-boards that fit above and below the middle rows, and counts the pairs that fit
//! together. There are far more pairs than solutions, but most pairs are never examined, and the
//! others take less than one bit operation each. The proof is [below](#why-the-count-is-correct).
//!
//! Each additional middle row divides the number of pairs by 2.5, reduces both lists to about a
//! fifth of their length, and closes more squares. [`Rows::middle_rows`] keeps the cost per
//! solution about the same for all large N.
//!
//! # From plain to fast
//!
//! | step | where | effect |
//! |---|---|---|
//! | middle rows first | `theory` | N = 24: 1400 pairs per solution instead of 9500 |
//! | all eight symmetries, by closing squares | `theory` | N = 24: leaves 57% of the pairs |
//! | half-boards combined from quarter-boards | `lists` | no search for each column set |
//! | 512 pairs at a time, in blocks | `join` | one operation on 512 bits for 512 pairs |
//! | lists sorted by a key of diagonals | `join` | 90% of the remaining pairs are skipped |
//! | groups of keys that agree on the first diagonals | `join` | N = 24: 20% to 30% less time |
//!
//! Measurements are in `docs/experiments.md`, and prior art in `docs/references.md`.
//!
#![doc = include_str!("rows/README.md")]

mod core_lists;
pub(crate) mod gpu;
mod join;
pub mod kernel;
mod lists;
mod theory;
mod vector;
mod worker;

use std::fmt;
use std::ops::RangeInclusive;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError};

use queencount_recount::rows::{Listing, Part};

use self::core_lists::Context;
pub use self::gpu::DeviceDescription;
use self::gpu::{Device, Feeder};
use self::kernel::Kernel;
use self::theory::core::weighs_main_diagonals;
use self::theory::numbering::{CoreTile, Numbering};
use self::theory::tiling::ColumnSet;
use self::worker::Worker;
use super::{Backend, Engine, Probe};
use crate::board::BoardSize;
use crate::cancel::{CancelToken, EngineError};
use crate::devices::DeviceSet;
use crate::options::EngineOptions;
use crate::splitmix::SplitMix64;

/// Workers are boxed, because each takes up hundreds of bytes and is moved for every unit.
type Workers = Vec<Box<Worker>>;

/// The `rows` engine: counts pairs of half-boards that fit the queens of the middle rows.
pub struct Rows {
    size: BoardSize,
    numbering: Numbering,
    kernel: Kernel,
    /// The limit per thread, in bytes.
    memory: u64,
    devices: DeviceSet,
    /// The number of workers that have asked for a feeder.
    feeders: AtomicUsize,
    /// The units as the proof defines them, listed when a unit is first recounted.
    listing: OnceLock<Listing>,
    /// The workers that no thread is using.
    idle: Mutex<Workers>,
}

impl Rows {
    /// The board sizes that this engine supports. Smaller boards are not worth splitting.
    pub const SIZES: RangeInclusive<u32> = 4..=32;

    /// Returns the number of middle rows that minimizes the cost per solution on a board of size
    /// `n` (see `docs/experiments.md`). Quarters then have at most 12 rows.
    pub fn middle_rows(n: u32) -> u32 {
        match n {
            ..=23 => n % 2,
            24 | 26 => 2,
            25 | 27 => 3,
            28 => 4,
            _ => n - 24,
        }
    }

    /// Creates an engine for a board of this size, with the given options.
    ///
    /// # Panics
    /// Panics if the board size is not in [`Rows::SIZES`].
    pub fn new(size: BoardSize, options: EngineOptions) -> Self {
        Self::with_middle_rows(size, Self::middle_rows(size.get()), options)
    }

    /// Creates an engine with the given number of middle rows instead of the default number.
    ///
    /// ```
    /// use queencount::engine::rows::Rows;
    /// use queencount::{BoardSize, Counter, EngineOptions};
    ///
    /// for middle_rows in [1, 3, 5, 7] {
    ///     let size = BoardSize::new(9)?;
    ///     let engine = Rows::with_middle_rows(size, middle_rows, EngineOptions::default());
    ///     assert_eq!(Counter::new().count(&engine)?, 352);
    /// }
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Panics
    /// Panics if the board size is not in [`Rows::SIZES`], or if N minus `middle_rows` is odd, less
    /// than 2, or more than 24. The diagonals of larger quarters would not fit into a key and four
    /// chunks.
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
        // Each list of quarter-boards is used for a whole row or column of a tile. Larger tiles
        // need fewer lists per column set, but their units take longer to recount, and a recount
        // should take only minutes. Without middle rows, joining a column set takes longer and
        // finding a list takes only 0.4 ms, so tiles are small.
        let tile_side = match (middle_rows, half) {
            (0, 11..) => 4,
            (3.., 12..) => 32,
            _ => 16,
        };
        Self {
            size,
            numbering: Numbering::new(size.get(), middle_rows, tile_side),
            kernel: options.kernel.unwrap_or_default(),
            memory: options
                .memory_per_thread
                .unwrap_or(Self::DEFAULT_MEMORY_PER_THREAD),
            devices: options.devices,
            feeders: AtomicUsize::new(0),
            listing: OnceLock::new(),
            idle: Mutex::default(),
        }
    }

    /// The default memory limit per thread, in bytes.
    pub const DEFAULT_MEMORY_PER_THREAD: u64 = 256 << 20;

    fn context<'a>(&'a self, stop: &'a CancelToken) -> Context<'a> {
        Context {
            numbering: &self.numbering,
            kernel: self.kernel,
            most_half_boards: worker::most_half_boards(self.memory),
            stop,
        }
    }

    fn listing(&self) -> &Listing {
        let Numbering {
            middle_rows,
            tile_side,
            ..
        } = self.numbering;
        self.listing
            .get_or_init(|| Listing::new(self.size.get(), middle_rows, tile_side))
    }

    /// Returns a part of a unit as the proof defines it, or `None` if the unit has no core. The
    /// counts of the parts add up to the unit's count only if the engine itself assigns the same
    /// column sets to the unit.
    fn part(&self, unit: u64, part: u64) -> Option<Part> {
        let mut parts = self.listing().parts(unit);
        assert!(
            part < parts.len().max(1) as u64,
            "no such part of unit {unit}: {part}"
        );
        (!parts.is_empty()).then(|| parts.swap_remove(part as usize))
    }

    fn idle(&self) -> MutexGuard<'_, Workers> {
        self.idle.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Calls `act` with an idle worker, preferably one that is prepared for the unit's core, or
    /// with a new worker if none is idle. A new worker feeds a device if `feeds` is set.
    fn with_worker<T>(
        &self,
        unit: CoreTile,
        feeds: bool,
        act: impl FnOnce(&mut Worker) -> Result<T, EngineError>,
    ) -> Result<T, EngineError> {
        let idle = {
            let mut idle = self.idle();
            idle.iter()
                .rposition(|worker| worker.is_prepared(unit))
                .map(|at| idle.remove(at))
                .or_else(|| idle.pop())
        };
        let mut worker = match idle {
            Some(worker) => worker,
            None => Box::new(Worker::new(
                self.numbering.half,
                self.memory,
                if feeds { self.next_feeder() } else { None },
            )),
        };
        let result = act(&mut worker)?;
        self.idle().push(worker);
        Ok(result)
    }

    /// Returns a feeder for the next device, or `None` if no more threads may feed a device.
    fn next_feeder(&self) -> Option<Feeder> {
        let devices: Vec<&Device> = self.devices.devices().collect();
        let number = self.feeders.fetch_add(1, Ordering::Relaxed);
        // If no thread may count on the CPU instead, the failure of a device is an error.
        let required = self.devices.uses_all_threads();
        if !required && number >= devices.len() * Device::FEEDERS {
            return None;
        }
        Feeder::new(devices[number % devices.len()], required)
    }

    fn backend_of(&self, on_device: bool) -> Backend {
        if on_device {
            Backend::Devices
        } else {
            Backend::Cpu(self.kernel)
        }
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
        // The weights of main diagonals also determine which solutions belong to a unit.
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

    fn devices(&self) -> usize {
        if self.devices.uses_all_threads() {
            self.devices.devices().count()
        } else {
            0
        }
    }

    fn memory(&self, threads: usize) -> u64 {
        self.numbering.memory() + worker::expected_memory(self.numbering.half, self.memory, threads)
    }

    fn units(&self) -> u64 {
        self.numbering.units()
    }

    fn units_per_task(&self) -> u64 {
        // A task takes milliseconds on small boards and about a minute on the largest.
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
            self.with_worker(unit, true, |worker| worker.count(self.context(stop), unit))?;
        Ok((count, Some(self.backend_of(on_device))))
    }

    fn recount(&self, unit: u64, stop: &CancelToken) -> Result<u128, EngineError> {
        self.listing()
            .count(unit, &|| stop.is_cancelled())
            .ok_or(EngineError::Cancelled)
    }

    fn parts(&self, unit: u64) -> u64 {
        // A unit whose queens attack each other has a single part, whose count is 0.
        self.listing().parts(unit).len().max(1) as u64
    }

    fn count_part(&self, unit: u64, part: u64, stop: &CancelToken) -> Result<u128, EngineError> {
        stop.check()?;
        let Some(Part {
            sets: [a, d],
            images: [_, multiplicity],
            ..
        }) = self.part(unit, part)
        else {
            return Ok(0);
        };
        let unit = self.numbering.unit(unit);
        self.with_worker(unit, false, |worker| {
            worker.count_part(self.context(stop), unit, ColumnSet { a, d, multiplicity })
        })
    }

    fn recount_part(&self, unit: u64, part: u64, stop: &CancelToken) -> Result<u128, EngineError> {
        stop.check()?;
        match self.part(unit, part) {
            Some(part) => part
                .count(&|| stop.is_cancelled())
                .ok_or(EngineError::Cancelled),
            None => Ok(0),
        }
    }

    fn probe(
        &self,
        unit: u64,
        random: &mut SplitMix64,
        stop: &CancelToken,
    ) -> Result<Probe, EngineError> {
        let unit = self.numbering.unit(unit);
        let on_device = self.devices() > 0;
        self.with_worker(unit, on_device, |worker| {
            worker.probe(self.context(stop), unit, random, on_device)
        })
    }
}

#[cfg(test)]
mod tests;
