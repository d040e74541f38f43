//! The `queencount` command line, behind the `cli` feature.
//!
//! ```text
//!   arguments -> flags -> config -> app -> command -> supervise -> output
//! ```
//!
//! Results go to stdout, and everything else to stderr. Each error is printed on one line and
//! determines the exit code.

mod app;
mod commands;
mod config;
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

use app::App;
use commands::*;
use error::{Error, Result};
use flags::Parsed;
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
    let parsed = flags::parse(args);
    parsed.map(drop).map_err(|error| error.to_string())
}

fn try_run(args: impl IntoIterator<Item = OsString>) -> Result<()> {
    use flags::commands::Command;

    signals::install()?;
    let flags = match flags::parse(args)? {
        Parsed::Arguments(flags) => *flags,
        Parsed::Text(text) => {
            return Output::with_stdout(Format::Text, ui::Bar::default())?.text(text);
        }
    };
    let mut app = App::new(&flags)?;
    let Some(command) = &flags.command else {
        return contest::run(&mut app, &flags.contest);
    };
    match command {
        Command::Count(args) => count::run(&mut app, args),
        Command::List(args) => list::run(&mut app, args),
        Command::Classes(args) => classes::run(&mut app, args),
        Command::Checker(args) => checker::run(&mut app, args),
        Command::Verify { boards, .. } => verify::run(&mut app, boards),
        Command::Plan(args) => plan::run(&mut app, args),
        Command::Run(args) => run::run(&mut app, args),
        Command::Merge(args) => merge::run(&mut app, args),
        Command::Status(args) => status::run(&mut app, args),
        Command::Audit(args) => audit::run(&mut app, args),
        Command::Publish(args) => publish::run(&mut app, args),
        Command::Estimate(args) => estimate::run(&mut app, args),
        Command::Devices { .. } => devices::run(&mut app),
        Command::SelfTest { seed, .. } => self_test::run(&mut app, *seed),
        Command::Draw(args) => draw::run(&mut app, args),
        Command::Completions { shell } => completions::run(&mut app, *shell),
        Command::Man { command, to } => man::run(&mut app, command.as_deref(), to.as_deref()),
        Command::Help { topic } => help::run(&mut app, topic.as_deref()),
    }
}
