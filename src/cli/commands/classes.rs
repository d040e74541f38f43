//! `queencount classes N`: counts the solutions by symmetry class.
//!
//! Counting all solutions is the only slow step; `--total` skips it. A total that would require a
//! fraction of an orbit is rejected, which catches seven out of eight wrong totals.

#![deny(
    clippy::cast_possible_truncation,
    clippy::cast_precision_loss,
    clippy::cast_sign_loss,
    reason = "counts are exact"
)]

use serde::Serialize;

use crate::cli::app::App;
use crate::cli::error::Result;
use crate::cli::flags::commands::ClassesArguments;
use crate::cli::output::{Count, Format, Seconds};

#[derive(Serialize)]
struct ClassesRow {
    n: u32,
    total: Count,
    half_turn: Count,
    quarter_turn: Count,
    fundamental: Count,
    orbits_of_8: Count,
    orbits_of_4: Count,
    orbits_of_2: Count,
    orbits_of_1: Count,
    seconds: Seconds,
    threads: usize,
    version: &'static str,
}

pub(crate) fn run(app: &mut App, args: &ClassesArguments) -> Result<()> {
    let (classes, counted) = app.classes(args.n, args.total)?;
    if app.output.format() != Format::Text {
        return app.output.row(&ClassesRow {
            n: counted.n,
            total: Count(classes.total()),
            half_turn: Count(classes.half_turn()),
            quarter_turn: Count(classes.quarter_turn()),
            fundamental: Count(classes.fundamental()),
            orbits_of_8: Count(classes.orbits(8)),
            orbits_of_4: Count(classes.orbits(4)),
            orbits_of_2: Count(classes.orbits(2)),
            orbits_of_1: Count(classes.orbits(1)),
            seconds: counted.seconds,
            threads: counted.threads,
            version: counted.version,
        });
    }
    let mut lines = vec![
        ("solutions", classes.total()),
        ("  unchanged by a half turn", classes.half_turn()),
        ("  unchanged by a quarter turn", classes.quarter_turn()),
        ("fundamental solutions", classes.fundamental()),
        ("  orbits of 8", classes.orbits(8)),
        ("  orbits of 4", classes.orbits(4)),
        ("  orbits of 2", classes.orbits(2)),
    ];
    // Only N = 1 has an orbit of a single solution.
    if args.n.get() == 1 {
        lines.push(("  orbits of 1", classes.orbits(1)));
    }
    let width = classes.total().to_string().len();
    let text: String = lines
        .iter()
        .map(|(label, count)| format!("{label:<29}  {count:>width$}\n"))
        .collect();
    app.output.text(text)
}
