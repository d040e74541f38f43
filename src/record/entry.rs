//! The lines behind the plan: an [`Entry`] says what was counted, and a [`Finding`] what an audit
//! has found of an entry.
//!
//! Findings may stand in a record of their own, or among entries. They add up over months and
//! machines, because a line says which units were counted again, what they had on record and what
//! they have.

use serde::{Deserialize, Serialize};
use std::ops::Range;

use super::line::{LineError, decimal, open, seal};
use super::plan::{Plan, Rules};
use crate::count::Task;

/// How the lines of entries and of findings begin, to the byte; no other lines begin like this.
pub(super) const ENTRY_BEGINS: &str = "{\"first\":";
pub(super) const FINDING_BEGINS: &str = "{\"verdict\":";

/// The units of a task and the number of solutions that belong to them: a line of a record, member
/// by member.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct Entry {
    /// The first unit.
    pub first: u64,
    /// The last unit.
    pub last: u64,
    /// The number of solutions that belong to the units. In the line it is a string, because some
    /// readers know numbers only up to 2^53.
    #[serde(with = "decimal")]
    pub count: u128,
    /// The time that they kept a thread, in seconds.
    pub seconds: f64,
    /// The kernel that counted, for an engine that has several. Where a device has left some of the
    /// units to the CPU it is both, such as `gpu+avx2`.
    pub kernel: Option<String>,
    /// When they were finished, in seconds since the beginning of 1970 (UTC), by the clock of the
    /// machine.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub time: Option<u64>,
    /// Where they were counted: the name of a site, or of the machine.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub site: Option<String>,
    /// The machine, if the site is not named like it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub host: Option<String>,
}

impl Entry {
    /// The entry of a finished task, without a time of day and a site. The seconds are rounded to
    /// microseconds.
    ///
    /// # Panics
    /// When the task has no units.
    pub fn new(task: &Task) -> Self {
        // More digits are noise.
        let seconds = (task.elapsed.as_secs_f64() * 1e6).round() / 1e6;
        let kernel = (!task.kernels.is_empty()).then(|| task.kernels.join("+"));
        let (first, last) = (task.units.start, task.units.end - 1);
        Self {
            first,
            last,
            count: task.count,
            seconds,
            kernel,
            time: None,
            site: None,
            host: None,
        }
    }

    /// The range of units.
    pub fn units(&self) -> Range<u64> {
        self.first..self.last + 1
    }

    /// The line of a record of this plan, newline included.
    pub fn to_line(&self, plan: &Plan) -> String {
        seal(&plan.hash(), self)
    }

    /// The entry of a line of a record of this plan, given without its newline.
    ///
    /// # Errors
    /// When the line is not as it was written, its units are not a task of the plan, or they cannot
    /// have that count.
    pub fn from_line(line: &[u8], plan: &Plan) -> Result<Self, LineError> {
        Self::read(line, &Rules::new(plan))
    }

    /// The same for many lines of a plan.
    pub(super) fn read(line: &[u8], rules: &Rules) -> Result<Self, LineError> {
        let entry: Self = open(&rules.tie, line)?;
        rules.allow(entry.first, entry.last, entry.count)?;
        if entry.seconds < 0.0 {
            return Err(LineError::Seconds(entry.seconds));
        }
        Ok(entry)
    }
}

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
    /// What has counted again: `recount`; or the engine and the recount of one unit, such as
    /// `rows+recount`.
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
    /// When it was found, in seconds since the beginning of 1970 (UTC), by the clock of the
    /// machine.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub time: Option<u64>,
    /// Where: the name of a site, or of the machine.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub site: Option<String>,
    /// The machine, if the site is not named like it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
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
        let Self {
            verdict,
            count,
            recount,
            unit,
            part,
            ..
        } = finding;
        if unit.is_some_and(|unit| !finding.units().contains(&unit)) {
            return Err(LineError::Members(
                "the unit is not one of its units".to_owned(),
            ));
        }
        if verdict != Verdict::new(count, recount, part) {
            return Err(LineError::Members(
                "the verdict is not that of its counts".to_owned(),
            ));
        }
        Ok(finding)
    }
}
