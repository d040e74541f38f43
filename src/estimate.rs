//! Estimates of the number of solutions and of the time to count them, from a random sample of
//! units.
//!
//! Let unit u be drawn with probability p(u). Then the expected value of count(u) / p(u) is the
//! number of solutions, and the expected value of time(u) / p(u) is the time for all units. If p(u)
//! were proportional to count(u), every draw would be exact. Therefore p(u) is chosen to be the
//! unit's fraction of the expected work. Only a random part of a long unit is counted (see
//! [`Engine::probe`]), and the result is scaled up.
//!
//! The draws are independent, so their spread gives the interval. A sample limited by time must not
//! favour quick units, so draws are made in a fixed order, and every draw that has begun is
//! included. The first eight draws show how long a draw takes. If the remaining time suffices for
//! all units, they are all counted instead of sampled.
//!
//! # What an interval covers
//!
//! The interval for the number of solutions covers the published value in 95 out of 100 samples.
//! The interval for the time does not cover changes in the speed of the machine, for example because
//! of heat or other programs. The estimated time excludes the few milliseconds that it takes to plan
//! the units and to start threads.
//!
//! # Devices
//!
//! If all threads of an engine feed [devices](Engine::devices), the estimate measures the time on
//! the devices. Threads that feed a device wait for each other. Therefore such an estimate begins
//! only after each thread has counted a unit (drivers compile their kernels during the first one),
//! and all threads keep counting until the last one has finished its draws. On a device, a probe
//! counts a whole unit.

mod forecast;
mod interval;
mod selection;

use std::ops::Range;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};
use std::{slice, thread};

use rayon::ThreadPool;

pub use self::forecast::Forecast;
pub use self::interval::Interval;
use self::interval::Moments;
use self::selection::Selection;
use crate::cancel::{CancelToken, EngineError, Function, NEVER};
use crate::clock::thread_time;
use crate::count::{self, CountError, next};
use crate::engine::backtrack::Backtrack;
use crate::engine::{Engine, Probe, units_per_task};
use crate::splitmix::SplitMix64;

/// A part that takes less time than this is timed again, right after a different part of the same
/// unit. The reason is that in a full count, consecutive parts share quarter-boards, tables and
/// lists.
const QUICK: Duration = Duration::from_millis(100);

/// The index of the first load draw. Load draws serve only to keep the threads busy.
const FIRST_LOAD_DRAW: u64 = 1 << 63;

/// Fewer draws reveal too little about the spread.
const LEAST_DRAWS: u64 = 8;

/// A brief sample ends after this time, or after this fraction of the expected time of the count.
const BRIEF: Duration = Duration::from_secs(3);
const BRIEF_SHARE: f64 = 0.005;

/// The relative error above which a brief sample goes on for three times as long.
const BRIEF_ERROR: f64 = 0.3;

/// The size of a sample.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum SampleSize {
    /// A fixed number of draws, at least 8.
    Draws(u64),
    /// As many draws as begin within this time, but at least 8. If this time seems to suffice for
    /// all units, they are all counted instead. The count is abandoned if a task would begin after
    /// 110% of this time.
    Time(Duration),
    /// As many draws as begin within three seconds, or within 0.5% of the time that a count takes
    /// if that is less, but at least 8. If they differ a lot, up to three times as long.
    Brief,
}

/// The configuration of an estimate.
///
/// ```
/// use queencount::estimate::{Estimator, SampleSize};
/// use queencount::{BoardSize, EngineChoice};
///
/// let engine = EngineChoice::Auto.engine(BoardSize::new(14)?);
/// let estimate = Estimator::new(SampleSize::Draws(64)).run_board(&engine)?;
/// assert!(estimate.total.contains(365_596.0));
/// println!("one thread takes about {:.3} seconds", estimate.seconds.mean);
/// # Ok::<(), queencount::CountError>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Estimator<'a> {
    size: SampleSize,
    units: Option<&'a [Range<u64>]>,
    seed: u64,
    threads: usize,
    stop: &'a CancelToken,
    clock: Option<Function<Clock<'a>>>,
    on_progress: Function<&'a (dyn Fn(f64) + Sync)>,
}

type Clock<'a> = &'a (dyn Fn() -> Duration + Sync);

/// The estimated number of solutions, and the estimated time that an engine takes to count them.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Estimate {
    /// The number of solutions.
    pub total: Interval,
    /// The time in seconds that one thread takes to count them. See [what the interval
    /// covers](self#what-an-interval-covers).
    pub seconds: Interval,
    /// The number of draws from which `total` was estimated, or 0 if all units were counted.
    pub total_draws: u64,
    /// The number of draws from which `seconds` was estimated, or 0 if all units were counted, and
    /// it is the time that this took.
    pub draws: u64,
    /// The exact number of solutions if all units were counted.
    pub counted: Option<u128>,
    /// The number of threads that made the draws.
    pub threads: usize,
    /// The number of devices that these threads fed, or 0 if they counted on the CPU.
    pub devices: usize,
}

impl Estimate {
    /// Returns the time in seconds on one of the [devices](Self::devices), or on one thread if there
    /// are none.
    pub fn processor_seconds(&self) -> Interval {
        match self.devices {
            0 => self.seconds,
            // A device that no thread feeds is idle.
            devices => self.seconds / (self.threads as f64 / devices as f64).max(1.0),
        }
    }
}

impl<'a> Estimator<'a> {
    /// Creates an estimator with seed 1 and one thread per CPU.
    pub fn new(size: SampleSize) -> Self {
        Self {
            size,
            units: None,
            seed: 1,
            threads: 0,
            stop: &NEVER,
            clock: None,
            on_progress: Function(&|_| ()),
        }
    }

    /// Restricts the estimate to the units in these ranges, which must not overlap. The default is
    /// all units.
    #[must_use]
    pub fn units(self, units: &'a [Range<u64>]) -> Self {
        Self {
            units: Some(units),
            ..self
        }
    }

    /// Sets the seed of the draws. Samples with the same seed and the same number of
    /// [draws](SampleSize::Draws) contain the same units.
    #[must_use]
    pub fn seed(self, seed: u64) -> Self {
        Self { seed, ..self }
    }

    /// Sets the number of threads, as [`Counter::threads`](crate::Counter::threads) does.
    #[must_use]
    pub fn threads(self, threads: usize) -> Self {
        Self { threads, ..self }
    }

    /// Stops the estimate, without a result, when `stop` is cancelled.
    #[must_use]
    pub fn stop(self, stop: &'a CancelToken) -> Self {
        Self { stop, ..self }
    }

    /// Sets a function that returns the time that the calling thread has spent so far. The default
    /// is its CPU time, which does not depend on other programs, or the wall-clock time if it feeds
    /// a [device](self#devices), because a thread that waits for a device uses no CPU time.
    #[must_use]
    pub fn clock(self, clock: Clock<'a>) -> Self {
        Self {
            clock: Some(Function(clock)),
            ..self
        }
    }

    /// Calls `on_progress` for each draw, on the thread that makes the draw, with the completed
    /// fraction of the sample.
    #[must_use]
    pub fn on_progress(self, on_progress: &'a (dyn Fn(f64) + Sync)) -> Self {
        Self {
            on_progress: Function(on_progress),
            ..self
        }
    }

    /// Samples the units of an engine. For units without work, or no units, the estimate is exactly
    /// 0.
    ///
    /// # Errors
    /// Fails if the estimate is cancelled, the threads cannot be started, or memory runs out.
    ///
    /// # Panics
    /// Panics if one of the [units](Self::units) does not exist.
    pub fn run(&self, engine: &dyn Engine) -> Result<Estimate, CountError> {
        let start = Instant::now();
        let threads = count::thread_count(self.threads);
        // Each thread gets a rayon pool of one thread, so each unit is counted and timed on a
        // single thread.
        let pools = (0..threads)
            .map(|_| count::pool(1))
            .collect::<Result<Vec<_>, _>>()?;
        let wall_clock = || start.elapsed();
        let devices = engine.devices();
        let default: Clock = if devices > 0 {
            &wall_clock
        } else {
            &thread_time
        };
        let all_units = 0..engine.units();
        let units = self.units.unwrap_or(slice::from_ref(&all_units));
        let run = Run {
            estimator: self,
            engine,
            selection: Selection::new(engine, units),
            devices,
            start,
            clock: self.clock.map_or(default, |clock| clock.0),
            pools,
            next_load_draw: FIRST_LOAD_DRAW.into(),
        };
        if run.selection.is_empty() {
            return Ok(run.counted(0, Duration::ZERO));
        }
        match self.size {
            SampleSize::Draws(draws) => {
                let draws = draws.max(LEAST_DRAWS) as f64;
                let mut sample = Sample::default();
                run.add_draws(&mut sample, &|number| number as f64 / draws)?;
                Ok(run.sampled(&sample))
            }
            SampleSize::Time(time) => run.sample_for(time),
            SampleSize::Brief => run.sample_briefly(),
        }
    }

    /// Estimates the time from a sample of `engine`, and the number of solutions from a sample of
    /// the [backtracking engine](Backtrack).
    ///
    /// Backtracking can be sampled in tiny parts, so a few seconds are enough to estimate the
    /// number of solutions to within 1%. The backtracking sample gets the last sixth of the
    /// [time](SampleSize::Time), or the same number of [draws](SampleSize::Draws) as `engine`. It
    /// is omitted if `engine` is the backtracking engine, or if all units of `engine` are counted.
    ///
    /// # Errors
    /// Fails for the same reasons as [`run`](Self::run).
    pub fn run_board(&self, engine: &dyn Engine) -> Result<Estimate, CountError> {
        let reference = Backtrack::new(engine.size());
        let is_reference = engine.name() == reference.name();
        let share = if is_reference { 1.0 } else { 5.0 / 6.0 };
        let start = Instant::now();
        let cost = self.run_part(engine, 0.0..share, |time| time.mul_f64(share))?;
        if is_reference || cost.counted.is_some() {
            return Ok(cost);
        }
        let rest = |time: Duration| time.saturating_sub(start.elapsed());
        let reference = self.run_part(&reference, share..1.0, rest)?;
        Ok(Estimate {
            total: reference.total,
            total_draws: reference.draws,
            counted: reference.counted,
            ..cost
        })
    }

    /// Makes an estimate that covers this range of the progress.
    fn run_part(
        &self,
        engine: &dyn Engine,
        progress: Range<f64>,
        limit: impl Fn(Duration) -> Duration,
    ) -> Result<Estimate, CountError> {
        let size = match self.size {
            SampleSize::Time(time) => SampleSize::Time(limit(time)),
            size => size,
        };
        let width = progress.end - progress.start;
        let on_progress = |fraction: f64| (self.on_progress.0)(progress.start + fraction * width);
        Estimator {
            size,
            on_progress: Function(&on_progress),
            ..*self
        }
        .run(engine)
    }
}

struct Run<'a> {
    estimator: &'a Estimator<'a>,
    engine: &'a dyn Engine,
    selection: Selection<'a>,
    /// The number of devices that all threads feed.
    devices: usize,
    start: Instant,
    clock: Clock<'a>,
    pools: Vec<ThreadPool>,
    next_load_draw: AtomicU64,
}

#[derive(Default)]
struct Sample {
    total: Moments,
    seconds: Moments,
}

#[derive(Default)]
struct Sums {
    count: u128,
    spent: Duration,
    work: f64,
}

/// When dropped, decrements the number of threads that are drawing the sample.
struct AtWork<'a>(&'a AtomicUsize);

impl Drop for AtWork<'_> {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::Relaxed);
    }
}

impl Run<'_> {
    /// Runs `work` on every thread. Its argument becomes true when it fails on one of them.
    fn on_every_thread(
        &self,
        work: impl Fn(&AtomicBool) -> Result<(), CountError> + Sync,
    ) -> Result<(), CountError> {
        let failed = AtomicBool::new(false);
        let run = || work(&failed).inspect_err(|_| failed.store(true, Ordering::Relaxed));
        thread::scope(|scope| {
            self.pools
                .iter()
                .map(|pool| scope.spawn(|| pool.install(run)))
                .collect::<Vec<_>>()
                .into_iter()
                .try_for_each(|worker| worker.join().expect("a thread ends with a result"))
        })
    }

    fn sample_for(&self, time: Duration) -> Result<Estimate, CountError> {
        let mut sample = self.first_sample(time)?;
        let left = time.saturating_sub(self.start.elapsed());
        if sample.seconds.interval().high() <= left.as_secs_f64() * self.pools.len() as f64
            && let Some(estimate) = self.count_until(self.start + time + time / 10)?
        {
            return Ok(estimate);
        }
        self.add_draws(&mut sample, &|_| self.elapsed_fraction(time))?;
        Ok(self.sampled(&sample))
    }

    fn sample_briefly(&self) -> Result<Estimate, CountError> {
        let mut sample = self.first_sample(BRIEF)?;
        let of_the_count = sample.seconds.interval().mean * BRIEF_SHARE / self.pools.len() as f64;
        let time = BRIEF.min(Duration::try_from_secs_f64(of_the_count).unwrap_or(BRIEF));
        self.add_draws(&mut sample, &|_| self.elapsed_fraction(time))?;
        let Interval { mean, margin } = sample.seconds.interval();
        if margin > BRIEF_ERROR * mean {
            self.add_draws(&mut sample, &|_| self.elapsed_fraction(3 * time))?;
        }
        Ok(self.sampled(&sample))
    }

    /// Makes the first draws of a sample that is limited by time.
    fn first_sample(&self, time: Duration) -> Result<Sample, CountError> {
        let mut sample = Sample::default();
        self.add_draws(&mut sample, &|number| match number {
            // More draws may follow in this time.
            ..LEAST_DRAWS => self.elapsed_fraction(time).min(0.99),
            _ => 1.0,
        })?;
        Ok(sample)
    }

    fn sampled(&self, sample: &Sample) -> Estimate {
        Estimate {
            total: sample.total.interval(),
            seconds: sample.seconds.interval(),
            total_draws: sample.total.draws,
            draws: sample.seconds.draws,
            counted: None,
            threads: self.pools.len(),
            devices: self.devices,
        }
    }

    /// Returns the result of counting all units, given the combined time of all threads.
    fn counted(&self, count: u128, spent: Duration) -> Estimate {
        Estimate {
            total: Interval::exact(count as f64),
            seconds: Interval::exact(spent.as_secs_f64()),
            total_draws: 0,
            draws: 0,
            counted: Some(count),
            threads: self.pools.len(),
            devices: self.devices,
        }
    }

    /// Adds draws to the sample until it is complete. Before each draw, `complete` takes its number
    /// and returns the fraction of the sample that is complete.
    fn add_draws(
        &self,
        sample: &mut Sample,
        complete: &(dyn Fn(u64) -> f64 + Sync),
    ) -> Result<(), CountError> {
        let first = sample.total.draws;
        let numbers = Mutex::new(
            (first..)
                .map(|number| (number, complete(number)))
                .take_while(|&(_, complete)| complete < 1.0),
        );
        let sample = Mutex::new(sample);
        let at_work = AtomicUsize::new(self.pools.len());
        self.on_every_thread(|failed| {
            let this = AtWork(&at_work);
            if self.devices > 0 && first == 0 {
                self.draw_for_load()?;
            }
            while !failed.load(Ordering::Relaxed)
                && let Some((number, complete)) = next(&numbers)
            {
                (self.estimator.on_progress.0)(complete);
                let (total, seconds) = self.draw(number)?;
                let mut sample = sample.lock().unwrap_or_else(PoisonError::into_inner);
                sample.total.add(total);
                sample.seconds.add(seconds);
            }
            drop(this);
            while self.devices > 0 && at_work.load(Ordering::Relaxed) > 0 {
                self.draw_for_load()?;
            }
            Ok(())
        })
    }

    /// Returns the elapsed fraction of a time.
    fn elapsed_fraction(&self, time: Duration) -> f64 {
        self.start.elapsed().as_secs_f64() / time.as_secs_f64()
    }

    fn draw_for_load(&self) -> Result<(), EngineError> {
        let number = self.next_load_draw.fetch_add(1, Ordering::Relaxed);
        self.draw(number).map(drop)
    }

    /// Returns the total count and time of all units, as estimated from one draw.
    fn draw(&self, number: u64) -> Result<(f64, f64), EngineError> {
        let mut random = SplitMix64::stream(self.estimator.seed, number);
        let unit = self.selection.unit_at(random.unit_interval());
        let probability = self.selection.share(unit..unit + 1);
        if probability <= 0.0 {
            // Only rounding leads to a unit without work.
            return Ok((0.0, 0.0));
        }
        let (probe, mut time) = self.timed_probe(unit, random.clone())?;
        if time < QUICK {
            self.timed_probe(unit, SplitMix64::new(random.clone().next_u64()))?;
            time = self.timed_probe(unit, random)?.1;
        }
        let weight = probe.inverse_probability / probability;
        Ok((probe.count as f64 * weight, time.as_secs_f64() * weight))
    }

    fn timed_probe(
        &self,
        unit: u64,
        mut random: SplitMix64,
    ) -> Result<(Probe, Duration), EngineError> {
        let start = (self.clock)();
        let probe = self.engine.probe(unit, &mut random, self.estimator.stop)?;
        Ok((probe, (self.clock)().saturating_sub(start)))
    }

    /// Counts all units, unless the deadline passes before the last task begins.
    fn count_until(&self, deadline: Instant) -> Result<Option<Estimate>, CountError> {
        let engine = self.engine;
        let grain = units_per_task(engine);
        let units = self.selection.units();
        let tasks = Mutex::new(count::tasks(&units, grain));
        let sums = Mutex::new(Sums::default());
        self.on_every_thread(|failed| {
            while !failed.load(Ordering::Relaxed)
                && Instant::now() < deadline
                && let Some(task) = next(&tasks)
            {
                let start = (self.clock)();
                let (count, _) = count::count_task(engine, task.clone(), self.estimator.stop)?;
                let spent = (self.clock)().saturating_sub(start);
                let mut sums = sums.lock().unwrap_or_else(PoisonError::into_inner);
                sums.count = sums.count.checked_add(count).ok_or(CountError::Overflow)?;
                sums.spent += spent;
                sums.work += self.selection.share(task);
                (self.estimator.on_progress.0)(sums.work);
            }
            Ok(())
        })?;
        let sums = sums.into_inner().unwrap_or_else(PoisonError::into_inner);
        let is_complete = next(&tasks).is_none();
        Ok(is_complete.then(|| self.counted(sums.count, sums.spent)))
    }
}
