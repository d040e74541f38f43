//! An audit recounts each task of its sample once, and finds every count that is wrong there:
//! whether the record lies or the engine, in the first part, in the last, or in one between them.

use std::collections::BTreeSet;
use std::sync::{Arc, Mutex};

use queencount::Counter;
use queencount::record::{Audit, Auditor, Journal, Loaded, Loader};
use tempfile::TempDir;

use crate::fake::Fake;

/// Counts all units with an engine, in a record of a folder.
fn record(folder: &TempDir, name: &str, engine: &Fake) {
    let mut journal = Journal::open(folder.path().join(name), Arc::new(engine.clone())).unwrap();
    let counter = Counter::new().threads(1);
    journal.count(&journal.tally().missing(), counter).unwrap();
}

fn load(folder: &TempDir) -> Loaded {
    Loader::new()
        .own_engine(Arc::new(honest()))
        .load([folder.path()])
        .unwrap()
}

/// Returns an engine with tasks of four, four and two units.
fn honest() -> Fake {
    Fake::new(10, 4)
}

/// Records the counts of one engine, and audits all tasks with another.
fn audit(counted_by: &Fake, by: &Fake, seed: u64) -> Audit {
    let folder = tempfile::tempdir().unwrap();
    record(&folder, "r.jsonl", counted_by);
    let sample = load(&folder).tally.sample(100, 1);
    let audit = Auditor::new().threads(1).run(by, &sample, seed).unwrap();
    assert_eq!([audit.agreed, audit.units], [3, 10]);
    // The strength of an audit depends on the number of tasks, not on the number of units.
    assert_eq!(audit.chance_to_pass(0.5), 0.125);
    assert!((0.05 - audit.chance_to_pass(audit.detected_share())).abs() < 1e-12);
    audit
}

/// Runs such an audit, and returns the numbers of wrong lines and wrong parts.
fn audited(counted_by: &Fake, by: &Fake) -> [usize; 2] {
    let mut wrong = [0, 0];
    for finding in audit(counted_by, by, 7).findings {
        wrong[0] += finding.wrong.len();
        wrong[1] += usize::from(finding.wrong_part.is_some());
    }
    wrong
}

#[test]
fn audit_finds_miscount_in_every_part() {
    let lies: [fn(u128) -> u128; 4] = [
        |right| right + 2,
        |right| right - 2,
        |_| 0,
        |right| 2 * right,
    ];
    for parts in [1, 2, 5] {
        let honest = honest().parts(parts);
        assert_eq!(audited(&honest, &honest), [0, 0]);
        for place in [0, parts / 2, parts - 1] {
            for lie in lies {
                let liar = honest.clone().lie(
                    move |_, part, right| {
                        if part == place { lie(right) } else { right }
                    },
                );
                // The record is wrong.
                assert_eq!(audited(&liar, &honest), [3, 0], "part {place} of {parts}");
                // The engine is wrong, and so is its record: it repeats its own error.
                let expected = if parts == 1 { [3, 0] } else { [0, 3] };
                assert_eq!(audited(&liar, &liar), expected, "part {place} of {parts}");
            }
        }
    }
}

#[test]
fn audit_finds_miscounts_that_cancel() {
    // Solutions that are lost in one part and added in another do not change the sum.
    let liar = honest().parts(5).lie(|_, part, right| match part {
        0 => right + 2,
        4 => right - 2,
        _ => right,
    });
    assert_eq!(audited(&liar, &liar), [0, 3]);
}

#[test]
fn audit_finds_miscount_of_whole_unit() {
    // The engine counts every part right, but not whole units.
    for (wrong, parts) in (0..10).flat_map(|unit| [(unit, 1), (unit, 3)]) {
        for lie in [|right| right + 2, |right| right - 2, |_| 0] as [fn(u128) -> u128; 3] {
            let liar = honest()
                .parts(parts)
                .lie_of_whole(move |unit, _, right| match unit {
                    _ if unit == wrong => lie(right),
                    _ => right,
                });
            assert_eq!(audited(&liar, &liar), [1, 0], "unit {wrong}");
        }
    }
}

#[test]
fn each_task_draws_its_own_unit() {
    let liar = honest()
        .parts(2)
        .lie(|_, part, right| right + u128::from(part == 1));
    let mut drawn = BTreeSet::new();
    let mut equal = 0;
    for seed in 0..60 {
        let units: Vec<u64> = audit(&liar, &liar, seed)
            .findings
            .iter()
            .map(|finding| finding.wrong_part.as_ref().unwrap().unit)
            .collect();
        equal += u32::from(units[0] % 4 == units[1] % 4);
        drawn.extend(units);
    }
    assert!(drawn.into_iter().eq(0..10));
    // The expected number is 15; with one random number for all tasks, it would be 60.
    assert!((3..=35).contains(&equal), "{equal}");
}

#[test]
fn sample_has_at_most_k_disagreements() {
    let folder = tempfile::tempdir().unwrap();
    let engine = Fake::new(300, 1);
    let liar = engine
        .clone()
        .lie(|unit, _, right| right + u128::from(unit < 283));
    record(&folder, "a.jsonl", &engine);
    record(&folder, "b.jsonl", &liar);
    let loaded = Loader::new()
        .own_engine(Arc::new(engine))
        .load([folder.path()])
        .unwrap();
    assert_eq!(loaded.tally.disagreements().count(), 283);
    for (size, expected) in [(1, [1, 1]), (30, [17, 30]), (1000, [17, 283])] {
        let sample = loaded.tally.sample(size, 1);
        let (agreed, disputed): (Vec<_>, Vec<_>) =
            sample.into_iter().partition(|task| task.counts.len() == 1);
        assert_eq!([agreed.len(), disputed.len()], expected);
    }
}

#[test]
fn samples_are_uniform() {
    let folder = tempfile::tempdir().unwrap();
    // Tasks that were counted twice are drawn as often as the others.
    record(&folder, "a.jsonl", &honest());
    let copy: String = std::fs::read_to_string(folder.path().join("a.jsonl"))
        .unwrap()
        .split_inclusive('\n')
        .take(2)
        .collect();
    std::fs::write(folder.path().join("b.jsonl"), copy).unwrap();
    let tally = load(&folder).tally;
    let mut drawn = [0; 3];
    for seed in 0..9_000 {
        let sample = tally.sample(1, seed);
        drawn[sample[0].units.start as usize / 4] += 1;
    }
    // The mean is 3000, and the standard deviation is 45.
    assert!(
        drawn.iter().all(|times| (2800..3200).contains(times)),
        "{drawn:?}"
    );
}

#[test]
fn progress_moves_with_every_part() {
    let folder = tempfile::tempdir().unwrap();
    let engine = honest().parts(5);
    record(&folder, "a.jsonl", &engine);
    let sample = load(&folder).tally.sample(100, 1);
    let reached = Mutex::new(Vec::new());
    Auditor::new()
        .threads(2)
        .on_progress(&|done| reached.lock().unwrap().push(done))
        .run(&engine, &sample, 1)
        .unwrap();
    // The engine counts 10 units of five parts, of which the recount repeats one in each of the
    // three tasks.
    let expected: Vec<f64> = (1..=65).map(|parts| f64::from(parts) / 65.0).collect();
    assert_eq!(*reached.lock().unwrap(), expected);
}
