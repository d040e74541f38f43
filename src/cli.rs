//! The command line: what stands above the library, for people and scripts.
//!
//! ```text
//!   words -> arguments -> request -> command -> counting -> output
//! ```
//!
//! Words become typed [`arguments`], arguments become a [`Request`] that makes sense, and a command of [`commands`]
//! grants it: it counts through [`counting`] and writes through [`output`]. Whatever goes wrong comes back here as a
//! [`Failure`], which is one line on standard error and an exit code. Standard output carries results and nothing else.

mod ahead;
pub mod arguments;
mod aside;
mod boards;
mod commands;
mod counted;
mod counting;
mod cpu_time;
mod destination;
mod exit;
mod form;
mod from_records;
mod glyph;
mod into_record;
mod notes;
mod numbers;
mod output;
mod progress;
pub mod request;
mod seed;
mod signals;
mod units;

use std::ffi::OsString;
use std::io::stdout;
use std::process::ExitCode;

use arguments::Parsed;
use arguments::commands::Command;
use commands::{
    audit, bench, checker, classes, completions, contest, count, devices, draw, estimate, help, list, man, merge, plan,
    run, self_test, verify,
};
use exit::Failure;
use form::Form;
use output::Output;
use request::{Goal, Request};

/// Runs the program with these words, the first of which is its own name.
pub fn run(words: impl IntoIterator<Item = OsString>) -> ExitCode {
    match dispatch(words) {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            if let Some(line) = failure.line() {
                notes::note(format_args!("{line}"));
            }
            ExitCode::from(failure.code())
        }
    }
}

fn dispatch(words: impl IntoIterator<Item = OsString>) -> Result<(), Failure> {
    signals::install()?;
    let arguments = match arguments::parse(words)? {
        Parsed::Arguments(arguments) => *arguments,
        Parsed::Text(text) => return Output::new(stdout(), Form::Text).text(text),
    };
    let Request { goal, counting, form, list_format } = Request::new(arguments)?;
    let mut output = Output::new(stdout(), form);
    let command = match goal {
        Goal::Contest { board, record } => return contest::run(board, record.as_deref(), &counting, &mut output),
        Goal::Command(command) => command,
    };
    match command {
        Command::Count(arguments) => count::run(&arguments, &counting, &mut output),
        Command::List(arguments) => list::run(&arguments, list_format, &counting, &mut output),
        Command::Classes(arguments) => classes::run(&arguments, &counting, &mut output),
        Command::Checker(arguments) => checker::run(&arguments, &counting),
        Command::Verify(arguments) => verify::run(&arguments, &counting, &mut output),
        Command::Plan(arguments) => plan::run(&arguments, &counting, &mut output),
        Command::Run(arguments) => run::run(&arguments, &counting, &mut output),
        Command::Merge(arguments) => merge::run(&arguments, &counting, &mut output),
        Command::Audit(arguments) => audit::run(&arguments, &counting, &mut output),
        Command::Estimate(arguments) => estimate::run(&arguments, &counting, &mut output),
        Command::Devices(arguments) => devices::run(&arguments, &counting, &mut output),
        Command::SelfTest(arguments) => self_test::run(&arguments, &counting, &mut output),
        Command::Draw(arguments) => draw::run(&arguments, &counting, &mut output),
        Command::Bench(arguments) => bench::run(&arguments, counting, &mut output),
        Command::Completions(arguments) => completions::run(&arguments, &mut output),
        Command::Man(arguments) => man::run(&arguments, &mut output),
        Command::Help(arguments) => help::run(&arguments, &mut output),
    }
}
