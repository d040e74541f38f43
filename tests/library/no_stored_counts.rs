//! Counts are computed, not stored. These counts are not published anywhere, because they are for
//! arbitrary subsets of a board's units, and for units of a board whose total is unknown.

use std::ops::Range;

use queencount::engine::rows::Rows;
use queencount::{
    BoardSize, CancelToken, CountError, Counter, Engine, EngineChoice, EngineOptions, SplitMix64,
};

use crate::common;

fn engines(n: u32) -> [Box<dyn Engine>; 2] {
    [EngineChoice::Backtrack, EngineChoice::Rows]
        .map(|choice| choice.engine(BoardSize::new(n).unwrap()))
}

fn count(engine: &dyn Engine, units: &[Range<u64>]) -> u128 {
    Counter::default()
        .threads(2)
        .count_units(engine, units)
        .unwrap()
}

#[test]
fn any_subset_of_units_matches_recount() {
    let mut random = SplitMix64::new(170);
    for n in 6..=11 {
        for engine in engines(n) {
            let recounts: Vec<u128> = (0..engine.units())
                .map(|unit| engine.recount(unit, &CancelToken::new()).unwrap())
                .collect();
            for _ in 0..10 {
                let drawn: Vec<u64> = (0..engine.units())
                    .filter(|_| random.below(2) == 1)
                    .collect();
                let parts: Vec<Range<u64>> = drawn.iter().map(|&unit| unit..unit + 1).collect();
                let expected: u128 = drawn.iter().map(|&unit| recounts[unit as usize]).sum();
                assert_eq!(
                    count(&*engine, &parts),
                    expected,
                    "N = {n}, {}, units {drawn:?}",
                    engine.name()
                );
            }
        }
    }
}

#[test]
fn units_of_board_with_unknown_total_match_recounts() {
    let engine = Rows::with_middle_rows(BoardSize::new(29).unwrap(), 11, EngineOptions::new());
    let (mut random, mut full) = (SplitMix64::new(29), 0);
    while full < 5 {
        let unit = random.below(engine.units());
        let count = engine.count(unit, &CancelToken::new()).unwrap();
        assert_eq!(
            engine.recount(unit, &CancelToken::new()),
            Ok(count),
            "unit {unit}"
        );
        full += u32::from(count > 0);
    }
}

#[test]
fn omitted_unit_reduces_total_by_its_count() {
    for n in [8, 12, 13] {
        for engine in engines(n) {
            let units = engine.units();
            let full = (0..units)
                .max_by_key(|&unit| engine.count(unit, &CancelToken::new()).unwrap())
                .unwrap();
            let missing = engine.recount(full, &CancelToken::new()).unwrap();
            assert!(missing > 0, "N = {n}, {}", engine.name());
            let others = count(&*engine, &[0..full, full + 1..units]);
            assert_eq!(
                others,
                common::published(n) - missing,
                "N = {n}, {}, without unit {full}",
                engine.name()
            );
        }
    }
}

#[test]
fn cancelled_count_has_no_result() {
    let stop = CancelToken::new();
    stop.cancel();
    for n in 14..=27 {
        for engine in engines(n) {
            let result = Counter::default().threads(2).stop(&stop).count(&*engine);
            assert!(
                matches!(result, Err(CountError::Cancelled)),
                "N = {n}, {}: {result:?}",
                engine.name()
            );
        }
    }
}
