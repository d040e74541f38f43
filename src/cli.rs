//! The command line: what stands above the library, for people and scripts.
//!
//! Arguments become a validated [`Command`](arguments::Command), a command counts through [`counting`] and writes
//! through [`output`], and whatever goes wrong comes back here as a [`Failure`], which is one line on standard error
//! and an exit code. Standard output carries results and nothing else.

pub mod arguments;
mod audit;
mod bench;
mod boards;
mod checker;
mod classes;
mod completions;
mod contest;
mod count;
mod counting;
mod destination;
mod draw;
mod estimate;
mod exit;
mod help;
mod list;
mod man;
mod merge;
mod output;
mod plan;
mod progress;
mod run;
mod self_test;
mod signals;
mod svg;
mod verify;
mod words;

use std::ffi::OsString;
use std::io::{Write, stderr, stdout};
use std::process::ExitCode;

use arguments::{Command, Verify};
use counting::Counting;
use exit::Failure;
use output::Output;

/// Runs the program with these arguments, the first of which is its own name.
pub fn run(arguments: impl IntoIterator<Item = OsString>) -> ExitCode {
    match dispatch(arguments) {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            if let Some(line) = failure.line() {
                note(format_args!("{line}"));
            }
            failure.code()
        }
    }
}

fn dispatch(arguments: impl IntoIterator<Item = OsString>) -> Result<(), Failure> {
    let arguments = match arguments::parse(arguments)? {
        arguments::Parsed::Arguments(arguments) => arguments,
        arguments::Parsed::Text(text) => return Output::new(stdout(), output::Format::Text).text(text),
    };
    if let (Some(_), Some(_)) = (&arguments.record, &arguments.command) {
        return Err(Failure::Usage("expected --record behind the command that it is for".to_owned()));
    }
    signals::install()?;
    let board = arguments.board();
    let counting = Counting::new(&arguments.common).record(arguments.record);
    let form = arguments.common.format;
    let format = match arguments.command {
        Some(Command::List(_)) => output::Format::Text,
        _ => form.format()?,
    };
    let mut output = Output::new(stdout(), format);
    match arguments.command {
        None => contest::run(board.as_deref(), &counting.while_read(), &mut output),
        Some(Command::Count(command)) => count::run(&command, &counting.while_read(), &mut output),
        Some(Command::List(command)) => list::run(&command, form, &counting, &mut output),
        Some(Command::Classes(command)) => classes::run(&command, &counting.while_read(), &mut output),
        Some(Command::Checker(command)) => checker::run(&command, &counting, format),
        Some(Command::Verify(Verify { full: true, .. })) => self_test::run(None, &counting, &mut output),
        Some(Command::Verify(command)) => verify::run(&command, &counting, &mut output),
        Some(Command::Plan(command)) => plan::run(&command, &counting, &mut output),
        Some(Command::Run(command)) => run::run(&command, &counting, &mut output),
        Some(Command::Merge(command)) => merge::run(&command, &mut output),
        Some(Command::Audit(command)) => audit::run(&command, &counting, &mut output),
        Some(Command::Estimate(command)) => estimate::run(&command, &counting, &mut output),
        Some(Command::SelfTest(command)) => self_test::run(command.seed, &counting, &mut output),
        Some(Command::Draw(command)) => draw::run(&command, &mut output),
        Some(Command::Bench(command)) => bench::run(&command, counting, &mut output),
        Some(Command::Completions(command)) => completions::run(&command),
        Some(Command::Man(command)) => man::run(&command),
    }
}

/// Says something on standard error, in a line that tells whose it is. If nobody can read it, nothing is lost.
fn note(line: std::fmt::Arguments) {
    let _ = writeln!(stderr(), "queencount: {line}");
}
