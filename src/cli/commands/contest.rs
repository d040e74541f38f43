//! `queencount N`: prints the first three solutions and then the total number of solutions, in the
//! contest format.
//!
//! The solutions are printed before the count starts.

use std::io::{IsTerminal, stdin};

use crate::EngineError;
use serde_json::Value;

use super::prelude::*;
use crate::cli::flags::ContestArguments;

pub(crate) fn run(app: &mut App, args: &ContestArguments) -> Result<()> {
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
    let first_value = match app.output.format() {
        Format::Text => {
            app.output.text(lines(&first))?;
            let total = app.count(size)?.total.0;
            return app.output.text(format_args!("{total}\n"));
        }
        Format::Json => {
            let mut solutions = Vec::new();
            for solution in &first {
                let columns: Vec<u8> = solution.columns().iter().map(|column| column + 1).collect();
                solutions.push(columns);
            }
            solutions.into_iter().collect::<Value>()
        }
        Format::Csv => first
            .iter()
            .map(Solution::to_string)
            .collect::<Vec<_>>()
            .join(";")
            .into(),
    };
    let counted = app.count(size)?;
    app.output.row(&CountResult {
        first: Some(first_value),
        ..counted
    })
}

pub(crate) fn first_three(app: &App, size: BoardSize) -> Result<Vec<Solution>> {
    app.supervise(None, |_, cancel| {
        let mut solutions = Solutions::new(size);
        let first = std::iter::from_fn(|| solutions.try_next(cancel).transpose()).take(3);
        Ok(first.collect::<Result<_, EngineError>>()?)
    })
}

pub(crate) fn lines(solutions: &[Solution]) -> String {
    solutions
        .iter()
        .map(|solution| format!("{solution}\n"))
        .collect()
}
