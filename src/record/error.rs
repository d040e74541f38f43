//! Errors in records: unusable files, damaged lines, and lines that contradict each other.

use std::path::{Path, PathBuf};
use std::{fmt, io};

use super::line::LineError;
use super::plan::{PlanDifference, PlanError};
use super::{Entry, UnitSet};
use crate::count::CountError;

/// The maximum number of disputes, damaged lines or entries that are reported individually.
pub(super) const REPORTED: usize = 10;

/// A failure to read or write records, or a flaw in a record.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum RecordError {
    /// The file cannot be read or written. A later attempt may succeed.
    #[error("{}: cannot be read or written", .0.display())]
    Io(PathBuf, #[source] io::Error),
    /// Another process is writing this record.
    #[error("{}: another process is writing this record", .0.display())]
    Locked(PathBuf),
    /// Something else changed the file while this process was writing it.
    #[error(
        "{}: it was deleted, replaced or changed while this process was writing it; \
         the next run counts the missing units",
        .0.display()
    )]
    Changed(PathBuf),
    /// The file, which was left unchanged, is not a record. The string gives the reason.
    #[error("{}: not a record: {}", .0.display(), .1)]
    NotARecord(PathBuf, String),
    /// This program does not support the plan of the record.
    #[error("{}: unsupported plan", .0.display())]
    Plan(PathBuf, #[source] PlanError),
    /// The records do not contain a plan.
    #[error("the records are empty")]
    Empty,
    /// A line in a findings file is not a finding for this plan.
    #[error("{0} is not a finding of this plan")]
    NotAFinding(LineRef),
    /// A line is damaged.
    #[error("{}: line {} is damaged", .0.path.display(), .0.line)]
    Damaged(LineRef, #[source] LineError),
    /// The record has this many more damaged lines.
    #[error("{}: {} more lines are damaged", .0.display(), .1)]
    MoreDamage(PathBuf, u64),
    /// The plan on this line differs from the expected plan.
    #[error(
        "{}: line {} belongs to another plan: {}",
        .0.path.display(), .0.line, .1
    )]
    OtherPlan(LineRef, PlanDifference),
    /// Entries with the same units have different counts.
    #[error(transparent)]
    Conflict(#[from] Dispute),
    /// The number of further disputes in the records.
    #[error("{0} more contradictions")]
    MoreConflicts(u64),
    /// The sum of the counts exceeds N!, so the largest count, on this line, is wrong.
    #[error(
        "{}: line {} is wrong: it has the largest of the counts, whose sum exceeds {}!",
        .1.path.display(), .1.line, .0
    )]
    SumTooLarge(u32, LineRef),
    /// The total differs from the published value, so a count is wrong.
    #[error(
        "the counts sum to {total}, but the published value for N = {n} is {published}: \
         a count is wrong"
    )]
    WrongTotal {
        /// The number of rows of the board.
        n: u32,
        /// The sum of the counts.
        total: u128,
        /// The published value.
        published: u128,
    },
    /// Counting ended without a result.
    #[error(transparent)]
    Count(#[from] CountError),
}

impl RecordError {
    pub(crate) fn io(path: &Path, error: io::Error) -> Self {
        Self::Io(path.to_owned(), error)
    }

    pub(super) fn not_a_record(path: &Path, reason: impl ToString) -> Self {
        Self::NotARecord(path.to_owned(), reason.to_string())
    }

    /// Returns the number of flaws that this error stands for.
    pub fn flaw_count(&self) -> u64 {
        match self {
            Self::MoreDamage(_, more) | Self::MoreConflicts(more) => *more,
            _ => 1,
        }
    }

    /// Returns the path of the record that this error concerns, if any.
    pub fn path(&self) -> Option<&Path> {
        match self {
            Self::Io(path, _)
            | Self::Locked(path)
            | Self::Changed(path)
            | Self::NotARecord(path, _)
            | Self::Plan(path, _)
            | Self::MoreDamage(path, _) => Some(path),
            _ => self.line_ref().map(|line| &*line.path),
        }
    }

    /// Returns the line number (counted from 1) that this error concerns, if any.
    pub fn line(&self) -> Option<u64> {
        self.line_ref().map(|line| line.line)
    }

    fn line_ref(&self) -> Option<&LineRef> {
        match self {
            Self::Damaged(line, _)
            | Self::OtherPlan(line, _)
            | Self::NotAFinding(line)
            | Self::SumTooLarge(_, line) => Some(line),
            Self::Conflict(dispute) => dispute.entries.first().map(|(_, line)| line),
            _ => None,
        }
    }

    /// Returns whether the cause lies outside the record, so that the same call may succeed later.
    pub fn is_transient(&self) -> bool {
        match self {
            Self::Io(..) | Self::Locked(_) | Self::Changed(..) => true,
            Self::Count(error) => !matches!(error, CountError::Overflow),
            _ => false,
        }
    }

    /// Returns whether the error concerns a damaged line or a file that is not a record.
    pub fn can_be_skipped(&self) -> bool {
        matches!(
            self,
            Self::Damaged(..) | Self::MoreDamage(..) | Self::NotARecord(..)
        )
    }
}

/// A reference to a line of a record. Its text form looks like `a.jsonl line 7`.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct LineRef {
    /// The record.
    pub path: PathBuf,
    /// The line number, counted from 1.
    pub line: u64,
}

impl LineRef {
    pub(super) fn new(path: &Path, line: u64) -> Self {
        Self {
            path: path.to_owned(),
            line,
        }
    }
}

impl fmt::Display for LineRef {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{} line {}", self.path.display(), self.line)
    }
}

/// Entries with the same units but different counts.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub struct Dispute {
    /// One entry for each of the counts, with its line.
    pub entries: Vec<(Entry, LineRef)>,
}

impl Dispute {
    /// Returns the units of all entries.
    pub fn units(&self) -> UnitSet {
        let entries = self.entries.iter();
        entries.map(|(entry, _)| entry.units()).collect()
    }
}

impl fmt::Display for Dispute {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let shown = self.entries.iter().take(REPORTED);
        let mut counts: Vec<_> = shown
            .map(|(entry, line)| format!("{line} has {}", entry.count))
            .collect();
        if self.entries.len() > REPORTED {
            counts.push("...".to_owned());
        }
        write!(
            formatter,
            "entries disagree on the solutions of units {}: {}",
            self.units(),
            counts.join(", ")
        )
    }
}
