//! The reader parses a record line by line.
//!
//! A killed process leaves at most an unfinished line, without a newline, at the very end of the
//! file. After a power failure, the file may also end in zeros. An unfinished line is ignored, and
//! a resumed run removes it, so other damage must never be mistaken for an unfinished line.
//!
//! Any other damage is reported, because it may reveal a failing disk. The other lines are still
//! read.

use std::fmt;
use std::fs::{self, File};
use std::io::{self, BufRead, BufReader, ErrorKind, Read};
use std::mem;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use serde::de::IgnoredAny;

use super::entry::ENTRY_BEGINS;
use super::gzip::Gunzip;
use super::line::{LONGEST, check_and_parse, lacks_checksum};
use super::pipe::Pipe;
use super::plan::{PLAN_BEGINS, Rules};
use super::{Entry, LineError, LineRef, Plan, RecordError};
use crate::cancel::{CancelToken, NEVER};

const GZIP_BEGINS: [u8; 2] = [0x1f, 0x8b];

const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";

/// The first bytes of a [`Line::Finding`].
const FINDING_BEGINS: &[u8] = b"{\"verdict\":";

const NO_PLAN: &str = "its first line does not contain a plan";

/// One parsed line of a record.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Line {
    /// The plan. It is repeated if records were joined or another version resumed the record.
    Plan(Plan),
    /// A task and its count.
    Entry(Entry),
    /// An audit finding written by an older version. It is ignored.
    Finding,
    /// A damaged line, with the reason.
    Damaged(LineError),
}

impl Line {
    fn parse(text: &[u8], rules: &Rules) -> Result<Self, LineError> {
        if text.starts_with(PLAN_BEGINS) {
            Plan::from_line(text).map(Self::Plan)
        } else if text.starts_with(FINDING_BEGINS) {
            // Check the line: if its newline was lost, it also contains the next line.
            check_and_parse::<IgnoredAny>(&rules.plan_hash, text).map(|_| Self::Finding)
        } else {
            Entry::parse(text, rules).map(Self::Entry)
        }
    }
}

/// Reads a record, which may be compressed with gzip, line by line.
///
/// Yields the number of each line, counted from 1, and the parsed line. Stops at the end of the
/// file or at an unfinished line. Yields an error and then ends if the file cannot be read, is not
/// a record, or has lines from different plans.
pub struct Reader<'a> {
    source: Box<dyn BufRead + 'a>,
    pub(super) compressed: bool,
    pub(super) path: PathBuf,
    pub(super) given: PathBuf,
    /// The rules of the plan, once it has been read. Records share them, because planning a board
    /// takes time.
    pub(super) rules: Option<Arc<Rules>>,
    salvages: bool,
    line: RawLine,
    number: u64,
    /// Whether the current line still has to be yielded.
    pending: bool,
    failed: bool,
    whole_bytes: u64,
}

impl fmt::Debug for Reader<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("Reader")
            .field("path", &self.path)
            .finish_non_exhaustive()
    }
}

impl<'a> Reader<'a> {
    /// Opens a file or a pipe.
    ///
    /// # Errors
    /// Fails if the path cannot be opened, or if it is a directory or a device.
    pub fn open(path: impl AsRef<Path>) -> Result<Self, RecordError> {
        Self::open_path(path.as_ref())
    }

    fn open_path(path: &Path) -> Result<Self, RecordError> {
        Self::open_until(path, &NEVER)
    }

    /// Opens a file or a pipe. Waiting for the writer of a pipe fails once `stop` is cancelled.
    pub(super) fn open_until(path: &Path, stop: &'a CancelToken) -> Result<Self, RecordError> {
        let io = |error| RecordError::io(path, error);
        let kind = fs::metadata(path).map_err(io)?.file_type();
        #[cfg(unix)]
        let is_pipe = std::os::unix::fs::FileTypeExt::is_fifo(&kind);
        #[cfg(not(unix))]
        let is_pipe = false;
        if !kind.is_file() && !is_pipe {
            let reason = "it is neither a file nor a pipe";
            return Err(RecordError::not_a_record(path, reason));
        }
        if is_pipe {
            let pipe = Pipe::open(path.to_owned(), stop).map_err(io)?;
            return Ok(Self::new(BufReader::with_capacity(LONGEST, pipe), path));
        }
        let file = File::open(path).map_err(io)?;
        Ok(Self::new(BufReader::with_capacity(LONGEST, file), path))
    }

    /// Reads a record from any input; `path` is its name in error messages.
    pub fn new(source: impl BufRead + 'a, path: impl AsRef<Path>) -> Self {
        Self::from_boxed(Box::new(source), path.as_ref())
    }

    fn from_boxed(mut source: Box<dyn BufRead + 'a>, path: &Path) -> Self {
        // A read error is ignored here, because it recurs when the first line is read.
        let compressed = begins(&mut source, &GZIP_BEGINS);
        if compressed {
            let decoder = Gunzip::new(source);
            source = Box::new(BufReader::with_capacity(LONGEST, decoder));
        }
        let has_mark = begins(&mut source, BYTE_ORDER_MARK);
        let mark = if has_mark { BYTE_ORDER_MARK.len() } else { 0 };
        source.consume(mark);
        Self {
            source,
            compressed,
            path: path.to_owned(),
            given: path.to_owned(),
            rules: None,
            salvages: false,
            line: RawLine::default(),
            number: 0,
            pending: false,
            failed: false,
            whole_bytes: mark as u64,
        }
    }

    /// Sets the path given by the user, which determines the
    /// [source](super::Loader::load) of the record.
    #[must_use]
    pub fn given_as(self, path: impl AsRef<Path>) -> Self {
        Self {
            given: path.as_ref().to_owned(),
            ..self
        }
    }

    /// Also accepts a record that lacks its first line, provided that a
    /// [`RecordSet`](super::RecordSet) reads it. The checksums show whether the entries belong to
    /// the plan of the set.
    #[must_use]
    pub fn salvage(self, salvages: bool) -> Self {
        Self { salvages, ..self }
    }

    /// Returns the plan in the first line, or `None` if the writer was killed before writing it.
    /// Call this before reading lines; the first line is still yielded.
    ///
    /// # Errors
    /// Fails if the file cannot be read or is not a record.
    pub fn plan(&mut self) -> Result<Option<Plan>, RecordError> {
        if self.number == 0 {
            self.pending = self.advance()?;
        }
        self.pending.then(|| self.first_plan()).transpose()
    }

    /// Returns the total length of the finished lines read so far, in bytes.
    pub fn whole_bytes(&self) -> u64 {
        self.whole_bytes
    }

    fn advance(&mut self) -> Result<bool, RecordError> {
        if self.number == 0 && !self.salvages {
            // If the file is not a record, its first line may have any length, so look only at its
            // first bytes. If the beginning of a record was lost, it may have been replaced by
            // zeros.
            let begin = self.source.fill_buf();
            let may_be = begin.map(|begin| begin.first() == Some(&0) || agrees(begin, PLAN_BEGINS));
            if !may_be.map_err(|error| self.failure(error))? {
                return Err(RecordError::not_a_record(&self.path, NO_PLAN));
            }
        }
        let read = self.line.read(&mut self.source);
        let read = read.map_err(|error| self.failure(error))?;
        // An unfinished first line can only be a plan.
        let rules = self.rules.as_deref().filter(|_| self.number > 0);
        if !read || self.line.is_torn(rules) {
            return Ok(false);
        }
        self.number += 1;
        if self.line.whole {
            self.whole_bytes += self.line.bytes as u64;
        }
        Ok(true)
    }

    fn first_plan(&self) -> Result<Plan, RecordError> {
        if !self.line.is_plan() {
            return Err(RecordError::not_a_record(&self.path, NO_PLAN));
        }
        let plan = self.line.parse(Plan::from_line);
        plan.map_err(|error| RecordError::not_a_record(&self.path, error))
    }

    fn next_line(&mut self) -> Result<Option<(u64, Line)>, RecordError> {
        if !mem::take(&mut self.pending) && !self.advance()? {
            return Ok(None);
        }
        if self.number == 1 && !(self.salvages && self.rules.is_some()) {
            let plan = self.first_plan()?;
            self.rules
                .get_or_insert_with(|| Arc::new(Rules::new(&plan)));
        }
        let rules = self.rules.as_ref().expect("the first line has been read");
        let line = self.line.parse(|text| Line::parse(text, rules));
        if let Ok(Line::Plan(plan)) = &line
            && let Some(difference) = plan.difference(&rules.plan)
        {
            let place = LineRef::new(&self.path, self.number);
            return Err(RecordError::OtherPlan(place, difference));
        }
        Ok(Some((self.number, line.unwrap_or_else(Line::Damaged))))
    }

    fn failure(&self, error: io::Error) -> RecordError {
        use ErrorKind::{InvalidData, InvalidInput, UnexpectedEof};
        match error.kind() {
            InvalidInput | InvalidData | UnexpectedEof if self.compressed => {
                let line = self.number;
                let reason = format!("the gzip data after line {line} is damaged: {error}");
                RecordError::not_a_record(&self.path, reason)
            }
            _ => RecordError::io(&self.path, error),
        }
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

/// A line that has not been parsed yet.
#[derive(Default)]
struct RawLine {
    /// The line without its newline, cut off after [`LONGEST`] bytes.
    text: Vec<u8>,
    /// The length of the line in bytes, including the newline.
    bytes: usize,
    /// Whether all bytes that were cut off are zeros.
    zeros_behind: bool,
    /// Whether the line ends with a newline.
    whole: bool,
}

impl RawLine {
    /// Reads the next line; returns `false` at the end of the file.
    fn read(&mut self, source: &mut impl BufRead) -> io::Result<bool> {
        self.text.clear();
        self.zeros_behind = true;
        let mut read_piece = |piece: &mut Vec<u8>| {
            let mut source = source.by_ref().take(LONGEST as u64);
            source.read_until(b'\n', piece)
        };
        self.bytes = read_piece(&mut self.text)?;
        self.whole = self.text.pop_if(|last| *last == b'\n').is_some();
        // A line of more than `LONGEST` bytes is damaged. Read the rest of it in pieces, to save
        // memory.
        let mut more = Vec::new();
        while !self.whole && self.bytes.is_multiple_of(LONGEST) && self.bytes > 0 {
            more.clear();
            let bytes = read_piece(&mut more)?;
            if bytes == 0 {
                break;
            }
            self.bytes += bytes;
            self.whole = more.ends_with(b"\n");
            self.zeros_behind &= more.iter().all(|byte| *byte == 0);
        }
        Ok(self.bytes > 0)
    }

    fn is_plan(&self) -> bool {
        self.text.starts_with(PLAN_BEGINS)
    }

    fn parse<T>(&self, parse: impl FnOnce(&[u8]) -> Result<T, LineError>) -> Result<T, LineError> {
        if self.text.contains(&0) {
            let reason = "it contains zero bytes: data was lost on a disk or in a transfer";
            Err(LineError::new(reason))
        } else if self.bytes > LONGEST {
            Err(LineError::new(format_args!(
                "it has {} bytes, more than the limit of {LONGEST}",
                self.bytes
            )))
        } else {
            parse(&self.text)
        }
    }

    /// Returns whether this is an unfinished line: the beginning of a valid line, without a
    /// newline. A line with a wrong checksum counts as damaged instead.
    fn is_torn(&self, rules: Option<&Rules>) -> bool {
        if self.whole || !self.zeros_behind {
            return false;
        }
        let zeros = self.text.iter().rev().take_while(|byte| **byte == 0);
        let piece = &self.text[..self.text.len() - zeros.count()];
        // An entry cannot come before the plan.
        let begins = match rules {
            Some(_) => &[PLAN_BEGINS, ENTRY_BEGINS, FINDING_BEGINS][..],
            None => &[PLAN_BEGINS],
        };
        if lacks_checksum(piece) {
            let is_text = !piece.iter().any(u8::is_ascii_control);
            return is_text && begins.iter().any(|begin| agrees(piece, begin));
        }
        match rules {
            Some(rules) => Line::parse(piece, rules).is_ok(),
            None => Plan::from_line(piece).is_ok(),
        }
    }
}

fn begins(source: &mut impl BufRead, bytes: &[u8]) -> bool {
    source.fill_buf().is_ok_and(|text| text.starts_with(bytes))
}

/// Returns whether one of these strings is a prefix of the other.
fn agrees(one: &[u8], other: &[u8]) -> bool {
    one.iter().zip(other).all(|(one, other)| one == other)
}

/// Returns whether a file, compressed or not, begins like a record.
pub fn is_record(path: impl AsRef<Path>) -> bool {
    path.as_ref().is_file()
        && Reader::open(path)
            .is_ok_and(|mut reader| reader.advance().is_ok_and(|_| reader.line.is_plan()))
}
