//! `queencount completions SHELL`: what a shell needs to know to complete our commands and options.

use clap::Command;

use crate::cli::arguments::command;
use crate::cli::arguments::commands::CompletionsArguments;
use crate::cli::exit::Failure;
use crate::cli::output::Output;

/// Runs it.
pub fn run(arguments: &CompletionsArguments, output: &mut Output) -> Result<(), Failure> {
    let all = command();
    // Without N: zsh would take the first word for it, and complete no command.
    let options = all.get_arguments().filter(|argument| !argument.is_positional());
    let mut named = Command::new("queencount").args(options).subcommands(all.get_subcommands()).version("");
    let mut script = Vec::new();
    clap_complete::generate(arguments.shell, &mut named, "queencount", &mut script);
    output.text(String::from_utf8_lossy(&script))
}
