//! The `rows` engine accepts the right boards, and its plans have the right properties.
//! `implementations.rs` tests its counts.

use queencount::engine::SplitMix64;
use queencount::engine::rows::Rows;
#[cfg(feature = "records")]
use queencount::record::Shard;
use queencount::{
    BoardSize, CancelToken, Engine, EngineChoice, EngineError, EngineOptions, Kernel,
};

#[cfg(all(unix, feature = "records"))]
use crate::common;

fn engine(n: u32) -> Box<dyn Engine> {
    EngineChoice::Rows.engine(BoardSize::new(n).unwrap())
}

#[test]
fn boards_below_4_use_backtrack_engine() {
    for n in 1..=3 {
        assert_eq!(engine(n).name(), "backtrack", "N = {n}");
    }
    for n in 4..=32 {
        assert_eq!(engine(n).name(), "rows", "N = {n}");
    }
}

#[test]
fn kernel_names_parse_to_their_kernel() {
    for kernel in Kernel::available() {
        assert_eq!(kernel.name().parse(), Ok(kernel));
    }
    assert_eq!(Kernel::names().last(), Some("portable"));
    assert!("Portable".parse::<Kernel>().is_err());
}

/// Checks the work of all units, or of two thousand consecutive ones at each of a thousand
/// positions.
fn check_work(engine: &dyn Engine) {
    let (n, units) = (engine.size(), engine.units());
    // A board without units, such as N = 2, has no work, so all of its work is before the end.
    let before = if units == 0 { 1.0 } else { 0.0 };
    assert_eq!(engine.cumulative_work(0), before, "N = {n}");
    assert_eq!(engine.cumulative_work(units), 1.0, "N = {n}");
    let step = (units / 1000).max(2000);
    for start in (0..units).step_by(step as usize) {
        let work: Vec<f64> = (start..=units.min(start + 2000))
            .map(|unit| engine.cumulative_work(unit))
            .collect();
        assert!(work.is_sorted(), "N = {n}, from unit {start}");
        // A unit with solutions has work, because estimates sample units by their work.
        for (unit, work) in (start..).zip(work.windows(2)).step_by(97) {
            let mut random = SplitMix64::new(unit);
            assert!(
                work[0] < work[1]
                    || engine.name() == "rows"
                        && engine
                            .probe(unit, &mut random, &CancelToken::new())
                            .unwrap()
                            .count
                            == 0,
                "N = {n}, unit {unit}"
            );
        }
    }
}

#[test]
fn work_grows_from_zero_to_one() {
    for n in 1..=BoardSize::MAX {
        check_work(&*EngineChoice::Backtrack.engine(BoardSize::new(n).unwrap()));
    }
    // Larger boards have so many units that the fractions of small units vanish in rounding.
    for n in 4..=28 {
        check_work(&*engine(n));
    }
}

/// On these boards, most cores are dropped because their queens attack each other.
#[cfg(feature = "records")]
#[test]
fn small_shards_of_large_boards_have_solutions() {
    for (n, of) in [(28, 20_000), (29, 200_000)] {
        let engine = engine(n);
        let mut random = SplitMix64::new(n.into());
        let drawn: Vec<u64> = (0..6).map(|_| 1 + random.below(of)).collect();
        for part in (1..=6).chain(drawn) {
            let share = (part as f64 - 0.5) / of as f64;
            let units = Shard::new(part, of).unwrap().units(engine.as_ref());
            let found = (0..20).any(|_| {
                let unit = engine.unit_at(share).clamp(units.start, units.end - 1);
                engine
                    .probe(unit, &mut random, &CancelToken::new())
                    .unwrap()
                    .count
                    > 0
            });
            assert!(found, "N = {n}: shard {part}/{of}");
        }
    }
}

/// Returns the CPU time of this thread, in seconds.
#[cfg(all(unix, feature = "records"))]
fn cpu_time() -> f64 {
    use rustix::time::{ClockId, clock_gettime};

    let time = clock_gettime(ClockId::ThreadCPUTime);
    time.tv_sec as f64 + time.tv_nsec as f64 / 1e9
}

/// Estimates the costs of shards, or of 200 random ones, each from the costs of a sample of its
/// units. Returns them relative to the mean, in ascending order.
#[cfg(feature = "records")]
pub(crate) fn costs_of_shards(
    engine: &dyn Engine,
    of: u64,
    sample: u32,
    mut cost: impl FnMut(u64, &mut SplitMix64) -> f64,
) -> Vec<f64> {
    let mut random = SplitMix64::new(1);
    let mut costs = Vec::new();
    let drawn = 200.min(of);
    for number in 0..drawn {
        // Each shard is drawn from its own range of shards.
        let number = number * of / drawn + random.below(of / drawn);
        let units = Shard::new(1 + number, of).unwrap().units(engine);
        let [start, end] = [units.start, units.end].map(|unit| engine.cumulative_work(unit));
        let mut sum = 0.0;
        for _ in 0..sample {
            let unit = engine.unit_at(start + random.unit_interval() * (end - start));
            sum += cost(unit, &mut random) * (end - start) / engine.work(unit..unit + 1);
        }
        costs.push(sum);
    }
    let mean = costs.iter().sum::<f64>() / drawn as f64;
    costs.iter_mut().for_each(|cost| *cost /= mean);
    costs.sort_by(f64::total_cmp);
    costs
}

#[cfg(all(unix, feature = "records"))]
#[test]
fn shards_of_large_boards_cost_about_the_same() {
    if !common::long() {
        return;
    }
    let mut wrong = Vec::new();
    // N = 26 has the longest probes and the most different shards.
    for (n, of, probes) in [
        (22, 100, 24),
        (23, 100, 24),
        (24, 2000, 12),
        (25, 2000, 12),
        (26, 2000, 12),
        (27, 2000, 12),
        (28, 20_000, 12),
    ] {
        let engine = engine(n);
        let costs = costs_of_shards(&*engine, of, probes, |unit, random| {
            let before = cpu_time();
            let probe = engine.probe(unit, random, &CancelToken::new()).unwrap();
            (cpu_time() - before) * probe.inverse_probability
        });
        let last = costs.len() - 1;
        let ends = [0, last / 20, last / 2, last - last / 20, last].map(|rank| costs[rank]);
        println!("N = {n}, shards of {of}: {ends:.2?}");
        if ends[0] < 0.3 || ends[1] < 0.6 || ends[3] > 1.6 {
            wrong.push((n, ends));
        }
    }
    assert!(wrong.is_empty(), "{wrong:?}");
}

#[test]
#[should_panic(expected = "cannot have 2 middle rows first")]
fn middle_rows_of_wrong_parity_panic() {
    Rows::with_middle_rows(BoardSize::new(9).unwrap(), 2, EngineOptions::default());
}

#[test]
fn cancellation_is_checked_before_every_unit() {
    let stop = CancelToken::with_condition(|| true);
    // The queens of the first billions of cores attack each other.
    let engine = engine(32);
    for unit in (0..100).chain([engine.unit_at(0.5)]) {
        let results = [
            engine.count(unit, &stop),
            engine.recount(unit, &stop),
            engine.count_part(unit, 0, &stop),
            engine
                .probe(unit, &mut SplitMix64::new(1), &stop)
                .map(|probe| probe.count),
        ];
        assert_eq!(results, [Err(EngineError::Cancelled); 4], "unit {unit}");
    }
}
