//! Findings: the counts that an audit found to be wrong, stored in a separate file.
//!
//! Findings take effect only if the user passes this file.

use std::collections::HashSet;
use std::fmt;
use std::fs;
use std::io::{Read, Seek, SeekFrom, Write};
use std::ops::Range;
use std::path::Path;

use serde::Deserialize;

use super::journal::append_to;
use super::line::decimal;
use super::{Entry, LineRef, Plan, RecordError, UnitSet};

/// An entry that an audit found to be wrong, or that revealed an engine error.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Finding {
    /// The recorded entry.
    pub entry: Entry,
    /// The line of the entry.
    pub line: LineRef,
    /// The entry's number of solutions according to the recount.
    pub recount: u128,
    /// The part that the engine miscounted, if any.
    pub wrong_part: Option<WrongPart>,
}

/// A part for which the engine and the recount gave different counts.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct WrongPart {
    /// The unit.
    pub unit: u64,
    /// The index of the part.
    pub part: u64,
    /// The number of solutions according to the engine.
    pub count: u128,
    /// The number of solutions according to the recount.
    pub recount: u128,
}

impl Finding {
    /// Returns whether the recorded count is wrong; if not, the engine is wrong.
    pub fn is_wrong_entry(&self) -> bool {
        self.recount != self.entry.count
    }

    /// Returns the finding as a line for a findings file, including the newline.
    pub fn to_line(&self, plan: &Plan) -> String {
        let part = self.wrong_part.as_ref();
        let line = serde_json::json!({
            "plan": plan.hash(),
            "file": self.line.path.to_string_lossy(),
            "line": self.line.line,
            "first": self.entry.first,
            "last": self.entry.last,
            "count": self.entry.count.to_string(),
            "recount": self.recount.to_string(),
            "unit": part.map(|part| part.unit),
            "part": part.map(|part| part.part),
        });
        format!("{line}\n")
    }
}

impl fmt::Display for Finding {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut clauses = Vec::new();
        if self.is_wrong_entry() {
            clauses.push(format!(
                "units {}: {} recorded, {} recounted",
                UnitSet::from(self.entry.units()),
                self.entry.count,
                self.recount
            ));
        }
        if let Some(part) = &self.wrong_part {
            clauses.push(format!(
                "the engine and the recount disagree on part {} of unit {}: {} and {} solutions",
                part.part, part.unit, part.count, part.recount
            ));
        }
        write!(formatter, "{}: {}", self.line, clauses.join("; "))
    }
}

/// The fields that the program reads from a line of a findings file.
#[derive(Deserialize)]
struct FindingLine {
    plan: String,
    first: u64,
    last: u64,
    #[serde(with = "decimal")]
    count: u128,
}

/// The counts that a findings file rejects, wherever in a record they occur.
#[derive(Clone, Debug, Default)]
pub struct Findings {
    /// For each rejected count: the first unit, the last unit and the count.
    counts: HashSet<(u64, u64, u128)>,
}

impl Findings {
    /// Reads a findings file for records of this plan. An empty file has no findings.
    ///
    /// # Errors
    /// Fails if the file cannot be read, or if a line is not a finding for this plan.
    pub fn read(path: impl AsRef<Path>, plan: &Plan) -> Result<Self, RecordError> {
        let path = path.as_ref();
        let text = fs::read(path).map_err(|error| RecordError::io(path, error))?;
        let hash = plan.hash();
        let mut findings = Self::default();
        for (line, number) in String::from_utf8_lossy(&text).lines().zip(1..) {
            let found = serde_json::from_str(line).ok();
            let found = found
                .filter(|found: &FindingLine| found.plan == hash)
                .ok_or_else(|| RecordError::NotAFinding(LineRef::new(path, number)))?;
            findings
                .counts
                .insert((found.first, found.last, found.count));
        }
        Ok(findings)
    }

    /// Appends lines of findings to a file in a single write, which begins with a newline if the
    /// last line of the file lacks one.
    ///
    /// # Errors
    /// Fails if the file cannot be written.
    pub fn append(path: impl AsRef<Path>, text: &str) -> Result<(), RecordError> {
        let path = path.as_ref();
        let written = append_to(path).and_then(|mut file| {
            let mut last = [b'\n'];
            if file.metadata()?.len() > 0 {
                file.seek(SeekFrom::End(-1))?;
                file.read_exact(&mut last)?;
            }
            let newline = if last == [b'\n'] { "" } else { "\n" };
            file.write_all(format!("{newline}{text}").as_bytes())?;
            file.sync_data()
        });
        written.map_err(|error| RecordError::io(path, error))
    }

    /// Returns whether a finding rejects this number of solutions for these units.
    pub fn rejects(&self, units: &Range<u64>, count: u128) -> bool {
        self.counts.contains(&(units.start, units.end - 1, count))
    }
}
