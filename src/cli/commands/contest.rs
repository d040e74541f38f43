//! The contest's form: the first three solutions, then the number of all of them. `queencount N` writes it to standard
//! output, `queencount checker` from one file to another.
//!
//! The three are searched for beside the count, and shown as soon as they are found: on the largest boards that takes a
//! second. The total comes after them, whichever is known first.

use std::io::{IsTerminal, stdin};
use std::sync::{Mutex, PoisonError};

use queencount::{BoardSize, CountError, Solution, Solutions, Stop};

use crate::cli::arguments::commands::CheckerArguments;
use crate::cli::counting::{Counting, Report};
use crate::cli::destination::Destination;
use crate::cli::exit::Exit;
use crate::cli::input;
use crate::cli::output::{Form, Output, Value};

/// Runs it for a board, or without one for the board that standard input names.
pub fn run(board: Option<BoardSize>, counting: &Counting, output: &mut Output) -> Result<(), Exit> {
    let size = if let Some(board) = board {
        board
    } else if stdin().is_terminal() {
        let expected = "expected a board size from 1 to 32 or a command, found nothing";
        return Err(Exit::Usage(format!("{expected}; try 'queencount 8' or 'queencount --help'")));
    } else {
        input::one_from(stdin().lock(), "standard input")?
    };
    let form = output.form();
    let show = |first: &[Solution]| if form == Form::Text { output.text(lines(first)) } else { Ok(()) };
    let (first, counted) = beside_first_three(size, counting, show)?;
    if form == Form::Text {
        return output.text(format_args!("{}\n", counted.total));
    }
    let mut fields = counted.fields();
    fields.insert(1, ("first", Value::Solutions(first)));
    output.fields(&fields)
}

/// Runs the command `checker`, whose output file appears whole or not at all.
pub fn checker(arguments: &CheckerArguments, counting: &Counting) -> Result<(), Exit> {
    let (input, source) = input::open(&arguments.input, "; --input names another file")?;
    let size = input::one_from(input, &source)?;
    // Before the count, which may take hours, so that an unwritable folder is known at once.
    let output = Destination::new(&arguments.output, "--output")?;
    let (first, counted) = beside_first_three(size, counting, |_| Ok(()))?;
    output.write(&format!("{}{}\n", lines(&first), counted.total))
}

/// Counts, and finds the first three solutions beside that, or as many as there are. They are shown as soon as they are
/// found, and in any case before this returns.
fn beside_first_three(
    size: BoardSize,
    counting: &Counting,
    show: impl FnMut(&[Solution]) -> Result<(), Exit> + Send,
) -> Result<(Vec<Solution>, Report), Exit> {
    let state = Mutex::new((Vec::new(), show));
    let beside = |stop: &Stop| {
        let mut solutions = Solutions::new(size);
        let mut state = state.lock().unwrap_or_else(PoisonError::into_inner);
        let (first, show) = &mut *state;
        while first.len() < 3
            && let Some(solution) = solutions.try_next(stop).map_err(CountError::from)?
        {
            first.push(solution);
        }
        show(first)
    };
    let counted = counting.count_with(counting.plan(size).as_ref(), Some(&beside))?;
    let (first, _) = state.into_inner().unwrap_or_else(PoisonError::into_inner);
    Ok((first, counted))
}

/// Each solution on its line.
fn lines(solutions: &[Solution]) -> String {
    solutions.iter().map(|solution| format!("{solution}\n")).collect()
}
