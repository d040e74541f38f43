//! The contest's form: the first three solutions, then the number of all of them. `queencount N`
//! writes it to standard output, `queencount checker` from one file to another.
//!
//! The three are searched for before the count, and shown as soon as they are found: on the largest
//! boards that takes a second.

use std::io::{IsTerminal, stdin};
use std::time::Instant;

use queencount::{BoardSize, EngineError, Solution, Solutions};

use crate::cli::arguments::commands::CheckerArguments;
use crate::cli::counting::Counting;
use crate::cli::destination::Destination;
use crate::cli::exit::{Exit, OrExit};
use crate::cli::input;
use crate::cli::output::{Form, Output, Value};

/// Runs it for a board, or without one for the board that standard input names.
pub fn run(board: Option<BoardSize>, counting: &Counting, output: &mut Output) -> OrExit<()> {
    let size = if let Some(board) = board {
        board
    } else if stdin().is_terminal() {
        let expected = "expected a board size from 1 to 32 or a command, found nothing";
        return Err(Exit::Usage(format!(
            "{expected}; try 'queencount 8' or 'queencount --help'"
        )));
    } else {
        input::one_from(stdin().lock(), "standard input")?
    };
    let first = first_three(size, counting)?;
    if output.form() == Form::Text {
        output.text(lines(&first))?;
        return output.text(format_args!("{}\n", counting.count(size)?.total));
    }
    let counted = counting.count(size)?;
    let mut fields = counted.fields();
    fields.insert(1, ("first", Value::Solutions(first)));
    output.fields(&fields)
}

/// Runs the command `checker`, whose output file appears whole or not at all.
pub fn checker(arguments: &CheckerArguments, counting: &Counting) -> OrExit<()> {
    let (input, source) = input::open(&arguments.input, "; --input names another file")?;
    let size = input::one_from(input, &source)?;
    // Before the count, which may take hours, so that an unwritable folder is known at once.
    let output = Destination::new(
        &arguments.output,
        "--output",
        std::slice::from_ref(&arguments.input),
    )?;
    let (first, counted) = (first_three(size, counting)?, counting.count(size)?);
    output.write(&format!("{}{}\n", lines(&first), counted.total))
}

fn first_three(size: BoardSize, counting: &Counting) -> OrExit<Vec<Solution>> {
    counting.watched(None, Instant::now(), |_, stop| {
        let mut solutions = Solutions::new(size);
        let next = || solutions.try_next(stop).transpose();
        Ok(std::iter::from_fn(next)
            .take(3)
            .collect::<Result<_, EngineError>>()?)
    })
}

fn lines(solutions: &[Solution]) -> String {
    solutions
        .iter()
        .map(|solution| format!("{solution}\n"))
        .collect()
}
