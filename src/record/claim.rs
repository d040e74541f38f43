//! Claims: what is kept of the entries of many records. The largest counts have tens of millions of them.

use std::cmp::Reverse;
use std::ops::Range;

use super::Entry;

/// Where, by what and by which program units were counted, as far as a record says it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct Origin {
    /// The site, or the machine where it has no other name.
    pub site: Option<String>,
    /// The machine, if the site has a name of its own.
    pub host: Option<String>,
    /// The kernel, for an engine that has several.
    pub kernel: Option<String>,
    /// The version of the program.
    pub program: String,
}

/// What a tally keeps of an entry: 44 bytes, without gaps.
#[derive(Debug, PartialEq)]
#[repr(Rust, packed(4))]
pub struct Claim {
    first: u64,
    count: u128,
    length: u32,
    /// The number of the line among those of all records, counted from 1.
    pub(super) line: u32,
    seconds: f32,
    /// 0 for none.
    time: u32,
    /// The place of the origin in a list.
    pub(super) origin: u32,
}

impl Claim {
    /// # Panics
    /// When there are 2^32 lines: memory ends before.
    pub(super) fn new(entry: &Entry, line: u64, origin: u32) -> Self {
        Self {
            first: entry.units.start,
            count: entry.count,
            length: (entry.units.end - entry.units.start) as u32,
            line: line.try_into().expect("memory ends before the numbers of lines do"),
            seconds: entry.seconds as f32,
            time: entry.time.and_then(|time| time.try_into().ok()).unwrap_or(0),
            origin,
        }
    }

    /// The range of units.
    pub fn units(&self) -> Range<u64> {
        self.first..self.first + u64::from(self.length)
    }

    /// The number of solutions that belong to them.
    pub fn count(&self) -> u128 {
        self.count
    }

    /// The time that they kept a thread, in seconds, to seven digits.
    pub fn seconds(&self) -> f64 {
        self.seconds.into()
    }

    /// When they were finished, in seconds since the beginning of 1970 (UTC).
    pub fn time(&self) -> Option<u64> {
        (self.time > 0).then_some(self.time.into())
    }

    /// Entries that say the same of the same units stand together, and an entry before those within it.
    pub(super) fn order(&self) -> (u64, Reverse<u32>, u128, u32) {
        (self.first, Reverse(self.length), self.count, self.line)
    }

    /// Whether both say the same of the same units.
    pub(super) fn agrees(&self, other: &Self) -> bool {
        (self.first, self.length, self.count) == (other.first, other.length, other.count)
    }

    /// Whether one is the other, in a copy of the record.
    pub(super) fn is_copy(&self, other: &Self) -> bool {
        Self { line: other.line, ..*self } == *other
    }
}
