//! `queencount audit PATH...`: recounts a random sample of tasks, and tasks on which lines
//! disagree.

use std::fmt;
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
use crate::cli::supervise::supervise;
use crate::cli::ui::progress::Progress;

#[derive(Default, Serialize)]
struct AuditReport {
    n: u32,
    /// The number of recounted tasks.
    tasks: usize,
    units: u64,
    share_of_work: f64,
    /// The number of wrong lines and parts.
    wrong: u64,
    findings: String,
    #[serde(skip)]
    deletions: Vec<String>,
    detected_share: Option<f64>,
    seed: u64,
    seconds: Seconds,
    engine: String,
    plan: String,
    version: &'static str,
    /// The number of recounted tasks on which lines disagree.
    #[serde(skip)]
    disagreements: usize,
    /// The number of tasks in the records.
    #[serde(skip)]
    all_tasks: u64,
    #[serde(skip)]
    wrong_lines: u64,
    /// The number of recounted parts of units.
    #[serde(skip)]
    parts: u64,
    #[serde(skip)]
    wrong_parts: u64,
    /// The probability that an audit of this size passes if 1% of the counts are wrong.
    #[serde(skip)]
    chance_to_pass: f64,
}

pub(crate) fn run(args: &AuditArguments) -> Result<()> {
    let mut app = App::new(&AllOptions {
        format: args.format,
        counting: args.machine.clone().into(),
        messages: args.messages,
    })?;
    let start = Instant::now();
    let loaded = records::load(&app, &args.records, Purpose::Audit)?;
    let tally = &loaded.tally;
    let sample = tally.sample(args.sample.tasks_of(tally.tasks()), args.seed);
    if sample.is_empty() && tally.total().is_none() {
        return Err(records::no_counts(&args.records.paths));
    }
    let mut report = AuditReport::new(tally, &sample, args.seed);
    app.log_plan(tally.engine());
    app.ui.note(format_args!("recounting {}", report.extent()));
    let (audit, findings) = recount(&mut app, tally, &sample, args.seed);
    report.add_findings(&findings);
    report.seconds = Seconds(start.elapsed());
    let written = match audit {
        Ok(audit) => {
            report.add(&audit);
            app.output.print(&report)
        }
        // The lines that were found before an interruption are wrong all the same.
        Err(failure) => {
            for command in &report.deletions {
                app.ui.error(command);
            }
            Err(failure)
        }
    };
    report.verdict(written)
}

/// Recounts a sample, and prints each finding at once. If the audit ends early, the findings until
/// then are returned as well.
fn recount(
    app: &mut App,
    tally: &Tally,
    sample: &[RecordedTask],
    seed: u64,
) -> (Result<Audit>, Vec<Finding>) {
    let progress = Progress::new(format!("the audit of N = {}", tally.plan().n));
    let App {
        ui,
        output,
        machine,
    } = app;
    let found = Mutex::new((output, Vec::new()));
    let audit = supervise(ui, machine, Some(&progress), |_, cancel| {
        Ok(Auditor::new()
            .seed(seed)
            .threads(machine.threads)
            .stop(cancel)
            .on_progress(&|done| progress.reach(done))
            .on_finding(&|finding| {
                let (output, findings) = &mut *found.lock().expect("nobody panics with the lock");
                if output.format() == Format::Text {
                    // Ignore a broken pipe here, because writing the last line will fail too.
                    let _ = output.text(escape_control_chars(&finding.to_string()) + "\n");
                } else {
                    ui.error(finding);
                }
                findings.push(finding.clone());
            })
            .run(tally.engine(), sample)?)
    });
    let (_, findings) = found.into_inner().expect("nobody panics with the lock");
    (audit, findings)
}

impl AuditReport {
    fn new(tally: &Tally, sample: &[RecordedTask], seed: u64) -> Self {
        let plan = tally.plan();
        let disagreements = sample.iter().filter(|task| task.counts.len() > 1);
        let work = sample
            .iter()
            .map(|task| tally.engine().work(task.units.clone()));
        Self {
            n: plan.n,
            tasks: sample.len(),
            disagreements: disagreements.count(),
            all_tasks: tally.tasks() + tally.disagreements().count() as u64,
            // An empty sum would be -0.
            share_of_work: 0.0 + work.sum::<f64>(),
            seed,
            engine: plan.engine.clone(),
            plan: plan.hash(),
            version: crate::VERSION,
            ..Self::default()
        }
    }

    fn add_findings(&mut self, findings: &[Finding]) {
        let lines: Vec<&Place> = findings
            .iter()
            .flat_map(|finding| finding.wrong.values().flatten())
            .collect();
        self.wrong_lines = lines.len() as u64;
        let parts = findings
            .iter()
            .filter_map(|finding| finding.wrong_part.as_ref());
        self.wrong_parts = parts.count() as u64;
        self.wrong = self.wrong_lines + self.wrong_parts;
        self.deletions = records::deletions(lines);
        let texts: Vec<_> = findings.iter().map(Finding::to_string).collect();
        self.findings = escape_control_chars(&texts.join("; "));
    }

    fn add(&mut self, audit: &Audit) {
        self.units = audit.units;
        self.parts = audit.parts;
        self.chance_to_pass = audit.chance_to_pass(0.01);
        self.detected_share = if self.tasks as u64 == self.all_tasks && self.parts == 0 {
            // The independent code recounted all tasks, so every wrong count was detected.
            Some(0.0)
        } else {
            (audit.agreed > 0).then(|| audit.detected_share())
        };
    }

    fn extent(&self) -> String {
        let disagreements = match self.disagreements {
            0 => String::new(),
            number => format!(" ({number} in disagreement)"),
        };
        format!(
            "{} of {}{disagreements}, {} of the work for N = {}",
            self.tasks,
            quantity(self.all_tasks, "task", "tasks"),
            percent(self.share_of_work),
            self.n
        )
    }

    /// Returns the error for what was found, even if the audit could not be completed.
    fn verdict(&self, result: Result<()>) -> Result<()> {
        let mut found = Vec::new();
        if self.wrong_lines > 0 {
            found.push(quantity(self.wrong_lines, "wrong line", "wrong lines"));
        }
        if self.wrong_parts > 0 {
            let parts = quantity(self.wrong_parts, "part", "parts");
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

impl fmt::Display for AuditReport {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        if !self.deletions.is_empty() {
            writeln!(formatter, "To delete the wrong lines:")?;
        }
        for command in &self.deletions {
            writeln!(formatter, "{command}")?;
        }
        let wrong = quantity(self.wrong_lines, "wrong line", "wrong lines");
        write!(
            formatter,
            "{} recounted, {wrong} (seed {})",
            self.extent(),
            self.seed
        )?;
        let mut units = "";
        if self.parts > 0 {
            let parts = quantity(self.parts, "part", "parts");
            write!(
                formatter,
                "\nThe engine recounted the units; {parts} of them also recounted independently, \
                 {} wrong",
                self.wrong_parts
            )?;
            units = ", or of the units that the engine counts,";
        }
        match self.detected_share {
            Some(detected) if detected > 0.0 && self.wrong == 0 => write!(
                formatter,
                "\nIf 1% of the counts{units} were wrong, {:.0}% of such audits would pass. \
                 If {:.1}% were wrong, 5% would pass.",
                100.0 * self.chance_to_pass,
                100.0 * detected,
            ),
            _ => Ok(()),
        }?;
        writeln!(formatter)
    }
}
