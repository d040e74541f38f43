//! `queencount draw N`: a solution as a picture, or a sheet of all fundamental solutions.
//!
//! In a terminal the picture is text; in a file it is SVG.

mod drawing;
mod picture;
mod svg;
mod terminal;

use std::time::Instant;

use queencount::{BoardSize, CountError, Solution, Solutions};

use crate::cli::ahead;
use crate::cli::arguments::commands::DrawArguments;
use crate::cli::counting::Counting;
use crate::cli::destination::Destination;
use crate::cli::exit::Exit;
use crate::cli::numbers::quantity;
use crate::cli::output::Output;

use drawing::Drawing;

/// The largest N of a sheet, which then has 1787 boards.
const LARGEST_SHEET: u32 = 12;

/// Runs it.
pub fn run(arguments: &DrawArguments, counting: &Counting, output: &mut Output) -> Result<(), Exit> {
    let size = arguments.n;
    if let Some(row) = arguments.attacks.filter(|row| *row > size.get().into()) {
        return Err(Exit::Usage(format!("expected a row from 1 to {size} for '--attacks <ROW>', found {row}")));
    }
    if size.get() == 2 || size.get() == 3 {
        return Err(Exit::Usage(format!("expected a board with a solution, found N = {size}, which has none")));
    }
    if arguments.unique && size.get() > LARGEST_SHEET {
        let expected = format!("expected a board of up to {LARGEST_SHEET} rows for a sheet, found N = {size}");
        return Err(Exit::Usage(format!("{expected}; 'queencount list {size} --unique' lists them")));
    }
    let drawing = if arguments.unique {
        Drawing::Sheet(Solutions::new(size).filter(Solution::is_representative).collect())
    } else {
        Drawing::Board(one(arguments, size, counting)?, arguments.attacks.map(|row| row as usize - 1))
    };
    match &arguments.svg {
        Some(path) => Destination::new(path, "--svg")?.write(&picture::svg(&drawing)),
        None => output.text(terminal::text(&drawing, arguments.queen.as_ref(), arguments.empty.as_ref())),
    }
}

/// The one solution that is asked for.
fn one(arguments: &DrawArguments, size: BoardSize, counting: &Counting) -> Result<Solution, Exit> {
    let Some(columns) = &arguments.columns else {
        let index = arguments.index.unwrap_or(1);
        counting.say_search(size, index - 1);
        let (mut solutions, passed) = ahead::solutions_from(size, index - 1, counting)?;
        let solution = counting
            .watched(None, Instant::now(), |_, stop| Ok(solutions.try_next(stop).map_err(CountError::from)?))?;
        let expected = || Exit::Usage(format!("expected '--index <K>' from 1 to {passed}, found {index}"));
        return solution.ok_or_else(expected);
    };
    let (expected, found) = (u64::from(size.get()), columns.split_ascii_whitespace().count() as u64);
    if expected != found {
        let expected = quantity(expected, "column", "columns");
        return Err(Exit::Usage(format!("--columns: expected {expected} for N = {size}, found {found}")));
    }
    columns.parse().map_err(|error| Exit::Usage(format!("--columns: {error}")))
}
