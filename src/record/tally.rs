//! The tally: entries of any number of records added up, each unit once.
//!
//! Adding is indifferent to order and to repetition: the same entry may come from two machines, from a file that is
//! given twice, or from a task that a scheduler ran again. What it does not accept is a contradiction. Two entries that
//! share a unit have to be about the same units and of the same count; otherwise one of them is wrong or nobody can
//! tell what the shared unit contributed, and no total is better than a wrong one.

use std::collections::BTreeMap;
use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::{Entry, Plan, Record, RecordError, UnitSet};

/// A line of a record.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    path: Arc<PathBuf>,
    line: u64,
}

impl fmt::Display for Place {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{} line {}", self.path.display(), self.line)
    }
}

/// The sum of records of one plan.
#[derive(Clone, Debug)]
pub struct Tally {
    plan: Plan,
    /// The entries by their first unit.
    entries: BTreeMap<u64, (Entry, Place)>,
    total: u128,
    done: UnitSet,
    repeated: u64,
}

impl Tally {
    /// The tally of no record yet.
    pub fn new(plan: Plan) -> Self {
        Self { plan, entries: BTreeMap::new(), total: 0, done: UnitSet::new(), repeated: 0 }
    }

    /// Adds a record, which `path` is the name of in errors.
    ///
    /// # Errors
    /// When the record is of another plan, or contradicts itself or what has been added before.
    pub fn add(&mut self, record: Record, path: &Path) -> Result<(), RecordError> {
        let Some(plan) = record.plan else { return Ok(()) };
        if let Some(difference) = plan.difference(&self.plan) {
            return Err(RecordError::OtherPlan { path: path.to_owned(), line: 1, difference });
        }
        let path = Arc::new(path.to_owned());
        for (line, entry) in record.entries {
            self.add_entry(entry, Place { path: Arc::clone(&path), line })?;
        }
        Ok(())
    }

    fn add_entry(&mut self, entry: Entry, place: Place) -> Result<(), RecordError> {
        // Entries in the tally do not overlap, so the last one that starts before this one ends is the only suspect
        // that has to be looked at.
        if let Some((_, (other, other_place))) = self.entries.range(..entry.units.end).next_back()
            && other.units.end > entry.units.start
        {
            if (&other.units, other.count) == (&entry.units, entry.count) {
                self.repeated += 1;
                return Ok(());
            }
            let reason = if other.units == entry.units {
                format!("units {}: {} or {} solutions", shown(other), other.count, entry.count)
            } else {
                format!("units {} and {} overlap but are not the same", shown(other), shown(&entry))
            };
            return Err(RecordError::Conflict { first: other_place.clone(), second: place, reason });
        }
        self.total = self.total.checked_add(entry.count).ok_or(RecordError::Overflow)?;
        self.done.insert(entry.units.clone());
        self.entries.insert(entry.units.start, (entry, place));
        Ok(())
    }

    /// The plan that all records agree in.
    pub fn plan(&self) -> &Plan {
        &self.plan
    }

    /// The number of solutions that belong to the units that are done; all solutions when none is missing.
    pub fn total(&self) -> u128 {
        self.total
    }

    /// The units that are done.
    pub fn done(&self) -> &UnitSet {
        &self.done
    }

    /// The units that are not.
    pub fn missing(&self) -> UnitSet {
        UnitSet::from(0..self.plan.units).without(&self.done)
    }

    /// How many entries said again what another had said.
    pub fn repeated(&self) -> u64 {
        self.repeated
    }

    /// The time that the counted units kept threads, in seconds.
    pub fn seconds(&self) -> f64 {
        self.entries().map(|(entry, _)| entry.seconds).sum()
    }

    /// The entries by their units, each once, and where each was first found.
    pub fn entries(&self) -> impl Iterator<Item = (&Entry, &Place)> {
        self.entries.values().map(|(entry, place)| (entry, place))
    }
}

/// The units of an entry as text.
fn shown(entry: &Entry) -> UnitSet {
    UnitSet::from(entry.units.clone())
}
