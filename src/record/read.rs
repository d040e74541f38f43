//! Reading a record: all lines, and what a crash may have left behind the last.
//!
//! A line is written by one call, newline last, behind the lines before it. So what a killed process leaves behind the
//! last whole line is a piece without a newline, and that alone is recovered from: it is dropped, and its units count
//! as not done. Every other flaw, a newline-terminated last line included, is no trace of a crash but of a failing disk
//! or a careless editor. To skip it would hide that, so it is an error which names the line.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Read};
use std::path::Path;

use super::line::PLAN_BEGINS;
use super::{Entry, Plan, RecordError};

/// No line is nearly as long. It keeps the memory low when the file is something else than a record.
const LONGEST_LINE: u64 = 1 << 16;

/// The contents of a record.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Record {
    /// The plan; `None` when the writer was stopped before it had written it, and there are no entries either.
    pub plan: Option<Plan>,
    /// The entries, and the lines that they stand on, counted from 1.
    pub entries: Vec<(u64, Entry)>,
    /// The number of bytes up to the end of the last whole line.
    pub whole_bytes: u64,
    /// The number of bytes of the unfinished line that follows, which has been dropped.
    pub torn_bytes: u64,
}

impl Record {
    /// Reads a record.
    ///
    /// # Errors
    /// When the file cannot be read, is no record or a damaged one, or has lines of different plans.
    pub fn read(path: &Path) -> Result<Self, RecordError> {
        let file = File::open(path).map_err(|error| RecordError::io(path, error))?;
        Self::read_from(BufReader::new(file), path)
    }

    /// Reads no more of a record than its plan.
    ///
    /// # Errors
    /// When the file cannot be read, or is no record.
    pub fn read_plan(path: &Path) -> Result<Option<Plan>, RecordError> {
        let io = |error| RecordError::io(path, error);
        let mut line = Vec::new();
        next_line(&mut BufReader::new(File::open(path).map_err(io)?), &mut line).map_err(io)?;
        Ok(Self::read_from(line.as_slice(), path)?.plan)
    }

    /// Reads a record from anywhere; `path` is what errors call it.
    ///
    /// # Errors
    /// The same as those of [`Record::read`].
    pub fn read_from(mut source: impl BufRead, path: &Path) -> Result<Self, RecordError> {
        let mut record = Self { plan: None, entries: Vec::new(), whole_bytes: 0, torn_bytes: 0 };
        let mut line = Vec::new();
        for number in 1.. {
            line.clear();
            let bytes = next_line(&mut source, &mut line).map_err(|error| RecordError::io(path, error))?;
            let whole = line.pop_if(|last| *last == b'\n').is_some();
            let cut = !whole && bytes < LONGEST_LINE;
            match &record.plan {
                _ if bytes == 0 => break,
                None if cut && begins_a_plan(&line) => record.torn_bytes = bytes,
                None => record.plan = Some(first_line(&line, path)?),
                Some(_) if cut => record.torn_bytes = bytes,
                Some(plan) if line.starts_with(PLAN_BEGINS.as_bytes()) => repeated_plan(plan, &line, number, path)?,
                Some(plan) => {
                    let entry = Entry::from_line(&line, plan).map_err(|reason| damaged(path, number, reason))?;
                    record.entries.push((number, entry));
                }
            }
            if whole {
                record.whole_bytes += bytes;
            }
        }
        Ok(record)
    }
}

fn next_line(source: &mut impl BufRead, line: &mut Vec<u8>) -> io::Result<u64> {
    Ok(source.by_ref().take(LONGEST_LINE).read_until(b'\n', line)? as u64)
}

/// Whether a piece without a newline is how a record begins: only then may it be taken for one that was cut off.
fn begins_a_plan(piece: &[u8]) -> bool {
    let begin = PLAN_BEGINS.as_bytes();
    let common = piece.len().min(begin.len());
    piece[..common] == begin[..common]
}

/// The first line says what the file is; nothing else is worth reading when it does not.
fn first_line(line: &[u8], path: &Path) -> Result<Plan, RecordError> {
    if !line.starts_with(PLAN_BEGINS.as_bytes()) {
        let reason = "its first line is not that of a plan".to_owned();
        return Err(RecordError::NotARecord { path: path.to_owned(), reason });
    }
    let unreadable = |reason| RecordError::NotARecord { path: path.to_owned(), reason };
    Plan::from_line(line).map_err(unreadable)
}

/// A further plan line is what `cat` makes of several records; it has to be the same plan.
fn repeated_plan(plan: &Plan, line: &[u8], number: u64, path: &Path) -> Result<(), RecordError> {
    let other = Plan::from_line(line).map_err(|reason| damaged(path, number, reason))?;
    match other.difference(plan) {
        None => Ok(()),
        Some(difference) => Err(RecordError::OtherPlan { path: path.to_owned(), line: number, difference }),
    }
}

fn damaged(path: &Path, line: u64, reason: String) -> RecordError {
    RecordError::Damaged { path: path.to_owned(), line, reason }
}
