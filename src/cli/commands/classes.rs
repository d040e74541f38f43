//! `queencount classes N`: counts the solutions by symmetry class.
//!
//! Counting all solutions is the only slow step; `--total` skips it.

use std::fmt;

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
    let mut app = App::new(&args.options)?.stop_when_unread();
    let (classes, counted) = app.classes(args.n, args.total)?;
    app.output.print(&ClassesReport {
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
    })
}

impl fmt::Display for ClassesReport {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let width = self.total.0.to_string().len();
        for (label, Count(count)) in [
            ("solutions", self.total),
            ("  unchanged by a half turn", self.half_turn),
            ("  unchanged by a quarter turn", self.quarter_turn),
            ("fundamental solutions", self.fundamental),
            ("  orbits of 8", self.orbits_of_8),
            ("  orbits of 4", self.orbits_of_4),
            ("  orbits of 2", self.orbits_of_2),
        ] {
            writeln!(formatter, "{label:<29}  {count:>width$}")?;
        }
        // Only N = 1 has an orbit of a single solution.
        if self.n == 1 {
            writeln!(formatter, "  orbits of 1                  1")?;
        }
        Ok(())
    }
}
