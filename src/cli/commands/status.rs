//! `queencount status PATH...`: shows the progress of a count shared by many machines.

#![allow(
    clippy::cast_possible_truncation,
    clippy::cast_precision_loss,
    clippy::cast_sign_loss,
    reason = "approximate"
)]

mod page;

use std::path::Path;
use std::time::{Duration, UNIX_EPOCH};

use serde::Serialize;
use unicode_width::UnicodeWidthStr;

use crate::record::{Loaded, Purpose, Status};

use crate::cli::app::App;
use crate::cli::destination::{Destination, check_no_input};
use crate::cli::error::Result;
use crate::cli::flags::commands::{RecordArguments, StatusArguments};
use crate::cli::format::escape_control_chars;
use crate::cli::numbers::{grouped, percent, quantity, time};
use crate::cli::output::{Count, Format};
use crate::cli::records;

#[derive(Serialize)]
struct StatusReport {
    n: u32,
    total: Option<Count>,
    #[serde(flatten)]
    status: Status,
    #[serde(skip)]
    time: u64,
    units: u64,
    units_counted: u64,
    missing: String,
    problems: Vec<String>,
    engine: String,
    plan: String,
    version: &'static str,
    /// The fraction of each of some cells of equal work that is counted.
    #[serde(skip)]
    cells: Vec<f64>,
    #[serde(skip)]
    suggestion: Option<String>,
}

pub(crate) fn run(args: &StatusArguments) -> Result<()> {
    let app = App::reporting(args.report)?;
    // A page that cannot be written is refused before the records are read.
    let html = args.html.as_deref();
    let page = html
        .map(|file| Destination::new(file, "--html", &[]))
        .transpose()?;
    let loaded = records::load(&app, &args.records, Purpose::Status)?;
    let report = StatusReport::new(&loaded, &args.records);
    if let (Some(file), Some(page)) = (html, page) {
        check_no_input(file, "--html", &loaded.files)?;
        page.write(&page::page(&report))?;
    }
    match app.output.format() {
        // The HTML page goes to stdout, so print nothing else.
        _ if html == Some(Path::new("-")) => {}
        Format::Json => app.output.row(&report)?,
        Format::Csv => {
            for path in &report.status.paths {
                app.output.row(path)?;
            }
        }
        Format::Text => app.output.text(report.text())?,
    }
    match loaded.problems.forbidding(Purpose::Total) {
        Some(problem) => Err(records::forbidden(problem, &args.records.paths)),
        None if report.total.is_none() => Err(records::incomplete(&loaded.tally)),
        None => Ok(()),
    }
}

impl StatusReport {
    fn new(loaded: &Loaded, arguments: &RecordArguments) -> Self {
        const CELLS: usize = 200;
        let tally = &loaded.tally;
        let plan = tally.plan();
        let now = UNIX_EPOCH.elapsed().map_or(0, |time| time.as_secs());
        let status = Status::new(tally, now);
        let mut problems = records::problems(loaded, None);
        let mut suggestion = None;
        if problems.is_empty() && loaded.other_plans.is_empty() {
            let paths = records::again(&arguments.paths);
            suggestion = Some(match tally.total() {
                Some(_) => format!("queencount publish {paths} | sha256sum"),
                None => format!("queencount merge {paths} --missing"),
            });
        }
        problems.extend(status.copies.iter().map(|([one, other], lines)| {
            let [one, other] = [one, other].map(|path| status.paths[*path].path.display());
            let lines = quantity(*lines, "line");
            format!("{one} and {other} have {lines} in common: a copy is not a second count")
        }));
        Self {
            n: plan.n,
            total: tally.total().map(Count),
            time: now,
            units: plan.units,
            units_counted: tally.done().len(),
            missing: tally.missing().to_string(),
            problems,
            engine: plan.engine.clone(),
            plan: plan.hash(),
            version: crate::VERSION,
            cells: tally.cells(CELLS),
            suggestion,
            status,
        }
    }

    /// Returns the table of paths, with a header.
    fn table(&self) -> Vec<[String; COLUMNS]> {
        let header = [
            "",
            "counted",
            "last 24 h",
            "thread-hours",
            "disagree",
            "last line",
        ];
        let mut table = vec![header.map(str::to_owned)];
        table.extend(self.status.paths.iter().map(|path| {
            [
                escape_control_chars(&path.path.to_string_lossy()),
                percent(path.share_counted),
                percent(path.share_last_day),
                hours(path.thread_seconds),
                grouped(path.disagreeing_lines.into()),
                path.last_time
                    .map_or("?".to_owned(), |time| moment(time)[..10].to_owned()),
            ]
        }));
        table
    }

    /// Returns the figures of the whole count, with their names.
    fn figures(&self) -> Vec<(&'static str, String)> {
        let status = &self.status;
        let [counted, units] = [self.units_counted, self.units].map(|units| grouped(units.into()));
        let mut figures = vec![
            (
                "counted",
                format!(
                    "{}, {counted} of {units} units",
                    percent(status.share_counted)
                ),
            ),
            ("thread-hours", hours(status.thread_seconds)),
        ];
        if let Some(Count(total)) = self.total {
            figures.push(("total", grouped(total)));
            return figures;
        }
        if let Some(seconds) = status.thread_seconds_to_come {
            figures.push(("to come", format!("{} thread-hours", hours(seconds))));
        }
        if let Some(seconds) = status.seconds_left {
            // A limit of 3000 years prevents overflow.
            let left = seconds.min(1e11);
            let end = moment(self.time + left as u64);
            let left = time(left);
            figures.push((
                "finish",
                format!("{end}, in {left}, at the rate of the last 24 hours"),
            ));
        }
        figures
    }

    fn text(&self) -> String {
        let mut text = format!(
            "N = {}, {} engine, plan {}\n\n",
            self.n, self.engine, self.plan
        );
        let table = self.table();
        let widths: [usize; COLUMNS] = std::array::from_fn(|column| {
            table
                .iter()
                .map(|row| row[column].width())
                .max()
                .unwrap_or(0)
        });
        for [name, numbers @ ..] in &table {
            text += name;
            text += &" ".repeat(widths[0] - name.width());
            for (cell, width) in numbers.iter().zip(&widths[1..]) {
                text += &format!("  {cell:>width$}");
            }
            text += "\n";
        }
        text += "\n";
        for (name, figure) in self.figures() {
            text += &format!("{name:<14}{figure}\n");
        }
        if !self.problems.is_empty() {
            text += "\n";
        }
        for problem in &self.problems {
            text += &(escape_control_chars(problem) + "\n");
        }
        if let Some(command) = &self.suggestion {
            text += &format!("\nNext: {command}\n");
        }
        text
    }
}

const COLUMNS: usize = 6;

fn hours(seconds: f64) -> String {
    match seconds / 3600.0 {
        hours @ 100.0.. => grouped(hours.round() as u128),
        hours => format!("{hours:.1}"),
    }
}

fn moment(seconds: u64) -> String {
    let time = UNIX_EPOCH + Duration::from_secs(seconds);
    let text = humantime::format_rfc3339_seconds(time).to_string();
    text[..16].replace('T', " ") + " UTC"
}
