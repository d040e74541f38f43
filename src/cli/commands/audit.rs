//! `queencount audit FILE...`: recounts suspicious record entries, and a random sample of the
//! others.

use std::collections::HashSet;
use std::path::Path;
use std::sync::mpsc;
use std::thread;
use std::time::Instant;

use super::prelude::*;
use crate::cli::supervise::supervise;

#[derive(Default, Serialize)]
struct AuditRow {
    n: u32,
    drawn: usize,
    entries: u64,
    suspects: usize,
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
    let findings = args.findings.as_deref();
    let mut loaded = records::load(app, &args.records, None, true)?;
    if let Some(file) = findings {
        check_overwritten(file, "--findings", &loaded.records)?;
    }
    records::fail_on_transient(&mut loaded.flaws)?;
    let plan = loaded.tally.plan();
    let rejected = match findings {
        Some(file) if file.is_file() => Findings::read(file, plan)?,
        // Other files are refused, because reading a pipe would block.
        Some(file) if file.exists() => {
            return Err(Error::Usage(format!(
                "expected a regular file for '--findings', found {}",
                file.display()
            )));
        }
        _ => Findings::default(),
    };
    let (sample, mut row) = draw(&loaded, &rejected, args);
    for flaw in &loaded.flaws {
        app.ui.error(with_sources(flaw));
    }
    let flaws = loaded.flaws.iter().map(RecordError::flaw_count).sum();
    if sample.is_empty() && loaded.tally.total().is_none() {
        check(&row, 0, flaws, None)?;
        let error = "incomplete: the records have no entries";
        return Err(Error::Incomplete(error.to_owned()));
    }
    let engine = loaded.engine.as_ref();
    app.log_plan(engine);
    let [share, size] = row.extent();
    app.ui.note(format_args!("recounting {share}: {size}"));
    let units = Vec::from_iter(sample.iter().map(|(entry, _)| entry.units()));
    let progress = app.count_progress(engine, &units, &[]);
    let App { config, output, ui } = app;
    let mut found = 0;
    let mut saved = Ok(());
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
        let sample = &sample;
        let (sender, receiver) = mpsc::channel();
        thread::scope(|scope| {
            let work = move || {
                Audit::run(engine, sample, depth, counter, &|finding| {
                    // The receiver outlives this thread.
                    let _ = sender.send(finding.clone());
                })
            };
            let audit = thread::Builder::new()
                .spawn_scoped(scope, work)
                .map_err(Error::thread)?;
            for finding in receiver {
                found += 1;
                match output.format() {
                    // Ignore a broken pipe here, because writing the last line will fail too.
                    Format::Text => {
                        let line = escape_control_chars(&finding.to_string());
                        let _ = output.text(line + "\n");
                    }
                    Format::Json | Format::Csv => ui.error(&finding),
                }
                if let Some(file) = findings
                    && !rejected.rejects(&finding.entry.units(), finding.entry.count)
                    && let Err(error) = Findings::append(file, &finding.to_line(plan))
                {
                    saved = Err(Error::from(error));
                    cancel.cancel();
                }
            }
            Ok(audit.join().expect("the audit ends with a result")?)
        })
    });
    // A failure to save findings takes precedence over other errors.
    let audit = saved.and(audit);
    let audit = audit.map_err(|failure| unfinished(failure, found))?;
    let (text, confirmed) = report(&mut row, &sample, &audit, &rejected);
    row.seconds = Seconds(start.elapsed());
    let written = output.result(text, &row);
    // A wrong entry determines the exit code, even if writing to stdout failed.
    check(&row, confirmed, flaws, findings)?;
    written
}

/// Selects all suspects, followed by other entries chosen at random.
fn draw(
    loaded: &Loaded,
    rejected: &Findings,
    args: &AuditArguments,
) -> (Vec<(Entry, LineRef)>, AuditRow) {
    let Loaded { tally, engine, .. } = loaded;
    let plan = tally.plan();
    let mut sample = tally.suspects(rejected);
    let suspects = sample.len();
    let known: HashSet<_> = sample.iter().map(|(_, line)| line.clone()).collect();
    let size = usize::try_from(args.sample.of(tally.tasks())).unwrap_or(usize::MAX);
    let at_random = tally.sample(size, args.seed).into_iter();
    sample.extend(at_random.filter(|(_, line)| !known.contains(line)));
    let mut row = AuditRow {
        n: plan.n,
        drawn: sample.len(),
        entries: tally.entry_count() - tally.repeated(),
        suspects,
        seed: args.seed,
        engine: plan.engine.clone(),
        plan: plan.hash(),
        version: crate::VERSION,
        ..AuditRow::default()
    };
    for (entry, _) in &sample {
        row.share_of_work += engine.work(entry.units());
        row.units += entry.last + 1 - entry.first;
    }
    (sample, row)
}

impl AuditRow {
    fn extent(&self) -> [String; 2] {
        let suspicious = match self.suspects {
            0 => String::new(),
            suspects => format!(" ({suspects} suspicious)"),
        };
        let entries = quantity(self.entries, "entry", "entries");
        let units = quantity(self.units, "unit", "units");
        let percent = 100.0 * self.share_of_work;
        [
            format!("{} of {entries}{suspicious}", self.drawn),
            format!("{units}, {percent:.2}% of the work for N = {}", self.n),
        ]
    }
}

/// Completes the row. Returns its text form, and the number of rejected entries that turned out to
/// be correct.
fn report(
    row: &mut AuditRow,
    sample: &[(Entry, LineRef)],
    audit: &Audit,
    rejected: &Findings,
) -> (String, u64) {
    let wrong: HashSet<_> = audit.findings.iter().map(|found| &found.line).collect();
    let (suspects, random) = sample.split_at(row.suspects);
    let mut text = String::new();
    let mut confirmed = 0;
    for (entry, line) in suspects.iter().filter(|(_, line)| !wrong.contains(line)) {
        let units = UnitSet::from(entry.units());
        let count = entry.count;
        let mut verdict = format!("{line}: units {units}: {count} recorded, which is correct");
        if rejected.rejects(&entry.units(), count) {
            confirmed += 1;
            verdict += ", although it was rejected";
        }
        text += &(escape_control_chars(&verdict) + "\n");
    }
    let at_random = Audit {
        entries: random.len() as u64,
        ..Audit::default()
    };
    let findings: Vec<_> = audit.findings.iter().map(Finding::to_string).collect();
    row.wrong = audit.wrong_entries();
    row.parts = audit.parts;
    row.wrong_parts = audit.wrong_parts();
    row.findings = escape_control_chars(&findings.join("; "));
    row.detected_share = if row.drawn as u64 == row.entries && row.parts == 0 {
        // The independent code recounted all entries, so every wrong one was detected.
        Some(0.0)
    } else {
        (!random.is_empty()).then(|| at_random.detected_share())
    };
    let engine = &row.engine;
    let mut by = String::new();
    let mut parts = String::new();
    let mut or_units = String::new();
    if row.parts > 0 {
        let recounted = quantity(row.parts, "part", "parts");
        by = format!(" by {engine}");
        parts = format!(
            "; {recounted} also recounted independently, {} wrong",
            row.wrong_parts
        );
        or_units = format!(", or of the units that {engine} counts,");
    }
    let [share, size] = row.extent();
    text += &format!(
        "{share} recounted{by}, {} wrong{parts} ({size}; seed {})\n",
        row.wrong, row.seed
    );
    if let Some(detected) = row.detected_share.filter(|share| *share > 0.0)
        && !random.iter().any(|(_, line)| wrong.contains(line))
    {
        text += &format!(
            "If 1% of the entries{or_units} were wrong, {:.0}% of such audits would pass. \
             If {:.1}% were wrong, 5% would pass.\n",
            100.0 * at_random.chance_to_pass(0.01),
            100.0 * detected,
        );
    }
    (text, confirmed)
}

fn unfinished(failure: Error, found: u64) -> Error {
    if found == 0 || matches!(failure, Error::BrokenPipe) {
        return failure;
    }
    let found = quantity(found, "mismatch", "mismatches");
    Error::Wrong(format!("{failure}; before that, the audit found {found}"))
}

fn check(row: &AuditRow, confirmed: u64, flaws: u64, findings: Option<&Path>) -> Result<()> {
    let AuditRow {
        wrong, wrong_parts, ..
    } = *row;
    let mut found = Vec::new();
    if wrong > 0 {
        let entries = quantity(wrong, "wrong entry", "wrong entries");
        found.push(format!("the audit found {entries}"));
    }
    if wrong_parts > 0 {
        let parts = quantity(wrong_parts, "part", "parts");
        found.push(format!("the engine and the recount disagree on {parts}"));
    }
    if confirmed > 0 {
        let entries = quantity(confirmed, "rejected entry", "rejected entries");
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
    let found = found.join(", and ");
    if wrong + wrong_parts == 0 {
        return Err(Error::Wrong(found));
    }
    let advice = match findings {
        Some(file) => format!("; '--exclude {}' ignores the wrong entries", file.display()),
        None => "; '--findings FILE' lists the wrong entries for --exclude".to_owned(),
    };
    Err(Error::Wrong(found + &advice))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wrong_part_is_reported_as_engine_disagreement() {
        let row = AuditRow {
            wrong_parts: 1,
            ..AuditRow::default()
        };
        let Err(Error::Wrong(line)) = check(&row, 0, 0, None) else {
            panic!("expected something wrong")
        };
        let start = "the engine and the recount disagree on 1 part; ";
        assert!(line.starts_with(start), "{line}");
    }
}
