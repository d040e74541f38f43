//! What can go wrong with a record, and whether another try may help.

use std::io;
use std::path::{Path, PathBuf};

use super::dispute::{Dispute, Refutation};
use super::line::LineError;
use super::plan::PlanDifference;
use crate::count::CountError;

/// What can be wrong with a record.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum RecordError {
    /// The file cannot be read or written. Trying again later may help.
    #[error("{path}: {error}", path = path.display())]
    Io {
        /// The record.
        path: PathBuf,
        /// What the system says.
        error: io::Error,
    },
    /// Another process is writing this record.
    #[error("{path}: another process is writing this record", path = .0.display())]
    Locked(PathBuf),
    /// Somebody else has changed the file of a record while it was written.
    #[error(
        "{path}: while this process wrote the record, {change}; keep others away from it: the next run counts what it \
         lacks, or says what is wrong with it",
        path = path.display()
    )]
    Changed {
        /// The record.
        path: PathBuf,
        /// What has been done to it.
        change: &'static str,
    },
    /// The file is something else than a record, and is left as it is.
    #[error("{path}: not a record: {reason}", path = path.display())]
    NotARecord {
        /// The file.
        path: PathBuf,
        /// Why not.
        reason: String,
    },
    /// A line is not what was written.
    #[error(
        "{path}: line {line} is damaged: {error}; delete that line to have its units counted again",
        path = path.display()
    )]
    Damaged {
        /// The record.
        path: PathBuf,
        /// The line, counted from 1.
        line: u64,
        /// What is wrong with it.
        error: LineError,
    },
    /// More lines are damaged than are named one by one.
    #[error("{path}: {lines} more of its lines are damaged", path = path.display())]
    MoreDamage {
        /// The record.
        path: PathBuf,
        /// The number of these lines.
        lines: u64,
    },
    /// The record belongs to another plan.
    #[error("{path}: line {line} belongs to another plan: {difference}", path = path.display())]
    OtherPlan {
        /// The record.
        path: PathBuf,
        /// The line of the plan, counted from 1.
        line: u64,
        /// What keeps the two plans apart.
        difference: PlanDifference,
    },
    /// Entries of the same units have different counts.
    #[error(transparent)]
    Conflict(#[from] Dispute),
    /// An audit has found something else than an entry says.
    #[error(transparent)]
    Refuted(#[from] Box<Refutation>),
    /// More entries are in dispute, or refuted, than are named one by one.
    #[error("{0} more contradictions")]
    MoreContradictions(u64),
    /// The sum of the counts passes 2^128, so one of them is wrong.
    #[error("the sum of the counts passes 2^128: a count is wrong")]
    Overflow,
    /// Counting ended without a result.
    #[error(transparent)]
    Count(#[from] CountError),
}

impl RecordError {
    pub(crate) fn io(path: &Path, error: io::Error) -> Self {
        Self::Io { path: path.to_owned(), error }
    }

    /// The number of flaws that this stands for.
    pub fn flaws(&self) -> u64 {
        match self {
            Self::MoreDamage { lines, .. } => *lines,
            Self::MoreContradictions(more) => *more,
            _ => 1,
        }
    }

    /// The record that this is about, if it is one, and the line, counted from 1.
    pub fn place(&self) -> (Option<&Path>, Option<u64>) {
        match self {
            Self::Damaged { path, line, .. } | Self::OtherPlan { path, line, .. } => (Some(path), Some(*line)),
            Self::Io { path, .. } | Self::Changed { path, .. } | Self::NotARecord { path, .. } => (Some(path), None),
            Self::Locked(path) | Self::MoreDamage { path, .. } => (Some(path), None),
            Self::Conflict(dispute) => dispute.entries.first().map_or((None, None), |(_, place)| place.parts()),
            Self::Refuted(refutation) => refutation.entry.parts(),
            Self::MoreContradictions(_) | Self::Overflow | Self::Count(_) => (None, None),
        }
    }

    /// Whether the same call may succeed later, because the system failed and not the record.
    pub fn worth_retrying(&self) -> bool {
        match self {
            Self::Io { .. } | Self::Locked(_) | Self::Changed { .. } => true,
            Self::Count(error) => !matches!(error, CountError::Overflow),
            _ => false,
        }
    }
}
