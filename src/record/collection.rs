//! The collection: entries of any number of records, before they are added up.
//!
//! The largest counts have tens of millions of entries. They are kept as [`PackedEntry`], without
//! what they have in common, as they come, and sorted once, in the end. That takes a third of the
//! memory of an ordered map.

use std::collections::HashMap;
use std::ops::Range;
use std::path::PathBuf;
use std::sync::Arc;

use super::plan::Rules;
use super::{Entry, Finding, Line, Place, Plan, Reader, RecordError};

/// How many damaged lines of a record are named.
const NAMED: usize = 10;

/// The entries of the records of one plan, before they are added up. [`merge`](super::merge) is for
/// records without flaws.
#[derive(Debug)]
pub struct Collection {
    pub(super) rules: Arc<Rules>,
    /// The records, each with the number of lines before its first one.
    records: Vec<(PathBuf, u64)>,
    lines: u64,
    pub(super) origins: Vec<Origin>,
    numbers: HashMap<Origin, u32>,
    pub(super) entries: Vec<PackedEntry>,
    pub(super) findings: Vec<(Finding, Place)>,
}

/// Where, by what and by which program a task was counted, as far as a record says it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub(super) struct Origin {
    pub site: Option<String>,
    pub host: Option<String>,
    pub kernel: Option<String>,
    /// The version of the program.
    pub program: String,
}

/// What entries have in common: one of the things that they say of their origin.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SourceKind {
    /// The site.
    Site,
    /// The machine.
    Host,
    /// The kernel.
    Kernel,
    /// The version of the program.
    Program,
}

impl SourceKind {
    /// What an origin is called by this; nothing if its entries do not say it.
    pub(super) fn name(self, origin: &Origin) -> &str {
        let name = match self {
            Self::Site => origin.site.as_ref(),
            Self::Host => origin.host.as_ref().or(origin.site.as_ref()),
            Self::Kernel => origin.kernel.as_ref(),
            Self::Program => Some(&origin.program),
        };
        name.map_or("", String::as_str)
    }

    /// The same without what does not tell it from another. Where a device has left units to the
    /// CPU, there are two.
    pub(super) fn names(self, origin: &Origin) -> impl Iterator<Item = String> {
        let names = self
            .name(origin)
            .split(move |letter| self == Self::Kernel && letter == '+');
        names.map(plain).filter(|name| !name.is_empty())
    }
}

/// A name without what does not tell it from another: neither case nor blanks do.
pub(super) fn plain(name: &str) -> String {
    name.chars()
        .filter(|letter| !letter.is_whitespace())
        .flat_map(char::to_lowercase)
        .collect()
}

/// An entry in 44 bytes, without gaps.
#[derive(Debug)]
#[repr(Rust, packed(4))]
pub(super) struct PackedEntry {
    first: u64,
    pub count: u128,
    length: u32,
    /// The number of the line among those of all records, counted from 1.
    line: u32,
    seconds: f32,
    /// 0 for none.
    time: u32,
    /// The place of the origin in a list.
    pub origin: u32,
}

impl PackedEntry {
    /// # Panics
    /// When there are 2^32 lines or as many units to a task: memory ends before, and such a line is
    /// damaged.
    fn new(entry: &Entry, line: u64, origin: u32) -> Self {
        let small = |number: u64| number.try_into().expect("a number below 2^32");
        Self {
            first: entry.first,
            count: entry.count,
            length: small(entry.last + 1 - entry.first),
            line: small(line),
            seconds: entry.seconds as f32,
            time: entry
                .time
                .and_then(|time| time.try_into().ok())
                .unwrap_or(0),
            origin,
        }
    }

    /// The range of units.
    pub fn units(&self) -> Range<u64> {
        self.first..self.first + u64::from(self.length)
    }

    /// The time that they kept a thread, in seconds, to seven digits.
    pub fn seconds(&self) -> f64 {
        self.seconds.into()
    }

    /// When they were finished, in seconds since the beginning of 1970 (UTC).
    pub fn time(&self) -> Option<u64> {
        (self.time > 0).then_some(self.time.into())
    }

    /// Entries that say the same of the same units stand together, and those together that took the
    /// same time.
    pub fn order(&self) -> (u64, u32, u128, u32, u32, u32, u32) {
        (
            self.first,
            self.length,
            self.count,
            self.time,
            self.seconds.to_bits(),
            self.origin,
            self.line,
        )
    }

    /// Whether both say the same of the same units.
    pub fn agrees(&self, other: &Self) -> bool {
        (self.first, self.length, self.count) == (other.first, other.length, other.count)
    }

    /// Whether both also were finished at the same time and took as long: whoever has counted, it
    /// was one count.
    pub fn is_same_count(&self, other: &Self) -> bool {
        self.agrees(other)
            && (self.time, self.seconds.to_bits()) == (other.time, other.seconds.to_bits())
    }
}

impl Collection {
    /// No entry yet.
    pub fn new(plan: Plan) -> Self {
        let (rules, numbers) = (Arc::new(Rules::new(&plan)), HashMap::new());
        let (records, origins, entries, findings) =
            (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        Self {
            rules,
            records,
            lines: 0,
            origins,
            numbers,
            entries,
            findings,
        }
    }

    /// Adds all entries and findings of a record. Returns what is wrong with its damaged lines:
    /// with ten of them, and how many more there are.
    ///
    /// # Errors
    /// When the record cannot be read, is none, or is of another plan. What has been read by then
    /// has been added.
    pub fn read(&mut self, reader: &mut Reader) -> Result<Vec<RecordError>, RecordError> {
        reader.expect(&self.rules, false);
        self.read_on(reader)
    }

    /// The same for a record that may have lost its first line: its checksums say whether it is of
    /// this plan.
    ///
    /// # Errors
    /// The same as for [`Collection::read`]. A file is no record if none of its lines says so.
    pub fn salvage(&mut self, reader: &mut Reader) -> Result<Vec<RecordError>, RecordError> {
        reader.expect(&self.rules, true);
        self.read_on(reader)
    }

    fn read_on(&mut self, reader: &mut Reader) -> Result<Vec<RecordError>, RecordError> {
        let (mut damaged, mut more) = (Vec::new(), 0);
        self.records.push((reader.path.clone(), self.lines));
        while let Some((number, line)) = reader.next_line()? {
            let place = || Place {
                path: reader.path.clone(),
                line: number,
            };
            match line {
                Line::Entry(entry) => {
                    self.keep(entry, number, reader.program.as_deref().unwrap_or_default())
                }
                Line::Finding(finding) => self.findings.push((finding, place())),
                Line::Plan(_) => {}
                Line::Damaged(_) if damaged.len() == NAMED => more += 1,
                Line::Damaged(error) => damaged.push(RecordError::Damaged(place(), error)),
            }
        }
        if more > 0 {
            damaged.push(RecordError::MoreDamage {
                path: reader.path.clone(),
                lines: more,
            });
        }
        Ok(damaged)
    }

    fn keep(&mut self, mut entry: Entry, line: u64, program: &str) {
        let (_, before) = self.records.last().expect("a record has begun");
        self.lines = before + line;
        let [site, host, kernel] =
            [&mut entry.site, &mut entry.host, &mut entry.kernel].map(Option::take);
        let origin = Origin {
            site,
            host,
            kernel,
            program: program.to_owned(),
        };
        let next = self.origins.len() as u32;
        let origin = *self.numbers.entry(origin).or_insert_with_key(|origin| {
            self.origins.push(origin.clone());
            next
        });
        self.entries
            .push(PackedEntry::new(&entry, self.lines, origin));
    }

    /// For each origin the numbers of its names.
    pub(super) fn sources(&self, by: SourceKind) -> Vec<Vec<u32>> {
        let mut numbers = HashMap::new();
        let mut number = |name: String| {
            let next = numbers.len() as u32;
            *numbers.entry(name).or_insert(next)
        };
        self.origins
            .iter()
            .map(|origin| by.names(origin).map(&mut number).collect())
            .collect()
    }

    /// The place of the record of an entry among all.
    pub(super) fn record_of(&self, entry: &PackedEntry) -> usize {
        self.records
            .partition_point(|(_, before)| *before < entry.line.into())
            - 1
    }

    pub(super) fn place(&self, entry: &PackedEntry) -> Place {
        let (path, before) = &self.records[self.record_of(entry)];
        Place {
            path: path.clone(),
            line: u64::from(entry.line) - before,
        }
    }

    /// An entry as it was written, but for the digits of its seconds, and where it stands.
    pub(super) fn unpacked(&self, entry: &PackedEntry) -> (Entry, Place) {
        let Origin {
            site, host, kernel, ..
        } = self.origins[entry.origin as usize].clone();
        let (first, last) = (entry.first, entry.units().end - 1);
        let (count, seconds, time) = (entry.count, entry.seconds(), entry.time());
        (
            Entry {
                first,
                last,
                count,
                seconds,
                kernel,
                time,
                site,
                host,
            },
            self.place(entry),
        )
    }
}
