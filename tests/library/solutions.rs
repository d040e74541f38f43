//! The iterator returns all solutions and nothing else, in order, and starts quickly.

use std::sync::Mutex;

use queencount::{BoardSize, CancelToken, EngineError, Solution, Solutions};

use crate::common;

fn solutions(n: u32) -> Solutions {
    Solutions::new(BoardSize::new(n).expect("a board"))
}

#[test]
fn solutions_match_oracle_in_same_order() {
    for n in 1..=10 {
        assert!(
            solutions(n)
                .map(|solution| solution.columns().to_vec())
                .eq(common::solutions(n)),
            "N = {n}"
        );
    }
}

#[test]
fn every_board_from_5_yields_three_solutions() {
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
fn solution_round_trips_through_text() {
    for n in 1..=8 {
        for solution in solutions(n) {
            assert_eq!(solution.to_string().parse(), Ok(solution));
            assert_eq!(Solution::new(solution.columns()), Ok(solution));
            let columns: Vec<u8> = solution
                .board_lines()
                .map(|row| row.find('Q').unwrap() as u8)
                .collect();
            assert_eq!(columns, solution.columns());
            assert!(
                solution
                    .board_lines()
                    .all(|row| row.replacen('Q', "", 1) == ".".repeat(n as usize - 1)),
                "{solution}"
            );
        }
    }
}

#[test]
fn invalid_solution_is_rejected_with_reason() {
    for (text, found) in [
        ("", "found 0"),
        (&"1 ".repeat(33), "found 33"),
        ("2 4 1 5", "from 1 to 4 for the queen in row 4, found \"5\""),
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
        assert!(error.contains(found), "{text:?}: {error}");
    }
    for columns in [
        &[][..],
        &[0; 33],
        &[1, 3, 0, 4],
        &[1, 3, 0, 255],
        &[0, 0],
        &[0, 1],
        &[1, 3, 0, 1],
    ] {
        assert!(Solution::new(columns).is_err(), "{columns:?}");
    }
}

/// Skips this many solutions on two threads.
fn skip_ahead(iterator: &mut Solutions, solutions: u128) -> u128 {
    iterator
        .skip_ahead(solutions, 2, &CancelToken::new(), &|_| ())
        .unwrap()
}

/// Skips this many solutions after `start` solutions, of which `all` holds all. Checks the next
/// two.
fn check_skip(n: u32, all: &[Solution], start: usize, skip: usize) {
    let mut iterator = solutions(n);
    if let Some(last) = start.checked_sub(1) {
        assert_eq!(iterator.nth(last), all.get(last).copied());
    }
    assert_eq!(iterator.clone().nth(skip), all.get(start + skip).copied());
    let skipped = skip_ahead(&mut iterator, skip as u128);
    let left = all.len().saturating_sub(start);
    assert_eq!(
        skipped,
        left.min(skip) as u128,
        "N = {n}, {skip} from {start}"
    );
    for index in [start + skip, start + skip + 1] {
        let expected = all.get(index).copied();
        assert_eq!(iterator.next(), expected, "N = {n}, {skip} from {start}");
    }
}

/// Up to 10,000 solutions are found one by one; more are skipped by counting the completions of
/// boards with 13 empty rows, at most 2^21 at a time, and from the other end beyond the half.
#[test]
fn skips_below_at_and_above_each_limit_are_exact() {
    for n in [1, 2, 4, 8, 12, 13, 14] {
        let all: Vec<Solution> = solutions(n).collect();
        for limit in [1, 5, 10_000, all.len() / 2, all.len()] {
            for skip in [limit.saturating_sub(1), limit, limit + 1] {
                check_skip(n, &all, 0, skip);
                check_skip(n, &all, 1, skip);
            }
        }
    }
    let all: Vec<Solution> = solutions(15).collect();
    for skip in [(1 << 21) - 1, 1 << 21, (1 << 21) + 1] {
        check_skip(15, &all, 1, skip);
    }
    // From N = 27 on, the solutions are found one by one.
    for n in [20, 26, 27] {
        let some: Vec<Solution> = solutions(n).take(10_003).collect();
        let mut iterator = solutions(n);
        assert_eq!(skip_ahead(&mut iterator, 10_001), 10_001);
        assert_eq!(iterator.next(), Some(some[10_001]), "N = {n}");
        assert_eq!(iterator.next(), Some(some[10_002]), "N = {n}");
    }
}

#[test]
fn solutions_near_end_are_reached_from_end() {
    let stop = CancelToken::new();
    let all: Vec<Solution> = solutions(14).collect();
    for skip in [182_797, 182_798, 182_799, 365_000, 365_595] {
        let progress = Mutex::new(vec![0.0]);
        let mut iterator = solutions(14);
        let skipped = iterator.skip_ahead(skip, 2, &stop, &|share| {
            progress.lock().unwrap().push(share);
        });
        assert_eq!(skipped.unwrap(), skip);
        assert!(iterator.eq(all[skip as usize..].iter().copied()), "{skip}");
        let progress = progress.into_inner().unwrap();
        assert!(progress.is_sorted(), "{progress:?}");
        // Counting all solutions moves the bar, too.
        assert!(
            progress.len() > 3 && (progress.last().unwrap() - 1.0).abs() < 1e-9,
            "{progress:?}"
        );
    }
    // Skipping all solutions of N = 17 would take long.
    let mut iterator = solutions(17);
    assert_eq!(skip_ahead(&mut iterator, 95_815_100), 95_815_100);
    let last = iterator.last().unwrap();
    assert_eq!(last, solutions(17).next().unwrap().images()[4]);
    // An exhausted iterator stays exhausted.
    let mut iterator = solutions(14);
    for left in [365_596, 0] {
        assert_eq!(skip_ahead(&mut iterator, 1 << 60), left);
        assert_eq!(iterator.next(), None);
    }
}

#[test]
fn fundamental_solutions_are_representatives() {
    for n in 1..=10 {
        let size = BoardSize::new(n).unwrap();
        let expected: Vec<Solution> = solutions(n).filter(Solution::is_representative).collect();
        let mut fundamental = Solutions::fundamental(size);
        for index in 0..expected.len() {
            assert_eq!(fundamental.next(), Some(expected[index]));
            let (ready, _) = fundamental.size_hint();
            assert!(ready < expected.len() - index);
            assert_eq!(
                Solutions::fundamental(size).nth(index),
                Some(expected[index])
            );
        }
        assert_eq!(fundamental.next(), None, "N = {n}");
        let mut fundamental = Solutions::fundamental(size);
        let skipped = skip_ahead(&mut fundamental, 5);
        assert_eq!(skipped, 5.min(expected.len() as u128));
        assert_eq!(fundamental.next(), expected.get(5).copied());
    }
}

#[test]
fn size_hint_counts_solutions_without_search() {
    let mut iterator = solutions(12);
    let (mut left, mut searches) = (common::published(12) as usize, 0);
    while left > 0 {
        let (at_hand, most) = iterator.size_hint();
        assert!(at_hand <= left && most.is_none());
        left -= iterator.by_ref().take(at_hand.max(1)).count();
        searches += u32::from(at_hand == 0);
    }
    assert_eq!((iterator.next(), iterator.size_hint().0), (None, 0));
    // A batch contains many solutions.
    assert!(
        u128::from(searches) < common::published(12) / 2,
        "{searches} searches"
    );
}

#[test]
fn iterator_skips_from_any_solution() {
    let all: Vec<Solution> = solutions(13).collect();
    for at in (0..all.len()).step_by(4999).chain([all.len() - 1]) {
        check_skip(13, &all, at + 1, 30_000);
    }
}

#[test]
fn cancelled_search_can_be_resumed() {
    let (mut iterator, stop) = (solutions(32), CancelToken::new());
    stop.cancel();
    assert_eq!(iterator.try_next(&stop), Err(EngineError::Cancelled));
    assert_eq!(
        iterator.try_next(&CancelToken::new()),
        Ok(solutions(32).next())
    );
    assert_eq!(solutions(2).try_next(&CancelToken::new()), Ok(None));
}
