//! `queencount draw N`: a solution as a picture, or a sheet of all fundamental solutions.
//!
//! In a terminal the picture is text; in a file it is SVG.

mod picture;
mod terminal;

use std::time::Instant;

use queencount::{BoardSize, Solution, SolutionError, Solutions};

use crate::cli::arguments::commands::DrawArguments;
use crate::cli::counting::Counting;
use crate::cli::destination::Destination;
use crate::cli::exit::{Exit, OrExit};
use crate::cli::numbers::quantity;
use crate::cli::output::Output;

use super::list::solutions_from;
use terminal::Glyphs;

/// The largest N of a sheet, which then has 1787 boards.
const LARGEST_SHEET: u32 = 12;

pub fn run(arguments: &DrawArguments, counting: &Counting, output: &mut Output) -> OrExit<()> {
    let size = arguments.n;
    let first = u64::from(!arguments.drawn.zero_based);
    let last = u64::from(size.get()) - 1 + first;
    if let Some(row) = arguments
        .attacks
        .filter(|row| !(first..=last).contains(row))
    {
        return Err(Exit::Usage(format!(
            "expected a row from {first} to {last} for '--attacks <ROW>', found {row}"
        )));
    }
    if size.get() == 2 || size.get() == 3 {
        return Err(Exit::Usage(format!(
            "expected a board with a solution, found N = {size}, which has none"
        )));
    }
    if arguments.unique && size.get() > LARGEST_SHEET {
        let expected =
            format!("expected a board of up to {LARGEST_SHEET} rows for a sheet, found N = {size}");
        return Err(Exit::Usage(format!(
            "{expected}; 'queencount list {size} --unique' lists them"
        )));
    }
    let attacks = arguments.attacks.map(|row| (row - first) as usize);
    let first = first as usize;
    let solutions = match arguments.unique {
        true => Solutions::fundamental(size).collect(),
        false => vec![one(arguments, size, counting)?],
    };
    if let Some(path) = &arguments.svg {
        return Destination::new(path, "--svg", &[])?.write(&match arguments.unique {
            true => picture::sheet(&solutions, first),
            false => picture::alone(&solutions[0], attacks, first),
        });
    }
    let glyphs = Glyphs::new([&arguments.drawn.queen, &arguments.drawn.empty])?;
    output.text(match arguments.unique {
        true => glyphs.sheet(&solutions, first),
        false => glyphs.alone(&solutions[0], attacks, first),
    })
}

/// The one solution that is asked for, by its columns or by its number.
fn one(arguments: &DrawArguments, size: BoardSize, counting: &Counting) -> OrExit<Solution> {
    let Some(columns) = &arguments.columns else {
        let index = arguments.index.unwrap_or(1);
        counting.say_search(size, index - 1);
        let (mut solutions, passed) = solutions_from(size, index - 1, false, counting)?;
        let solution =
            counting.watched(
                None,
                Instant::now(),
                |_, stop| Ok(solutions.try_next(stop)?),
            )?;
        let expected = || {
            Exit::Usage(format!(
                "expected '--index <K>' from 1 to {passed}, found {index}"
            ))
        };
        return solution.ok_or_else(expected);
    };
    let refused = |reason: String| Exit::Usage(format!("--columns: {reason}"));
    let words: Vec<&str> = columns
        .split([',', ' ', '\t', '\n'])
        .filter(|word| !word.is_empty())
        .collect();
    let (expected, found) = (u64::from(size.get()), words.len() as u64);
    if expected != found {
        let expected = quantity(expected, "column", "columns");
        return Err(refused(format!(
            "expected {expected} for N = {size}, found {found} in {columns:?}"
        )));
    }
    if !arguments.drawn.zero_based {
        let solution = words.join(" ").parse();
        return solution.map_err(|error: SolutionError| refused(error.to_string()));
    }
    let columns: Vec<u8> = words
        .iter()
        .map(|word| word.parse())
        .collect::<Result<_, _>>()
        .map_err(|_| refused(format!("expected columns from 0, found {columns:?}")))?;
    Solution::new(&columns).map_err(|error| refused(error.to_string()))
}
