//! `queencount audit FILE...`: some entries of records, drawn at random, counted again by other means; where an entry of a
//! large board has several units by the engine, and a unit of each by other means.

use std::fmt::Display;
use std::ops::Range;
use std::path::Path;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use queencount::Task;
use queencount::record::{Audit, Dispute, Entry, Extent, Finding, Journal, Place, Plan, Tally, UnitSet};

use crate::cli::arguments::commands::AuditArguments;
use crate::cli::counting::Counting;
use crate::cli::exit::Exit;
use crate::cli::from_records::{self, Tolerated};
use crate::cli::notes::note;
use crate::cli::numbers::quantity;
use crate::cli::output::{Form, Output, Value};
use crate::cli::progress::Gauge;

pub fn run(arguments: &AuditArguments, counting: &Counting, output: &mut Output) -> Result<(), Exit> {
    let (tally, engine) = from_records::tally(&arguments.records, counting, Tolerated::Disputes)?;
    let seed = arguments.seed;
    let start = Instant::now();
    let disputes: Vec<Dispute> = tally.disputes().collect();
    let (entries, drawn) = drawn(&tally, &disputes, arguments, seed);
    if drawn.is_empty() && !tally.missing().is_empty() {
        return Err(Exit::Incomplete("incomplete: the records have no entries".to_owned()));
    }
    let work_of = |units: &Range<u64>| engine.work_before(units.end) - engine.work_before(units.start);
    let work: f64 = drawn.iter().map(|(entry, _)| work_of(&entry.units)).fold(0.0, |sum, work| sum + work);
    let units = drawn.iter().map(|(entry, _)| entry.units.end - entry.units.start).sum();
    let sample = AuditSample { plan: tally.plan(), disputed: !disputes.is_empty(), drawn, entries, units, work, seed };
    let extent = if arguments.whole { Extent::Whole } else { Extent::Unit { seed } };
    let several = |units: &Range<u64>| units.clone().filter(|&unit| engine.parts(unit) > 1).nth(1).is_some();
    let by_engine = !arguments.whole && sample.drawn.iter().any(|(entry, _)| several(&entry.units));
    if arguments.machine.kernel.is_some() && !by_engine {
        let found = "found entries that other means alone count again";
        return Err(Exit::Usage(format!("expected no --kernel with 'audit' of these records, {found}")));
    }
    let by = match by_engine {
        true => format!("{}, and a unit of each by other means", engine.name()),
        false => "other means".to_owned(),
    };
    counting.say(engine.as_ref());
    // Before hours of it, because it is for the user to say whether it is worth them.
    counting.note(format_args!("recounting {} by {by}: {}", sample.share(), sample.size()));
    let gauge = Gauge::of_units(engine.as_ref(), sample.drawn.iter().map(|(entry, _)| entry.units.clone()));
    let told = Mutex::new((0, output));
    let tell = |mismatch: &dyn Display| {
        let mut told = told.lock().unwrap_or_else(PoisonError::into_inner);
        let (found, output) = &mut *told;
        *found += 1;
        match output.form() {
            // If nobody reads it, nobody reads what comes last.
            Form::Text => _ = output.text(format_args!("{mismatch}\n")),
            _ => note(format_args!("{mismatch}")),
        }
    };
    let journal = arguments.record.as_deref().map(|path| journal(path, tally.plan(), arguments)).transpose()?;
    let log = Mutex::new((journal, None));
    let audit = counting.watched(Some(&gauge), start, |fan_out, stop| {
        let keep = |finding: &Finding| {
            let (journal, failure) = &mut *log.lock().unwrap_or_else(PoisonError::into_inner);
            let mut finding = finding.clone();
            finding.seed = Some(seed);
            let written = journal.as_mut().map_or(Ok(()), |journal| journal.keep(&finding));
            if let Err(error) = written {
                failure.get_or_insert(error);
                stop.request();
            }
        };
        let observer = |task: &Task| gauge.add(task);
        Audit::run(engine.as_ref(), &sample.drawn, extent, fan_out.observer(&observer), &tell, &keep)
    });
    let (journal, failure) = log.into_inner().unwrap_or_else(PoisonError::into_inner);
    let kept = failure.map_or_else(|| journal.map_or(Ok(()), |mut journal| journal.finish()), Err);
    let (found, output) = told.into_inner().unwrap_or_else(PoisonError::into_inner);
    // Whatever else ends the audit, findings that cannot be kept are the reason.
    let audit = kept.map_err(Exit::from).and(audit).map_err(|failure| unfinished(failure, found))?;
    let written = match output.form() {
        Form::Text => sample.text(&audit, output),
        _ => sample.fields(&audit, start.elapsed(), output),
    };
    // What is wrong is wrong, also where nobody reads it.
    verdict(&audit)?;
    written
}

/// The record that findings are appended to.
fn journal(path: &Path, plan: &Plan, arguments: &AuditArguments) -> Result<Journal, Exit> {
    let journal = Journal::open(path, plan)?;
    Ok(match &arguments.site {
        Some(site) => journal.at_site(site),
        None => journal,
    })
}

/// The entries to count again, and how many there are of which they were drawn: those that contradict each other, if
/// there are any, otherwise a random sample of all.
fn drawn(tally: &Tally, disputes: &[Dispute], arguments: &AuditArguments, seed: u64) -> (u64, Vec<(Entry, Place)>) {
    if disputes.is_empty() {
        let entries = tally.entries().count() as u64;
        return (entries, tally.sample(arguments.sample.of(entries) as usize, seed));
    }
    let entries = disputes.iter().map(|dispute| dispute.entries.len() as u64).sum();
    let drawn = disputes.iter().take(arguments.sample.of(disputes.len() as u64) as usize);
    (entries, drawn.flat_map(|dispute| dispute.entries.clone()).collect())
}

/// How an audit ends that did not come to its end: by what it found, if it found anything wrong.
fn unfinished(failure: Exit, found: u64) -> Exit {
    match (found, failure.line()) {
        (0, _) | (_, None) => failure,
        (found, Some(line)) => {
            Exit::Wrong(format!("{line}; the audit had found {} by then", quantity(found, "mismatch", "mismatches")))
        }
    }
}

/// Whether nothing wrong has been found.
fn verdict(audit: &Audit) -> Result<(), Exit> {
    let (wrong, parts) = (audit.wrong.len() as u64, audit.wrong_parts.len() as u64);
    let entries = quantity(wrong, "wrong entry", "wrong entries");
    match parts {
        0 if wrong == 0 => Ok(()),
        0 => Err(Exit::Wrong(format!(
            "the audit found {entries}; delete {} to have the units counted again",
            if wrong == 1 { "its line" } else { "their lines" },
        ))),
        parts => {
            let parts = quantity(parts, "part", "parts");
            Err(Exit::Wrong(format!("the audit found {entries}, and the engine and the recount disagree on {parts}")))
        }
    }
}

/// What is audited.
struct AuditSample<'a> {
    plan: &'a Plan,
    /// Whether these are the entries that contradict each other.
    disputed: bool,
    /// The entries drawn.
    drawn: Vec<(Entry, Place)>,
    /// The number of all such entries.
    entries: u64,
    /// The number of units of the entries drawn.
    units: u64,
    /// The expected share of the work, from 0 to 1, that these units take.
    work: f64,
    seed: u64,
}

impl AuditSample<'_> {
    /// Whether every entry has been recounted whole by other means, so that no wrong one can have been missed.
    fn twice(&self, audit: &Audit) -> bool {
        self.drawn.len() as u64 == self.entries && audit.parts == 0 && !self.disputed
    }

    fn share(&self) -> String {
        let which = if self.disputed { " that contradict each other" } else { "" };
        format!("{} of {}{which}", self.drawn.len(), quantity(self.entries, "entry", "entries"))
    }

    fn size(&self) -> String {
        let units = quantity(self.units, "unit", "units");
        format!("{units}, {:.2} % of the work for N = {}", 100.0 * self.work, self.plan.n)
    }

    /// What the audit has found, for people who have been told of each wrong entry: what is known of the others.
    fn text(&self, audit: &Audit, output: &mut Output) -> Result<(), Exit> {
        if self.disputed {
            let wrong = |place: &Place| audit.wrong.iter().any(|wrong| wrong.place == *place);
            for (entry, place) in self.drawn.iter().filter(|(_, place)| !wrong(place)) {
                let (units, count) = (UnitSet::from(entry.units.clone()), entry.count);
                output.text(format_args!("{place}: units {units}: {count} recorded, which is right\n"))?;
            }
        }
        let (share, size, seed, wrong) = (self.share(), self.size(), self.seed, audit.wrong.len());
        let (parts, wrong_parts, engine) = (audit.parts, audit.wrong_parts.len(), &self.plan.engine);
        output.text(match parts {
            0 => format!("{share} recounted, {wrong} wrong ({size}; seed {seed})\n"),
            _ => format!(
                "{share} recounted by {engine}, {wrong} wrong; {} of them by other means, {wrong_parts} wrong \
                 ({size}; seed {seed})\n",
                quantity(parts, "part", "parts"),
            ),
        })?;
        if wrong + wrong_parts > 0 || self.disputed {
            return Ok(());
        }
        if self.twice(audit) {
            return output.text("Every entry has been counted twice, by independent methods.\n");
        }
        let or_units = if parts == 0 { String::new() } else { format!(", or of the units that {engine} counts,") };
        output.text(format_args!(
            "If 1 % of the entries{or_units} were wrong, {:.0} % of such audits would pass. If {:.1} % were wrong, 5 % \
             would pass.\n",
            100.0 * audit.chance_to_pass(0.01),
            100.0 * audit.detected_share(),
        ))
    }

    /// The same for programs.
    fn fields(&self, audit: &Audit, elapsed: Duration, output: &mut Output) -> Result<(), Exit> {
        let places: Vec<String> = audit.wrong.iter().map(|wrong| wrong.place.to_string()).collect();
        let disagreements: Vec<String> = audit.wrong_parts.iter().map(ToString::to_string).collect();
        // A chance is told of entries that were drawn at random from others.
        let detected = match self.disputed {
            true => Value::Nothing,
            false => Value::Real(if self.twice(audit) { 0.0 } else { audit.detected_share() }),
        };
        output.fields(&[
            ("n", Value::Number(self.plan.n.into())),
            ("drawn", Value::Number(self.drawn.len() as u64)),
            ("entries", Value::Number(self.entries)),
            ("disputed", Value::Truth(self.disputed)),
            ("units", Value::Number(self.units)),
            ("work", Value::Real(self.work)),
            ("wrong", Value::Number(audit.wrong.len() as u64)),
            ("places", Value::Text(places.join("; "))),
            ("parts", Value::Number(audit.parts)),
            ("wrong_parts", Value::Number(audit.wrong_parts.len() as u64)),
            ("disagreements", Value::Text(disagreements.join("; "))),
            ("detected_share", detected),
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
    use queencount::record::{Journal, UnitSet, merge};
    use queencount::{EngineChoice, FanOut, Kernel, Stop};

    use super::super::self_test::{check::plan, tests};
    use super::*;

    #[test]
    fn an_engine_that_counts_wrong_is_named_as_such() {
        const UNIT: u64 = 2;
        let liar = tests::liar(plan(EngineChoice::Rows, 18, Kernel::default()), UNIT);
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("r");
        // An entry of four units, of which an audit recounts one.
        Journal::open(&path, &Plan::new(&liar)).unwrap().count(&liar, &(0..4).into(), FanOut::default()).unwrap();

        let tally = merge(&Plan::new(&liar), &[&path]).unwrap();
        assert_eq!(tally.done(), &UnitSet::from(0..4));
        let sample = tally.sample(1, 1);
        let audit = |seed| {
            Audit::run(&liar, &sample, Extent::Unit { seed }, FanOut::default(), &|_| {}, &|_| {}).expect("no stop")
        };
        let audit = (0..50).map(audit).find(|audit| !audit.wrong_parts.is_empty()).expect("this unit is drawn, too");
        // The record has what the engine counts.
        assert!(audit.wrong.is_empty());
        let [wrong] = &audit.wrong_parts[..] else { panic!("{audit:?}") };
        let count = liar.engine.count_part(UNIT, 0, &Stop::new()).unwrap();
        let expected = format!(
            "{} line 2: the engine and the recount disagree on part 0 of unit {UNIT}: {} and {count} solutions",
            path.display(),
            count + 2,
        );
        assert_eq!(wrong.to_string(), expected);
        match verdict(&audit) {
            Err(Exit::Wrong(line)) => {
                assert_eq!(line, "the audit found 0 wrong entries, and the engine and the recount disagree on 1 part");
            }
            other => panic!("{other:?}"),
        }
    }
}
