//! The tally adds up the entries of any number of records, and includes each task only once.
//!
//! Entries with the same units but different counts form a dispute. None of these counts is used,
//! and the units are treated as missing: a missing total is better than a wrong one.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use std::path::Path;

use super::error::REPORTED;
use super::plan::Rules;
use super::set::PackedEntry;
use super::{Dispute, Entry, Findings, LineRef, Plan, Reader, RecordError, RecordSet, UnitSet};
use crate::known::oeis_a000170;
use crate::splitmix::SplitMix64;

/// The sum of the records of one plan.
#[derive(Debug)]
pub struct Tally {
    /// All entries, sorted by [`PackedEntry::order`].
    pub(super) set: RecordSet,
    count: u128,
    done: UnitSet,
    /// For each dispute, the range of its entries.
    disputed: Vec<Range<usize>>,
    tasks: u64,
}

impl RecordSet {
    /// Adds up the entries, in O(n log n) time.
    pub fn tally(mut self) -> Tally {
        self.entries.sort_unstable_by_key(PackedEntry::order);
        let entries = &self.entries;
        let mut count = 0_u128;
        let mut done = UnitSet::new();
        let mut disputed = Vec::new();
        let mut tasks = 0;
        let mut begin = 0;
        while let Some(first) = entries.get(begin) {
            // Collect the entries that have units in common. (Tasks of a user's own engine may
            // overlap.)
            let mut end = begin;
            let mut units = first.units();
            while let Some(next) = entries.get(end)
                && next.units().start < units.end
            {
                units.end = units.end.max(next.units().end);
                end += 1;
            }
            if first.agrees(&entries[end - 1]) {
                count = count.saturating_add(first.count);
                done.insert(units);
                tasks += 1;
            } else {
                disputed.push(begin..end);
            }
            begin = end;
        }
        Tally {
            count,
            done,
            disputed,
            tasks,
            set: self,
        }
    }
}

impl Rules {
    pub(super) fn check_total(&self, total: u128) -> Result<(), RecordError> {
        let n = self.plan.n;
        // A user's own engine may count something else, so its total is not compared.
        match oeis_a000170(n) {
            Some(published) if self.engine.is_some() && published != total => {
                Err(RecordError::WrongTotal {
                    n,
                    total,
                    published,
                })
            }
            _ => Ok(()),
        }
    }
}

/// Adds up records of one plan.
///
/// # Errors
/// Fails if a file cannot be read, is not a record, is damaged, or has a different plan, or if
/// [`Tally::into_checked`] fails.
pub fn merge(plan: &Plan, records: &[impl AsRef<Path>]) -> Result<Tally, RecordError> {
    let mut set = RecordSet::new(plan.clone());
    for path in records {
        set.read_undamaged(&mut Reader::open(path)?)?;
    }
    set.tally().into_checked()
}

impl Tally {
    /// Returns the tally if it has no contradictions.
    ///
    /// # Errors
    /// Fails with the first of the [contradictions](Tally::contradictions).
    pub fn into_checked(self) -> Result<Self, RecordError> {
        match self.contradictions().into_iter().next() {
            Some(error) => Err(error),
            None => Ok(self),
        }
    }

    /// Returns an error for each of the first ten disputes, a single error for any others, and one
    /// if the sum exceeds N! or the total differs from the published value.
    pub fn contradictions(&self) -> Vec<RecordError> {
        let disputes = self.disputes().take(REPORTED);
        let mut found: Vec<_> = disputes.map(RecordError::from).collect();
        let more = self.disputed.len() - found.len();
        if more > 0 {
            found.push(RecordError::MoreConflicts(more as u64));
        }
        found.extend(match self.largest_of_excess() {
            Some(largest) => Some(RecordError::SumTooLarge(
                self.plan().n,
                self.set.place(largest),
            )),
            None => self
                .total()
                .and_then(|total| self.set.rules.check_total(total).err()),
        });
        found
    }

    /// Returns the plan that all records share.
    pub fn plan(&self) -> &Plan {
        &self.set.rules.plan
    }

    /// Returns the number of solutions of the counted units.
    pub fn count(&self) -> u128 {
        self.count
    }

    /// Returns the number of solutions of the board, or `None` if units are missing.
    pub fn total(&self) -> Option<u128> {
        self.missing().is_empty().then_some(self.count)
    }

    /// Returns the counted units, without the disputed ones.
    pub fn done(&self) -> &UnitSet {
        &self.done
    }

    /// Returns the missing units.
    pub fn missing(&self) -> UnitSet {
        UnitSet::from(0..self.plan().units).difference(&self.done)
    }

    /// Returns the units that at least two sources counted separately, with the same result. Two
    /// sources counted units separately if each has a count that the other lacks.
    pub fn counted_twice(&self) -> UnitSet {
        self.counted()
            .filter(|alike| self.is_counted_twice(alike))
            .map(|alike| alike[0].units())
            .collect()
    }

    /// Returns the units that a source counted, or `None` if the name matches no source or more
    /// than one. `source` is any path to the source, or the end of the path from which its records
    /// were loaded: `lyon` finds `q28/lyon`.
    pub fn counted_by(&self, source: impl AsRef<Path>) -> Option<UnitSet> {
        let source = self.set.find_source(source.as_ref())?;
        let entries = self.set.entries.iter();
        let counted = entries.filter(|entry| self.set.source_of(entry) == source);
        Some(counted.map(PackedEntry::units).collect())
    }

    /// Returns the number of copied counts for each pair of sources. The first source of a pair was
    /// read first and has the original; the second has the copy.
    pub fn shared_counts(&self) -> BTreeMap<(&Path, &Path), u64> {
        let mut shared = BTreeMap::new();
        for same in self.set.entries.chunk_by(PackedEntry::is_same_count) {
            let sources: BTreeSet<_> = same.iter().map(|entry| self.set.source_of(entry)).collect();
            let mut sources = sources.into_iter().map(|source| &*self.set.sources[source]);
            let original = sources.next().expect("a chunk is not empty");
            for copy in sources {
                *shared.entry((original, copy)).or_insert(0) += 1;
            }
        }
        shared
    }

    /// Returns the number of ignored lines, which are audit findings written by older versions.
    pub fn ignored(&self) -> u64 {
        self.set.ignored
    }

    /// Returns the number of entries that repeat the units and the count of another entry.
    pub fn repeated(&self) -> u64 {
        self.entry_count() - self.alike().count() as u64
    }

    /// Returns the number of finished tasks.
    pub fn tasks(&self) -> u64 {
        self.tasks
    }

    /// Returns the number of entries, including repeated ones.
    pub fn entry_count(&self) -> u64 {
        self.set.entries.len() as u64
    }

    /// Returns the total thread time of all counts, in seconds.
    pub fn seconds(&self) -> f64 {
        let counts = self.set.entries.chunk_by(PackedEntry::is_same_count);
        0.0 + counts.map(|same| same[0].seconds()).sum::<f64>()
    }

    /// Returns one entry per finished task, with its line, sorted by unit.
    pub fn entries(&self) -> impl Iterator<Item = (Entry, LineRef)> {
        self.counted().map(|alike| self.set.unpacked(alike))
    }

    /// Returns whether [`Tally::counted_twice`] includes the units of these entries, which agree.
    pub(super) fn is_counted_twice(&self, alike: &[PackedEntry]) -> bool {
        // Most units are counted only once, so this is checked first.
        if alike[0].is_same_count(&alike[alike.len() - 1]) {
            return false;
        }
        let mut counts: BTreeMap<_, BTreeSet<_>> = BTreeMap::new();
        for entry in alike {
            let source = self.set.source_of(entry);
            counts.entry(source).or_default().insert(entry.microseconds);
        }
        let mut counts = Vec::from_iter(counts.into_values());
        counts.sort_by_key(BTreeSet::len);
        !counts.is_sorted_by(|fewer, more| fewer.is_subset(more))
    }

    /// Returns the entries of the finished tasks, in one group per task.
    fn counted(&self) -> impl Iterator<Item = &[PackedEntry]> {
        self.alike()
            .filter(|alike| self.done.contains(alike[0].units().start))
    }

    /// Returns the entry with the largest count if the sum exceeds N!. That entry is wrong, because
    /// its count is at least the mean, which in such a sum is far above any correct count.
    fn largest_of_excess(&self) -> Option<&PackedEntry> {
        if self.count <= self.set.rules.most {
            return None;
        }
        self.counted()
            .map(|alike| &alike[0])
            .max_by_key(|entry| entry.count)
    }

    /// Returns all entries, in groups whose entries agree.
    pub(super) fn alike(&self) -> impl Iterator<Item = &[PackedEntry]> {
        self.set.entries.chunk_by(PackedEntry::agrees)
    }

    /// Returns the disputes.
    pub fn disputes(&self) -> impl Iterator<Item = Dispute> {
        self.disputed.iter().map(|range| {
            let alike = self.set.entries[range.clone()].chunk_by(PackedEntry::agrees);
            Dispute {
                entries: alike.map(|alike| self.set.unpacked(alike)).collect(),
            }
        })
    }

    /// Returns the entries that an audit should recount, sorted by unit: the disputed entries, the
    /// largest entry if the sum exceeds N!, and the entries that an earlier audit found to be
    /// wrong. Of entries that agree, only one is returned.
    pub fn suspects(&self, rejected: &Findings) -> Vec<(Entry, LineRef)> {
        let largest = self.largest_of_excess();
        let suspects = self.alike().filter(|alike| {
            let units = alike[0].units();
            largest.is_some_and(|largest| largest.agrees(&alike[0]))
                || !self.done.contains(units.start)
                || rejected.rejects(&units, alike[0].count)
        });
        suspects.map(|alike| self.set.unpacked(alike)).collect()
    }

    /// Returns a random sample of `size` [entries](Tally::entries), or all if there are fewer. The
    /// same seed always gives the same sample.
    pub fn sample(&self, size: usize, seed: u64) -> Vec<(Entry, LineRef)> {
        let mut random = SplitMix64::new(seed);
        let mut left = self.tasks;
        let mut wanted = (size as u64).min(left);
        // Select each entry with probability `wanted / left` (Knuth's algorithm S).
        let drawn = self.counted().filter(|_| {
            let is_drawn = random.below(left) < wanted;
            left -= 1;
            wanted -= u64::from(is_drawn);
            is_drawn
        });
        drawn.map(|alike| self.set.unpacked(alike)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::BoardSize;
    use crate::choice::EngineChoice;

    #[test]
    fn only_exact_published_totals_are_accepted() {
        for n in [4, 8, 25, 26, 27] {
            let engine = EngineChoice::Rows.engine(BoardSize::new(n).unwrap());
            let rules = Rules::new(&Plan::new(&engine));
            let published = oeis_a000170(n).unwrap();
            for (total, is_right) in [
                (published - 1, false),
                (published, true),
                (published + 1, false),
                (published + (1 << 64), false),
            ] {
                assert_eq!(rules.check_total(total).is_ok(), is_right, "{total}");
            }
        }
    }
}
