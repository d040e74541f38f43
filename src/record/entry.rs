//! An entry: some units and their count, a line of a record.

use std::borrow::Cow;
use std::fmt;
use std::ops::Range;
use std::path::PathBuf;

use serde::{Deserialize, Serialize};

use super::line::{Checksum, LineError, open, seal};
use super::plan::Plan;
use crate::choice::Resources;
use crate::count::Task;
use crate::engine::Engine;

/// Some neighbouring units and the number of solutions that belong to them: a line of a record.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Entry {
    /// The range of units; it is not empty.
    pub units: Range<u64>,
    /// The number of solutions that belong to them.
    pub count: u128,
    /// The time that they kept a thread, in seconds.
    pub seconds: f64,
    /// The kernel that counted, for an engine that has several. Where a device has left some of the units to the CPU it
    /// is both, such as `gpu+avx2`.
    pub kernel: Option<String>,
    /// When they were finished, in seconds since the beginning of 1970 (UTC), by the clock of the machine.
    pub time: Option<u64>,
    /// Where they were counted: the name of a site, or of the machine.
    pub site: Option<String>,
    /// The machine, if the site is not named like it.
    pub host: Option<String>,
}

impl Entry {
    /// The entry of a finished task, without a time of day and a site. The seconds are rounded to microseconds.
    pub fn new(task: &Task) -> Self {
        // More digits are noise.
        let seconds = (task.elapsed.as_secs_f64() * 1e6).round() / 1e6;
        let kernel = (!task.kernels.is_empty()).then(|| task.kernels.join("+"));
        let (units, count) = (task.units.clone(), task.count);
        Self { units, count, seconds, kernel, time: None, site: None, host: None }
    }

    /// The line of a record of this plan, newline included.
    ///
    /// # Panics
    /// When the range of units ends at 0: it has no last unit.
    pub fn to_line(&self, plan: &Plan) -> String {
        let Self { units, count, seconds, kernel, time, site, host } = self.clone();
        let (first, last, count) = (units.start, units.end - 1, count.to_string().into());
        seal(&plan.hash(), &EntryLine { first, last, count, seconds, kernel, time, site, host, _crc: Checksum {} })
    }

    /// The entry of a line of a record of this plan, given without its newline.
    ///
    /// # Errors
    /// When the line is not as it was written, or its units are not units of the plan.
    pub fn from_line(line: &[u8], plan: &Plan) -> Result<Self, LineError> {
        EntryForm::new(plan).read(line)
    }
}

/// A plan, and what all entries of it have in common.
pub(super) struct EntryForm {
    pub plan: Plan,
    /// The hash of the plan.
    pub tie: String,
    /// The most solutions that a board can have.
    most: u128,
    /// The engine that says what divides the counts of units, if this program has it.
    engine: Option<Box<dyn Engine>>,
}

impl fmt::Debug for EntryForm {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("EntryForm").field("tie", &self.tie).finish_non_exhaustive()
    }
}

impl EntryForm {
    pub fn new(plan: &Plan) -> Self {
        // The queens of all rows stand in different columns. (No board of more rows has a count that could pass.)
        let most = (1..=u128::from(plan.n)).try_fold(1, u128::checked_mul).unwrap_or(u128::MAX);
        let engine = plan.engine(Resources::default()).ok();
        Self { plan: plan.clone(), tie: plan.hash(), most, engine }
    }

    /// The range of units from the first to the last.
    pub fn units(&self, first: u64, last: u64) -> Result<Range<u64>, LineError> {
        let units = self.plan.units;
        if first <= last && last < units { Ok(first..last + 1) } else { Err(LineError::Units { first, last, units }) }
    }

    /// The entry of a line, given without its newline.
    pub fn read(&self, line: &[u8]) -> Result<Entry, LineError> {
        let EntryLine { first, last, count: text, seconds, kernel, time, site, host, .. } = open(&self.tie, line)?;
        let (units, count) = (self.units(first, last)?, number(&text)?);
        if count > self.most {
            return Err(LineError::TooMany { count, n: self.plan.n });
        }
        let divisor = self.engine.as_ref().map_or(1, |engine| engine.divisor(units.clone()));
        if !count.is_multiple_of(divisor.into()) {
            return Err(LineError::NoMultiple { count, divisor });
        }
        if !(seconds.is_finite() && seconds >= 0.0) {
            return Err(LineError::Seconds(seconds));
        }
        Ok(Entry { units, count, seconds, kernel, time, site, host })
    }
}

/// The count that a line says in this way.
pub(super) fn number(text: &str) -> Result<u128, LineError> {
    match text.parse() {
        Ok(count) if !text.starts_with(['0', '+']) || text == "0" => Ok(count),
        _ => Err(LineError::Count(text.to_owned())),
    }
}

/// Where an entry stands: a line of a record. As text it is like `a.jsonl line 7`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    pub(super) path: PathBuf,
    pub(super) line: u64,
}

impl fmt::Display for Place {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{} line {}", self.path.display(), self.line)
    }
}

/// The members of an entry in their order, the checksum included. A line may lack those with a question mark.
pub(super) const ENTRY_MEMBERS: &[&str] =
    &["first", "last", "count", "seconds", "kernel", "time?", "site?", "host?", "crc"];

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct EntryLine<'a> {
    first: u64,
    last: u64,
    /// A string, because some readers know numbers only up to 2^53.
    #[serde(borrow)]
    count: Cow<'a, str>,
    seconds: f64,
    kernel: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    time: Option<u64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    site: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    host: Option<String>,
    #[serde(rename = "crc", skip_serializing)]
    _crc: Checksum,
}
