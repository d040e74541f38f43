//! Symmetry: images match the definition, orbits match brute force, and counts match the published
//! values.

use std::collections::BTreeSet;

use queencount::symmetry::{Rotation, RotationSymmetric};
use queencount::{BoardSize, CancelToken, Classes, Counter, Engine, Solution, Solutions};

use crate::common;

fn size(n: u32) -> BoardSize {
    BoardSize::new(n).expect("a board")
}

/// Returns the row and the column to which a symmetry moves a queen, given its row and column and
/// the last row.
type Move = fn(u8, u8, u8) -> (u8, u8);

/// Returns the column of each row's queen after each of the eight symmetries, in the order of
/// [`Solution::images`].
fn images(columns: &[u8]) -> [Vec<u8>; 8] {
    let last = columns.len() as u8 - 1;
    let moves: [Move; 8] = [
        |row, column, _| (row, column),
        |row, column, last| (column, last - row),
        |row, column, last| (last - row, last - column),
        |row, column, last| (last - column, row),
        |row, column, last| (row, last - column),
        |row, column, last| (last - row, column),
        |row, column, _| (column, row),
        |row, column, last| (last - column, last - row),
    ];
    moves.map(|moved| {
        let mut image = vec![u8::MAX; columns.len()];
        for (row, &column) in (0..).zip(columns) {
            let (row, column) = moved(row, column, last);
            image[usize::from(row)] = column;
        }
        image
    })
}

fn orbit(columns: &[u8]) -> BTreeSet<Vec<u8>> {
    images(columns).into()
}

#[test]
fn images_match_moved_squares() {
    for n in 1..=8 {
        for solution in Solutions::new(size(n)) {
            let images = images(solution.columns());
            assert!(
                solution.images().iter().map(Solution::columns).eq(&images),
                "{solution}"
            );
        }
    }
}

#[test]
fn classes_match_brute_force_orbits() {
    for n in 1..=11 {
        // The oracle is too slow for N = 11, so the iterator replaces it. The two are compared up
        // to N = 10.
        let all: Vec<Vec<u8>> = match n {
            11 => Solutions::new(size(n))
                .map(|solution| solution.columns().to_vec())
                .collect(),
            _ => common::solutions(n),
        };
        let orbits: BTreeSet<_> = all.iter().map(|columns| orbit(columns)).collect();
        let classes = queencount::classes(n).unwrap();
        assert_eq!(classes.fundamental(), orbits.len() as u128, "N = {n}");
        for solutions in 0..=9 {
            let found = orbits
                .iter()
                .filter(|orbit| orbit.len() == solutions)
                .count() as u128;
            assert_eq!(
                classes.orbits(solutions as u32),
                found,
                "N = {n}, orbits of {solutions}"
            );
        }
        for (index, found) in [(2, classes.half_turn), (1, classes.quarter_turn)] {
            let fixed = all
                .iter()
                .filter(|columns| images(columns)[index] == **columns);
            assert_eq!(found, fixed.count() as u128, "N = {n}, symmetry {index}");
        }
        assert_eq!(classes.total, all.len() as u128, "N = {n}");

        let least: Vec<&[u8]> = orbits
            .iter()
            .map(|orbit| orbit.first().unwrap().as_slice())
            .collect();
        let fundamental: Vec<Solution> = Solutions::fundamental(size(n)).collect();
        assert!(
            fundamental.iter().map(Solution::columns).eq(least),
            "N = {n}"
        );
        for solution in Solutions::new(size(n)) {
            let orbit = orbit(solution.columns());
            assert_eq!(solution.orbit_size() as usize, orbit.len(), "{solution}");
        }
    }
}

#[track_caller]
fn classes_are_as_published(n: u32) {
    let classes = Counter::new()
        .classes(size(n), common::published(n))
        .unwrap();
    assert_eq!(classes.half_turn, common::published_half_turn(n), "N = {n}");
    assert_eq!(
        classes.quarter_turn,
        common::published_quarter_turn(n),
        "N = {n}"
    );
    assert_eq!(
        classes.fundamental(),
        common::published_fundamental(n),
        "N = {n}"
    );
    let solutions = [1, 2, 4, 8].map(|solutions| u128::from(solutions) * classes.orbits(solutions));
    assert_eq!(
        solutions.into_iter().sum::<u128>(),
        classes.total,
        "N = {n}"
    );
}

#[test]
fn classes_up_to_n_23_match_published() {
    for n in 1..=23 {
        classes_are_as_published(n);
    }
}

#[test]
#[ignore = "takes 20 seconds of one thread"]
fn classes_of_n_24_to_27_match_published() {
    for n in 24..=27 {
        classes_are_as_published(n);
    }
}

/// Beyond N = 25, floats cannot represent the total. For N = 27, they cannot represent the number
/// of classes either.
#[test]
fn published_total_is_exact_and_others_are_rejected() {
    for n in 2..=27 {
        let published = common::published(n);
        let [half_turn, quarter_turn] = [
            common::published_half_turn(n),
            common::published_quarter_turn(n),
        ];
        let classes = Classes::new(size(n), published, half_turn, quarter_turn).unwrap();
        assert_eq!(
            classes.fundamental(),
            common::published_fundamental(n),
            "N = {n}"
        );
        for off in 1..8 {
            let classes = Classes::new(size(n), published + off, half_turn, quarter_turn);
            assert!(classes.is_err(), "N = {n} + {off}");
        }
        for (half_turn, quarter_turn) in [(published + 8, quarter_turn), (half_turn, half_turn + 4)]
        {
            let classes = Classes::new(size(n), published, half_turn, quarter_turn);
            assert!(classes.is_err(), "N = {n}");
        }
    }
    assert!(Classes::new(size(1), 1, 1, 1).is_ok());
    assert!(Classes::new(size(1), 9, 1, 1).is_err());
    let error = Classes::new(size(8), 93, 4, 0).unwrap_err();
    assert!(error.to_string().contains("found 93"), "{error}");
}

#[test]
fn rotation_units_match_their_recounts() {
    for turn in [Rotation::Half, Rotation::Quarter] {
        for n in 1..=13 {
            let engine = RotationSymmetric::new(size(n), turn);
            assert_eq!(
                (
                    engine.cumulative_work(0) == 0.0,
                    engine.cumulative_work(engine.units())
                ),
                (engine.units() > 0, 1.0)
            );
            let units = queencount_recount::rotation::units(n, turn as u32);
            assert_eq!(engine.units(), units, "{turn:?}, N = {n}");
            for unit in 0..units {
                let [count, recount] = [
                    engine.count(unit, &CancelToken::new()),
                    engine.recount(unit, &CancelToken::new()),
                ];
                assert_eq!(count, recount, "{turn:?}, N = {n}, unit {unit}");
            }
        }
    }
}
