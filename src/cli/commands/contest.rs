//! `queencount N`: the first three solutions, then the number of all of them, as the contest wants it.
//!
//! The three are searched for beside the count, and shown as soon as they are found: on the largest boards that takes a
//! second. The total comes after them, whichever is known first.

use std::io::{IsTerminal, stdin};
use std::path::Path;
use std::sync::{Mutex, PoisonError};

use queencount::{BoardSize, CountError, Solution, Solutions};

use crate::cli::boards;
use crate::cli::counting::Counting;
use crate::cli::exit::Failure;
use crate::cli::form::Form;
use crate::cli::into_record::{self, Selection};
use crate::cli::output::{Output, Value};

/// Runs it for a board, or without one for the board that standard input names. With a record, what is counted is kept
/// there.
pub fn run(
    board: Option<BoardSize>,
    record: Option<&Path>,
    counting: &Counting,
    output: &mut Output,
) -> Result<(), Failure> {
    let size = if let Some(board) = board {
        board
    } else if stdin().is_terminal() {
        let expected = "expected a board size from 1 to 32 or a command, found nothing";
        return Err(Failure::Usage(format!("{expected}; try 'queencount 8' or 'queencount --help'")));
    } else {
        boards::one_from(stdin().lock(), "standard input")?
    };
    let form = output.form();
    let show = |first: &[Solution]| if form == Form::Text { output.text(lines(first)) } else { Ok(()) };
    let (first, counted) = beside_first_three(size, counting, show, |counting| match record {
        Some(record) => Ok(into_record::count(counting, size, record, &Selection::All)?.counted),
        None => counting.count(size),
    })?;
    if output.form() == Form::Text {
        return output.text(format_args!("{}\n", counted.total));
    }
    let mut fields = counted.fields();
    fields.insert(1, ("first", Value::Solutions(first)));
    output.fields(&fields)
}

/// Counts, and finds the first three solutions beside that, or as many as there are. They are shown as soon as they are
/// found, and in any case before this returns.
pub fn beside_first_three<T>(
    size: BoardSize,
    counting: &Counting,
    show: impl FnMut(&[Solution]) -> Result<(), Failure> + Send,
    count: impl FnOnce(&Counting) -> Result<T, Failure>,
) -> Result<(Vec<Solution>, T), Failure> {
    let state = Mutex::new((Vec::new(), show));
    let counted = count(&counting.beside(&|stop| {
        let mut solutions = Solutions::new(size);
        let mut state = state.lock().unwrap_or_else(PoisonError::into_inner);
        let (first, show) = &mut *state;
        while first.len() < 3
            && let Some(solution) = solutions.try_next(stop).map_err(CountError::from)?
        {
            first.push(solution);
        }
        show(first)
    }))?;
    let (first, _) = state.into_inner().unwrap_or_else(PoisonError::into_inner);
    Ok((first, counted))
}

/// Each solution on its line.
pub fn lines(solutions: &[Solution]) -> String {
    solutions.iter().map(|solution| format!("{solution}\n")).collect()
}
