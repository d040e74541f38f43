//! Findings: the counts that an audit found wrong, in a file of their own.
//!
//! A record says nothing of the value of another line, and nothing in it decides whom to believe.
//! A finding counts only if a person passes its file.

#![deny(
    clippy::cast_possible_truncation,
    clippy::cast_precision_loss,
    clippy::cast_sign_loss,
    reason = "counts are exact"
)]

use std::collections::HashSet;
use std::fmt;
use std::fs::{self, OpenOptions};
use std::io::{ErrorKind, Write};
use std::ops::Range;
use std::path::Path;

use serde::{Deserialize, Serialize};

use super::line::decimal;
use super::{Entry, LineRef, Plan, RecordError, UnitSet};

/// An entry that an audit found wrong. As text it names the line.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Finding {
    /// The entry on record.
    pub entry: Entry,
    /// The line of the entry.
    pub line: LineRef,
    /// The number of solutions that belong to its units, counted again.
    pub recount: u128,
    /// The part of a unit on which the engine and the recount disagree, if they do.
    pub wrong_part: Option<WrongPart>,
}

/// A part of a unit on which the engine and the recount disagree.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct WrongPart {
    /// The unit.
    pub unit: u64,
    /// The part of it.
    pub part: u64,
    /// The number of solutions that the engine counts
    /// ([`Engine::count_part`](crate::Engine::count_part)).
    pub count: u128,
    /// The number of solutions by the recount
    /// ([`Engine::recount_part`](crate::Engine::recount_part)).
    pub recount: u128,
}

impl Finding {
    /// Returns whether the number on record is wrong. Otherwise the engine is.
    pub fn is_wrong_entry(&self) -> bool {
        self.recount != self.entry.count
    }

    /// Returns the line of a findings file, newline included.
    pub fn to_line(&self, plan: &Plan) -> String {
        let line = FindingLine {
            plan: plan.hash(),
            file: self.line.path.to_string_lossy().into_owned(),
            line: self.line.line,
            first: self.entry.first,
            last: self.entry.last,
            count: self.entry.count,
            recount: self.recount,
            unit: self.wrong_part.as_ref().map(|part| part.unit),
            part: self.wrong_part.as_ref().map(|part| part.part),
        };
        serde_json::to_string(&line).expect("the members are plain values") + "\n"
    }
}

impl fmt::Display for Finding {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            entry,
            line,
            recount,
            ..
        } = self;
        if self.is_wrong_entry() {
            let units = UnitSet::from(entry.units());
            let count = entry.count;
            write!(
                formatter,
                "{line}: units {units}: {count} recorded, {recount} recounted"
            )?;
        }
        if let Some(WrongPart {
            unit,
            part,
            count,
            recount,
        }) = &self.wrong_part
        {
            let begin = if self.is_wrong_entry() {
                "; "
            } else {
                &format!("{line}: ")
            };
            let numbers = format!("{count} and {recount} solutions");
            let of = format!("part {part} of unit {unit}");
            write!(
                formatter,
                "{begin}the engine and the recount disagree on {of}: {numbers}"
            )?;
        }
        Ok(())
    }
}

#[derive(Serialize, Deserialize)]
struct FindingLine {
    plan: String,
    file: String,
    line: u64,
    first: u64,
    last: u64,
    #[serde(with = "decimal")]
    count: u128,
    #[serde(with = "decimal")]
    recount: u128,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    unit: Option<u64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    part: Option<u64>,
}

/// The counts that a findings file rejects. A wrong number is wrong in every line that repeats it.
#[derive(Clone, Debug, Default)]
pub struct Findings {
    /// The first and the last unit, and the count.
    counts: HashSet<(u64, u64, u128)>,
}

impl Findings {
    /// Reads a findings file about records of this plan. An empty file has no findings.
    ///
    /// # Errors
    /// When the file cannot be read, or a line is not a finding of this plan.
    pub fn read(path: impl AsRef<Path>, plan: &Plan) -> Result<Self, RecordError> {
        let path = path.as_ref();
        let text = fs::read_to_string(path).map_err(|error| match error.kind() {
            ErrorKind::InvalidData => RecordError::NotAFinding(LineRef {
                path: path.to_owned(),
                line: 1,
            }),
            _ => RecordError::io(path, error),
        })?;
        let hash = plan.hash();
        let mut findings = Self::default();
        for (line, number) in text.lines().zip(1..) {
            match serde_json::from_str::<FindingLine>(line) {
                Ok(found) if found.plan == hash => {
                    findings
                        .counts
                        .insert((found.first, found.last, found.count));
                }
                _ => {
                    let line = LineRef {
                        path: path.to_owned(),
                        line: number,
                    };
                    return Err(RecordError::NotAFinding(line));
                }
            }
        }
        Ok(findings)
    }

    /// Appends findings to a file, in one piece.
    ///
    /// # Errors
    /// When the file cannot be written.
    pub fn append(path: impl AsRef<Path>, text: &str) -> Result<(), RecordError> {
        let path = path.as_ref();
        let file = OpenOptions::new().append(true).create(true).open(path);
        file.and_then(|mut file| {
            file.write_all(text.as_bytes())?;
            file.sync_data()
        })
        .map_err(|error| RecordError::io(path, error))
    }

    /// Returns whether these units do not have this number of solutions, by a finding.
    pub fn rejects(&self, units: &Range<u64>, count: u128) -> bool {
        self.counts.contains(&(units.start, units.end - 1, count))
    }

    /// Returns whether there are no findings.
    pub fn is_empty(&self) -> bool {
        self.counts.is_empty()
    }
}
