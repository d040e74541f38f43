//! `queencount count [N | A..=B]...`: the number of solutions of each board, a line each.
//!
//! Without boards in the arguments they come from standard input, until 0 or its end, and every count is written as
//! soon as it is known: a program that asks through pipes gets each answer before it has to ask again.

use std::io::{IsTerminal, stdin};

use queencount::BoardSize;

use crate::cli::arguments::commands::CountArguments;
use crate::cli::counting::Counting;
use crate::cli::exit::Exit;
use crate::cli::output::{Form, Output, Value};
use crate::cli::{input, signals};

pub fn run(arguments: &CountArguments, counting: &Counting, output: &mut Output) -> Result<(), Exit> {
    if arguments.numbered && output.form() != Form::Text {
        let found = "found a form that has N as a field";
        return Err(Exit::Usage(format!("expected --numbered with '--format text', {found}")));
    }
    if arguments.boards.is_empty() {
        if stdin().is_terminal() {
            counting.watch.note(format_args!("type boards, a line each, such as 8 or 8..=12; 0 ends the list"));
        }
        return input::each_line(stdin().lock(), |boards| {
            count(&boards, arguments, counting, output)?;
            // A signal that came too late for the last count must not have to wait for more input.
            signals::check()
        });
    }
    let boards: Vec<BoardSize> = arguments.boards.iter().flat_map(|range| range.boards()).collect();
    count(&boards, arguments, counting, output)
}

fn count(
    boards: &[BoardSize],
    arguments: &CountArguments,
    counting: &Counting,
    output: &mut Output,
) -> Result<(), Exit> {
    for &size in boards {
        let (fundamental, report) = if arguments.unique {
            let (classes, report) = counting.classes(size, None)?;
            (Some(classes.fundamental()), report)
        } else {
            (None, counting.count(size)?)
        };
        if output.form() == Form::Text {
            let number = if arguments.numbered { format!("{size}\t") } else { String::new() };
            output.text(format_args!("{number}{}\n", fundamental.unwrap_or(report.total)))?;
            continue;
        }
        let mut fields = report.fields();
        if let Some(fundamental) = fundamental {
            fields.insert(1, ("fundamental", Value::Count(fundamental)));
        }
        output.fields(&fields)?;
    }
    Ok(())
}
