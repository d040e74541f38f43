//! `queencount N`: prints the first three solutions and then the total number of solutions, in the
//! contest format.
//!
//! The solutions are printed before the count starts.

use std::io::{IsTerminal, stdin};

use crate::{BoardSize, Solution, Solutions};

use crate::cli::app::{App, CountReport};
use crate::cli::error::{Error, Result};
use crate::cli::flags::ContestArguments;
use crate::cli::input;
use crate::cli::output::Format;

pub(crate) fn run(args: &ContestArguments) -> Result<()> {
    let given = args.board()?;
    let mut app = App::new(&args.options)?.stop_when_unread();
    let size = match given {
        Some(size) => size,
        None if stdin().is_terminal() => {
            return Err(Error::Usage(
                "missing N or a command; try 'queencount 8' or 'queencount --help'".to_owned(),
            ));
        }
        None => input::one_from(stdin().lock(), "stdin")?,
    };
    let first = first_three(size);
    if app.output.format() == Format::Text {
        app.output.text(lines(&first))?;
    }
    let report = CountReport {
        first: Some(match app.output.format() {
            Format::Csv => lines(&first).trim_end().replace('\n', ";").into(),
            _ => first.iter().map(numbers).collect(),
        }),
        ..app.count(size)?
    };
    app.output.print(&report)
}

/// Returns the first three solutions. For N = 32, finding them takes less than a second.
pub(crate) fn first_three(size: BoardSize) -> Vec<Solution> {
    Solutions::new(size).take(3).collect()
}

pub(crate) fn lines(solutions: &[Solution]) -> String {
    solutions
        .iter()
        .map(|solution| format!("{solution}\n"))
        .collect()
}

fn numbers(solution: &Solution) -> Vec<u8> {
    solution.columns().iter().map(|column| column + 1).collect()
}
