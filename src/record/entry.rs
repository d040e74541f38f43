//! The entry: the count of a task, one line of a record.

#![deny(
    clippy::cast_possible_truncation,
    clippy::cast_precision_loss,
    clippy::cast_sign_loss,
    reason = "counts are exact"
)]

use std::fmt;
use std::ops::Range;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use super::line::{LineError, check_and_parse, decimal, seal};
use super::plan::{Plan, Rules};
use crate::count::Task;

/// The first bytes of the line of an entry, and of no other line.
pub(super) const ENTRY_BEGINS: &str = "{\"first\":";

/// The units of a task and their number of solutions, as in a line of a record.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct Entry {
    /// The first unit.
    pub first: u64,
    /// The last unit.
    pub last: u64,
    /// The number of solutions that belong to the units.
    #[serde(with = "decimal")]
    pub count: u128,
    /// The time that they kept a thread, in seconds.
    pub seconds: f64,
    /// The kernel that counted, for an engine that has several, or both kernels, as in `gpu+avx2`,
    /// if a device left some of the units to the CPU.
    pub kernel: Option<String>,
    /// When they were finished, in seconds since the beginning of 1970 (UTC), by the clock of the
    /// machine.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub time: Option<u64>,
    /// Where they were counted: the name of a site, or of the machine.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub site: Option<String>,
    /// The machine, if the site has a name of its own.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub host: Option<String>,
}

impl Entry {
    /// Creates the entry of a finished task, without time and names. The seconds are rounded to
    /// microseconds.
    ///
    /// # Panics
    /// When the task has no units.
    pub fn new(task: &Task) -> Self {
        Self {
            first: task.units.start,
            last: task.units.end - 1,
            count: task.count,
            seconds: (task.elapsed.as_secs_f64() * 1e6).round() / 1e6,
            kernel: (!task.kernels.is_empty()).then(|| task.kernels.join("+")),
            time: None,
            site: None,
            host: None,
        }
    }

    /// Returns the entry with nothing but its units and their count, as it is published.
    #[must_use]
    pub fn without_provenance(&self) -> Self {
        Self {
            first: self.first,
            last: self.last,
            count: self.count,
            seconds: 0.0,
            kernel: None,
            time: None,
            site: None,
            host: None,
        }
    }

    /// Returns the range of units.
    pub fn units(&self) -> Range<u64> {
        self.first..self.last + 1
    }

    /// Returns the line of a record of this plan, newline included.
    pub fn to_line(&self, plan: &Plan) -> String {
        seal(&plan.hash(), self)
    }

    /// Parses a line of a record of this plan, given without its newline.
    ///
    /// # Errors
    /// When the line is not as it was written, or says something that the plan does not allow.
    pub fn from_line(line: &[u8], plan: &Plan) -> Result<Self, LineError> {
        Self::parse(line, &Rules::new(plan))
    }

    /// Parses one of many lines of a plan.
    pub(super) fn parse(line: &[u8], rules: &Rules) -> Result<Self, LineError> {
        let entry: Self = check_and_parse(&rules.plan_hash, line)?;
        rules.check(entry.first, entry.last, entry.count)?;
        if !(0.0..1e9).contains(&entry.seconds) {
            return Err(LineError::Seconds(entry.seconds));
        }
        for name in [&entry.site, &entry.host, &entry.kernel]
            .into_iter()
            .flatten()
        {
            check_name(name, LONGEST_READ)?;
        }
        Ok(entry)
    }
}

/// The number of characters that a name may have.
const LONGEST_NAME: usize = 60;
/// The same for records of older versions, which wrote names of machines as they were.
pub(super) const LONGEST_READ: usize = 64;

/// The name of a site: at most 60 characters, none of them a control character. As text it may be
/// empty, for lines that name neither a site nor a machine.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SiteName(String);

impl SiteName {
    /// Returns the name of this machine, without what a name may not have.
    pub(super) fn machine() -> Self {
        let name = gethostname::gethostname().to_string_lossy().into_owned();
        Self(
            name.chars()
                .filter(|letter| !letter.is_control())
                .take(LONGEST_NAME)
                .collect(),
        )
    }

    /// Returns the name as text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl FromStr for SiteName {
    type Err = SiteNameError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        check_name(text, LONGEST_NAME)?;
        Ok(Self(text.to_owned()))
    }
}

impl fmt::Display for SiteName {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.0)
    }
}

/// The text is not a name that a line of a record may have.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum SiteNameError {
    /// It has too many characters.
    #[error("expected a name of at most {LONGEST_NAME} characters")]
    Long,
    /// It contains a control character.
    #[error("expected a name without control characters")]
    Control,
}

pub(super) fn check_name(name: &str, longest: usize) -> Result<(), SiteNameError> {
    if name.chars().nth(longest).is_some() {
        return Err(SiteNameError::Long);
    }
    if name.contains(char::is_control) {
        return Err(SiteNameError::Control);
    }
    Ok(())
}
