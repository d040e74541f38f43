//! `queencount completions SHELL`: what a shell needs to know to complete our commands and options.

use clap::{Arg, Command};

use crate::cli::arguments::command;
use crate::cli::arguments::commands::CompletionsArguments;
use crate::cli::arguments::help::names;
use crate::cli::exit::Exit;
use crate::cli::output::Output;

/// Runs it.
pub fn run(arguments: &CompletionsArguments, output: &mut Output) -> Result<(), Exit> {
    let mut all = command();
    all.build();
    // Without N: zsh would take the first word for it, and complete no command.
    let program = shown("queencount", &all, |argument| !argument.is_positional());
    let commands = names().filter_map(|name| Some(shown(name, all.find_subcommand(name)?, |_| true)));
    let mut program = program.version("").disable_help_subcommand(true).subcommands(commands);
    let mut script = Vec::new();
    clap_complete::generate(arguments.shell, &mut program, "queencount", &mut script);
    output.text(String::from_utf8_lossy(&script))
}

/// A command with those of its arguments that it shows: not every shell's script would leave out the others.
fn shown(name: &'static str, command: &Command, also: impl Fn(&Arg) -> bool) -> Command {
    let added = |argument: &Arg| ["help", "version"].iter().any(|id| argument.get_id() == id);
    let arguments = command.get_arguments().filter(|argument| !argument.is_hide_set() && !added(argument));
    // Each command has its own already.
    let arguments = arguments.filter(|argument| also(argument)).map(|argument| argument.clone().global(false));
    Command::new(name).about(command.get_about().cloned().unwrap_or_default()).args(arguments)
}
