//! `queencount count [N | A..=B]...`: the number of solutions of each board, a line each.
//!
//! Without boards in the arguments they come from standard input, until 0 or its end, and every
//! count is written as soon as it is known: a program that asks through pipes gets each answer
//! before it has to ask again.
//!
//! `queencount classes N`, which is here, too: how the solutions fall into classes of symmetry.
//! Only the number of all solutions takes long to count. With `--total` it is taken as given. A
//! number that leaves no whole orbits is refused, and so are seven in eight wrong numbers.

use std::io::{IsTerminal, stdin};

use queencount::BoardSize;

use crate::cli::arguments::commands::{ClassesArguments, CountArguments};
use crate::cli::counting::Counting;
use crate::cli::exit::{Exit, OrExit};
use crate::cli::output::{Form, Output, Value};
use crate::cli::{input, signals};

pub fn run(arguments: &CountArguments, counting: &Counting, output: &mut Output) -> OrExit<()> {
    if arguments.numbered && output.form() != Form::Text {
        let found = "found a form that has N as a field";
        return Err(Exit::Usage(format!(
            "expected --numbered with '--format text', {found}"
        )));
    }
    if arguments.boards.is_empty() {
        if stdin().is_terminal() {
            counting.watch.note(format_args!(
                "type boards, a line each, such as 8 or 8..=12; 0 ends the list"
            ));
        }
        return input::each_line(stdin().lock(), |boards| {
            count(&boards, arguments, counting, output)?;
            // A signal that came too late for the last count must not have to wait for more input.
            signals::check()
        });
    }
    let boards: Vec<BoardSize> = arguments
        .boards
        .iter()
        .flat_map(|range| range.boards())
        .collect();
    count(&boards, arguments, counting, output)
}

fn count(
    boards: &[BoardSize],
    arguments: &CountArguments,
    counting: &Counting,
    output: &mut Output,
) -> OrExit<()> {
    for &size in boards {
        let (fundamental, report) = if arguments.unique {
            let (classes, report) = counting.classes(size, None)?;
            (Some(classes.fundamental()), report)
        } else {
            (None, counting.count(size)?)
        };
        if output.form() == Form::Text {
            let number = if arguments.numbered {
                format!("{size}\t")
            } else {
                String::new()
            };
            output.text(format_args!(
                "{number}{}\n",
                fundamental.unwrap_or(report.total)
            ))?;
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

pub fn classes(
    arguments: &ClassesArguments,
    counting: &Counting,
    output: &mut Output,
) -> OrExit<()> {
    let size = arguments.n;
    let (classes, counted) = counting.classes(size, arguments.total)?;
    let counts = [
        ("total", "solutions", classes.total()),
        (
            "half_turn",
            "  left as they are by a half turn",
            classes.half_turn(),
        ),
        (
            "quarter_turn",
            "  left as they are by a quarter turn",
            classes.quarter_turn(),
        ),
        (
            "fundamental",
            "fundamental solutions",
            classes.fundamental(),
        ),
        ("orbits_of_8", "  orbits of 8", classes.orbits(8)),
        ("orbits_of_4", "  orbits of 4", classes.orbits(4)),
        ("orbits_of_2", "  orbits of 2", classes.orbits(2)),
        ("orbits_of_1", "  orbits of 1", classes.orbits(1)),
    ];
    if output.form() == Form::Text {
        // Only the board of one row has an orbit of one solution.
        let counts = counts
            .iter()
            .filter(|(name, ..)| *name != "orbits_of_1" || size.get() == 1);
        let width = classes.total().to_string().len();
        let text: String = counts
            .map(|(_, what, count)| format!("{what:<36}  {count:>width$}\n"))
            .collect();
        return output.text(text);
    }
    let mut fields = vec![("n", Value::Number(size.get().into()))];
    fields.extend(counts.map(|(name, _, count)| (name, Value::Count(count))));
    fields.extend([
        ("seconds", Value::Seconds(counted.elapsed)),
        ("threads", Value::Number(counted.threads as u64)),
        ("version", env!("CARGO_PKG_VERSION").into()),
    ]);
    output.fields(&fields)
}
