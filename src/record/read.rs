//! Reading a record: all its lines, and what a crash may have left at its end.
//!
//! A line is written by one call, at the end of the file, with the newline last. So a killed process leaves at most the
//! beginning of a line, without a newline, at the very end; and a machine that loses its power may leave zeros there.
//! Such a piece is dropped, and its units count as not done. Every other flaw, also text at the end that no line begins
//! with, comes from a failing disk or a careless editor. To skip it would hide that, so it is an error which names the
//! line. Only who asks for it ([`Record::salvage`]) gets the other lines, before it and behind.
//!
//! No length of a line changes any of this. A line that is far too long is read in pieces, to save memory, and is
//! damaged as a short one would be.

use std::fs::{self, File};
use std::io::{self, BufRead, BufReader, Read};
use std::mem;
use std::path::Path;

use super::entry::ENTRY_MEMBERS;
use super::line::{LONGEST, may_begin};
use super::plan::{PLAN_BEGINS, PLAN_MEMBERS};
use super::{Entry, LineError, Plan, RecordError};

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
        Self::lines_from(BufReader::new(open(path)?), path, None)
    }

    /// Reads what is left of a damaged record, also where it has lost its first line: then it has to be of this plan.
    ///
    /// # Errors
    /// When the file cannot be read, has lines of different plans, or is not a record: neither its first line says so,
    /// nor is any other one an entry of the plan.
    pub fn salvage_of(plan: &Plan, path: &Path) -> Result<Self, RecordError> {
        Self::lines_from(BufReader::new(open(path)?), path, Some(plan))
    }

    /// Reads the plan of a record and nothing else; `None` when the writer died before it had written the plan.
    ///
    /// # Errors
    /// When the file cannot be read, or is not a record.
    pub fn read_plan(path: &Path) -> Result<Option<Plan>, RecordError> {
        let io = |error| RecordError::io(path, error);
        let mut source = BufReader::new(open(path)?);
        let mut line = Line::default();
        Ok(match line.read(&mut source).map_err(io)? && !line.is_torn(None) {
            true => Some(first_line(&line, path)?),
            false => None,
        })
    }

    /// Reads a record from anywhere; `path` is what errors call it.
    ///
    /// # Errors
    /// The same as for [`Record::read`].
    pub fn read_from(source: impl BufRead, path: &Path) -> Result<Self, RecordError> {
        let record = Self::lines_from(source, path, None)?;
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

    /// Reads all lines; they may be without a first line that says the plan if it is known.
    fn lines_from(mut source: impl BufRead, path: &Path, known: Option<&Plan>) -> Result<Self, RecordError> {
        let mut record =
            Self { plan: None, entries: Vec::new(), damaged: Vec::new(), lines: 0, whole_bytes: 0, torn_bytes: 0 };
        let mut line = Line::default();
        let mut without_plan = None;
        for number in 1.. {
            if !line.read(&mut source).map_err(|error| RecordError::io(path, error))? {
                break;
            }
            if line.is_torn(record.plan.as_ref()) {
                record.torn_bytes = line.bytes;
                break;
            }
            let plan = match (&record.plan, known) {
                (Some(plan), _) => plan,
                (None, known) => record.plan.insert(match (first_line(&line, path), known) {
                    (Ok(plan), _) => plan,
                    (Err(error), None) => return Err(error),
                    (Err(error), Some(plan)) => {
                        without_plan = Some(error);
                        plan.clone()
                    }
                }),
            };
            match line.said(plan) {
                Ok(Said::Entry(entry)) => {
                    if number == 1 {
                        record.damaged.push((number, LineError::NoPlan));
                    }
                    record.entries.push((number, entry));
                }
                Ok(Said::Plan(other)) => {
                    // What `cat` makes of several records; they have to be of one plan.
                    if let Some(difference) = other.difference(plan) {
                        return Err(RecordError::OtherPlan { path: path.to_owned(), line: number, difference });
                    }
                }
                Err(error) => record.damaged.push((number, error)),
            }
            if line.whole {
                record.whole_bytes += line.bytes;
                record.lines += 1;
            }
        }
        match without_plan {
            Some(error) if record.entries.is_empty() => Err(error),
            _ => Ok(record),
        }
    }
}

/// Opens a regular file: the others may have no end, or wait for somebody who writes to them.
fn open(path: &Path) -> Result<File, RecordError> {
    let io = |error| RecordError::io(path, error);
    if !fs::metadata(path).map_err(io)?.is_file() {
        let reason = "a record is a regular file".to_owned();
        return Err(RecordError::NotARecord { path: path.to_owned(), reason });
    }
    File::open(path).map_err(io)
}

/// The first line says what the file is; nothing else is worth reading when it does not.
fn first_line(line: &Line, path: &Path) -> Result<Plan, RecordError> {
    let not_a_record = |reason| RecordError::NotARecord { path: path.to_owned(), reason };
    if !line.text.starts_with(PLAN_BEGINS.as_bytes()) {
        return Err(not_a_record("its first line is not the line of a plan".to_owned()));
    }
    line.sealed(Plan::from_line).map_err(|error| not_a_record(error.to_string()))
}

/// What a line says.
enum Said {
    Plan(Plan),
    Entry(Entry),
}

/// A line as it stands in the file, whatever it says.
#[derive(Default)]
struct Line {
    /// Its first bytes, at most [`LONGEST`], without the newline.
    text: Vec<u8>,
    /// The number of all its bytes, with the newline.
    bytes: u64,
    /// The number of bytes that are zero.
    zeros: u64,
    /// Whether nothing but zeros follows the first bytes.
    zeros_behind: bool,
    /// Whether it ends with a newline, and not with the file.
    whole: bool,
}

impl Line {
    /// Reads the next line; `false` at the end of the file.
    fn read(&mut self, source: &mut impl BufRead) -> io::Result<bool> {
        *self = Self { text: mem::take(&mut self.text), zeros_behind: true, ..Self::default() };
        self.text.clear();
        self.bytes = source.by_ref().take(LONGEST).read_until(b'\n', &mut self.text)? as u64;
        self.zeros = zeros(&self.text);
        self.whole = self.text.pop_if(|last| *last == b'\n').is_some();
        let mut more = !self.whole && self.bytes == LONGEST;
        let mut piece = Vec::new();
        while more {
            piece.clear();
            let bytes = source.by_ref().take(LONGEST).read_until(b'\n', &mut piece)? as u64;
            self.bytes += bytes;
            self.whole = piece.pop_if(|last| *last == b'\n').is_some();
            let zeros = zeros(&piece);
            self.zeros += zeros;
            self.zeros_behind &= zeros == piece.len() as u64;
            more = bytes > 0 && !self.whole;
        }
        Ok(self.bytes > 0)
    }

    /// What the line says in a record of this plan.
    fn said(&self, plan: &Plan) -> Result<Said, LineError> {
        match self.text.starts_with(PLAN_BEGINS.as_bytes()) {
            true => self.sealed(Plan::from_line).map(Said::Plan),
            false => self.sealed(|text| Entry::from_line(text, plan)).map(Said::Entry),
        }
    }

    /// What the line says, if it is as it was written.
    fn sealed<T>(&self, open: impl FnOnce(&[u8]) -> Result<T, LineError>) -> Result<T, LineError> {
        if self.zeros > 0 {
            return Err(LineError::Zeros(self.zeros));
        }
        if self.bytes > LONGEST {
            return Err(LineError::Long(self.bytes));
        }
        let said = open(&self.text)?;
        // What a run has left half-written would be torn.
        if self.whole { Ok(said) } else { Err(LineError::NoNewline) }
    }

    /// Whether this is what a writer leaves who was cut off in the middle of a line of a record of this plan.
    ///
    /// Nothing else may be taken for it, because a run that goes on with the record cuts the piece off.
    fn is_torn(&self, plan: Option<&Plan>) -> bool {
        if self.whole || !self.zeros_behind {
            return false;
        }
        // A machine that loses its power may leave zeros in the place of what it had not written yet.
        let end = self.text.iter().rposition(|byte| *byte != 0).map_or(0, |last| last + 1);
        let piece = &self.text[..end];
        let begin = &PLAN_BEGINS.as_bytes()[..end.min(PLAN_BEGINS.len())];
        let right = |whole: bool| whole || !piece.ends_with(b"}");
        if end > 0 && piece.starts_with(begin) && may_begin(piece, &PLAN_MEMBERS) {
            return right(Plan::from_line(piece).is_ok());
        }
        // (A file of nothing but zeros is anybody's.)
        plan.is_some_and(|plan| may_begin(piece, &ENTRY_MEMBERS) && right(Entry::from_line(piece, plan).is_ok()))
    }
}

fn zeros(bytes: &[u8]) -> u64 {
    bytes.iter().map(|byte| u64::from(*byte == 0)).sum()
}
