//! An entry: some units and their count, a line of a record.

use std::fmt;
use std::ops::Range;
use std::path::PathBuf;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::line::{LineError, open, seal};
use super::plan::Plan;
use crate::count::Task;

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
}

impl Entry {
    /// The entry of a finished task. The time is rounded to microseconds.
    pub fn new(task: &Task) -> Self {
        // More digits are noise.
        let seconds = (task.elapsed.as_secs_f64() * 1e6).round() / 1e6;
        let kernel = (!task.kernels.is_empty()).then(|| task.kernels.join("+"));
        Self { units: task.units.clone(), count: task.count, seconds, kernel }
    }

    /// The line of a record of this plan, newline included.
    ///
    /// # Panics
    /// When the range of units ends at 0: it has no last unit.
    pub fn to_line(&self, plan: &Plan) -> String {
        let Self { units, count, seconds, kernel } = self.clone();
        let (first, last, count) = (units.start, units.end - 1, count.to_string());
        seal(&plan.hash(), &EntryLine { first, last, count, seconds, kernel })
    }

    /// The entry of a line of a record of this plan, given without its newline.
    ///
    /// # Errors
    /// When the line is not as it was written, or its units are not units of the plan.
    pub fn from_line(line: &[u8], plan: &Plan) -> Result<Self, LineError> {
        let EntryLine { first, last, count: text, seconds, kernel } = open(&plan.hash(), line)?;
        if first > last || last >= plan.units {
            return Err(LineError::Units { first, last, units: plan.units });
        }
        let count = match text.parse::<u128>() {
            Ok(count) if count.to_string() == text => count,
            _ => return Err(LineError::Count(text)),
        };
        // The queens of all rows stand in different columns. (No board of more rows has a count that could pass.)
        let most = (1..=u128::from(plan.n)).try_fold(1, u128::checked_mul).unwrap_or(u128::MAX);
        if count > most {
            return Err(LineError::TooMany { count, n: plan.n });
        }
        if !(seconds.is_finite() && seconds >= 0.0) {
            return Err(LineError::Seconds(seconds));
        }
        Ok(Self { units: first..last + 1, count, seconds, kernel })
    }
}

/// Where an entry stands: a line of a record. As text it is like `a.jsonl line 7`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    pub(super) path: Arc<PathBuf>,
    pub(super) line: u64,
}

impl fmt::Display for Place {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{} line {}", self.path.display(), self.line)
    }
}

/// The members of an entry in their order, the checksum included.
pub(super) const ENTRY_MEMBERS: [&str; 6] = ["first", "last", "count", "seconds", "kernel", "crc"];

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct EntryLine {
    first: u64,
    last: u64,
    /// A string, because some readers know numbers only up to 2^53.
    count: String,
    seconds: f64,
    kernel: Option<String>,
}
