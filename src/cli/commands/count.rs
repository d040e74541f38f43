//! `queencount count [N | A..=B]...`: prints the number of solutions of each board.
//!
//! Every count is written immediately, so that a program can wait for it before sending the next
//! board to stdin.

use std::io::{IsTerminal, stdin};
use std::time::Instant;

use crate::BoardSize;

use crate::cli::app::App;
use crate::cli::error::{Error, Result};
use crate::cli::flags::commands::CountArguments;
use crate::cli::output::{Count, Format, Seconds};
use crate::cli::{input, signals};

pub(crate) fn run(args: &CountArguments) -> Result<()> {
    let app = App {
        stop_when_unread: true,
        ..App::new(&args.options)?
    };
    if args.numbered && app.output.format() != Format::Text {
        return Err(Error::Usage("--numbered requires --format text".to_owned()));
    }
    if !args.boards.is_empty() {
        let boards = args.boards.iter().flat_map(|range| range.boards());
        return count(&app, args, boards);
    }
    if stdin().is_terminal() {
        app.ui
            .note("enter boards such as 8 or 8..=12, one or more per line; enter 0 to finish");
    }
    input::each_line(stdin().lock(), |boards| {
        count(&app, args, boards)?;
        // If a signal arrived just as a count ended, do not wait for more input.
        signals::check(String::new)
    })
}

fn count(
    app: &App,
    args: &CountArguments,
    boards: impl IntoIterator<Item = BoardSize>,
) -> Result<()> {
    for size in boards {
        let start = Instant::now();
        let mut counted = app.count(size)?;
        if args.unique {
            let classes = app.classes(size, counted.total.0)?;
            counted.fundamental = Some(Count(classes.fundamental()));
            counted.seconds = Seconds(start.elapsed());
        }
        let Count(count) = counted.fundamental.unwrap_or(counted.total);
        let text = match args.numbered {
            true => format!("{size} {count}\n"),
            false => format!("{count}\n"),
        };
        app.output.print(&counted, text)?;
    }
    Ok(())
}
