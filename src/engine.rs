//! Engines. An engine divides the solutions into units, and counts each unit independently.
//!
//! A **unit** is a set of solutions, identified only by an index. Its count depends on the board,
//! the engine's plan and the index, not on the threads, the machine or the order of counting.

pub mod backtrack;
pub mod rows;

use std::fmt;
use std::ops::Range;

use self::rows::kernel::Kernel;
use crate::board::BoardSize;
use crate::cancel::{CancelToken, EngineError};
pub use crate::splitmix::SplitMix64;

/// A method of counting the solutions of a board in independent units.
///
/// All counting methods return an [`EngineError`] soon after `stop` is cancelled. They panic if
/// `unit` is not below [`Engine::units`] or `part` is not below [`Engine::parts`].
///
/// The engine in this example counts the ways to place N nonattacking rooks. The rook in the first
/// row is in column `unit`.
///
/// ```
/// use queencount::{BoardSize, CancelToken, Counter, Engine, EngineError};
///
/// struct Rooks(BoardSize);
///
/// impl Engine for Rooks {
///     fn name(&self) -> &'static str {
///         "rooks"
///     }
///
///     fn size(&self) -> BoardSize {
///         self.0
///     }
///
///     fn units(&self) -> u64 {
///         self.0.get().into()
///     }
///
///     fn cumulative_work(&self, unit: u64) -> f64 {
///         unit as f64 / self.units() as f64
///     }
///
///     fn count(&self, unit: u64, _stop: &CancelToken) -> Result<u128, EngineError> {
///         assert!(unit < self.units(), "no such unit: {unit}");
///         Ok((1..self.units()).map(u128::from).product())
///     }
///
///     // Tries every column for every other rook.
///     fn recount(&self, unit: u64, stop: &CancelToken) -> Result<u128, EngineError> {
///         fn fill(free: Vec<u64>, stop: &CancelToken) -> Result<u128, EngineError> {
///             stop.check()?;
///             let mut count = u128::from(free.is_empty());
///             for taken in &free {
///                 count += fill(free.iter().copied().filter(|c| c != taken).collect(), stop)?;
///             }
///             Ok(count)
///         }
///         assert!(unit < self.units(), "no such unit: {unit}");
///         fill((0..self.units()).filter(|column| *column != unit).collect(), stop)
///     }
/// }
///
/// let rooks = Rooks(BoardSize::new(8)?);
/// let stop = CancelToken::new();
/// assert_eq!(Counter::new().count(&rooks)?, 40_320);
/// assert_eq!(rooks.count(3, &stop)?, rooks.recount(3, &stop)?);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[auto_impl::auto_impl(Arc, Box)]
pub trait Engine: Send + Sync {
    /// Returns the engine's name.
    fn name(&self) -> &'static str;

    /// Returns the size of the board.
    fn size(&self) -> BoardSize;

    /// Returns the parameters, other than the board, that determine what each unit contains; an
    /// empty string by default. Records with different parameters cannot be combined.
    fn parameters(&self) -> String {
        String::new()
    }

    /// Returns the backend used on this machine, if the engine has several.
    fn backend(&self) -> Option<Backend> {
        None
    }

    /// Returns the approximate number of bytes that a count on this many threads uses; 0 by
    /// default.
    fn memory(&self, _threads: usize) -> u64 {
        0
    }

    /// Returns the number of units. They are numbered from 0, and their counts sum to the number of
    /// solutions.
    fn units(&self) -> u64;

    /// Returns the number of consecutive units per task; 1 by default. It must be at least 1, large
    /// enough for a task to be worth scheduling, and small enough to balance the load.
    fn units_per_task(&self) -> u64 {
        1
    }

    /// Returns the estimated fraction of the total work that comes before `unit`: 0 for unit 0, 1
    /// for `units()`. It must increase with every unit that may have solutions, because
    /// [estimates](crate::estimate) sample units in proportion to their work.
    fn cumulative_work(&self, unit: u64) -> f64;

    /// Returns the estimated fraction of the total work in these units.
    fn work(&self, units: Range<u64>) -> f64 {
        self.cumulative_work(units.end) - self.cumulative_work(units.start)
    }

    /// Returns the last unit with at most this fraction of the total work before it, or 0 if there
    /// is none.
    fn unit_at(&self, share: f64) -> u64 {
        let mut low = 0;
        let mut high = self.units();
        while high - low > 1 {
            let middle = low + (high - low) / 2;
            if self.cumulative_work(middle) <= share {
                low = middle
            } else {
                high = middle
            }
        }
        low
    }

    /// Counts the solutions of a unit. A solution that represents several symmetric solutions is
    /// counted once for each of them. The method may use all threads of the current rayon pool.
    fn count(&self, unit: u64, stop: &CancelToken) -> Result<u128, EngineError>;

    /// Returns the number of devices that all threads feed, or 0 if threads count on the CPU. If
    /// there are any, an [estimate](crate::estimate) measures the time on the devices.
    fn devices(&self) -> usize {
        0
    }

    /// Returns the count of a unit, and the backend that counted it. The backend differs from
    /// [`Engine::backend`] if a device leaves the unit to the CPU.
    fn count_by_backend(
        &self,
        unit: u64,
        stop: &CancelToken,
    ) -> Result<(u128, Option<Backend>), EngineError> {
        Ok((self.count(unit, stop)?, self.backend()))
    }

    /// Counts a unit with an independent method, which shares nothing with [`Engine::count`] except
    /// the definition of the problem, and is simple rather than fast. An audit compares the two
    /// counts.
    fn recount(&self, unit: u64, stop: &CancelToken) -> Result<u128, EngineError>;

    /// Returns the number of parts of a unit; 1 by default. They are numbered from 0. An engine
    /// whose units take long to recount divides them into parts. The parts are defined by the
    /// method of [`Engine::recount`], so their counts sum to [`Engine::count`] only if both methods
    /// agree on what the unit contains.
    fn parts(&self, unit: u64) -> u64 {
        assert!(unit < self.units(), "no such unit: {unit}");
        1
    }

    /// Counts a part of a unit with the method of [`Engine::count`].
    fn count_part(&self, unit: u64, part: u64, stop: &CancelToken) -> Result<u128, EngineError> {
        assert!(
            part < self.parts(unit),
            "no such part of unit {unit}: {part}"
        );
        self.count(unit, stop)
    }

    /// Counts a part of a unit with the method of [`Engine::recount`].
    fn recount_part(&self, unit: u64, part: u64, stop: &CancelToken) -> Result<u128, EngineError> {
        assert!(
            part < self.parts(unit),
            "no such part of unit {unit}: {part}"
        );
        self.recount(unit, stop)
    }

    /// Counts a random part of a unit: by default, one of [`Engine::parts`].
    fn probe(
        &self,
        unit: u64,
        random: &mut SplitMix64,
        stop: &CancelToken,
    ) -> Result<Probe, EngineError> {
        let parts = self.parts(unit);
        Ok(Probe {
            count: self.count_part(unit, random.below(parts), stop)?,
            inverse_probability: parts as f64,
        })
    }
}

impl fmt::Debug for dyn Engine + '_ {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("Engine")
            .field("name", &self.name())
            .field("size", &self.size())
            .finish_non_exhaustive()
    }
}

/// The backend that counts the units of an engine.
///
/// ```
/// use queencount::{Backend, Kernel};
///
/// assert_eq!(Backend::Cpu(Kernel::default()).name(), Kernel::default().name());
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Backend {
    /// A kernel on the CPU.
    Cpu(Kernel),
    /// Devices. Units that the devices decline are counted on the CPU.
    Devices,
}

impl Backend {
    /// Returns the name in records: the kernel's name, or `gpu`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Cpu(kernel) => kernel.name(),
            Self::Devices => "gpu",
        }
    }
}

/// Returns [`Engine::units_per_task`], and panics if it is 0.
pub(crate) fn units_per_task(engine: &dyn Engine) -> u64 {
    let units = engine.units_per_task();
    assert!(
        units > 0,
        "the {:?} engine has 0 units per task, expected at least 1",
        engine.name()
    );
    units
}

/// The count of a random part of a unit, as returned by [`Engine::probe`]. On average, the part's
/// count and time, multiplied by `inverse_probability`, are the count and time of the unit.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Probe {
    /// The number of solutions in this part.
    pub count: u128,
    /// The reciprocal of the probability that this part was chosen.
    pub inverse_probability: f64,
}
