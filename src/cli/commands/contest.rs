//! `queencount N`: the first three solutions, then the number of all of them, as the contest wants it.
//!
//! The three are found within a second and shown at once; the count goes on for as long as it takes.

use std::io::{IsTerminal, stdin};
use std::path::Path;

use queencount::{BoardSize, Solution, Solutions};

use crate::cli::boards;
use crate::cli::counting::Counting;
use crate::cli::exit::Failure;
use crate::cli::form::Form;
use crate::cli::output::{Output, Value};
use crate::cli::recorded::{self, Selection};

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
    let first = first_three(size);
    if output.form() == Form::Text {
        output.text(lines(&first))?;
    }
    let counted = match record {
        Some(record) => recorded::count(counting, size, record, &Selection::All)?.counted,
        None => counting.count(size)?,
    };
    if output.form() == Form::Text {
        return output.text(format_args!("{}\n", counted.total));
    }
    let mut fields = counted.fields();
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
