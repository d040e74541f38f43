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
mod numbers;
mod output;
mod records;
mod signals;
mod supervise;
mod ui;

use std::ffi::OsString;
use std::process::ExitCode;

use error::{Error, Result};
use flags::Parsed;

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
        Parsed::Text(text) => return output::print(text),
    };
    commands::run(&flags)
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
