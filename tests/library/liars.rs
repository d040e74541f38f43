//! An audit compares everything that it recounts. It detects an engine that counts too much, too
//! little or nothing, whether in the first part, in the last, in one between them, or in the only
//! part.

use queencount::record::{Audit, AuditDepth, Journal, Plan, UnitSet, merge};
use queencount::{BoardSize, CancelToken, Counter, Engine, EngineError};

/// A falsification of the count of a part.
type Lie<'a> = &'a (dyn Fn(u64, u64, u128) -> u128 + Sync);

/// An engine with units of several parts, which take no time, and optionally with a wrong count of
/// one part in each unit.
struct Parted<'a> {
    parts: u64,
    lie: Lie<'a>,
    /// The falsification of the counts of whole units, to which it is applied as to a part.
    of_whole: Lie<'a>,
}

impl<'a> Parted<'a> {
    fn new(parts: u64, lie: Lie<'a>) -> Self {
        let of_whole = HONEST;
        Self {
            parts,
            lie,
            of_whole,
        }
    }

    fn right(unit: u64, part: u64) -> u128 {
        u128::from(2 + unit + 3 * part)
    }
}

impl Engine for Parted<'_> {
    fn name(&self) -> &'static str {
        "parted"
    }
    fn size(&self) -> BoardSize {
        BoardSize::new(12).unwrap()
    }
    fn units(&self) -> u64 {
        10
    }
    fn units_per_task(&self) -> u64 {
        4
    }
    fn cumulative_work(&self, unit: u64) -> f64 {
        unit as f64 / self.units() as f64
    }
    fn parts(&self, _unit: u64) -> u64 {
        self.parts
    }
    fn count(&self, unit: u64, stop: &CancelToken) -> Result<u128, EngineError> {
        let parts = (0..self.parts).map(|part| self.count_part(unit, part, stop));
        Ok((self.of_whole)(unit, 0, parts.sum::<Result<_, _>>()?))
    }
    fn count_part(&self, unit: u64, part: u64, _: &CancelToken) -> Result<u128, EngineError> {
        Ok((self.lie)(unit, part, Self::right(unit, part)))
    }
    fn recount(&self, unit: u64, _stop: &CancelToken) -> Result<u128, EngineError> {
        Ok((0..self.parts).map(|part| Self::right(unit, part)).sum())
    }
    fn recount_part(&self, unit: u64, part: u64, _: &CancelToken) -> Result<u128, EngineError> {
        Ok(Self::right(unit, part))
    }
}

/// Records the counts of one engine, and audits all entries with another.
fn audit(counted_by: &Parted, by: &Parted, depth: AuditDepth) -> Audit {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("r.jsonl");
    let plan = Plan::new(counted_by);
    let all = UnitSet::from(0..counted_by.units());
    Journal::open(&path, &plan)
        .unwrap()
        .count(counted_by, &all, Counter::default().threads(1))
        .unwrap();
    let sample = merge(&plan, &[&path]).unwrap().sample(100, 1);
    // Tasks have four units, and the last has two.
    assert_eq!(sample.len(), 3);
    let audit = Audit::run(by, &sample, depth, Counter::default().threads(1), &|_| {}).unwrap();
    assert_eq!([audit.entries, audit.units], [3, 10]);
    // The strength of an audit depends on the number of entries, not on the number of units.
    assert_eq!(audit.chance_to_pass(0.5), 0.125);
    assert!((0.05 - audit.chance_to_pass(audit.detected_share())).abs() < 1e-12);
    audit
}

/// Runs such an audit, and returns the numbers of wrong entries and wrong parts.
fn audited(counted_by: &Parted, by: &Parted, depth: AuditDepth) -> [u64; 2] {
    let audit = audit(counted_by, by, depth);
    [audit.wrong_entries(), audit.wrong_parts()]
}

const HONEST: Lie = &|_, _, right| right;

#[test]
fn audit_finds_miscount_in_every_part() {
    let lies: [fn(u128) -> u128; 4] = [
        |right| right + 2,
        |right| right - 2,
        |_| 0,
        |right| 2 * right,
    ];
    for parts in [1, 2, 5] {
        let honest = Parted::new(parts, HONEST);
        for depth in [AuditDepth::Whole, AuditDepth::Unit { seed: 7 }] {
            assert_eq!(audited(&honest, &honest, depth), [0, 0]);
            let is_whole = depth == AuditDepth::Whole || parts == 1;
            for place in [0, parts / 2, parts - 1] {
                for lie in lies {
                    let lie = &|_, part, right| if part == place { lie(right) } else { right };
                    let liar = Parted::new(parts, lie);
                    // The record is wrong.
                    let found = audited(&liar, &honest, depth);
                    assert_eq!(found, [3, 0], "part {place} of {parts}");
                    // The engine is wrong, and so is its record: it repeats its own error.
                    let found = audited(&liar, &liar, depth);
                    let expected = if is_whole { [3, 0] } else { [0, 3] };
                    assert_eq!(found, expected, "part {place} of {parts}");
                }
            }
        }
    }
}

#[test]
fn audit_finds_miscount_in_every_unit() {
    for parts in [1, 3] {
        let honest = Parted::new(parts, HONEST);
        for wrong in 0..10 {
            let lie = &|unit, _, right| right + u128::from(unit == wrong);
            let liar = Parted::new(parts, lie);
            for depth in [AuditDepth::Whole, AuditDepth::Unit { seed: 7 }] {
                assert_eq!(audited(&liar, &honest, depth), [1, 0], "unit {wrong}");
            }
        }
    }
}

/// Solutions that are lost in one part and added in another do not change the sum.
#[test]
fn audit_finds_miscounts_that_cancel_between_parts() {
    let lie = &|_, part, right| match part {
        0 => right + 2,
        4 => right - 2,
        _ => right,
    };
    let liar = Parted::new(5, lie);
    let depth = AuditDepth::Unit { seed: 7 };
    assert_eq!(audited(&liar, &liar, depth), [0, 3]);
}

/// The engine counts every part right, but its counts of a whole unit lose or repeat something.
#[test]
fn audit_finds_miscount_of_whole_unit() {
    for wrong in 0..10 {
        for lie in [|right| right + 2, |right| right - 2, |_| 0] as [fn(u128) -> u128; 3] {
            let of_whole = &|unit, _, right| if unit == wrong { lie(right) } else { right };
            let liar = Parted {
                of_whole,
                ..Parted::new(3, HONEST)
            };
            for depth in [AuditDepth::Whole, AuditDepth::Unit { seed: wrong }] {
                assert_eq!(audited(&liar, &liar, depth), [1, 0], "unit {wrong}");
            }
        }
    }
}

#[test]
fn every_unit_is_drawn_for_some_seed() {
    let lie = &|_, part, right| right + u128::from(part == 1);
    let liar = Parted::new(2, lie);
    let mut drawn = [0; 10];
    for seed in 0..60 {
        for finding in audit(&liar, &liar, AuditDepth::Unit { seed }).findings {
            drawn[finding.wrong_part.unwrap().unit as usize] += 1;
        }
    }
    // The expected numbers are 15 for each of eight units in two tasks, and 30 for each of the last
    // two.
    assert!(
        drawn.iter().all(|times| (4..=45).contains(times)),
        "{drawn:?}"
    );
}

/// With one random number for all entries, an audit would select the unit at the same position in
/// each entry.
#[test]
fn units_are_drawn_independently_in_each_entry() {
    let lie = &|_, part, right| right + u128::from(part == 1);
    let liar = Parted::new(2, lie);
    let mut equal = 0;
    for seed in 0..60 {
        let findings = audit(&liar, &liar, AuditDepth::Unit { seed }).findings;
        let units = findings
            .iter()
            .map(|finding| finding.wrong_part.as_ref().unwrap().unit % 4);
        let units: Vec<u64> = units.collect();
        equal += u32::from(units[0] == units[1]);
    }
    // The expected number is 15.
    assert!((3..=35).contains(&equal), "{equal}");
}

#[test]
fn boxed_engine_behaves_like_its_engine() {
    let lie = &|_, _, right| right + 1000;
    let liar = Parted::new(3, lie);
    let boxed: Box<dyn Engine + '_> = Box::new(Parted::new(3, lie));
    let stop = CancelToken::new();
    // The box itself is an engine, too.
    let boxed: &dyn Engine = &boxed;
    for unit in 0..10 {
        assert_eq!(boxed.count(unit, &stop), liar.count(unit, &stop));
        assert_eq!(boxed.recount(unit, &stop), liar.recount(unit, &stop));
        assert_eq!(boxed.parts(unit), 3);
        for part in 0..3 {
            let count = boxed.count_part(unit, part, &stop);
            let recount = boxed.recount_part(unit, part, &stop);
            assert_eq!(count, liar.count_part(unit, part, &stop));
            assert_eq!(recount, liar.recount_part(unit, part, &stop));
        }
    }
}
