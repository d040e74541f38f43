//! `queencount classes N`: counts the solutions by symmetry class.
//!
//! Counting all solutions is the only slow step; `--total` skips it.

use serde::Serialize;

use crate::cli::app::App;
use crate::cli::error::Result;
use crate::cli::flags::commands::ClassesArguments;
use crate::cli::output::{Count, Seconds};

#[derive(Serialize)]
struct ClassesReport {
    n: u32,
    total: Count,
    half_turn: Count,
    quarter_turn: Count,
    fundamental: Count,
    orbits_of_8: Count,
    orbits_of_4: Count,
    orbits_of_2: Count,
    seconds: Seconds,
    threads: usize,
    version: &'static str,
}

pub(crate) fn run(args: &ClassesArguments) -> Result<()> {
    let mut app = App::new(&args.options)?;
    app.machine.stop_when_unread = true;
    let (classes, counted) = app.classes(args.n, args.total)?;
    let report = ClassesReport {
        n: counted.n,
        total: counted.total,
        half_turn: Count(classes.half_turn),
        quarter_turn: Count(classes.quarter_turn),
        fundamental: Count(classes.fundamental()),
        orbits_of_8: Count(classes.orbits(8)),
        orbits_of_4: Count(classes.orbits(4)),
        orbits_of_2: Count(classes.orbits(2)),
        seconds: counted.seconds,
        threads: counted.threads,
        version: counted.version,
    };
    app.output.print(&report, text(&report))
}

fn text(report: &ClassesReport) -> String {
    let width = report.total.0.to_string().len();
    let mut text = String::new();
    for (label, Count(count)) in [
        ("solutions", report.total),
        ("  unchanged by a half turn", report.half_turn),
        ("  unchanged by a quarter turn", report.quarter_turn),
        ("fundamental solutions", report.fundamental),
        ("  orbits of 8", report.orbits_of_8),
        ("  orbits of 4", report.orbits_of_4),
        ("  orbits of 2", report.orbits_of_2),
    ] {
        text += &format!("{label:<29}  {count:>width$}\n");
    }
    // Only N = 1 has an orbit of a single solution.
    if report.n == 1 {
        text += "  orbits of 1                  1\n";
    }
    text
}
