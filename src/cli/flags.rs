//! The arguments of the program, and their help texts.
//!
//! Help texts, man pages and completions are generated from [`command()`].

pub(super) mod commands;
mod errors;
pub(super) mod help;
pub(super) mod options;
pub(super) mod values;

use std::ffi::{OsStr, OsString};

use crate::BoardSize;
use clap::error::ErrorKind;
use clap::{Arg, Args, CommandFactory, FromArgMatches, Parser, ValueHint};

use super::error::{Error, Result};
use super::format::escape_control_chars;
use commands::Command;
use options::AllOptions;

/// Count the solutions of the N-queens problem
///
/// Prints the first three solutions, and then the total. Each solution is a line of numbers: the
/// column of the queen in each row, counting from 1. If N is not given, it is read from stdin,
/// unless stdin is a terminal.
#[derive(Debug, Parser)]
#[command(
    name = "queencount",
    version = crate::VERSION,
    max_term_width = 100,
    args_override_self = true,
    args_conflicts_with_subcommands = true,
    disable_help_subcommand = true
)]
#[command(override_usage = "queencount [OPTIONS] [N]\n       queencount <COMMAND> [OPTIONS]")]
pub(super) struct Arguments {
    #[command(subcommand)]
    pub command: Option<Command>,

    #[command(flatten)]
    pub contest: ContestArguments,
}

/// The arguments of the program when no command is given.
#[derive(Args, Debug)]
pub(super) struct ContestArguments {
    /// Board size, from 1 to 32
    #[arg(value_name = "N")]
    n: Option<OsString>,

    /// Arguments after N, which are rejected.
    #[arg(hide = true)]
    more: Vec<OsString>,

    #[command(flatten)]
    pub options: AllOptions,
}

impl ContestArguments {
    pub(super) fn board(&self) -> Result<Option<BoardSize>> {
        let Some(n) = &self.n else {
            return Ok(None);
        };
        // It is an error to give two boards, and the message has to show both.
        let mut words = n.clone();
        for word in &self.more {
            words.push(" ");
            words.push(word);
        }
        let words = words.to_string_lossy();
        match words.parse() {
            Ok(size) => Ok(Some(size)),
            Err(error) => Err(Error::Usage(errors::no_command(&words, error, &command()))),
        }
    }
}

pub(super) enum Parsed {
    Arguments(Box<Arguments>),
    /// Help text, or the version.
    Text(String),
}

/// Parses the arguments. The first one is the program's own name.
pub(super) fn parse(args: impl IntoIterator<Item = OsString>) -> Result<Parsed> {
    let args: Vec<OsString> = args.into_iter().collect();
    let matches = command().try_get_matches_from(&args);
    match matches.and_then(|matches| Arguments::from_arg_matches(&matches)) {
        Ok(arguments) => Ok(Parsed::Arguments(Box::new(arguments))),
        Err(error) => match error.kind() {
            ErrorKind::DisplayHelp | ErrorKind::DisplayVersion => {
                Ok(Parsed::Text(error.render().to_string()))
            }
            _ => Err(Error::Usage(errors::one_line(&error, &args, &command()))),
        },
    }
}

pub(super) fn command() -> clap::Command {
    help::explained(Arguments::command())
        .mut_args(adjusted)
        .mut_subcommands(|command| command.mut_args(adjusted))
}

/// Lets shells complete the names of files, and lets every other argument take a value that begins
/// with a minus sign, which would otherwise be reported as an unknown option.
fn adjusted(argument: Arg) -> Arg {
    match argument.get_value_hint() {
        // With this hint, unlike with the default one, bash completes names that contain spaces.
        ValueHint::AnyPath => argument.value_hint(ValueHint::FilePath),
        ValueHint::DirPath => argument,
        _ => {
            let takes_values = argument.get_action().takes_values();
            if takes_values && !argument.is_positional() {
                argument.allow_hyphen_values(true)
            } else {
                argument.allow_negative_numbers(takes_values)
            }
        }
    }
}

/// Returns words as they must be written on a command line, if they have no control characters.
pub(super) fn quoted(words: impl IntoIterator<Item = impl AsRef<OsStr>>) -> String {
    let words = words
        .into_iter()
        .map(|word| word.as_ref().to_string_lossy().into_owned());
    escape_control_chars(&shell_words::join(words))
}
