//! The units of the backtracking engine, the reference for other engines, match their definition.

use queencount::engine::SplitMix64;
use queencount::engine::backtrack::Backtrack;
use queencount::{BoardSize, CancelToken, Engine};

use crate::common;

fn engine(n: u32) -> Backtrack {
    Backtrack::new(BoardSize::new(n).expect("a board"))
}

/// Tries boards of two to nine rows, with units of every number of first rows.
#[test]
fn ordered_units_have_every_solution_once() {
    let stop = CancelToken::new();
    for n in 2..=9 {
        let size = BoardSize::new(n).expect("a board");
        let others = (3..n).map(|rows| Backtrack::with_first_rows(size, rows));
        for engine in others.chain([engine(n)]) {
            let units: Vec<_> = (0..engine.units())
                .map(|unit| engine.placement(unit))
                .collect();
            assert!(
                units.is_sorted_by(|before, after| before < after),
                "{units:?}"
            );
            assert!(
                !units.iter().any(|columns| common::attack(columns)),
                "{units:?}"
            );
            let mut counts = vec![0; units.len()];
            for solution in common::solutions(n) {
                let mirrored: Vec<u8> =
                    solution.iter().map(|column| n as u8 - 1 - column).collect();
                let begun: Vec<usize> = (0..units.len())
                    .filter(|&unit| {
                        solution.starts_with(&units[unit]) || mirrored.starts_with(&units[unit])
                    })
                    .collect();
                assert_eq!(begun.len(), 1, "{}, {solution:?}", engine.parameters());
                counts[begun[0]] += 1;
            }
            for (unit, expected) in (0..).zip(counts) {
                let counts = [engine.count(unit, &stop), engine.recount(unit, &stop)];
                assert_eq!(counts, [Ok(expected); 2], "N = {n}, unit {unit}");
            }
        }
    }
}

#[test]
fn engine_and_recount_agree_on_queens_of_units() {
    for n in 17..=24 {
        let engine = engine(n);
        let mut random = SplitMix64::new(n.into());
        let last = engine.units() - 1;
        let drawn = (0..3).map(|_| random.below(last));
        for unit in drawn.chain([0, last]) {
            let queens: Vec<usize> = engine.placement(unit).into_iter().map(Into::into).collect();
            let found = queencount_recount::backtrack::queens(n, queens.len() as u32, unit);
            assert_eq!(found, queens, "N = {n}, unit {unit}");
        }
    }
}

/// Estimates the number of placements that backtracking tries below these queens: the mean over
/// random descents of the products of the numbers of open squares (Knuth 1975, "Estimating the
/// efficiency of backtrack programs").
#[cfg(feature = "records")]
fn descent(n: u32, queens: &[u8], random: &mut SplitMix64) -> f64 {
    let board = (1_u64 << n) - 1;
    let [mut down, mut left, mut right] = [0; 3];
    let mut placements = 0.0;
    let mut probability = 1.0;
    for row in 0..n as usize {
        let mut open = board & !(down | left | right);
        let queen = if let Some(&column) = queens.get(row) {
            1 << column
        } else if open == 0 {
            break;
        } else {
            let squares = u64::from(open.count_ones());
            probability /= squares as f64;
            placements += 1.0 / probability;
            for _ in 0..random.below(squares) {
                open &= open - 1;
            }
            open & open.wrapping_neg()
        };
        down |= queen;
        left = (left | queen) << 1;
        right = (right | queen) >> 1;
    }
    placements
}

#[cfg(feature = "records")]
#[test]
fn shards_of_backtrack_cost_about_the_same() {
    // One of 2000 shards is a small part of the units with the same first two queens, which the
    // plan assumes to cost the same.
    for (n, of, expected) in [
        (19, 100, 0.75..1.33),
        (20, 100, 0.75..1.33),
        (22, 100, 0.75..1.33),
        (24, 2000, 0.45..1.6),
    ] {
        let engine = engine(n);
        let costs = crate::rows::costs_of_shards(&engine, of, 3000, |unit, random| {
            descent(n, &engine.placement(unit), random)
        });
        for cost in costs {
            assert!(expected.contains(&cost), "N = {n}: {cost}");
        }
    }
}

/// Returns the number of ways to place queens on the next rows of a board.
fn placements(n: u32, rows: u32, [down, left, right]: [u64; 3]) -> u64 {
    let board = (1 << n) - 1;
    let mut open = !(down | left | right) & board;
    if rows == 1 {
        return open.count_ones().into();
    }
    let mut ways = 0;
    while open != 0 {
        let queen = open & open.wrapping_neg();
        open -= queen;
        let attacked = [down | queen, (left | queen) << 1, (right | queen) >> 1];
        ways += placements(n, rows - 1, attacked);
    }
    ways
}

/// No placement of two rows is its own mirror image, so half of them are units.
#[test]
fn plans_have_half_of_all_placements_as_units() {
    for n in 2..=32 {
        let rows = Backtrack::first_rows(n);
        // Queens in the left half twice, and in the middle column once.
        let mut twice = 0;
        for column in 0..n.div_ceil(2) {
            let queen = 1 << column;
            let below = placements(n, rows - 1, [queen, queen << 1, queen >> 1]);
            twice += if 2 * column + 1 == n {
                below
            } else {
                2 * below
            };
        }
        assert_eq!(2 * engine(n).units(), twice, "N = {n}, {rows} rows");
    }
}
