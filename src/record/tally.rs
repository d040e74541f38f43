//! The tally: entries of any number of records added up, each unit once.
//!
//! Neither order nor repetition changes the sum: the same entry may come from two machines, from a file that is given
//! twice, or from a task that a scheduler ran again. Entries that overlap otherwise add up as far as they determine the
//! sum of their units ([`overlap`](super::overlap)). A contradiction is an error: if entries cannot all be true, nobody
//! can tell which of them is wrong. None of them counts then, and their units are missing. No total is better than a
//! wrong one.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::ops::Range;
use std::path::Path;
use std::sync::Arc;

use super::overlap::{Sum, sums};
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
    /// The entries, by first unit, end and count.
    entries: BTreeMap<(u64, u64, u128), (Entry, Place)>,
    /// The end of each group of entries that share units, directly or through others, by the first unit of the group.
    /// Most groups are single entries. No two groups share a unit.
    groups: BTreeMap<u64, u64>,
    /// The first units of the groups whose entries contradict each other.
    disputed: BTreeSet<u64>,
    total: u128,
    done: UnitSet,
    repeated: u64,
}

impl Tally {
    /// The tally of no record yet.
    pub fn new(plan: Plan) -> Self {
        Self {
            plan,
            entries: BTreeMap::new(),
            groups: BTreeMap::new(),
            disputed: BTreeSet::new(),
            total: 0,
            done: UnitSet::new(),
            repeated: 0,
        }
    }

    /// Adds a record. Errors call it by `path`. The time for an entry is logarithmic in the number of entries.
    ///
    /// # Errors
    /// When the record is of another plan; then nothing has been added. When it contradicts itself or what has been
    /// added before; then everything has been added, and the entries of [`Tally::disputes`] count as missing. When the
    /// sum passes 2^128; then the tally is of no more use.
    pub fn add(&mut self, record: Record, path: &Path) -> Result<(), RecordError> {
        let Some(plan) = record.plan else { return Ok(()) };
        if let Some(difference) = plan.difference(&self.plan) {
            return Err(RecordError::OtherPlan { path: path.to_owned(), line: 1, difference });
        }
        let path = Arc::new(path.to_owned());
        let mut grown = BTreeSet::new();
        for (line, entry) in record.entries {
            self.insert(entry, Place { path: Arc::clone(&path), line }, &mut grown);
        }
        self.settle(grown)
    }

    /// Adds an entry. The errors are the same.
    pub(super) fn add_entry(&mut self, entry: Entry, place: Place) -> Result<(), RecordError> {
        let mut grown = BTreeSet::new();
        self.insert(entry, place, &mut grown);
        self.settle(grown)
    }

    /// Puts an entry into its group. Groups that have `grown` are not in the sum.
    fn insert(&mut self, entry: Entry, place: Place, grown: &mut BTreeSet<u64>) {
        let Range { mut start, mut end } = entry.units;
        let key = (start, end, entry.count);
        if self.entries.contains_key(&key) {
            self.repeated += 1;
            return;
        }
        // All groups that the entry reaches into become one with it.
        while let Some((&other, &other_end)) = self.groups.range(..end).next_back()
            && other_end > start
        {
            if !grown.remove(&other) {
                self.take_out(other);
            }
            self.groups.remove(&other);
            (start, end) = (start.min(other), end.max(other_end));
        }
        self.entries.insert(key, (entry, place));
        self.groups.insert(start, end);
        grown.insert(start);
    }

    /// Adds groups to the sum. The first that is contradictory is the error.
    fn settle(&mut self, grown: BTreeSet<u64>) -> Result<(), RecordError> {
        for &start in &grown {
            let Some(sums) = self.sums(start) else {
                self.disputed.insert(start);
                continue;
            };
            for (units, count) in sums {
                self.total = self.total.checked_add(count).ok_or(RecordError::Overflow)?;
                self.done.insert(units);
            }
        }
        match grown.intersection(&self.disputed).next() {
            None => Ok(()),
            Some(&start) => Err(self.dispute(start).into()),
        }
    }

    /// Takes a group out of the sum.
    fn take_out(&mut self, start: u64) {
        if self.disputed.remove(&start) {
            return;
        }
        for (units, count) in self.sums(start).into_iter().flatten() {
            self.total = self.total.saturating_sub(count);
            self.done.remove(units);
        }
    }

    /// What the entries of a group say together.
    fn sums(&self, start: u64) -> Option<Vec<Sum>> {
        let sum = |(entry, _): &(Entry, Place)| (entry.units.clone(), entry.count);
        let entries: Vec<Sum> = self.group(start).map(sum).collect();
        if entries.len() == 1 { Some(entries) } else { sums(&entries) }
    }

    /// The entries of a group.
    fn group(&self, start: u64) -> impl Iterator<Item = &(Entry, Place)> {
        let end = self.groups[&start];
        self.entries.range((start, 0, 0)..(end, 0, 0)).map(|(_, entry)| entry)
    }

    fn dispute(&self, start: u64) -> Dispute {
        Dispute { entries: self.group(start).cloned().collect() }
    }

    /// The entries that contradict each other: those that share units, directly or through others, are a dispute.
    pub fn disputes(&self) -> impl Iterator<Item = Dispute> {
        self.disputed.iter().map(|&start| self.dispute(start))
    }

    /// The units that are in entries and nevertheless not done, although nothing contradicts these entries: they
    /// overlap others in part, and do not say how their count is spread over their units.
    pub fn unsettled(&self) -> UnitSet {
        let mut units = UnitSet::new();
        for (&start, &end) in self.groups.iter().filter(|(start, _)| !self.disputed.contains(start)) {
            units.insert(start..end);
        }
        units.without(&self.done)
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

    /// The units whose number of solutions the entries tell, and none contradicts.
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

    /// The time that the units of all entries have kept threads, in seconds.
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
        write!(formatter, "{}{more} disagree: ", listed(&places, "and"))?;
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
