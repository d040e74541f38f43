//! A dispute: entries that cannot all be true.

use std::fmt;
use std::ops::Range;

use super::{Entry, Place, UnitSet};

/// Entries that share units, directly or through others, and cannot all be true. As text it names each of them.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub struct Dispute {
    /// The entries in the order of their units, and where each was first found.
    pub entries: Vec<(Entry, Place)>,
}

impl fmt::Display for Dispute {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        const SHOWN: usize = 10;
        let more = if self.entries.len() > SHOWN { ", ..." } else { "" };
        let shown = &self.entries[..self.entries.len().min(SHOWN)];
        let units = |entry: &Entry| UnitSet::from(entry.units.clone());
        let places: Vec<String> = shown.iter().map(|(_, place)| place.to_string()).collect();
        let crosses = |one: &Range<u64>, other: &Range<u64>| {
            one.start < other.start && other.start < one.end && one.end < other.end
        };
        let all = || self.entries.iter().map(|(entry, _)| &entry.units);
        let what = match all().any(|one| all().any(|other| crosses(one, other))) {
            true => "share units, and no run writes all of them",
            false => "disagree",
        };
        write!(formatter, "{}{more} {what}: ", listed(&places, "and"))?;
        let (first, _) = &self.entries[0];
        if self.entries.iter().all(|(entry, _)| entry.units == first.units) {
            let counts: Vec<String> = shown.iter().map(|(entry, _)| entry.count.to_string()).collect();
            return write!(formatter, "units {}: {}{more} solutions", units(first), listed(&counts, "or"));
        }
        let say = |(entry, _): &(Entry, Place)| format!("units {}: {} solutions", units(entry), entry.count);
        let said: Vec<String> = shown.iter().map(say).collect();
        write!(formatter, "{}{more}", said.join(", "))
    }
}

/// Words with a conjunction before the last.
fn listed(words: &[String], conjunction: &str) -> String {
    match words {
        [others @ .., last] if !others.is_empty() => format!("{} {conjunction} {last}", others.join(", ")),
        _ => words.concat(),
    }
}
