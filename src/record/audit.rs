//! The audit: some entries of a record counted again by other means, to believe the others.
//!
//! A count is the sum of many entries, and most of them nobody will ever look at. An audit takes a random sample of them
//! and counts their units by [`Engine::recount`], which shares no code with the engine that wrote them. If a share f of
//! all entries is wrong, then K sampled ones are all right with a chance of at most (1 - f)^K. So an audit that finds
//! nothing wrong says how few entries can be wrong. It says nothing of a single entry outside of the sample.

use std::time::Instant;

use rayon::prelude::*;

use super::{Entry, Place, RecordError};
use crate::count::{self, CountError, FanOut, Task};
use crate::engine::Engine;

/// What a recount of some entries has found.
///
/// ```
/// use queencount::record::{Audit, Journal, Plan, UnitSet};
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
/// let audit = Audit::run(engine.as_ref(), &sample, FanOut::default())?;
/// assert_eq!((audit.entries, audit.wrong.len()), (20, 0));
/// // A record with one wrong entry in ten would pass such an audit 12 times in 100.
/// assert!((0.12..0.13).contains(&audit.chance_to_pass(0.1)));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Audit {
    /// The number of entries that were recounted.
    pub entries: u64,
    /// The number of units that were recounted.
    pub units: u64,
    /// The entries that are wrong, in the order of the sample.
    pub wrong: Vec<WrongEntry>,
}

/// An entry that a recount contradicts.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct WrongEntry {
    /// The entry as the record has it.
    pub entry: Entry,
    /// Where it stands.
    pub place: Place,
    /// The number of solutions that belong to its units.
    pub recount: u128,
}

impl Audit {
    /// Recounts the entries of a sample (see [`Tally::sample`](super::Tally::sample)) whose units are those of `engine`.
    ///
    /// The observer of the fan-out sees each recounted entry as a task.
    ///
    /// # Errors
    /// When the audit was stopped, the system grants no threads, or the sum of an entry passes 2^128.
    ///
    /// # Panics
    /// When an entry has a unit that `engine` has not.
    pub fn run(engine: &dyn Engine, sample: &[(&Entry, &Place)], fan_out: FanOut<'_>) -> Result<Self, RecordError> {
        let pool = count::pool(fan_out.threads)?;
        fan_out.observer.started(engine);
        let recounts = pool.install(|| {
            let recount = |(entry, _): &(&Entry, &Place)| recount(engine, entry, fan_out);
            sample.par_iter().with_max_len(1).map(recount).collect::<Result<Vec<u128>, CountError>>()
        })?;
        let wrong = sample
            .iter()
            .zip(recounts)
            .filter(|((entry, _), recount)| entry.count != *recount)
            .map(|(&(entry, place), recount)| WrongEntry { entry: entry.clone(), place: place.clone(), recount })
            .collect();
        let units = sample.iter().map(|(entry, _)| entry.units.end - entry.units.start).sum();
        Ok(Self { entries: sample.len() as u64, units, wrong })
    }

    /// An upper bound for the chance that a record passes an audit of this size although a share of `wrong` of its
    /// entries, from 0 to 1, is wrong: (1 - `wrong`) to the power of [`Audit::entries`]. (No entry is sampled
    /// twice, which only lowers the chance.)
    pub fn chance_to_pass(&self, wrong: f64) -> f64 {
        (1.0 - wrong).powf(self.entries as f64)
    }

    /// A record with at least this share of wrong entries, from 0 to 1, fails an audit of this size with a chance of at
    /// least 95 %.
    pub fn detected_share(&self) -> f64 {
        1.0 - 0.05_f64.powf(1.0 / self.entries as f64)
    }
}

/// The number of solutions that belong to the units of an entry.
fn recount(engine: &dyn Engine, entry: &Entry, fan_out: FanOut<'_>) -> Result<u128, CountError> {
    let (start, units) = (Instant::now(), entry.units.clone());
    let count = units
        .clone()
        .into_par_iter()
        .map(|unit| engine.recount(unit, fan_out.stop_or_never()).map_err(CountError::from))
        .try_reduce(|| 0, |a, b| a.checked_add(b).ok_or(CountError::Overflow))?;
    fan_out.observer.counted(&Task { units, count, elapsed: start.elapsed() });
    Ok(count)
}
