//! `queencount N`: prints the first three solutions and then the total number of solutions, in the
//! contest format.
//!
//! The solutions are printed before the count starts.

use std::io::{IsTerminal, stdin};

use crate::{BoardSize, Solutions};

use crate::cli::app::{App, CountReport};
use crate::cli::error::{Error, Result};
use crate::cli::flags::ContestArguments;
use crate::cli::input;
use crate::cli::output::Format;

pub(crate) fn run(args: &ContestArguments) -> Result<()> {
    let given = args.board()?;
    let app = App {
        stop_when_unread: true,
        ..App::new(&args.options)?
    };
    let size = match given {
        Some(size) => size,
        None if stdin().is_terminal() => {
            return Err(Error::Usage(
                "missing N or a command; try 'queencount 8' or 'queencount --help'".to_owned(),
            ));
        }
        None => input::one_from(stdin().lock(), "stdin")?,
    };
    let (solutions, lines) = first_three(size);
    let first = match app.output.format() {
        Format::Text => {
            app.output.text(&lines)?;
            None
        }
        Format::Json => Some(solutions.into()),
        Format::Csv => Some(lines.trim_end().replace('\n', ";").into()),
    };
    let report = CountReport {
        first,
        ..app.count(size)?
    };
    let total = report.total.0;
    app.output.print(&report, format_args!("{total}\n"))
}

/// Returns the first three solutions, as columns and as lines. For N = 32, finding them takes less
/// than a second.
pub(crate) fn first_three(size: BoardSize) -> (Vec<Vec<u8>>, String) {
    Solutions::new(size)
        .take(3)
        .map(|solution| {
            let columns = solution.columns().iter().map(|column| column + 1);
            (columns.collect::<Vec<u8>>(), format!("{solution}\n"))
        })
        .unzip()
}
