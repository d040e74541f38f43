//! `queencount completions SHELL`: what a shell needs to know to complete our commands and options.

use std::io::stdout;

use clap::Command;

use super::arguments::Completions;
use super::exit::Failure;
use super::help;
use super::output::{Format, Output};

/// Runs it.
pub fn run(arguments: &Completions) -> Result<(), Failure> {
    let all = help::command();
    // Without N: zsh would take the first word for it, and complete no command.
    let options = all.get_arguments().filter(|argument| !argument.is_positional());
    let mut named = Command::new("queencount").args(options).subcommands(all.get_subcommands()).version("");
    let mut script = Vec::new();
    clap_complete::generate(arguments.shell, &mut named, "queencount", &mut script);
    Output::new(stdout(), Format::Text).text(String::from_utf8_lossy(&script))
}
