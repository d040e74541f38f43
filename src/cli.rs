//! The `queencount` command line, behind the `cli` feature.
//!
//! ```text
//!   arguments -> flags -> command -> app (options, stderr, stdout) -> the library -> report
//! ```
//!
//! Results go to stdout, and everything else to stderr. Each error is printed on one line and
//! determines the exit code.

mod app;
mod commands;
mod destination;
mod error;
mod flags;
mod format;
mod input;
mod machine;
mod numbers;
mod output;
mod records;
mod signals;
mod supervise;
mod ui;

use std::ffi::OsString;
use std::process::ExitCode;

use commands::{
    audit, checker, classes, completions, contest, count, devices, draw, estimate, help, list, man,
    merge, plan, publish, run as run_command, self_test, status, verify,
};
use error::{Error, Result};
use flags::Parsed;
use flags::commands::Command;
use output::{Format, Output};

/// Runs the program. The first argument is the program's own name.
pub fn run(args: impl IntoIterator<Item = OsString>) -> ExitCode {
    match try_run(args) {
        Ok(()) | Err(Error::BrokenPipe) => ExitCode::SUCCESS,
        Err(error) => {
            ui::print_line(&error);
            ExitCode::from(error.exit_code())
        }
    }
}

fn try_run(args: impl IntoIterator<Item = OsString>) -> Result<()> {
    signals::install()?;
    let flags = match flags::parse(args)? {
        Parsed::Arguments(flags) => *flags,
        Parsed::Text(text) => {
            return Output::with_stdout(Format::Text, ui::Bar::default())?.text(text);
        }
    };
    match &flags.command {
        None => contest::run(&flags.contest),
        Some(Command::Count(args)) => count::run(args),
        Some(Command::List(args)) => list::run(args),
        Some(Command::Classes(args)) => classes::run(args),
        Some(Command::Checker(args)) => checker::run(args),
        Some(Command::Verify(args)) => verify::run(args),
        Some(Command::Plan(args)) => plan::run(args),
        Some(Command::Run(args)) => run_command::run(args),
        Some(Command::Merge(args)) => merge::run(args),
        Some(Command::Status(args)) => status::run(args),
        Some(Command::Audit(args)) => audit::run(args),
        Some(Command::Publish(args)) => publish::run(args),
        Some(Command::Estimate(args)) => estimate::run(args),
        Some(Command::Devices(args)) => devices::run(args),
        Some(Command::SelfTest(args)) => self_test::run(args),
        Some(Command::Draw(args)) => draw::run(args),
        Some(Command::Completions(args)) => completions::run(args),
        Some(Command::Man(args)) => man::run(args),
        Some(Command::Help(args)) => help::run(args),
    }
}

/// Checks arguments without running the program. The first one is the program's own name.
///
/// # Errors
/// Returns the line that [`run()`] would print on stderr.
///
/// ```
/// let result = queencount::cli::check_arguments(["queencount", "33"].map(Into::into));
/// assert!(result.unwrap_err().contains("33"));
/// ```
pub fn check_arguments(args: impl IntoIterator<Item = OsString>) -> Result<(), String> {
    flags::parse(args)
        .and_then(|parsed| match parsed {
            Parsed::Arguments(flags) => flags.contest.board().map(drop),
            Parsed::Text(_) => Ok(()),
        })
        .map_err(|error| error.to_string())
}
