//! Counting an engine's units on several threads.
//!
//! A task consists of neighbouring units. Every thread takes one task at a time, so a killed
//! process loses at most one task per thread. When no task is left, threads take over parts of
//! other threads' tasks.

#![deny(
    clippy::cast_possible_truncation,
    clippy::cast_precision_loss,
    clippy::cast_sign_loss,
    reason = "counts are exact"
)]

use std::ops::Range;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};
use std::thread::available_parallelism;
use std::time::Duration;

use crate::board::BoardSize;
use crate::cancel::{CancelToken, EngineError, Function, NEVER};
use crate::choice::EngineChoice;
use crate::clock::TaskClock;
use crate::engine::{Backend, Engine, units_per_task};
use crate::parse::ParseError;
use crate::symmetry::{Classes, ClassesError, Rotation, RotationSymmetric};

/// Counts the ways to place `n` nonattacking queens on an `n` x `n` board (OEIS A000170), on all
/// CPUs, with the fastest engine for `n`. To set the number of threads, use [`Counter`].
///
/// # Errors
/// Fails if `n` is 0 or more than 32, or if the threads cannot be started.
///
/// ```
/// assert_eq!(queencount::count(8)?, 92);
/// # Ok::<(), queencount::CountError>(())
/// ```
pub fn count(n: u32) -> Result<u128, CountError> {
    Counter::new().count(&EngineChoice::Auto.engine(BoardSize::new(n)?))
}

/// Counts the fundamental solutions of the `n` x `n` board (OEIS A002562), and the solutions in
/// each symmetry class. Takes a little longer than [`count`].
///
/// # Errors
/// Fails if `n` is 0 or more than 32, or if the threads cannot be started.
///
/// ```
/// assert_eq!(queencount::classes(8)?.fundamental(), 12);
/// # Ok::<(), queencount::CountError>(())
/// ```
pub fn classes(n: u32) -> Result<Classes, CountError> {
    let total = count(n)?;
    Counter::new().classes(BoardSize::new(n)?, total)
}

/// The maximum number of threads, unless the machine has more CPUs. A thread looking for work
/// checks all other threads: on two CPUs, N = 16 takes 0.2 s with 256 threads, 12 s with 1024, and
/// minutes with 4096.
const MOST_THREADS: usize = 256;

pub(crate) fn pool(threads: usize) -> Result<rayon::ThreadPool, CountError> {
    rayon::ThreadPoolBuilder::new()
        .num_threads(thread_count(threads))
        .build()
        .map_err(|error| CountError::Threads(error.into()))
}

pub(crate) fn thread_count(threads: usize) -> usize {
    let cpus = cpus();
    if threads == 0 {
        cpus
    } else {
        threads.min(cpus.max(MOST_THREADS))
    }
}

/// Returns the smaller of what `num_cpus` and the standard library give. Only the latter reads the
/// quotas of the control groups that contain the innermost one.
fn cpus() -> usize {
    let all = num_cpus::get().max(1);
    available_parallelism().map_or(all, |number| number.get().min(all))
}

/// A finished task: one or more neighbouring units, and the number of solutions in them.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Task {
    /// The range of units.
    pub units: Range<u64>,
    /// The task's expected fraction of the total work.
    pub work: f64,
    /// The number of solutions in these units.
    pub count: u128,
    /// The names of the [backends](Backend) that counted the units, without duplicates. Empty for
    /// engines without backends.
    pub kernels: Vec<&'static str>,
    /// The CPU time of the thread that counted the task: without pauses, and without the parts of
    /// the task that other threads took over. If a device counted units of the task, or if the
    /// platform does not measure CPU time, the elapsed time.
    pub thread_time: Duration,
}

/// Counts with any [`Engine`], with a configurable number of threads, progress reports and
/// cancellation.
///
/// ```
/// use queencount::{BoardSize, Counter, EngineChoice, Task};
///
/// let engine = EngineChoice::Backtrack.engine(BoardSize::new(10)?);
/// let counter = Counter::new().threads(2);
/// let on_task = |task: &Task| println!("units {:?}: {}", task.units, task.count);
/// assert_eq!(counter.on_task(&on_task).count(&engine)?, 724);
/// let some = counter.count_units(&engine, &[0..20])?;
/// let rest = counter.count_units(&engine, &[20..engine.units()])?;
/// assert_eq!(some + rest, 724);
/// # Ok::<(), queencount::CountError>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Counter<'a> {
    pub(crate) threads: usize,
    pub(crate) on_task: Function<&'a (dyn Fn(&Task) + Sync)>,
    pub(crate) stop: Option<&'a CancelToken>,
}

impl Default for Counter<'_> {
    fn default() -> Self {
        Self::new()
    }
}

impl<'a> Counter<'a> {
    /// Creates a counter with one thread per CPU.
    pub fn new() -> Self {
        Self {
            threads: 0,
            on_task: Function(&|_| ()),
            stop: None,
        }
    }

    /// Sets the number of threads; 0 means one per CPU. See [`Counter::thread_count`].
    #[must_use]
    pub fn threads(self, threads: usize) -> Self {
        Self { threads, ..self }
    }

    /// Calls `on_task` for each finished task, in any order, on the counting threads, possibly
    /// concurrently. `on_task` should return quickly.
    #[must_use]
    pub fn on_task(self, on_task: &'a (dyn Fn(&Task) + Sync)) -> Self {
        Self {
            on_task: Function(on_task),
            ..self
        }
    }

    /// Stops the count when `stop` is cancelled.
    #[must_use]
    pub fn stop(self, stop: &'a CancelToken) -> Self {
        Self {
            stop: Some(stop),
            ..self
        }
    }

    /// Returns the number of counting threads: at most 256, or one per CPU if that is more.
    /// Additional threads would slow each other down.
    ///
    /// CPUs are those on which this process may run. If control groups limit it to fewer, their
    /// quota is rounded down: with 1.5 CPUs, the default is one thread.
    pub fn thread_count(&self) -> usize {
        thread_count(self.threads)
    }

    /// Counts the solutions of a board in each symmetry class, given the total.
    ///
    /// # Errors
    /// Fails if the count is cancelled, the threads cannot be started, or `total` is impossible.
    pub fn classes(&self, size: BoardSize, total: u128) -> Result<Classes, CountError> {
        let half_turn = self.count(&RotationSymmetric::new(size, Rotation::Half))?;
        let quarter_turn = self.count(&RotationSymmetric::new(size, Rotation::Quarter))?;
        Ok(Classes::new(size, total, half_turn, quarter_turn)?)
    }

    /// Counts all units, and returns the number of solutions.
    ///
    /// # Errors
    /// Fails if the count is cancelled, the threads cannot be started, memory runs out, or the sum
    /// overflows.
    ///
    /// # Panics
    /// Panics if [`Engine::units_per_task`] is 0.
    pub fn count(&self, engine: &dyn Engine) -> Result<u128, CountError> {
        self.count_units(engine, std::slice::from_ref(&(0..engine.units())))
    }

    /// Counts the units in these ranges, and returns the number of solutions. A unit in two ranges
    /// is counted twice.
    ///
    /// Tasks begin at multiples of [`Engine::units_per_task`] and at the beginning of each range,
    /// so a given range is always divided into the same tasks.
    ///
    /// # Errors
    /// Fails for the same reasons as [`Counter::count`].
    ///
    /// # Panics
    /// Panics if a range exceeds [`Engine::units`], or if [`Engine::units_per_task`] is 0.
    pub fn count_units(
        &self,
        engine: &dyn Engine,
        units: &[Range<u64>],
    ) -> Result<u128, CountError> {
        // Panic now rather than after hours of counting.
        assert!(
            units
                .iter()
                .all(|range| range.is_empty() || range.end <= engine.units()),
            "no such units: {units:?}"
        );
        let tasks = Mutex::new(tasks(units, units_per_task(engine)));
        // Once a thread has failed, no thread starts a new task.
        let failed = AtomicBool::new(false);
        let pool = pool(self.threads)?;
        // With a parallel iterator, a waiting thread could start a second task.
        let counts = pool.broadcast(|_| -> Result<u128, CountError> {
            let mut sum: u128 = 0;
            while !failed.load(Ordering::Relaxed)
                && let Some(units) = next(&tasks)
            {
                let clock = TaskClock::start();
                let (count, kernels) =
                    count_task(engine, units.clone(), self.stop.unwrap_or(&NEVER))
                        .inspect_err(|_| failed.store(true, Ordering::Relaxed))?;
                let thread_time = clock.read(kernels.contains(&Backend::Devices.name()));
                let work = engine.work(units.clone());
                (self.on_task.0)(&Task {
                    units,
                    work,
                    count,
                    kernels,
                    thread_time,
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

/// The reason why a count ended without a result.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum CountError {
    /// The board size is out of range.
    #[error(transparent)]
    Size(#[from] ParseError),
    /// The engine stopped.
    #[error(transparent)]
    Engine(#[from] EngineError),
    /// The given number of solutions is impossible.
    #[error(transparent)]
    Classes(#[from] ClassesError),
    /// The threads could not be started.
    #[error("cannot start the threads")]
    Threads(#[source] Box<dyn std::error::Error + Send + Sync>),
    /// The sum of the counts overflows, so a unit was miscounted.
    #[error("the sum of the units exceeds 2^128: a count is wrong")]
    Overflow,
}

/// Divides ranges of units into tasks, at multiples of `grain` units.
pub(crate) fn tasks(units: &[Range<u64>], grain: u64) -> impl Iterator<Item = Range<u64>> {
    units
        .iter()
        .filter(|range| !range.is_empty())
        .flat_map(move |range| {
            (range.start / grain..range.end.div_ceil(grain)).map(move |task| {
                (task * grain).max(range.start)..((task + 1) * grain).min(range.end)
            })
        })
}

pub(crate) fn next<T>(items: &Mutex<impl Iterator<Item = T>>) -> Option<T> {
    items.lock().unwrap_or_else(PoisonError::into_inner).next()
}

/// Returns the number of solutions of a task, and the names of the backends, without duplicates.
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
