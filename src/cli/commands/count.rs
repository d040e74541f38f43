//! `queencount count [N | A..=B]...`: the number of solutions of each board, a line each.
//!
//! Without boards in the arguments they come from standard input, until 0 or its end, and every count is written as
//! soon as it is known: a program that asks through pipes gets each answer before it has to ask again.

use std::io::{IsTerminal, stdin};

use queencount::BoardSize;

use crate::cli::arguments::commands::CountArguments;
use crate::cli::counting::Counting;
use crate::cli::exit::Exit;
use crate::cli::form::Form;
use crate::cli::output::{Output, Value};
use crate::cli::{boards, signals};

/// Runs it.
pub fn run(arguments: &CountArguments, counting: &Counting, output: &mut Output) -> Result<(), Exit> {
    if arguments.boards.is_empty() {
        if stdin().is_terminal() {
            counting.note(format_args!("type boards, a line each, such as 8 or 8..=12; 0 ends the list"));
        }
        for boards in boards::lines_from(stdin().lock()) {
            count(&boards?, arguments.unique, counting, output)?;
            // A signal that came too late for the last count must not have to wait for more input.
            signals::check()?;
        }
        return Ok(());
    }
    let boards: Vec<BoardSize> = arguments.boards.iter().flat_map(|range| range.boards()).collect();
    count(&boards, arguments.unique, counting, output)
}

fn count(boards: &[BoardSize], unique: bool, counting: &Counting, output: &mut Output) -> Result<(), Exit> {
    for &size in boards {
        if unique {
            let (classes, counted) = counting.classes(size, None)?;
            match output.form() {
                Form::Text => output.text(format_args!("{}\n", classes.fundamental()))?,
                _ => {
                    let mut fields = counted.fields();
                    fields.insert(1, ("fundamental", Value::Count(classes.fundamental())));
                    output.fields(&fields)?;
                }
            }
            continue;
        }
        let counted = counting.count(size)?;
        match output.form() {
            Form::Text => output.text(format_args!("{}\n", counted.total))?,
            _ => output.fields(&counted.fields())?,
        }
    }
    Ok(())
}
