//! The audit: some entries of a record counted again, to believe the others.
//!
//! A count is the sum of many entries, and most of them nobody will ever look at. An audit takes a random sample of them
//! and counts their units by [`Engine::recount`], which shares no code with the engine that wrote them. If a share f of
//! all entries is wrong, then K sampled ones are all right with a chance of at most (1 - f)^K. So an audit that finds
//! nothing wrong says how few entries can be wrong. It says nothing of a single entry outside of the sample.
//!
//! Of a large board [`Engine::recount`] would take hours for a unit. There a unit has several parts
//! ([`Engine::parts`]), and an entry is looked at in two ways:
//!
//! - **All of its parts are counted by the engine**, and their sum is compared with the entry. This finds a wrong
//!   number in the record: a machine that failed, a line that was forged. It does not find an engine that is wrong,
//!   because that would be wrong again.
//! - **One of these parts, drawn at random, is counted by [`Engine::recount_part`], too.** This finds an engine that is
//!   wrong. If it is so in a share f of the parts, K sampled parts are all right with a chance of at most (1 - f)^K.

use std::time::Instant;

use rayon::prelude::*;

use super::{Entry, Place, RecordError};
use crate::count::{self, CountError, FanOut, Task};
use crate::engine::{Engine, Stop};
use crate::random::Random;

/// How much of an entry is recounted by other means, where its units have several parts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Extent {
    /// A random part; the engine counts all of them. The same seed draws the same part of an entry.
    Part {
        /// What the part is drawn from.
        seed: u64,
    },
    /// All of it, however long that takes.
    Whole,
}

/// What a recount of some entries has found.
///
/// ```
/// use queencount::record::{Audit, Extent, Journal, Plan, UnitSet};
/// use queencount::{BoardSize, EngineChoice, FanOut};
///
/// let engine = EngineChoice::Backtrack.plan(BoardSize::new(10)?);
/// let plan = Plan::new(engine.as_ref());
/// let folder = tempfile::tempdir()?;
/// let path = folder.path().join("record.jsonl");
/// let all = UnitSet::from(0..engine.units());
/// Journal::open(&path, &plan)?.count(engine.as_ref(), &all, FanOut::default())?;
///
/// let journal = Journal::open(&path, &plan)?;
/// let sample = journal.tally().sample(20, 1);
/// let audit = Audit::run(engine.as_ref(), &sample, Extent::Part { seed: 1 }, FanOut::default())?;
/// assert_eq!((audit.entries, audit.wrong.len()), (20, 0));
/// // The units of a small board are their only parts: all of them have been recounted by other means.
/// assert_eq!(audit.parts, 0);
/// // A record with one wrong entry in ten would pass such an audit 12 times in 100.
/// assert!((0.12..0.13).contains(&audit.chance_to_pass(0.1)));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Audit {
    /// The number of entries that were counted again.
    pub entries: u64,
    /// The number of units that were counted again.
    pub units: u64,
    /// The number of parts that were drawn and counted by the engine and by other means: one of each entry that was not
    /// recounted whole by other means.
    pub parts: u64,
    /// The entries that are wrong, in the order of the sample.
    pub wrong: Vec<WrongEntry>,
    /// The parts that the engine counts wrong, in the order of the sample.
    pub wrong_parts: Vec<WrongPart>,
}

/// An entry that does not have the number of solutions that belong to its units.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct WrongEntry {
    /// The entry as the record has it.
    pub entry: Entry,
    /// Where it stands.
    pub place: Place,
    /// The number of solutions that belong to its units, counted again.
    pub recount: u128,
}

/// A part of a unit on which the engine and other means disagree.
#[derive(Clone, Debug)]
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
    /// The number of solutions that other means count ([`Engine::recount_part`]).
    pub recount: u128,
}

impl Audit {
    /// Counts the entries of a sample (see [`Tally::sample`](super::Tally::sample)) again, whose units are those of
    /// `engine`. Units of several parts are recounted to an [`Extent`], all others whole.
    ///
    /// The observer of the fan-out sees each entry that has been counted again as a task.
    ///
    /// # Errors
    /// When the audit was stopped, the system grants no threads, or the sum of an entry passes 2^128.
    ///
    /// # Panics
    /// When an entry has a unit that `engine` has not.
    pub fn run(
        engine: &dyn Engine,
        sample: &[(&Entry, &Place)],
        extent: Extent,
        fan_out: FanOut<'_>,
    ) -> Result<Self, RecordError> {
        let pool = count::pool(fan_out.threads)?;
        fan_out.observer.started(engine);
        let recounts = pool.install(|| {
            let recount = |(entry, _): &(&Entry, &Place)| recount(engine, entry, extent, fan_out);
            sample.par_iter().with_max_len(1).map(recount).collect::<Result<Vec<Recount>, CountError>>()
        })?;
        let units = sample.iter().map(|(entry, _)| entry.units.end - entry.units.start).sum();
        let mut audit =
            Self { entries: sample.len() as u64, units, parts: 0, wrong: Vec::new(), wrong_parts: Vec::new() };
        for (&(entry, place), recount) in sample.iter().zip(recounts) {
            if entry.count != recount.count {
                let (entry, place) = (entry.clone(), place.clone());
                audit.wrong.push(WrongEntry { entry, place, recount: recount.count });
            }
            let Some(PartRecount { unit, part, count, recount }) = recount.part else { continue };
            audit.parts += 1;
            if count != recount {
                audit.wrong_parts.push(WrongPart { place: place.clone(), unit, part, count, recount });
            }
        }
        Ok(audit)
    }

    /// An upper bound for the chance that a record passes an audit of this size although a share of `wrong` of its
    /// entries, from 0 to 1, is wrong: (1 - `wrong`) to the power of [`Audit::entries`]. (No entry is sampled
    /// twice, which only lowers the chance.) Where a part of each entry was drawn, the same is true of an engine that
    /// counts this share of the parts wrong.
    pub fn chance_to_pass(&self, wrong: f64) -> f64 {
        (1.0 - wrong).powf(self.entries as f64)
    }

    /// A record with at least this share of wrong entries, from 0 to 1, fails an audit of this size with a chance of at
    /// least 95 %.
    pub fn detected_share(&self) -> f64 {
        1.0 - 0.05_f64.powf(1.0 / self.entries as f64)
    }
}

/// What counting an entry again has found.
struct Recount {
    /// The number of solutions that belong to its units.
    count: u128,
    /// The part that was drawn.
    part: Option<PartRecount>,
}

/// A part that was counted by the engine and by other means.
struct PartRecount {
    unit: u64,
    part: u64,
    count: u128,
    recount: u128,
}

impl Recount {
    const NOTHING: Self = Self { count: 0, part: None };

    /// Both together, of which one at most has a part.
    fn and(self, other: Self) -> Result<Self, CountError> {
        let count = self.count.checked_add(other.count).ok_or(CountError::Overflow)?;
        Ok(Self { count, part: self.part.or(other.part) })
    }
}

/// Counts the units of an entry again.
fn recount(engine: &dyn Engine, entry: &Entry, extent: Extent, fan_out: FanOut<'_>) -> Result<Recount, CountError> {
    let (start, units, stop) = (Instant::now(), entry.units.clone(), fan_out.stop_or_never());
    let drawn = match extent {
        Extent::Part { seed } => draw(engine, entry, seed),
        Extent::Whole => None,
    };
    let again = |unit: u64| match drawn {
        Some((at, part)) if engine.parts(unit) > 1 => count_parts(engine, unit, (at == unit).then_some(part), stop),
        _ => Ok(Recount { count: engine.recount(unit, stop)?, part: None }),
    };
    let found = units.clone().into_par_iter().map(again).try_reduce(|| Recount::NOTHING, Recount::and)?;
    fan_out.observer.counted(&Task::new(engine, units, found.count, start.elapsed()));
    Ok(found)
}

/// A random part of the units of an entry that have several: the unit and the part. `None` if they have one each.
fn draw(engine: &dyn Engine, entry: &Entry, seed: u64) -> Option<(u64, u64)> {
    let parts: Vec<(u64, u64)> =
        entry.units.clone().map(|unit| (unit, engine.parts(unit))).filter(|(_, parts)| *parts > 1).collect();
    let all = parts.iter().map(|(_, parts)| parts).sum::<u64>();
    // A stream of the entry, whichever others are in the sample.
    let number = (all > 0).then(|| Random::stream(seed, entry.units.start).below(all))?;
    let before = parts.iter().scan(0, |before, &(unit, parts)| {
        *before += parts;
        Some((unit, *before - parts))
    });
    before.take_while(|(_, before)| *before <= number).last().map(|(unit, before)| (unit, number - before))
}

/// Counts all parts of a unit by the engine, and a drawn one by other means, too.
fn count_parts(engine: &dyn Engine, unit: u64, drawn: Option<u64>, stop: &Stop) -> Result<Recount, CountError> {
    (0..engine.parts(unit)).try_fold(Recount::NOTHING, |sum, part| {
        let count = engine.count_part(unit, part, stop)?;
        let part = if drawn == Some(part) {
            let recount = engine.recount_part(unit, part, stop)?;
            Some(PartRecount { unit, part, count, recount })
        } else {
            None
        };
        sum.and(Recount { count, part })
    })
}
