//! `queencount completions SHELL`: prints a shell script that completes commands and options.

use clap::Command;
use clap::builder::PossibleValue;
use clap_complete::{Shell, generate};

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
    if args.shell == Shell::Fish {
        script.extend(positional_values(&program).bytes());
    }
    output::print(script)
}

/// Returns lines that let fish complete positional arguments, such as the commands after `help`.
/// `clap_complete` generates them for other shells only.
fn positional_values(program: &Command) -> String {
    let mut lines = String::new();
    for command in program.get_subcommands() {
        for argument in command.get_positionals() {
            let values = argument.get_possible_values();
            let names: Vec<&str> = values.iter().map(PossibleValue::get_name).collect();
            if !names.is_empty() {
                lines += &format!(
                    "complete -c queencount -n \"__fish_queencount_using_subcommand {}\" -f -a \"{}\"\n",
                    command.get_name(),
                    names.join(" ")
                );
            }
        }
    }
    lines
}
