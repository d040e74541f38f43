//! `queencount audit FILE...`: some entries of records, drawn at random, counted again by an independent method, or on
//! large boards by the engine, and a part of each by an independent method.

use std::ops::Range;
use std::time::{Duration, Instant};

use queencount::record::{Audit, Extent, Plan, WrongEntry, WrongPart};

use crate::cli::arguments::commands::AuditArguments;
use crate::cli::counting::Counting;
use crate::cli::exit::Failure;
use crate::cli::form::Form;
use crate::cli::numbers::quantity;
use crate::cli::output::{Output, Value};
use crate::cli::progress::Meter;
use crate::cli::seed;

use super::merge;

/// Runs it.
pub fn run(arguments: &AuditArguments, counting: &Counting, output: &mut Output) -> Result<(), Failure> {
    let tally = merge::tally(&arguments.records)?;
    let engine = tally.plan().engine(counting.resources()).map_err(|error| Failure::Wrong(error.to_string()))?;
    let seed = arguments.seed.unwrap_or_else(seed::unforeseen);
    let start = Instant::now();
    let entries = tally.entries().count() as u64;
    let drawn = tally.sample(arguments.sample.of(entries) as usize, seed);
    if drawn.is_empty() && !tally.missing().is_empty() {
        return Err(Failure::Incomplete("incomplete: the records have no entries".to_owned()));
    }
    let work_of = |units: &Range<u64>| engine.work_before(units.end) - engine.work_before(units.start);
    let work: f64 = drawn.iter().map(|(entry, _)| work_of(&entry.units)).fold(0.0, |sum, work| sum + work);
    let units = drawn.iter().map(|(entry, _)| entry.units.end - entry.units.start).sum();
    let sample = Drawn { plan: tally.plan(), drawn: drawn.len() as u64, entries, units, work, seed };
    let extent = if arguments.whole { Extent::Whole } else { Extent::Part { seed } };
    let mut units_drawn = drawn.iter().flat_map(|(entry, _)| entry.units.clone());
    let by = match units_drawn.any(|unit| engine.parts(unit) > 1) && !arguments.whole {
        true => format!("{}, and a part of each by backtracking", engine.name()),
        false => "backtracking".to_owned(),
    };
    // Before hours of it, because it is for the user to say whether it is worth them.
    counting.note(format_args!("recounting {} by {by}: {}", sample.share(), sample.size()));
    let meter = Meter::of(engine.as_ref(), drawn.iter().map(|(entry, _)| entry.units.clone()));
    let audit = counting.watched(Some(&meter), start, |fan_out, _| {
        Audit::run(engine.as_ref(), &drawn, extent, fan_out.observer(&meter))
    })?;
    match output.form() {
        Form::Text => sample.text(&audit, output)?,
        _ => sample.fields(&audit, start.elapsed(), output)?,
    }
    verdict(&audit)
}

/// Whether nothing wrong has been found.
fn verdict(audit: &Audit) -> Result<(), Failure> {
    match (audit.wrong.len(), audit.wrong_parts.len()) {
        (0, 0) => Ok(()),
        (wrong, parts) => {
            let wrong = quantity(wrong as u64, "wrong entry", "wrong entries");
            let parts = match parts as u64 {
                0 => String::new(),
                parts => format!(", and the engine and backtracking disagree on {}", quantity(parts, "part", "parts")),
            };
            Err(Failure::Wrong(format!("the audit found {wrong}{parts}")))
        }
    }
}

/// What is audited.
struct Drawn<'a> {
    plan: &'a Plan,
    /// The number of entries drawn.
    drawn: u64,
    /// The number of entries of the records.
    entries: u64,
    /// The number of units of the entries drawn.
    units: u64,
    /// The expected share of the work, from 0 to 1, that these units take.
    work: f64,
    seed: u64,
}

impl Drawn<'_> {
    /// Whether every entry has been recounted whole by other means, so that no wrong one can have been missed.
    fn twice(&self, audit: &Audit) -> bool {
        self.drawn == self.entries && audit.parts == 0
    }

    fn share(&self) -> String {
        format!("{} of {}", self.drawn, quantity(self.entries, "entry", "entries"))
    }

    fn size(&self) -> String {
        let units = quantity(self.units, "unit", "units");
        format!("{units}, {:.2} % of the work for N = {}", 100.0 * self.work, self.plan.n)
    }

    /// What the audit has found, for people: each wrong entry, and what is known of those that have not been drawn.
    fn text(&self, audit: &Audit, output: &mut Output) -> Result<(), Failure> {
        for WrongEntry { entry, place, recount, .. } in &audit.wrong {
            let (first, last, count) = (entry.units.start, entry.units.end - 1, entry.count);
            output.text(format_args!("{place}: units {first} to {last}: {count} recorded, {recount} recounted\n"))?;
        }
        for disagreement in &audit.wrong_parts {
            output.text(format_args!("{}\n", Self::disagreement(disagreement)))?;
        }
        let (share, size, seed, wrong) = (self.share(), self.size(), self.seed, audit.wrong.len());
        let (parts, wrong_parts, engine) = (audit.parts, audit.wrong_parts.len(), &self.plan.engine);
        output.text(match parts {
            0 => format!("{share} recounted, {wrong} wrong ({size}; seed {seed})\n"),
            _ => format!(
                "{share} recounted by {engine}, {wrong} wrong; {} of them by backtracking, {wrong_parts} wrong ({size}; \
                 seed {seed})\n",
                quantity(parts, "part", "parts")
            ),
        })?;
        if wrong + wrong_parts > 0 {
            return Ok(());
        }
        if self.twice(audit) {
            return output.text("Every entry has been counted twice, by independent methods.\n");
        }
        let or_parts = if parts == 0 { String::new() } else { format!(", or of the parts that {engine} counts,") };
        output.text(format_args!(
            "If 1 % of the entries{or_parts} were wrong, {:.0} % of such audits would pass. If {:.1} % were wrong, 5 % \
             would pass.\n",
            100.0 * audit.chance_to_pass(0.01),
            100.0 * audit.detected_share(),
        ))
    }

    /// A part that the engine counts wrong, in words.
    fn disagreement(WrongPart { place, unit, part, count, recount, .. }: &WrongPart) -> String {
        format!(
            "{place}: the engine and backtracking disagree on part {part} of unit {unit}: {count} and {recount} \
             solutions"
        )
    }

    /// The same for programs.
    fn fields(&self, audit: &Audit, elapsed: Duration, output: &mut Output) -> Result<(), Failure> {
        let places: Vec<String> = audit.wrong.iter().map(|wrong| wrong.place.to_string()).collect();
        let disagreements: Vec<String> = audit.wrong_parts.iter().map(Self::disagreement).collect();
        output.fields(&[
            ("n", Value::Number(self.plan.n.into())),
            ("drawn", Value::Number(self.drawn)),
            ("entries", Value::Number(self.entries)),
            ("units", Value::Number(self.units)),
            ("work", Value::Real(self.work)),
            ("wrong", Value::Number(audit.wrong.len() as u64)),
            ("places", Value::Text(places.join("; "))),
            ("parts", Value::Number(audit.parts)),
            ("wrong_parts", Value::Number(audit.wrong_parts.len() as u64)),
            ("disagreements", Value::Text(disagreements.join("; "))),
            ("detected_share", Value::Real(if self.twice(audit) { 0.0 } else { audit.detected_share() })),
            ("seed", Value::Number(self.seed)),
            ("seconds", Value::Seconds(elapsed)),
            ("engine", Value::Text(self.plan.engine.clone())),
            ("plan", Value::Text(self.plan.hash())),
            ("version", Value::Word(env!("CARGO_PKG_VERSION"))),
        ])
    }
}

#[cfg(test)]
mod tests {
    use queencount::record::{Journal, UnitSet};
    use queencount::{EngineChoice, FanOut, Kernel, Stop};

    use super::super::self_test::check::{plan, tests::Liar};
    use super::*;

    #[test]
    fn an_engine_that_counts_wrong_is_named_as_such() {
        const UNIT: u64 = 11;
        let liar = Liar { engine: plan(EngineChoice::Rows, 18, Kernel::default()), unit: UNIT };
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("r");
        Journal::open(&path, &Plan::new(&liar))
            .unwrap()
            .count(&liar, &(UNIT..UNIT + 1).into(), FanOut::default())
            .unwrap();

        let journal = Journal::open(&path, &Plan::new(&liar)).unwrap();
        assert_eq!(journal.tally().done(), &UnitSet::from(UNIT..UNIT + 1));
        let sample = journal.tally().sample(1, 1);
        let audit = Audit::run(&liar, &sample, Extent::Part { seed: 1 }, FanOut::default()).unwrap();
        // The record has what the engine counts.
        assert!(audit.wrong.is_empty());
        let [wrong] = &audit.wrong_parts[..] else { panic!("{audit:?}") };
        let (part, count) = (wrong.part, liar.engine.count_part(UNIT, wrong.part, &Stop::new()).unwrap());
        let expected = format!(
            "{} line 2: the engine and backtracking disagree on part {part} of unit {UNIT}: {} and {count} solutions",
            path.display(),
            count + 2,
        );
        assert_eq!(Drawn::disagreement(wrong), expected);
        match verdict(&audit) {
            Err(Failure::Wrong(line)) => {
                assert_eq!(line, "the audit found 0 wrong entries, and the engine and backtracking disagree on 1 part");
            }
            other => panic!("{other:?}"),
        }
    }
}
