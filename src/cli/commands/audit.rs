//! `queencount audit PATH...`: recounts a random sample of tasks, and tasks on which lines
//! disagree.

use std::sync::Mutex;
use std::time::Instant;

use serde::Serialize;

use crate::record::{Audit, Auditor, Finding, Place, Purpose, RecordedTask, Tally};

use crate::cli::app::App;
use crate::cli::error::{Error, Result};
use crate::cli::flags::commands::AuditArguments;
use crate::cli::flags::options::AllOptions;
use crate::cli::format::escape_control_chars;
use crate::cli::numbers::{percent, quantity};
use crate::cli::output::{Format, Seconds};
use crate::cli::records;
use crate::cli::ui::progress::Progress;

#[derive(Serialize)]
struct AuditReport {
    n: u32,
    /// The number of recounted tasks.
    tasks: usize,
    units: u64,
    share_of_work: f64,
    /// The number of wrong lines and parts.
    wrong: u64,
    findings: String,
    detected_share: Option<f64>,
    seed: u64,
    seconds: Seconds,
    engine: String,
    plan: String,
    version: &'static str,
}

pub(crate) fn run(args: &AuditArguments) -> Result<()> {
    let app = App::new(&AllOptions {
        counting: args.machine.clone().into(),
        report: args.report,
    })?;
    let start = Instant::now();
    let loaded = records::load(&app, &args.records, Purpose::Audit)?;
    let tally = &loaded.tally;
    let finished = tally.tasks();
    let sample = &tally.sample(args.sample.tasks_of(finished), args.seed);
    if sample.is_empty() && tally.total().is_none() {
        return Err(records::no_counts(&args.records.paths));
    }
    let share_of_work = share_of_work(tally, sample);
    let all_tasks = finished + tally.disagreements().count() as u64;
    let extent = extent(tally, sample, all_tasks, share_of_work);
    app.log_plan(tally.engine());
    app.ui.note(format_args!("recounting {extent}"));
    let (audit, findings) = recount(&app, tally, sample, args.seed);
    let wrong = Wrong::new(&findings);
    let written = audit.and_then(|audit| {
        let plan = tally.plan();
        let texts: Vec<_> = findings.iter().map(Finding::to_string).collect();
        let report = AuditReport {
            n: plan.n,
            tasks: sample.len(),
            units: audit.units,
            share_of_work,
            wrong: wrong.lines + wrong.parts,
            findings: escape_control_chars(&texts.join("; ")),
            detected_share: detected_share(sample.len() as u64 == all_tasks, &audit),
            seed: args.seed,
            seconds: Seconds(start.elapsed()),
            engine: plan.engine.clone(),
            plan: plan.hash(),
            version: crate::VERSION,
        };
        app.output
            .print(&report, text(&report, &extent, &audit, &wrong))
    });
    if written.is_err() {
        // The lines that were found before an interruption are wrong all the same.
        for command in &wrong.deletions {
            app.ui.error(command);
        }
    }
    wrong.verdict(written)
}

/// Recounts a sample, and prints each finding at once. If the audit ends early, the findings until
/// then are returned as well.
fn recount(
    app: &App,
    tally: &Tally,
    sample: &[RecordedTask],
    seed: u64,
) -> (Result<Audit>, Vec<Finding>) {
    let progress = Progress::new(format!("the audit of N = {}", tally.plan().n));
    let findings = Mutex::new(Vec::new());
    let audit = app.supervise(&progress, |_, cancel| {
        Ok(Auditor::new()
            .threads(app.threads)
            .stop(cancel)
            .on_progress(&|done| progress.reach(done))
            .on_finding(&|finding| {
                if app.output.format() == Format::Text {
                    // Ignore a broken pipe here, because writing the last line will fail too.
                    let line = escape_control_chars(&finding.to_string()) + "\n";
                    let _ = app.output.text(line);
                } else {
                    app.ui.error(finding);
                }
                findings
                    .lock()
                    .expect("nobody panics with the lock")
                    .push(finding.clone());
            })
            .run(tally.engine(), sample, seed)?)
    });
    let findings = findings.into_inner();
    (audit, findings.expect("nobody panics with the lock"))
}

fn extent(tally: &Tally, sample: &[RecordedTask], all_tasks: u64, share_of_work: f64) -> String {
    let disagreements = match sample.iter().filter(|task| task.counts.len() > 1).count() {
        0 => String::new(),
        number => format!(" ({number} in disagreement)"),
    };
    format!(
        "{} of {}{disagreements}, {} of the work for N = {}",
        sample.len(),
        quantity(all_tasks, "task"),
        percent(share_of_work),
        tally.plan().n
    )
}

fn share_of_work(tally: &Tally, sample: &[RecordedTask]) -> f64 {
    let work = sample
        .iter()
        .map(|task| tally.engine().work(task.units.clone()));
    // An empty sum would be -0.
    0.0 + work.sum::<f64>()
}

fn detected_share(is_complete: bool, audit: &Audit) -> Option<f64> {
    if is_complete && audit.parts == 0 {
        // The independent code recounted all tasks, so every wrong count was detected.
        return Some(0.0);
    }
    (audit.agreed > 0).then(|| audit.detected_share())
}

fn text(report: &AuditReport, extent: &str, audit: &Audit, wrong: &Wrong) -> String {
    let mut lines = Vec::new();
    if !wrong.deletions.is_empty() {
        lines.push("To delete the wrong lines:".to_owned());
    }
    lines.extend(wrong.deletions.iter().cloned());
    lines.push(format!(
        "{extent} recounted, {} (seed {})",
        quantity(wrong.lines, "wrong line"),
        report.seed
    ));
    let mut units = "";
    if audit.parts > 0 {
        lines.push(format!(
            "The engine recounted the units; {} of them also recounted independently, {} wrong",
            quantity(audit.parts, "part"),
            wrong.parts
        ));
        units = ", or of the units that the engine counts,";
    }
    match report.detected_share {
        Some(detected) if detected > 0.0 && report.wrong == 0 => lines.push(format!(
            "If 1% of the counts{units} were wrong, {:.0}% of such audits would pass. If {:.1}% \
             were wrong, 5% would pass.",
            100.0 * audit.chance_to_pass(0.01),
            100.0 * detected,
        )),
        _ => {}
    }
    lines.join("\n") + "\n"
}

/// What is wrong: some lines of the records, or parts that the engine miscounts.
struct Wrong {
    lines: u64,
    parts: u64,
    /// The commands that delete the lines.
    deletions: Vec<String>,
}

impl Wrong {
    fn new(findings: &[Finding]) -> Self {
        let lines: Vec<&Place> = findings
            .iter()
            .flat_map(|finding| finding.wrong.values().flatten())
            .collect();
        let parts = findings
            .iter()
            .filter(|finding| finding.wrong_part.is_some());
        Self {
            lines: lines.len() as u64,
            parts: parts.count() as u64,
            deletions: records::deletions(lines),
        }
    }

    /// Returns the error for what was found, even if the audit could not be completed.
    fn verdict(&self, result: Result<()>) -> Result<()> {
        let mut found = Vec::new();
        if self.lines > 0 {
            found.push(quantity(self.lines, "wrong line"));
        }
        if self.parts > 0 {
            let parts = quantity(self.parts, "part");
            found.push(format!(
                "{parts} on which the engine and the recount disagree"
            ));
        }
        if found.is_empty() {
            return result;
        }
        let found = format!("the audit found {}", found.join(", and "));
        Err(Error::Wrong(match result {
            Ok(()) | Err(Error::BrokenPipe) => found,
            Err(failure) => format!("{failure}; before that, {found}"),
        }))
    }
}
