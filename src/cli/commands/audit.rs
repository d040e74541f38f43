//! `queencount audit FILE...`: recounts suspicious record entries, and a random sample of the
//! others.

use std::collections::HashSet;
use std::path::Path;
use std::sync::{Mutex, PoisonError};
use std::time::Instant;

use crate::record::{
    Audit, AuditDepth, Entry, Finding, Findings, LineRef, Loaded, Plan, RecordError, UnitSet,
};
use crate::{Counter, Task};

use super::prelude::*;
use crate::cli::supervise::supervise;

#[derive(Serialize)]
struct AuditRow {
    n: u32,
    drawn: u64,
    entries: u64,
    suspects: u64,
    units: u64,
    share_of_work: f64,
    wrong: u64,
    parts: u64,
    wrong_parts: u64,
    findings: String,
    detected_share: Option<f64>,
    seed: u64,
    seconds: Seconds,
    engine: String,
    plan: String,
    version: &'static str,
}

pub(crate) fn run(app: &mut App, args: &AuditArguments) -> Result<()> {
    let start = Instant::now();
    let mut loaded = records::load(app, &args.records, None, true)?;
    if let Some(file) = &args.findings {
        check_overwritten(file, "--findings", &loaded.records)?;
    }
    records::fail_on_transient(&mut loaded.flaws)?;
    let plan = loaded.tally.plan();
    let rejected = match &args.findings {
        Some(file) if file.is_file() => Findings::read(file, plan)?,
        // Reading a pipe would block.
        Some(file) if file.exists() => {
            return Err(Error::Usage(format!(
                "expected a regular file for '--findings', found {}",
                file.display()
            )));
        }
        _ => Findings::default(),
    };
    let sample = Sample::new(&loaded, &rejected, args);
    for flaw in &loaded.flaws {
        app.ui.error(format_args!("{}", with_sources(flaw)));
    }
    let flaws = loaded.flaws.iter().map(RecordError::flaw_count).sum();
    if sample.drawn.is_empty() && loaded.tally.total().is_none() {
        check(&Audit::default(), 0, flaws, None)?;
        return Err(Error::Incomplete(
            "incomplete: the records have no entries".to_owned(),
        ));
    }
    let engine = loaded.engine.as_ref();
    app.log_plan(engine);
    app.ui
        .note(format_args!("recounting {}: {}", sample.share, sample.size));
    let units = sample.drawn.iter().map(|(entry, _)| entry.units());
    let progress = ProgressState::of_units(engine, units);
    let App { config, output, ui } = app;
    let format = output.format();
    let state = Mutex::new((0_u64, &mut *output, Ok(())));
    let audit = supervise(config, ui, Some(&progress), |cancel| {
        let on_task = |task: &Task| progress.add(task);
        let counter = Counter::default()
            .threads(config.threads)
            .stop(cancel)
            .on_task(&on_task);
        let depth = match args.whole {
            true => AuditDepth::Whole,
            false => AuditDepth::Unit { seed: args.seed },
        };
        let on_finding = |finding: &Finding| {
            let mut state = state.lock().unwrap_or_else(PoisonError::into_inner);
            let (found, output, saved) = &mut *state;
            *found += 1;
            match format {
                // Ignore a broken pipe here, because writing the last line will fail too.
                Format::Text => {
                    let said = escape_control_chars(&finding.to_string());
                    let _ = output.text(said + "\n");
                }
                Format::Json | Format::Csv => ui.error(format_args!("{finding}")),
            }
            if let Some(file) = &args.findings
                && !rejected.rejects(&finding.entry.units(), finding.entry.count)
                && let Err(error) = Findings::append(file, &finding.to_line(plan))
            {
                *saved = Err(Error::from(error));
                cancel.cancel();
            }
        };
        let audit = Audit::run(engine, &sample.drawn, depth, counter, &on_finding);
        Ok(audit?)
    });
    let (found, _, saved) = state.into_inner().unwrap_or_else(PoisonError::into_inner);
    // A failure to save findings takes precedence over other errors.
    let audit = saved.and(audit);
    let audit = audit.map_err(|failure| unfinished(failure, found))?;
    let report = Report::new(&sample, &audit, &rejected);
    let row = report.row(plan, args.seed, start);
    let written = output.result(report.text(plan, args.seed), &row);
    // A wrong entry determines the exit code, even if the pipe is broken.
    check(&audit, report.rejected, flaws, args.findings.as_deref())?;
    written
}

fn unfinished(failure: Error, found: u64) -> Error {
    if found == 0 || matches!(failure, Error::BrokenPipe) {
        return failure;
    }
    let found = quantity(found, "mismatch", "mismatches");
    Error::Wrong(format!("{failure}; before that, the audit found {found}"))
}

/// Fails if the audit found errors, an earlier audit rejected a correct entry, or the records have
/// flaws.
fn check(audit: &Audit, rejected: u64, flaws: u64, findings: Option<&Path>) -> Result<()> {
    let wrong = audit.wrong_entries();
    let wrong_parts = audit.wrong_parts();
    let mut found = Vec::new();
    if wrong > 0 {
        let entries = quantity(wrong, "wrong entry", "wrong entries");
        found.push(format!("the audit found {entries}"));
    }
    if wrong_parts > 0 {
        let parts = quantity(wrong_parts, "part", "parts");
        found.push(format!("the engine and the recount disagree on {parts}"));
    }
    if rejected > 0 {
        let entries = quantity(rejected, "rejected entry", "rejected entries");
        found.push(format!("the recount confirmed {entries}"));
    }
    if found.is_empty() && flaws > 0 {
        let flaws = quantity(flaws, "problem", "problems");
        found.push(format!(
            "the records have {flaws}, listed above; the audit found no errors in the other lines"
        ));
    }
    if found.is_empty() {
        return Ok(());
    }
    let advice = match findings {
        _ if wrong + wrong_parts == 0 => String::new(),
        Some(file) => format!("; '--exclude {}' ignores the wrong entries", file.display()),
        None => "; '--findings FILE' lists the wrong entries for --exclude".to_owned(),
    };
    Err(Error::Wrong(found.join(", and ") + &advice))
}

/// The entries to recount.
struct Sample {
    /// The suspects, followed by the randomly sampled entries.
    drawn: Vec<(Entry, LineRef)>,
    suspects: usize,
    entries: u64,
    /// The expected work, as a fraction of the total work.
    work: f64,
    share: String,
    size: String,
}

impl Sample {
    fn new(loaded: &Loaded, rejected: &Findings, args: &AuditArguments) -> Self {
        let Loaded { tally, engine, .. } = loaded;
        let mut drawn = tally.suspects(rejected);
        let suspects = drawn.len();
        let known: HashSet<_> = drawn.iter().map(|(_, line)| line.clone()).collect();
        let size = usize::try_from(args.sample.of(tally.tasks())).unwrap_or(usize::MAX);
        let at_random = tally.sample(size, args.seed).into_iter();
        drawn.extend(at_random.filter(|(_, line)| !known.contains(line)));
        let mut work = 0.0;
        let mut units = 0;
        for (entry, _) in &drawn {
            work += engine.work(entry.units());
            units += entry.last + 1 - entry.first;
        }
        let entries = tally.lines() - tally.repeated();
        let suspected = match suspects {
            0 => String::new(),
            _ => format!(" ({suspects} suspicious)"),
        };
        Self {
            suspects,
            entries,
            work,
            share: format!(
                "{} of {}{suspected}",
                drawn.len(),
                quantity(entries, "entry", "entries")
            ),
            size: format!(
                "{}, {:.2}% of the work for N = {}",
                quantity(units, "unit", "units"),
                100.0 * work,
                tally.plan().n
            ),
            drawn,
        }
    }
}

struct Report<'a> {
    sample: &'a Sample,
    audit: &'a Audit,
    /// One line for each correct suspect.
    right: String,
    /// The number of rejected entries that are correct.
    rejected: u64,
    /// The audit of the randomly sampled entries.
    at_random: Audit,
    /// Whether they are all correct.
    has_passed: bool,
}

impl<'a> Report<'a> {
    fn new(sample: &'a Sample, audit: &'a Audit, rejected: &Findings) -> Self {
        let wrong: HashSet<_> = audit.findings.iter().map(|found| &found.line).collect();
        let (suspects, random) = sample.drawn.split_at(sample.suspects);
        let mut right = String::new();
        let mut rejected_right = 0;
        for (entry, line) in suspects.iter().filter(|(_, line)| !wrong.contains(line)) {
            let units = UnitSet::from(entry.units());
            let count = entry.count;
            let mut said = format!("{line}: units {units}: {count} recorded, which is correct");
            if rejected.rejects(&entry.units(), count) {
                rejected_right += 1;
                said += ", although it was rejected";
            }
            right += &(escape_control_chars(&said) + "\n");
        }
        Self {
            sample,
            audit,
            right,
            rejected: rejected_right,
            at_random: Audit {
                entries: random.len() as u64,
                ..Audit::default()
            },
            has_passed: !random.iter().any(|(_, line)| wrong.contains(line)),
        }
    }

    fn text(&self, plan: &Plan, seed: u64) -> String {
        let Self { sample, audit, .. } = self;
        let Sample { share, size, .. } = sample;
        let engine = &plan.engine;
        let wrong = audit.wrong_entries();
        let mut by = String::new();
        let mut parts = String::new();
        let mut or_units = String::new();
        if audit.parts > 0 {
            by = format!(" by {engine}");
            parts = format!(
                "; {} also recounted independently, {} wrong",
                quantity(audit.parts, "part", "parts"),
                audit.wrong_parts()
            );
            or_units = format!(", or of the units that {engine} counts,");
        }
        let mut text = format!(
            "{}{share} recounted{by}, {wrong} wrong{parts} ({size}; seed {seed})\n",
            self.right
        );
        if let Some(detected) = self.detected_share()
            && self.has_passed
            && detected > 0.0
        {
            text += &format!(
                "If 1% of the entries{or_units} were wrong, {:.0}% of such audits would pass. \
                 If {:.1}% were wrong, 5% would pass.\n",
                100.0 * self.at_random.chance_to_pass(0.01),
                100.0 * detected,
            );
        }
        text
    }

    /// Returns [`Audit::detected_share`], or 0 if the independent code recounted all entries.
    fn detected_share(&self) -> Option<f64> {
        if self.sample.drawn.len() as u64 == self.sample.entries && self.audit.parts == 0 {
            return Some(0.0);
        }
        (self.at_random.entries > 0).then(|| self.at_random.detected_share())
    }

    fn row(&self, plan: &Plan, seed: u64, start: Instant) -> AuditRow {
        let Self { sample, audit, .. } = self;
        let findings: Vec<_> = audit.findings.iter().map(Finding::to_string).collect();
        AuditRow {
            n: plan.n,
            drawn: audit.entries,
            entries: sample.entries,
            suspects: sample.suspects as u64,
            units: audit.units,
            share_of_work: sample.work,
            wrong: audit.wrong_entries(),
            parts: audit.parts,
            wrong_parts: audit.wrong_parts(),
            findings: escape_control_chars(&findings.join("; ")),
            detected_share: self.detected_share(),
            seed,
            seconds: Seconds(start.elapsed()),
            engine: plan.engine.clone(),
            plan: plan.hash(),
            version: crate::VERSION,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::WrongPart;

    #[test]
    fn wrong_engine_is_named_as_such() {
        let mut audit = Audit::default();
        let task = Task {
            units: 0..1,
            work: 0.0,
            count: 2,
            kernels: Vec::new(),
            elapsed: std::time::Duration::ZERO,
        };
        audit.findings.push(Finding {
            entry: Entry::new(&task),
            line: LineRef {
                path: "r".into(),
                line: 2,
            },
            recount: 2,
            wrong_part: Some(WrongPart {
                unit: 0,
                part: 0,
                count: 2,
                recount: 1,
            }),
        });
        let Err(Error::Wrong(line)) = check(&audit, 0, 0, None) else {
            panic!("expected something wrong")
        };
        let said = "the engine and the recount disagree on 1 part; ";
        assert!(line.starts_with(said), "{line}");
    }
}
