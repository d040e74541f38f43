//! The arguments, as data: what can be asked for, how it is spelt, and how the help explains it.
//!
//! The help, the manual and the completions are all made from [`command()`], so they know the same.
//! What words mean together, and takes several to see, each command refuses.

pub mod commands;
mod errors;
pub mod help;
pub mod options;
pub mod values;

use std::ffi::{OsStr, OsString};

use clap::builder::StyledStr;
use clap::error::ErrorKind;
use clap::{Arg, Args, CommandFactory, FromArgMatches, Parser, ValueHint};
use queencount::{BoardSize, BoardSizeError};

use super::exit::{Exit, OrExit};
use commands::Command;
use options::AllOptions;

/// Counts the ways to place N nonattacking queens on an N x N board
///
/// Prints the first three solutions, and then the number of all solutions. A solution is a line:
/// the column of the queen in each row, counted from 1. Without N, and if standard input is not a
/// terminal, N is read from there.
#[derive(Debug, Parser)]
#[command(
    name = "queencount",
    version = queencount::VERSION,
    max_term_width = 100,
    args_override_self = true,
    args_conflicts_with_subcommands = true,
    disable_help_subcommand = true
)]
#[command(override_usage = "queencount [OPTIONS] [N]\n       queencount <COMMAND> [OPTIONS]")]
pub struct Arguments {
    #[command(subcommand)]
    pub command: Option<Command>,

    #[command(flatten)]
    pub contest: ContestArguments,
}

/// The arguments without a command.
#[derive(Args, Debug)]
pub struct ContestArguments {
    /// The number of rows of the board, 1 to 32
    #[arg(value_name = "N")]
    n: Option<OsString>,

    /// What follows N, to be refused with it.
    #[arg(hide = true)]
    more: Vec<OsString>,

    #[command(flatten)]
    pub options: AllOptions,
}

impl ContestArguments {
    /// The board, if one is named.
    pub fn board(&self) -> OrExit<Option<BoardSize>> {
        // Two boards are no board, and the error about them has to show both.
        let words: Vec<&OsStr> = self
            .n
            .iter()
            .chain(&self.more)
            .map(OsString::as_os_str)
            .collect();
        let words = words.join(OsStr::new(" "));
        let word = words.to_string_lossy();
        let unknown = |error: BoardSizeError| {
            Exit::Usage(errors::no_command(&word, &error.to_string(), &command()))
        };
        self.n
            .as_ref()
            .map(|_| word.parse().map_err(unknown))
            .transpose()
    }
}

pub enum Parsed {
    Arguments(Box<Arguments>),
    /// A wish for a text: the help or the version.
    Text(StyledStr),
}

/// Parses the arguments of the program, the first of which is its own name.
pub fn parse(words: impl IntoIterator<Item = OsString>) -> OrExit<Parsed> {
    let words: Vec<OsString> = words.into_iter().collect();
    let matches = command().try_get_matches_from(&words);
    match matches.and_then(|matches| Arguments::from_arg_matches(&matches)) {
        Ok(arguments) => Ok(Parsed::Arguments(Box::new(arguments))),
        Err(error) if error.kind() == ErrorKind::DisplayVersion => Ok(Parsed::Text(error.render())),
        Err(error) if error.kind() == ErrorKind::DisplayHelp => {
            // What the help says is put together for those who ask for it.
            let help = help::explained(command())
                .try_get_matches_from(words)
                .expect_err("they ask for help");
            Ok(Parsed::Text(help.render()))
        }
        Err(error) => Err(Exit::Usage(errors::one_line(&error, &words, &command()))),
    }
}

pub fn command() -> clap::Command {
    Arguments::command()
        .mut_args(of_any_number)
        .mut_subcommands(|command| command.mut_args(of_any_number))
}

/// An argument whose value may be a number below zero, unless it names a file: it is refused as a
/// number then, and not as an option.
fn of_any_number(argument: Arg) -> Arg {
    let takes_numbers =
        argument.get_action().takes_values() && argument.get_value_hint() != ValueHint::AnyPath;
    argument.allow_negative_numbers(takes_numbers)
}

/// Words in a form that a shell takes.
pub fn quoted(words: impl IntoIterator<Item = impl AsRef<OsStr>>) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "-_./=,:+@%".contains(c);
    let words = words
        .into_iter()
        .map(|word| match word.as_ref().to_string_lossy() {
            word if !word.is_empty() && word.chars().all(plain) => word.into_owned(),
            word => format!("'{}'", word.replace('\'', r"'\''")),
        });
    words.collect::<Vec<String>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::help::{examples, headings};
    use super::*;

    #[test]
    fn the_arguments_do_not_contradict_each_other() {
        command().debug_assert();
    }

    #[test]
    fn every_example_of_the_help_is_understood() {
        for (line, _) in headings()
            .flat_map(examples)
            .filter(|(line, _)| line.starts_with("queencount "))
        {
            // What follows is for the shell.
            let words = line
                .split(' ')
                .take_while(|word| !["<", ">", ">>", "|"].contains(word));
            let parsed = parse(words.map(OsString::from));
            assert!(
                matches!(parsed, Ok(Parsed::Arguments(_))),
                "{line}: {:?}",
                parsed.err()
            );
        }
    }
}
