//! Errors in records: a place and a kind.

use std::collections::BTreeMap;
use std::mem::discriminant;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::{fmt, io};

use super::{Plan, UnitSet};
use crate::count::CountError;

/// The maximum number of problems of each kind that are reported individually.
const REPORTED: usize = 10;

/// A failure to read or write records, or a problem in a record.
#[derive(Debug)]
pub struct RecordError {
    place: Option<Place>,
    kind: Box<RecordErrorKind>,
}

/// A file, or a line of it. Its text form looks like `a.jsonl line 7`.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub struct Place {
    /// The file or directory.
    pub path: PathBuf,
    /// The line number, counted from 1, if the place is a line.
    pub line: Option<u64>,
}

/// The kind of a [`RecordError`].
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum RecordErrorKind {
    /// The file cannot be read or written. A later attempt may succeed.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// Another process is writing the record.
    #[error("another process is writing this record")]
    Locked,
    /// Something else changed the file while this process was writing it.
    #[error(
        "it was deleted, replaced or changed while this process was writing it; \
         the next run counts the missing units"
    )]
    Changed,
    /// The file, which was left unchanged, is not a record. The string gives the reason.
    #[error("not a readable record: {0}")]
    NotARecord(String),
    /// The line, or an archive from some line on, is damaged. The string gives the reason.
    #[error("damaged: {0}")]
    Damaged(String),
    /// The plan differs from the expected plan. The string gives the first
    /// [difference](Plan::difference).
    #[error("another plan: {0}")]
    OtherPlan(String),
    /// This program cannot count the units of the plan. The string gives the reason.
    #[error("unsupported plan: {0}")]
    Unsupported(String),
    /// The records have several plans, or none of them has the expected plan.
    #[error("expected records of {expected}, found {}", list(found))]
    Plans {
        /// What was expected: one plan, or a certain board or engine.
        expected: String,
        /// Each plan, and the files that have it.
        found: Vec<(Plan, Vec<PathBuf>)>,
    },
    /// No record contains a plan.
    #[error("expected at least one count in the records, found none")]
    Empty,
    /// Lines give different counts for the same units.
    #[error(transparent)]
    Disagreement(RecordedTask),
    /// The sum of the counts exceeds N!, so the largest count, on this line, is wrong.
    #[error("wrong: the counts sum to more than {0}!, and this one is the largest")]
    SumTooLarge(u32),
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
    Count(CountError),
}

fn list(plans: &[(Plan, Vec<PathBuf>)]) -> String {
    let plans = plans.iter().map(|(plan, files)| {
        let Plan { n, engine, .. } = plan;
        let first = files[0].display();
        let files = match files.len() {
            1 => format!("1 file ({first})"),
            many => format!("{many} files (such as {first})"),
        };
        format!("{files} of N = {n}, {engine} (plan {})", plan.hash())
    });
    plans.collect::<Vec<_>>().join("; ")
}

impl RecordError {
    pub(super) fn new(path: &Path, kind: RecordErrorKind) -> Self {
        let path = path.to_owned();
        Place { path, line: None }.error(kind)
    }

    pub(super) fn io(path: &Path, error: io::Error) -> Self {
        Self::new(path, RecordErrorKind::Io(error))
    }

    pub(super) fn not_a_record(path: &Path, reason: impl ToString) -> Self {
        Self::new(path, RecordErrorKind::NotARecord(reason.to_string()))
    }

    /// Returns the file or line that this error concerns, if any.
    pub fn place(&self) -> Option<&Place> {
        self.place.as_ref()
    }

    /// Returns the kind of the error.
    pub fn kind(&self) -> &RecordErrorKind {
        &self.kind
    }

    /// Returns whether the cause lies outside the record, so that the same call may succeed later.
    pub fn is_transient(&self) -> bool {
        use RecordErrorKind::{Changed, Count, Io, Locked};
        match self.kind() {
            Io(_) | Locked | Changed => true,
            Count(error) => !matches!(error, CountError::Overflow),
            _ => false,
        }
    }

    /// Returns whether this problem makes it impossible to use records for a purpose.
    ///
    /// - A file that cannot be read may contain anything, so only a status can be given.
    /// - Damage is absence: its units are missing, unless another line has them. It forbids
    ///   nothing.
    /// - If a count is known to be wrong, there is no total, and an audit finds the wrong lines.
    pub fn forbids(&self, purpose: Purpose) -> bool {
        use RecordErrorKind::{Damaged, Disagreement, NotARecord, OtherPlan, SumTooLarge};
        match self.kind() {
            NotARecord(_) | Damaged(_) | OtherPlan(_) => false,
            Disagreement(_) | SumTooLarge(_) | RecordErrorKind::WrongTotal { .. } => {
                purpose == Purpose::Total
            }
            _ => purpose != Purpose::Status,
        }
    }
}

/// What records are used for; see [`RecordError::forbids`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Purpose {
    /// Printing the total, the missing units, or the finished count.
    Total,
    /// Recounting some lines.
    Audit,
    /// Showing the progress.
    Status,
}

impl From<RecordErrorKind> for RecordError {
    fn from(kind: RecordErrorKind) -> Self {
        Self {
            place: None,
            kind: Box::new(kind),
        }
    }
}

impl From<CountError> for RecordError {
    fn from(error: CountError) -> Self {
        RecordErrorKind::Count(error).into()
    }
}

impl fmt::Display for RecordError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(place) = self.place() {
            write!(formatter, "{place}: ")?;
        }
        self.kind().fmt(formatter)
    }
}

impl std::error::Error for RecordError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        self.kind().source()
    }
}

impl Place {
    pub(super) fn line(path: &Path, line: u64) -> Self {
        Self {
            path: path.to_owned(),
            line: Some(line),
        }
    }

    pub(super) fn error(self, kind: RecordErrorKind) -> RecordError {
        RecordError {
            place: Some(self),
            kind: Box::new(kind),
        }
    }
}

impl fmt::Display for Place {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.path.display().fmt(formatter)?;
        match self.line {
            Some(line) => write!(formatter, " line {line}"),
            None => Ok(()),
        }
    }
}

/// Returns a range as `unit 3` or `units 16-31`.
pub(super) fn in_words(units: &Range<u64>) -> String {
    let noun = if units.end - units.start == 1 {
        "unit"
    } else {
        "units"
    };
    format!("{noun} {}", UnitSet::from(units.clone()))
}

/// A task, and the lines that have a count for its units.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub struct RecordedTask {
    /// The units.
    pub units: Range<u64>,
    /// The recorded counts, and for each of them all lines that have it. If there are several
    /// counts, the lines disagree.
    pub counts: BTreeMap<u128, Vec<Place>>,
}

impl fmt::Display for RecordedTask {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "lines disagree on {}: ", in_words(&self.units))?;
        for (index, (count, places)) in self.counts.iter().take(REPORTED).enumerate() {
            let separator = if index > 0 { ", " } else { "" };
            write!(formatter, "{separator}{} has {count}", places[0])?;
        }
        Ok(())
    }
}

/// The problems in the records of a count. Of each kind, only the first ten are listed, and the
/// others are only counted.
#[derive(Debug, Default)]
pub struct Problems {
    list: Vec<RecordError>,
    more: u64,
}

impl Problems {
    pub(super) fn push(&mut self, problem: RecordError) {
        let kind = discriminant(problem.kind());
        let alike = self
            .list
            .iter()
            .filter(|other| discriminant(other.kind()) == kind);
        if alike.count() < REPORTED {
            self.list.push(problem);
        } else {
            self.more += 1;
        }
    }

    /// Returns the listed problems.
    pub fn list(&self) -> &[RecordError] {
        &self.list
    }

    /// Returns the number of problems that are not listed.
    pub fn more(&self) -> u64 {
        self.more
    }

    /// Returns the first of the problems that [forbid](RecordError::forbids) this use of the
    /// records; those that a later attempt may solve come before all others.
    pub fn forbidding(&self, purpose: Purpose) -> Option<&RecordError> {
        self.list
            .iter()
            .filter(|problem| problem.forbids(purpose))
            .min_by_key(|problem| !problem.is_transient())
    }

    pub(super) fn into_worst(self) -> Option<RecordError> {
        self.list
            .into_iter()
            .min_by_key(|problem| !problem.is_transient())
    }
}
