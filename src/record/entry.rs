//! Entries: the counts of tasks, one on each line of a record.

use std::ops::Range;
use std::time::UNIX_EPOCH;

use gethostname::gethostname;
use serde::{Deserialize, Serialize};

use super::RecordErrorKind;
use super::line::{check_and_parse, decimal, seal};
use super::plan::{Plan, Rules};
use crate::count::Task;

pub(super) const ENTRY_BEGINS: &[u8] = b"{\"first\":";

/// The count of one task, as stored in a record. Fields that other versions of the program wrote
/// are ignored.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Entry {
    /// The first unit.
    pub first: u64,
    /// The last unit.
    pub last: u64,
    /// The number of solutions of the units.
    #[serde(with = "decimal")]
    pub count: u128,
    /// The CPU time of the thread that counted the units, in seconds; for units counted on a
    /// device, the elapsed time.
    pub seconds: f64,
    /// The kernel, if the engine has more than one. `gpu+avx2` means that a device left some of the
    /// units to the CPU.
    pub kernel: Option<String>,
    /// The time at which the task was finished, in seconds since 1970 (UTC).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub time: Option<u64>,
    /// The name of the machine.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub host: Option<String>,
}

impl Entry {
    /// Creates the entry for a task that this machine has just finished. The time in `seconds` is
    /// rounded to microseconds.
    pub(super) fn new(task: &Task) -> Self {
        Self {
            first: task.units.start,
            last: task.units.end - 1,
            count: task.count,
            seconds: (task.thread_time.as_secs_f64() * 1e6).round() / 1e6,
            kernel: (!task.kernels.is_empty()).then(|| task.kernels.join("+")),
            time: UNIX_EPOCH.elapsed().ok().map(|time| time.as_secs()),
            host: Some(gethostname().to_string_lossy().into_owned()),
        }
    }

    /// Returns the units.
    pub fn units(&self) -> Range<u64> {
        self.first..self.last + 1
    }

    /// Returns the entry as a line of a record with this plan, including the newline.
    pub fn to_line(&self, plan: &Plan) -> String {
        seal(&plan.hash(), self)
    }

    /// Parses an entry line from a record with this plan. The newline must be removed first.
    ///
    /// # Errors
    /// Fails if the line is damaged or has values that the plan does not allow.
    pub fn from_line(line: &[u8], plan: &Plan) -> Result<Self, RecordErrorKind> {
        Self::parse(line, &Rules::from_plan(plan.clone())).map_err(RecordErrorKind::Damaged)
    }

    pub(super) fn parse(line: &[u8], rules: &Rules) -> Result<Self, String> {
        if !line.starts_with(ENTRY_BEGINS) {
            return Err("it is neither the first line of a record nor a count".to_owned());
        }
        let entry: Self = check_and_parse(&rules.plan_hash, line)?;
        rules.check(entry.first, entry.last, entry.count)?;
        if !(0.0..1e9).contains(&entry.seconds) {
            return Err(format!(
                "expected \"seconds\" from 0 to 10^9, found {}",
                entry.seconds
            ));
        }
        Ok(entry)
    }
}
