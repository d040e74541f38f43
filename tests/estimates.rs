//! An estimate's interval covers the truth as often as it promises to.

use std::ops::RangeInclusive;

use queencount::estimate::{Estimator, SampleSize};
use queencount::{BoardSize, Engine, EngineChoice, Stop, Stopped};
use rayon::prelude::*;

mod common;

/// The backtracking engine with every unit counted beforehand, so that thousands of samples take no time.
struct Counted {
    engine: Box<dyn Engine>,
    counts: Vec<u128>,
}

impl Counted {
    fn new(n: u32) -> Self {
        let engine = EngineChoice::Backtrack.plan(BoardSize::new(n).unwrap());
        let counts =
            (0..engine.units()).into_par_iter().map(|unit| engine.count(unit, &Stop::new()).unwrap()).collect();
        Self { engine, counts }
    }
}

impl Engine for Counted {
    fn name(&self) -> &'static str {
        "counted"
    }
    fn size(&self) -> BoardSize {
        self.engine.size()
    }
    fn memory(&self, threads: usize) -> u64 {
        self.engine.memory(threads)
    }
    fn units(&self) -> u64 {
        self.engine.units()
    }
    fn units_per_task(&self) -> u64 {
        1
    }
    fn work_before(&self, unit: u64) -> f64 {
        self.engine.work_before(unit)
    }
    fn count(&self, unit: u64, stop: &Stop) -> Result<u128, Stopped> {
        stop.check()?;
        Ok(self.counts[unit as usize])
    }
    fn recount(&self, unit: u64, stop: &Stop) -> Result<u128, Stopped> {
        self.engine.recount(unit, stop)
    }
}

/// Makes this number of samples, each from a seed of its own. The number of them whose interval covers the truth.
fn covered(engine: &dyn Engine, draws: u64, samples: u64) -> u64 {
    let truth = common::published(engine.size().get()) as f64;
    let stop = Stop::new();
    let covers = |seed: &u64| {
        let estimator = Estimator { size: SampleSize::Draws(draws), seed: *seed, threads: 1, stop: &stop };
        estimator.run(engine).unwrap().total.contains(truth)
    };
    (0..samples).into_par_iter().filter(covers).count() as u64
}

/// 95 % of this number of samples, give or take four standard deviations. Few draws know their own spread badly; then the
/// interval may be too wide, but not too narrow.
fn promised(draws: u64, samples: u64) -> RangeInclusive<u64> {
    let (mean, deviation) = (0.95 * samples as f64, (0.95 * 0.05 * samples as f64).sqrt());
    let most = if draws < 50 { samples } else { samples.min((mean + 4.0 * deviation) as u64) };
    (mean - 4.0 * deviation) as u64..=most
}

#[track_caller]
fn covers_as_promised(kind: &str, engine: &dyn Engine, draws: u64, samples: u64) {
    let (n, covered) = (engine.size(), covered(engine, draws, samples));
    println!("N = {n}, {draws} draws of {kind}: {covered} of {samples}");
    assert!(promised(draws, samples).contains(&covered), "N = {n}, {draws} draws of {kind}: {covered} of {samples}");
}

#[test]
fn the_interval_from_whole_units_covers_the_truth_in_95_samples_of_100() {
    for n in [11, 13, 14, 15, 16] {
        let engine = Counted::new(n);
        for draws in [8, 32, 80] {
            covers_as_promised("whole units", &engine, draws, 1000);
        }
    }
}

/// What is drawn of large boards is a part of a unit.
#[test]
fn the_interval_from_parts_of_units_covers_the_truth_in_95_samples_of_100() {
    let (draws, samples) = if std::env::var_os("QUEENCOUNT_LONG").is_some() { (80, 1000) } else { (24, 80) };
    for n in [14, 15, 16] {
        let engine = EngineChoice::Backtrack.plan(BoardSize::new(n).unwrap());
        covers_as_promised("parts", engine.as_ref(), draws, samples);
    }
}

#[test]
fn a_board_without_units_has_no_solutions_for_sure() {
    let engine = EngineChoice::Backtrack.plan(BoardSize::new(2).unwrap());
    for size in [SampleSize::Draws(50), SampleSize::Time(std::time::Duration::from_secs(3600))] {
        let estimate = Estimator { size, seed: 1, threads: 2, stop: &Stop::new() }.run(engine.as_ref()).unwrap();
        assert_eq!((estimate.draws, estimate.total.mean, estimate.total.margin), (0, 0.0, 0.0));
    }
}
