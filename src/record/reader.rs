//! The reader parses a record line by line.
//!
//! A killed process leaves at most an unfinished line, without a newline, at the very end of the
//! file. After a power failure, the file may also end in zeros. If only the newline is missing, the
//! line is complete. Otherwise it is ignored, and a resumed run removes it, so other damage must
//! never be mistaken for an unfinished line.
//!
//! Any other damage is reported, because it may reveal a failing disk. The other lines are still
//! read.

use std::cell::Cell;
use std::fmt;
use std::fs::{self, File};
use std::io::{self, BufRead, BufReader, ErrorKind, Read};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::entry::ENTRY_BEGINS;
use super::gzip::Gunzip;
use super::line::{LONGEST, lacks_checksum};
use super::pipe::Pipe;
use super::plan::{PLAN_BEGINS, Rules};
use super::{Entry, Place, Plan, RecordError, RecordErrorKind};
use crate::cancel::CancelToken;

const GZIP_BEGINS: &[u8] = &[0x1f, 0x8b];

const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";

/// Reads a record, which may be compressed with gzip, line by line.
///
/// Yields the entries. Stops at the end of the file or at an unfinished line. Yields an error for a
/// damaged line, and then continues. Yields an error and then ends if the file cannot be read, or
/// has lines from different plans.
pub struct Reader<'a> {
    source: Box<dyn BufRead + 'a>,
    pub(super) compressed: bool,
    pub(super) path: PathBuf,
    plan: Option<Plan>,
    /// The rules of the plan. Records share them, because planning a board takes time.
    pub(super) rules: Option<Arc<Rules>>,
    line: RawLine,
    pub(super) line_number: u64,
    whole_bytes: u64,
    /// Whether the current line is complete except for its newline.
    pub(super) lacks_newline: bool,
    failed: bool,
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
    /// Opens a file, a pipe, or stdin (`-`).
    pub(super) fn open(path: &Path, meter: &'a Meter<'a>) -> Result<Self, RecordError> {
        let io = |error| RecordError::io(path, error);
        if path == Path::new("-") {
            let pipe = Pipe::new(|| Ok(io::stdin()), meter.stop).map_err(io)?;
            return Self::new(pipe, "stdin");
        }
        let kind = fs::metadata(path).map_err(io)?.file_type();
        #[cfg(unix)]
        let is_pipe = std::os::unix::fs::FileTypeExt::is_fifo(&kind);
        #[cfg(not(unix))]
        let is_pipe = false;
        if is_pipe {
            let name = path.to_owned();
            let pipe = Pipe::new(|| File::open(name), meter.stop).map_err(io)?;
            Self::new(pipe, path)
        } else if kind.is_file() {
            let source = File::open(path).map_err(io)?;
            Self::new(Metered { source, meter }, path)
        } else {
            let reason = "it is neither a file nor a pipe";
            Err(RecordError::not_a_record(path, reason))
        }
    }

    /// Starts to read a record from any input, which needs no buffer; `path` is its name in error
    /// messages.
    ///
    /// # Errors
    /// Fails if the input cannot be read or is not a record.
    pub fn new(source: impl Read + 'a, path: impl AsRef<Path>) -> Result<Self, RecordError> {
        let source = BufReader::with_capacity(LONGEST, source);
        let mut source: Box<dyn BufRead + 'a> = Box::new(source);
        let path = path.as_ref().to_owned();
        let compressed = match source.fill_buf() {
            Ok(begin) => begin.starts_with(GZIP_BEGINS),
            Err(error) => return Err(RecordError::io(&path, error)),
        };
        if compressed {
            source = Box::new(BufReader::with_capacity(LONGEST, Gunzip::new(source)));
        }
        let mut reader = Self {
            source,
            compressed,
            path,
            plan: None,
            rules: None,
            line: RawLine::default(),
            line_number: 0,
            whole_bytes: 0,
            lacks_newline: false,
            failed: false,
        };
        reader.read_plan()?;
        Ok(reader)
    }

    fn read_plan(&mut self) -> Result<(), RecordError> {
        // If the file is not a record, its first line may have any length, so look only at its
        // first bytes.
        let begin = match self.source.fill_buf() {
            Ok(begin) => begin[..begin.len().min(PLAN_BEGINS.len())].to_vec(),
            Err(error) => return Err(self.failure(error)),
        };
        let text = begin.strip_prefix(BYTE_ORDER_MARK).unwrap_or(&begin);
        let mark = begin.len() - text.len();
        self.source.consume(mark);
        self.whole_bytes = mark as u64;
        if !agrees(without_zeros(text), PLAN_BEGINS) {
            return Err(self.no_plan(text));
        }
        if self.advance()? {
            if !self.line.is_plan() {
                return Err(self.no_plan(&self.line.text));
            }
            let plan = self
                .line
                .parse(Plan::parse)
                .map_err(|reason| self.here(RecordErrorKind::NotARecord(reason)))?;
            self.plan = Some(plan);
        }
        Ok(())
    }

    /// Returns the error for a file that does not begin with a plan, and shows how it begins.
    fn no_plan(&self, begin: &[u8]) -> RecordError {
        const SHOWN: usize = 20;
        let begin = begin[..begin.len().min(SHOWN)]
            .split(|byte| *byte == b'\n')
            .next()
            .unwrap_or_default();
        let reason = format!(
            "it begins with {:?}, not with the first line of a record",
            String::from_utf8_lossy(begin)
        );
        RecordError::not_a_record(&self.path, reason)
    }

    /// Returns the plan, or `None` if the writer was killed before writing it. If the lines read so
    /// far repeat the plan, because records were joined or another version resumed the record, the
    /// last of them counts.
    pub fn plan(&self) -> Option<&Plan> {
        self.plan.as_ref()
    }

    /// Returns the total length of the lines read so far, in bytes, without an unfinished line or
    /// zeros at the end.
    pub fn whole_bytes(&self) -> u64 {
        self.whole_bytes
    }

    /// Returns the current line, without its newline.
    pub(super) fn text(&self) -> &[u8] {
        &self.line.text
    }

    /// Reads the next line. Returns `false` at the end of the file or at an unfinished line.
    fn advance(&mut self) -> Result<bool, RecordError> {
        let read = self
            .line
            .read(&mut self.source)
            .map_err(|error| self.failure(error))?;
        if !read || self.line.is_unfinished(self.rules.as_deref()) {
            return Ok(false);
        }
        self.line_number += 1;
        self.whole_bytes += self.line.bytes as u64;
        self.lacks_newline = !self.line.whole;
        Ok(true)
    }

    fn next_entry(&mut self) -> Result<Option<Entry>, RecordError> {
        let Some(plan) = &self.plan else {
            return Ok(None);
        };
        let rules = self
            .rules
            .get_or_insert_with(|| Arc::new(Rules::from_plan(plan.clone())));
        let rules = Arc::clone(rules);
        while self.advance()? {
            if !self.line.is_plan() {
                let entry = self.line.parse(|text| Entry::parse(text, &rules));
                return entry
                    .map(Some)
                    .map_err(|reason| self.here(RecordErrorKind::Damaged(reason)));
            }
            let plan = self
                .line
                .parse(Plan::parse)
                .map_err(|reason| self.here(RecordErrorKind::Damaged(reason)))?;
            if let Some(difference) = plan.difference(&rules.plan) {
                self.failed = true;
                return Err(self.here(RecordErrorKind::OtherPlan(difference)));
            }
            self.plan = Some(plan);
        }
        Ok(None)
    }

    /// Returns an error in the current line.
    fn here(&self, kind: RecordErrorKind) -> RecordError {
        Place::line(&self.path, self.line_number).error(kind)
    }

    /// Returns the error for an input that cannot be read any further.
    fn failure(&mut self, error: io::Error) -> RecordError {
        use ErrorKind::{InvalidData, InvalidInput, UnexpectedEof};
        self.failed = true;
        match error.kind() {
            InvalidInput | InvalidData | UnexpectedEof if self.compressed => {
                let line = self.line_number + 1;
                let reason = format!("its gzip data is cut off or wrong from line {line} on");
                RecordError::new(&self.path, RecordErrorKind::Damaged(reason))
            }
            _ => RecordError::io(&self.path, error),
        }
    }
}

impl Iterator for Reader<'_> {
    type Item = Result<Entry, RecordError>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.failed {
            return None;
        }
        self.next_entry().transpose()
    }
}

/// Measures how much of some files has been read. Reading fails once `stop` is cancelled.
pub(super) struct Meter<'a> {
    stop: &'a CancelToken,
    on_progress: &'a dyn Fn(f64),
    bytes: Cell<u64>,
    read: Cell<u64>,
}

impl<'a> Meter<'a> {
    /// Creates a meter that calls `on_progress` with the fraction of the bytes that has been read.
    pub(super) fn new(stop: &'a CancelToken, on_progress: &'a dyn Fn(f64)) -> Self {
        Self {
            stop,
            on_progress,
            bytes: Cell::default(),
            read: Cell::default(),
        }
    }

    /// Adds the length of a file that will be read.
    pub(super) fn expect(&self, bytes: u64) {
        self.bytes.update(|all| all + bytes);
    }
}

/// A file whose bytes are measured.
pub(super) struct Metered<'a, R> {
    pub source: R,
    pub meter: &'a Meter<'a>,
}

impl<R: Read> Read for Metered<'_, R> {
    #[expect(clippy::cast_precision_loss, reason = "a fraction")]
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let bytes = self.source.read(buffer)?;
        let meter = self.meter;
        meter.stop.check().map_err(io::Error::other)?;
        meter.read.update(|read| read + bytes as u64);
        (meter.on_progress)(meter.read.get() as f64 / meter.bytes.get().max(1) as f64);
        Ok(bytes)
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

/// Reads at most [`LONGEST`] bytes, up to the end of a line.
fn read_piece(source: &mut impl BufRead, piece: &mut Vec<u8>) -> io::Result<usize> {
    source
        .by_ref()
        .take(LONGEST as u64)
        .read_until(b'\n', piece)
}

impl RawLine {
    /// Reads the next line; returns `false` at the end of the file.
    fn read(&mut self, source: &mut impl BufRead) -> io::Result<bool> {
        self.text.clear();
        self.bytes = read_piece(source, &mut self.text)?;
        if self.bytes == 0 {
            return Ok(false);
        }
        self.whole = self.text.pop_if(|last| *last == b'\n').is_some();
        self.zeros_behind = true;
        // A line of more than `LONGEST` bytes is damaged. Read the rest of it in pieces, to save
        // memory.
        let mut more = Vec::new();
        while !self.whole && self.bytes.is_multiple_of(LONGEST) {
            more.clear();
            if read_piece(source, &mut more)? == 0 {
                break;
            }
            self.bytes += more.len();
            self.whole = more.ends_with(b"\n");
            self.zeros_behind &= more.iter().all(|byte| *byte == 0);
        }
        Ok(true)
    }

    fn is_plan(&self) -> bool {
        self.text.starts_with(PLAN_BEGINS)
    }

    fn parse<T>(&self, parse: impl FnOnce(&[u8]) -> Result<T, String>) -> Result<T, String> {
        if self.text.contains(&0) {
            Err("it contains NUL bytes: data was lost on a disk or in a transfer".to_owned())
        } else if self.bytes > LONGEST {
            Err(format!(
                "it has {} bytes, more than the limit of {LONGEST}",
                self.bytes
            ))
        } else {
            parse(&self.text)
        }
    }

    /// Returns whether this is an unfinished line: the beginning of a valid line, without a
    /// newline. A line with a wrong checksum counts as damaged instead. If only the newline is
    /// missing, the line is complete. Removes zeros behind a line without a newline.
    fn is_unfinished(&mut self, rules: Option<&Rules>) -> bool {
        if self.whole || !self.zeros_behind {
            return false;
        }
        let piece = without_zeros(&self.text);
        // An entry cannot come before the plan.
        let begins = match rules {
            Some(_) => &[PLAN_BEGINS, ENTRY_BEGINS][..],
            None => &[PLAN_BEGINS],
        };
        let is_text = !piece.iter().any(u8::is_ascii_control);
        let is_torn =
            lacks_checksum(piece) && is_text && begins.iter().any(|begin| agrees(piece, begin));
        let is_complete = Plan::parse(piece).is_ok()
            || rules.is_some_and(|rules| Entry::parse(piece, rules).is_ok());
        if is_torn || is_complete {
            self.bytes = piece.len();
            self.text.truncate(self.bytes);
        }
        is_torn
    }
}

/// Returns the bytes before any zeros at the end.
fn without_zeros(bytes: &[u8]) -> &[u8] {
    let zeros = bytes.iter().rev().take_while(|byte| **byte == 0);
    &bytes[..bytes.len() - zeros.count()]
}

/// Returns whether one of these strings is a prefix of the other.
fn agrees(one: &[u8], other: &[u8]) -> bool {
    one.iter().zip(other).all(|(one, other)| one == other)
}

/// Returns whether a file, compressed or not, begins like a record.
#[cfg(feature = "cli")]
pub(crate) fn is_record(path: &Path) -> bool {
    match File::open(path).map(|file| Reader::new(file, path)) {
        Ok(Ok(reader)) => reader.line.is_plan(),
        // Only a damaged plan has the number of a line.
        Ok(Err(error)) => error.place().is_some_and(|place| place.line.is_some()),
        Err(_) => false,
    }
}
