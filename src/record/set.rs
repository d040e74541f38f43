//! The entries of any number of records, before they are added up.

use std::borrow::Cow;
use std::collections::HashMap;
use std::fs;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::error::REPORTED;
use super::plan::Rules;
use super::{Entry, Findings, Line, LineRef, Plan, Reader, RecordError};

/// The maximum number of origins, to limit memory use. Beyond that, entries with a new origin are
/// stored without it.
const MOST_ORIGINS: usize = 1 << 16;

/// The entries of the records of one plan.
#[derive(Debug)]
pub struct RecordSet {
    pub(super) rules: Arc<Rules>,
    records: Vec<Record>,
    pub(super) sources: Vec<PathBuf>,
    /// The index of each source, keyed by its canonical path.
    source_indices: HashMap<PathBuf, usize>,
    lines: u64,
    origins: Vec<Origin>,
    numbers: HashMap<Origin, u32>,
    pub(super) entries: Vec<PackedEntry>,
    pub(super) ignored: u64,
    /// The version in the last plan line of the last record.
    pub(super) program: Option<Arc<str>>,
}

#[derive(Debug)]
struct Record {
    path: PathBuf,
    /// The number of lines in the records read before this one.
    lines_before: u64,
    source: usize,
}

#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
struct Origin {
    site: Option<String>,
    host: Option<String>,
    kernel: Option<String>,
    program: Option<Arc<str>>,
}

/// A field by which entries are grouped.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "cli", derive(clap::ValueEnum))]
#[non_exhaustive]
pub enum GroupBy {
    /// The file or directory that contains the record.
    ///
    /// See [`Loader::load`](super::Loader::load).
    #[default]
    Source,
    /// The site named in the entry.
    Site,
    /// The host named in the entry.
    Host,
    /// The kernel named in the entry.
    Kernel,
    /// The program version named in the record.
    Version,
}

/// An entry, packed into 48 bytes because the largest counts have tens of millions of entries.
#[derive(Debug)]
#[repr(Rust, packed(4))]
pub(super) struct PackedEntry {
    first: u64,
    pub count: u128,
    pub microseconds: u64,
    length: u32,
    /// The line number, counted from 1 across all records.
    line: u32,
    /// The number of seconds since 1970, or 0 if the time is unknown.
    time: u32,
    origin: u32,
}

impl PackedEntry {
    fn new(entry: &Entry, line: u64, origin: u32) -> Self {
        let length = entry.last + 1 - entry.first;
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "a time"
        )]
        let microseconds = (entry.seconds * 1e6).round() as u64;
        Self {
            first: entry.first,
            count: entry.count,
            microseconds,
            length: length.try_into().expect("other lengths are damage"),
            line: line.try_into().expect("fewer than 2^32 lines"),
            time: entry.time.map_or(0, |time| time.try_into().unwrap_or(0)),
            origin,
        }
    }

    pub(super) fn units(&self) -> Range<u64> {
        self.first..self.first + u64::from(self.length)
    }

    #[expect(clippy::cast_precision_loss, reason = "a time")]
    pub(super) fn seconds(&self) -> f64 {
        self.microseconds as f64 / 1e6
    }

    pub(super) fn time(&self) -> Option<u64> {
        (self.time > 0).then_some(self.time.into())
    }

    fn result(&self) -> (u64, u32, u128) {
        (self.first, self.length, self.count)
    }

    pub(super) fn order(&self) -> impl Ord + use<> {
        (self.result(), self.microseconds, self.line)
    }

    pub(super) fn agrees(&self, other: &Self) -> bool {
        self.result() == other.result()
    }

    /// Returns whether the two entries are copies of one count.
    pub(super) fn is_same_count(&self, other: &Self) -> bool {
        self.agrees(other) && { self.microseconds } == { other.microseconds }
    }
}

impl RecordSet {
    /// Creates an empty set.
    pub fn new(plan: Plan) -> Self {
        Self {
            rules: Arc::new(Rules::new(&plan)),
            records: Vec::new(),
            sources: Vec::new(),
            source_indices: HashMap::new(),
            lines: 0,
            origins: Vec::new(),
            numbers: HashMap::new(),
            entries: Vec::new(),
            ignored: 0,
            program: None,
        }
    }

    /// Adds all entries of a record. Returns an error for each of the first ten damaged lines and,
    /// if there are more, one that says how many more.
    ///
    /// # Errors
    /// Fails if the file cannot be read, is not a record, or has a different plan. The entries
    /// before the error are still added.
    pub fn read(&mut self, reader: &mut Reader<'_>) -> Result<Vec<RecordError>, RecordError> {
        reader.rules = Some(Arc::clone(&self.rules));
        let source = source_of(&reader.given, &reader.path);
        let real = real_path(&source);
        let source = *self.source_indices.entry(real).or_insert_with(|| {
            self.sources.push(source);
            self.sources.len() - 1
        });
        let path = reader.path.clone();
        let lines_before = self.lines;
        self.records.push(Record {
            path: path.clone(),
            lines_before,
            source,
        });
        self.program = None;
        let mut damaged = Vec::new();
        let mut damaged_lines = 0;
        for line in reader {
            let (number, line) = line?;
            self.lines = lines_before + number;
            match line {
                Line::Entry(entry) => {
                    let origin = self.origin(&entry);
                    self.entries
                        .push(PackedEntry::new(&entry, self.lines, origin));
                }
                Line::Finding => self.ignored += 1,
                Line::Plan(plan) => self.program = Some(plan.program.into()),
                Line::Damaged(error) => {
                    damaged_lines += 1;
                    if damaged.len() < REPORTED {
                        let place = LineRef::new(&path, number);
                        damaged.push(RecordError::Damaged(place, error));
                    }
                }
            }
        }
        if damaged_lines == self.lines - lines_before
            && let Some(RecordError::Damaged(_, error)) = damaged.first()
        {
            return Err(RecordError::not_a_record(&path, error));
        }
        let more = damaged_lines - damaged.len() as u64;
        if more > 0 {
            damaged.push(RecordError::MoreDamage(path, more));
        }
        Ok(damaged)
    }

    /// Adds all entries of a record, which must not be damaged.
    pub(super) fn read_undamaged(&mut self, reader: &mut Reader<'_>) -> Result<(), RecordError> {
        match self.read(reader)?.into_iter().next() {
            Some(error) => Err(error),
            None => Ok(()),
        }
    }

    /// Removes the entries that an audit found to be wrong, and returns their number.
    pub fn exclude(&mut self, findings: &Findings) -> u64 {
        let before = self.entries.len();
        self.entries
            .retain(|entry| !findings.rejects(&entry.units(), entry.count));
        (before - self.entries.len()) as u64
    }

    /// Returns the index of an entry's origin, which is added if it is new.
    fn origin(&mut self, entry: &Entry) -> u32 {
        let mut origin = Origin {
            site: entry.site.clone(),
            host: entry.host.clone(),
            kernel: entry.kernel.clone(),
            program: self.program.clone(),
        };
        if self.origins.len() >= MOST_ORIGINS && !self.numbers.contains_key(&origin) {
            origin = Origin::default();
        }
        let next = u32::try_from(self.origins.len()).expect("at most `MOST_ORIGINS` and one");
        *self.numbers.entry(origin).or_insert_with_key(|origin| {
            self.origins.push(origin.clone());
            next
        })
    }

    fn record_of(&self, entry: &PackedEntry) -> &Record {
        let end = self
            .records
            .partition_point(|record| record.lines_before < entry.line.into());
        &self.records[end - 1]
    }

    pub(super) fn source_of(&self, entry: &PackedEntry) -> usize {
        self.record_of(entry).source
    }

    pub(super) fn group_of(&self, entry: &PackedEntry, by: GroupBy) -> Cow<'_, str> {
        let origin = &self.origins[entry.origin as usize];
        let name = match by {
            GroupBy::Source => return self.sources[self.source_of(entry)].to_string_lossy(),
            GroupBy::Site => origin.site.as_deref(),
            GroupBy::Host => origin.host.as_deref().or(origin.site.as_deref()),
            GroupBy::Kernel => origin.kernel.as_deref(),
            GroupBy::Version => origin.program.as_deref(),
        };
        name.unwrap_or_default().into()
    }

    pub(super) fn place(&self, entry: &PackedEntry) -> LineRef {
        let record = self.record_of(entry);
        LineRef::new(&record.path, u64::from(entry.line) - record.lines_before)
    }

    /// Returns the first of these entries in its original form, with its line.
    pub(super) fn unpacked(&self, entries: &[PackedEntry]) -> (Entry, LineRef) {
        let entry = &entries[0];
        let origin = self.origins[entry.origin as usize].clone();
        let unpacked = Entry {
            first: entry.first,
            last: entry.units().end - 1,
            count: entry.count,
            seconds: entry.seconds(),
            kernel: origin.kernel,
            time: entry.time(),
            site: origin.site,
            host: origin.host,
        };
        (unpacked, self.place(entry))
    }

    /// Returns the index of the source with this path or, failing that, the index of the only
    /// source whose path ends with it.
    pub(super) fn find_source(&self, path: &Path) -> Option<usize> {
        if let Some(source) = self.source_indices.get(&real_path(path)) {
            return Some(*source);
        }
        let mut found = (0..self.sources.len()).filter(|&i| self.sources[i].ends_with(path));
        match (found.next(), found.next()) {
            (Some(only), None) => Some(only),
            _ => None,
        }
    }
}

/// Returns the canonical path of a file, or the path itself if the file is missing.
pub(super) fn real_path(path: &Path) -> PathBuf {
    fs::canonicalize(path).unwrap_or_else(|_| path.to_owned())
}

/// Returns the [source](super::Loader::load) of a record that was found under the given path.
fn source_of(given: &Path, record: &Path) -> PathBuf {
    let below = record.strip_prefix(given).unwrap_or(Path::new(""));
    let mut parts = below.components();
    match (parts.next(), parts.next()) {
        (Some(subdirectory), Some(_)) => given.join(subdirectory),
        _ => given.to_owned(),
    }
}
