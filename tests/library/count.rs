//! Counting on any number of threads, with progress and cancellation.

#![allow(
    clippy::single_range_in_vec_init,
    reason = "a list of one range of units is what is meant"
)]

use std::ops::Range;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};

use queencount::{
    BoardSize, CancelToken, CountError, Counter, Engine, EngineChoice, EngineError, Task,
};

use crate::fake::Fake;

#[test]
fn engine_names_and_parameters_are_stable() {
    for (n, engine, name, parameters) in [
        (12, EngineChoice::Backtrack, "backtrack", ""),
        (18, EngineChoice::Backtrack, "backtrack", ""),
        (19, EngineChoice::Backtrack, "backtrack", "first 3 rows"),
        (22, EngineChoice::Backtrack, "backtrack", "first 5 rows"),
        (32, EngineChoice::Backtrack, "backtrack", "first 7 rows"),
        (
            12,
            EngineChoice::Rows,
            "rows",
            "middle rows 0, tiles of 16, main diagonals alike",
        ),
        (18, EngineChoice::Rows, "rows", "middle rows 0, tiles of 16"),
        (23, EngineChoice::Rows, "rows", "middle rows 1, tiles of 16"),
        (24, EngineChoice::Rows, "rows", "middle rows 2, tiles of 16"),
        (27, EngineChoice::Rows, "rows", "middle rows 3, tiles of 32"),
        (28, EngineChoice::Rows, "rows", "middle rows 4, tiles of 32"),
        (32, EngineChoice::Rows, "rows", "middle rows 8, tiles of 32"),
    ] {
        let plan = engine.engine(BoardSize::new(n).unwrap());
        assert_eq!(
            (plan.name(), plan.parameters().as_str()),
            (name, parameters),
            "N = {n}"
        );
        assert_eq!(name.parse(), Ok(engine));
        assert_eq!(engine.to_string(), name);
    }
    assert_eq!("auto".parse(), Ok(EngineChoice::Auto));
    for name in ["", "Rows", "rows "] {
        assert!(name.parse::<EngineChoice>().is_err(), "{name:?}");
    }
}

#[test]
fn auto_selects_fastest_engine() {
    for n in 1..=32 {
        let engine = EngineChoice::Auto.engine(BoardSize::new(n).unwrap());
        let expected = if n < 12 { "backtrack" } else { "rows" };
        assert_eq!(engine.name(), expected, "N = {n}");
    }
}

#[test]
fn zero_threads_means_one_per_cpu() {
    let threads = made(1, 1, |_| rayon::current_num_threads() as u128);
    let cpus = Counter::new().thread_count();
    assert!((1..=num_cpus::get()).contains(&cpus), "{cpus} CPUs");
    for (given, expected) in [(0, cpus), (3, 3)] {
        let counted_on = Counter::new().threads(given).count(&threads).unwrap();
        assert_eq!(counted_on, expected as u128);
    }
    for threads in [1, 255, 256, 257, 4096] {
        let counter = Counter::new().threads(threads);
        assert_eq!(counter.thread_count(), threads.min(cpus.max(256)));
    }
}

#[test]
fn task_observer_may_start_another_count() {
    let again = Mutex::new(Vec::new());
    let engine = EngineChoice::Auto.engine(BoardSize::new(8).unwrap());
    let total = Counter::new()
        .threads(3)
        .on_task(&|task| {
            let count = queencount::count(6 + (task.units.start % 2) as u32).unwrap();
            again.lock().unwrap().push(count);
        })
        .count(&*engine);
    assert_eq!(total.unwrap(), 92);
    let again = again.into_inner().unwrap();
    assert_eq!(again.len() as u64, engine.units());
    assert!(again.iter().all(|count| [4, 40].contains(count)));
}

/// Returns the tasks reported while counting some units on some threads, and their sum.
fn seen(engine: &dyn Engine, threads: usize, units: &[Range<u64>]) -> (Vec<Task>, u128) {
    let seen = Mutex::new(Vec::new());
    let sum = Counter::new()
        .threads(threads)
        .on_task(&|task| seen.lock().unwrap().push(task.clone()))
        .count_units(engine, units)
        .unwrap();
    (seen.into_inner().unwrap(), sum)
}

#[test]
#[should_panic(expected = "no such units")]
fn units_beyond_plan_panic_before_counting() {
    let engine = EngineChoice::Backtrack.engine(BoardSize::new(32).unwrap());
    let _ = Counter::new().count_units(&*engine, &[0..engine.units() + 1]);
}

/// Returns an engine whose units have these counts.
fn made(units: u64, units_per_task: u64, count: fn(u64) -> u128) -> Fake {
    Fake::new(units, units_per_task).lie(move |unit, _, _| count(unit))
}

#[test]
fn tasks_have_units_counts_and_work_of_ranges() {
    let powers = made(30, 4, |unit| 1 << unit);
    for ranges in [
        vec![],
        vec![0..30],
        vec![3..4, 5..14, 14..21],
        vec![2..3, 28..30, 8..16],
        vec![4..8, 1..3],
        vec![7..7, 6..13, 6..13, 30..30],
    ] {
        let (tasks, sum) = seen(&powers, 2, &ranges);
        let mut expected: Vec<u64> = ranges.iter().cloned().flatten().collect();
        let mut units: Vec<u64> = tasks.iter().flat_map(|task| task.units.clone()).collect();
        expected.sort();
        units.sort();
        assert_eq!(units, expected, "{ranges:?}");
        let expected: u128 = expected.iter().map(|unit| 1 << unit).sum();
        assert_eq!(sum, expected, "{ranges:?}");
        for task in tasks {
            let count: u128 = task.units.clone().map(|unit| 1 << unit).sum();
            assert_eq!(task.count, count, "{task:?}");
            assert_eq!(task.work, powers.work(task.units.clone()), "{task:?}");
            // Tasks begin at the same units in every run.
            for at in [task.units.start, task.units.end] {
                let is_cut_by_range = ranges
                    .iter()
                    .any(|range| range.start == at || range.end == at);
                assert!(at % 4 == 0 || is_cut_by_range, "{ranges:?}: {task:?}");
            }
            assert!(
                task.units.end - task.units.start <= 4,
                "{ranges:?}: {task:?}"
            );
        }
    }
}

#[test]
fn parallel_sums_lose_no_count() {
    let many = made(1 << 20, 1, |_| (1 << 64) + 1);
    for threads in [2, 3, 8] {
        let sum = Counter::new().threads(threads).count(&many).unwrap();
        assert_eq!(sum, (1 << 84) + (1 << 20), "{threads} threads");
    }
}

#[test]
#[should_panic(expected = "the \"fake\" engine has 0 units per task, expected at least 1")]
fn tasks_without_units_panic() {
    let _ = Counter::new().count(&Fake::new(3, 0));
}

#[test]
fn sum_overflow_is_reported_as_error() {
    // The overflow occurs within a task and between tasks.
    for units_per_task in [1, 2] {
        let huge = made(2, units_per_task, |_| u128::MAX);
        let counter = Counter::new().threads(1);
        assert_eq!(counter.count_units(&huge, &[1..2]).unwrap(), u128::MAX);
        let both = counter.count(&huge);
        assert!(matches!(both, Err(CountError::Overflow)), "{both:?}");
    }
}

#[test]
fn cancelled_count_finishes_no_further_task() {
    let (stop, stopped) = (CancelToken::new(), AtomicBool::new(false));
    let engine = EngineChoice::Auto.engine(BoardSize::new(10).unwrap());
    let result = Counter::new()
        .threads(1)
        .on_task(&|_| {
            let is_second = stopped.swap(true, Ordering::SeqCst);
            assert!(!is_second, "a task was finished after the stop");
            stop.cancel();
        })
        .stop(&stop)
        .count(&*engine);
    assert!(matches!(
        result,
        Err(CountError::Engine(EngineError::Cancelled))
    ));
    assert!(stopped.into_inner(), "no task was finished before the stop");
}
