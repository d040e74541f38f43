//! Runs the same boards through every implementation: every engine and kernel, any number of
//! threads, and any division of the plan.
//!
//! Totals are compared with the published values, and units with their recount. Miri interprets the
//! tests of the smallest boards, and of a record (`.ci/memory`).

mod common;

use std::ops::Range;

use queencount::engine::SplitMix64;
use queencount::record::{Loader, Plan, Reader, Shard};
use queencount::{
    Backend, BoardSize, CancelToken, Counter, Engine, EngineChoice, EngineOptions, Kernel,
};

fn size(n: u32) -> BoardSize {
    BoardSize::new(n).unwrap()
}

fn backtrack(n: u32) -> Box<dyn Engine> {
    EngineChoice::Backtrack.engine(size(n))
}

/// Returns the engine `rows` with every kernel that the CPU supports, the portable one last.
fn rows(n: u32, memory_per_thread: Option<u64>) -> Vec<Box<dyn Engine>> {
    let with = |kernel| {
        let options = EngineOptions {
            kernel: Some(kernel),
            memory_per_thread,
            ..EngineOptions::default()
        };
        EngineChoice::Rows.build(size(n), options)
    };
    let engines: Vec<_> = Kernel::available().into_iter().map(with).collect();
    assert_eq!(implementation(&*engines[engines.len() - 1]), "portable");
    engines
}

/// Returns every implementation that counts this board.
fn all(n: u32) -> Vec<Box<dyn Engine>> {
    let mut engines = vec![backtrack(n)];
    if n >= 4 {
        engines.extend(rows(n, None));
    }
    engines
}

fn implementation(engine: &dyn Engine) -> &'static str {
    engine.backend().map_or(engine.name(), Backend::name)
}

/// Returns divisions of a plan into parts that are counted separately. Each part has one or more
/// ranges of units.
fn cuts(engine: &dyn Engine) -> [Vec<Vec<Range<u64>>>; 3] {
    let units = engine.units();
    let (third, half) = (units / 3, units / 2);
    [
        vec![vec![0..units]],
        (1..=3)
            .map(|part| vec![Shard::new(part, 3).unwrap().units(engine)])
            .collect(),
        vec![vec![half..units, 0..third], vec![], vec![third..half]],
    ]
}

#[track_caller]
fn check_total(engine: &dyn Engine, threads: usize, cut: &[Vec<Range<u64>>]) {
    let counter = Counter::new().threads(threads);
    let parts = cut.iter().map(|part| counter.count_units(engine, part));
    assert_eq!(
        parts.map(Result::unwrap).sum::<u128>(),
        common::published(engine.size().get()),
        "N = {}, {}, {threads} threads, cut {cut:?}",
        engine.size(),
        implementation(engine)
    );
}

#[test]
fn totals_are_correct_for_any_threads_and_division() {
    let (largest, threads) = if cfg!(miri) {
        (6, &[2][..])
    } else {
        (14, &[1, 2, 3, 8][..])
    };
    for n in 1..=largest {
        for engine in all(n) {
            for &threads in threads {
                for cut in cuts(&*engine) {
                    check_total(&*engine, threads, &cut);
                }
            }
        }
    }
}

#[test]
#[cfg_attr(miri, ignore)]
fn totals_of_larger_boards_match_published() {
    // Backtracking divides the units of N = 16 among the threads.
    let (largest, threads) = if common::long() {
        (20, &[1, 2, 3, 8][..])
    } else {
        (16, &[3][..])
    };
    for n in 15..=largest {
        for engine in all(n) {
            if n <= 17 || engine.name() != "backtrack" {
                for &threads in threads {
                    check_total(&*engine, threads, &cuts(&*engine)[0]);
                }
            }
        }
    }
}

/// Compares each engine's count of a unit with the expected one.
#[track_caller]
fn check_unit(engines: &[Box<dyn Engine>], unit: u64, expected: u128) {
    for engine in engines {
        assert_eq!(
            engine.count(unit, &CancelToken::new()),
            Ok(expected),
            "N = {}, {}, unit {unit}",
            engine.size(),
            implementation(&**engine)
        );
    }
}

/// Compares the counts of a unit with its recount.
#[track_caller]
fn check_recount(engines: &[Box<dyn Engine>], unit: u64) {
    let recount = engines[0].recount(unit, &CancelToken::new());
    check_unit(engines, unit, recount.unwrap());
}

#[test]
fn units_match_their_recounts() {
    for n in 4..=if cfg!(miri) { 6 } else { 12 } {
        for engines in [vec![backtrack(n)], rows(n, None)] {
            (0..engines[0].units()).for_each(|unit| check_recount(&engines, unit));
        }
    }
}

/// On these boards, lists are longer than a vector.
#[test]
fn random_units_of_larger_boards_match_recounts() {
    let boards = [
        (13, [20, 40]),
        (14, [4, 40]),
        (15, [1, 20]),
        (16, [0, 10]),
        (17, [0, 2]),
        (18, [0, 2]),
    ];
    let boards = if cfg!(miri) {
        &[(10, [2, 2])][..]
    } else {
        &boards
    };
    let times = if common::long() { 10 } else { 1 };
    let mut random = SplitMix64::new(9);
    for &(n, units) in boards {
        let engines = [vec![backtrack(n)], rows(n, None)];
        for (engines, units) in engines.iter().zip(units) {
            for _ in 0..units * times {
                check_recount(engines, random.below(engines[0].units()));
            }
        }
    }
}

#[test]
#[cfg_attr(miri, ignore)]
fn unit_counts_do_not_depend_on_memory_limit() {
    let times = if common::long() { 8 } else { 1 };
    let mut random = SplitMix64::new(20);
    for (n, units) in [(17, 2), (18, 1)] {
        let large = &rows(n, None)[0];
        let small = rows(n, Some(1 << 20));
        assert!(small[0].memory(1) <= large.memory(1), "N = {n}");
        for _ in 0..units * times {
            let unit = random.below(large.units());
            let expected = large.count(unit, &CancelToken::new());
            check_unit(&small, unit, expected.unwrap());
        }
    }
}

#[test]
#[cfg_attr(miri, ignore)]
fn units_of_large_boards_match_portable_kernel() {
    let boards = if common::long() {
        &[(19, 10), (20, 2), (21, 4), (23, 1), (24, 1), (26, 2)][..]
    } else {
        &[(19, 1), (21, 1)]
    };
    let mut random = SplitMix64::new(27);
    for &(n, units) in boards {
        let engines = rows(n, None);
        let (portable, others) = engines.split_last().unwrap();
        for _ in 0..units {
            let unit = random.below(portable.units());
            let expected = portable.count(unit, &CancelToken::new());
            check_unit(others, unit, expected.unwrap());
        }
    }
}

#[test]
#[cfg_attr(miri, ignore)]
fn oracle_totals_match_published() {
    for n in 1..=9 {
        let total = common::solutions(n).len() as u128;
        assert_eq!(total, common::published(n), "N = {n}");
    }
}

/// This record may have been written on a CPU with another byte order.
#[test]
fn record_is_read_and_written_unchanged() {
    let text = concat!(
        r#"{"format":"queencount-record","version":1,"program":"0.1.0","n":6,"#,
        r#""engine":"backtrack","parameters":"","units":10,"plan":"4fb2fdd98fcc9691","crc":"7d6d6e77"}"#,
        "\n",
        r#"{"first":1,"last":1,"count":"0","seconds":0.0,"kernel":null,"crc":"f48d49cf"}"#,
        "\n",
    );
    let mut reader = Reader::new(text.as_bytes(), "record").unwrap();
    let plan = reader.plan().unwrap().clone();
    let entry = reader.next().unwrap().unwrap();
    assert_eq!(plan.difference(&Plan::new(&*backtrack(6))), None);
    assert_eq!(plan.to_line() + &entry.to_line(&plan), text);
    let reader = Reader::new(text.as_bytes(), "record").unwrap();
    let tally = Loader::new().read([reader]).unwrap().tally;
    assert_eq!(tally.missing().to_string(), "0,2-9");
}
