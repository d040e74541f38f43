//! The fan-out: the units of an engine over the threads of a pool, and their counts into one sum.
//!
//! Neighbouring units form tasks. Every thread takes the next task until none is left, and has only one in hand. So a
//! process that dies loses one task for each thread. A thread that finds no task left helps with the pieces that the
//! others have made of theirs; that is why all threads finish together. Each finished task is shown to an [`Observer`]:
//! progress bars and records are made of that. Before each unit the [`Stop`] is asked whether to go on.

use std::ops::Range;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use super::error::CountError;
use crate::engine::{Engine, units_per_task};
use crate::stop::Stop;

/// The number of threads that is meant: 0 stands for one for each CPU.
pub(crate) fn threads_meant(threads: usize) -> usize {
    if threads == 0 { num_cpus::get() } else { threads }
}

/// A pool of this number of threads, not shared with any other count; 0 stands for one for each CPU.
pub(crate) fn pool(threads: usize) -> Result<rayon::ThreadPool, CountError> {
    let builder = rayon::ThreadPoolBuilder::new().num_threads(threads_meant(threads));
    builder.build().map_err(|error| CountError::Threads(error.into()))
}

/// Somebody who watches a count, task by task.
///
/// The methods are called on the threads that count, so they should return soon.
///
/// ```
/// use std::sync::Mutex;
///
/// use queencount::{Counter, Observer, Task};
///
/// #[derive(Default)]
/// struct Progress(Mutex<f64>);
///
/// impl Observer for Progress {
///     fn counted(&self, task: &Task) {
///         let mut done = self.0.lock().unwrap();
///         *done += task.work;
///         println!("{:.0} % done", 100.0 * *done);
///     }
/// }
///
/// let progress = Progress::default();
/// Counter::new(9)?.observer(&progress).count()?;
/// assert!((progress.0.into_inner().unwrap() - 1.0).abs() < 1e-6);
/// # Ok::<(), queencount::CountError>(())
/// ```
pub trait Observer: Sync {
    /// Counting starts, with this engine. Called once for each count, before any task is shown.
    fn started(&self, _engine: &dyn Engine) {}

    /// A task has been finished. Called once for each task, from several threads at once, in no particular order.
    fn counted(&self, task: &Task);
}

/// A finished task: some neighbouring units, and the number of solutions that belong to them.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Task {
    /// The range of units.
    pub units: Range<u64>,
    /// The share of the whole work, from 0 to 1, that these units were expected to cost. The shares of all tasks of a board
    /// sum to 1.
    pub work: f64,
    /// The sum of their counts.
    pub count: u128,
    /// The kernels that have counted them, each once: one, unless a device has left some of the units to the CPU; none
    /// for an engine that has none to choose from, and for an audit, which counts by other means, too.
    pub kernels: Vec<&'static str>,
    /// The time from its start to its end. A thread that waits for pieces of this task may work on pieces of another
    /// one meanwhile, so the times of all tasks may sum to more than the threads have spent.
    pub elapsed: Duration,
}

impl Task {
    /// Units of an engine, what they count, by which kernels, and how long it took.
    pub(crate) fn new(
        engine: &dyn Engine,
        units: Range<u64>,
        count: u128,
        kernels: Vec<&'static str>,
        elapsed: Duration,
    ) -> Self {
        let work = engine.work_before(units.end) - engine.work_before(units.start);
        Self { units, work, count, kernels, elapsed }
    }
}

/// Counts with any [`Engine`]: on how many threads, and who watches and stops it.
///
/// ```
/// use queencount::{BoardSize, Engine, EngineChoice, FanOut};
///
/// let engine = EngineChoice::Backtrack.plan(BoardSize::new(10)?);
/// let fan_out = FanOut::default().threads(2);
/// assert_eq!(fan_out.count(engine.as_ref())?, 724);
///
/// // Some of the units, and the rest of them.
/// let cut = engine.units() / 3;
/// let some = fan_out.count_units(engine.as_ref(), &[0..cut])?;
/// let rest = fan_out.count_units(engine.as_ref(), &[cut..engine.units()])?;
/// assert_eq!(some + rest, 724);
/// # Ok::<(), queencount::CountError>(())
/// ```
#[derive(Clone, Copy)]
pub struct FanOut<'a> {
    pub(crate) threads: usize,
    pub(crate) observer: &'a dyn Observer,
    pub(crate) stop: Option<&'a Stop>,
}

impl Default for FanOut<'_> {
    /// One thread for each CPU, watched by nobody, never stopped.
    fn default() -> Self {
        struct Nobody;
        impl Observer for Nobody {
            fn counted(&self, _task: &Task) {}
        }
        Self { threads: threads_meant(0), observer: &Nobody, stop: None }
    }
}

impl<'a> FanOut<'a> {
    /// Counts on this number of threads; 0 stands for one for each CPU.
    pub fn threads(self, threads: usize) -> Self {
        Self { threads: threads_meant(threads), ..self }
    }

    /// Shows each finished task to `observer`.
    pub fn observer(self, observer: &'a dyn Observer) -> Self {
        Self { observer, ..self }
    }

    /// Ends a count early when `stop` is requested.
    pub fn stop(self, stop: &'a Stop) -> Self {
        Self { stop: Some(stop), ..self }
    }

    /// The stop that was given, or one that nobody can request.
    pub(crate) fn stop_or_never(&self) -> &'a Stop {
        static NEVER: Stop = Stop::new();
        self.stop.unwrap_or(&NEVER)
    }

    /// Counts all units: the number of solutions.
    ///
    /// # Errors
    /// When the count was stopped, the system grants no threads, or the sum passes 2^128.
    ///
    /// # Panics
    /// When [`Engine::units_per_task`] is 0.
    pub fn count(&self, engine: &dyn Engine) -> Result<u128, CountError> {
        self.count_units(engine, std::slice::from_ref(&(0..engine.units())))
    }

    /// Counts some ranges of units: the number of solutions that belong to them. A unit in two ranges counts twice.
    ///
    /// Tasks begin at multiples of [`Engine::units_per_task`] and where a range begins, so a range is cut into the same
    /// tasks whenever it is counted.
    ///
    /// # Errors
    /// When the count was stopped, the system grants no threads, or the sum passes 2^128.
    ///
    /// # Panics
    /// When a range ends beyond the units of the engine, or [`Engine::units_per_task`] is 0.
    pub fn count_units(&self, engine: &dyn Engine, units: &[Range<u64>]) -> Result<u128, CountError> {
        // Said before hours of counting, not after.
        assert!(units.iter().all(|range| range.is_empty() || range.end <= engine.units()), "no such units: {units:?}");
        let tasks = Tasks::new(units, units_per_task(engine));
        let pool = pool(self.threads)?;
        self.observer.started(engine);
        let next = AtomicU64::new(0);
        // Not a parallel iterator: it would hand a thread that waits for a piece of its task another task meanwhile.
        let counts = pool.broadcast(|_| -> Result<u128, CountError> {
            let mut count: u128 = 0;
            loop {
                // Nothing but the number itself passes between the threads.
                let index = next.fetch_add(1, Ordering::Relaxed);
                if index >= tasks.number {
                    return Ok(count);
                }
                count = count.checked_add(self.finish(engine, tasks.units(index))?).ok_or(CountError::Overflow)?;
            }
        });
        counts.into_iter().try_fold(0, |sum: u128, count| sum.checked_add(count?).ok_or(CountError::Overflow))
    }

    /// Counts a task and shows it.
    fn finish(&self, engine: &dyn Engine, units: Range<u64>) -> Result<u128, CountError> {
        let start = Instant::now();
        let (mut sum, mut kernels): (Option<u128>, Vec<_>) = (Some(0), Vec::new());
        engine.count_each(units.clone(), self.stop_or_never(), &mut |count, kernel| {
            sum = sum.and_then(|sum| sum.checked_add(count));
            kernels.extend(kernel.filter(|kernel| !kernels.contains(kernel)));
        })?;
        let count = sum.ok_or(CountError::Overflow)?;
        self.observer.counted(&Task::new(engine, units, count, kernels, start.elapsed()));
        Ok(count)
    }
}

/// The tasks of some ranges of units. They are numbered from 0.
struct Tasks<'a> {
    /// The most units of a task.
    grain: u64,
    /// The ranges, without empty ones.
    ranges: Vec<&'a Range<u64>>,
    /// The first task of each range.
    first: Vec<u64>,
    /// The number of tasks.
    number: u64,
}

impl<'a> Tasks<'a> {
    fn new(units: &'a [Range<u64>], grain: u64) -> Self {
        let mut tasks = Self { grain, ranges: Vec::new(), first: Vec::new(), number: 0 };
        for range in units.iter().filter(|range| !range.is_empty()) {
            tasks.ranges.push(range);
            tasks.first.push(tasks.number);
            tasks.number += range.end.div_ceil(grain) - range.start / grain;
        }
        tasks
    }

    /// The units of a task.
    fn units(&self, task: u64) -> Range<u64> {
        let at = self.first.partition_point(|&first| first <= task) - 1;
        let range = self.ranges[at];
        let begin = (range.start / self.grain + task - self.first[at]) * self.grain;
        begin.max(range.start)..(begin + self.grain).min(range.end)
    }
}
