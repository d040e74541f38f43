//! The audit recounts some entries of records, as evidence that the other entries are correct.
//!
//! Units are counted with [`Engine::recount`], which shares only the definition of the problem with
//! the engine. This would take hours for an entry in which more than one unit has several parts.
//! The engine counts such an entry again instead, which reveals a wrong count in the record. In
//! addition, [`Engine::recount_part`] recounts the parts of one random unit, which reveals an
//! engine that miscounts parts.

use rayon::prelude::*;

use super::{Entry, Finding, LineRef, RecordError, WrongPart};
use crate::clock::TaskClock;
use crate::count::{self, CountError, Counter, Task};
use crate::engine::Engine;
use crate::splitmix::SplitMix64;

/// How much of an entry is recounted if more than one of its units has several parts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum AuditDepth {
    /// One random unit that has several parts. In addition, the engine itself counts all units
    /// again.
    Unit {
        /// The seed, which determines the unit selected from each entry.
        seed: u64,
    },
    /// The whole entry, however long that takes.
    Whole,
}

/// The result of recounting some entries.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct Audit {
    /// The number of recounted entries.
    pub entries: u64,
    /// The number of recounted units.
    pub units: u64,
    /// The number of parts counted by both the engine and the recount.
    pub parts: u64,
    /// The findings, in the order of the sample.
    pub findings: Vec<Finding>,
}

impl Audit {
    /// Recounts a sample of entries (see [`Tally::sample`](super::Tally::sample)). `engine` defines
    /// the units.
    ///
    /// The counter's callback receives each recounted entry as a task. `on_finding` receives each
    /// finding immediately, on the thread that recounted the entry.
    ///
    /// # Errors
    /// Fails if the audit is cancelled, if the threads cannot be started, or if the recount of an
    /// entry gives 2^128 solutions or more.
    ///
    /// # Panics
    /// Panics if an entry has a unit that `engine` does not have.
    pub fn run(
        engine: &dyn Engine,
        sample: &[(Entry, LineRef)],
        depth: AuditDepth,
        counter: Counter<'_>,
        on_finding: &(dyn Fn(&Finding) + Sync),
    ) -> Result<Self, RecordError> {
        let pool = count::pool(counter.threads)?;
        let auditor = Auditor {
            engine,
            depth,
            counter,
            on_finding,
        };
        let recounts = pool.install(|| {
            sample
                .par_iter()
                .with_max_len(1)
                .map(|(entry, line)| auditor.recount(entry, line))
                .collect::<Result<Vec<_>, CountError>>()
        })?;
        let mut audit = Self::default();
        for ((entry, _), (parts, finding)) in sample.iter().zip(recounts) {
            audit.entries += 1;
            audit.units += entry.last + 1 - entry.first;
            audit.parts += parts;
            audit.findings.extend(finding);
        }
        Ok(audit)
    }

    /// Returns the number of entries whose count is wrong.
    pub fn wrong_entries(&self) -> u64 {
        self.findings
            .iter()
            .filter(|finding| finding.is_wrong_entry())
            .count() as u64
    }

    /// Returns the number of units for which the engine miscounted a part.
    pub fn wrong_parts(&self) -> u64 {
        self.findings
            .iter()
            .filter(|finding| finding.wrong_part.is_some())
            .count() as u64
    }

    /// Returns an upper bound on the probability that a record passes an audit of this size if a
    /// fraction `wrong` of its entries is wrong. With [`AuditDepth::Unit`], the same bound applies
    /// to an engine that miscounts this fraction of the units.
    #[expect(clippy::cast_precision_loss, reason = "a probability")]
    pub fn chance_to_pass(&self, wrong: f64) -> f64 {
        (1.0 - wrong).powf(self.entries as f64)
    }

    /// Returns the smallest fraction of wrong entries that an audit of this size detects with a
    /// probability of at least 95%.
    #[expect(clippy::cast_precision_loss, reason = "a share")]
    pub fn detected_share(&self) -> f64 {
        1.0 - 0.05_f64.powf(1.0 / self.entries as f64)
    }
}

struct Auditor<'a> {
    engine: &'a dyn Engine,
    depth: AuditDepth,
    counter: Counter<'a>,
    on_finding: &'a (dyn Fn(&Finding) + Sync),
}

impl Auditor<'_> {
    /// Recounts an entry, and returns the number of parts that were recounted.
    fn recount(&self, entry: &Entry, line: &LineRef) -> Result<(u64, Option<Finding>), CountError> {
        let clock = TaskClock::start();
        let drawn = match self.depth {
            AuditDepth::Unit { seed } => draw(self.engine, entry, seed),
            AuditDepth::Whole => None,
        };
        let (count, wrong_part) = entry
            .units()
            .into_par_iter()
            .map(|unit| self.count_again(unit, drawn))
            // At most one of the results includes the selected unit.
            .try_reduce(
                || (0, None),
                |one, other| {
                    let sum = one.0.checked_add(other.0).ok_or(CountError::Overflow)?;
                    Ok((sum, one.1.or(other.1)))
                },
            )?;
        let is_right = count == entry.count && wrong_part.is_none();
        let finding = (!is_right).then(|| Finding {
            entry: entry.clone(),
            line: line.clone(),
            recount: count,
            wrong_part,
        });
        if let Some(finding) = &finding {
            (self.on_finding)(finding);
        }
        (self.counter.on_task)(&Task {
            units: entry.units(),
            work: self.engine.work(entry.units()),
            count,
            kernels: Vec::new(),
            thread_time: clock.read(false),
        });
        Ok((drawn.map_or(0, |unit| self.engine.parts(unit)), finding))
    }

    fn count_again(&self, unit: u64, drawn: Option<u64>) -> Result<Counted, CountError> {
        match drawn {
            Some(drawn) if self.engine.parts(unit) > 1 => self.count_parts(unit, drawn == unit),
            _ => Ok((
                self.engine.recount(unit, self.counter.stop_or_never())?,
                None,
            )),
        }
    }

    /// Counts all parts of a unit with the engine. Also recounts these parts if the unit is the
    /// selected one.
    fn count_parts(&self, unit: u64, drawn: bool) -> Result<Counted, CountError> {
        let engine = self.engine;
        let stop = self.counter.stop_or_never();
        // Neighbouring parts share work, so count them in order.
        let counts: Vec<u128> = (0..engine.parts(unit))
            .map(|part| engine.count_part(unit, part, stop))
            .collect::<Result<_, _>>()?;
        let sum = counts
            .iter()
            .try_fold(0_u128, |sum, count| sum.checked_add(*count))
            .ok_or(CountError::Overflow)?;
        let to_compare = if drawn { &counts[..] } else { &[] };
        let wrong_part = to_compare
            .par_iter()
            .enumerate()
            .map(|(part, &count)| {
                let part = part as u64;
                let recount = engine.recount_part(unit, part, stop)?;
                Ok((count != recount).then_some(WrongPart {
                    unit,
                    part,
                    count,
                    recount,
                }))
            })
            .try_reduce(|| None, |one, other| Ok::<_, CountError>(one.or(other)))?;
        Ok((sum, wrong_part))
    }
}

/// The number of solutions of some units, and a part that the engine miscounted, if any.
type Counted = (u128, Option<WrongPart>);

/// Selects a random unit of an entry from among those that have several parts. Returns `None` if
/// the entry has fewer than two such units.
#[expect(clippy::cast_possible_truncation, reason = "an index")]
fn draw(engine: &dyn Engine, entry: &Entry, seed: u64) -> Option<u64> {
    let units: Vec<u64> = entry
        .units()
        .filter(|&unit| engine.parts(unit) > 1)
        .collect();
    // Each entry has its own random stream, independent of the rest of the sample.
    (units.len() > 1)
        .then(|| units[SplitMix64::stream(seed, entry.first).below(units.len() as u64) as usize])
}
