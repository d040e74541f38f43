//! `queencount N`: the first three solutions, then the number of all of them, as the contest wants it.
//!
//! The three are found within a second and shown at once; the count goes on for as long as it takes.

use std::ffi::OsStr;
use std::io::{IsTerminal, stdin};

use queencount::{BoardSize, Solution, Solutions};

use super::boards;
use super::counting::Counting;
use super::exit::Failure;
use super::output::{Format, Output, Value, fields};

/// Runs it: N is the argument, or without one what standard input says.
pub fn run(argument: Option<&OsStr>, counting: &Counting, output: &mut Output) -> Result<(), Failure> {
    let size = if let Some(argument) = argument {
        boards::one_argument(argument)?
    } else if stdin().is_terminal() {
        let expected = "expected a board size from 1 to 32 or a command, found nothing";
        return Err(Failure::Usage(format!("{expected}; try 'queencount 8' or 'queencount --help'")));
    } else {
        boards::one_from(stdin().lock(), "standard input")?
    };
    let first = first_three(size);
    if output.format() == Format::Text {
        output.text(lines(&first))?;
        return output.text(format_args!("{}\n", counting.count(size)?.total));
    }
    let counted = counting.count(size)?;
    let mut fields = fields(&counted);
    fields.insert(1, ("first", Value::Solutions(first)));
    output.fields(&fields)
}

/// The first three solutions, or as many as there are.
pub fn first_three(size: BoardSize) -> Vec<Solution> {
    Solutions::new(size).take(3).collect()
}

/// Each solution on its line.
pub fn lines(solutions: &[Solution]) -> String {
    solutions.iter().map(|solution| format!("{solution}\n")).collect()
}
