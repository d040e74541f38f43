//! Entries: the counts of tasks, one per line of a record.

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

/// The first bytes of every entry, and of no other line.
pub(super) const ENTRY_BEGINS: &str = "{\"first\":";

/// The units of one task and their number of solutions, as stored in a record.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct Entry {
    /// The first unit.
    pub first: u64,
    /// The last unit.
    pub last: u64,
    /// The number of solutions of the units.
    #[serde(with = "decimal")]
    pub count: u128,
    /// The thread time that they took, in seconds.
    pub seconds: f64,
    /// The kernel, for an engine with several kernels, or both kernels, as in `gpu+avx2`, if a
    /// device left some of the units to the CPU.
    pub kernel: Option<String>,
    /// The time at which they were finished, in seconds since 1970 (UTC), by the machine's clock.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub time: Option<u64>,
    /// The name of the site, or of the machine, that counted them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub site: Option<String>,
    /// The machine, if a site is given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub host: Option<String>,
}

impl Entry {
    /// Creates the entry of a finished task, without a time or names. The seconds are rounded to
    /// microseconds.
    ///
    /// # Panics
    /// When the task is empty.
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

    /// Returns the entry as it is published, with only its units and their count.
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

    /// Returns the line for a record of this plan, including its newline.
    pub fn to_line(&self, plan: &Plan) -> String {
        seal(&plan.hash(), self)
    }

    /// Parses an entry of this plan, without its newline.
    ///
    /// # Errors
    /// When the line is damaged, or has values that the plan does not allow.
    pub fn from_line(line: &[u8], plan: &Plan) -> Result<Self, LineError> {
        Self::parse(line, &Rules::new(plan))
    }

    /// Parses an entry by rules that are prepared once per plan.
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

/// The greatest number of characters of a name.
const LONGEST_NAME: usize = 60;
/// The same limit for records of older versions, which did not shorten host names.
pub(super) const LONGEST_READ: usize = 64;

/// The name of a site: at most 60 characters, without control characters. The empty name stands for
/// neither a site nor a host name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SiteName(String);

impl SiteName {
    /// Returns the name of this machine, shortened and without control characters.
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

/// The text is not a valid name.
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
