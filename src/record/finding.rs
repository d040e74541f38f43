//! A finding: what an audit has found of an entry, a line of a record like the entry itself.
//!
//! Findings may stand in a record of their own, or among entries. They add up over months and machines, because a line
//! says which units were counted again, what they had on record and what they have.

use std::fmt;
use std::ops::Range;

use serde::{Deserialize, Serialize};

use super::line::{LineError, decimal, open, seal};
use super::plan::{Plan, Rules};
use super::{Place, UnitSet};

/// How the line of a finding begins, to the byte; no other line begins like this.
pub(super) const FINDING_BEGINS: &str = "{\"verdict\":";

/// What an audit has found of an entry: a line of a record, member by member.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct Finding {
    /// What is wrong, if something is.
    pub verdict: Verdict,
    /// The first unit of the entry.
    pub first: u64,
    /// Its last unit.
    pub last: u64,
    /// The number of solutions that the entry says.
    #[serde(with = "decimal")]
    pub count: u128,
    /// The number of solutions that the recount has found.
    #[serde(with = "decimal")]
    pub recount: u128,
    /// What has counted again: `recount`; or the engine and the recount of one unit, such as `rows+recount`.
    pub means: String,
    /// The unit that was recounted beside the engine; `None` where all units were recounted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub unit: Option<u64>,
    /// The part of that unit on which the engine and the recount disagree, if they do.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub part: Option<u64>,
    /// What the entry was drawn by, and what is recounted of it: `audit --seed`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seed: Option<u64>,
    /// When it was found, in seconds since the beginning of 1970 (UTC), by the clock of the machine.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub time: Option<u64>,
    /// Where: the name of a site, or of the machine.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub site: Option<String>,
    /// The machine, if the site is not named like it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub host: Option<String>,
}

/// The members of a finding in their order, the checksum included. A line may lack those with a question mark.
pub(super) const FINDING_MEMBERS: &[&str] = &[
    "verdict", "first", "last", "count", "recount", "means", "unit?", "part?", "seed?", "time?", "site?", "host?",
    "crc",
];

/// What is wrong, if something is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Verdict {
    /// Nothing.
    Right,
    /// The number of the entry.
    Entry,
    /// The engine: the recount has found something else.
    Engine,
}

impl Verdict {
    /// The verdict on an entry with this count, or on the engine that counts a part wrong.
    pub(super) fn new(count: u128, recount: u128, wrong_part: Option<u64>) -> Self {
        match wrong_part {
            Some(_) => Self::Engine,
            None if count == recount => Self::Right,
            None => Self::Entry,
        }
    }
}

impl Finding {
    /// The range of units of the entry.
    pub fn units(&self) -> Range<u64> {
        self.first..self.last + 1
    }

    /// The line of a record of this plan, newline included.
    pub fn to_line(&self, plan: &Plan) -> String {
        seal(&plan.hash(), self)
    }

    /// The finding of a line, given without its newline.
    pub(super) fn read(line: &[u8], rules: &Rules) -> Result<Self, LineError> {
        let finding: Self = open(&rules.tie, line)?;
        // The two counts may be impossible: that is then what was found.
        rules.allow(finding.first, finding.last, 0)?;
        let Self { verdict, count, recount, unit, part, .. } = finding;
        if unit.is_some_and(|unit| !finding.units().contains(&unit)) {
            return Err(LineError::Members("the unit is not one of its units".to_owned()));
        }
        if verdict != Verdict::new(count, recount, part) {
            return Err(LineError::Members("the verdict is not that of its counts".to_owned()));
        }
        Ok(finding)
    }
}

/// A finding that an entry contradicts, or that convicts the engine of the entry. As text it says where both stand.
#[derive(Clone, Debug, thiserror::Error)]
#[non_exhaustive]
pub struct Refutation {
    /// What has been found.
    pub finding: Finding,
    /// Where that stands.
    pub place: Place,
    /// What the entry says.
    pub count: u128,
    /// Where it stands.
    pub entry: Place,
}

impl fmt::Display for Refutation {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { finding, place, count, entry } = self;
        let (units, recount) = (UnitSet::from(finding.units()), finding.recount);
        let found = format!("an audit has found {recount} solutions where {count} are recorded");
        write!(formatter, "{place} and {entry} disagree: units {units}: {found}")?;
        if let (Some(unit), Some(part)) = (finding.unit, finding.part) {
            write!(formatter, ", and the engine is wrong on part {part} of unit {unit}")?;
        }
        write!(formatter, "; count these units again elsewhere, and delete the line that is wrong")
    }
}
