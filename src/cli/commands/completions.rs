//! `queencount completions SHELL`: prints a shell script that completes commands and options.

use clap::Command;
use clap_complete::generate;

use crate::cli::error::Result;
use crate::cli::flags::command;
use crate::cli::flags::commands::CompletionsArguments;
use crate::cli::output;

pub(crate) fn run(args: &CompletionsArguments) -> Result<()> {
    let program = command();
    // Leave out N, because zsh would mistake every command for N.
    let mut program = Command::new("queencount")
        .version(crate::VERSION)
        .disable_help_subcommand(true)
        .args(
            program
                .get_arguments()
                .filter(|argument| !argument.is_positional()),
        )
        .subcommands(program.get_subcommands());
    let mut script = Vec::new();
    generate(args.shell, &mut program, "queencount", &mut script);
    output::print(script)
}
