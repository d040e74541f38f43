//! Reading a record: all its lines, and what a crash may have left at its end.
//!
//! A line is written by one call, at the end of the file, with the newline last. So a killed
//! process leaves at most the beginning of a line, without a newline, at the very end; and a
//! machine that loses its power may leave zeros there. Such a piece is dropped, and its units count
//! as not done. Every other flaw comes from a failing disk or a careless editor. To skip it would
//! hide that, so it is an error which names the line, and the other lines are read.
//!
//! A line that is far too long is read in pieces, to save memory, and is damaged as a short one
//! would be.

use std::fs::{self, File};
use std::io::{self, BufRead, BufReader, ErrorKind, Read};
use std::mem;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use flate2::bufread::MultiGzDecoder;

use super::entry::{ENTRY_BEGINS, FINDING_BEGINS};
use super::line::{LONGEST, lacks_checksum};
use super::plan::{PLAN_BEGINS, Rules};
use super::{Entry, Finding, LineError, Place, Plan, RecordError};

/// How every file begins that gzip has compressed.
const GZIP_BEGINS: [u8; 2] = [0x1f, 0x8b];

/// What a line of a record says.
#[derive(Clone, Debug, PartialEq)]
pub enum Line {
    /// The plan. Further lines of the same plan are what `cat` makes of several records, or another
    /// version of the program has gone on with this one.
    Plan(Plan),
    /// A task, and its count.
    Entry(Entry),
    /// What an audit has found of an entry.
    Finding(Finding),
    /// Nothing that can be believed, and why.
    Damaged(LineError),
}

/// Reads a record line by line, also one that gzip has compressed: it takes memory for one line,
/// and time for each byte.
///
/// What is left of a damaged record is read, too: of each damaged line it says what is wrong.
///
/// ```
/// use std::path::{Path, PathBuf};
/// use queencount::record::{Line, Plan, Reader};
/// use queencount::{BoardSize, EngineChoice};
///
/// // A record whose writer was killed in the middle of its first entry.
/// let plan = Plan::new(EngineChoice::Backtrack.engine(BoardSize::new(10)?).as_ref());
/// let text = plan.to_line() + r#"{"first":0,"last""#;
///
/// let mut reader = Reader::new(text.as_bytes(), Path::new("record.jsonl"));
/// assert_eq!(reader.next_line()?, Some((1, Line::Plan(plan))));
/// assert_eq!(reader.next_line()?, None);
/// assert_eq!(text.len() as u64 - reader.whole_bytes(), 17);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Reader<'a> {
    source: Box<dyn BufRead + 'a>,
    pub(super) compressed: bool,
    /// What errors call the record.
    pub(super) path: PathBuf,
    /// The rules of the plan, as soon as it is known.
    rules: Option<Arc<Rules>>,
    salvages: bool,
    /// The version of the program that wrote the lines that come next, as far as the record says
    /// it.
    pub(super) program: Option<String>,
    /// What is wrong with the first line, as long as no other one shows that this is a record.
    doubt: Option<RecordError>,
    line: RawLine,
    lines: u64,
    whole_bytes: u64,
}

impl std::fmt::Debug for Reader<'_> {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter
            .debug_struct("Reader")
            .field("path", &self.path)
            .field("lines", &self.lines)
            .finish_non_exhaustive()
    }
}

impl<'a> Reader<'a> {
    /// Reads a file.
    ///
    /// # Errors
    /// When it cannot be opened, or is a folder, a pipe or a device: these may have no end, or wait
    /// for a writer.
    pub fn open(path: &Path) -> Result<Self, RecordError> {
        let io = |error| RecordError::io(path, error);
        if !fs::metadata(path).map_err(io)?.is_file() {
            let reason = "a record is a regular file".to_owned();
            return Err(RecordError::NotARecord(path.to_owned(), reason));
        }
        Ok(Self::new(
            BufReader::with_capacity(LONGEST as usize, File::open(path).map_err(io)?),
            path,
        ))
    }

    /// Reads a record from anywhere; `path` is what errors call it.
    pub fn new(mut source: impl BufRead + 'a, path: &Path) -> Self {
        // Whatever is wrong here is wrong again when the first line is read.
        let compressed = source
            .fill_buf()
            .is_ok_and(|begin| begin.starts_with(&GZIP_BEGINS));
        let source: Box<dyn BufRead + 'a> = match compressed {
            true => Box::new(BufReader::with_capacity(
                LONGEST as usize,
                MultiGzDecoder::new(source),
            )),
            false => Box::new(source),
        };
        Self {
            source,
            compressed,
            path: path.to_owned(),
            rules: None,
            salvages: false,
            program: None,
            doubt: None,
            line: RawLine::default(),
            lines: 0,
            whole_bytes: 0,
        }
    }

    /// Reads the record by these rules alone, `salvages` also one that has lost its first line: so
    /// that a board is not planned anew for each of many records.
    pub(super) fn expect(&mut self, rules: &Arc<Rules>, salvages: bool) {
        (self.rules, self.salvages) = (Some(Arc::clone(rules)), salvages);
    }

    /// The next line: its number, counted from 1, and what it says. `None` at the end, and
    /// where a line has been left unfinished.
    ///
    /// # Errors
    /// When the file cannot be read, is not a record, or has lines of different plans.
    pub fn next_line(&mut self) -> Result<Option<(u64, Line)>, RecordError> {
        let some = self
            .line
            .read(&mut self.source)
            .map_err(|error| self.failure(error))?;
        // Before the first line has said the plan, nothing but that line can be torn.
        let begun = self.rules.as_deref().filter(|_| self.lines > 0);
        if !some || self.line.is_torn(begun) {
            return self.doubt.take().map_or(Ok(None), Err);
        }
        let number = self.lines + 1;
        if self.line.whole {
            self.whole_bytes += self.line.bytes;
            self.lines = number;
        }
        if number == 1 {
            match self.line.first(&self.path) {
                Ok(plan) => {
                    _ = self
                        .rules
                        .get_or_insert_with(|| Arc::new(Rules::new(&plan)))
                }
                // What begins as a record does is one, however damaged.
                Err(_) if self.salvages && self.line.begins(PLAN_BEGINS) => {}
                Err(error) if self.salvages => self.doubt = Some(error),
                Err(error) => return Err(error),
            }
        }
        let rules = self.rules.as_ref().expect("the first line has been read");
        let line = self.line.said(rules);
        match &line {
            Line::Entry(_) | Line::Finding(_) => self.doubt = None,
            Line::Plan(plan) => {
                self.program = Some(plan.program.clone());
                if let Some(difference) = plan.difference(&rules.plan) {
                    let place = Place {
                        path: self.path.clone(),
                        line: number,
                    };
                    return Err(RecordError::OtherPlan(place, difference));
                }
            }
            Line::Damaged(_) => {}
        }
        Ok(Some((number, line)))
    }

    /// What keeps the next line from being read: the system, or what gzip has compressed is
    /// damaged.
    fn failure(&self, error: io::Error) -> RecordError {
        let damaged = [
            ErrorKind::InvalidInput,
            ErrorKind::InvalidData,
            ErrorKind::UnexpectedEof,
        ];
        if self.compressed && damaged.contains(&error.kind()) {
            let reason = format!(
                "what gzip has compressed is damaged behind line {}: {error}",
                self.lines
            );
            return RecordError::NotARecord(self.path.clone(), reason);
        }
        RecordError::io(&self.path, error)
    }

    /// The plan that the first line says; `None` when the writer died before it had written the
    /// plan.
    ///
    /// # Errors
    /// When the file cannot be read, or is not a record.
    pub fn plan(mut self) -> Result<Option<Plan>, RecordError> {
        self.next_line()?;
        Ok(self.rules.map(|rules| rules.plan.clone()))
    }

    /// The number of bytes of the whole lines that have been read. What follows them at the end is
    /// an unfinished line.
    pub fn whole_bytes(&self) -> u64 {
        self.whole_bytes
    }
}

/// A line as it stands in the file, whatever it says.
#[derive(Default)]
struct RawLine {
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

impl RawLine {
    /// Reads the next line; `false` at the end of the file.
    fn read(&mut self, source: &mut impl BufRead) -> io::Result<bool> {
        let mut text = mem::take(&mut self.text);
        text.clear();
        *self = Self {
            text,
            zeros_behind: true,
            ..Self::default()
        };
        let mut more = Vec::new();
        loop {
            more.clear();
            let piece = if self.bytes == 0 {
                &mut self.text
            } else {
                &mut more
            };
            let bytes = source.by_ref().take(LONGEST).read_until(b'\n', piece)? as u64;
            self.whole = piece.pop_if(|last| *last == b'\n').is_some();
            let zeros: u64 = piece.iter().map(|byte| u64::from(*byte == 0)).sum();
            self.zeros_behind &= self.bytes == 0 || zeros == piece.len() as u64;
            self.zeros += zeros;
            self.bytes += bytes;
            if self.whole || bytes < LONGEST {
                return Ok(self.bytes > 0);
            }
        }
    }

    /// The plan that the first line says. It says what the file is; nothing else is worth reading
    /// when it does not.
    fn first(&self, path: &Path) -> Result<Plan, RecordError> {
        let not_a_record = |reason| RecordError::NotARecord(path.to_owned(), reason);
        if !self.begins(PLAN_BEGINS) {
            return Err(not_a_record(
                "its first line is not the line of a plan".to_owned(),
            ));
        }
        self.sealed(Plan::from_line)
            .map_err(|error| not_a_record(error.to_string()))
    }

    fn begins(&self, begin: &str) -> bool {
        self.text.starts_with(begin.as_bytes())
    }

    /// What the line says in a record with these rules.
    fn said(&self, rules: &Rules) -> Line {
        self.sealed(|text| said(text, rules))
            .unwrap_or_else(Line::Damaged)
    }

    /// What the line says, if it is as it was written.
    fn sealed<T>(&self, open: impl FnOnce(&[u8]) -> Result<T, LineError>) -> Result<T, LineError> {
        match () {
            () if self.zeros > 0 => Err(LineError::Zeros(self.zeros)),
            () if self.bytes > LONGEST => Err(LineError::Long(self.bytes)),
            () => open(&self.text),
        }
    }

    /// Whether this is what a writer leaves who was cut off in the middle of a line: its beginning,
    /// and no newline.
    ///
    /// Nothing else may be taken for it, because a run that goes on with the record cuts the piece
    /// off. So a piece that has its checksum, but not the right one, is damage.
    fn is_torn(&self, rules: Option<&Rules>) -> bool {
        if self.whole || !self.zeros_behind {
            return false;
        }
        // A machine that loses its power may leave zeros in the place of what it had not written
        // yet.
        let end = self
            .text
            .iter()
            .rposition(|byte| *byte != 0)
            .map_or(0, |last| last + 1);
        let piece = &self.text[..end];
        let begins = |begin: &&str| {
            piece
                .iter()
                .zip(begin.bytes())
                .all(|(found, expected)| *found == expected)
        };
        let is_right = || match rules {
            Some(rules) => said(piece, rules).is_ok(),
            None => Plan::from_line(piece).is_ok(),
        };
        // Before the plan there is no entry.
        let begin = if rules.is_some() {
            &[PLAN_BEGINS, ENTRY_BEGINS, FINDING_BEGINS][..]
        } else {
            &[PLAN_BEGINS]
        };
        begin.iter().any(begins)
            && !piece.iter().any(u8::is_ascii_control)
            && (lacks_checksum(piece) || is_right())
    }
}

/// What a line says in a record with these rules, given without its newline.
fn said(text: &[u8], rules: &Rules) -> Result<Line, LineError> {
    match () {
        () if text.starts_with(PLAN_BEGINS.as_bytes()) => Plan::from_line(text).map(Line::Plan),
        () if text.starts_with(FINDING_BEGINS.as_bytes()) => {
            Finding::read(text, rules).map(Line::Finding)
        }
        () => Entry::read(text, rules).map(Line::Entry),
    }
}

/// What a folder has: records, and what is not taken for any.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Files {
    /// The files whose names end with `.jsonl` or `.jsonl.gz`, in the order of their names.
    pub records: Vec<PathBuf>,
    /// All other files, and links to folders, which may lead back.
    pub others: Vec<PathBuf>,
}

impl Files {
    /// Looks into a folder and all folders in it. What is no folder is a record itself.
    ///
    /// # Errors
    /// When a folder cannot be read, or has no record.
    pub fn of(path: &Path) -> Result<Self, RecordError> {
        let (mut files, mut folders) = (Self::default(), Vec::new());
        match path.is_dir() {
            true => folders.push(path.to_owned()),
            false => files.records.push(path.to_owned()),
        }
        while let Some(folder) = folders.pop() {
            let entries =
                fs::read_dir(&folder).and_then(|entries| entries.collect::<Result<Vec<_>, _>>());
            for entry in entries.map_err(|error| RecordError::io(&folder, error))? {
                let path = entry.path();
                if entry.file_type().is_ok_and(|kind| kind.is_dir()) {
                    folders.push(path);
                } else if is_record(&path) && !path.is_dir() {
                    files.records.push(path);
                } else {
                    files.others.push(path);
                }
            }
        }
        files.records.sort();
        files.others.sort();
        if files.records.is_empty() {
            let found =
                "expected records, found no file in it whose name ends with .jsonl or .jsonl.gz";
            return Err(RecordError::io(
                path,
                io::Error::new(ErrorKind::NotFound, found),
            ));
        }
        Ok(files)
    }
}

fn is_record(path: &Path) -> bool {
    let name = path.as_os_str().as_encoded_bytes();
    name.ends_with(b".jsonl") || name.ends_with(b".jsonl.gz")
}
