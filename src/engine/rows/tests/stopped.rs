//! Tests cancellation: every function that checks for it is run once per check, and cancelled at
//! that check. It must return either an error or the correct count, never a lower one, and must not
//! leave behind any state that would change later counts.

use std::fmt::Debug;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use super::*;
use crate::count::{CountError, Counter};
use crate::engine::backtrack::Backtrack;
use crate::solutions::Solutions;
use crate::symmetry::{Rotation, RotationSymmetric};

/// Returns a token that is cancelled from its `check`-th check on, and the number of its checks so
/// far.
fn at_check(check: u64) -> (CancelToken, Arc<AtomicU64>) {
    let checks = Arc::new(AtomicU64::new(0));
    let counted = Arc::clone(&checks);
    let stop =
        CancelToken::with_condition(move || counted.fetch_add(1, Ordering::Relaxed) + 1 >= check);
    (stop, checks)
}

/// For each check that `act` makes, runs `act` and cancels it at that check, then runs it again to
/// completion. If there are many checks, only the nightly run tests all of them.
pub(crate) fn stop_at_every_check<T: PartialEq + Debug, E: Debug>(
    what: &str,
    act: &mut dyn FnMut(&CancelToken) -> Result<T, E>,
) {
    let (never, checks) = at_check(u64::MAX);
    let right = act(&never).unwrap();
    let checks = checks.load(Ordering::Relaxed);
    assert!(checks > 0, "{what} never checks");
    let step = if is_long() { 1 } else { checks.div_ceil(8) };
    let some = (1..=checks).filter(|check| *check <= 4 || checks - check < 4 || check % step == 0);
    for check in some {
        let what = format!("{what}, stopped at check {check} of {checks}");
        if let Ok(result) = act(&at_check(check).0) {
            assert!(check > 1, "{what}: {result:?}");
            assert_eq!(result, right, "{what}");
        }
        let again = act(&CancelToken::new()).unwrap();
        assert_eq!(again, right, "after {what}");
    }
}

/// An engine with tasks of several units, as on the largest boards. Its counts do not check for
/// cancellation, so there are few enough checks to test a stop after every unit.
struct InTasks;

impl Engine for InTasks {
    fn name(&self) -> &'static str {
        "tasks"
    }
    fn size(&self) -> BoardSize {
        board(10)
    }
    fn units(&self) -> u64 {
        13
    }
    fn units_per_task(&self) -> u64 {
        5
    }
    fn cumulative_work(&self, unit: u64) -> f64 {
        unit as f64 / self.units() as f64
    }
    fn count(&self, unit: u64, _: &CancelToken) -> Result<u128, EngineError> {
        Ok((unit + 1).into())
    }
    fn recount(&self, unit: u64, stop: &CancelToken) -> Result<u128, EngineError> {
        stop.check()?;
        self.count(unit, stop)
    }
}

fn board(n: u32) -> BoardSize {
    BoardSize::new(n).unwrap()
}

/// Cancels counts of a unit that has solutions.
fn stop_count(engine: &dyn Engine, unit: u64) {
    assert_ne!(engine.count(unit, &CancelToken::new()), Ok(0));
    stop_at_every_check(engine.name(), &mut |stop| engine.count(unit, stop));
}

/// Cancels counts and recounts of the largest unit and of one of its parts.
fn stop_both(engine: &dyn Engine) {
    let unit = largest_unit(engine);
    stop_count(engine, unit);
    let part = engine.parts(unit) / 2;
    stop_at_every_check("a recount", &mut |stop| engine.recount(unit, stop));
    stop_at_every_check("a part", &mut |stop| engine.count_part(unit, part, stop));
    stop_at_every_check("a recount of a part", &mut |stop| {
        engine.recount_part(unit, part, stop)
    });
}

#[test]
fn cancelled_engines_count_all_or_nothing() {
    for (n, middle_rows) in [(10, 0), (13, 1), (12, 4), (13, 3)] {
        stop_both(&rows(n, middle_rows));
    }
    stop_both(&Backtrack::with_first_rows(board(10), 2));
    stop_both(&RotationSymmetric::new(board(10), Rotation::Half));
    stop_both(&RotationSymmetric::new(board(13), Rotation::Quarter));
    // These units are so large that `stop` is also checked while a unit is being counted.
    let large: [&dyn Engine; 3] = [
        &Backtrack::with_first_rows(board(16), 2),
        &RotationSymmetric::new(board(22), Rotation::Half),
        &RotationSymmetric::new(board(28), Rotation::Quarter),
    ];
    for engine in large {
        stop_count(engine, engine.unit_at(0.5));
    }
}

#[test]
fn cancelled_parts_count_all_or_nothing() {
    // Test narrow and wide words, joins with and without sorting, and lists in one and many pieces,
    // whose counts add up to the same.
    for (n, middle_rows, most_half_boards) in [
        (14, 0, 1),
        (14, 0, 20),
        (16, 0, usize::MAX),
        (18, 0, usize::MAX),
        (20, 0, usize::MAX),
        (21, 3, 300),
        (23, 1, usize::MAX),
    ] {
        let engine = rows(n, middle_rows);
        let unit = engine.unit_at(0.6);
        let sets = engine.column_sets(unit);
        let unit = engine.numbering.unit(unit);
        let count = |most_half_boards, stop: &CancelToken| {
            engine.idle().clear();
            let context = Context {
                most_half_boards,
                ..engine.context(stop)
            };
            engine.with_worker(unit, false, |worker| {
                worker.count_part(context, unit, sets[sets.len() / 3])
            })
        };
        let what = format!("a part of N = {n}, {most_half_boards} half-boards at a time");
        let whole = count(usize::MAX, &CancelToken::new());
        assert_eq!(
            count(most_half_boards, &CancelToken::new()),
            whole,
            "{what}"
        );
        stop_at_every_check(&what, &mut |stop| count(most_half_boards, stop));
    }
}

#[test]
fn cancelled_counters_count_all_or_nothing() {
    for threads in [1, 3] {
        let [few, many] = [rows(9, 1), rows(10, 2)];
        let units = [many.units() / 2..many.units(), 3..7];
        let counter = Counter::new().threads(threads);
        stop_at_every_check(&format!("{threads} threads"), &mut |stop| {
            counter.stop(stop).count(&few)
        });
        stop_at_every_check(&format!("ranges on {threads} threads"), &mut |stop| {
            counter.stop(stop).count_units(&many, &units)
        });
        stop_at_every_check(&format!("tasks on {threads} threads"), &mut |stop| {
            counter.stop(stop).count_units(&InTasks, &[0..13, 2..9])
        });
    }
}

#[test]
fn cancelled_searches_return_full_result_or_error() {
    for (n, skip) in [(8, 90), (11, 2670), (13, 40_000)] {
        stop_at_every_check(&format!("solution {skip} of N = {n}"), &mut |stop| {
            let mut solutions = Solutions::new(board(n));
            let skipped = solutions.skip_ahead(skip, 1, stop, &|_| ())?;
            let next = solutions.try_next(stop)?;
            Ok::<_, CountError>((skipped, next))
        });
    }
}
