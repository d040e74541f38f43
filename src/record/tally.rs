//! The tally: entries of any number of records added up, each task once.
//!
//! Neither order nor repetition changes the sum: the same entry may come from two machines, from a
//! file that is given twice, or from a task that a scheduler ran again. An entry that an audit has
//! refuted is left out. Entries of the same units with different counts are a dispute. Nobody can
//! tell which of them is wrong: none of them counts, and their units are missing. No total is
//! better than a wrong one.

use std::collections::BTreeMap;
use std::ops::Range;
use std::path::Path;

use super::collection::{Origin, PackedEntry, plain};
use super::{
    Collection, Copies, Dispute, Entry, Finding, Place, Plan, Reader, RecordError, Refutation,
    SourceKind, UnitSet, Verdict,
};
use crate::splitmix::SplitMix64;

/// The sum of the records of one plan: see [`Collection`].
#[derive(Debug)]
pub struct Tally {
    /// All entries that are not refuted, in their order, without copies.
    pub(super) collection: Collection,
    total: u128,
    done: UnitSet,
    /// The places of entries that share units and disagree.
    disputed: Vec<Range<usize>>,
    /// The entries that an audit has refuted, each with the place of the finding.
    pub(super) refuted: Vec<(PackedEntry, usize)>,
    copies: Option<Copies>,
    repeated: u64,
    tasks: u64,
}

impl Collection {
    /// Adds up. It takes a time that is proportional to the number of entries and its logarithm.
    ///
    /// # Errors
    /// When the sum passes 2^128.
    pub fn tally(mut self) -> Result<Tally, RecordError> {
        self.entries.sort_unstable_by_key(PackedEntry::order);
        let lines = self.entries.len() as u64;
        let copies = self.drop_copies();
        let refuted = self.drop_refuted();
        let entries = &self.entries;
        let (mut total, mut done, mut disputed) = (0_u128, UnitSet::new(), Vec::new());
        let (mut begin, mut tasks, mut distinct) = (0, 0, refuted.len() as u64);
        while let Some(first) = entries.get(begin) {
            // All entries that share units with this one. (Those of an engine of one's own may be
            // no tasks.)
            let (mut end, mut units) = (begin, first.units());
            while let Some(next) = entries
                .get(end)
                .filter(|next| next.units().start < units.end)
            {
                distinct += u64::from(end == begin || !next.agrees(&entries[end - 1]));
                units.end = units.end.max(next.units().end);
                end += 1;
            }
            if first.agrees(&entries[end - 1]) {
                total = total
                    .checked_add(first.count)
                    .ok_or(RecordError::Overflow)?;
                done.insert(units);
                tasks += 1;
            } else {
                disputed.push(begin..end);
            }
            begin = end;
        }
        let repeated = lines - distinct;
        Ok(Tally {
            total,
            done,
            disputed,
            refuted,
            copies,
            repeated,
            tasks,
            collection: self,
        })
    }

    /// Leaves out all but the first of equal lines, and of copies with the name of another site.
    ///
    /// Two counts of one task may end in the same second and take as many microseconds. So the
    /// entries of a site are taken for copies only if that is so for most of those that it shares
    /// with other sites, and if these took more than a millisecond.
    fn drop_copies(&mut self) -> Option<Copies> {
        let sites = self.sources(SourceKind::Site);
        // 0 if it names none.
        let site = |entry: &PackedEntry| {
            sites[entry.origin as usize]
                .first()
                .map_or(0, |number| number + 1)
        };
        let is_copy = |one: &PackedEntry, other: &PackedEntry| {
            site(one) != site(other)
                && one.is_same_count(other)
                && one.time().is_some()
                && one.seconds() > 1e-3
        };
        // For each site, how many of the entries that it shares with another one are copies, less
        // those that are none.
        let mut copied = vec![0_i64; sites.len() + 1];
        for entries in self.entries.chunk_by(PackedEntry::agrees) {
            if entries.iter().any(|entry| site(entry) != site(&entries[0])) {
                entries
                    .iter()
                    .for_each(|entry| copied[site(entry) as usize] -= 1);
                let copies = entries
                    .windows(2)
                    .filter(|pair| is_copy(&pair[0], &pair[1]));
                copies
                    .flatten()
                    .for_each(|entry| copied[site(entry) as usize] += 2);
            }
        }
        let (mut copies, mut entries) = (None, std::mem::take(&mut self.entries));
        entries.dedup_by(|entry, kept| {
            if is_copy(entry, kept)
                && [site(entry), site(kept)]
                    .iter()
                    .all(|site| copied[*site as usize] > 0)
            {
                let found = || Copies {
                    number: 0,
                    copy: self.place(entry),
                    original: self.place(kept),
                };
                copies.get_or_insert_with(found).number += 1;
                return true;
            }
            entry.origin == kept.origin && entry.is_same_count(kept)
        });
        self.entries = entries;
        copies
    }

    /// Leaves out the entries that an audit has refuted: these, each with the place of the finding.
    fn drop_refuted(&mut self) -> Vec<(PackedEntry, usize)> {
        let mut found = BTreeMap::new();
        for (number, (finding, _)) in self.findings.iter().enumerate() {
            let places = places_of(&self.entries, &finding.units());
            let refutes = |entry: &PackedEntry| {
                finding.verdict == Verdict::Engine || entry.count != finding.recount
            };
            places
                .filter(|place| refutes(&self.entries[*place]))
                .for_each(|place| _ = found.entry(place).or_insert(number));
        }
        let mut places = 0..;
        let is_found = |_: &mut PackedEntry| {
            places
                .next()
                .is_some_and(|place| found.contains_key(&place))
        };
        // Both are in the order of places.
        self.entries
            .extract_if(.., is_found)
            .zip(found.values().copied())
            .collect()
    }
}

/// The sum of some records of a plan, if nothing is wrong with them.
///
/// # Errors
/// When a record cannot be read, is none, is damaged, or is of another plan; when entries
/// contradict each other, or an audit contradicts them; when the sum passes 2^128.
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
    /// The first dispute, if there is one, or the first entry that an audit has refuted.
    pub fn agreed(self) -> Result<Self, RecordError> {
        self.contradictions()
            .into_iter()
            .next()
            .map_or(Ok(self), Err)
    }

    /// What entries contradict: the first ten disputes and the first ten refuted entries, and how
    /// many more there are.
    pub fn contradictions(&self) -> Vec<RecordError> {
        const NAMED: usize = 10;
        let disputes = self.disputes().take(NAMED).map(RecordError::from);
        let refuted = self
            .refuted()
            .take(NAMED)
            .map(|refutation| Box::new(refutation).into());
        let more =
            [self.disputed.len(), self.refuted.len()].map(|all| all.saturating_sub(NAMED) as u64);
        let more = Some(more[0] + more[1])
            .filter(|more| *more > 0)
            .map(RecordError::MoreContradictions);
        disputes.chain(refuted).chain(more).collect()
    }

    /// The plan that all records agree in.
    pub fn plan(&self) -> &Plan {
        &self.collection.rules.plan
    }

    /// The number of solutions that belong to the units that are done. When no unit is missing,
    /// these are all solutions of the board.
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

    /// The units that two sites have counted alike, or two machines, kernels or versions of the
    /// program. Entries that name none do not count here, and neither case nor blanks make another
    /// name. Entries that several kernels have counted are by different ones if they have none in
    /// common.
    pub fn twice(&self, by: SourceKind) -> UnitSet {
        let sources = self.collection.sources(by);
        self.units_of(|alike| second_counts(alike, &sources).next().is_some())
    }

    /// The units that the site of this name has counted, or the machine, kernel or version.
    pub fn counted_by(&self, by: SourceKind, name: &str) -> UnitSet {
        let is_it = |origin: &Origin| by.names(origin).any(|found| found == plain(name));
        let its: Vec<bool> = self.collection.origins.iter().map(is_it).collect();
        self.units_of(|alike| alike.iter().any(|entry| its[entry.origin as usize]))
    }

    /// The units of tasks whose entries are as `choose` wants them.
    fn units_of(&self, choose: impl Fn(&[PackedEntry]) -> bool) -> UnitSet {
        self.counted()
            .filter(|alike| choose(alike))
            .map(|alike| alike[0].units())
            .collect()
    }

    /// What audits have found, in the order of the records.
    pub fn findings(&self) -> impl Iterator<Item = &Finding> {
        self.collection.findings.iter().map(|(finding, _)| finding)
    }

    /// The units that an audit has counted again, with the count that is on record.
    pub fn audited(&self) -> UnitSet {
        let entries = &self.collection.entries;
        let right = self.findings().filter(|finding| {
            let agrees = |place: usize| {
                entries[place].count == finding.recount && self.done.contains(finding.first)
            };
            finding.verdict != Verdict::Engine && places_of(entries, &finding.units()).any(agrees)
        });
        right.map(Finding::units).collect()
    }

    /// The entries that an audit has refuted, or whose engine it has found wrong, each with the
    /// finding. They are left out: units without another entry are missing.
    pub fn refuted(&self) -> impl Iterator<Item = Refutation> {
        self.refuted.iter().map(|(entry, finding)| {
            let (finding, place) = self.collection.findings[*finding].clone();
            Refutation {
                finding,
                place,
                count: entry.count,
                entry: self.collection.place(entry),
            }
        })
    }

    /// Entries that one site says with another one's time and seconds, if there are any. They count
    /// once.
    pub fn copies(&self) -> Option<&Copies> {
        self.copies.as_ref()
    }

    /// The number of entries that said again what another one had said.
    pub fn repeated(&self) -> u64 {
        self.repeated
    }

    /// The number of tasks that are done, each of which has an entry.
    pub fn tasks(&self) -> u64 {
        self.tasks
    }

    /// The number of all entries. Of two copies of an entry one is counted; of two counts of a task
    /// both are.
    pub fn lines(&self) -> u64 {
        (self.collection.entries.len() + self.refuted.len()) as u64
    }

    /// The time that all units have kept threads, in seconds: of units that have been counted twice
    /// both times, but of two copies of a record one.
    pub fn seconds(&self) -> f64 {
        let refuted = self.refuted.iter().map(|(entry, _)| entry);
        self.collection
            .entries
            .iter()
            .chain(refuted)
            .map(PackedEntry::seconds)
            .sum()
    }

    /// The entries of the tasks that are done, in the order of units: of each task one, and where
    /// it stands. Of the seconds seven digits are kept.
    pub fn entries(&self) -> impl Iterator<Item = (Entry, Place)> {
        self.counted()
            .map(|alike| self.collection.unpacked(&alike[0]))
    }

    /// All entries of each task that is done, in the order of units.
    fn counted(&self) -> impl Iterator<Item = &[PackedEntry]> {
        self.alike()
            .filter(|alike| self.done.contains(alike[0].units().start))
    }

    /// All entries in the order of their units, those together that say the same of the same units.
    pub(super) fn alike(&self) -> impl Iterator<Item = &[PackedEntry]> {
        self.collection.entries.chunk_by(PackedEntry::agrees)
    }

    /// The entries that contradict each other: those that share units are a dispute.
    pub fn disputes(&self) -> impl Iterator<Item = Dispute> {
        self.disputed.iter().map(|places| {
            let alike = self.collection.entries[places.clone()].chunk_by(PackedEntry::agrees);
            Dispute {
                entries: alike
                    .map(|alike| self.collection.unpacked(&alike[0]))
                    .collect(),
            }
        })
    }

    /// A random sample of `size` entries, for an [`Audit`](super::Audit), in the order of their
    /// units; all entries when there are no more. Every entry of [`Tally::entries`] is as likely as
    /// any other, and the same seed gives the same sample.
    pub fn sample(&self, size: usize, seed: u64) -> Vec<(Entry, Place)> {
        let mut random = SplitMix64::new(seed);
        let (mut left, mut wanted) = (self.tasks, (size as u64).min(self.tasks));
        // Each entry with the chance that as many of all that are left are wanted (Knuth's
        // algorithm S).
        let is_drawn = |_: &&[PackedEntry]| {
            let is_drawn = random.below(left) < wanted;
            (left, wanted) = (left - 1, wanted - u64::from(is_drawn));
            is_drawn
        };
        self.counted()
            .filter(is_drawn)
            .map(|alike| self.collection.unpacked(&alike[0]))
            .collect()
    }
}

/// The entries of a task that are a second count: those by another source than the first entry that
/// names one.
pub(super) fn second_counts<'a>(
    alike: &'a [PackedEntry],
    sources: &'a [Vec<u32>],
) -> impl Iterator<Item = &'a PackedEntry> {
    let of = |entry: &PackedEntry| &sources[entry.origin as usize];
    let first = alike.iter().map(of).find(|names| !names.is_empty());
    let differs = move |names: &[u32]| {
        first.is_some_and(|first| names.iter().all(|name| !first.contains(name)))
    };
    alike
        .iter()
        .filter(move |entry| !of(entry).is_empty() && differs(of(entry)))
}

/// The places of the entries of these units among all, which are in order.
fn places_of(entries: &[PackedEntry], units: &Range<u64>) -> Range<usize> {
    let key = |range: Range<u64>| (range.start, range.end);
    let begin = entries.partition_point(|entry| key(entry.units()) < key(units.clone()));
    begin..begin + entries[begin..].partition_point(|entry| entry.units() == *units)
}
