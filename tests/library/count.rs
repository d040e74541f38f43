//! Counting on any number of threads, with progress and cancellation.

#![allow(
    clippy::single_range_in_vec_init,
    reason = "a list of one range of units is what is meant"
)]

use std::ops::Range;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

use queencount::{BoardSize, CancelToken, CountError, Counter, Engine, EngineChoice, Task};

#[test]
fn engine_names_and_parameters_are_stable() {
    for (n, engine, name, parameters) in [
        (12, EngineChoice::Backtrack, "backtrack", ""),
        (18, EngineChoice::Backtrack, "backtrack", ""),
        (22, EngineChoice::Backtrack, "backtrack", "first 5 rows"),
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
    let threads = Made {
        units: 1,
        units_per_task: 1,
        count: |_| rayon::current_num_threads() as u128,
    };
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
fn task_observer_sees_every_unit_once_with_its_count() {
    for n in 1..=12 {
        let engine = EngineChoice::Backtrack.engine(BoardSize::new(n).unwrap());
        let (mut tasks, total) = seen(&*engine, 3, &[0..engine.units()]);
        tasks.sort_by_key(|task| task.units.start);
        assert_eq!(tasks.iter().map(|task| task.count).sum::<u128>(), total);
        let units: Vec<u64> = tasks.iter().flat_map(|task| task.units.clone()).collect();
        assert_eq!(units, Vec::from_iter(0..engine.units()), "N = {n}");
        for task in tasks {
            let count: u128 = task
                .units
                .map(|unit| engine.count(unit, &CancelToken::new()).unwrap())
                .sum();
            assert_eq!(count, task.count, "N = {n}");
        }
    }
}

#[test]
fn ranges_of_units_sum_to_total() {
    let engine = EngineChoice::Backtrack.engine(BoardSize::new(10).unwrap());
    let units = engine.units();
    let counter = Counter::new().threads(2);
    let mut rest = 0;
    for (ranges, expected) in [
        (&[][..], 0),
        (&[7..7, 0..5, 9..9, 5..units, units..units], 724),
        (&[0..units, 0..units], 2 * 724),
    ] {
        let sum = counter.count_units(&*engine, ranges).unwrap();
        assert_eq!(sum, expected, "{ranges:?}");
    }
    for ranges in [
        &[0..units / 3, units / 2..units][..],
        &[units / 3..units / 2],
    ] {
        rest += counter.count_units(&*engine, ranges).unwrap();
    }
    assert_eq!(rest, 724);
}

#[test]
#[should_panic(expected = "no such units")]
fn units_beyond_plan_panic_before_counting() {
    let engine = EngineChoice::Backtrack.engine(BoardSize::new(32).unwrap());
    let _ = Counter::new().count_units(&*engine, &[0..engine.units() + 1]);
}

/// An engine whose units have simple counts unrelated to any board.
struct Made {
    units: u64,
    units_per_task: u64,
    count: fn(u64) -> u128,
}

impl Engine for Made {
    fn name(&self) -> &'static str {
        "made"
    }

    fn size(&self) -> BoardSize {
        BoardSize::new(1).unwrap()
    }

    fn units(&self) -> u64 {
        self.units
    }

    fn units_per_task(&self) -> u64 {
        self.units_per_task
    }

    fn cumulative_work(&self, unit: u64) -> f64 {
        unit as f64 / self.units as f64
    }

    fn count(&self, unit: u64, _stop: &CancelToken) -> Result<u128, queencount::EngineError> {
        Ok((self.count)(unit))
    }

    fn recount(&self, unit: u64, stop: &CancelToken) -> Result<u128, queencount::EngineError> {
        self.count(unit, stop)
    }
}

#[test]
fn tasks_begin_at_same_units_in_every_run() {
    let powers = Made {
        units: 30,
        units_per_task: 4,
        count: |unit| 1 << unit,
    };
    for ranges in [
        vec![0..30],
        vec![3..4, 5..14, 14..21],
        vec![2..3, 28..30, 8..16],
        vec![16..17],
        vec![4..8, 1..3],
    ] {
        let (tasks, sum) = seen(&powers, 2, &ranges);
        assert_eq!(
            sum,
            ranges.iter().cloned().flatten().map(|unit| 1 << unit).sum(),
            "{ranges:?}"
        );
        for task in tasks {
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
    let many = Made {
        units: 1 << 20,
        units_per_task: 1,
        count: |_| (1 << 64) + 1,
    };
    for threads in [2, 3, 8] {
        let sum = Counter::new().threads(threads).count(&many).unwrap();
        assert_eq!(sum, (1 << 84) + (1 << 20), "{threads} threads");
    }
}

#[test]
fn tasks_report_their_share_of_work() {
    for (n, choice) in [
        (1, EngineChoice::Backtrack),
        (11, EngineChoice::Backtrack),
        (13, EngineChoice::Rows),
    ] {
        let engine = choice.engine(BoardSize::new(n).unwrap());
        let (tasks, _) = seen(&*engine, 2, &[0..engine.units()]);
        for task in &tasks {
            let expected =
                engine.cumulative_work(task.units.end) - engine.cumulative_work(task.units.start);
            assert_eq!(task.work, expected, "N = {n}, {task:?}");
        }
        let whole: f64 = tasks.iter().map(|task| task.work).sum();
        assert!((whole - 1.0).abs() < 1e-9, "N = {n}: {whole}");
    }
}

#[test]
#[should_panic(expected = "the \"made\" engine has 0 units per task, expected at least 1")]
fn tasks_without_units_panic() {
    let _ = Counter::new().count(&Made {
        units: 3,
        units_per_task: 0,
        count: |_| 1,
    });
}

#[test]
fn sum_overflow_is_reported_as_error() {
    // The overflow occurs within a task and between tasks.
    for units_per_task in [1, 2] {
        let huge = Made {
            units: 2,
            units_per_task,
            count: |_| u128::MAX,
        };
        let counter = Counter::new().threads(1);
        assert_eq!(counter.count_units(&huge, &[1..2]).unwrap(), u128::MAX);
        let both = counter.count(&huge);
        assert!(matches!(both, Err(CountError::Overflow)), "{both:?}");
    }
}

#[test]
fn years_long_count_ends_when_cancelled() {
    for n in [22, 27, 32] {
        let stop = CancelToken::new();
        thread::scope(|scope| {
            let engine = EngineChoice::Auto.engine(BoardSize::new(n).unwrap());
            let stop = &stop;
            let count = scope.spawn(move || Counter::new().threads(2).stop(stop).count(&*engine));
            thread::sleep(Duration::from_millis(200));
            stop.cancel();
            assert!(
                matches!(count.join().unwrap(), Err(CountError::Cancelled)),
                "N = {n}"
            );
        });
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
    assert!(matches!(result, Err(CountError::Cancelled)));
    assert!(stopped.into_inner(), "no task was finished before the stop");
}
