//! The audit recounts some tasks of records, as evidence that the other counts are correct.
//!
//! Units are counted with [`Engine::recount`], which shares only the definition of the problem with
//! the engine. This would take 20 to 30 minutes for a task of N = 28, whose units have parts. The
//! engine counts such a task again instead, which reveals a wrong count in the record. In addition,
//! [`Engine::recount_part`] recounts the parts of one random unit, which reveals an engine that
//! miscounts parts.

use std::collections::BTreeMap;
use std::fmt;
use std::ops::Range;
use std::sync::Mutex;

use rayon::prelude::*;

use super::error::in_words;
use super::{Place, RecordError, RecordedTask};
use crate::cancel::{CancelToken, Function, NEVER};
use crate::count::{self, CountError};
use crate::engine::Engine;
use crate::splitmix::SplitMix64;

/// The result of recounting some tasks.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct Audit {
    /// The number of recounted tasks whose lines agree.
    pub agreed: u64,
    /// The number of recounted units.
    pub units: u64,
    /// The number of parts counted by both the engine and the recount.
    pub parts: u64,
    /// The findings, in the order of the sample.
    pub findings: Vec<Finding>,
}

/// A task with a wrong count in a record, or one that revealed an engine error.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Finding {
    /// The units of the task.
    pub units: Range<u64>,
    /// Their number of solutions according to the recount.
    pub recount: u128,
    /// The wrong counts, and all lines that have them.
    pub wrong: BTreeMap<u128, Vec<Place>>,
    /// The part that the engine miscounted, if any.
    pub wrong_part: Option<WrongPart>,
}

/// A part for which the engine and the recount gave different counts.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct WrongPart {
    /// The unit.
    pub unit: u64,
    /// The index of the part.
    pub part: u64,
    /// The number of solutions according to the engine.
    pub count: u128,
    /// The number of solutions according to the recount.
    pub recount: u128,
}

impl fmt::Display for Finding {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut clauses = Vec::new();
        for (count, places) in &self.wrong {
            let places: Vec<_> = places.iter().map(Place::to_string).collect();
            clauses.push(format!(
                "{}: {}: {count} recorded, {} recounted",
                places.join(", "),
                in_words(&self.units),
                self.recount
            ));
        }
        if let Some(part) = &self.wrong_part {
            clauses.push(format!(
                "the engine and the recount disagree on part {} of unit {}: {} and {} solutions",
                part.part, part.unit, part.count, part.recount
            ));
        }
        formatter.write_str(&clauses.join("; "))
    }
}

impl Audit {
    /// Returns an upper bound on the probability that a record passes an audit of this size if a
    /// fraction `wrong` of its counts is wrong. The same bound applies to an engine that miscounts
    /// this fraction of the units.
    #[expect(clippy::cast_precision_loss, reason = "a probability")]
    pub fn chance_to_pass(&self, wrong: f64) -> f64 {
        (1.0 - wrong).powf(self.agreed as f64)
    }

    /// Returns the smallest fraction of wrong counts that an audit of this size detects with a
    /// probability of at least 95%.
    #[expect(clippy::cast_precision_loss, reason = "a share")]
    pub fn detected_share(&self) -> f64 {
        1.0 - 0.05_f64.powf(1.0 / self.agreed as f64)
    }
}

/// Recounts tasks of records.
///
/// ```
/// # use queencount::record::{Auditor, Loader};
/// # use queencount::{BoardSize, Counter};
/// # let folder = tempfile::tempdir()?;
/// # let path = folder.path().join("record.jsonl");
/// # let mut journal = Loader::new().resume(&path, BoardSize::new(10)?)?;
/// # journal.count(&"0-9".parse()?, Counter::new())?;
/// let tally = Loader::new().load([&path])?.tally;
/// let audit = Auditor::new().run(tally.engine(), &tally.sample(30, 1), 1)?;
/// assert!(audit.findings.is_empty());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Auditor<'a> {
    threads: usize,
    stop: &'a CancelToken,
    on_progress: Function<&'a (dyn Fn(f64) + Sync)>,
    on_finding: Function<&'a (dyn Fn(&Finding) + Sync)>,
}

impl Default for Auditor<'_> {
    fn default() -> Self {
        Self::new()
    }
}

impl<'a> Auditor<'a> {
    /// Creates an auditor with one thread per CPU.
    pub fn new() -> Self {
        Self {
            threads: 0,
            stop: &NEVER,
            on_progress: Function(&|_| ()),
            on_finding: Function(&|_| ()),
        }
    }

    /// Sets the number of threads, as [`Counter::threads`](crate::Counter::threads) does.
    #[must_use]
    pub fn threads(self, threads: usize) -> Self {
        Self { threads, ..self }
    }

    /// Stops the audit when `stop` is cancelled.
    #[must_use]
    pub fn stop(self, stop: &'a CancelToken) -> Self {
        Self { stop, ..self }
    }

    /// Calls `on_progress` after each unit or part, on the thread that recounted it, with the
    /// finished fraction of the audit.
    #[must_use]
    pub fn on_progress(self, on_progress: &'a (dyn Fn(f64) + Sync)) -> Self {
        Self {
            on_progress: Function(on_progress),
            ..self
        }
    }

    /// Calls `on_finding` for each finding immediately, on the thread that found it.
    #[must_use]
    pub fn on_finding(self, on_finding: &'a (dyn Fn(&Finding) + Sync)) -> Self {
        Self {
            on_finding: Function(on_finding),
            ..self
        }
    }

    /// Recounts each task of a sample once (see [`Tally::sample`](super::Tally::sample)). `engine`
    /// defines the units. If more than one unit of a task has several parts, `seed` determines the
    /// unit that is recounted independently.
    ///
    /// # Errors
    /// Fails if the audit is cancelled, if the threads cannot be started, or if the recount of a
    /// task gives 2^128 solutions or more.
    ///
    /// # Panics
    /// Panics if a task has a unit that `engine` does not have.
    pub fn run(
        &self,
        engine: &dyn Engine,
        sample: &[RecordedTask],
        seed: u64,
    ) -> Result<Audit, RecordError> {
        let pool = count::pool(self.threads)?;
        let mut run = Run {
            auditor: self,
            engine,
            seed,
            parts: 0,
            finished: Mutex::new(0),
        };
        for task in sample {
            let drawn = run.draw(&task.units);
            for unit in task.units.clone().chain(drawn) {
                run.parts += engine.parts(unit);
            }
        }
        let recounts = pool.install(|| {
            sample
                .par_iter()
                .with_max_len(1)
                .map(|task| run.recount(task))
                .collect::<Result<Vec<_>, CountError>>()
        })?;
        let mut audit = Audit::default();
        for (task, (parts, finding)) in sample.iter().zip(recounts) {
            audit.agreed += u64::from(task.counts.len() == 1);
            audit.units += task.units.end - task.units.start;
            audit.parts += parts;
            audit.findings.extend(finding);
        }
        Ok(audit)
    }
}

struct Run<'a> {
    auditor: &'a Auditor<'a>,
    engine: &'a dyn Engine,
    seed: u64,
    /// The number of parts to be counted. Those of units drawn for the independent recount are
    /// counted twice.
    parts: u64,
    finished: Mutex<u64>,
}

impl Run<'_> {
    /// Recounts a task, and returns the number of parts that were recounted.
    fn recount(&self, task: &RecordedTask) -> Result<(u64, Option<Finding>), CountError> {
        let drawn = self.draw(&task.units);
        let (recount, wrong_part) = task
            .units
            .clone()
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
        let mut wrong = task.counts.clone();
        wrong.remove(&recount);
        let finding = (!wrong.is_empty() || wrong_part.is_some()).then(|| Finding {
            units: task.units.clone(),
            recount,
            wrong,
            wrong_part,
        });
        if let Some(finding) = &finding {
            (self.auditor.on_finding.0)(finding);
        }
        Ok((drawn.map_or(0, |unit| self.engine.parts(unit)), finding))
    }

    fn count_again(&self, unit: u64, drawn: Option<u64>) -> Result<Counted, CountError> {
        let parts = self.engine.parts(unit);
        if drawn.is_none() || parts == 1 {
            let count = self.engine.recount(unit, self.auditor.stop)?;
            self.finish(parts);
            return Ok((count, None));
        }
        // Neighbouring parts share work, so count them in order.
        let mut counts = Vec::new();
        let mut sum = 0_u128;
        for part in 0..parts {
            let count = self.engine.count_part(unit, part, self.auditor.stop)?;
            sum = sum.checked_add(count).ok_or(CountError::Overflow)?;
            counts.push(count);
            self.finish(1);
        }
        let wrong_part = match drawn == Some(unit) {
            true => self.wrong_part(unit, &counts)?,
            false => None,
        };
        Ok((sum, wrong_part))
    }

    /// Recounts all parts of a unit, and returns one that the engine miscounted, if any.
    fn wrong_part(&self, unit: u64, counts: &[u128]) -> Result<Option<WrongPart>, CountError> {
        counts
            .par_iter()
            .enumerate()
            .map(|(part, &count)| {
                let part = part as u64;
                let recount = self.engine.recount_part(unit, part, self.auditor.stop)?;
                self.finish(1);
                Ok((count != recount).then_some(WrongPart {
                    unit,
                    part,
                    count,
                    recount,
                }))
            })
            .try_reduce(|| None, |one, other| Ok(one.or(other)))
    }

    /// Selects a random unit of a task from among those that have several parts. Returns `None` if
    /// the task has fewer than two such units.
    #[expect(clippy::cast_possible_truncation, reason = "an index")]
    fn draw(&self, units: &Range<u64>) -> Option<u64> {
        let several: Vec<u64> = units
            .clone()
            .filter(|&unit| self.engine.parts(unit) > 1)
            .collect();
        // Each task has its own random stream, independent of the rest of the sample.
        (several.len() > 1).then(|| {
            several[SplitMix64::stream(self.seed, units.start).below(several.len() as u64) as usize]
        })
    }

    #[expect(clippy::cast_precision_loss, reason = "a fraction")]
    fn finish(&self, parts: u64) {
        // Reported under the lock, so that fractions arrive in order.
        let mut finished = self.finished.lock().expect("no callback panics");
        *finished += parts;
        (self.auditor.on_progress.0)(*finished as f64 / self.parts as f64);
    }
}

/// The number of solutions of some units, and a part that the engine miscounted, if any.
type Counted = (u128, Option<WrongPart>);
