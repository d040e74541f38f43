//! Lines to their meaning: reading a record line by line.
//!
//! Every flaw but an unfinished line at the end comes from a failing disk or a careless editor. To
//! skip it would hide that, so it is an error which names the line, and the other lines are read.

#![deny(clippy::cast_precision_loss, reason = "counts are exact")]

use std::fmt;
use std::fs::{self, File};
use std::io::{self, BufRead, BufReader, ErrorKind};
use std::mem;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use flate2::bufread::MultiGzDecoder;
use serde::de::IgnoredAny;

use super::line::{LONGEST, check_and_parse};
use super::plan::{PLAN_BEGINS, Rules};
use super::raw_line::{NO_PLAN, RawLine, may_begin_record};
use super::{Entry, LineError, LineRef, Plan, RecordError};

/// How every file begins that gzip has compressed.
const GZIP_BEGINS: [u8; 2] = [0x1f, 0x8b];

/// The first bytes of an audit's finding, which older versions wrote into records.
pub(super) const FINDING_BEGINS: &str = "{\"verdict\":";

/// The meaning of a line of a record.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Line {
    /// The plan. It comes again where `cat` has joined records, or another version of the program
    /// has resumed one.
    Plan(Plan),
    /// A task and its count.
    Entry(Entry),
    /// The finding of an audit, written by an older version of the program. It is not a part of
    /// the record.
    Finding,
    /// Nothing that can be used, for this reason.
    Damaged(LineError),
}

/// Reads a record line by line, compressed by gzip or not. It takes memory for one line.
///
/// It yields the number of each line, counted from 1, and its meaning, up to the end or to a line
/// that was left unfinished. It yields an error, and then nothing more, when the file cannot be
/// read, is not a record, or has lines of different plans.
///
/// ```
/// use queencount::record::{Line, Plan, Reader};
/// use queencount::{BoardSize, EngineChoice};
///
/// // A record whose writer was killed in the middle of its first entry.
/// let plan = Plan::new(EngineChoice::Backtrack.engine(BoardSize::new(10)?).as_ref());
/// let text = plan.to_line() + r#"{"first":0,"last""#;
///
/// let mut reader = Reader::new(text.as_bytes(), "record.jsonl");
/// assert_eq!(reader.next().transpose()?, Some((1, Line::Plan(plan))));
/// assert!(reader.next().is_none());
/// assert_eq!(text.len() as u64 - reader.whole_bytes(), 17);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Reader<'a> {
    source: Box<dyn BufRead + 'a>,
    pub(super) compressed: bool,
    /// The name of the record in errors.
    pub(super) path: PathBuf,
    /// The path by which it was given.
    pub(super) given: PathBuf,
    /// The rules of the plan, as soon as it is known.
    rules: Option<Arc<Rules>>,
    salvages: bool,
    /// The version of the program that wrote the following lines, as far as the record says it.
    pub(super) program: Option<Arc<str>>,
    /// The error of the first line, as long as no other one shows that this is a record.
    doubt: Option<RecordError>,
    line: RawLine,
    /// The number of the line.
    number: u64,
    /// Whether the line has been read, but not been yielded.
    pending: bool,
    failed: bool,
    whole_bytes: u64,
}

impl fmt::Debug for Reader<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut fields = formatter.debug_struct("Reader");
        fields
            .field("path", &self.path)
            .field("number", &self.number)
            .finish_non_exhaustive()
    }
}

impl<'a> Reader<'a> {
    /// Opens a file or a pipe.
    ///
    /// # Errors
    /// When it cannot be opened, or is a directory or a device.
    pub fn open(path: impl AsRef<Path>) -> Result<Self, RecordError> {
        let path = path.as_ref();
        let kind = fs::metadata(path)
            .map_err(|error| RecordError::io(path, error))?
            .file_type();
        #[cfg(unix)]
        let is_pipe = std::os::unix::fs::FileTypeExt::is_fifo(&kind);
        #[cfg(not(unix))]
        let is_pipe = false;
        if !kind.is_file() && !is_pipe {
            return Err(RecordError::not_a_record(
                path,
                "it is neither a file nor a pipe",
            ));
        }
        let file = File::open(path).map_err(|error| RecordError::io(path, error))?;
        Ok(Self::new(
            BufReader::with_capacity(LONGEST as usize, file),
            path,
        ))
    }

    /// Reads a record from anywhere; `path` is its name in errors.
    pub fn new(mut source: impl BufRead + 'a, path: impl AsRef<Path>) -> Self {
        // An error here occurs again when the first line is read.
        let compressed = source
            .fill_buf()
            .is_ok_and(|begin| begin.starts_with(&GZIP_BEGINS));
        let source: Box<dyn BufRead + 'a> = if compressed {
            let decoder = MultiGzDecoder::new(source);
            Box::new(BufReader::with_capacity(LONGEST as usize, decoder))
        } else {
            Box::new(source)
        };
        Self {
            source,
            compressed,
            path: path.as_ref().to_owned(),
            given: path.as_ref().to_owned(),
            rules: None,
            salvages: false,
            program: None,
            doubt: None,
            line: RawLine::default(),
            number: 0,
            pending: false,
            failed: false,
            whole_bytes: 0,
        }
    }

    /// Sets the path by which the record was given, which determines its source: that path, or the
    /// subdirectory just below it in which the record is.
    #[must_use]
    pub fn given_as(self, path: impl AsRef<Path>) -> Self {
        Self {
            given: path.as_ref().to_owned(),
            ..self
        }
    }

    /// Reads the record with these rules alone, so that a board is not planned anew for each of
    /// many records; `salvages` also one that has lost its first line.
    pub(super) fn expect(&mut self, rules: &Arc<Rules>, salvages: bool) {
        self.rules = Some(Arc::clone(rules));
        self.salvages = salvages;
    }

    /// Returns the plan of the first line, which is yielded afterwards; `None` if the writer died
    /// before it had written the plan. To be called before any line is read.
    ///
    /// # Errors
    /// When the file cannot be read or is not a record.
    pub fn plan(&mut self) -> Result<Option<Plan>, RecordError> {
        if self.number == 0 {
            self.check_beginning()?;
            self.pending = self.advance()?;
        }
        self.pending.then(|| self.line.plan(&self.path)).transpose()
    }

    /// Returns the number of bytes of the whole lines that have been read. What follows them at the
    /// end is an unfinished line.
    pub fn whole_bytes(&self) -> u64 {
        self.whole_bytes
    }

    /// Refuses a file by its first bytes, before a line of any length is read.
    fn check_beginning(&mut self) -> Result<(), RecordError> {
        let may_be = self.source.fill_buf().map(may_begin_record);
        if may_be.map_err(|error| self.failure(error))? {
            return Ok(());
        }
        Err(RecordError::not_a_record(&self.path, NO_PLAN))
    }

    /// Reads the next line, if there is one.
    fn advance(&mut self) -> Result<bool, RecordError> {
        let read = self
            .line
            .read(&mut self.source)
            .map_err(|error| self.failure(error))?;
        if self.number == 0 {
            self.line.remove_mark();
        }
        // Before the first line has given the plan, only that line can be torn.
        let rules = self.rules.as_deref().filter(|_| self.number > 0);
        if !read || self.line.is_torn(rules) {
            return Ok(false);
        }
        self.number += 1;
        if self.line.whole {
            self.whole_bytes += self.line.bytes;
        }
        Ok(true)
    }

    fn next_line(&mut self) -> Result<Option<(u64, Line)>, RecordError> {
        if self.number == 0 && !self.salvages {
            self.check_beginning()?;
        }
        if !mem::take(&mut self.pending) && !self.advance()? {
            return self.doubt.take().map_or(Ok(None), Err);
        }
        if self.number == 1 {
            match self.line.plan(&self.path) {
                Ok(plan) => {
                    _ = self
                        .rules
                        .get_or_insert_with(|| Arc::new(Rules::new(&plan)))
                }
                // A file that begins like a record is one, however damaged.
                Err(_) if self.salvages && self.line.is_plan() => {}
                Err(error) if self.salvages => self.doubt = Some(error),
                Err(error) => return Err(error),
            }
        }
        let rules = self.rules.as_ref().expect("the first line has been read");
        let line = self.line.parse(rules);
        match &line {
            Line::Entry(_) | Line::Finding => self.doubt = None,
            Line::Plan(plan) => {
                self.program = Some(plan.program.as_str().into());
                if let Some(difference) = plan.difference(&rules.plan) {
                    let place = LineRef {
                        path: self.path.clone(),
                        line: self.number,
                    };
                    return Err(RecordError::OtherPlan(place, difference));
                }
            }
            Line::Damaged(_) => {}
        }
        Ok(Some((self.number, line)))
    }

    /// Returns the error for a line that cannot be read: of the system, or of damage to the
    /// compressed file.
    fn failure(&self, error: io::Error) -> RecordError {
        let damaged = [
            ErrorKind::InvalidInput,
            ErrorKind::InvalidData,
            ErrorKind::UnexpectedEof,
        ];
        if self.compressed && damaged.contains(&error.kind()) {
            let reason = format!(
                "the gzip data after line {} is damaged: {error}",
                self.number
            );
            return RecordError::not_a_record(&self.path, &reason);
        }
        RecordError::io(&self.path, error)
    }
}

impl Iterator for Reader<'_> {
    type Item = Result<(u64, Line), RecordError>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.failed {
            return None;
        }
        let line = self.next_line().transpose();
        self.failed = !matches!(line, Some(Ok(_)));
        line
    }
}

/// Parses a line of a record with these rules, given without its newline.
pub(super) fn parse_line(text: &[u8], rules: &Rules) -> Result<Line, LineError> {
    if text.starts_with(PLAN_BEGINS.as_bytes()) {
        Plan::from_line(text).map(Line::Plan)
    } else if text.starts_with(FINDING_BEGINS.as_bytes()) {
        // A damaged one may have swallowed the line after it.
        check_and_parse::<IgnoredAny>(&rules.plan_hash, text).map(|_| Line::Finding)
    } else {
        Entry::parse(text, rules).map(Line::Entry)
    }
}

/// Returns whether a file begins like a record, compressed or not, so that it should not be
/// overwritten.
pub fn is_record(path: impl AsRef<Path>) -> bool {
    let is_file = path.as_ref().is_file();
    let reader = Reader::open(path).ok().filter(|_| is_file);
    reader.is_some_and(|mut reader| {
        let plan = reader.plan();
        matches!(plan, Ok(Some(_))) || reader.line.is_plan()
    })
}
