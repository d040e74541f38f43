//! `queencount count [N | A..=B]...`: the number of solutions of each board.
//!
//! If no boards are given, they are read from stdin, until 0 or the end of the input. Every count
//! is written immediately, so that a program can wait for it before it sends the next board.

#![deny(
    clippy::cast_possible_truncation,
    clippy::cast_precision_loss,
    clippy::cast_sign_loss,
    reason = "counts are exact"
)]

use std::io::{IsTerminal, stdin};

use crate::BoardSize;
use serde::Serialize;

use crate::cli::app::App;
use crate::cli::error::{Error, Result};
use crate::cli::flags::commands::CountArguments;
use crate::cli::output::{Count, Format, Seconds, VERSION};
use crate::cli::{input, signals};

#[derive(Serialize)]
struct CountRow {
    n: u32,
    #[serde(skip_serializing_if = "Option::is_none")]
    fundamental: Option<Count>,
    total: Count,
    seconds: Seconds,
    units: u64,
    threads: usize,
    engine: &'static str,
    kernel: Option<&'static str>,
    version: &'static str,
}

pub fn run(app: &mut App, args: &CountArguments) -> Result<()> {
    if args.numbered && app.output.format() != Format::Text {
        return Err(Error::Usage("--numbered requires --format text".to_owned()));
    }
    if !args.boards.is_empty() {
        let boards: Vec<BoardSize> = args
            .boards
            .iter()
            .flat_map(|range| range.boards())
            .collect();
        return count(app, args, &boards);
    }
    if stdin().is_terminal() {
        app.ui.note(format_args!(
            "enter boards such as 8 or 8..=12, one or more per line; enter 0 to finish"
        ));
    }
    input::each_line(stdin().lock(), |boards| {
        count(app, args, &boards)?;
        // After a signal that came too late for the last count, do not wait for more input.
        signals::check()
    })
}

fn count(app: &mut App, args: &CountArguments, boards: &[BoardSize]) -> Result<()> {
    for &size in boards {
        let (fundamental, counted) = if args.unique {
            let (classes, counted) = app.classes(size, None)?;
            (Some(classes.fundamental()), counted)
        } else {
            (None, app.count(size)?)
        };
        if app.output.format() == Format::Text {
            let count = fundamental.unwrap_or(counted.total);
            let number = if args.numbered {
                format!("{size}\t")
            } else {
                String::new()
            };
            app.output.text(format_args!("{number}{count}\n"))?;
        } else {
            app.output.row(&CountRow {
                n: counted.n,
                fundamental: fundamental.map(Count),
                total: Count(counted.total),
                seconds: Seconds(counted.elapsed),
                units: counted.units,
                threads: counted.threads,
                engine: counted.engine,
                kernel: counted.kernel,
                version: VERSION,
            })?;
        }
    }
    Ok(())
}
