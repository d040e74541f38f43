//! The promise: an audit compares everything that it recounts. It detects an engine that counts too
//! much, too little or nothing, whether in the first part, in the last, in one between them, or in
//! the only part.

use queencount::record::{Audit, AuditDepth, Journal, Plan, UnitSet, merge};
use queencount::{BoardSize, CancelToken, Counter, Engine, EngineError};

/// A falsification of the count of a part.
type Lie = fn(u128) -> u128;

/// An engine with units of several parts, which take no time, and optionally with a wrong count of
/// one part in each unit.
struct Parted {
    parts: u64,
    lie: Option<(u64, Lie)>,
}

impl Parted {
    fn right(unit: u64, part: u64) -> u128 {
        u128::from(2 + unit + 3 * part)
    }
}

impl Engine for Parted {
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
        (0..self.parts)
            .map(|part| self.count_part(unit, part, stop))
            .sum()
    }
    fn count_part(&self, unit: u64, part: u64, _: &CancelToken) -> Result<u128, EngineError> {
        let right = Self::right(unit, part);
        Ok(match self.lie {
            Some((place, lie)) if place == part => lie(right),
            _ => right,
        })
    }
    fn recount(&self, unit: u64, _stop: &CancelToken) -> Result<u128, EngineError> {
        Ok((0..self.parts).map(|part| Self::right(unit, part)).sum())
    }
    fn recount_part(&self, unit: u64, part: u64, _: &CancelToken) -> Result<u128, EngineError> {
        Ok(Self::right(unit, part))
    }
}

/// Audits counts of one engine with another. Returns the number of wrong entries and of wrong
/// parts.
fn audited(counted_by: &Parted, by: &Parted, depth: AuditDepth) -> [u64; 2] {
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
    [audit.wrong_entries(), audit.wrong_parts()]
}

#[test]
fn liars_are_found_in_every_part() {
    let lies: [Lie; 4] = [
        |right| right + 2,
        |right| right - 2,
        |_| 0,
        |right| 2 * right,
    ];
    for parts in [1, 2, 5] {
        let honest = Parted { parts, lie: None };
        for depth in [AuditDepth::Whole, AuditDepth::Unit { seed: 7 }] {
            assert_eq!(audited(&honest, &honest, depth), [0, 0]);
            for part in [0, parts / 2, parts - 1] {
                for lie in lies {
                    let liar = Parted {
                        parts,
                        lie: Some((part, lie)),
                    };
                    // The record is wrong.
                    assert_eq!(
                        audited(&liar, &honest, depth),
                        [3, 0],
                        "part {part} of {parts}"
                    );
                    // The engine is wrong, and so is its record: it repeats its own error.
                    let is_whole = depth == AuditDepth::Whole || parts == 1;
                    let expected = if is_whole { [3, 0] } else { [0, 3] };
                    assert_eq!(
                        audited(&liar, &liar, depth),
                        expected,
                        "part {part} of {parts}"
                    );
                }
            }
        }
    }
}
