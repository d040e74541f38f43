//! Tests that no recount uses an engine, not even one that it creates itself. For this test,
//! engines can be closed, so that their code panics.

use std::cell::Cell;
use std::iter;
use std::panic::{AssertUnwindSafe, catch_unwind};

use super::Engine;
use super::backtrack::Backtrack;
use super::rows::Rows;
use crate::board::BoardSize;
use crate::cancel::CancelToken;
use crate::choice::EngineChoice;
use crate::count::Counter;
use crate::options::EngineOptions;
use crate::splitmix::SplitMix64;
use crate::symmetry::{Rotation, RotationSymmetric};

thread_local! {
    static CLOSED: Cell<bool> = const { Cell::new(false) };
}

/// Panics if the engines are closed on this thread. Engine code calls this function in many places.
pub(crate) fn enter() {
    CLOSED.with(|closed| assert!(!closed.get(), "a recount has entered an engine"));
}

/// Calls `act` on a thread on which the engines are closed.
fn with_closed_engines<T: Send>(act: impl FnOnce() -> T + Send) -> T {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build();
    pool.unwrap().install(|| {
        CLOSED.set(true);
        act()
    })
}

/// Recounts some units, and all of their parts, while the engines are closed.
fn check(engine: &dyn Engine, seed: u64) {
    let stop = CancelToken::new();
    let mut random = SplitMix64::new(seed);
    for _ in 0..3 {
        let unit = engine.unit_at(random.unit_interval());
        let parts = 0..engine.parts(unit);
        let counts: Vec<_> = iter::once(engine.count(unit, &stop))
            .chain(
                parts
                    .clone()
                    .map(|part| engine.count_part(unit, part, &stop)),
            )
            .collect();
        let recounts: Vec<_> = with_closed_engines(|| {
            iter::once(engine.recount(unit, &stop))
                .chain(parts.map(|part| engine.recount_part(unit, part, &stop)))
                .collect()
        });
        assert_eq!(recounts, counts, "{}, unit {unit}", engine.name());
    }
}

#[test]
fn recounts_run_no_engine_code() {
    for n in 12..=14 {
        let size = BoardSize::new(n).unwrap();
        for middle_rows in (n % 2..=4).step_by(2) {
            let engine = Rows::with_middle_rows(size, middle_rows, EngineOptions::new());
            check(&engine, n.into());
        }
        for rows in [2, 3, 5] {
            check(&Backtrack::with_first_rows(size, rows), n.into());
        }
        for rotation in [Rotation::Half, Rotation::Quarter] {
            let engine = RotationSymmetric::new(size, rotation);
            if engine.units() > 0 {
                check(&engine, n.into());
            }
        }
    }
}

/// Recounting a whole unit of a large board takes hours, so such a recount is cancelled after a few
/// dozen checks.
#[test]
fn recounts_of_every_board_run_no_engine_code() {
    // One unit of `rows` for each N from 17 to 32, with few parts, all of them small.
    let units = [
        171,
        7,
        519,
        103,
        2304,
        5170,
        9408,
        73873,
        2435575,
        321937,
        3008912,
        61207591,
        2470686817,
        53292154311,
        2320473488952,
        52869789440912,
    ];
    for n in 4..=32 {
        let size = BoardSize::new(n).unwrap();
        let backtrack: Box<dyn Engine> = Box::new(Backtrack::with_first_rows(size, 2));
        // A `Box<dyn Engine>` is itself an engine.
        for engine in [&backtrack, &EngineChoice::Rows.engine(size)] {
            let is_rows = engine.name() == "rows";
            let unit = if is_rows && n > 16 {
                units[n as usize - 17]
            } else {
                engine.unit_at(0.6)
            };
            let can_end = is_rows && n != 22 || n < 14;
            let checks = if can_end { 1 << 20 } else { 64 };
            let recount = with_closed_engines(|| {
                let _ = engine.recount(unit, &CancelToken::at_check(64));
                engine.recount_part(unit, 0, &CancelToken::at_check(checks))
            });
            if can_end {
                let count = engine.count_part(unit, 0, &CancelToken::new());
                assert_eq!(recount, count, "N = {n}, {}", engine.name());
            }
        }
    }
}

#[test]
fn closed_engines_panic_when_used() {
    let size = BoardSize::new(12).unwrap();
    let stop = CancelToken::new();
    let rows = Rows::new(size, EngineOptions::new());
    let backtrack = Backtrack::new(size);
    let half_turn = RotationSymmetric::new(size, Rotation::Half);
    let acts: [&(dyn Fn() + Sync); 8] = [
        &|| _ = Rows::new(size, EngineOptions::new()),
        &|| _ = Backtrack::new(size),
        &|| _ = RotationSymmetric::new(size, Rotation::Half),
        &|| _ = rows.count(0, &stop),
        &|| _ = rows.count_part(0, 0, &stop),
        &|| _ = backtrack.count(0, &stop),
        &|| _ = half_turn.count(0, &stop),
        &|| _ = Counter::default().count(&backtrack),
    ];
    for (place, act) in acts.into_iter().enumerate() {
        let result = catch_unwind(AssertUnwindSafe(|| with_closed_engines(act)));
        let message = result
            .err()
            .and_then(|panic| panic.downcast_ref::<&'static str>().copied());
        assert_eq!(
            message,
            Some("a recount has entered an engine"),
            "act {place}"
        );
    }
}

#[test]
fn recounts_import_no_engine_code() {
    let sources = [
        include_str!("recount.rs"),
        include_str!("rows/recount.rs"),
        include_str!("rows/recount/units.rs"),
    ];
    for source in sources {
        let product = source.split("#[cfg(test)]").next().unwrap();
        let code = product
            .lines()
            .filter(|line| !line.trim().starts_with("//"));
        for line in code {
            let foreign = line
                .replace("crate::cancel::", "")
                .replace("crate::board::BoardSize;", "");
            let is_foreign = foreign.contains("crate::") || foreign.contains("super::");
            assert!(!is_foreign, "{line}");
        }
    }
}
