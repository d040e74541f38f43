//! Estimates: what a count will be, and cost, from a random sample of its units.
//!
//! Units are independent, so a sample of them tells of all. Let unit u be drawn with the chance p(u). Then the expected
//! value of count(u) / p(u) is the number of solutions, whatever the chances are. How far one draw is off depends on the
//! chances: with p(u) proportional to count(u) every draw would be exact. The work that the plan expects of a unit is
//! nearly proportional to its count, so units are drawn by their expected work. In the same way the time of a unit,
//! divided by p(u), is an estimate of the time of all units.
//!
//! ```text
//!   work   0 |----|--|-------|---|----|--|-----|------|---| 1      one box a unit, as wide as its expected work
//!   strata   |   x    x   |     x x    |  x       x  |  ..         each is drawn from equally often, evenly
//! ```
//!
//! Draws are made in strata of equal work, in turn. Neighbouring units are alike, so draws of one stratum differ little.
//! The interval follows from the spread within each stratum; the differences between strata do not widen it. A unit that
//! would take too long may be sampled itself (see [`Engine::probe`]), which is one more factor of the chance.
//!
//! A sample that ends when its time is up must not prefer quick units. So draws are numbered, their order does not depend
//! on the time that they take, and every draw that was begun is finished and enters into the result.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use crate::count::{self, CountError};
use crate::engine::{Engine, Stop, Stopped};
use crate::random::Random;

/// The number of strata of a sample that is large enough to have two draws in each.
const STRATA: u64 = 16;

/// An engine may keep things for the next unit that only neighbours share. In a count the next unit is a neighbour, in a
/// sample it is not. So a unit that takes less time than this is counted again after its neighbour, and that time is
/// taken.
const QUICK: Duration = Duration::from_millis(100);

/// Fewer draws than these say next to nothing of their own spread.
const LEAST_DRAWS: u64 = 8;

/// How large a sample is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SampleSize {
    /// This number of draws; fewer than 8 are taken for 8.
    Draws(u64),
    /// All draws that are begun within this time, and at least two in each of 16 strata.
    Time(Duration),
}

/// An estimate in preparation: how large the sample is, and how it is made.
///
/// ```
/// use queencount::estimate::{Estimator, SampleSize};
/// use queencount::{BoardSize, EngineChoice, Stop};
///
/// let engine = EngineChoice::Backtrack.plan(BoardSize::new(14)?);
/// let estimator = Estimator { size: SampleSize::Draws(64), seed: 1, threads: 0, stop: &Stop::new() };
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
    /// Who may end it early. Then it has no result.
    pub stop: &'a Stop,
}

/// What a sample tells of a count.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Estimate {
    /// The number of solutions.
    pub total: Interval,
    /// The time that one thread would take to count them, in seconds.
    pub seconds: Interval,
    /// The number of draws.
    pub draws: u64,
    /// The number of threads that made the draws.
    pub threads: usize,
    /// The time from the first draw to the last.
    pub elapsed: Duration,
}

/// An estimated number and its 95 % confidence interval, from `mean - margin` to `mean + margin`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Interval {
    /// The estimate.
    pub mean: f64,
    /// How far the interval reaches below and above it. When the sample is small, the interval may begin below 0.
    pub margin: f64,
}

impl Interval {
    /// Whether a value lies in the interval, its ends included.
    pub fn contains(self, value: f64) -> bool {
        (self.mean - value).abs() <= self.margin
    }
}

impl Estimator<'_> {
    /// Samples the units of an engine. An engine without units has the estimate 0, which is exact.
    ///
    /// # Errors
    /// When the estimate was stopped, or the system grants no threads.
    pub fn run(&self, engine: &dyn Engine) -> Result<Estimate, CountError> {
        let start = Instant::now();
        let threads = count::threads_meant(self.threads);
        let strata = match self.size {
            SampleSize::Draws(draws) => (draws.max(LEAST_DRAWS) / 2).min(STRATA),
            SampleSize::Time(_) => STRATA,
        };
        let wanted = |draw: u64| match self.size {
            SampleSize::Draws(draws) => draw < draws.max(LEAST_DRAWS),
            SampleSize::Time(time) => draw < 2 * strata || start.elapsed() < time,
        };
        let sums = Mutex::new(vec![[Moments::default(); 2]; strata as usize]);
        let next = AtomicU64::new(0);
        let make_draws = || -> Result<(), Stopped> {
            loop {
                let number = next.fetch_add(1, Ordering::Relaxed);
                if engine.units() == 0 || !wanted(number) {
                    return Ok(());
                }
                let draw = self.draw(engine, number, strata)?;
                let mut sums = sums.lock().unwrap_or_else(PoisonError::into_inner);
                let [totals, seconds] = &mut sums[(number % strata) as usize];
                totals.add(draw.total);
                seconds.add(draw.seconds);
            }
        };
        // A thread has a pool of its own, so that the time of a unit is the time of one thread.
        let pools = (0..threads).map(|_| count::pool(1)).collect::<Result<Vec<_>, _>>()?;
        std::thread::scope(|scope| {
            let workers: Vec<_> = pools.iter().map(|pool| scope.spawn(|| pool.install(make_draws))).collect();
            workers.into_iter().try_for_each(|worker| worker.join().expect("a thread ends with a result"))
        })?;
        let sums = sums.into_inner().unwrap_or_else(PoisonError::into_inner);
        Ok(Estimate {
            total: interval(sums.iter().map(|[total, _]| total)),
            seconds: interval(sums.iter().map(|[_, seconds]| seconds)),
            draws: sums.iter().map(|[total, _]| total.draws as u64).sum(),
            threads,
            elapsed: start.elapsed(),
        })
    }

    /// Makes the draw with this number, which says its stratum.
    fn draw(&self, engine: &dyn Engine, number: u64, strata: u64) -> Result<Draw, Stopped> {
        let mut random = Random::stream(self.seed, number);
        let point = ((number % strata) as f64 + random.unit_interval()) / strata as f64;
        // The last unit that begins at or before the point.
        let (mut low, mut high) = (0, engine.units() - 1);
        while low < high {
            let middle = low + (high - low).div_ceil(2);
            if engine.work_before(middle) <= point { low = middle } else { high = middle - 1 }
        }
        let chance = engine.work_before(low + 1) - engine.work_before(low);
        let timed = |unit: u64, mut random: Random| {
            let start = Instant::now();
            let probe = engine.probe(unit, &mut random, self.stop)?;
            Ok((probe, start.elapsed()))
        };
        let (probe, mut time) = timed(low, random.clone())?;
        if time < QUICK {
            timed(low.saturating_sub(1), random.clone())?;
            time = timed(low, random)?.1;
        }
        let weight = probe.scale / chance;
        Ok(Draw { total: probe.count as f64 * weight, seconds: time.as_secs_f64() * weight })
    }
}

/// What one draw alone says of the whole.
struct Draw {
    total: f64,
    seconds: f64,
}

/// The mean and the spread of the draws of a stratum, updated with each draw (Welford's recurrence).
#[derive(Clone, Copy, Debug, Default)]
struct Moments {
    draws: f64,
    mean: f64,
    squares: f64,
}

impl Moments {
    fn add(&mut self, value: f64) {
        self.draws += 1.0;
        let step = value - self.mean;
        self.mean += step / self.draws;
        self.squares += step * (value - self.mean);
    }
}

/// The mean over strata of equal weight, and its interval from the spread within them.
fn interval<'a>(strata: impl ExactSizeIterator<Item = &'a Moments>) -> Interval {
    let count = strata.len() as f64;
    let (mut mean, mut variance, mut spread) = (0.0, 0.0, 0.0);
    for stratum in strata {
        mean += stratum.mean / count;
        if stratum.draws > 1.0 {
            let share = stratum.squares / (stratum.draws - 1.0) / stratum.draws / (count * count);
            variance += share;
            spread += share * share / (stratum.draws - 1.0);
        }
    }
    // The degrees of freedom of the variance (Welch and Satterthwaite).
    let freedom = if spread > 0.0 { variance * variance / spread } else { f64::INFINITY };
    Interval { mean, margin: student_975(freedom) * variance.sqrt() }
}

/// The 97.5 % point of Student's distribution. From 3 degrees of freedom on it is Abramowitz and Stegun 26.7.5, which is
/// good to 1 %; below, it is the value for 1 or 2.
fn student_975(freedom: f64) -> f64 {
    if freedom < 3.0 {
        return if freedom < 2.0 { 12.706 } else { 4.303 };
    }
    let z: f64 = 1.959_963_985;
    let terms = [
        (z.powi(3) + z) / 4.0,
        (5.0 * z.powi(5) + 16.0 * z.powi(3) + 3.0 * z) / 96.0,
        (3.0 * z.powi(7) + 19.0 * z.powi(5) + 17.0 * z.powi(3) - 15.0 * z) / 384.0,
        (79.0 * z.powi(9) + 776.0 * z.powi(7) + 1482.0 * z.powi(5) - 1920.0 * z.powi(3) - 945.0 * z) / 92160.0,
    ];
    terms.iter().rev().fold(0.0, |sum, term| (sum + term) / freedom) + z
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_quantile_is_that_of_the_tables() {
        for (freedom, table) in [(3.0, 3.182), (4.0, 2.776), (8.0, 2.306), (16.0, 2.120), (30.0, 2.042), (1e9, 1.960)] {
            let found = student_975(freedom);
            assert!((found / table - 1.0).abs() < 0.01, "{freedom}: {found} instead of {table}");
        }
        assert_eq!(student_975(0.5), 12.706);
        assert_eq!(student_975(f64::INFINITY), 1.959_963_985);
    }
}
