//! The command line: what stands above the library, for people and scripts.
//!
//! ```text
//!   words -> arguments -> command -> counting -> output
//! ```
//!
//! Words become typed [`arguments`], and one of the [`commands`] does what they ask for: it counts
//! through [`counting`] and writes through [`output`]. Whatever ends it early comes back here as an
//! [`Exit`], which is one line on standard error and an exit code. Standard output carries results
//! and nothing else.

pub mod arguments;
mod commands;
mod counting;
mod destination;
mod exit;
mod from_records;
mod input;
pub mod memory;
mod notes;
mod numbers;
mod output;
mod progress;
mod signals;
mod watch;

use std::ffi::OsString;
use std::io::stdout;
use std::process::ExitCode;

use arguments::Parsed;
use exit::Exit;
use output::{Form, Output};

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

fn dispatch(words: impl IntoIterator<Item = OsString>) -> Result<(), Exit> {
    signals::install()?;
    let arguments = match arguments::parse(words)? {
        Parsed::Arguments(arguments) => *arguments,
        Parsed::Text(text) => return Output::new(stdout(), Form::Text).text(text),
    };
    commands::run(arguments)
}
