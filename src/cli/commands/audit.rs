//! `queencount audit FILE...`: some entries of records, drawn at random, are recounted. Where an
//! entry of a large board has several units, the engine counts them, and one of them is recounted.
//! Entries that contradict each other are counted again, too, to tell which of them is right.

use std::fmt::Display;
use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use queencount::record::{Audit, Entry, Extent, Finding, Place, Plan, RecordError, Tally, UnitSet};
use queencount::{Engine, Task};

use crate::cli::arguments::commands::AuditArguments;
use crate::cli::counting::Counting;
use crate::cli::exit::{Exit, OrExit};
use crate::cli::from_records::{self, Reading};
use crate::cli::notes::note;
use crate::cli::numbers::quantity;
use crate::cli::output::{Form, Output, Value};
use crate::cli::progress::Gauge;

pub fn run(arguments: &AuditArguments, counting: &Counting, output: &mut Output) -> OrExit<()> {
    let Reading {
        tally,
        engine,
        mut flaws,
        ..
    } = from_records::read(&arguments.records, counting, true)?;
    from_records::lasting(&mut flaws)?;
    let (engine, seed, start) = (engine.as_ref(), arguments.seed, Instant::now());
    flaws.iter().for_each(|flaw| note(format_args!("{flaw}")));
    let flaws = flaws.iter().map(RecordError::flaws).sum();
    let samples = samples(&tally, engine, arguments);
    let drawn = || {
        samples
            .iter()
            .flat_map(|sample| &sample.drawn)
            .map(|(entry, _)| entry.units())
    };
    if drawn().next().is_none() && !tally.missing().is_empty() {
        return verdict(0, 0, flaws).and(Err(Exit::Incomplete(
            "incomplete: the records have no entries".to_owned(),
        )));
    }
    if arguments.machine.kernel.is_some() && !samples.iter().any(|sample| sample.by_engine) {
        let found = "found entries that are recounted without a kernel";
        return Err(Exit::Usage(format!(
            "expected no --kernel with 'audit' of these records, {found}"
        )));
    }
    counting.say(engine);
    for sample in &samples {
        // Before hours of it, because it is for the user to say whether it is worth them.
        counting.watch.note(format_args!(
            "recounting {} by {}: {}",
            sample.share(),
            sample.means(),
            sample.size()
        ));
    }
    let extent = if arguments.whole {
        Extent::Whole
    } else {
        Extent::Unit { seed }
    };
    let gauge = Gauge::of_units(engine, drawn());
    let told = Mutex::new((0, output));
    let tell = |mismatch: &dyn Display| {
        let (found, output) = &mut *told.lock().unwrap_or_else(PoisonError::into_inner);
        *found += 1;
        match output.form() {
            // Without a reader, writing the last line will fail, too.
            Form::Text => _ = output.text(format_args!("{mismatch}\n")),
            _ => note(format_args!("{mismatch}")),
        }
    };
    let journal =
        |path: &PathBuf| from_records::journal(path, tally.plan(), arguments.site.as_ref());
    let journal = arguments.record.as_ref().map(journal).transpose()?;
    let log = Mutex::new((journal, None));
    let audits = counting.watched(Some(&gauge), start, |counter, stop| {
        let keep = |finding: &Finding, audit: &Audit| {
            audit.wrong.iter().for_each(|wrong| tell(wrong));
            audit.wrong_parts.iter().for_each(|wrong| tell(wrong));
            let (journal, failure) = &mut *log.lock().unwrap_or_else(PoisonError::into_inner);
            let mut finding = finding.clone();
            finding.seed = Some(seed);
            let written = journal
                .as_mut()
                .map_or(Ok(()), |journal| journal.keep(&finding));
            if let Err(error) = written {
                failure.get_or_insert(error);
                stop.cancel();
            }
        };
        let observer = |task: &Task| gauge.add(task);
        let counter = counter.on_task(&observer);
        let audit = |sample: &Sample| Audit::run(engine, &sample.drawn, extent, counter, &keep);
        Ok(samples
            .iter()
            .map(audit)
            .collect::<Result<Vec<Audit>, RecordError>>()?)
    });
    let (journal, failure) = log.into_inner().unwrap_or_else(PoisonError::into_inner);
    let kept = failure.map_or_else(
        || journal.map_or(Ok(()), |mut journal| journal.finish()),
        Err,
    );
    let (found, output) = told.into_inner().unwrap_or_else(PoisonError::into_inner);
    // Whatever else ends the audit, findings that cannot be kept are the reason.
    let audits = kept
        .map_err(Exit::from)
        .and(audits)
        .map_err(|failure| unfinished(failure, found))?;
    let written = match output.form() {
        Form::Text => samples
            .iter()
            .zip(&audits)
            .try_for_each(|(sample, audit)| sample.text(audit, output)),
        _ => fields(&samples, &audits, seed, start.elapsed(), output),
    };
    // What is wrong is wrong, also where nobody reads it.
    let of_all = |found: fn(&Audit) -> usize| audits.iter().map(|audit| found(audit) as u64).sum();
    verdict(
        of_all(|audit| audit.wrong.len()),
        of_all(|audit| audit.wrong_parts.len()),
        flaws,
    )?;
    written
}

/// How an audit ends that did not come to its end: by what it found, if it found anything wrong.
fn unfinished(failure: Exit, found: u64) -> Exit {
    match (found, failure.line()) {
        (0, _) | (_, None) => failure,
        (found, Some(line)) => Exit::Wrong(format!(
            "{line}; the audit had found {} by then",
            quantity(found, "mismatch", "mismatches")
        )),
    }
}

/// Whether so many wrong entries, parts on which the engine and the recount disagree, and flaws of
/// records are none.
fn verdict(wrong: u64, parts: u64, flaws: u64) -> OrExit<()> {
    let entries = quantity(wrong, "wrong entry", "wrong entries");
    Err(Exit::Wrong(match (wrong, parts, flaws) {
        (0, 0, 0) => return Ok(()),
        (0, 0, _) => {
            let flaws = quantity(flaws, "flaw", "flaws");
            format!(
                "the records have {flaws}, named above; of what could be read, the audit found nothing wrong"
            )
        }
        (1, 0, _) => {
            format!("the audit found {entries}; delete its line to have the units counted again")
        }
        (_, 0, _) => {
            format!("the audit found {entries}; delete their lines to have the units counted again")
        }
        _ => {
            let parts = quantity(parts, "part", "parts");
            format!("the audit found {entries}, and the engine and the recount disagree on {parts}")
        }
    }))
}

/// What is audited: entries that contradict each other, or some that were drawn from all others.
struct Sample<'a> {
    plan: &'a Plan,
    /// Whether these are the entries that contradict each other.
    disputed: bool,
    drawn: Vec<(Entry, Place)>,
    /// The number of all such entries.
    entries: u64,
    /// The number of units of the entries drawn.
    units: u64,
    /// The expected share of the work, from 0 to 1, that these units take.
    work: f64,
    /// Whether the engine counts some of them, and a unit of each is recounted.
    by_engine: bool,
    seed: u64,
}

/// The samples of an audit. There is one of the good entries, unless all are in dispute.
fn samples<'a>(
    tally: &'a Tally,
    engine: &dyn Engine,
    arguments: &AuditArguments,
) -> Vec<Sample<'a>> {
    let sample = |disputed: bool, entries: u64, drawn: Vec<(Entry, Place)>| {
        let all = || drawn.iter().map(|(entry, _)| entry.units());
        let work = all().map(|units| engine.work(units));
        let work = work.fold(0.0, |sum, work| sum + work);
        let by_engine = !arguments.whole
            && all().any(|units| units.filter(|&unit| engine.parts(unit) > 1).count() > 1);
        let units = all().map(|units| units.end - units.start).sum();
        Sample {
            plan: tally.plan(),
            disputed,
            drawn,
            entries,
            units,
            work,
            by_engine,
            seed: arguments.seed,
        }
    };
    let disputes: Vec<_> = tally.disputes().collect();
    let of_disputes = disputes
        .iter()
        .take(arguments.sample.of(disputes.len() as u64) as usize);
    let of_disputes: Vec<_> = of_disputes
        .flat_map(|dispute| dispute.entries.clone())
        .collect();
    let disputed = disputes
        .iter()
        .map(|dispute| dispute.entries.len() as u64)
        .sum();
    let at_random = tally.sample(arguments.sample.of(tally.tasks()) as usize, arguments.seed);
    let mut samples = Vec::new();
    if disputed > 0 {
        samples.push(sample(true, disputed, of_disputes));
    }
    if disputed == 0 || !at_random.is_empty() {
        samples.push(sample(false, tally.tasks(), at_random));
    }
    samples
}

impl Sample<'_> {
    /// Whether every entry has been recounted whole, so that no wrong one can have been missed.
    fn is_complete(&self, audit: &Audit) -> bool {
        self.drawn.len() as u64 == self.entries && audit.parts == 0
    }

    fn share(&self) -> String {
        let which = if self.disputed {
            " that contradict each other"
        } else {
            ""
        };
        format!(
            "{} of {}{which}",
            self.drawn.len(),
            quantity(self.entries, "entry", "entries")
        )
    }

    fn means(&self) -> String {
        match self.by_engine {
            true => format!("{}, and a unit of each by the recount", self.plan.engine),
            false => "the recount".to_owned(),
        }
    }

    fn size(&self) -> String {
        let units = quantity(self.units, "unit", "units");
        format!(
            "{units}, {:.2} % of the work for N = {}",
            100.0 * self.work,
            self.plan.n
        )
    }

    /// What the audit has found, for people who have been told of each wrong entry: what is known
    /// of the others.
    fn text(&self, audit: &Audit, output: &mut Output) -> OrExit<()> {
        if self.disputed {
            let wrong = |place: &Place| audit.wrong.iter().any(|wrong| wrong.place == *place);
            for (entry, place) in self.drawn.iter().filter(|(_, place)| !wrong(place)) {
                let (units, count) = (UnitSet::from(entry.units()), entry.count);
                output.text(format_args!(
                    "{place}: units {units}: {count} recorded, which is right\n"
                ))?;
            }
        }
        let (share, size, seed, wrong) = (self.share(), self.size(), self.seed, audit.wrong.len());
        let (parts, wrong_parts, engine) =
            (audit.parts, audit.wrong_parts.len(), &self.plan.engine);
        output.text(match parts {
            0 => format!("{share} recounted, {wrong} wrong ({size}; seed {seed})\n"),
            _ => format!(
                "{share} recounted by {engine}, {wrong} wrong; {} of them by the recount, {wrong_parts} wrong \
                 ({size}; seed {seed})\n",
                quantity(parts, "part", "parts"),
            ),
        })?;
        if wrong + wrong_parts > 0 || self.disputed {
            return Ok(());
        }
        if self.is_complete(audit) {
            return output.text(format_args!(
                "Every entry has been counted twice: by {engine}, and by the recount of version {}. A mistake that both \
                 share would not show.\n",
                env!("CARGO_PKG_VERSION")
            ));
        }
        let or_units = if parts == 0 {
            String::new()
        } else {
            format!(", or of the units that {engine} counts,")
        };
        output.text(format_args!(
            "If 1 % of the entries{or_units} were wrong, {:.0} % of such audits would pass. If {:.1} % were wrong, 5 % \
             would pass.\n",
            100.0 * audit.chance_to_pass(0.01),
            100.0 * audit.detected_share(),
        ))
    }
}

fn fields(
    samples: &[Sample],
    audits: &[Audit],
    seed: u64,
    elapsed: Duration,
    output: &mut Output,
) -> OrExit<()> {
    let of_samples = |number: fn(&Sample) -> u64| Value::Number(samples.iter().map(number).sum());
    let of_audits = |number: fn(&Audit) -> u64| Value::Number(audits.iter().map(number).sum());
    let places = audits
        .iter()
        .flat_map(|audit| &audit.wrong)
        .map(|wrong| wrong.place.to_string());
    let disagreements = audits
        .iter()
        .flat_map(|audit| &audit.wrong_parts)
        .map(ToString::to_string);
    // A chance is told of entries that were drawn at random from others.
    let at_random = samples
        .iter()
        .zip(audits)
        .find(|(sample, _)| !sample.disputed);
    let detected = at_random.map_or(Value::Nothing, |(sample, audit)| {
        Value::Real(if sample.is_complete(audit) {
            0.0
        } else {
            audit.detected_share()
        })
    });
    let plan = samples[0].plan;
    output.fields(&[
        ("n", Value::Number(plan.n.into())),
        ("drawn", of_samples(|sample| sample.drawn.len() as u64)),
        ("entries", of_samples(|sample| sample.entries)),
        ("disputed", Value::Truth(samples[0].disputed)),
        ("units", of_samples(|sample| sample.units)),
        (
            "work",
            Value::Real(samples.iter().fold(0.0, |sum, sample| sum + sample.work)),
        ),
        ("wrong", of_audits(|audit| audit.wrong.len() as u64)),
        ("places", Value::Text(places.collect::<Vec<_>>().join("; "))),
        ("parts", of_audits(|audit| audit.parts)),
        (
            "wrong_parts",
            of_audits(|audit| audit.wrong_parts.len() as u64),
        ),
        (
            "disagreements",
            Value::Text(disagreements.collect::<Vec<_>>().join("; ")),
        ),
        ("detected_share", detected),
        ("seed", Value::Number(seed)),
        ("seconds", Value::Seconds(elapsed)),
        ("engine", Value::Text(plan.engine.clone())),
        ("plan", Value::Text(plan.hash())),
        ("version", env!("CARGO_PKG_VERSION").into()),
    ])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_engine_that_counts_wrong_is_named_as_such() {
        let Err(Exit::Wrong(line)) = verdict(0, 1, 0) else {
            panic!("expected something wrong")
        };
        assert_eq!(
            line,
            "the audit found 0 wrong entries, and the engine and the recount disagree on 1 part"
        );
    }
}
