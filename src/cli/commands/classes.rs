//! `queencount classes N`: counts the solutions by symmetry class.
//!
//! Counting all solutions is the only slow step; `--total` skips it.

use std::time::Instant;

use serde::Serialize;

use crate::{BoardSize, oeis_a000170};

use crate::cli::app::App;
use crate::cli::error::{Error, Result};
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
    let app = App {
        stop_when_unread: true,
        ..App::new(&args.options)?
    };
    let start = Instant::now();
    let total = match args.total {
        Some(total) => published(args.n, total)?,
        None => app.count(args.n)?.total.0,
    };
    let classes = app.classes(args.n, total)?;
    let report = ClassesReport {
        n: args.n.get(),
        total: Count(total),
        half_turn: Count(classes.half_turn),
        quarter_turn: Count(classes.quarter_turn),
        fundamental: Count(classes.fundamental()),
        orbits_of_8: Count(classes.orbits(8)),
        orbits_of_4: Count(classes.orbits(4)),
        orbits_of_2: Count(classes.orbits(2)),
        seconds: Seconds(start.elapsed()),
        threads: app.threads,
        version: crate::VERSION,
    };
    app.output.print(&report, text(&report))
}

/// Checks a total that was given instead of counted.
fn published(size: BoardSize, total: u128) -> Result<u128> {
    match oeis_a000170(size.get()) {
        Some(published) if total != published => Err(Error::Wrong(format!(
            "--total: expected {published}, the published number of solutions for N = {size}, \
             found {total}"
        ))),
        _ => Ok(total),
    }
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
