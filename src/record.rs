//! Records: a count that outlasts a terminal, a machine, a cluster.
//!
//! A record is a text file of one JSON object a line (`docs/record.md` is its reference). The first line is the
//! [`Plan`]: which units there are. Each further line is an [`Entry`]: some units and how many solutions belong to
//! them. One file is thus checkpoint, result and cluster output at once, because a count is the sum of its units, in
//! whatever order, on whatever machine they were counted:
//!
//! ```text
//!   Journal   appends entries as they are finished; reopened, it knows what is left to do
//!   Shard     cuts a plan into parts of equal work, for as many machines
//!   Tally     adds up the entries of any number of records, and says what is missing or contradicts
//!   audit     recounts some entries by other means, and says what that proves
//! ```
//!
//! Every engine that runs jobs on a cluster runs some of them twice when machines fail. So nothing here relies on a
//! unit being counted once: the tally takes each unit once, and two entries that disagree are an error with a name.

mod audit;
mod journal;
mod line;
mod read;
mod shard;
mod tally;
mod units;

use std::io;
use std::path::{Path, PathBuf};

pub use audit::{Audit, AuditReport, Wrong, draw};
pub use journal::Journal;
pub use line::{Entry, Plan};
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
        "{path}: line {line} is damaged: {reason}; delete that line to have its units counted again",
        path = path.display()
    )]
    Damaged {
        /// The record.
        path: PathBuf,
        /// The line, counted from 1.
        line: u64,
        /// What is wrong with it.
        reason: String,
    },
    /// The record belongs to another plan.
    #[error("{path}: line {line} belongs to another plan: {difference}", path = path.display())]
    OtherPlan {
        /// The record.
        path: PathBuf,
        /// The line of the plan, counted from 1.
        line: u64,
        /// How the two plans differ.
        difference: String,
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
    /// The counts sum to more than 2^128, so one of them is wrong.
    #[error("the sum of the counts passes 2^128: a count is wrong")]
    Overflow,
    /// Counting ended early.
    #[error(transparent)]
    Count(#[from] CountError),
}

impl RecordError {
    pub(crate) fn io(path: &Path, error: io::Error) -> Self {
        Self::Io { path: path.to_owned(), error }
    }

    /// Whether the same call may succeed later: the system failed, not the record.
    pub fn worth_retrying(&self) -> bool {
        match self {
            Self::Io { .. } | Self::Locked(_) => true,
            Self::Count(error) => !matches!(error, CountError::Overflow),
            _ => false,
        }
    }
}
