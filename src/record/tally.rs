//! The tally: entries of any number of records added up, each unit once.
//!
//! Neither order nor repetition changes the sum: the same entry may come from two machines, from a file that is given
//! twice, or from a task that a scheduler ran again. Entries that share units and cannot all be true ([`fit`](super::fit))
//! are a dispute. Nobody can tell which of them is wrong: none of them counts, and their units are missing. No total is
//! better than a wrong one.

use std::collections::HashMap;
use std::ops::Range;
use std::path::PathBuf;

use super::dispute::Dispute;
use super::fit::fit;
use super::kept::{Kept, Origin};
use super::{Entry, Finding, Place, Plan, RecordError, Refutation, UnitSet, Verdict};
use crate::random::Random;

/// The sum of the records of one plan: see [`Collection`](super::Collection).
#[derive(Debug)]
pub struct Tally {
    plan: Plan,
    records: Vec<(PathBuf, u64)>,
    origins: Vec<Origin>,
    /// All entries, in their order, without copies.
    kept: Vec<Kept>,
    total: u128,
    done: UnitSet,
    /// The places of entries that share units and cannot all be true.
    disputed: Vec<Range<usize>>,
    findings: Vec<(Finding, Place)>,
    repeated: u64,
}

/// An entry of a tally.
#[derive(Clone, Copy, Debug)]
pub struct Claim<'a> {
    tally: &'a Tally,
    kept: &'a Kept,
}

impl<'a> Claim<'a> {
    /// The range of units.
    pub fn units(&self) -> Range<u64> {
        self.kept.start()..self.kept.end()
    }

    /// The number of solutions that belong to them.
    pub fn count(&self) -> u128 {
        self.kept.count()
    }

    /// The time that they kept a thread, in seconds, to seven digits.
    pub fn seconds(&self) -> f64 {
        self.kept.seconds.into()
    }

    /// When they were finished, in seconds since the beginning of 1970 (UTC).
    pub fn time(&self) -> Option<u64> {
        (self.kept.time > 0).then_some(self.kept.time.into())
    }

    /// The place of the record among all.
    pub(super) fn record_place(&self) -> usize {
        let line = u64::from(self.kept.line);
        self.tally.records.partition_point(|(_, before)| *before < line) - 1
    }

    /// The place of the origin among [`Tally::origins`].
    pub(super) fn origin_place(&self) -> usize {
        self.kept.origin as usize
    }

    /// Where, by what and by which program they were counted.
    pub fn origin(&self) -> &'a Origin {
        &self.tally.origins[self.kept.origin as usize]
    }

    /// The entry, and where it stands.
    pub fn entry(&self) -> (Entry, Place) {
        let Origin { site, host, kernel, .. } = self.origin().clone();
        let (units, count, seconds, time) = (self.units(), self.count(), self.seconds(), self.time());
        let (path, before) = &self.tally.records[self.record_place()];
        let place = Place { path: path.clone(), line: u64::from(self.kept.line) - before };
        (Entry { units, count, seconds, kernel, time, site, host }, place)
    }
}

impl Tally {
    /// Adds up.
    pub(super) fn new(
        plan: Plan,
        records: Vec<(PathBuf, u64)>,
        origins: Vec<Origin>,
        mut kept: Vec<Kept>,
        findings: Vec<(Finding, Place)>,
    ) -> Result<Self, RecordError> {
        kept.sort_unstable_by_key(Kept::order);
        let lines = kept.len();
        // The first of equal lines stays.
        kept.dedup_by(|line, before| line.is_copy(before));
        let mut refuted = UnitSet::new();
        for (finding, _) in &findings {
            contradicted(&kept, finding).for_each(|kept| refuted.insert(kept.start()..kept.end()));
        }
        let (mut total, mut done, mut disputed, mut distinct) = (0_u128, UnitSet::new(), Vec::new(), 0);
        let mut begin = 0;
        while let Some(first) = kept.get(begin) {
            // All entries that share units with this one, or with others that do.
            let (mut end, mut units) = (begin, first.end());
            while let Some(next) = kept.get(end).filter(|next| next.start() < units) {
                distinct += usize::from(end == begin || !next.agrees(&kept[end - 1]));
                units = units.max(next.end());
                end += 1;
            }
            if !fit(&kept[begin..end]) {
                disputed.push(begin..end);
            } else if refuted.is_empty() || !(first.start()..units).any(|unit| refuted.contains(unit)) {
                total = total.checked_add(first.count()).ok_or(RecordError::Overflow)?;
                done.insert(first.start()..first.end());
            }
            begin = end;
        }
        let repeated = (lines - distinct) as u64;
        Ok(Self { plan, records, origins, kept, total, done, disputed, findings, repeated })
    }

    /// The same, if no entries contradict each other, and no audit contradicts them.
    ///
    /// # Errors
    /// The first dispute, if there is one, or what an audit has refuted.
    pub fn agreed(self) -> Result<Self, RecordError> {
        let wrong = self.disputes().map(RecordError::from).chain(self.refuted()).next();
        wrong.map_or(Ok(self), Err)
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

    /// The origins of all entries, each once.
    pub fn origins(&self) -> &[Origin] {
        &self.origins
    }

    /// The units that two sites have counted alike. Entries that name no site do not count here, nor does one that is
    /// within another.
    pub fn twice(&self) -> UnitSet {
        self.units_of(|alike| {
            let mut sites = alike.iter().filter_map(|claim| claim.origin().site.as_deref());
            let first = sites.next();
            sites.any(|site| Some(site) != first)
        })
    }

    /// The units that a site has counted.
    pub fn counted_by(&self, site: &str) -> UnitSet {
        self.units_of(|alike| alike.iter().any(|claim| claim.origin().site.as_deref() == Some(site)))
    }

    /// The units of undisputed entries, if those that say the same are as `choose` wants them.
    fn units_of(&self, choose: impl Fn(&[Claim]) -> bool) -> UnitSet {
        let mut units = UnitSet::new();
        for alike in self.alike().filter(|alike| choose(alike)) {
            let range = alike[0].units();
            if self.done.contains(range.start) {
                units.insert(range);
            }
        }
        units
    }

    /// What audits have found, in the order of the records.
    pub fn findings(&self) -> impl Iterator<Item = &Finding> {
        self.findings.iter().map(|(finding, _)| finding)
    }

    /// The units of undisputed entries that an audit has counted again, with the same result.
    pub fn audited(&self) -> UnitSet {
        let mut units = UnitSet::new();
        for (finding, _) in &self.findings {
            let agrees = |kept: &Kept| kept.count() == finding.recount && self.done.contains(kept.start());
            if finding.verdict() != Verdict::Engine && same_units(&self.kept, &finding.units).any(agrees) {
                units.insert(finding.units.clone());
            }
        }
        units
    }

    /// What audits have found that undisputed entries contradict, or that convicts their engine. None of these entries
    /// counts, and their units are missing.
    pub fn refuted(&self) -> impl Iterator<Item = RecordError> {
        self.findings.iter().flat_map(|(finding, place)| {
            contradicted(&self.kept, finding).take(1).filter(|kept| !self.is_disputed(kept)).map(|kept| {
                let (entry, of) = Claim { tally: self, kept }.entry();
                let (finding, place) = (finding.clone(), place.clone());
                Box::new(Refutation { finding, place, count: entry.count, entry: of }).into()
            })
        })
    }

    fn is_disputed(&self, entry: &Kept) -> bool {
        let before = self.disputed.partition_point(|places| self.kept[places.start].start() <= entry.start());
        before
            .checked_sub(1)
            .is_some_and(|last| self.kept[self.disputed[last].clone()].iter().any(|kept| kept.end() > entry.start()))
    }

    /// The counts of tasks of so many units, in the order of units, each as an entry that says nothing else: of the tasks
    /// whose units are all done. Whoever counted them, in whatever pieces, the same counts give the same entries.
    ///
    /// # Panics
    /// When `units_per_task` is 0.
    pub fn subtotals(&self, units_per_task: u64) -> impl Iterator<Item = Entry> {
        let ends = move |unit: u64| unit.is_multiple_of(units_per_task) || unit == self.plan.units;
        // The units of a task up to here, and their count.
        let mut begun: Option<(Range<u64>, u128)> = None;
        self.outermost().filter_map(move |kept| {
            let (units, count) = match begun.take() {
                Some((units, count)) if units.end == kept.start() => {
                    (units.start..kept.end(), count.checked_add(kept.count()).expect("no part passes the total"))
                }
                _ if kept.start().is_multiple_of(units_per_task) => (kept.start()..kept.end(), kept.count()),
                _ => return None,
            };
            if ends(units.end) {
                return Some(Entry { units, count, seconds: 0.0, kernel: None, time: None, site: None, host: None });
            }
            begun = Some((units, count));
            None
        })
    }

    /// The undisputed entries that are not within others, in order, each once.
    fn outermost(&self) -> impl Iterator<Item = &Kept> {
        let mut end = 0;
        let outer = move |kept: &&Kept| {
            let outer = kept.start() >= end;
            end = end.max(kept.end());
            outer
        };
        self.kept.iter().filter(outer).filter(|kept| self.done.contains(kept.start()))
    }

    /// The number of entries that said again what another one had said.
    pub fn repeated(&self) -> u64 {
        self.repeated
    }

    /// The time that all units have kept threads, in seconds: of units that have been counted twice both times, but of
    /// two copies of a record one.
    pub fn seconds(&self) -> f64 {
        self.lines().map(|claim| claim.seconds()).sum()
    }

    /// All entries in the order of their units. Of two copies of an entry one is there; of two machines that have
    /// counted the same units both are.
    pub fn lines(&self) -> impl Iterator<Item = Claim<'_>> {
        self.kept.iter().map(|kept| Claim { tally: self, kept })
    }

    /// All entries in the order of their units, those together that say the same of the same units.
    pub fn alike(&self) -> impl Iterator<Item = Vec<Claim<'_>>> {
        let chunks = self.kept.chunk_by(Kept::agrees);
        chunks.map(|chunk| chunk.iter().map(|kept| Claim { tally: self, kept }).collect())
    }

    /// The entries in the order of their units, each once, as it was first found.
    pub fn entries(&self) -> impl Iterator<Item = Claim<'_>> {
        let chunks = self.kept.chunk_by(Kept::agrees);
        chunks.map(|chunk| Claim { tally: self, kept: &chunk[0] })
    }

    /// The entries that contradict each other: those that share units, directly or through others, are a dispute.
    pub fn disputes(&self) -> impl Iterator<Item = Dispute> {
        self.disputed.iter().map(|places| {
            let chunks = self.kept[places.clone()].chunk_by(Kept::agrees);
            Dispute { entries: chunks.map(|chunk| Claim { tally: self, kept: &chunk[0] }.entry()).collect() }
        })
    }

    /// A random sample of `size` entries, for an [`Audit`](super::Audit), in the order of their units; all entries when
    /// there are no more. Every entry is as likely as any other, and the same seed gives the same sample.
    pub fn sample(&self, size: usize, seed: u64) -> Vec<(Entry, Place)> {
        let mut numbers = sample_of_numbers(self.entries().count(), size, seed).into_iter().peekable();
        let drawn = self.entries().enumerate().filter(|(number, _)| numbers.next_if_eq(number).is_some());
        drawn.map(|(_, claim)| claim.entry()).collect()
    }
}

/// The entries of these units among all, which are in order.
fn same_units<'a>(kept: &'a [Kept], units: &Range<u64>) -> impl Iterator<Item = &'a Kept> + use<'a> {
    let (start, length) = (units.start, units.end - units.start);
    let begin =
        kept.partition_point(|kept| kept.start() < start || kept.start() == start && u64::from(kept.units) > length);
    kept[begin..].iter().take_while(move |kept| kept.start() == start && u64::from(kept.units) == length)
}

/// The entries among all that cannot be true, or whose engine counts wrong, if a finding is true.
fn contradicted<'a>(kept: &'a [Kept], finding: &Finding) -> impl Iterator<Item = &'a Kept> + use<'a> {
    let (wrong_engine, recount) = (finding.verdict() == Verdict::Engine, finding.recount);
    same_units(kept, &finding.units).filter(move |kept| wrong_engine || kept.count() != recount)
}

/// A random sample of the numbers below `bound`, in order: the first places of a shuffle (Fisher and Yates). Only the
/// numbers that are not at their own places are kept.
fn sample_of_numbers(bound: usize, size: usize, seed: u64) -> Vec<usize> {
    let mut random = Random::new(seed);
    let mut moved: HashMap<usize, usize> = HashMap::new();
    let mut drawn: Vec<usize> = (0..size.min(bound))
        .map(|place| {
            let other = place + random.below((bound - place) as u64) as usize;
            let here = moved.get(&place).copied().unwrap_or(place);
            moved.insert(other, here).unwrap_or(other)
        })
        .collect();
    drawn.sort_unstable();
    drawn
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
