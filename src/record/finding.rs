//! A finding: what an audit has found of an entry, a line of a record like the entry itself.
//!
//! Findings may stand in a record of their own, or among entries. They add up over months and machines, because a line
//! says which units were counted again, what they had on record and what they have.

use std::fmt;
use std::ops::Range;

use serde::{Deserialize, Serialize};

use super::entry::{EntryForm, Place, number};
use super::line::{Checksum, LineError, open, seal};
use super::plan::Plan;
use super::units::UnitSet;

/// How the line of a finding begins, to the byte; no other line begins like this.
pub(super) const FINDING_BEGINS: &str = "{\"verdict\":";

/// What an audit has found of an entry: a line of a record.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Finding {
    /// The range of units of the entry.
    pub units: Range<u64>,
    /// The number of solutions that the entry says.
    pub count: u128,
    /// The number of solutions that the recount has found.
    pub recount: u128,
    /// What has counted again: `recount`, other means than the engine; or the engine and these, such as `rows+recount`.
    pub means: String,
    /// The unit that other means have counted beside the engine; `None` where they have counted all units alone.
    pub unit: Option<u64>,
    /// The part of that unit on which the engine and other means disagree, if they do.
    pub wrong_part: Option<u64>,
    /// What the entry was drawn by, and what is recounted of it: `audit --seed`.
    pub seed: Option<u64>,
    /// When it was found, in seconds since the beginning of 1970 (UTC), by the clock of the machine.
    pub time: Option<u64>,
    /// Where: the name of a site, or of the machine.
    pub site: Option<String>,
    /// The machine, if the site is not named like it.
    pub host: Option<String>,
}

/// What is wrong, if something is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Verdict {
    /// Nothing.
    Right,
    /// The number of the entry.
    Entry,
    /// The engine: other means have found something else.
    Engine,
}

impl Finding {
    /// What is wrong, if something is.
    pub fn verdict(&self) -> Verdict {
        match self.wrong_part {
            Some(_) => Verdict::Engine,
            None if self.count == self.recount => Verdict::Right,
            None => Verdict::Entry,
        }
    }

    /// The line of a record of this plan, newline included.
    ///
    /// # Panics
    /// When the range of units ends at 0: it has no last unit.
    pub fn to_line(&self, plan: &Plan) -> String {
        let finding = self.clone();
        let line = FindingLine {
            verdict: self.verdict(),
            first: finding.units.start,
            last: finding.units.end - 1,
            count: finding.count.to_string(),
            recount: finding.recount.to_string(),
            means: finding.means,
            unit: finding.unit,
            part: finding.wrong_part,
            seed: finding.seed,
            time: finding.time,
            site: finding.site,
            host: finding.host,
            _crc: Checksum {},
        };
        seal(&plan.hash(), &line)
    }

    /// The finding of a line, given without its newline, of a record whose entries have this form.
    pub(super) fn read(line: &[u8], form: &EntryForm) -> Result<Self, LineError> {
        let FindingLine { verdict, first, last, count, recount, means, unit, part, seed, time, site, host, .. } =
            open(&form.tie, line)?;
        let units = form.units(first, last)?;
        if unit.is_some_and(|unit| !units.contains(&unit)) {
            return Err(LineError::Units { first, last, units: form.plan.units });
        }
        let (count, recount) = (number(&count)?, number(&recount)?);
        let finding = Self { units, count, recount, means, unit, wrong_part: part, seed, time, site, host };
        if finding.verdict() != verdict {
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
        let (units, recount) = (UnitSet::from(finding.units.clone()), finding.recount);
        let found = format!("an audit has found {recount} solutions where {count} are recorded");
        write!(formatter, "{place} and {entry} disagree: units {units}: {found}")?;
        if let (Some(unit), Some(part)) = (finding.unit, finding.wrong_part) {
            write!(formatter, ", and the engine is wrong on part {part} of unit {unit}")?;
        }
        write!(formatter, "; count these units again elsewhere, and delete the line that is wrong")
    }
}

/// The members of a finding in their order, the checksum included. A line may lack those with a question mark.
pub(super) const FINDING_MEMBERS: &[&str] = &[
    "verdict", "first", "last", "count", "recount", "means", "unit?", "part?", "seed?", "time?", "site?", "host?",
    "crc",
];

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct FindingLine {
    verdict: Verdict,
    first: u64,
    last: u64,
    count: String,
    recount: String,
    means: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    unit: Option<u64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    part: Option<u64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    seed: Option<u64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    time: Option<u64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    site: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    host: Option<String>,
    #[serde(rename = "crc", skip_serializing)]
    _crc: Checksum,
}
