//! Reading a record: all its lines, and what a crash may have left at its end.
//!
//! A line is written by one call, at the end of the file, with the newline last. So a killed process leaves at most the
//! beginning of a line, without a newline. Such a piece is dropped, and its units count as not done. Every other flaw,
//! also text at the end that no line begins with, comes from a failing disk or a careless editor. To skip it would hide
//! that, so it is an error which names the line. Only who asks for it ([`Record::salvage`]) gets the other lines.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Read};
use std::path::Path;

use super::entry::ENTRY_MEMBERS;
use super::line::may_begin;
use super::plan::{PLAN_BEGINS, PLAN_MEMBERS};
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
    /// The lines that are damaged, each with its number and what is wrong with it; none but in [`Record::salvage`].
    pub damaged: Vec<(u64, LineError)>,
    /// The number of whole lines.
    pub lines: u64,
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
        Self::read_from(BufReader::new(open(path)?), path)
    }

    /// Reads what is left of a damaged record: its [`Record::damaged`] lines are named, and all others read.
    ///
    /// # Errors
    /// When the file cannot be read, is not a record, or has lines of different plans.
    pub fn salvage(path: &Path) -> Result<Self, RecordError> {
        Self::salvage_from(BufReader::new(open(path)?), path)
    }

    /// Reads the plan of a record and nothing else; `None` when the writer died before it had written the plan.
    ///
    /// # Errors
    /// When the file cannot be read, or is not a record.
    pub fn read_plan(path: &Path) -> Result<Option<Plan>, RecordError> {
        let mut line = Vec::new();
        next_line(&mut BufReader::new(open(path)?), &mut line).map_err(|error| RecordError::io(path, error))?;
        Ok(Self::read_from(line.as_slice(), path)?.plan)
    }

    /// Reads a record from anywhere; `path` is what errors call it.
    ///
    /// # Errors
    /// The same as for [`Record::read`].
    pub fn read_from(source: impl BufRead, path: &Path) -> Result<Self, RecordError> {
        let record = Self::salvage_from(source, path)?;
        let damage = record.damage(path).next();
        damage.map_or(Ok(record), Err)
    }

    /// What is wrong with each damaged line; `path` is what errors call the record.
    pub fn damage<'a>(&'a self, path: &'a Path) -> impl Iterator<Item = RecordError> + 'a {
        self.damaged.iter().map(|(line, error)| RecordError::Damaged {
            path: path.to_owned(),
            line: *line,
            error: error.clone(),
        })
    }

    fn salvage_from(mut source: impl BufRead, path: &Path) -> Result<Self, RecordError> {
        let mut record =
            Self { plan: None, entries: Vec::new(), damaged: Vec::new(), lines: 0, whole_bytes: 0, torn_bytes: 0 };
        let mut line = Vec::new();
        for number in 1.. {
            line.clear();
            let bytes = next_line(&mut source, &mut line).map_err(|error| RecordError::io(path, error))?;
            let whole = line.pop_if(|last| *last == b'\n').is_some();
            let said = match &record.plan {
                _ if bytes == 0 => break,
                plan if !whole && is_torn(&line, plan.as_ref()) => {
                    record.torn_bytes = bytes;
                    break;
                }
                None => {
                    record.plan = Some(first_line(&line, whole, path)?);
                    Ok(None)
                }
                Some(plan) if line.starts_with(PLAN_BEGINS.as_bytes()) => {
                    repeated_plan(plan, &line, number, path)?.map(|()| None)
                }
                Some(plan) => Entry::from_line(&line, plan).map(Some),
            };
            // What a run has left half-written would be torn.
            match said.and_then(|entry| if whole { Ok(entry) } else { Err(LineError::NoNewline) }) {
                Ok(entry) => record.entries.extend(entry.map(|entry| (number, entry))),
                Err(error) => record.damaged.push((number, error)),
            }
            if whole {
                record.whole_bytes += bytes;
                record.lines += 1;
            }
        }
        Ok(record)
    }
}

fn open(path: &Path) -> Result<File, RecordError> {
    File::open(path).map_err(|error| RecordError::io(path, error))
}

/// Reads a line, or the beginning of one that is too long to be a line of a record. The number of bytes is all of it.
fn next_line(source: &mut impl BufRead, line: &mut Vec<u8>) -> io::Result<u64> {
    let read = source.by_ref().take(LONGEST_LINE).read_until(b'\n', line)? as u64;
    let rest = if read < LONGEST_LINE || line.ends_with(b"\n") { 0 } else { source.skip_until(b'\n')? as u64 };
    Ok(read + rest)
}

/// Whether a piece without a newline is what a writer leaves who was cut off in the middle of a line.
///
/// Nothing else may be taken for it, because a run that goes on with the record cuts the piece off.
fn is_torn(piece: &[u8], plan: Option<&Plan>) -> bool {
    let begin = &PLAN_BEGINS.as_bytes()[..piece.len().min(PLAN_BEGINS.len())];
    if piece.starts_with(begin) && may_begin(piece, &PLAN_MEMBERS) {
        return !piece.ends_with(b"}") || Plan::from_line(piece).is_ok();
    }
    let Some(plan) = plan else { return false };
    // A machine that loses its power may leave zero bytes in the place of what it had not written yet.
    let end = piece.iter().rposition(|byte| *byte != 0).map_or(0, |last| last + 1);
    let piece = &piece[..end];
    may_begin(piece, &ENTRY_MEMBERS) && (!piece.ends_with(b"}") || Entry::from_line(piece, plan).is_ok())
}

/// The first line, `whole` with its newline, says what the file is; nothing else is worth reading when it does not.
fn first_line(line: &[u8], whole: bool, path: &Path) -> Result<Plan, RecordError> {
    if !line.starts_with(PLAN_BEGINS.as_bytes()) {
        let reason = "its first line is not the line of a plan".to_owned();
        return Err(RecordError::NotARecord { path: path.to_owned(), reason });
    }
    let unreadable = |error: LineError| RecordError::NotARecord { path: path.to_owned(), reason: error.to_string() };
    let plan = Plan::from_line(line).map_err(unreadable)?;
    if whole { Ok(plan) } else { Err(unreadable(LineError::NoNewline)) }
}

/// A further plan line is what `cat` makes of several records; it has to be the same plan. Or it is damaged.
fn repeated_plan(plan: &Plan, line: &[u8], number: u64, path: &Path) -> Result<Result<(), LineError>, RecordError> {
    match Plan::from_line(line).map(|other| other.difference(plan)) {
        Err(error) => Ok(Err(error)),
        Ok(None) => Ok(Ok(())),
        Ok(Some(difference)) => Err(RecordError::OtherPlan { path: path.to_owned(), line: number, difference }),
    }
}
