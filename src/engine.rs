//! What an engine is: a plan of independent units, and a way to count one of them.
//!
//! A **unit** is a part of the solutions that can be counted by itself, named by an index alone. The rooms above an
//! engine (the fan-out over threads, progress, records, shards, audits) see indices and counts and nothing else, so
//! another engine fits in by implementing one trait. A unit's count depends on the board, the engine's plan and the
//! index: never on threads, machine or order.

pub mod backtrack;
mod recount;
pub mod rows;

use std::ops::Range;

use crate::board::BoardSize;
use crate::random::Random;
use crate::stop::{Stop, Stopped};

/// A way to count the solutions of one board, or a kind of them, in independent units.
///
/// [`FanOut`](crate::FanOut) counts with any engine, and so do estimates and records. Here is one that counts the ways to
/// place N nonattacking rooks. The rook of the first row stands in column `unit`.
///
/// ```
/// use queencount::{BoardSize, Engine, FanOut, Random, Stop, Stopped};
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
///     fn memory(&self, _threads: usize) -> u64 {
///         0
///     }
///
///     fn units(&self) -> u64 {
///         self.0.get().into()
///     }
///
///     fn units_per_task(&self) -> u64 {
///         1
///     }
///
///     // All units take the same time.
///     fn work_before(&self, unit: u64) -> f64 {
///         unit as f64 / self.units() as f64
///     }
///
///     // The other N - 1 rooks take the other columns in any order.
///     fn count(&self, unit: u64, _stop: &Stop) -> Result<u128, Stopped> {
///         assert!(unit < self.units(), "no such unit: {unit}");
///         Ok((1..self.units()).map(u128::from).product())
///     }
///
///     fn recount(&self, unit: u64, stop: &Stop) -> Result<u128, Stopped> {
///         (0..self.parts(unit)).map(|part| self.recount_part(unit, part, stop)).sum()
///     }
///
///     // The rook of the second row stands in one of the other columns. Thus a part is recounted sooner than the unit.
///     fn parts(&self, unit: u64) -> u64 {
///         assert!(unit < self.units(), "no such unit: {unit}");
///         (self.units() - 1).max(1)
///     }
///
///     fn count_part(&self, unit: u64, part: u64, _stop: &Stop) -> Result<u128, Stopped> {
///         assert!(part < self.parts(unit), "no such part of unit {unit}: {part}");
///         Ok((1..self.parts(unit)).map(u128::from).product())
///     }
///
///     // The other rows are filled one after another, by trying every free column.
///     fn recount_part(&self, unit: u64, part: u64, stop: &Stop) -> Result<u128, Stopped> {
///         assert!(part < self.parts(unit), "no such part of unit {unit}: {part}");
///         fn without(columns: &[u64], taken: u64) -> Vec<u64> {
///             columns.iter().copied().filter(|column| *column != taken).collect()
///         }
///         fn fill(free: &[u64], stop: &Stop) -> Result<u128, Stopped> {
///             stop.check()?;
///             if free.is_empty() { Ok(1) } else { free.iter().map(|&taken| fill(&without(free, taken), stop)).sum() }
///         }
///         let free = without(&(0..self.units()).collect::<Vec<u64>>(), unit);
///         // A board of one row has no second rook.
///         fill(&free.get(part as usize).map_or(vec![], |&second| without(&free, second)), stop)
///     }
/// }
///
/// let (rooks, stop) = (Rooks(BoardSize::new(8)?), Stop::new());
/// assert_eq!(FanOut::default().count(&rooks)?, 40_320);
/// assert_eq!(rooks.count(3, &stop)?, rooks.recount(3, &stop)?);
/// assert_eq!(rooks.count_part(3, 5, &stop)?, rooks.recount_part(3, 5, &stop)?);
/// // Estimates count a random part. Here all parts are alike.
/// let probe = rooks.probe(3, &mut Random::new(1), &stop)?;
/// assert_eq!((probe.count, probe.scale), (720, 7.0));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub trait Engine: Send + Sync {
    /// The engine's name, as the command line spells it.
    fn name(&self) -> &'static str;

    /// The board whose solutions are counted.
    fn size(&self) -> BoardSize;

    /// What the numbering of the units depends on beside the board, in a form that is compared and shown: empty where
    /// nothing else matters. Records of different parameters do not mix, so an engine that changes the meaning of its
    /// unit numbers has to change this text, too.
    fn parameters(&self) -> String {
        String::new()
    }

    /// The kernel that does the counting on this machine, for an engine that has several; of an engine whose units
    /// devices count, `gpu`. No count depends on it.
    fn kernel(&self) -> Option<&'static str> {
        None
    }

    /// About how many bytes counting on this number of threads takes.
    fn memory(&self, threads: usize) -> u64;

    /// The number of units. They are numbered from 0; their counts sum to the number of solutions.
    fn units(&self) -> u64;

    /// The number of neighbouring units that make one task: enough for a task to be worth scheduling, few enough for
    /// tasks to balance and to show progress. At least 1.
    fn units_per_task(&self) -> u64;

    /// The share of the whole work, from 0 to 1, that the units before `unit` are expected to cost. An estimate for
    /// progress bars and schedules. It is 0 for unit 0 and 1 for `units()`. It grows with every unit that may have
    /// solutions, because units are sampled by it (see [`crate::estimate`]).
    fn work_before(&self, unit: u64) -> f64;

    /// The share of the whole work that these units are expected to cost.
    fn work(&self, units: Range<u64>) -> f64 {
        self.work_before(units.end) - self.work_before(units.start)
    }

    /// The number of solutions that belong to a unit, symmetric weights included.
    ///
    /// A unit may spread over the rayon thread pool that it is called in.
    ///
    /// # Errors
    /// [`Stopped`], soon after `stop` has been requested.
    ///
    /// # Panics
    /// When `unit` is not below [`Engine::units`].
    fn count(&self, unit: u64, stop: &Stop) -> Result<u128, Stopped>;

    /// A number that divides the count of each of these units: that of the images for which each of their solutions is
    /// counted, as far as it is the same for all. A count that it does not divide is no count of theirs. By default 1,
    /// which divides all.
    ///
    /// ```
    /// use queencount::{BoardSize, EngineChoice};
    ///
    /// // Without middle rows, column sets are counted for two images or four.
    /// assert_eq!(EngineChoice::Rows.engine(BoardSize::new(22)?).divisor(0..10), 2);
    /// // For odd N, beside a queen that is not in the centre of the middle row, each is counted for eight images.
    /// let engine = EngineChoice::Rows.engine(BoardSize::new(21)?);
    /// assert_eq!((engine.divisor(engine.units() - 2..engine.units()), engine.divisor(0..engine.units())), (8, 2));
    /// # Ok::<(), queencount::BoardSizeError>(())
    /// ```
    ///
    /// # Panics
    /// When there are no such units.
    fn divisor(&self, units: Range<u64>) -> u64 {
        assert!(units.start < units.end && units.end <= self.units(), "no such units: {units:?}");
        1
    }

    /// Counts neighbouring units, and hands over their counts in their order, each with the kernel that has counted: a
    /// device beside the CPU may leave some units to it. For an engine that keeps memory from one unit to the next; this
    /// default counts unit by unit.
    ///
    /// # Errors
    /// [`Stopped`], soon after `stop` has been requested.
    ///
    /// # Panics
    /// When the units end beyond [`Engine::units`].
    fn count_each(
        &self,
        units: Range<u64>,
        stop: &Stop,
        counted: &mut dyn FnMut(u128, Option<&'static str>),
    ) -> Result<(), Stopped> {
        for unit in units {
            stop.check()?;
            counted(self.count(unit, stop)?, self.kernel());
        }
        Ok(())
    }

    /// Counts the same unit by an independent method: one that shares no code with [`Engine::count`] but the rules of the
    /// game, not even that which says what the unit is, and is plain enough to be believed, however slow. An audit compares
    /// the two.
    ///
    /// # Errors
    /// [`Stopped`], soon after `stop` has been requested.
    ///
    /// # Panics
    /// When `unit` is not below [`Engine::units`].
    fn recount(&self, unit: u64, stop: &Stop) -> Result<u128, Stopped>;

    /// The number of parts of a unit; they are numbered from 0. An engine whose units take long to recount cuts them
    /// into parts that do not. What they are is said by the method of [`Engine::recount`]: so the counts of all parts sum to
    /// [`Engine::count`] only if the engine knows what the unit is. By default a unit is its only part.
    ///
    /// ```
    /// use queencount::{BoardSize, EngineChoice, Stop};
    ///
    /// let (engine, stop) = (EngineChoice::Rows.engine(BoardSize::new(20)?), Stop::new());
    /// assert_eq!(engine.parts(100), 256);
    /// assert_eq!(engine.count_part(100, 7, &stop)?, engine.recount_part(100, 7, &stop)?);
    ///
    /// let engine = EngineChoice::Rows.engine(BoardSize::new(10)?);
    /// assert_eq!(engine.parts(1), 1);
    /// assert_eq!(engine.count_part(1, 0, &stop)?, engine.count(1, &stop)?);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Panics
    /// When `unit` is not below [`Engine::units`].
    fn parts(&self, unit: u64) -> u64 {
        assert!(unit < self.units(), "no such unit: {unit}");
        1
    }

    /// The number of solutions that belong to a part of a unit, found by the method of [`Engine::count`]. The counts of
    /// all parts sum to the count of the unit, unless one of both methods is wrong.
    ///
    /// # Errors
    /// [`Stopped`], soon after `stop` has been requested.
    ///
    /// # Panics
    /// When `unit` is not below [`Engine::units`], or `part` is not below its [`Engine::parts`].
    fn count_part(&self, unit: u64, part: u64, stop: &Stop) -> Result<u128, Stopped> {
        assert!(part < self.parts(unit), "no such part of unit {unit}: {part}");
        self.count(unit, stop)
    }

    /// Counts the same part by the method of [`Engine::recount`]. The recounts of all parts sum to the recount of the
    /// unit.
    ///
    /// # Errors
    /// [`Stopped`], soon after `stop` has been requested.
    ///
    /// # Panics
    /// When `unit` is not below [`Engine::units`], or `part` is not below its [`Engine::parts`].
    fn recount_part(&self, unit: u64, part: u64, stop: &Stop) -> Result<u128, Stopped> {
        assert!(part < self.parts(unit), "no such part of unit {unit}: {part}");
        self.recount(unit, stop)
    }

    /// Counts a random part of a unit, drawn with the help of `random`: the count times the scale is expected to be the
    /// count of the unit, and the time taken times the scale the time of the unit. An engine whose units may take
    /// longer than an estimate can wait for should count a small part; this default counts one of [`Engine::parts`].
    ///
    /// # Errors
    /// [`Stopped`], soon after `stop` has been requested.
    ///
    /// # Panics
    /// When `unit` is not below [`Engine::units`].
    fn probe(&self, unit: u64, random: &mut Random, stop: &Stop) -> Result<Probe, Stopped> {
        let parts = self.parts(unit);
        Ok(Probe { count: self.count_part(unit, random.below(parts), stop)?, scale: parts as f64 })
    }
}

/// [`Engine::units_per_task`] of an engine that keeps its promise.
///
/// # Panics
/// When a task would have no units.
pub(crate) fn units_per_task(engine: &dyn Engine) -> u64 {
    let units = engine.units_per_task();
    assert!(units > 0, "the engine {:?} says 0 units per task, expected at least 1", engine.name());
    units
}

/// The count of a random part of a unit, see [`Engine::probe`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Probe {
    /// The number of solutions in this part, symmetric weights included.
    pub count: u128,
    /// The inverse of the chance that this part was drawn; for an empty part it still says what the time stands for.
    pub scale: f64,
}
