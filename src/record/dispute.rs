//! What is found where lines are held against each other: entries that contradict each other or an audit, and copies.

use std::fmt;
use std::path::{Path, PathBuf};

use super::{Entry, Finding, UnitSet};

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
        let units: UnitSet = self.entries.iter().map(|(entry, _)| entry.units()).collect();
        let said = |(entry, place): &(Entry, Place)| format!("{place} has {}", entry.count);
        let said: Vec<String> = self.entries.iter().take(SHOWN).map(said).collect();
        let more = if self.entries.len() > SHOWN { ", ..." } else { "" };
        write!(formatter, "entries disagree on the solutions of units {units}: {}{more}", said.join(", "))
    }
}

/// A finding that an entry contradicts, or that convicts the engine of the entry. As text it says where both stand.
#[derive(Clone, Debug, thiserror::Error)]
#[non_exhaustive]
pub struct Refutation {
    /// What has been found.
    pub finding: Finding,
    /// Where that stands.
    pub place: Place,
    /// What the entry says.
    pub count: u128,
    /// Where it stands.
    pub entry: Place,
}

impl fmt::Display for Refutation {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { finding, place, count, entry } = self;
        let (units, recount) = (UnitSet::from(finding.units()), finding.recount);
        let found = format!("an audit has found {recount} solutions where {count} are recorded");
        write!(formatter, "{place} and {entry} disagree: units {units}: {found}")?;
        if let (Some(unit), Some(part)) = (finding.unit, finding.part) {
            write!(formatter, ", and the engine is wrong on part {part} of unit {unit}")?;
        }
        write!(formatter, "; count these units again elsewhere, and delete the line that is wrong")
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
