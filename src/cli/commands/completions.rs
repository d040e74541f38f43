//! `queencount completions SHELL`: prints a shell script that completes commands and options.

use clap::Command;
use clap_complete::generate;

use crate::cli::error::Result;
use crate::cli::flags::command;
use crate::cli::flags::commands::{CompletionsArguments, Shell};
use crate::cli::output::{Format, Output};
use crate::cli::ui::Bar;

pub(crate) fn run(args: &CompletionsArguments) -> Result<()> {
    let program = command();
    // Leave out N, because zsh would mistake every command for N.
    let options = program
        .get_arguments()
        .filter(|argument| !argument.is_positional())
        .cloned();
    let main_form = Command::new("queencount")
        .about(program.get_about().cloned().unwrap_or_default())
        .version(crate::VERSION)
        .disable_help_subcommand(true)
        .args(options);
    let all = main_form
        .clone()
        .subcommands(program.get_subcommands().cloned());
    Output::with_stdout(Format::Text, Bar::default())?.text(match args.shell {
        Shell::Bash => script(clap_complete::Shell::Bash, all),
        Shell::PowerShell => script(clap_complete::Shell::PowerShell, all),
        Shell::Fish => fish(all, main_form),
        Shell::Zsh => zsh(all, main_form),
    })
}

fn script(shell: clap_complete::Shell, mut command: Command) -> String {
    let mut script = Vec::new();
    let name = command.get_name().to_owned();
    generate(shell, &mut command, name, &mut script);
    String::from_utf8(script).expect("names and descriptions are UTF-8")
}

/// Adds the values of positional arguments, and the options that can follow `queencount N`. The
/// script from clap completes options only before the first positional argument.
fn fish(all: Command, main_form: Command) -> String {
    let mut text = String::new();
    for command in all.get_subcommands() {
        for argument in command.get_positionals() {
            let values: Vec<String> = argument
                .get_possible_values()
                .iter()
                .map(|value| value.get_name().to_owned())
                .collect();
            if !values.is_empty() {
                let seen = format!("__fish_seen_subcommand_from {}", command.get_name());
                let values = values.join(" ");
                text += &format!("complete -c queencount -n \"{seen}\" -f -a \"{values}\"\n");
            }
        }
    }
    let is_main_form = "string match -qr '^[0-9]+\\$' -- (commandline -opc)[2]";
    let main_form = script(clap_complete::Shell::Fish, main_form).replace(
        "complete -c queencount ",
        &format!("complete -c queencount -n \"{is_main_form}\" "),
    );
    script(clap_complete::Shell::Fish, all) + &text + &main_form
}

/// Adds a function for `queencount N`. It treats N as the name of the program, because `_arguments`
/// completes nothing after an unknown word.
fn zsh(all: Command, main_form: Command) -> String {
    let main_form = script(clap_complete::Shell::Zsh, main_form.name("queencount-n"));
    let start = main_form.find("_queencount-n() {").expect("a function");
    let end = main_form.find("\n}\n").expect("its end");
    let main_form = format!("{}\n}}\n\n", &main_form[start..end]);
    script(clap_complete::Shell::Zsh, all).replacen(
        "_queencount() {\n",
        &format!(
            "{main_form}_queencount() {{\n    \
             if [[ $words[2] == <-> ]]; then\n        \
             shift words\n        (( CURRENT-- ))\n        \
             _queencount-n\n        return\n    fi\n"
        ),
        1,
    )
}
