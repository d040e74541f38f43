//! The meet-in-the-middle engine: every unit is right on every kernel, and so is their sum, in any number of threads
//! and however little memory.
//!
//! What takes long runs where the environment variable QUEENCOUNT_LONG is set.

#![allow(clippy::single_range_in_vec_init, reason = "a list of one range of units is what is meant")]

mod common;

use queencount::{BoardSize, Engine, EngineChoice, FanOut, Kernel, Random, Resources, Stop, Stopped};

fn plan(n: u32, kernel: Kernel) -> Box<dyn Engine> {
    EngineChoice::Meet.plan_with(BoardSize::new(n).unwrap(), Resources::default().kernel(kernel))
}

/// Every kernel that this processor can run; the others are named on stderr.
fn kernels() -> Vec<Kernel> {
    let available = Kernel::available();
    for name in Kernel::names().filter(|name| available.iter().all(|kernel| kernel.name() != *name)) {
        eprintln!("skipped: the kernel {name}, which this processor cannot run");
    }
    available
}

fn long() -> bool {
    let long = std::env::var_os("QUEENCOUNT_LONG").is_some();
    if !long {
        eprintln!("skipped: what takes long, for QUEENCOUNT_LONG is not set");
    }
    long
}

fn total(engine: &dyn Engine, threads: usize) -> u128 {
    FanOut::default().threads(threads).count(engine, &[0..engine.units()]).unwrap()
}

fn count(engine: &dyn Engine, unit: u64) -> u128 {
    engine.count(unit, &Stop::new()).unwrap()
}

#[test]
fn units_sum_to_the_published_counts_on_every_kernel_and_any_number_of_threads() {
    for kernel in kernels() {
        for n in 4..=14 {
            let engine = plan(n, kernel);
            assert_eq!((engine.name(), engine.kernel()), ("meet", Some(kernel.name())));
            for threads in [1, 2, 3, 8] {
                assert_eq!(total(&*engine, threads), common::published(n), "N = {n}, {kernel:?}, {threads} threads");
            }
        }
    }
}

#[test]
fn larger_boards_have_their_published_counts() {
    for n in [15, 16] {
        assert_eq!(total(&*plan(n, Kernel::default()), 2), common::published(n), "N = {n}");
    }
}

#[test]
fn boards_that_take_long_have_their_published_counts() {
    if !long() {
        return;
    }
    for n in 15..=18 {
        for kernel in kernels() {
            for threads in [1, 2, 3, 8] {
                let total = total(&*plan(n, kernel), threads);
                assert_eq!(total, common::published(n), "N = {n}, {kernel:?}, {threads} threads");
            }
        }
    }
    for n in [19, 20] {
        assert_eq!(total(&*plan(n, Kernel::default()), 0), common::published(n), "N = {n}");
    }
}

#[test]
fn every_unit_is_what_backtracking_counts() {
    for n in 4..=12 {
        let engines: Vec<_> = kernels().into_iter().map(|kernel| plan(n, kernel)).collect();
        for unit in 0..engines[0].units() {
            let recount = engines[0].recount(unit, &Stop::new()).unwrap();
            for engine in &engines {
                assert_eq!(count(&**engine, unit), recount, "N = {n}, unit {unit}, {:?}", engine.kernel());
            }
        }
    }
}

#[test]
fn random_units_are_what_backtracking_counts() {
    let units = if long() { [400, 400, 200, 100, 40, 40] } else { [40, 40, 20, 10, 2, 2] };
    let mut random = Random::new(9);
    for (n, units) in (13..=18).zip(units) {
        let engines: Vec<_> = kernels().into_iter().map(|kernel| plan(n, kernel)).collect();
        for _ in 0..units {
            let unit = random.below(engines[0].units());
            let recount = engines[0].recount(unit, &Stop::new()).unwrap();
            for engine in &engines {
                assert_eq!(count(&**engine, unit), recount, "N = {n}, unit {unit}, {:?}", engine.kernel());
            }
        }
    }
}

#[test]
fn little_memory_changes_no_count() {
    let mut random = Random::new(20);
    for (n, units) in [(20, 4), (22, if long() { 8 } else { 1 })] {
        let size = BoardSize::new(n).unwrap();
        let [large, small] = [Resources::default(), Resources::default().memory(1 << 20)]
            .map(|resources| EngineChoice::Meet.plan_with(size, resources));
        assert!(small.memory(1) <= large.memory(1), "N = {n}");
        for _ in 0..units {
            let unit = random.below(large.units());
            assert_eq!(count(&*small, unit), count(&*large, unit), "N = {n}, unit {unit}");
        }
    }
}

#[test]
fn kernels_agree_on_units_of_large_boards() {
    let mut random = Random::new(27);
    let sizes: &[(u32, u32)] = if long() {
        &[(19, 20), (20, 10), (21, 10), (22, 4), (23, 2), (24, 1), (25, 1), (27, 1)]
    } else {
        &[(19, 4), (20, 2), (21, 1)]
    };
    for &(n, units) in sizes {
        let engines: Vec<_> = kernels().into_iter().map(|kernel| plan(n, kernel)).collect();
        for _ in 0..units {
            let unit = random.below(engines[0].units());
            let counts: Vec<u128> = engines.iter().map(|engine| count(&**engine, unit)).collect();
            assert!(counts.iter().all(|count| *count == counts[0]), "N = {n}, unit {unit}: {counts:?}");
        }
    }
}

#[test]
fn the_work_before_a_unit_grows_from_nothing_to_all() {
    for n in 4..=28 {
        let engine = plan(n, Kernel::default());
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
fn boards_without_halves_worth_the_name_and_very_large_ones_are_left_to_backtracking() {
    for n in (1..=3).chain(29..=32) {
        let engine = plan(n, Kernel::default());
        assert_eq!((engine.name(), engine.kernel()), ("backtrack", None), "N = {n}");
    }
    for n in 4..=28 {
        assert_eq!(plan(n, Kernel::default()).name(), "meet", "N = {n}");
    }
}

#[test]
fn nothing_is_counted_after_a_stop() {
    let stop = Stop::new();
    stop.request();
    for n in [4, 5, 16, 17] {
        let engine = plan(n, Kernel::default());
        assert_eq!(engine.count(0, &stop), Err(Stopped), "N = {n}");
    }
}
