//! The audit: some entries of a record counted again, to believe the others.
//!
//! An audit takes a random sample of the entries and counts their units by [`Engine::recount`],
//! which shares nothing with the engine that wrote them but the rules of the game. If a share f of
//! all entries is wrong, then K sampled ones are all right with a chance of at most (1 - f)^K. So
//! an audit that finds nothing wrong says how few entries can be wrong. It says nothing of a single
//! entry outside of the sample.
//!
//! The entries of the largest boards have several units, whose recounts would take hours. Such an
//! entry is looked at in two ways:
//!
//! - **The engine counts all of its units**, part by part. This finds a wrong number in the record.
//!   And because it is the recount that says what the parts of a unit are ([`Engine::parts`]), it
//!   finds parts that were lost or counted twice.
//! - **[`Engine::recount_part`] counts one of these units, drawn at random, too.** This finds an
//!   engine that counts parts wrong, with the same chance if it is so in a share f of the units.

use std::time::Instant;

use rayon::prelude::*;

use super::{Entry, Finding, Place, RecordError, UnitSet, Verdict};
use crate::count::{self, CountError, Counter, Task};
use crate::engine::Engine;
use crate::splitmix::SplitMix64;

/// How much of an entry is recounted, where several of its units have several parts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Extent {
    /// A random one of these units; the engine counts all of them. The same seed draws the same
    /// unit of an entry.
    Unit {
        /// What the unit is drawn from.
        seed: u64,
    },
    /// All of it, however long that takes.
    Whole,
}

/// What a recount of some entries has found. The example `record` of this package has an audit.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct Audit {
    /// The number of entries that were counted again.
    pub entries: u64,
    /// The number of units that were counted again.
    pub units: u64,
    /// The number of parts that were counted by the engine and by the recount: those of a random
    /// unit of each entry that was not recounted whole.
    pub parts: u64,
    /// The entries that are wrong, in the order of the sample.
    pub wrong: Vec<WrongEntry>,
    /// The parts that the engine counts wrong, the first of each unit, in the order of the sample.
    pub wrong_parts: Vec<WrongPart>,
}

/// An entry that does not have the number of solutions that belong to its units. As text it says
/// where and what.
#[derive(Clone, Debug, thiserror::Error)]
#[error("{place}: units {}: {} recorded, {recount} recounted", UnitSet::from(.entry.units()), .entry.count)]
#[non_exhaustive]
pub struct WrongEntry {
    /// The entry as the record has it.
    pub entry: Entry,
    /// Where it stands.
    pub place: Place,
    /// The number of solutions that belong to its units, counted again.
    pub recount: u128,
}

/// A part of a unit on which the engine and the recount disagree. As text it says where and what.
#[derive(Clone, Debug, thiserror::Error)]
#[error(
    "{place}: the engine and the recount disagree on part {part} of unit {unit}: {count} and {recount} solutions"
)]
#[non_exhaustive]
pub struct WrongPart {
    /// Where the entry of the unit stands.
    pub place: Place,
    /// The unit.
    pub unit: u64,
    /// The part of it.
    pub part: u64,
    /// The number of solutions that the engine counts ([`Engine::count_part`]).
    pub count: u128,
    /// The number of solutions by the recount ([`Engine::recount_part`]).
    pub recount: u128,
}

impl Audit {
    /// Counts the entries of a sample (see [`Tally::sample`](super::Tally::sample)) again, whose
    /// units are those of `engine`. Entries with several units of several parts are recounted to an
    /// [`Extent`], all others whole.
    ///
    /// The observer of the counter sees each entry that has been counted again as a task. `keep`
    /// gets at once, from the thread that has found it, what has been found of each entry, right or
    /// wrong, because an audit may last for days and not see its end: the finding, for
    /// [`Journal::keep`](super::Journal::keep), and the audit of that entry alone.
    ///
    /// # Errors
    /// When the audit was stopped, the system grants no threads, or the sum of an entry passes
    /// 2^128.
    ///
    /// # Panics
    /// When an entry has a unit that `engine` has not.
    pub fn run(
        engine: &dyn Engine,
        sample: &[(Entry, Place)],
        extent: Extent,
        counter: Counter<'_>,
        keep: &(dyn Fn(&Finding, &Self) + Sync),
    ) -> Result<Self, RecordError> {
        let pool = count::pool(counter.threads)?;
        let auditor = Auditor {
            engine,
            extent,
            counter,
            keep,
        };
        let recounts = pool.install(|| {
            let recount = |(entry, place): &(Entry, Place)| auditor.recount(entry, place);
            sample
                .par_iter()
                .with_max_len(1)
                .map(recount)
                .collect::<Result<Vec<Self>, CountError>>()
        })?;
        let mut audit = Self::default();
        for recount in recounts {
            audit.entries += recount.entries;
            audit.units += recount.units;
            audit.parts += recount.parts;
            audit.wrong.extend(recount.wrong);
            audit.wrong_parts.extend(recount.wrong_parts);
        }
        Ok(audit)
    }

    /// An upper bound for the chance that a record passes an audit of this size although a share of
    /// `wrong` of its entries, from 0 to 1, is wrong: (1 - `wrong`) to the power of
    /// [`Audit::entries`]. (No entry is sampled twice, which only lowers the chance.) Where a unit
    /// of each entry was drawn, the same is true of an engine that counts this share of the units
    /// wrong.
    pub fn chance_to_pass(&self, wrong: f64) -> f64 {
        (1.0 - wrong).powf(self.entries as f64)
    }

    /// A record with at least this share of wrong entries, from 0 to 1, fails an audit of this size
    /// with a chance of at least 95 %.
    pub fn detected_share(&self) -> f64 {
        1.0 - 0.05_f64.powf(1.0 / self.entries as f64)
    }
}

struct Auditor<'a> {
    engine: &'a dyn Engine,
    extent: Extent,
    counter: Counter<'a>,
    keep: &'a (dyn Fn(&Finding, &Audit) + Sync),
}

impl Auditor<'_> {
    fn recount(&self, entry: &Entry, place: &Place) -> Result<Audit, CountError> {
        let (start, units, stop) = (Instant::now(), entry.units(), self.counter.stop_or_never());
        let drawn = match self.extent {
            Extent::Unit { seed } => draw(self.engine, entry, seed),
            Extent::Whole => None,
        };
        let again = |unit: u64| match drawn {
            Some(drawn) if self.engine.parts(unit) > 1 => {
                self.count_parts(unit, drawn == unit, place)
            }
            _ => Ok((self.engine.recount(unit, stop)?, None)),
        };
        // One unit at most has been drawn.
        let both = |one: Counted, other: Counted| {
            Ok((
                one.0.checked_add(other.0).ok_or(CountError::Overflow)?,
                one.1.or(other.1),
            ))
        };
        let (count, wrong_part) = units
            .clone()
            .into_par_iter()
            .map(again)
            .try_reduce(|| (0, None), both)?;
        let by_engine = if drawn.is_some() {
            format!("{}+", self.engine.name())
        } else {
            String::new()
        };
        let part = wrong_part.as_ref().map(|wrong| wrong.part);
        let finding = Finding {
            verdict: Verdict::new(entry.count, count, part),
            first: entry.first,
            last: entry.last,
            count: entry.count,
            recount: count,
            means: by_engine + "recount",
            unit: drawn,
            part,
            seed: None,
            time: None,
            site: None,
            host: None,
        };
        let wrong = WrongEntry {
            entry: entry.clone(),
            place: place.clone(),
            recount: count,
        };
        let audit = Audit {
            entries: 1,
            units: entry.last + 1 - entry.first,
            parts: drawn.map_or(0, |unit| self.engine.parts(unit)),
            wrong: Some(wrong)
                .filter(|_| entry.count != count)
                .into_iter()
                .collect(),
            wrong_parts: wrong_part.into_iter().collect(),
        };
        (self.keep)(&finding, &audit);
        let (work, elapsed) = (self.engine.work(units.clone()), start.elapsed());
        // Several means have counted, none of them alone.
        (self.counter.on_task)(&Task {
            units,
            work,
            count,
            kernels: Vec::new(),
            elapsed,
        });
        Ok(audit)
    }

    /// Counts all parts of a unit by the engine, and those of a drawn one by the recount, too.
    fn count_parts(&self, unit: u64, drawn: bool, place: &Place) -> Result<Counted, CountError> {
        let (engine, stop) = (self.engine, self.counter.stop_or_never());
        // One after another, because the engine keeps what neighbours share.
        let counts: Vec<u128> = (0..engine.parts(unit))
            .map(|part| engine.count_part(unit, part, stop))
            .collect::<Result<_, _>>()?;
        let sum = counts
            .iter()
            .try_fold(0_u128, |sum, count| sum.checked_add(*count))
            .ok_or(CountError::Overflow)?;
        let again = |(part, &count): (usize, &u128)| {
            let part = part as u64;
            let recount = engine.recount_part(unit, part, stop)?;
            Ok((count != recount).then(|| WrongPart {
                place: place.clone(),
                unit,
                part,
                count,
                recount,
            }))
        };
        let to_compare = if drawn { &counts[..] } else { &[] };
        let first = |one: Option<WrongPart>, other| Ok::<_, CountError>(one.or(other));
        Ok((
            sum,
            to_compare
                .par_iter()
                .enumerate()
                .map(again)
                .try_reduce(|| None, first)?,
        ))
    }
}

/// The number of solutions of some units, and the first part among them that the engine counts
/// wrong.
type Counted = (u128, Option<WrongPart>);

/// A random one of the units of an entry that have several parts. `None` if there are not several
/// of them.
fn draw(engine: &dyn Engine, entry: &Entry, seed: u64) -> Option<u64> {
    let units: Vec<u64> = entry
        .units()
        .filter(|&unit| engine.parts(unit) > 1)
        .collect();
    // A stream of the entry, whichever others are in the sample.
    (units.len() > 1)
        .then(|| units[SplitMix64::stream(seed, entry.first).below(units.len() as u64) as usize])
}
