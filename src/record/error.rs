//! What can go wrong with records, and whether another try may help: files, damaged lines, and what
//! is found where lines are held against each other: entries that contradict each other or an
//! audit, and copies.

use std::path::{Path, PathBuf};
use std::{fmt, io};

use super::line::LineError;
use super::plan::PlanDifference;
use super::{Entry, Finding, UnitSet};
use crate::count::CountError;

/// What can be wrong with a record.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum RecordError {
    /// The file cannot be read or written, as the system says. Trying again later may help.
    #[error("{path}: {1}", path = .0.display())]
    Io(PathBuf, io::Error),
    /// Another process is writing this record.
    #[error("{path}: another process is writing this record", path = .0.display())]
    Locked(PathBuf),
    /// Somebody else has changed the file of a record while it was written, and how.
    #[error(
        "{path}: while this process wrote the record, {1}; keep others away from it: the next run counts what it lacks, \
         or says what is wrong with it",
        path = .0.display()
    )]
    Changed(PathBuf, &'static str),
    /// The file is something else than a record, for this reason, and is left as it is.
    #[error("{path}: not a record: {1}", path = .0.display())]
    NotARecord(PathBuf, String),
    /// A line is not what was written.
    #[error(
        "{path}: line {line} is damaged: {1}; delete that line to have its units counted again",
        path = .0.path.display(), line = .0.line
    )]
    Damaged(Place, LineError),
    /// More lines are damaged than are named one by one.
    #[error("{path}: {lines} more of its lines are damaged", path = path.display())]
    MoreDamage {
        /// The record.
        path: PathBuf,
        /// The number of these lines.
        lines: u64,
    },
    /// The record belongs to another plan, as this line of a plan says.
    #[error("{path}: line {line} belongs to another plan: {1}", path = .0.path.display(), line = .0.line)]
    OtherPlan(Place, PlanDifference),
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
        Self::Io(path.to_owned(), error)
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
            Self::Damaged(place, _) | Self::OtherPlan(place, _) => place.parts(),
            Self::Io(path, _) | Self::Changed(path, _) | Self::NotARecord(path, _) => {
                (Some(path), None)
            }
            Self::Locked(path) | Self::MoreDamage { path, .. } => (Some(path), None),
            Self::Conflict(dispute) => dispute
                .entries
                .first()
                .map_or((None, None), |(_, place)| place.parts()),
            Self::Refuted(refutation) => refutation.entry.parts(),
            Self::MoreContradictions(_) | Self::Overflow | Self::Count(_) => (None, None),
        }
    }

    /// Whether the same call may succeed later, because the system failed and not the record.
    pub fn worth_retrying(&self) -> bool {
        match self {
            Self::Io(..) | Self::Locked(_) | Self::Changed(..) => true,
            Self::Count(error) => !matches!(error, CountError::Overflow),
            _ => false,
        }
    }
}

/// Where something stands: a line of a record. As text it is like `a.jsonl line 7`.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Place {
    /// The record.
    pub path: PathBuf,
    /// The line, counted from 1.
    pub line: u64,
}

impl Place {
    pub(super) fn parts(&self) -> (Option<&Path>, Option<u64>) {
        (Some(&self.path), Some(self.line))
    }
}

impl fmt::Display for Place {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{} line {}", self.path.display(), self.line)
    }
}

/// Entries of the same units with different counts. As text it names each of them.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub struct Dispute {
    /// An entry for each count, and where it stands.
    pub entries: Vec<(Entry, Place)>,
}

impl fmt::Display for Dispute {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        const SHOWN: usize = 10;
        let units: UnitSet = self
            .entries
            .iter()
            .map(|(entry, _)| entry.units())
            .collect();
        let said = |(entry, place): &(Entry, Place)| format!("{place} has {}", entry.count);
        let said: Vec<String> = self.entries.iter().take(SHOWN).map(said).collect();
        let more = if self.entries.len() > SHOWN {
            ", ..."
        } else {
            ""
        };
        write!(
            formatter,
            "entries disagree on the solutions of units {units}: {}{more}",
            said.join(", ")
        )
    }
}

/// A finding that contradicts an entry, or the engine that counted it. As text it says where both
/// stand.
#[derive(Clone, Debug, thiserror::Error)]
#[non_exhaustive]
pub struct Refutation {
    /// What has been found.
    pub finding: Finding,
    /// Where that stands.
    pub place: Place,
    /// What the entry says.
    pub count: u128,
    /// Where it stands.
    pub entry: Place,
}

impl fmt::Display for Refutation {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            finding,
            place,
            count,
            entry,
        } = self;
        let (units, recount) = (UnitSet::from(finding.units()), finding.recount);
        let found = format!("an audit has found {recount} solutions where {count} are recorded");
        write!(
            formatter,
            "{place} and {entry} disagree: units {units}: {found}"
        )?;
        if let (Some(unit), Some(part)) = (finding.unit, finding.part) {
            write!(
                formatter,
                ", and the engine is wrong on part {part} of unit {unit}"
            )?;
        }
        write!(
            formatter,
            "; count these units again elsewhere, and delete the line that is wrong"
        )
    }
}

/// Entries of one site that say another one's time and seconds: copies with another name. As text
/// it names one.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Copies {
    /// How many there are.
    pub number: u64,
    /// Where one stands.
    pub copy: Place,
    /// Where the entry stands that it says again.
    pub original: Place,
}

impl fmt::Display for Copies {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            number,
            copy,
            original,
        } = self;
        let (entries, count) = if *number == 1 {
            ("entry", "counts")
        } else {
            ("entries", "count")
        };
        write!(
            formatter,
            "{number} {entries} of a site repeat the time and the seconds of another site's, and {count} once: {copy} \
             is a copy of {original}"
        )
    }
}
