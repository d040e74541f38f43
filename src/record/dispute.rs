//! What is found where records are held against each other: entries that contradict each other, and copies.

use std::fmt;
use std::path::{Path, PathBuf};

use super::{Entry, UnitSet};

/// Where something stands: a line of a record. As text it is like `a.jsonl line 7`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    pub(super) path: PathBuf,
    pub(super) line: u64,
}

impl Place {
    pub(super) fn parts(&self) -> (Option<&Path>, Option<u64>) {
        (Some(&self.path), Some(self.line))
    }
}

impl fmt::Display for Place {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{} line {}", self.path.display(), self.line)
    }
}

/// Entries of the same units with different counts. As text it names each of them.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub struct Dispute {
    /// An entry for each count, and where it stands.
    pub entries: Vec<(Entry, Place)>,
}

impl fmt::Display for Dispute {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        const SHOWN: usize = 10;
        let more = if self.entries.len() > SHOWN { ", ..." } else { "" };
        let shown = &self.entries[..self.entries.len().min(SHOWN)];
        let units: UnitSet = self.entries.iter().map(|(entry, _)| entry.units()).collect();
        let places: Vec<String> = shown.iter().map(|(_, place)| place.to_string()).collect();
        let counts: Vec<String> = shown.iter().map(|(entry, _)| entry.count.to_string()).collect();
        let (places, counts) = (listed(&places, "and"), listed(&counts, "or"));
        write!(formatter, "{places}{more} disagree: units {units}: {counts}{more} solutions")
    }
}

/// Words with a conjunction before the last.
fn listed(words: &[String], conjunction: &str) -> String {
    match words {
        [others @ .., last] if !others.is_empty() => format!("{} {conjunction} {last}", others.join(", ")),
        _ => words.concat(),
    }
}

/// Entries of one site that say another one's time and seconds: copies with another name. As text it names one.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Copies {
    /// How many there are.
    pub number: u64,
    /// Where one stands.
    pub copy: Place,
    /// Where the entry stands that it says again.
    pub original: Place,
}

impl fmt::Display for Copies {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { number, copy, original } = self;
        let (entries, count) = if *number == 1 { ("entry", "counts") } else { ("entries", "count") };
        write!(
            formatter,
            "{number} {entries} of a site repeat the time and the seconds of another site's, and {count} once: {copy} \
             is a copy of {original}"
        )
    }
}
