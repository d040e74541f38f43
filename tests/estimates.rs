//! An estimate's interval covers the truth as often as it promises to.

use queencount::estimate::{Estimator, SampleSize};
use queencount::{BoardSize, Engine, EngineChoice, Stop, Stopped};

/// The backtracking engine with every unit counted beforehand, so that thousands of samples take no time.
struct Counted {
    engine: Box<dyn Engine>,
    counts: Vec<u128>,
}

impl Counted {
    fn new(n: u32) -> Self {
        let engine = EngineChoice::Backtrack.plan(BoardSize::new(n).unwrap());
        let counts = (0..engine.units()).map(|unit| engine.count(unit, &Stop::new()).unwrap()).collect();
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

/// How many of 1000 samples have an interval that covers the truth: 950 expected, with a standard deviation of 7.
fn covered(engine: &dyn Engine, draws: u64) -> usize {
    let truth = queencount::published(engine.size().get()).unwrap() as f64;
    let stop = Stop::new();
    let covers = |seed: &u64| {
        let estimator = Estimator { size: SampleSize::Draws(draws), seed: *seed, threads: 1, stop: &stop };
        estimator.run(engine).unwrap().total.contains(truth)
    };
    (0..1000).filter(covers).count()
}

#[test]
fn the_interval_of_whole_units_covers_the_truth_in_95_samples_of_100() {
    for n in [11, 13] {
        let engine = Counted::new(n);
        for draws in [8, 32, 80] {
            let covered = covered(&engine, draws);
            // Few draws know their own spread badly, and then the interval errs on the safe side.
            let most = if draws < 50 { 1000 } else { 985 };
            assert!((925..=most).contains(&covered), "N = {n}, {draws} draws: {covered} of 1000");
        }
    }
}

#[test]
#[ignore = "takes many minutes; run it with --release"]
fn the_interval_of_large_boards_covers_the_truth_in_95_samples_of_100() {
    for n in [14, 15, 16] {
        let whole = Counted::new(n);
        let parts = EngineChoice::Backtrack.plan(whole.size());
        for (kind, engine) in [("whole units", &whole as &dyn Engine), ("parts", parts.as_ref())] {
            for draws in [32, 100] {
                let covered = covered(engine, draws);
                println!("N = {n}, {draws} draws of {kind}: {covered} of 1000");
                assert!((925..=1000).contains(&covered), "N = {n}, {draws} draws of {kind}: {covered} of 1000");
            }
        }
    }
}
