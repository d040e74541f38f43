//! An entry: a task of the plan and its count, a line of a record.

use serde::{Deserialize, Serialize};
use std::ops::Range;

use super::line::{LineError, decimal, open, seal};
use super::plan::{Plan, Rules};
use crate::count::Task;

/// The units of a task and the number of solutions that belong to them: a line of a record, member by member.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct Entry {
    /// The first unit.
    pub first: u64,
    /// The last unit.
    pub last: u64,
    /// The number of solutions that belong to the units. In the line it is a string, because some readers know numbers
    /// only up to 2^53.
    #[serde(with = "decimal")]
    pub count: u128,
    /// The time that they kept a thread, in seconds.
    pub seconds: f64,
    /// The kernel that counted, for an engine that has several. Where a device has left some of the units to the CPU it
    /// is both, such as `gpu+avx2`.
    pub kernel: Option<String>,
    /// When they were finished, in seconds since the beginning of 1970 (UTC), by the clock of the machine.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub time: Option<u64>,
    /// Where they were counted: the name of a site, or of the machine.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub site: Option<String>,
    /// The machine, if the site is not named like it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub host: Option<String>,
}

/// The members of an entry in their order, the checksum included. A line may lack those with a question mark.
pub(super) const ENTRY_MEMBERS: &[&str] =
    &["first", "last", "count", "seconds", "kernel", "time?", "site?", "host?", "crc"];

impl Entry {
    /// The entry of a finished task, without a time of day and a site. The seconds are rounded to microseconds.
    ///
    /// # Panics
    /// When the task has no units.
    pub fn new(task: &Task) -> Self {
        // More digits are noise.
        let seconds = (task.elapsed.as_secs_f64() * 1e6).round() / 1e6;
        let kernel = (!task.kernels.is_empty()).then(|| task.kernels.join("+"));
        let (first, last) = (task.units.start, task.units.end - 1);
        Self { first, last, count: task.count, seconds, kernel, time: None, site: None, host: None }
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
    /// When the line is not as it was written, its units are not a task of the plan, or they cannot have that count.
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
