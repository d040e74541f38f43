//! The iterator of solutions: sorted, valid, complete, and quick to begin.

mod common;

use queencount::{BoardSize, Solution, Solutions};

fn solutions(n: u32) -> Solutions {
    Solutions::new(BoardSize::new(n).expect("a board"))
}

fn first_as_text(n: u32) -> Vec<String> {
    solutions(n).take(3).map(|solution| solution.to_string()).collect()
}

#[test]
fn they_are_those_of_the_oracle_in_the_same_order() {
    for n in 1..=10 {
        assert!(solutions(n).map(|solution| solution.columns().to_vec()).eq(common::solutions(n)), "N = {n}");
    }
}

#[test]
fn they_are_sorted_valid_and_as_many_as_published() {
    for n in 1..=12 {
        let all: Vec<Solution> = solutions(n).collect();
        assert!(all.is_sorted_by(|a, b| a < b), "N = {n}");
        assert!(all.iter().all(|solution| !common::attack(solution.columns())), "N = {n}");
        assert_eq!(all.len() as u128, common::published(n), "N = {n}");
    }
}

#[test]
fn an_iterator_at_its_end_stays_there() {
    for n in 1..=6 {
        let mut all = solutions(n);
        while all.next().is_some() {}
        assert!((0..3).all(|_| all.next().is_none()), "N = {n}");
    }
}

#[test]
fn two_iterators_do_not_see_each_other() {
    let (mut one, mut other) = (solutions(8), solutions(8));
    let first = one.next();
    assert!(one.nth(10).is_some());
    assert_eq!(other.next(), first);
}

/// Half of the board holds only two of the solutions of N = 6; the third is a mirror image.
#[test]
fn the_first_three_of_six_include_a_mirror_image() {
    assert_eq!(first_as_text(6), ["2 4 6 1 3 5", "3 6 2 5 1 4", "4 1 5 2 6 3"]);
}

#[test]
fn boards_with_fewer_than_three_solutions_have_what_they_have() {
    assert_eq!(first_as_text(1), ["1"]);
    assert!(first_as_text(2).is_empty());
    assert!(first_as_text(3).is_empty());
    assert_eq!(first_as_text(4), ["2 4 1 3", "3 1 4 2"]);
}

#[test]
fn the_first_of_twenty_is_the_known_one() {
    assert_eq!(first_as_text(20)[0], "1 3 5 2 4 13 15 12 18 20 17 9 16 19 8 10 7 14 6 11");
}

#[test]
fn every_board_shows_its_first_three() {
    for n in 5..=BoardSize::MAX {
        let first: Vec<Solution> = solutions(n).take(3).collect();
        assert_eq!(first.len(), 3, "N = {n}");
        assert!(first.is_sorted_by(|a, b| a < b), "N = {n}");
        for solution in first {
            assert_eq!(solution.columns().len(), n as usize);
            assert!(!common::attack(solution.columns()), "N = {n}: {solution}");
        }
    }
}

#[test]
fn a_solution_goes_through_text_and_back() {
    for n in 1..=8 {
        for solution in solutions(n) {
            assert_eq!(solution.to_string().parse(), Ok(solution));
            assert_eq!(Solution::new(solution.columns()), Ok(solution));
            let columns: Vec<u8> = solution.rows().map(|row| row.find('Q').unwrap() as u8).collect();
            assert_eq!(columns, solution.columns());
            assert!(solution.rows().all(|row| row.replacen('Q', "", 1) == ".".repeat(n as usize - 1)), "{solution}");
        }
    }
}

#[test]
fn what_is_no_solution_is_refused_with_what_was_found() {
    for (text, found) in [
        ("", "found 0 of them"),
        (&"1 ".repeat(33), "found 33 of them"),
        ("2 4 1 5", "from 1 to 4 for the queen of row 4, found \"5\""),
        ("2 0 1 3", "row 2, found \"0\""),
        ("2 4 x 3", "row 3, found \"x\""),
        ("2 4 -1 3", "found \"-1\""),
        ("2 4 99 3", "found \"99\""),
        ("2 4 1 2", "rows 1 and 4"),
        ("2 4 3 1", "rows 2 and 3"),
        ("1 2", "rows 1 and 2"),
        ("4 1 2 3", "rows 1 and 3"),
    ] {
        let error = text.parse::<Solution>().unwrap_err().to_string();
        assert!(error.starts_with("expected ") && error.contains(found), "{text:?}: {error}");
    }
    for columns in [&[][..], &[0; 33], &[1, 3, 0, 4], &[1, 3, 0, 255], &[0, 0], &[0, 1], &[1, 3, 0, 1]] {
        assert!(Solution::new(columns).is_err(), "{columns:?}");
    }
}

#[test]
fn as_many_are_skipped_as_asked_for() {
    for n in [1, 2, 4, 8, 12, 14] {
        let all: Vec<Solution> = solutions(n).collect();
        let sizes = [0, 1, 5, 92, 9_999, 10_001, 200_000, 365_595, 365_596, 1 << 40];
        for (first, then) in sizes.iter().flat_map(|first| [0, 30_000].map(|then| (*first, then))) {
            let mut iterator = solutions(n);
            assert_eq!(iterator.nth(first), all.get(first).copied(), "N = {n}, {first}");
            let next = all.get(first + 1 + then).filter(|_| first < all.len());
            assert_eq!(iterator.nth(then), next.copied(), "N = {n}, {first}, then {then}");

            let mut iterator = solutions(n);
            for (skipped, before) in [(first, 0), (then, first)] {
                let left = all.len().saturating_sub(before) as u64;
                assert_eq!(
                    iterator.skip_ahead(skipped as u64, 2).unwrap(),
                    left.min(skipped as u64),
                    "N = {n}, {skipped}"
                );
            }
            assert_eq!(iterator.next(), all.get(first + then).copied(), "N = {n}, {first}, then {then}");
        }
    }
}

#[test]
fn solutions_of_a_board_beyond_counting_can_be_skipped() {
    let mut iterator = solutions(20);
    assert_eq!(iterator.skip_ahead(100_000, 2).unwrap(), 100_000);
    let (passed, plain) = (iterator.next(), solutions(20).take(100_001).last());
    assert_eq!(passed, plain);
}

#[test]
fn solutions_at_hand_are_those_that_come_without_a_search() {
    let mut iterator = solutions(12);
    let mut left = common::published(12) as usize;
    while left > 0 {
        let (at_hand, most) = iterator.size_hint();
        assert!(at_hand <= left && most.is_none());
        left -= iterator.by_ref().take(at_hand.max(1)).count();
    }
    assert_eq!((iterator.next(), iterator.size_hint().0), (None, 0));
}
