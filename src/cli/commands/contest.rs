//! `queencount N`: the contest format, which is the first three solutions followed by the number of
//! all solutions. [`checker`](super::checker) writes it to a file.
//!
//! The solutions are printed before the count starts. Finding them takes one second on the largest
//! boards.

#![deny(
    clippy::cast_possible_truncation,
    clippy::cast_precision_loss,
    clippy::cast_sign_loss,
    reason = "counts are exact"
)]

use std::io::{IsTerminal, stdin};

use crate::{BoardSize, EngineError, Solution, Solutions};
use serde::Serialize;

use crate::cli::app::App;
use crate::cli::error::{Error, Result};
use crate::cli::flags::ContestArguments;
use crate::cli::input;
use crate::cli::output::{Count, Format, Seconds, VERSION};

#[derive(Serialize)]
struct ContestRow<F> {
    n: u32,
    first: F,
    total: Count,
    seconds: Seconds,
    units: u64,
    threads: usize,
    engine: &'static str,
    kernel: Option<&'static str>,
    version: &'static str,
}

pub fn run(app: &mut App, args: &ContestArguments) -> Result<()> {
    let size = match args.board()? {
        Some(size) => size,
        None if stdin().is_terminal() => {
            return Err(Error::Usage(
                "missing N or a command; try 'queencount 8' or 'queencount --help'".to_owned(),
            ));
        }
        None => input::one_from(stdin().lock(), "stdin")?,
    };
    let first = first_three(app, size)?;
    match app.output.format() {
        Format::Text => {
            app.output.text(lines(&first))?;
            let total = app.count(size)?.total;
            app.output.text(format_args!("{total}\n"))
        }
        Format::Json => {
            let first: Vec<Vec<u8>> = first
                .iter()
                .map(|solution| solution.columns().iter().map(|column| column + 1).collect())
                .collect();
            write_row(app, size, first)
        }
        // CSV has no lists.
        Format::Csv => {
            let first: Vec<String> = first.iter().map(Solution::to_string).collect();
            write_row(app, size, first.join(";"))
        }
    }
}

fn write_row(app: &mut App, size: BoardSize, first: impl Serialize) -> Result<()> {
    let counted = app.count(size)?;
    app.output.row(&ContestRow {
        n: counted.n,
        first,
        total: Count(counted.total),
        seconds: Seconds(counted.elapsed),
        units: counted.units,
        threads: counted.threads,
        engine: counted.engine,
        kernel: counted.kernel,
        version: VERSION,
    })
}

pub fn first_three(app: &App, size: BoardSize) -> Result<Vec<Solution>> {
    app.supervise(None, |_, cancel| {
        let mut solutions = Solutions::new(size);
        let first = std::iter::from_fn(|| solutions.try_next(cancel).transpose()).take(3);
        Ok(first.collect::<Result<_, EngineError>>()?)
    })
}

pub fn lines(solutions: &[Solution]) -> String {
    solutions
        .iter()
        .map(|solution| format!("{solution}\n"))
        .collect()
}
