//! Reading a record: all its lines, and what a crash may have left at its end.
//!
//! A line is written by one call, at the end of the file, with the newline last. So a killed process leaves at most the
//! beginning of a line, without a newline, at the very end; and a machine that loses its power may leave zeros there.
//! Such a piece is dropped, and its units count as not done. Every other flaw, also text at the end that no line begins
//! with, comes from a failing disk or a careless editor. To skip it would hide that, so it is an error which names the
//! line. Whoever goes on reading gets the other lines, before it and behind.
//!
//! No length of a line changes any of this. A line that is far too long is read in pieces, to save memory, and is
//! damaged as a short one would be.

use std::fs::{self, File};
use std::io::{self, BufRead, BufReader, Read};
use std::mem;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::entry::{ENTRY_MEMBERS, EntryForm};
use super::finding::{FINDING_BEGINS, FINDING_MEMBERS};
use super::line::{LONGEST, may_begin};
use super::plan::{PLAN_BEGINS, PLAN_MEMBERS};
use super::{Entry, Finding, LineError, Plan, RecordError};

/// Reads a record line by line: it takes memory for one line, and time for each byte.
///
/// What is left of a damaged record is read, too: of each damaged line it says what is wrong.
///
/// ```
/// use std::path::{Path, PathBuf};
/// use queencount::record::{Plan, Reader, Said};
/// use queencount::{BoardSize, EngineChoice};
///
/// // A record whose writer was killed in the middle of its first entry.
/// let plan = Plan::new(EngineChoice::Backtrack.plan(BoardSize::new(10)?).as_ref());
/// let text = plan.to_line() + r#"{"first":0,"last""#;
///
/// let mut reader = Reader::new(text.as_bytes(), Path::new("record.jsonl"));
/// assert_eq!(reader.next_line()?, Some((1, Said::Plan(plan))));
/// assert_eq!(reader.next_line()?, None);
/// assert_eq!(text.len() as u64 - reader.whole_bytes(), 17);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Reader<R> {
    source: R,
    /// What errors call the record.
    pub(super) path: PathBuf,
    /// The plan, as soon as it is known, and what all its entries have in common.
    form: Option<Arc<EntryForm>>,
    /// Whether the first line may be lost.
    salvages: bool,
    /// The version of the program that wrote the lines that come next, as far as the record says it.
    pub(super) program: Option<String>,
    /// What is wrong with the first line, as long as no other one shows that this is a record.
    doubt: Option<RecordError>,
    line: Line,
    lines: u64,
    whole_bytes: u64,
}

/// What a line says.
#[derive(Clone, Debug, PartialEq)]
pub enum Said {
    /// The plan. Further lines of the same plan are what `cat` makes of several records, or another version of the
    /// program has gone on with this one.
    Plan(Plan),
    /// Some units, and their count.
    Entry(Entry),
    /// What an audit has found of an entry.
    Finding(Finding),
    /// Nothing that can be believed, and why.
    Damaged(LineError),
}

impl Reader<BufReader<File>> {
    /// Reads a file.
    ///
    /// # Errors
    /// When it cannot be opened, or is a folder, a pipe or a device: these may have no end, or wait for a writer.
    pub fn open(path: &Path) -> Result<Self, RecordError> {
        let io = |error| RecordError::io(path, error);
        if !fs::metadata(path).map_err(io)?.is_file() {
            let reason = "a record is a regular file".to_owned();
            return Err(RecordError::NotARecord { path: path.to_owned(), reason });
        }
        Ok(Self::new(BufReader::with_capacity(LONGEST as usize, File::open(path).map_err(io)?), path))
    }
}

impl<R: BufRead> Reader<R> {
    /// Reads a record from anywhere; `path` is what errors call it.
    pub fn new(source: R, path: &Path) -> Self {
        let (path, line, form, program, doubt) = (path.to_owned(), Line::default(), None, None, None);
        Self { source, path, form, salvages: false, program, doubt, line, lines: 0, whole_bytes: 0 }
    }

    /// The same, whatever it reads from.
    pub fn boxed<'a>(self) -> Reader<Box<dyn BufRead + 'a>>
    where
        R: 'a,
    {
        let Self { source, path, form, salvages, program, doubt, line, lines, whole_bytes } = self;
        Reader { source: Box::new(source), path, form, salvages, program, doubt, line, lines, whole_bytes }
    }

    /// Reads the record by the plan of this form alone, `salvages` also one that has lost its first line: so that a board
    /// is not planned anew for each of many records.
    pub(super) fn expect(&mut self, form: &Arc<EntryForm>, salvages: bool) {
        (self.form, self.salvages) = (Some(Arc::clone(form)), salvages);
    }

    /// The next line: its number, counted from 1, and what it says. `None` at the end, and
    /// where a line has been left unfinished.
    ///
    /// # Errors
    /// When the file cannot be read, is not a record, or has lines of different plans.
    pub fn next_line(&mut self) -> Result<Option<(u64, Said)>, RecordError> {
        let some = self.line.read(&mut self.source).map_err(|error| RecordError::io(&self.path, error))?;
        // Before the first line has said the plan, nothing but that line can be torn.
        let begun = self.form.as_deref().filter(|_| self.lines > 0);
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
                Ok(plan) => _ = self.form.get_or_insert_with(|| Arc::new(EntryForm::new(&plan))),
                Err(error) if self.salvages => self.doubt = Some(error),
                Err(error) => return Err(error),
            }
        }
        let form = self.form.as_ref().expect("the first line has been read");
        let said = self.line.said(form);
        match &said {
            Said::Entry(_) | Said::Finding(_) => self.doubt = None,
            Said::Plan(plan) => {
                self.program = Some(plan.program.clone());
                if let Some(difference) = plan.difference(&form.plan) {
                    return Err(RecordError::OtherPlan { path: self.path.clone(), line: number, difference });
                }
            }
            Said::Damaged(_) => {}
        }
        Ok(Some((number, said)))
    }

    /// The plan that the first line says; `None` when the writer died before it had written the plan.
    ///
    /// # Errors
    /// When the file cannot be read, or is not a record.
    pub fn plan(mut self) -> Result<Option<Plan>, RecordError> {
        self.next_line()?;
        Ok(self.form.map(|form| form.plan.clone()))
    }

    /// The number of bytes of the whole lines that have been read. What follows them at the end is an unfinished line.
    pub fn whole_bytes(&self) -> u64 {
        self.whole_bytes
    }
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
        let mut text = mem::take(&mut self.text);
        text.clear();
        *self = Self { text, zeros_behind: true, ..Self::default() };
        let mut more = Vec::new();
        loop {
            more.clear();
            let piece = if self.bytes == 0 { &mut self.text } else { &mut more };
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

    /// The plan that the first line says. It says what the file is; nothing else is worth reading when it does not.
    fn first(&self, path: &Path) -> Result<Plan, RecordError> {
        let not_a_record = |reason| RecordError::NotARecord { path: path.to_owned(), reason };
        if !self.text.starts_with(PLAN_BEGINS.as_bytes()) {
            return Err(not_a_record("its first line is not the line of a plan".to_owned()));
        }
        self.sealed(Plan::from_line).map_err(|error| not_a_record(error.to_string()))
    }

    /// What the line says in a record whose entries have this form.
    fn said(&self, form: &EntryForm) -> Said {
        let begins = |begin: &str| self.text.starts_with(begin.as_bytes());
        let said = match () {
            () if begins(PLAN_BEGINS) => self.sealed(Plan::from_line).map(Said::Plan),
            () if begins(FINDING_BEGINS) => self.sealed(|text| Finding::read(text, form)).map(Said::Finding),
            () => self.sealed(|text| form.read(text)).map(Said::Entry),
        };
        said.unwrap_or_else(Said::Damaged)
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

    /// Whether this is what a writer leaves who was cut off in the middle of a line.
    ///
    /// Nothing else may be taken for it, because a run that goes on with the record cuts the piece off.
    fn is_torn(&self, form: Option<&EntryForm>) -> bool {
        if self.whole || !self.zeros_behind {
            return false;
        }
        // A machine that loses its power may leave zeros in the place of what it had not written yet.
        let end = self.text.iter().rposition(|byte| *byte != 0).map_or(0, |last| last + 1);
        let piece = &self.text[..end];
        let begin = &PLAN_BEGINS.as_bytes()[..end.min(PLAN_BEGINS.len())];
        let right = |whole: bool| whole || !piece.ends_with(b"}");
        if end > 0 && piece.starts_with(begin) && may_begin(piece, PLAN_MEMBERS) {
            return right(Plan::from_line(piece).is_ok());
        }
        // (A file of nothing but zeros is anybody's.)
        form.is_some_and(|form| {
            may_begin(piece, ENTRY_MEMBERS) && right(form.read(piece).is_ok())
                || may_begin(piece, FINDING_MEMBERS) && right(Finding::read(piece, form).is_ok())
        })
    }
}
