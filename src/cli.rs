//! The command line `queencount`, behind the feature `cli`.
//!
//! ```text
//!   arguments -> flags -> config -> app -> command -> supervise -> output
//! ```
//!
//! Results go to stdout, and everything else to stderr. An error ends the program with one line and
//! an exit code.

mod app;
mod arguments;
mod commands;
mod config;
mod counting;
mod destination;
mod error;
mod exit;
mod from_records;
mod input;
mod notes;
mod numbers;
mod output;
mod progress;
mod signals;
mod supervise;
mod ui;

use std::ffi::OsString;
use std::io::stdout;
use std::process::ExitCode;

use app::App;
use arguments::Parsed;
#[cfg(all(unix, fuzzing))]
pub use arguments::check_parsing;
use commands::*;
use error::{Error, Result};
use output::{Format, Output};

/// Runs the program with these arguments, the first of which is its own name.
pub fn run(args: impl IntoIterator<Item = OsString>) -> ExitCode {
    match try_run(args) {
        Ok(()) | Err(Error::BrokenPipe) => ExitCode::SUCCESS,
        Err(error) => {
            ui::print_line(format_args!("{error}"));
            ExitCode::from(error.exit_code())
        }
    }
}

fn try_run(args: impl IntoIterator<Item = OsString>) -> Result<()> {
    use arguments::commands::Command;

    signals::install()?;
    let flags = match arguments::parse(args)? {
        Parsed::Arguments(flags) => *flags,
        Parsed::Text(text) => {
            return Output::new(stdout(), Format::Text, ui::Bar::default()).text(text);
        }
    };
    let mut app = App::new(&flags)?;
    let _ = notes::UI.set(app.ui.clone());
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
        Command::Merge(args) => app.legacy(|counting, output| merge::run(args, counting, output)),
        Command::Status(args) => app.legacy(|counting, output| status::run(args, counting, output)),
        Command::Audit(args) => app.legacy(|counting, output| audit::run(args, counting, output)),
        Command::Publish(args) => {
            app.legacy(|counting, output| publish::run(args, counting, output))
        }
        Command::Estimate(args) => estimate::run(&mut app, args),
        Command::Devices { .. } => devices::run(&mut app),
        Command::SelfTest { seed, .. } => self_test::run(&mut app, *seed),
        Command::Draw(args) => draw::run(&mut app, args),
        Command::Completions { shell } => completions::run(&mut app, *shell),
        Command::Man { command, to } => man::run(&mut app, command.as_deref(), to.as_deref()),
        Command::Help { topic } => help::run(&mut app, topic.as_deref()),
    }
}
