//! Records: a count that outlasts a terminal, a machine, a cluster.
//!
//! A record is a text file with one JSON object a line (`docs/record.md` is its reference). The first line is the
//! [`Plan`]: which units there are. Each further line is an [`Entry`]: some units, and the number of solutions that
//! belong to them. A count is the sum of its units, in any order and from any machine. So one file is checkpoint, result
//! and cluster output at once:
//!
//! - a [`Journal`] appends entries as they are finished; opened again, it knows what is left to do;
//! - a [`Shard`] is a part of a plan, one of as many as there are machines, all of equal work;
//! - a [`Tally`] adds up the entries of any number of records, and says what is missing or contradictory;
//! - an [`Audit`] recounts some entries by other means, and says what that proves.
//!
//! The example `record` of this package does all of it in a second.
//!
//! A scheduler on a cluster runs some jobs twice when machines fail. So nothing here relies on a unit being counted
//! once: the tally takes each unit once, and two entries that disagree are an error that names both.

mod audit;
mod entry;
mod journal;
mod line;
mod plan;
mod read;
mod shard;
mod tally;
mod units;

use std::io;
use std::path::{Path, PathBuf};

pub use audit::{Audit, WrongEntry};
pub use entry::Entry;
pub use journal::Journal;
pub use line::LineError;
pub use plan::{Plan, PlanDifference, PlanError};
pub use read::Record;
pub use shard::{Shard, ShardError};
pub use tally::{Place, Tally};
pub use units::{UnitSet, UnitSetError};

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
    /// Two entries cannot both be true.
    #[error("{first} and {second} disagree: {reason}")]
    Conflict {
        /// Where one of them stands.
        first: Place,
        /// Where the other stands.
        second: Place,
        /// In what they disagree.
        reason: String,
    },
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

    /// Whether the same call may succeed later, because the system failed and not the record.
    pub fn worth_retrying(&self) -> bool {
        match self {
            Self::Io { .. } | Self::Locked(_) => true,
            Self::Count(error) => !matches!(error, CountError::Overflow),
            _ => false,
        }
    }
}
