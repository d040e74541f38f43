//! Calls are independent of each other, whether sequential or concurrent.

use std::thread;

use queencount::{BoardSize, Counter, EngineChoice};

use crate::common;

/// Calls every function for a board and returns the results as text.
fn everything(n: u32) -> String {
    let classes = queencount::classes(n).unwrap();
    let counts = [
        EngineChoice::Auto,
        EngineChoice::Backtrack,
        EngineChoice::Rows,
    ]
    .map(|engine| {
        Counter::default()
            .threads(2)
            .count(&*engine.engine(BoardSize::new(n).unwrap()))
            .unwrap()
    });
    let solutions: Vec<String> = queencount::solutions(n)
        .unwrap()
        .map(|solution| solution.to_string())
        .collect();
    let last = queencount::solutions(n)
        .unwrap()
        .nth(solutions.len().saturating_sub(1));
    format!("{classes:?} {counts:?} {solutions:?} {last:?}")
}

#[test]
fn sequential_and_concurrent_calls_agree() {
    let boards = [1, 8, 2, 11, 5, 8, 10, 3, 12, 8];
    let once: Vec<String> = boards.map(everything).into();
    for (n, found) in boards.iter().zip(&once) {
        assert!(
            found.contains(&common::published(*n).to_string()),
            "N = {n}"
        );
    }
    assert_eq!(boards.map(everything).to_vec(), once);
    let at_once: Vec<String> = thread::scope(|scope| {
        let calls = boards.map(|n| scope.spawn(move || everything(n)));
        calls.into_iter().map(|call| call.join().unwrap()).collect()
    });
    assert_eq!(at_once, once);
}

#[test]
fn invalid_boards_are_rejected_by_every_call() {
    for n in [0, 33, u32::MAX] {
        assert!(
            queencount::count(n).is_err()
                && queencount::classes(n).is_err()
                && queencount::solutions(n).is_err()
        );
    }
}
