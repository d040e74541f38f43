//! The confidence intervals of estimates cover the true count and cost as often as they should.
//!
//! Costs are ticks of a clock that engines with known costs advance themselves, so the tests do not
//! depend on the machine.

#![expect(
    clippy::single_range_in_vec_init,
    reason = "a list of one range of units is what is meant"
)]

use std::cell::Cell;
use std::ops::{Range, RangeInclusive};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Condvar, Mutex};
use std::thread;
use std::time::{Duration, Instant};

use queencount::engine::SplitMix64;
use queencount::estimate::{Estimate, Estimator, Forecast, Interval, SampleSize};
use queencount::{BoardSize, CancelToken, CountError, Engine, EngineChoice, EngineError};

use crate::common;
use crate::fake::Fake;

thread_local! {
    /// The ticks spent by this thread.
    static SPENT: Cell<Duration> = const { Cell::new(Duration::ZERO) };
    /// The unit that this thread counted last.
    static LAST: Cell<Option<u64>> = const { Cell::new(None) };
}

fn spent() -> Duration {
    SPENT.get()
}

/// An engine with known counts and costs for the parts of its units, so that thousands of samples
/// take almost no time. It uses the plan of backtracking.
struct Known {
    plan: Box<dyn Engine>,
    /// The counts and costs of the parts of each unit.
    parts: Vec<Vec<(u128, Duration)>>,
    /// The ticks that a thread spends when it changes units.
    set_up: Duration,
}

impl Known {
    /// Creates an engine with the true counts. The cost of a unit has a constant part and a part
    /// proportional to its count.
    fn new(n: u32) -> Self {
        let plan = EngineChoice::Backtrack.engine(BoardSize::new(n).unwrap());
        let mut parts = Vec::new();
        for unit in 0..plan.units() {
            let count = plan.count(unit, &CancelToken::new()).unwrap();
            let cost = count as u64 + 1000 + SplitMix64::new(unit).below(4000);
            parts.push(vec![(count, Duration::from_nanos(cost))]);
        }
        Self {
            plan,
            parts,
            set_up: Duration::ZERO,
        }
    }

    /// Creates an engine without solutions, with each unit as expensive as the plan expects.
    fn planned(n: u32, cost: Duration) -> Self {
        let plan = EngineChoice::Backtrack.engine(BoardSize::new(n).unwrap());
        let parts = vec![vec![(0, Duration::ZERO)]; plan.units() as usize];
        Self {
            plan,
            parts,
            set_up: Duration::ZERO,
        }
        .costing(cost)
    }

    /// Divides each unit into unequal parts.
    fn in_parts(mut self) -> Self {
        for (unit, parts) in self.parts.iter_mut().enumerate() {
            let (count, cost) = parts[0];
            let mut random = SplitMix64::new(unit as u64);
            let weights: Vec<u64> = (0..2 + random.below(30))
                .map(|_| 1 + random.below(8))
                .collect();
            let all: u64 = weights.iter().sum();
            parts.clear();
            for weight in weights {
                let count = count * u128::from(weight) / u128::from(all);
                parts.push((count, cost / all as u32 * weight as u32));
            }
            parts[0].0 += count - parts.iter().map(|part| part.0).sum::<u128>();
        }
        self
    }

    /// Sets the total cost of all units to `cost`, with each unit as expensive as the plan expects.
    fn costing(mut self, cost: Duration) -> Self {
        for (unit, parts) in self.parts.iter_mut().enumerate() {
            parts[0].1 = cost.mul_f64(self.plan.work(unit as u64..unit as u64 + 1));
        }
        self
    }

    /// Makes the first 2% of the units free, although the plan expects them to have work, and the
    /// others up to 1.6 times as expensive or as cheap as the plan expects.
    fn misjudged(mut self) -> Self {
        let units = self.parts.len();
        for (unit, parts) in self.parts.iter_mut().enumerate() {
            let position = unit as f64 / units as f64;
            let factor = match position {
                ..0.02 => 0.0,
                _ => 1.6_f64.powf((20.0 * position).cos()),
            };
            parts[0].1 = parts[0].1.mul_f64(factor);
        }
        self
    }

    fn work_of(&self, units: &[u64]) -> f64 {
        units.iter().map(|unit| self.work(*unit..unit + 1)).sum()
    }

    /// Returns the cost of these units in seconds.
    fn cost_of(&self, units: &[u64]) -> f64 {
        units
            .iter()
            .flat_map(|unit| &self.parts[*unit as usize])
            .map(|part| part.1.as_secs_f64())
            .sum()
    }

    fn cost(&self) -> Duration {
        self.parts.iter().flatten().map(|part| part.1).sum()
    }

    fn estimate(&self, size: SampleSize, seed: u64, threads: usize) -> Estimate {
        Estimator::new(size)
            .seed(seed)
            .threads(threads)
            .clock(&spent)
            .run(self)
            .unwrap()
    }
}

impl Engine for Known {
    fn name(&self) -> &'static str {
        "known"
    }
    fn size(&self) -> BoardSize {
        self.plan.size()
    }
    fn units(&self) -> u64 {
        self.plan.units()
    }
    fn units_per_task(&self) -> u64 {
        3
    }
    fn cumulative_work(&self, unit: u64) -> f64 {
        self.plan.cumulative_work(unit)
    }
    fn count(&self, unit: u64, stop: &CancelToken) -> Result<u128, EngineError> {
        (0..self.parts(unit))
            .map(|part| self.count_part(unit, part, stop))
            .sum()
    }
    fn parts(&self, unit: u64) -> u64 {
        self.parts[unit as usize].len() as u64
    }
    fn count_part(&self, unit: u64, part: u64, stop: &CancelToken) -> Result<u128, EngineError> {
        stop.check()?;
        let (count, cost) = self.parts[unit as usize][part as usize];
        let set_up = if LAST.replace(Some(unit)) == Some(unit) {
            Duration::ZERO
        } else {
            self.set_up
        };
        SPENT.set(SPENT.get() + cost + set_up);
        Ok(count)
    }
    fn recount(&self, unit: u64, stop: &CancelToken) -> Result<u128, EngineError> {
        self.plan.recount(unit, stop)
    }
}

/// Returns the expected range of hits: 95% of the samples, plus or minus four standard deviations.
/// With few draws the interval may be too wide, but not too narrow.
fn promised(draws: u64, samples: u64) -> RangeInclusive<u64> {
    let (mean, deviation) = (0.95 * samples as f64, (0.95 * 0.05 * samples as f64).sqrt());
    let most = if draws < 50 {
        samples
    } else {
        samples.min((mean + 4.0 * deviation) as u64)
    };
    (mean - 4.0 * deviation) as u64..=most
}

#[track_caller]
fn covers_as_promised(what: &str, draws: u64, samples: u64, covered: u64) {
    println!("{draws} draws, {what}: {covered} of {samples}");
    assert!(
        promised(draws, samples).contains(&covered),
        "{draws} draws, {what}: {covered} of {samples}"
    );
}

/// Takes a number of samples of an engine with known costs, each with its own seed.
#[track_caller]
fn both_cover_as_promised(kind: &str, engine: &Known, draws: u64, samples: u64) {
    type Value = fn(&Estimate) -> Interval;
    let estimates: Vec<Estimate> = (0..samples)
        .map(|seed| engine.estimate(SampleSize::Draws(draws), seed, 1))
        .collect();
    let n = engine.size();
    let values: [(&str, f64, Value); 2] = [
        ("number", common::published(n.get()) as f64, |it| it.total),
        ("cost", engine.cost().as_secs_f64(), |it| it.seconds),
    ];
    for (name, truth, value) in values {
        let covering = estimates.iter().filter(|it| value(it).contains(truth));
        let what = format!("N = {n}, the {name} by {kind}");
        covers_as_promised(&what, draws, samples, covering.count() as u64);
    }
}

fn samples() -> u64 {
    if common::long() { 1000 } else { 500 }
}

#[test]
fn sampled_intervals_have_95_percent_coverage() {
    let boards = if common::long() {
        &[11, 12, 13, 14, 15, 16][..]
    } else {
        &[13, 15]
    };
    let whole = boards.iter().map(|&n| ("whole units", Known::new(n)));
    let parts = [11, 14].map(|n| ("parts", Known::new(n).in_parts()));
    for (kind, engine) in whole.chain(parts) {
        for draws in [8, 32, 100] {
            both_cover_as_promised(kind, &engine, draws, samples());
        }
    }
}

/// On large boards, placements of the upper rows are sampled.
#[test]
fn backtrack_intervals_have_95_percent_coverage() {
    let (draws, samples) = if common::long() { (80, 1000) } else { (24, 80) };
    // For N = 15 one row is sampled, for N = 16 two. Units of smaller boards are counted in full.
    for &n in if common::long() {
        &[14, 15, 16][..]
    } else {
        &[12, 15]
    } {
        let engine = EngineChoice::Backtrack.engine(BoardSize::new(n).unwrap());
        let truth = common::published(n) as f64;
        let mut covered = 0;
        for seed in 0..samples {
            let estimate = Estimator::new(SampleSize::Draws(draws))
                .seed(seed)
                .threads(1)
                .run(engine.as_ref())
                .unwrap();
            covered += u64::from(estimate.total.contains(truth));
        }
        covers_as_promised(
            &format!("N = {n}, the number by probes"),
            draws,
            samples,
            covered,
        );
    }
}

#[test]
fn shared_set_up_is_excluded_from_part_cost() {
    let truth = Duration::from_millis(700);
    let cost = Known {
        set_up: Duration::from_millis(40),
        ..Known::new(9).costing(truth)
    }
    .estimate(SampleSize::Draws(64), 1, 1)
    .seconds;
    assert!(
        (cost.mean / 0.7 - 1.0).abs() < 1e-6 && cost.margin < 1e-6,
        "{cost:?}"
    );
    // A long unit is counted once, because its set-up barely matters.
    let cost = Known {
        set_up: Duration::from_millis(1),
        ..Known::new(9).costing(Duration::from_secs(70))
    }
    .estimate(SampleSize::Draws(64), 1, 1)
    .seconds;
    assert!(cost.mean > 70.01 && cost.mean < 70.2, "{cost:?}");
}

#[test]
fn count_within_time_limit_is_made_in_full() {
    // A million seconds of work take half a million seconds on two threads.
    for (seconds, threads) in [(400_000, 1), (1_000_000, 2)] {
        let engine = Known::new(12).costing(Duration::from_secs(seconds));
        let estimate = engine.estimate(SampleSize::Time(Duration::from_secs(600_000)), 1, threads);
        assert_eq!(estimate.counted, Some(14_200));
        assert_eq!(estimate.total, exactly(14_200.0));
        assert_eq!(estimate.seconds, exactly(engine.cost().as_secs_f64()));
        assert_eq!((estimate.draws, estimate.threads), (0, threads));
    }
}

fn are_close(one: f64, other: f64) -> bool {
    (one / other - 1.0).abs() < 1e-9
}

fn exactly(mean: f64) -> Interval {
    Interval { mean, margin: 0.0 }
}

#[test]
fn count_beyond_time_limit_is_sampled() {
    let engine = Known::new(12).costing(Duration::from_secs(100));
    for time in [Duration::ZERO, Duration::from_millis(20)] {
        let start = Instant::now();
        let in_time = engine.estimate(SampleSize::Time(time), 1, 1);
        assert!(start.elapsed() >= time);
        assert!(
            in_time.counted.is_none() && in_time.draws >= 8,
            "{in_time:?}"
        );
        assert!(!time.is_zero() || in_time.draws == 8, "{in_time:?}");
        // Time ends a sample but does not affect it otherwise.
        let drawn = engine.estimate(SampleSize::Draws(in_time.draws), 1, 1);
        assert_eq!(in_time, drawn);
    }
    // A sample of a given size is taken even if the engine is fast.
    let engine = engine.costing(Duration::ZERO);
    let estimate = engine.estimate(SampleSize::Draws(40), 1, 2);
    assert_eq!(
        (estimate.counted, estimate.draws, estimate.threads),
        (None, 40, 2)
    );
    assert_eq!(engine.estimate(SampleSize::Draws(1), 1, 2).draws, 8);
}

#[test]
fn same_seed_draws_same_units_on_any_threads() {
    let engine = Known::new(11).in_parts();
    let [one, three, other] = [(5, 1), (5, 3), (6, 1)]
        .map(|(seed, threads)| engine.estimate(SampleSize::Draws(100), seed, threads));
    for [one, three] in [[one.total, three.total], [one.seconds, three.seconds]] {
        assert!(are_close(one.mean, three.mean), "{one:?} {three:?}");
    }
    assert!(
        (other.total.mean - one.total.mean).abs() > 1.0,
        "{one:?} {other:?}"
    );
}

/// Returns the progress that is reported for an engine with this cost.
fn heard(size: SampleSize, cost: Duration) -> Vec<f64> {
    let shares = Mutex::new(Vec::new());
    Estimator::new(size)
        .threads(1)
        .clock(&spent)
        .on_progress(&|share| shares.lock().unwrap().push(share))
        .run(&Known::new(12).costing(cost))
        .unwrap();
    shares.into_inner().unwrap()
}

#[test]
fn progress_reports_share_of_sample() {
    let expected: Vec<f64> = (0..10).map(|draw| f64::from(draw) / 10.0).collect();
    assert_eq!(
        heard(SampleSize::Draws(10), Duration::from_secs(100)),
        expected
    );
    let in_time = heard(
        SampleSize::Time(Duration::from_millis(20)),
        Duration::from_secs(100),
    );
    assert!(
        in_time.len() >= 8
            && in_time.is_sorted()
            && in_time.iter().all(|share| (0.0..1.0).contains(share)),
        "{in_time:?}"
    );
    // All units are counted after the first draws.
    let in_full = heard(
        SampleSize::Time(Duration::from_secs(3600)),
        Duration::from_secs(1),
    );
    let units = &in_full[8..];
    assert_eq!(units.len() as u64, Known::new(12).units().div_ceil(3));
    assert!(
        units.is_sorted() && (units.last().unwrap() - 1.0).abs() < 1e-9,
        "{units:?}"
    );
}

/// Counts these units, from `first` on, and compares the forecasts with the time that the rest
/// takes.
fn check_forecasts(engine: &Known, units: &[Range<u64>], first: usize) {
    let all: Vec<u64> = units.iter().cloned().flatten().collect();
    let to_count: Vec<Range<u64>> = all[first..].iter().map(|unit| *unit..unit + 1).collect();
    let estimate = Estimator::new(SampleSize::Draws(32))
        .units(&to_count)
        .threads(1)
        .clock(&spent)
        .run(engine)
        .unwrap();
    let mut forecast = Forecast::from_estimate(&estimate, engine.work_of(&all[first..]));
    for next in first..all.len() {
        let rest = &all[next..];
        let expected = engine.cost_of(rest);
        let found = forecast.seconds(engine.work_of(rest)).unwrap();
        // At the end, the forecast need not be exact relative to the little time that is left.
        let done = engine.work_of(&all[first..next]) / engine.work_of(&all[first..]);
        let (most, error) = if done < 0.01 {
            (3.0, 0.0)
        } else {
            (1.5, 0.05 * engine.cost_of(&all))
        };
        assert!(
            found < expected * most + error && found > expected / most - error,
            "{units:?} from {first} on, {done} done: {found} s left, expected {expected}"
        );
        let cost = Duration::from_secs_f64(engine.cost_of(&[all[next]]));
        forecast.add(engine.work_of(&[all[next]]), cost);
    }
}

#[test]
fn forecasts_come_true_although_plan_misjudges_units() {
    let engine = Known::planned(19, Duration::from_secs(1 << 30)).misjudged();
    let units = engine.units();
    check_forecasts(&engine, &[0..units], 0);
    check_forecasts(&engine, &[0..units], units as usize / 3);
    check_forecasts(&engine, &[units / 2..units / 2 + units / 20], 0);
    check_forecasts(
        &engine,
        &[0..units / 30, units / 4..units / 3, units - 9..units],
        0,
    );
}

#[test]
fn board_estimate_combines_two_engines() {
    let engine = EngineChoice::Rows.engine(BoardSize::new(14).unwrap());
    let fractions = Mutex::new(Vec::new());
    let estimate = Estimator::new(SampleSize::Draws(40))
        .on_progress(&|fraction| fractions.lock().unwrap().push(fraction))
        .threads(1)
        .run_board(&engine)
        .unwrap();
    assert!(estimate.total.contains(365_596.0), "{estimate:?}");
    let alone = Estimator::new(SampleSize::Draws(40));
    let backtrack = EngineChoice::Backtrack.engine(engine.size());
    let total = alone.run(&backtrack).unwrap().total;
    assert!(are_close(estimate.total.mean, total.mean));
    assert_eq!((estimate.total_draws, estimate.draws), (40, 40));
    assert!(estimate.seconds.mean > 0.0, "{estimate:?}");
    let fractions = fractions.into_inner().unwrap();
    assert_eq!(fractions.len(), 80);
    assert!(
        fractions.is_sorted() && fractions[40] == 5.0 / 6.0,
        "{fractions:?}"
    );
    // There is enough time to count everything.
    let estimate = Estimator::new(SampleSize::Time(Duration::from_secs(3600)))
        .run_board(&engine)
        .unwrap();
    assert_eq!((estimate.counted, estimate.draws), (Some(365_596), 0));
}

const FEEDERS: usize = 4;
const DRAWS: u64 = 8;

/// Returns an engine whose devices are fed by four threads, and the number of units that it has
/// counted. A unit costs ten seconds, and the first unit of a thread waits for a compiler. In fact,
/// the device takes the time `pause`.
fn fed(devices: usize, pause: Duration) -> (Fake, Arc<Mutex<u64>>) {
    let counted = Arc::new(Mutex::new(0));
    let number = Arc::clone(&counted);
    let next = Condvar::new();
    let engine = Fake::new(64, 1).devices(devices).lie(move |_, _, _| {
        let is_first = SPENT.get().is_zero();
        let wait = if is_first { 1000 } else { FEEDERS as u32 };
        SPENT.set(SPENT.get() + wait * Duration::from_secs(10));
        thread::sleep(pause);
        let mut counted = number.lock().unwrap();
        *counted += 1;
        next.notify_all();
        // One thread is late. Until it has finished, the others keep the device busy.
        if devices > 0 && *counted == FEEDERS as u64 {
            let expected = FEEDERS as u64 + DRAWS + 1;
            let minute = Duration::from_secs(60);
            let (counted, waited) = next
                .wait_timeout_while(counted, minute, |counted| *counted < expected)
                .unwrap();
            assert!(!waited.timed_out(), "the others counted {counted} units");
        }
        1
    });
    (engine, counted)
}

/// While all threads wait for the device, a thread's time divided by the number of threads is the
/// device's time. The first units, which wait for a compiler, and the last units, for which few
/// threads wait, would distort this.
#[test]
fn device_seconds_are_measured_under_load() {
    let estimator = Estimator::new(SampleSize::Draws(DRAWS))
        .threads(FEEDERS)
        .clock(&spent);
    let mut estimate = estimator.run(&fed(1, Duration::ZERO).0).unwrap();
    // The same time on two devices counts twice. Devices without a thread do not count.
    for (devices, expected) in [
        (0, 2560.0),
        (1, 640.0),
        (2, 1280.0),
        (4, 2560.0),
        (8, 2560.0),
    ] {
        estimate.devices = devices;
        let seconds = estimate.processor_seconds().mean;
        assert_eq!(seconds, expected, "{devices} devices");
    }
    // On the CPU, only the draws of the sample are made.
    let (cpu, counted) = fed(0, Duration::ZERO);
    estimator.run(&cpu).unwrap();
    assert_eq!(*counted.lock().unwrap(), DRAWS);
}

/// A thread that waits for a device uses no CPU time.
#[test]
fn devices_are_timed_by_wall_clock() {
    let estimate = Estimator::new(SampleSize::Draws(DRAWS))
        .threads(FEEDERS)
        .run(&fed(1, Duration::from_millis(50)).0)
        .unwrap();
    assert!(
        estimate.seconds.mean >= 64.0 * 0.05,
        "{:?}",
        estimate.seconds
    );
}

#[test]
fn error_on_one_thread_ends_sample_on_all() {
    const MANY: u64 = 4_000_000;
    let counted = Arc::new(AtomicU64::new(0));
    let number = Arc::clone(&counted);
    let engine =
        Fake::new(100, 1).fail(
            move |_, _, right| match number.fetch_add(1, Ordering::Relaxed) {
                0 => Err(EngineError::OutOfMemory),
                _ => Ok(right),
            },
        );
    let result = Estimator::new(SampleSize::Draws(MANY))
        .threads(2)
        .run(&engine);
    assert!(
        matches!(result, Err(CountError::Engine(EngineError::OutOfMemory))),
        "{result:?}"
    );
    assert!(counted.load(Ordering::Relaxed) < MANY / 2);
}
