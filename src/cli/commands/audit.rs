//! `queencount audit FILE...`: recounts a random sample of record entries. For an entry of a large
//! board with several units, the engine counts all units, and one of them is recounted. Entries
//! that are disputed or were rejected by an earlier audit are always recounted.

use std::panic::resume_unwind;
use std::path::Path;
use std::sync::mpsc;
use std::thread;
use std::time::Instant;

use crate::record::{
    Audit, AuditDepth, Entry, Finding, Findings, LineRef, Loaded, Plan, RecordError, UnitSet,
};
use crate::{Counter, Engine, Task};
use serde::Serialize;

use crate::cli::app::App;
use crate::cli::destination::check_overwritten;
use crate::cli::error::{Error, Result, with_sources};
use crate::cli::flags::commands::AuditArguments;
use crate::cli::numbers::quantity;
use crate::cli::output::{Format, Output, Seconds};
use crate::cli::records;
use crate::cli::supervise::supervise;
use crate::cli::ui::progress::ProgressState;
use crate::cli::ui::{Ui, escape_control_chars};

/// The result of an audit.
#[derive(Serialize)]
struct AuditRow {
    n: u32,
    drawn: u64,
    entries: u64,
    suspect: bool,
    units: u64,
    share_of_work: f64,
    wrong: u64,
    places: String,
    parts: u64,
    wrong_parts: u64,
    disagreements: String,
    detected_share: Option<f64>,
    seed: u64,
    seconds: Seconds,
    engine: String,
    plan: String,
    version: &'static str,
}

pub fn run(app: &mut App, arguments: &AuditArguments) -> Result<()> {
    let start = Instant::now();
    if let Some(file) = &arguments.findings {
        check_overwritten(file, "--findings", &arguments.records.paths)?;
    }
    let mut loaded = records::load(app, &arguments.records, None, true)?;
    records::fail_on_transient(&mut loaded.flaws)?;
    let engine = loaded.engine.as_ref();
    let plan = loaded.tally.plan();
    let rejected = match &arguments.findings {
        Some(file) if file.exists() => Findings::read(file, plan)?,
        _ => Findings::default(),
    };
    for flaw in &loaded.flaws {
        app.ui.error(format_args!("{}", with_sources(flaw)));
    }
    let flaws = loaded.flaws.iter().map(RecordError::flaw_count).sum();
    let samples = samples(&loaded, &rejected, arguments);
    let units: Vec<_> = samples.iter().flat_map(Sample::units).collect();
    if units.is_empty() && loaded.tally.total().is_none() {
        let no_entries = "incomplete: the records have no entries";
        return Verdict {
            flaws,
            ..Verdict::default()
        }
        .check()
        .and(Err(Error::Incomplete(no_entries.to_owned())));
    }
    if arguments.machine.kernel.is_some() && !samples.iter().any(|sample| sample.by_engine) {
        return Err(Error::Usage(
            "--kernel is unused: the entries of these records are recounted without a kernel"
                .to_owned(),
        ));
    }
    app.log_plan(engine);
    for sample in &samples {
        // Printed first, so that the user can decide whether it is worth hours.
        app.ui.note(format_args!(
            "recounting {} {}: {}",
            sample.share(),
            sample.means(),
            sample.size()
        ));
    }
    let depth = match arguments.whole {
        true => AuditDepth::Whole,
        false => AuditDepth::Unit {
            seed: arguments.seed,
        },
    };
    let progress = ProgressState::of_units(engine, units.into_iter());
    let App { config, output, ui } = app;
    let mut found = 0;
    let audits = supervise(config, ui, Some(&progress), |cancel| {
        let on_task = |task: &Task| progress.add(task);
        let counter = Counter::default().threads(config.threads);
        let counter = counter.stop(cancel).on_task(&on_task);
        thread::scope(|scope| {
            let (sender, findings) = mpsc::channel();
            let samples = &samples;
            let audits = scope.spawn(move || run_samples(engine, samples, depth, counter, sender));
            let mut failure = None;
            for finding in findings {
                found += 1;
                tell(&finding, output, ui);
                let is_new = !rejected.rejects(&finding.entry.units(), finding.entry.count);
                if let Some(file) = arguments.findings.as_ref().filter(|_| is_new)
                    && let Err(error) = Findings::append(file, &finding.to_line(plan))
                {
                    failure.get_or_insert(error);
                    cancel.cancel();
                }
            }
            let audits = audits.join().unwrap_or_else(|panic| resume_unwind(panic));
            // An error in saving findings takes precedence.
            match failure {
                Some(error) => Err(error.into()),
                None => Ok(audits?),
            }
        })
    });
    let audits = audits.map_err(|failure| unfinished(failure, found))?;
    let written = match output.format() {
        Format::Text => samples
            .iter()
            .zip(&audits)
            .try_for_each(|(sample, audit)| sample.report(audit, &rejected, output)),
        _ => output.row(&row(&samples, &audits, arguments.seed, start)),
    };
    // A wrong entry decides the exit code, even if the pipe is broken.
    let verdict = Verdict {
        wrong: audits.iter().map(Audit::wrong_entries).sum(),
        parts: audits.iter().map(Audit::wrong_parts).sum(),
        flaws,
        rejected: samples
            .iter()
            .zip(&audits)
            .map(|(s, audit)| s.rehabilitated(audit, &rejected))
            .sum(),
        findings: arguments.findings.as_deref(),
    };
    verdict.check()?;
    written
}

/// Audits all samples, one after another.
fn run_samples(
    engine: &dyn Engine,
    samples: &[Sample<'_>],
    depth: AuditDepth,
    counter: Counter<'_>,
    sender: mpsc::Sender<Finding>,
) -> Result<Vec<Audit>, RecordError> {
    samples
        .iter()
        .map(|sample| {
            Audit::run(engine, &sample.drawn, depth, counter, &|finding| {
                // The receiver lives as long as this thread.
                let _ = sender.send(finding.clone());
            })
        })
        .collect()
}

/// Prints a finding immediately.
fn tell(finding: &Finding, output: &mut Output, ui: &Ui) {
    match output.format() {
        // With a broken pipe, writing the last line will also fail.
        Format::Text => _ = output.text(escape_control_chars(&finding.to_string()) + "\n"),
        _ => ui.error(format_args!("{finding}")),
    }
}

/// Returns the error of an unfinished audit, with its findings, if any.
fn unfinished(failure: Error, found: u64) -> Error {
    match failure {
        failure if found == 0 => failure,
        Error::BrokenPipe => Error::BrokenPipe,
        failure => {
            let found = quantity(found, "mismatch", "mismatches");
            Error::Wrong(format!("{failure}; before that, the audit found {found}"))
        }
    }
}

/// The problems found by an audit.
#[derive(Default)]
struct Verdict<'a> {
    /// The number of wrong entries.
    wrong: u64,
    /// The number of parts on which the engine and the recount disagree.
    parts: u64,
    /// The number of flaws of the records.
    flaws: u64,
    /// The number of right entries that were rejected.
    rejected: u64,
    findings: Option<&'a Path>,
}

impl Verdict<'_> {
    /// Fails if anything is wrong.
    fn check(&self) -> Result<()> {
        let mut found = Vec::new();
        if self.wrong > 0 {
            let entries = quantity(self.wrong, "wrong entry", "wrong entries");
            found.push(format!("the audit found {entries}"));
        }
        if self.parts > 0 {
            let parts = quantity(self.parts, "part", "parts");
            found.push(format!("the engine and the recount disagree on {parts}"));
        }
        if self.rejected > 0 {
            let entries = quantity(self.rejected, "rejected entry", "rejected entries");
            found.push(format!("the recount confirmed {entries}"));
        }
        if found.is_empty() && self.flaws > 0 {
            let flaws = quantity(self.flaws, "problem", "problems");
            found.push(format!(
                "the records have {flaws}, listed above; the audit found no errors in the other \
                 lines"
            ));
        }
        if found.is_empty() {
            return Ok(());
        }
        let advice = match self.findings {
            _ if self.wrong + self.parts == 0 => String::new(),
            Some(file) => format!("; '--exclude {}' ignores the wrong entries", file.display()),
            None => "; '--findings FILE' lists the wrong entries for --exclude".to_owned(),
        };
        Err(Error::Wrong(found.join(", and ") + &advice))
    }
}

/// The entries of an audit: the suspect ones, or a sample of the others.
struct Sample<'a> {
    plan: &'a Plan,
    /// Whether these entries are disputed or were rejected.
    suspect: bool,
    drawn: Vec<(Entry, LineRef)>,
    /// The number of entries from which they were sampled.
    entries: u64,
    /// Their expected fraction of the work, from 0 to 1.
    work: f64,
    /// Whether the engine counts some of them, and a unit of each is recounted.
    by_engine: bool,
    seed: u64,
}

/// Returns the samples of an audit. One of them is of the good entries, unless all are suspect.
fn samples<'a>(
    loaded: &'a Loaded,
    rejected: &Findings,
    arguments: &AuditArguments,
) -> Vec<Sample<'a>> {
    let tally = &loaded.tally;
    let mut suspects: Vec<_> = tally
        .disputes()
        .flat_map(|dispute| dispute.entries)
        .chain(tally.rejected(rejected))
        .collect();
    suspects.sort_by_key(|(entry, _)| (entry.first, entry.last, entry.count));
    suspects.dedup_by_key(|(entry, _)| (entry.first, entry.last, entry.count));
    let size = arguments.sample.of(tally.tasks()) as usize;
    let at_random = tally.sample(size, arguments.seed);
    let mut samples = Vec::new();
    let number = suspects.len() as u64;
    if number > 0 {
        samples.push(Sample::new(loaded, arguments, true, number, suspects));
    }
    if number == 0 || !at_random.is_empty() {
        samples.push(Sample::new(
            loaded,
            arguments,
            false,
            tally.tasks(),
            at_random,
        ));
    }
    samples
}

impl<'a> Sample<'a> {
    fn new(
        loaded: &'a Loaded,
        arguments: &AuditArguments,
        suspect: bool,
        entries: u64,
        drawn: Vec<(Entry, LineRef)>,
    ) -> Self {
        let engine = loaded.engine.as_ref();
        let work = drawn
            .iter()
            .fold(0.0, |sum, (entry, _)| sum + engine.work(entry.units()));
        let has_parts =
            |entry: &Entry| entry.units().filter(|&unit| engine.parts(unit) > 1).count() > 1;
        let by_engine = !arguments.whole && drawn.iter().any(|(entry, _)| has_parts(entry));
        let plan = loaded.tally.plan();
        Self {
            plan,
            suspect,
            drawn,
            entries,
            work,
            by_engine,
            seed: arguments.seed,
        }
    }

    fn units(&self) -> impl Iterator<Item = std::ops::Range<u64>> + '_ {
        self.drawn.iter().map(|(entry, _)| entry.units())
    }

    fn unit_count(&self) -> u64 {
        self.units().map(|units| units.end - units.start).sum()
    }

    /// Returns whether every entry was recounted whole, so that no wrong one was missed.
    fn is_complete(&self, audit: &Audit) -> bool {
        self.drawn.len() as u64 == self.entries && audit.parts == 0
    }

    fn share(&self) -> String {
        let which = if self.suspect {
            " disputed or rejected"
        } else {
            ""
        };
        let entries = quantity(self.entries, "entry", "entries");
        format!(
            "{} of {}",
            self.drawn.len(),
            entries.replacen(' ', &format!("{which} "), 1)
        )
    }

    fn means(&self) -> String {
        match self.by_engine {
            true => format!(
                "with {}, and one unit per entry independently",
                self.plan.engine
            ),
            false => "independently".to_owned(),
        }
    }

    fn size(&self) -> String {
        let units = quantity(self.unit_count(), "unit", "units");
        format!(
            "{units}, {:.2}% of the work for N = {}",
            100.0 * self.work,
            self.plan.n
        )
    }

    /// Returns the entries that were found right.
    fn right<'s>(&'s self, audit: &'s Audit) -> impl Iterator<Item = &'s (Entry, LineRef)> {
        let wrong: std::collections::HashSet<_> = audit
            .findings
            .iter()
            .map(|found| (&found.line.path, found.line.line))
            .collect();
        self.drawn
            .iter()
            .filter(move |(_, line)| !wrong.contains(&(&line.path, line.line)))
    }

    /// Returns the number of rejected entries that were found right.
    fn rehabilitated(&self, audit: &Audit, rejected: &Findings) -> u64 {
        self.right(audit)
            .filter(|(entry, _)| self.suspect && rejected.rejects(&entry.units(), entry.count))
            .count() as u64
    }

    /// Prints the result, after each wrong entry has been printed.
    fn report(&self, audit: &Audit, rejected: &Findings, output: &mut Output) -> Result<()> {
        if self.suspect {
            for (entry, line) in self.right(audit) {
                let units = UnitSet::from(entry.units());
                let line = escape_control_chars(&line.to_string());
                let although = match rejected.rejects(&entry.units(), entry.count) {
                    true => ", although it was rejected",
                    false => "",
                };
                let count = entry.count;
                output.text(format_args!(
                    "{line}: units {units}: {count} recorded, which is right{although}\n"
                ))?;
            }
        }
        let wrong = audit.wrong_entries();
        let wrong_parts = audit.wrong_parts();
        let engine = &self.plan.engine;
        let recounted = match audit.parts {
            0 => format!("recounted, {wrong} wrong"),
            parts => format!(
                "recounted by {engine}, {wrong} wrong; {} also recounted independently, \
                 {wrong_parts} wrong",
                quantity(parts, "part", "parts")
            ),
        };
        let share = self.share();
        let size = self.size();
        let seed = self.seed;
        output.text(format_args!("{share} {recounted} ({size}; seed {seed})\n"))?;
        if wrong + wrong_parts > 0 || self.suspect {
            return Ok(());
        }
        if self.is_complete(audit) {
            return output.text(format_args!(
                "Every entry was counted twice, by {engine} and by the independent recount \
                 of version {}. An error that both have in common would not be found.\n",
                crate::VERSION
            ));
        }
        let or_units = match audit.parts {
            0 => String::new(),
            _ => format!(", or of the units that {engine} counts,"),
        };
        output.text(format_args!(
            "If 1% of the entries{or_units} were wrong, {:.0}% of such audits would pass. \
             If {:.1}% were wrong, 5% would pass.\n",
            100.0 * audit.chance_to_pass(0.01),
            100.0 * audit.detected_share(),
        ))
    }
}

fn row(samples: &[Sample<'_>], audits: &[Audit], seed: u64, start: Instant) -> AuditRow {
    let findings = audits.iter().flat_map(|audit| &audit.findings);
    let wrong = findings.clone().filter(|finding| finding.is_wrong_entry());
    let places: Vec<_> = wrong
        .map(|found| escape_control_chars(&found.line.to_string()))
        .collect();
    let disagreements = findings.filter(|finding| finding.wrong_part.is_some());
    let disagreements: Vec<_> = disagreements
        .map(|found| escape_control_chars(&found.to_string()))
        .collect();
    // The probability only holds for a random sample.
    let at_random = samples
        .iter()
        .zip(audits)
        .find(|(sample, _)| !sample.suspect);
    let plan = samples[0].plan;
    AuditRow {
        n: plan.n,
        drawn: samples.iter().map(|sample| sample.drawn.len() as u64).sum(),
        entries: samples.iter().map(|sample| sample.entries).sum(),
        suspect: samples[0].suspect,
        units: samples.iter().map(Sample::unit_count).sum(),
        share_of_work: samples.iter().fold(0.0, |sum, sample| sum + sample.work),
        wrong: places.len() as u64,
        places: places.join("; "),
        parts: audits.iter().map(|audit| audit.parts).sum(),
        wrong_parts: disagreements.len() as u64,
        disagreements: disagreements.join("; "),
        detected_share: at_random.map(|(sample, audit)| match sample.is_complete(audit) {
            true => 0.0,
            false => audit.detected_share(),
        }),
        seed,
        seconds: Seconds(start.elapsed()),
        engine: plan.engine.clone(),
        plan: plan.hash(),
        version: crate::VERSION,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wrong_engine_is_named_as_such() {
        let verdict = Verdict {
            parts: 1,
            ..Verdict::default()
        };
        let Err(Error::Wrong(line)) = verdict.check() else {
            panic!("expected something wrong")
        };
        assert!(
            line.starts_with("the engine and the recount disagree on 1 part; "),
            "{line}"
        );
    }
}
