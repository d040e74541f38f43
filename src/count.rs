//! Counting in one call, [`count`] and [`classes`], and the counter that does it: the units of an
//! engine over the threads of a pool, and their counts into one sum.
//!
//! Neighbouring units form tasks. Every thread takes the next task until none is left, so a process
//! that dies loses one task for each thread. A thread that finds no task left helps with the pieces
//! that the others have cut theirs into, so all threads finish together.

use std::fmt;
use std::ops::Range;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use crate::board::{BoardSize, BoardSizeError};
use crate::cancel::{CancelToken, EngineError, NEVER};
use crate::choice::EngineChoice;
use crate::engine::{Backend, Engine, units_per_task};
use crate::symmetry::{Classes, ClassesError, Rotation, RotationSymmetric};

/// The number of ways to place `n` nonattacking queens on an `n` x `n` board (OEIS A000170).
///
/// It is counted on every CPU, by the engine that is fastest for `n`. The time grows about
/// eightfold from `n` to `n + 1`. With [`Counter`] the caller chooses the engine, the threads and
/// more.
///
/// # Errors
/// When `n` is 0 or more than 32, or the system grants no threads.
///
/// ```
/// assert_eq!(queencount::count(8)?, 92);
/// # Ok::<(), queencount::CountError>(())
/// ```
pub fn count(n: u32) -> Result<u128, CountError> {
    Counter::default().count(&EngineChoice::Auto.engine(BoardSize::new(n)?))
}

/// Counts the solutions of the `n` x `n` board by symmetry: the number of fundamental solutions
/// (OEIS A002562) and the numbers from which it follows.
///
/// Besides all solutions it counts those that [rotations](RotationSymmetric) leave unchanged, which
/// takes little longer than [`count`].
///
/// # Errors
/// When `n` is 0 or more than 32, or the system grants no threads.
///
/// ```
/// let classes = queencount::classes(8)?;
/// assert_eq!(classes.total(), 92);
/// assert_eq!(classes.fundamental(), 12);
/// # Ok::<(), queencount::CountError>(())
/// ```
pub fn classes(n: u32) -> Result<Classes, CountError> {
    let total = count(n)?;
    Counter::default().classes(BoardSize::new(n)?, total)
}

/// More threads than these, or than there are CPUs, only hinder each other: one that looks for work
/// looks at all others. On two CPUs N = 16 takes 0.2 s with 256 threads, 12 s with 1024, and
/// minutes with 4096.
const MOST_THREADS: usize = 256;

/// Starts a pool of threads for a single count; 0 stands for one thread per CPU.
pub(crate) fn pool(threads: usize) -> Result<rayon::ThreadPool, CountError> {
    let builder = rayon::ThreadPoolBuilder::new().num_threads(thread_count(threads));
    builder
        .build()
        .map_err(|error| CountError::Threads(error.into()))
}

pub(crate) fn thread_count(threads: usize) -> usize {
    let cpus = num_cpus::get();
    if threads == 0 {
        cpus
    } else {
        threads.min(cpus.max(MOST_THREADS))
    }
}

/// A finished task: some neighbouring units, and the number of solutions that belong to them.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Task {
    /// The range of units.
    pub units: Range<u64>,
    /// The share of the whole work, from 0 to 1, that these units were expected to cost. The shares
    /// of all tasks of a board sum to 1.
    pub work: f64,
    /// The sum of their counts.
    pub count: u128,
    /// The kernels that have counted them, each once: usually one; two if a GPU left units to the
    /// CPU; none for engines without kernels and for audits.
    pub kernels: Vec<&'static str>,
    /// The time from its start to its end. A thread that waits for pieces of this task may work on
    /// pieces of another one meanwhile, so the times of all tasks may sum to more than the threads
    /// have spent.
    pub elapsed: Duration,
}

/// How to count with any [`Engine`]: on how many threads, with which observer and which stop. Each
/// setting has a default.
///
/// ```
/// use queencount::{BoardSize, Engine, EngineChoice, Counter, Task};
///
/// let engine = EngineChoice::Backtrack.engine(BoardSize::new(10)?);
/// let observer = |task: &Task| println!("{:.0} % more are done", 100.0 * task.work);
/// let counter = Counter::default().threads(2).on_task(&observer);
/// assert_eq!(counter.count(engine.as_ref())?, 724);
///
/// // Some of the units, and the rest of them.
/// let cut = engine.units() / 3;
/// let some = counter.count_units(engine.as_ref(), &[0..cut])?;
/// let rest = counter.count_units(engine.as_ref(), &[cut..engine.units()])?;
/// assert_eq!(some + rest, 724);
/// # Ok::<(), queencount::CountError>(())
/// ```
#[derive(Clone, Copy)]
pub struct Counter<'a> {
    pub(crate) threads: usize,
    pub(crate) on_task: &'a (dyn Fn(&Task) + Sync),
    pub(crate) stop: Option<&'a CancelToken>,
}

impl fmt::Debug for Counter<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("Counter")
            .field("threads", &self.threads)
            .field("stop", &self.stop)
            .finish_non_exhaustive()
    }
}

impl Default for Counter<'_> {
    /// One thread for each CPU, no observer, no stop.
    fn default() -> Self {
        Self {
            threads: 0,
            on_task: &|_| (),
            stop: None,
        }
    }
}

impl<'a> Counter<'a> {
    /// Sets the number of threads; 0 stands for one per CPU. See [`Counter::thread_count`].
    #[must_use]
    pub fn threads(self, threads: usize) -> Self {
        Self { threads, ..self }
    }

    /// Calls `on_task` for each finished task, once and in no particular order. It is called on the
    /// threads that count, also concurrently, so it should return soon.
    #[must_use]
    pub fn on_task(self, on_task: &'a (dyn Fn(&Task) + Sync)) -> Self {
        Self { on_task, ..self }
    }

    /// Ends a count early when `stop` is cancelled.
    #[must_use]
    pub fn stop(self, stop: &'a CancelToken) -> Self {
        Self {
            stop: Some(stop),
            ..self
        }
    }

    /// Returns the token that was given, or one that nobody cancels.
    pub(crate) fn stop_or_never(&self) -> &'a CancelToken {
        self.stop.unwrap_or(&NEVER)
    }

    /// Returns the number of threads that count: at most 256, or one per CPU if that is more,
    /// because more would slow each other down.
    pub fn thread_count(&self) -> usize {
        thread_count(self.threads)
    }

    /// Counts the solutions of a board by symmetry, given the number of all its solutions.
    ///
    /// ```
    /// use queencount::{BoardSize, Counter};
    ///
    /// let classes = Counter::default().classes(BoardSize::new(20)?, 39_029_188_884)?;
    /// assert_eq!(classes.fundamental(), 4_878_666_808);
    /// # Ok::<(), queencount::CountError>(())
    /// ```
    ///
    /// # Errors
    /// When the count is cancelled, the system grants no threads, or `total` is impossible.
    pub fn classes(&self, size: BoardSize, total: u128) -> Result<Classes, CountError> {
        let half_turn = self.count(&RotationSymmetric::new(size, Rotation::Half))?;
        let quarter_turn = self.count(&RotationSymmetric::new(size, Rotation::Quarter))?;
        Ok(Classes::new(size, total, half_turn, quarter_turn)?)
    }

    /// Counts all units: the number of solutions.
    ///
    /// # Errors
    /// When the count was stopped, the system grants no threads or memory, or the sum passes 2^128.
    ///
    /// # Panics
    /// When [`Engine::units_per_task`] is 0.
    pub fn count(&self, engine: &dyn Engine) -> Result<u128, CountError> {
        self.count_units(engine, std::slice::from_ref(&(0..engine.units())))
    }

    /// Counts some ranges of units: the number of solutions that belong to them. A unit in two
    /// ranges counts twice.
    ///
    /// Tasks begin at multiples of [`Engine::units_per_task`] and where a range begins, so a range
    /// is cut into the same tasks whenever it is counted.
    ///
    /// # Errors
    /// When the count was stopped, the system grants no threads or memory, or the sum passes 2^128.
    ///
    /// # Panics
    /// When a range ends beyond the units of the engine, or [`Engine::units_per_task`] is 0.
    pub fn count_units(
        &self,
        engine: &dyn Engine,
        units: &[Range<u64>],
    ) -> Result<u128, CountError> {
        // Said before hours of counting, not after.
        assert!(
            units
                .iter()
                .all(|range| range.is_empty() || range.end <= engine.units()),
            "no such units: {units:?}"
        );
        let tasks = Mutex::new(tasks(units, units_per_task(engine)));
        let next = || tasks.lock().unwrap_or_else(PoisonError::into_inner).next();
        // What one thread has no memory for, another should not begin.
        let failed = AtomicBool::new(false);
        let pool = pool(self.threads)?;
        // Not a parallel iterator: it would hand a thread that waits for a piece of its task
        // another task meanwhile.
        let counts = pool.broadcast(|_| -> Result<u128, CountError> {
            let mut sum: u128 = 0;
            while let Some(units) = next().filter(|_| !failed.load(Ordering::Relaxed)) {
                let start = Instant::now();
                let (count, kernels) = count_task(engine, units.clone(), self.stop_or_never())
                    .inspect_err(|_| failed.store(true, Ordering::Relaxed))?;
                let work = engine.work(units.clone());
                (self.on_task)(&Task {
                    units,
                    work,
                    count,
                    kernels,
                    elapsed: start.elapsed(),
                });
                sum = sum.checked_add(count).ok_or(CountError::Overflow)?;
            }
            Ok(sum)
        });
        counts.into_iter().try_fold(0, |sum: u128, count| {
            sum.checked_add(count?).ok_or(CountError::Overflow)
        })
    }
}

/// What keeps a count from its result.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum CountError {
    /// There is no such board.
    #[error(transparent)]
    Size(#[from] BoardSizeError),
    /// The count was stopped on request.
    #[error("stopped before the count was complete")]
    Cancelled,
    /// The system has no memory for the next list of an engine. Fewer threads, or less memory for
    /// each, may help; what is on record stays.
    #[error("out of memory")]
    Memory,
    /// The number of solutions that was given cannot be right.
    #[error(transparent)]
    Classes(#[from] ClassesError),
    /// The system did not grant the threads.
    #[error("cannot start the threads")]
    Threads(#[source] Box<dyn std::error::Error + Send + Sync>),
    /// The sum passed 2^128, which no board of 32 rows can: a unit's count was wrong.
    #[error("the sum of the units passes 2^128: a count is wrong")]
    Overflow,
}

impl From<EngineError> for CountError {
    fn from(stopped: EngineError) -> Self {
        match stopped {
            EngineError::Cancelled => Self::Cancelled,
            EngineError::OutOfMemory => Self::Memory,
        }
    }
}

/// Ranges of units cut into tasks of at most `grain` units: at its multiples, and where a range
/// begins and ends.
pub(crate) fn tasks(units: &[Range<u64>], grain: u64) -> impl Iterator<Item = Range<u64>> {
    units
        .iter()
        .filter(|range| !range.is_empty())
        .flat_map(move |range| {
            let task = move |task: u64| {
                (task * grain).max(range.start)..((task + 1) * grain).min(range.end)
            };
            (range.start / grain..range.end.div_ceil(grain)).map(task)
        })
}

/// Counts a task: the number of solutions, and the kernels that have counted, each once.
pub(crate) fn count_task(
    engine: &dyn Engine,
    units: Range<u64>,
    stop: &CancelToken,
) -> Result<(u128, Vec<&'static str>), CountError> {
    let mut sum: u128 = 0;
    let mut kernels = Vec::new();
    for unit in units {
        stop.check()?;
        let (count, backend) = engine.count_by_backend(unit, stop)?;
        sum = sum.checked_add(count).ok_or(CountError::Overflow)?;
        let kernel = backend.map(Backend::name);
        kernels.extend(kernel.filter(|kernel| !kernels.contains(kernel)));
    }
    Ok((sum, kernels))
}
