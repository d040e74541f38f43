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
use std::mem;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::entry::ENTRY_BEGINS;
use super::gzip::Gunzip;
use super::line::{LONGEST, lacks_checksum};
use super::pipe::Pipe;
use super::plan::{PLAN_BEGINS, Rules};
use super::{Entry, LineError, Place, Plan, RecordError, RecordErrorKind};
use crate::cancel::{CancelToken, NEVER};

const GZIP_BEGINS: [u8; 2] = [0x1f, 0x8b];

const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";

/// One parsed line of a record.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Line {
    /// The plan. It is repeated if records were joined or another version resumed the record.
    Plan(Plan),
    /// A task and its count.
    Entry(Entry),
    /// A damaged line, with the reason.
    Damaged(LineError),
}

impl Line {
    fn parse(text: &[u8], rules: &Rules) -> Result<Self, LineError> {
        if text.starts_with(PLAN_BEGINS) {
            Plan::from_line(text).map(Self::Plan)
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
    path: PathBuf,
    /// The rules of the plan, once it has been read. Records share them, because planning a board
    /// takes time.
    pub(super) rules: Option<Arc<Rules>>,
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
        Self::open_with(path.as_ref(), None)
    }

    /// Opens a file, a pipe, or stdin (`-`).
    pub(super) fn open_with(
        path: &Path,
        meter: Option<&'a Meter<'a>>,
    ) -> Result<Self, RecordError> {
        let io = |error| RecordError::io(path, error);
        let stop = meter.map_or(&NEVER, |meter| meter.stop);
        if path == Path::new("-") {
            let pipe = Pipe::new(|| Ok(io::stdin()), stop).map_err(io)?;
            return Ok(Self::new(BufReader::with_capacity(LONGEST, pipe), "stdin"));
        }
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
            let name = path.to_owned();
            let pipe = Pipe::new(|| File::open(name), stop).map_err(io)?;
            return Ok(Self::new(BufReader::with_capacity(LONGEST, pipe), path));
        }
        let source = File::open(path).map_err(io)?;
        let file = Metered { source, meter };
        Ok(Self::new(BufReader::with_capacity(LONGEST, file), path))
    }

    /// Reads a record from any input; `path` is its name in error messages.
    pub fn new(source: impl BufRead + 'a, path: impl AsRef<Path>) -> Self {
        let mut source: Box<dyn BufRead + 'a> = Box::new(source);
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
            path: path.as_ref().to_owned(),
            rules: None,
            line: RawLine::default(),
            number: 0,
            pending: false,
            failed: false,
            whole_bytes: mark as u64,
        }
    }

    pub(super) fn path(&self) -> &Path {
        &self.path
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
        if !self.pending {
            return Ok(None);
        }
        self.first_plan().map(Some)
    }

    /// Returns the total length of the lines read so far, in bytes, without an unfinished line or
    /// zeros at the end.
    pub fn whole_bytes(&self) -> u64 {
        self.whole_bytes
    }

    /// Returns whether the last line is complete except for its newline.
    pub(super) fn lacks_newline(&self) -> bool {
        self.number > 0 && !self.line.whole && !self.line.is_torn
    }

    /// Returns the unfinished first line of a record without a plan.
    pub(super) fn torn_plan(&self) -> &[u8] {
        &self.line.text
    }

    /// Returns the checksum at the end of the current line, which is valid.
    pub(super) fn checksum(&self) -> u32 {
        self.line
            .text
            .trim_ascii_end()
            .last_chunk::<10>()
            .and_then(|end| str::from_utf8(&end[..8]).ok())
            .and_then(|digits| u32::from_str_radix(digits, 16).ok())
            .unwrap_or(0)
    }

    fn advance(&mut self) -> Result<bool, RecordError> {
        if self.number == 0 {
            // If the file is not a record, its first line may have any length, so look only at its
            // first bytes. If the beginning of a record was lost, it may have been replaced by
            // zeros.
            let may_be = self.source.fill_buf().map(|begin| {
                begin.first() == Some(&0) || agrees(without_zeros(begin), PLAN_BEGINS)
            });
            if !may_be.map_err(|error| self.failure(error))? {
                return Err(self.no_plan());
            }
        }
        let read = self
            .line
            .read(&mut self.source)
            .map_err(|error| self.failure(error))?;
        // An unfinished first line can only be a plan.
        let rules = self.rules.as_deref().filter(|_| self.number > 0);
        if !read || self.line.is_unfinished(rules) {
            return Ok(false);
        }
        self.number += 1;
        self.whole_bytes += self.line.bytes as u64;
        Ok(true)
    }

    fn first_plan(&mut self) -> Result<Plan, RecordError> {
        if !self.line.is_plan() {
            return Err(self.no_plan());
        }
        self.line.parse(Plan::from_line).map_err(|error| {
            let kind = RecordErrorKind::NotARecord(error.to_string());
            Place::line(&self.path, 1).error(kind)
        })
    }

    fn next_line(&mut self) -> Result<Option<(u64, Line)>, RecordError> {
        if !mem::take(&mut self.pending) && !self.advance()? {
            return Ok(None);
        }
        if self.number == 1 {
            let plan = self.first_plan()?;
            self.rules
                .get_or_insert_with(|| Arc::new(Rules::from_plan(plan)));
        }
        let rules = self.rules.as_ref().expect("the first line has been read");
        let line = self.line.parse(|text| Line::parse(text, rules));
        if let Ok(Line::Plan(plan)) = &line
            && let Some(difference) = plan.difference(&rules.plan)
        {
            let place = Place::line(&self.path, self.number);
            return Err(place.error(RecordErrorKind::OtherPlan(difference)));
        }
        Ok(Some((self.number, line.unwrap_or_else(Line::Damaged))))
    }

    /// Returns the error for a file that does not begin with a plan, and shows how it begins.
    fn no_plan(&mut self) -> RecordError {
        const SHOWN: usize = 20;
        let begin = match self.line.text.is_empty() {
            true => self.source.fill_buf().unwrap_or_default(),
            false => &self.line.text,
        };
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

    fn failure(&self, error: io::Error) -> RecordError {
        use ErrorKind::{InvalidData, InvalidInput, UnexpectedEof};
        match error.kind() {
            InvalidInput | InvalidData | UnexpectedEof if self.compressed => {
                let line = self.number + 1;
                let reason = format!("its gzip data is cut off or wrong from line {line} on");
                let kind = RecordErrorKind::Damaged(LineError::new(reason));
                RecordError::new(&self.path, kind)
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

/// Measures how much of some files has been read. Reading fails once `stop` is cancelled.
pub(crate) struct Meter<'a> {
    stop: &'a CancelToken,
    on_progress: &'a dyn Fn(f64),
    bytes: Cell<u64>,
    read: Cell<u64>,
}

impl<'a> Meter<'a> {
    /// Creates a meter that calls `on_progress` with the fraction of the bytes that has been read.
    pub(crate) fn new(stop: &'a CancelToken, on_progress: &'a dyn Fn(f64)) -> Self {
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
    pub meter: Option<&'a Meter<'a>>,
}

impl<R: Read> Read for Metered<'_, R> {
    #[expect(clippy::cast_precision_loss, reason = "a fraction")]
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let bytes = self.source.read(buffer)?;
        if let Some(meter) = self.meter {
            meter.stop.check().map_err(io::Error::other)?;
            meter.read.update(|read| read + bytes as u64);
            (meter.on_progress)(meter.read.get() as f64 / meter.bytes.get().max(1) as f64);
        }
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
    /// Whether the line is unfinished.
    is_torn: bool,
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
        let mut text = mem::take(&mut self.text);
        text.clear();
        let mut bytes = read_piece(source, &mut text)?;
        if bytes == 0 {
            return Ok(false);
        }
        let mut whole = text.pop_if(|last| *last == b'\n').is_some();
        let mut zeros_behind = true;
        // A line of more than `LONGEST` bytes is damaged. Read the rest of it in pieces, to save
        // memory.
        let mut more = Vec::new();
        while !whole && bytes.is_multiple_of(LONGEST) {
            more.clear();
            if read_piece(source, &mut more)? == 0 {
                break;
            }
            bytes += more.len();
            whole = more.ends_with(b"\n");
            zeros_behind &= more.iter().all(|byte| *byte == 0);
        }
        *self = Self {
            text,
            bytes,
            zeros_behind,
            whole,
            is_torn: false,
        };
        Ok(true)
    }

    fn is_plan(&self) -> bool {
        self.text.starts_with(PLAN_BEGINS)
    }

    fn parse<T>(&self, parse: impl FnOnce(&[u8]) -> Result<T, LineError>) -> Result<T, LineError> {
        if self.text.contains(&0) {
            let reason = "it contains NUL bytes: data was lost on a disk or in a transfer";
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
        self.is_torn =
            lacks_checksum(piece) && is_text && begins.iter().any(|begin| agrees(piece, begin));
        let is_complete = match rules {
            Some(rules) => Line::parse(piece, rules).is_ok(),
            None => Plan::from_line(piece).is_ok(),
        };
        if self.is_torn || is_complete {
            self.bytes = piece.len();
            self.text.truncate(self.bytes);
        }
        self.is_torn
    }
}

/// Returns the bytes before any zeros at the end.
fn without_zeros(bytes: &[u8]) -> &[u8] {
    let zeros = bytes.iter().rev().take_while(|byte| **byte == 0);
    &bytes[..bytes.len() - zeros.count()]
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
