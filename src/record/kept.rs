//! What is kept of the entries of many records: the largest counts have tens of millions of them.

use std::cmp::Reverse;

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

/// What is kept of an entry: 44 bytes, in words of 32 bits, which leave no gaps.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Kept {
    first: [u32; 2],
    count: [u32; 4],
    /// The number of units.
    pub units: u32,
    /// The number of the line among those of all records, counted from 1.
    pub line: u32,
    pub seconds: f32,
    /// Seconds since the beginning of 1970; 0 for none.
    pub time: u32,
    /// The place of the origin in a list.
    pub origin: u32,
}

impl Kept {
    /// # Panics
    /// When there are 2^32 lines: memory ends before.
    pub fn new(entry: &Entry, line: u64, origin: u32) -> Self {
        let word = |number: u128, place: u32| (number >> (32 * place)) as u32;
        Self {
            first: [0, 1].map(|place| word(entry.units.start.into(), place)),
            count: [0, 1, 2, 3].map(|place| word(entry.count, place)),
            units: (entry.units.end - entry.units.start) as u32,
            line: line.try_into().expect("memory ends before the numbers of lines do"),
            seconds: entry.seconds as f32,
            time: entry.time.and_then(|time| time.try_into().ok()).unwrap_or(0),
            origin,
        }
    }

    pub fn start(&self) -> u64 {
        u64::from(self.first[0]) | u64::from(self.first[1]) << 32
    }

    pub fn end(&self) -> u64 {
        self.start() + u64::from(self.units)
    }

    pub fn count(&self) -> u128 {
        self.count.iter().rev().fold(0, |count, word| count << 32 | u128::from(*word))
    }

    /// Entries that say the same of the same units stand together, and an entry before those within it.
    pub fn order(&self) -> (u64, Reverse<u32>, u128, u32) {
        (self.start(), Reverse(self.units), self.count(), self.line)
    }

    /// Whether both say the same of the same units.
    pub fn agrees(&self, other: &Self) -> bool {
        (self.first, self.units, self.count) == (other.first, other.units, other.count)
    }

    /// Whether one is the other, in a copy of the record.
    pub fn is_copy(&self, other: &Self) -> bool {
        Self { line: other.line, ..*self } == *other
    }
}
