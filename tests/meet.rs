//! The meet-in-the-middle engine: which boards it counts, what it says of their work, and that it can be stopped. That
//! its counts are right is in `implementations.rs`.

use queencount::{BoardSize, Engine, EngineChoice, Stop, Stopped};

fn plan(n: u32) -> Box<dyn Engine> {
    EngineChoice::Meet.plan(BoardSize::new(n).unwrap())
}

#[test]
fn the_work_before_a_unit_grows_from_nothing_to_all() {
    for n in 4..=32 {
        let engine = plan(n);
        let units = engine.units();
        assert_eq!((engine.work_before(0), engine.work_before(units)), (0.0, 1.0), "N = {n}");
        // All of them, or two thousand neighbours at each of a thousand places.
        let step = (units / 1000).max(2000);
        for start in (0..units).step_by(step as usize) {
            let work: Vec<f64> = (start..=units.min(start + 2000)).map(|unit| engine.work_before(unit)).collect();
            assert!(work.is_sorted_by(|before, after| before < after), "N = {n}, from unit {start}");
            assert!(work.iter().all(|work| (0.0..=1.0).contains(work)), "N = {n}, from unit {start}");
        }
    }
}

#[test]
fn boards_without_halves_worth_the_name_are_left_to_backtracking() {
    for n in 1..=3 {
        let engine = plan(n);
        assert_eq!((engine.name(), engine.kernel()), ("backtrack", None), "N = {n}");
    }
    for n in 4..=32 {
        assert_eq!(plan(n).name(), "meet", "N = {n}");
    }
}

#[test]
fn nothing_is_counted_after_a_stop() {
    let stop = Stop::new();
    stop.request();
    for n in [4, 5, 16, 17] {
        let engine = plan(n);
        assert_eq!(engine.count(0, &stop), Err(Stopped), "N = {n}");
    }
}
