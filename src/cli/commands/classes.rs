//! `queencount classes N`: counts the solutions by symmetry class.
//!
//! Counting all solutions is the only slow step; `--total` skips it.

use super::prelude::*;

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
    let row = ClassesRow {
        n: counted.n,
        total: counted.total,
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
    };
    let mut lines = vec![
        ("solutions", row.total),
        ("  unchanged by a half turn", row.half_turn),
        ("  unchanged by a quarter turn", row.quarter_turn),
        ("fundamental solutions", row.fundamental),
        ("  orbits of 8", row.orbits_of_8),
        ("  orbits of 4", row.orbits_of_4),
        ("  orbits of 2", row.orbits_of_2),
    ];
    // Only N = 1 has an orbit of a single solution.
    if row.n == 1 {
        lines.push(("  orbits of 1", row.orbits_of_1));
    }
    let width = row.total.0.to_string().len();
    let lines = lines
        .iter()
        .map(|(label, Count(count))| format!("{label:<29}  {count:>width$}\n"));
    app.output.result(lines.collect::<String>(), &row)
}
