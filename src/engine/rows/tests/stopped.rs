//! Tests cancellation: every function that checks for it is run once per check, and cancelled at
//! that check. It must return either an error or the correct count, never a lower one, and must not
//! leave behind any state that would change later counts.

use std::fmt::Debug;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use super::*;
use crate::count::{CountError, Counter};
use crate::engine::backtrack::Backtrack;
use crate::engine::rows::core_lists::CoreLists;
use crate::engine::rows::join::tests::{WEIGHTS, half_boards};
use crate::engine::rows::join::{Lists, Workspace, disjoint_pairs};
use crate::engine::rows::lists::word::Word;
use crate::estimate::{Estimator, SampleSize};
#[cfg(feature = "records")]
use crate::record::{Auditor, Journal, Loader, RecordError, UnitSet};
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
    stop_with_state(what, &mut |stop, _| act(stop));
}

/// The same for an `act` that keeps state. Its second argument is `true` if it must clear the state
/// first, and `false` if it must use what the stop has left.
fn stop_with_state<T: PartialEq + Debug, E: Debug>(
    what: &str,
    act: &mut dyn FnMut(&CancelToken, bool) -> Result<T, E>,
) {
    let (never, checks) = at_check(u64::MAX);
    let right = act(&never, true).unwrap();
    let checks = checks.load(Ordering::Relaxed);
    assert!(checks > 0, "{what} never checks");
    let step = if is_long() { 1 } else { checks.div_ceil(8) };
    let some = (1..=checks).filter(|check| *check <= 4 || checks - check < 4 || check % step == 0);
    for check in some {
        let what = format!("{what}, stopped at check {check} of {checks}");
        if let Ok(result) = act(&at_check(check).0, true) {
            assert!(check > 1, "{what}: {result:?}");
            assert_eq!(result, right, "{what}");
        }
        let again = act(&CancelToken::new(), false).unwrap();
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
    // Test narrow and wide words, with lists that are cached and with lists that must be found
    // again.
    for (n, middle_rows) in [(18, 0), (20, 0), (21, 3), (23, 1)] {
        let engine = rows(n, middle_rows);
        let unit = engine.unit_at(0.6);
        let part = engine.parts(unit) / 3;
        for keeps in [true, false] {
            stop_with_state(&format!("a part of N = {n}, {keeps}"), &mut |stop, anew| {
                if anew && !keeps {
                    engine.idle().clear();
                }
                engine.count_part(unit, part, stop)
            });
        }
    }
}

/// Cancels counts of some column sets. The lists that are left in the cache must be complete.
fn stop_pieces<W: Word>(n: u32, most_half_boards: usize) {
    let engine = default_rows(n);
    let number = engine.unit_at(0.6);
    let core = engine.core(number).unwrap();
    let tiling = engine.numbering.tiling(core.symmetry.images);
    let tile = engine.numbering.unit(number).tile;
    let sets: Vec<ColumnSet> = tiling.column_sets(tile).take(6).collect();
    let mut lists = CoreLists::<W>::new(core.half, usize::MAX);
    let mut workspace = Workspace::default();
    stop_with_state(
        &format!("N = {n}, pieces of {most_half_boards}"),
        &mut |stop, anew| {
            if anew {
                lists.prepare(&core);
            }
            let context = Context {
                most_half_boards,
                ..engine.context(stop)
            };
            sets.iter()
                .map(|&set| lists.count(context, &core, set, &mut workspace))
                .sum::<Result<u128, _>>()
        },
    );
}

#[test]
fn cancelled_pieces_count_all_or_nothing() {
    stop_pieces::<u32>(14, 1);
    stop_pieces::<u32>(14, 20);
    stop_pieces::<u64>(24, usize::MAX);
}

/// Cancels the join of lists with these lengths, for every kernel.
fn stop_join<W: Word>(lengths: [[usize; 3]; 2], diagonals: u32) {
    let [tops, bottoms] = half_boards::<W>(lengths, [0, 0, diagonals, 0], 1);
    let lists = Lists::new(&tops, &bottoms, WEIGHTS);
    for kernel in Kernel::available() {
        let mut workspace = Workspace::default();
        stop_at_every_check(&format!("{kernel:?}, {lengths:?}"), &mut |stop| {
            disjoint_pairs(kernel, lists, &mut workspace, stop)
        });
    }
}

#[test]
fn cancelled_joins_count_all_or_nothing() {
    // Only the first of these calls joins the lists without sorting them.
    stop_join::<u32>([[900, 700, 600], [800, 600, 500]], 12);
    stop_join::<u32>([[9000, 700, 600], [4000, 600, 500]], 20);
    stop_join::<u64>([[9000, 700, 600], [4000, 600, 500]], 40);
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
fn cancelled_samples_return_full_result_or_error() {
    let engines: [&dyn Engine; 2] = [&rows(16, 2), &Backtrack::new(board(16))];
    for seed in 0..2 {
        let mut random = SplitMix64::new(seed);
        for engine in engines {
            let unit = engine.unit_at(random.unit_interval());
            stop_at_every_check("a probe", &mut |stop| {
                engine.probe(unit, &mut random.clone(), stop)
            });
        }
    }
    stop_at_every_check("an estimate", &mut |stop| {
        let estimate = Estimator::new(SampleSize::Draws(8))
            .threads(1)
            .stop(stop)
            .run(&rows(12, 0))?;
        Ok::<_, CountError>((estimate.total, estimate.counted))
    });
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

#[cfg(feature = "records")]
#[test]
fn cancelled_records_and_audits_are_correct_or_fail() {
    stop_records(Arc::new(rows(10, 2)));
    stop_records(Arc::new(InTasks));
}

#[cfg(feature = "records")]
fn stop_records(engine: Arc<dyn Engine>) {
    let units = UnitSet::from(engine.unit_at(0.5) / 5 * 5..engine.units());
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("r.jsonl");
    let counter = Counter::new().threads(1);
    let loader = Loader::new().own_engine(Arc::clone(&engine));
    stop_at_every_check("a record", &mut |stop| {
        // The next call counts what the cancelled call left uncounted.
        let mut journal = Journal::open(&path, Arc::clone(&engine))?;
        journal.count(&units, counter.stop(stop))?;
        let tally = loader.load([&path])?.tally;
        std::fs::remove_file(&path).unwrap();
        assert_eq!(tally.done(), &units);
        Ok::<_, RecordError>(tally.count())
    });
    let mut journal = Journal::open(&path, Arc::clone(&engine)).unwrap();
    journal.count(&units, counter).unwrap();
    let sample = loader.load([&path]).unwrap().tally.sample(12, 1);
    stop_at_every_check("an audit", &mut |stop| {
        let audit = Auditor::new()
            .threads(1)
            .stop(stop)
            .run(engine.as_ref(), &sample)?;
        Ok::<_, RecordError>((audit.agreed, audit.units, audit.findings.len()))
    });
}
