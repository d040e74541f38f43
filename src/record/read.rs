//! Reading a record: all its lines, and what a crash may have left at its end.
//!
//! A line is written by one call, at the end of the file, with the newline last. So a killed process leaves at most a
//! piece of a line, without a newline. Such a piece is dropped, and its units count as not done. Every other flaw, also
//! one of a last line that ends with a newline, comes from a failing disk or a careless editor. To skip it would hide
//! that, so it is an error which names the line.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Read};
use std::path::Path;

use super::plan::PLAN_BEGINS;
use super::{Entry, LineError, Plan, RecordError};

/// The number of bytes that no line comes near to. It keeps the memory low when the file is not a record.
const LONGEST_LINE: u64 = 1 << 16;

/// The contents of a record.
///
/// ```
/// use std::path::Path;
/// use queencount::record::{Plan, Record};
/// use queencount::{BoardSize, EngineChoice};
///
/// // A record whose writer was killed in the middle of its first entry.
/// let plan = Plan::new(EngineChoice::Backtrack.plan(BoardSize::new(10)?).as_ref());
/// let text = plan.to_line() + r#"{"first":0,"last""#;
///
/// let record = Record::read_from(text.as_bytes(), Path::new("record.jsonl"))?;
/// assert_eq!((record.plan, record.entries), (Some(plan), vec![]));
/// assert_eq!(record.torn_bytes, 17);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Record {
    /// The plan; `None` when the writer died before it had written the plan. Then there are no entries either.
    pub plan: Option<Plan>,
    /// The entries, each with the number of its line, counted from 1.
    pub entries: Vec<(u64, Entry)>,
    /// The number of bytes up to the end of the last whole line.
    pub whole_bytes: u64,
    /// The number of bytes of the unfinished line that follows and has been dropped; 0 when there is none.
    pub torn_bytes: u64,
}

impl Record {
    /// Reads a record. It takes memory for each entry, and time for each byte.
    ///
    /// # Errors
    /// When the file cannot be read, is not a record, is damaged, or has lines of different plans.
    pub fn read(path: &Path) -> Result<Self, RecordError> {
        let file = File::open(path).map_err(|error| RecordError::io(path, error))?;
        Self::read_from(BufReader::new(file), path)
    }

    /// Reads the plan of a record and nothing else; `None` when the writer died before it had written the plan.
    ///
    /// # Errors
    /// When the file cannot be read, or is not a record.
    pub fn read_plan(path: &Path) -> Result<Option<Plan>, RecordError> {
        let io = |error| RecordError::io(path, error);
        let mut line = Vec::new();
        next_line(&mut BufReader::new(File::open(path).map_err(io)?), &mut line).map_err(io)?;
        Ok(Self::read_from(line.as_slice(), path)?.plan)
    }

    /// Reads a record from anywhere; `path` is what errors call it.
    ///
    /// # Errors
    /// The same as for [`Record::read`].
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
                    let entry = Entry::from_line(&line, plan).map_err(|error| damaged(path, number, error))?;
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
        let reason = "its first line is not the line of a plan".to_owned();
        return Err(RecordError::NotARecord { path: path.to_owned(), reason });
    }
    let unreadable = |error: LineError| RecordError::NotARecord { path: path.to_owned(), reason: error.to_string() };
    Plan::from_line(line).map_err(unreadable)
}

/// A further plan line is what `cat` makes of several records; it has to be the same plan.
fn repeated_plan(plan: &Plan, line: &[u8], number: u64, path: &Path) -> Result<(), RecordError> {
    let other = Plan::from_line(line).map_err(|error| damaged(path, number, error))?;
    match other.difference(plan) {
        None => Ok(()),
        Some(difference) => Err(RecordError::OtherPlan { path: path.to_owned(), line: number, difference }),
    }
}

fn damaged(path: &Path, line: u64, error: LineError) -> RecordError {
    RecordError::Damaged { path: path.to_owned(), line, error }
}
