//! Estimates: what a count will be, and cost, from a random sample of its units.
//!
//! Let unit u be drawn with the chance p(u). Then the expected value of count(u) / p(u) is the
//! number of solutions, and that of its time, divided by p(u), is the time of all units. With p(u)
//! proportional to count(u) every draw would be exact. The work that the plan expects of a unit is
//! nearly proportional to its count, so units are drawn by it. Of a unit that takes long a random
//! part is counted (see [`Engine::probe`]), which is one more factor of the chance.
//!
//! ```text
//!   work   0 |----|--|-------|---|----|--|-----|------|---| 1      one box a unit, as wide as its expected work
//!   strata   |   x    x   |     x x    |  x       x  |  ..         each is drawn from equally often, evenly
//! ```
//!
//! Neighbouring units are alike. So draws are made in strata of equal work, in turn, and the
//! interval follows from the spread within each stratum. A sample that ends when its time is up
//! must not prefer quick units: draws are numbered, and every draw that was begun enters into the
//! result. The first eight tell how long a draw takes. If the time suffices to count all units,
//! they are counted instead; if it suffices for two draws in each of sixteen strata, the sample
//! begins anew with these.
//!
//! # What an interval covers
//!
//! The interval of the number of solutions covers the published value in 95 of 100 samples. That of
//! the time covers what the count would take on the machine as it was during the sample, not what
//! other programs or heat change afterwards. It is the wider one of two, by strata and by how the
//! means of sixteen consecutive blocks differ. Left out is what each count takes once, some
//! milliseconds: to make the plan and to start the threads.
//!
//! # Devices
//!
//! Threads that feed a device wait for each other there. So an estimate [under
//! load](Estimator::under_load) begins when each thread has counted a unit, because drivers compile
//! for the first one, and threads that have finished go on for nothing until the last one has. A
//! probe counts a whole unit there.

mod interval;

use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use rayon::ThreadPool;

use self::interval::Draws;
pub use self::interval::Interval;
use crate::cancel::{CancelToken, EngineError};
use crate::count::{self, CountError};
use crate::engine::{Engine, units_per_task};
use crate::splitmix::SplitMix64;

/// The number of strata of a sample that is large enough to have two draws in each.
const STRATA: u64 = 16;

/// The number of strata of a sample whose draws take so long that there is no time for more.
const FEW_STRATA: u64 = LEAST_DRAWS / 2;

/// In a count the quarter-boards, tables and lists of the part before are neighbours of those of
/// the next, in a sample they are not. So a part that takes less time than this is counted again,
/// after another part of its unit, and that time is taken.
const QUICK: Duration = Duration::from_millis(100);

/// Draws of the sample have smaller numbers.
const FOR_NOTHING: u64 = 1 << 63;

/// Fewer draws than these say next to nothing of their own spread.
const LEAST_DRAWS: u64 = 8;

/// How large a sample is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SampleSize {
    /// This number of draws; fewer than 8 are taken for 8.
    Draws(u64),
    /// All draws that are begun within this time, and at least 8. If the first draws say that the
    /// time suffices to count all units, they are counted, and there is no sample.
    Time(Duration),
}

/// An estimate in preparation: how large the sample is, and how it is made.
///
/// ```
/// use queencount::estimate::{Estimator, SampleSize};
/// use queencount::{BoardSize, EngineChoice, CancelToken};
///
/// let engine = EngineChoice::Backtrack.engine(BoardSize::new(14)?);
/// let (size, stop) = (SampleSize::Draws(64), CancelToken::new());
/// let estimator = Estimator { size, seed: 1, threads: 0, under_load: false, stop: &stop };
/// let estimate = estimator.run(engine.as_ref())?;
///
/// let total = estimate.total;
/// println!("about {:.0} solutions, give or take {:.0}", total.mean, total.margin);
/// assert!(total.contains(365_596.0));
/// println!("one thread takes about {:.3} seconds", estimate.seconds.mean);
/// # Ok::<(), queencount::CountError>(())
/// ```
#[derive(Clone, Copy)]
pub struct Estimator<'a> {
    /// The number of draws, or their time.
    pub size: SampleSize,
    /// The seed of the draws. [`SampleSize::Draws`] with the same seed draws the same units.
    pub seed: u64,
    /// The number of threads that count; 0 stands for one for each CPU.
    pub threads: usize,
    /// Whether each draw is made while all threads are at work, because they get in each other's
    /// way: those that feed [devices](self#devices). Each thread counts some units for nothing,
    /// before the sample and behind it.
    pub under_load: bool,
    /// Who may end it early. Then it has no result.
    pub stop: &'a CancelToken,
}

/// What a count is and costs, estimated from a sample.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Estimate {
    /// The number of solutions.
    pub total: Interval,
    /// The time that one thread would take to count them, in seconds. [What the interval
    /// covers](self#what-an-interval-covers) is told above.
    pub seconds: Interval,
    /// The number of draws; 0 if there was no sample.
    pub draws: u64,
    /// The number of solutions, if all units were counted in place of a sample. Then both margins
    /// are 0: the total is exact, and the time is what this count took.
    pub counted: Option<u128>,
    /// The number of threads that made the draws.
    pub threads: usize,
    /// The time from the first draw to the last.
    pub elapsed: Duration,
}

impl Estimate {
    /// The time that each of so many devices would take if they shared the count, times their
    /// number, in seconds. The sample has to be [under load](Estimator::under_load): then threads
    /// wait for the devices side by side.
    pub fn device_seconds(&self, devices: usize) -> Interval {
        // A device without a thread does nothing.
        let at_once = (self.threads as f64 / devices as f64).max(1.0);
        Interval {
            mean: self.seconds.mean / at_once,
            margin: self.seconds.margin / at_once,
        }
    }
}

/// Tells how much time a thread has spent so far; called on that thread.
type Clock<'a> = &'a (dyn Fn() -> Duration + Sync);

impl Estimator<'_> {
    /// Samples the units of an engine. An engine without units has the estimate 0, which is exact.
    ///
    /// # Errors
    /// When the estimate was stopped, or the system grants no threads.
    pub fn run(&self, engine: &dyn Engine) -> Result<Estimate, CountError> {
        let start = Instant::now();
        self.run_with(engine, &|| start.elapsed(), &|_| ())
    }

    /// The same with a clock and an observer of one's own.
    ///
    /// The `clock` tells how much the calling thread has spent so far. That may be its time on a
    /// CPU, which other programs do not change, or anything else that is to be estimated. After
    /// each draw `progress` hears the share of the sample that is made, from 0 to 1; it is called
    /// on the threads that count.
    ///
    /// # Errors
    /// When the estimate was stopped, or the system grants no threads.
    pub fn run_with(
        &self,
        engine: &dyn Engine,
        clock: Clock,
        progress: &(dyn Fn(f64) + Sync),
    ) -> Result<Estimate, CountError> {
        let start = Instant::now();
        let threads = count::threads_meant(self.threads);
        // A thread has a pool of its own, so that the time of a unit is the time of one thread.
        let pools = (0..threads)
            .map(|_| count::pool(1))
            .collect::<Result<Vec<_>, _>>()?;
        let run = Run {
            estimator: self,
            engine,
            clock,
            progress,
            pools,
            for_nothing: FOR_NOTHING.into(),
        };
        let sample = match self.size {
            _ if engine.units() == 0 => None,
            SampleSize::Draws(draws) => {
                let draws = draws.max(LEAST_DRAWS);
                let mut sample = Draws::new((draws / 2).min(STRATA));
                run.draw_from(0, &mut sample, |number| number as f64 / draws as f64)?;
                Some(sample)
            }
            SampleSize::Time(time) => run.draw_for(time, start)?,
        };
        let (total, seconds, draws, counted) = match &sample {
            Some(sample) => (sample.total(), sample.seconds(), sample.draws(), None),
            None => {
                let (counted, spent) = run.count_all()?;
                (
                    Interval::exact(counted as f64),
                    Interval::exact(spent.as_secs_f64()),
                    0,
                    Some(counted),
                )
            }
        };
        Ok(Estimate {
            total,
            seconds,
            draws,
            counted,
            threads,
            elapsed: start.elapsed(),
        })
    }
}

struct Run<'a> {
    estimator: &'a Estimator<'a>,
    engine: &'a dyn Engine,
    clock: Clock<'a>,
    progress: &'a (dyn Fn(f64) + Sync),
    pools: Vec<ThreadPool>,
    /// The number of the next draw that is made for nothing but load.
    for_nothing: AtomicU64,
}

/// Whose clock is still ticking: threads that make draws of the sample. One leaves when this is
/// dropped, in whatever way.
struct AtWork<'a>(&'a AtomicUsize);

impl Drop for AtWork<'_> {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::Relaxed);
    }
}

impl Run<'_> {
    fn on_every_thread(
        &self,
        work: impl Fn() -> Result<(), CountError> + Sync,
    ) -> Result<(), CountError> {
        std::thread::scope(|scope| {
            let workers: Vec<_> = self
                .pools
                .iter()
                .map(|pool| scope.spawn(|| pool.install(&work)))
                .collect();
            workers
                .into_iter()
                .try_for_each(|worker| worker.join().expect("a thread ends with a result"))
        })
    }

    /// Makes draws for this time since the start; `None` if it suffices to count all units.
    fn draw_for(&self, time: Duration, start: Instant) -> Result<Option<Draws>, CountError> {
        let share = || {
            let elapsed = start.elapsed();
            if elapsed < time {
                elapsed.as_secs_f64() / time.as_secs_f64()
            } else {
                1.0
            }
        };
        let left = || time.saturating_sub(start.elapsed()).as_secs_f64();
        // Two draws in each of so many strata, however long they take, and whether they say that
        // the time suffices.
        let begin = |strata: u64| {
            let mut sample = Draws::new(strata);
            self.draw_from(0, &mut sample, |number| {
                if number < 2 * strata {
                    share().min(0.99)
                } else {
                    1.0
                }
            })?;
            let Interval { mean, margin } = sample.seconds();
            Ok::<_, CountError>((sample, mean + margin <= left() * self.pools.len() as f64))
        };
        let (mut sample, mut suffices) = begin(FEW_STRATA)?;
        let pace = start.elapsed().as_secs_f64() / LEAST_DRAWS as f64;
        if !suffices && pace * (2 * STRATA) as f64 <= left() {
            (sample, suffices) = begin(STRATA)?;
        }
        if suffices {
            return Ok(None);
        }
        self.draw_from(sample.draws(), &mut sample, |_| share())?;
        Ok(Some(sample))
    }

    /// Makes draws from this number on, while the share of the sample that is made before a draw is
    /// below 1.
    fn draw_from(
        &self,
        first: u64,
        sample: &mut Draws,
        share: impl Fn(u64) -> f64 + Sync,
    ) -> Result<(), CountError> {
        let strata = sample.strata();
        let (next, sample, at_work) = (
            AtomicU64::new(first),
            Mutex::new(sample),
            AtomicUsize::new(self.pools.len()),
        );
        self.on_every_thread(|| {
            let this = AtWork(&at_work);
            if self.estimator.under_load && first == 0 {
                self.draw_for_nothing(strata)?;
            }
            loop {
                let number = next.fetch_add(1, Ordering::Relaxed);
                let share = share(number);
                if share >= 1.0 {
                    break;
                }
                (self.progress)(share);
                let draw = self.draw(number, strata)?;
                sample
                    .lock()
                    .unwrap_or_else(PoisonError::into_inner)
                    .add(number, share, draw);
            }
            drop(this);
            while self.estimator.under_load && at_work.load(Ordering::Relaxed) > 0 {
                self.draw_for_nothing(strata)?;
            }
            Ok(())
        })
    }

    fn draw_for_nothing(&self, strata: u64) -> Result<(), EngineError> {
        self.draw(self.for_nothing.fetch_add(1, Ordering::Relaxed), strata)
            .map(drop)
    }

    /// Makes the draw with this number, which says its stratum of so many. The total and the
    /// seconds of the whole that it alone says.
    fn draw(&self, number: u64, strata: u64) -> Result<[f64; 2], EngineError> {
        let Self {
            engine,
            clock,
            estimator: Estimator { seed, stop, .. },
            ..
        } = *self;
        let mut random = SplitMix64::stream(*seed, number);
        let point = ((number % strata) as f64 + random.unit_interval()) / strata as f64;
        let unit = engine.unit_at(point);
        let chance = engine.work(unit..unit + 1);
        let timed = |mut random: SplitMix64| {
            let start = clock();
            let probe = engine.probe(unit, &mut random, stop)?;
            Ok::<_, EngineError>((probe, clock().saturating_sub(start)))
        };
        let (probe, mut time) = timed(random.clone())?;
        if time < QUICK {
            timed(SplitMix64::new(random.clone().next()))?;
            time = timed(random)?.1;
        }
        let weight = probe.scale / chance;
        Ok([probe.count as f64 * weight, time.as_secs_f64() * weight])
    }

    /// Counts all units: their solutions, and what the threads together have spent.
    fn count_all(&self) -> Result<(u128, Duration), CountError> {
        let Self {
            engine,
            clock,
            estimator: Estimator { stop, .. },
            ..
        } = *self;
        let units = 0..engine.units();
        let tasks = Mutex::new(count::tasks(
            std::slice::from_ref(&units),
            units_per_task(engine),
        ));
        let next = || tasks.lock().unwrap_or_else(PoisonError::into_inner).next();
        let sums = Mutex::new((0_u128, Duration::ZERO, 0.0));
        self.on_every_thread(|| {
            while let Some(task) = next() {
                let start = clock();
                let (count, _) = count::count_task(engine, task.clone(), stop)?;
                let spent = clock().saturating_sub(start);
                let (total, time, share) =
                    &mut *sums.lock().unwrap_or_else(PoisonError::into_inner);
                *total = total.checked_add(count).ok_or(CountError::Overflow)?;
                *time += spent;
                *share += engine.work(task.clone());
                (self.progress)(*share);
            }
            Ok(())
        })?;
        let (total, spent, _) = sums.into_inner().unwrap_or_else(PoisonError::into_inner);
        Ok((total, spent))
    }
}
