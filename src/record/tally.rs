//! The tally: entries of any number of records added up, each unit once.
//!
//! Neither order nor repetition changes the sum: the same entry may come from two machines, from a file that is given
//! twice, or from a task that a scheduler ran again. Entries that share units and cannot all be true ([`fit`](super::fit))
//! are a dispute. Nobody can tell which of them is wrong: none of them counts, and their units are missing. No total is
//! better than a wrong one.

use std::collections::HashMap;
use std::ops::Range;
use std::path::Path;

use super::claim::{Claim, Origin};
use super::dispute::Dispute;
use super::fit::fit;
use super::{Collection, Entry, Finding, Place, Plan, Reader, RecordError, Refutation, UnitSet, Verdict};
use crate::random::Random;

/// The sum of the records of one plan: see [`Collection`].
#[derive(Debug)]
pub struct Tally {
    /// All entries, in their order, without copies.
    pub(super) collection: Collection,
    total: u128,
    done: UnitSet,
    /// The places of entries that share units and cannot all be true.
    disputed: Vec<Range<usize>>,
    repeated: u64,
}

impl Collection {
    /// Adds up. It takes a time that is proportional to the number of entries and its logarithm.
    ///
    /// # Errors
    /// When the sum passes 2^128.
    pub fn tally(mut self) -> Result<Tally, RecordError> {
        let claims = &mut self.claims;
        claims.sort_unstable_by_key(Claim::order);
        let lines = claims.len();
        // The first of equal lines stays.
        claims.dedup_by(|line, before| line.is_copy(before));
        let refuted = self.findings.iter().flat_map(|(finding, _)| contradicted(claims, finding));
        let refuted: UnitSet = refuted.map(Claim::units).collect();
        let (mut total, mut done, mut disputed, mut distinct) = (0_u128, UnitSet::new(), Vec::new(), 0);
        let mut begin = 0;
        while let Some(first) = claims.get(begin) {
            // All entries that share units with this one, or with others that do.
            let (mut end, mut units) = (begin, first.units());
            while let Some(next) = claims.get(end).filter(|next| next.units().start < units.end) {
                distinct += usize::from(end == begin || !next.agrees(&claims[end - 1]));
                units.end = units.end.max(next.units().end);
                end += 1;
            }
            if !fit(&claims[begin..end]) {
                disputed.push(begin..end);
            } else if refuted.is_empty() || !UnitSet::from(units).overlaps(&refuted) {
                total = total.checked_add(first.count()).ok_or(RecordError::Overflow)?;
                done.insert(first.units());
            }
            begin = end;
        }
        Ok(Tally { total, done, disputed, repeated: (lines - distinct) as u64, collection: self })
    }
}

/// The sum of some records of a plan, if nothing is wrong with them.
///
/// # Errors
/// When a record cannot be read, is none, is damaged, or is of another plan; when entries contradict each other; when the
/// sum passes 2^128.
pub fn merge(plan: &Plan, records: &[impl AsRef<Path>]) -> Result<Tally, RecordError> {
    let mut collection = Collection::new(plan.clone());
    for path in records {
        let damaged = collection.read(&mut Reader::open(path.as_ref())?)?;
        damaged.into_iter().next().map_or(Ok(()), Err)?;
    }
    collection.tally()?.agreed()
}

impl Tally {
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
        &self.collection.form.plan
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
        UnitSet::from(0..self.plan().units).without(&self.done)
    }

    /// Where, by what and by which program the units of a claim were counted, which has to be one of this tally.
    pub fn origin(&self, claim: &Claim) -> &Origin {
        &self.collection.origins[claim.origin as usize]
    }

    /// The entry of a claim, which has to be one of this tally, and where it stands.
    pub fn entry(&self, claim: &Claim) -> (Entry, Place) {
        self.collection.entry(claim)
    }

    /// The units that two sites have counted alike. Entries that name no site do not count here, nor does one that is
    /// within another.
    pub fn twice(&self) -> UnitSet {
        self.units_of(|alike| {
            let mut sites = alike.iter().filter_map(|claim| self.origin(claim).site.as_deref());
            let first = sites.next();
            sites.any(|site| Some(site) != first)
        })
    }

    /// The units that a site has counted.
    pub fn counted_by(&self, site: &str) -> UnitSet {
        self.units_of(|alike| alike.iter().any(|claim| self.origin(claim).site.as_deref() == Some(site)))
    }

    /// The units of undisputed entries, if those that say the same are as `choose` wants them.
    fn units_of(&self, choose: impl Fn(&[Claim]) -> bool) -> UnitSet {
        let chosen = self.alike().filter(|alike| choose(alike)).map(|alike| alike[0].units());
        chosen.filter(|units| self.done.contains(units.start)).collect()
    }

    /// What audits have found, in the order of the records.
    pub fn findings(&self) -> impl Iterator<Item = &Finding> {
        self.collection.findings.iter().map(|(finding, _)| finding)
    }

    /// The units of undisputed entries that an audit has counted again, with the same result.
    pub fn audited(&self) -> UnitSet {
        let right = self.findings().filter(|finding| {
            let agrees = |claim: &Claim| claim.count() == finding.recount && self.done.contains(claim.units().start);
            finding.verdict() != Verdict::Engine && same_units(&self.collection.claims, &finding.units).any(agrees)
        });
        right.map(|finding| finding.units.clone()).collect()
    }

    /// What audits have found that undisputed entries contradict, or that convicts their engine. None of these entries
    /// counts, and their units are missing.
    pub fn refuted(&self) -> impl Iterator<Item = RecordError> {
        let disputed = self.disputed.iter().flat_map(|places| &self.collection.claims[places.clone()]);
        let disputed: UnitSet = disputed.map(Claim::units).collect();
        self.collection.findings.iter().filter_map(move |(finding, place)| {
            let claim = contradicted(&self.collection.claims, finding).next();
            let (entry, of) = self.entry(claim.filter(|claim| !disputed.contains(claim.units().start))?);
            let (finding, place) = (finding.clone(), place.clone());
            Some(Box::new(Refutation { finding, place, count: entry.count, entry: of }).into())
        })
    }

    /// The counts of tasks of so many units, in the order of units, each as an entry that says nothing else: of the tasks
    /// whose units are all done. Whoever counted them, in whatever pieces, the same counts give the same entries.
    ///
    /// # Panics
    /// When `units_per_task` is 0.
    pub fn subtotals(&self, units_per_task: u64) -> impl Iterator<Item = Entry> {
        // The units of a task from the first on of which none is missing, and their count.
        let (mut begin, mut end, mut count) = (0, 0, 0_u128);
        self.outermost().filter_map(move |claim| {
            let units = claim.units();
            if units.start.is_multiple_of(units_per_task) {
                (begin, end, count) = (units.start, units.start, 0);
            }
            if units.start != end {
                return None;
            }
            (end, count) = (units.end, count.checked_add(claim.count()).expect("no part passes the total"));
            let (units, kernel, time, site, host) = (begin..end, None, None, None, None);
            let whole = end.is_multiple_of(units_per_task) || end == self.plan().units;
            whole.then_some(Entry { units, count, seconds: 0.0, kernel, time, site, host })
        })
    }

    /// The undisputed entries that are not within others, in order, each once.
    fn outermost(&self) -> impl Iterator<Item = &Claim> {
        let mut end = 0;
        let outer = move |claim: &&Claim| {
            let outer = claim.units().start >= end;
            end = end.max(claim.units().end);
            outer
        };
        self.lines().filter(outer).filter(|claim| self.done.contains(claim.units().start))
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
    pub fn lines(&self) -> impl Iterator<Item = &Claim> {
        self.collection.claims.iter()
    }

    /// All entries in the order of their units, those together that say the same of the same units.
    pub fn alike(&self) -> impl Iterator<Item = &[Claim]> {
        self.collection.claims.chunk_by(Claim::agrees)
    }

    /// The entries in the order of their units, each once, as it was first found.
    pub fn entries(&self) -> impl Iterator<Item = &Claim> {
        self.alike().map(|alike| &alike[0])
    }

    /// The entries that contradict each other: those that share units, directly or through others, are a dispute.
    pub fn disputes(&self) -> impl Iterator<Item = Dispute> {
        self.disputed.iter().map(|places| {
            let alike = self.collection.claims[places.clone()].chunk_by(Claim::agrees);
            Dispute { entries: alike.map(|alike| self.entry(&alike[0])).collect() }
        })
    }

    /// A random sample of `size` entries, for an [`Audit`](super::Audit), in the order of their units; all entries when
    /// there are no more. Every entry is as likely as any other, and the same seed gives the same sample.
    pub fn sample(&self, size: usize, seed: u64) -> Vec<(Entry, Place)> {
        let mut numbers = sample_of_numbers(self.entries().count(), size, seed).into_iter().peekable();
        let drawn = self.entries().enumerate().filter(|(number, _)| numbers.next_if_eq(number).is_some());
        drawn.map(|(_, claim)| self.entry(claim)).collect()
    }
}

/// The entries of these units among all, which are in order.
fn same_units<'a>(claims: &'a [Claim], units: &Range<u64>) -> impl Iterator<Item = &'a Claim> + use<'a> {
    let Range { start, end } = *units;
    let begin = claims.partition_point(|claim| (claim.units().start, end) < (start, claim.units().end));
    claims[begin..].iter().take_while(move |claim| claim.units() == (start..end))
}

/// The entries among all that cannot be true, or whose engine counts wrong, if a finding is true.
fn contradicted<'a>(claims: &'a [Claim], finding: &Finding) -> impl Iterator<Item = &'a Claim> + use<'a> {
    let (wrong_engine, recount) = (finding.verdict() == Verdict::Engine, finding.recount);
    same_units(claims, &finding.units).filter(move |claim| wrong_engine || claim.count() != recount)
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
