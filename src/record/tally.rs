//! The tally: entries of any number of records added up, each unit once.
//!
//! Neither order nor repetition changes the sum: the same entry may come from two machines, from a file that is given
//! twice, or from a task that a scheduler ran again. A contradiction is an error. Two entries that share a unit have to
//! have the same units and the same count. If their counts differ, one of them is wrong; if their units differ, nobody
//! can tell what the shared unit contributed. No total is better than a wrong one.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

use super::{Entry, Place, Plan, Record, RecordError, UnitSet};
use crate::random::Random;

/// The sum of the records of one plan.
///
/// ```
/// use queencount::record::{Journal, Plan, Record, Shard, Tally};
/// use queencount::{BoardSize, EngineChoice, FanOut};
///
/// let engine = EngineChoice::Backtrack.plan(BoardSize::new(10)?);
/// let plan = Plan::new(engine.as_ref());
/// let folder = tempfile::tempdir()?;
/// let mut tally = Tally::new(plan.clone());
/// for part in [1, 2] {
///     // Each machine counts its part, in a record of its own.
///     let record = folder.path().join(format!("{part}.jsonl"));
///     let units = Shard::new(part, 2)?.units(engine.as_ref()).into();
///     Journal::open(&record, &plan)?.count(engine.as_ref(), &units, FanOut::default())?;
///
///     assert!(!tally.missing().is_empty());
///     tally.add(Record::read(&record)?, &record)?;
/// }
/// assert!(tally.missing().is_empty());
/// assert_eq!(tally.total(), 724);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
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

    /// Adds a record. Errors call it by `path`. The time for an entry is logarithmic in the number of entries.
    ///
    /// # Errors
    /// When the record is of another plan, when it contradicts itself or what has been added before, or when the sum
    /// passes 2^128. Then a part of its entries may have been added.
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

    /// The number of solutions that belong to the units that are done. When no unit is missing, these are all
    /// solutions of the board.
    pub fn total(&self) -> u128 {
        self.total
    }

    /// The units that are done.
    pub fn done(&self) -> &UnitSet {
        &self.done
    }

    /// The units that are not done.
    pub fn missing(&self) -> UnitSet {
        UnitSet::from(0..self.plan.units).without(&self.done)
    }

    /// The number of entries that said again what another one had said.
    pub fn repeated(&self) -> u64 {
        self.repeated
    }

    /// The time that the units done have kept threads, in seconds.
    pub fn seconds(&self) -> f64 {
        self.entries().map(|(entry, _)| entry.seconds).sum()
    }

    /// The entries in the order of their units, each once, and where each was first found.
    pub fn entries(&self) -> impl Iterator<Item = (&Entry, &Place)> {
        self.entries.values().map(|(entry, place)| (entry, place))
    }

    /// A random sample of `size` entries, for an [`Audit`](super::Audit), in the order of their units; all entries when
    /// there are no more. Every entry is as likely as any other, and the same seed gives the same sample.
    pub fn sample(&self, size: usize, seed: u64) -> Vec<(&Entry, &Place)> {
        let entries: Vec<_> = self.entries().collect();
        sample_of_numbers(entries.len(), size, seed).into_iter().map(|number| entries[number]).collect()
    }
}

/// A random sample of the numbers below `bound`, in order: the first places of a shuffle (Fisher and Yates).
fn sample_of_numbers(bound: usize, size: usize, seed: u64) -> Vec<usize> {
    let mut random = Random::new(seed);
    let mut numbers: Vec<usize> = (0..bound).collect();
    let size = size.min(bound);
    for place in 0..size {
        let other = place + random.below((bound - place) as u64) as usize;
        numbers.swap(place, other);
    }
    numbers.truncate(size);
    numbers.sort_unstable();
    numbers
}

/// The units of an entry as text.
fn shown(entry: &Entry) -> UnitSet {
    UnitSet::from(entry.units.clone())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_entry_is_sampled_as_often_as_any_other() {
        let mut sampled = [0; 10];
        for seed in 0..10_000 {
            let sample = sample_of_numbers(10, 3, seed);
            assert!(sample.windows(2).all(|pair| pair[0] < pair[1]) && sample.len() == 3);
            sample.into_iter().for_each(|number| sampled[number] += 1);
        }
        // 3000 each, with a standard deviation of 46.
        assert!(sampled.iter().all(|times| (2800..3200).contains(times)), "{sampled:?}");
        assert_eq!(sample_of_numbers(4, 9, 1), [0, 1, 2, 3]);
    }
}
