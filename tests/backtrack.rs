//! The backtracking engine, the reference that other engines are held against: every unit is what it is said to be.

mod common;

use queencount::engine::backtrack::Backtrack;
use queencount::{BoardSize, Engine, Stop, Stopped};

fn plan(n: u32) -> Backtrack {
    Backtrack::new(BoardSize::new(n).expect("a board"))
}

#[test]
fn a_unit_counts_the_solutions_that_begin_with_its_two_queens_and_their_mirror_images() {
    for n in 2..=9 {
        let (engine, solutions) = (plan(n), common::solutions(n));
        for unit in 0..engine.units() {
            let (first, second) = engine.placement(unit).expect("a board of two rows or more");
            let begin_with = |first, second| {
                solutions.iter().filter(|s| (u32::from(s[0]), u32::from(s[1])) == (first, second)).count() as u128
            };
            let expected = begin_with(first, second) + begin_with(n - 1 - first, n - 1 - second);
            assert_eq!(engine.count(unit, &Stop::new()), Ok(expected), "N = {n}, unit {unit}");
        }
    }
}

#[test]
fn no_solution_belongs_to_two_units_or_to_none() {
    for n in 2..=9 {
        let engine = plan(n);
        let placements: Vec<_> = (0..engine.units()).map(|unit| engine.placement(unit).unwrap()).collect();
        for solution in common::solutions(n) {
            let (first, second) = (u32::from(solution[0]), u32::from(solution[1]));
            let images = [(first, second), (n - 1 - first, n - 1 - second)];
            assert_eq!(placements.iter().filter(|unit| images.contains(unit)).count(), 1, "N = {n}, {solution:?}");
        }
    }
}

#[test]
fn the_board_of_one_square_is_one_unit_without_two_queens() {
    let engine = plan(1);
    assert_eq!(engine.units(), 1);
    assert_eq!(engine.placement(0), None);
    assert_eq!(engine.count(0, &Stop::new()), Ok(1));
}

#[test]
fn the_work_before_a_unit_grows_from_nothing_to_all() {
    for n in 1..=BoardSize::MAX {
        let engine = plan(n);
        let work: Vec<f64> = (0..=engine.units()).map(|unit| engine.work_before(unit)).collect();
        // A board without units, as N = 2 is, has no work; what is before its end is all of it.
        assert_eq!(work[0], if engine.units() == 0 { 1.0 } else { 0.0 }, "N = {n}");
        assert_eq!(work[engine.units() as usize], 1.0, "N = {n}");
        assert!(work.is_sorted_by(|before, after| before < after), "N = {n}");
    }
}

#[test]
fn a_unit_that_would_take_years_ends_when_a_stop_is_requested() {
    for n in [20, BoardSize::MAX] {
        let stop = Stop::new();
        stop.request();
        assert_eq!(plan(n).count(0, &stop), Err(Stopped), "N = {n}");
    }
}
