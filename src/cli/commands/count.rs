//! `queencount count [N | A..=B]...`: prints the number of solutions of each board.
//!
//! Every count is written immediately, so that a program can wait for it before sending the next
//! board to stdin.

use std::io::{IsTerminal, stdin};

use super::prelude::*;

pub(crate) fn run(app: &mut App, args: &CountArguments) -> Result<()> {
    if args.numbered && app.output.format() != Format::Text {
        return Err(Error::Usage("--numbered requires --format text".to_owned()));
    }
    if !args.boards.is_empty() {
        let boards = args.boards.iter().flat_map(|range| range.boards());
        return count(app, args, boards);
    }
    if stdin().is_terminal() {
        app.ui
            .note("enter boards such as 8 or 8..=12, one or more per line; enter 0 to finish");
    }
    input::each_line(stdin().lock(), |boards| {
        count(app, args, boards)?;
        // If a signal arrived just as a count ended, do not wait for more input.
        signals::check()
    })
}

fn count(
    app: &mut App,
    args: &CountArguments,
    boards: impl IntoIterator<Item = BoardSize>,
) -> Result<()> {
    for size in boards {
        let counted = if args.unique {
            let (classes, counted) = app.classes(size, None)?;
            CountResult {
                fundamental: Some(Count(classes.fundamental())),
                ..counted
            }
        } else {
            app.count(size)?
        };
        let mut text = counted.fundamental.unwrap_or(counted.total).0.to_string();
        if args.numbered {
            text = format!("{size} {text}");
        }
        app.output.result(text + "\n", &counted)?;
    }
    Ok(())
}
