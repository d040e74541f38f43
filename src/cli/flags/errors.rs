//! Usage errors, each formatted on one line.

use std::error::Error as _;
use std::ffi::OsString;

use crate::ParseError;
use crate::cli::input::BoardRange;
use clap::Command;
use clap::error::{ContextKind, ContextValue, Error, ErrorKind};

/// Returns a one-line description of the error in these arguments, which ends with a similar option
/// or a hint.
pub(super) fn one_line(error: &Error, args: &[OsString], program: &Command) -> String {
    let argument = text(error, ContextKind::InvalidArg).unwrap_or_default();
    let found = match text(error, ContextKind::InvalidValue) {
        Some(value) => format!("{value:?}"),
        None => "nothing".to_owned(),
    };
    let message = match error.kind() {
        ErrorKind::UnknownArgument if argument.starts_with('-') => {
            let message = format!("unknown option {argument:?}");
            // Typos rarely affect the first letters, and --version is none.
            let similar = text(error, ContextKind::SuggestedArg)
                .filter(|similar| similar.get(..3) == argument.get(..3))
                .filter(|_| argument != "--version");
            if let Some(meant) = similar {
                return format!("{message}; did you mean '{meant}'?");
            }
            message
        }
        ErrorKind::UnknownArgument => {
            format!("expected no further argument, found {argument:?}")
        }
        ErrorKind::InvalidValue => match text(error, ContextKind::ValidValue) {
            Some(values) => at(
                &argument,
                &format!("expected one of {values}, found {found}"),
            ),
            None => format!("expected a value for '{argument}', found nothing"),
        },
        ErrorKind::ValueValidation => {
            let why = error.source().map(ToString::to_string);
            at(&argument, &why.unwrap_or_default())
        }
        ErrorKind::MissingRequiredArgument if argument.contains(", ") => {
            format!("missing arguments {argument}")
        }
        ErrorKind::MissingRequiredArgument => format!("missing argument {argument}"),
        ErrorKind::ArgumentConflict => {
            let prior =
                text(error, ContextKind::PriorArg).unwrap_or_else(|| "other arguments".to_owned());
            let argument = argument.replace("[COMMAND]", "a command");
            format!("{argument} cannot be used with {prior}")
        }
        ErrorKind::InvalidUtf8 => {
            let other = args.iter().find(|word| word.to_str().is_none());
            format!(
                "expected arguments in UTF-8, found {:?}",
                other.unwrap_or(&args[0])
            )
        }
        ErrorKind::TooManyValues => at(&argument, &format!("expected no value, found {found}")),
        kind => kind.to_string(),
    };
    let command = args
        .iter()
        .skip(1)
        .find_map(|word| program.find_subcommand(word));
    match command {
        Some(command) => format!("{message}; see 'queencount {} --help'", command.get_name()),
        None => format!("{message}; see 'queencount help options'"),
    }
}

/// Puts an option in front of what is wrong with its value. The name of a positional argument would
/// add nothing.
fn at(argument: &str, why: &str) -> String {
    match argument.split([' ', '=']).next() {
        Some(option) if option.starts_with('-') => format!("{option}: {why}"),
        _ => why.to_owned(),
    }
}

/// Returns this part of an error's context as text, unless it is empty.
fn text(error: &Error, kind: ContextKind) -> Option<String> {
    match error.get(kind)? {
        ContextValue::String(text) => Some(text.clone()),
        ContextValue::Strings(texts) => Some(texts.join(", ")),
        _ => None,
    }
    .filter(|text| !text.is_empty())
}

/// Returns the error for a word that is neither a board nor a command.
pub(super) fn no_command(word: &str, error: ParseError, program: &Command) -> String {
    let boards: Vec<&str> = word
        .split([' ', ','])
        .filter(|board| !board.is_empty())
        .collect();
    let first = boards.first().copied().unwrap_or(word);
    if !boards.is_empty()
        && boards
            .iter()
            .all(|board| board.parse::<BoardRange>().is_ok())
    {
        return format!(
            "{error}; 'queencount count {}' counts several boards",
            boards.join(" ")
        );
    }
    // A parser that accepts only commands suggests those that resemble the word, the most similar
    // one last.
    let refused = Command::new("queencount")
        .disable_help_subcommand(true)
        .subcommand_required(true)
        .subcommands(program.get_subcommands().cloned())
        .try_get_matches_from(["queencount", first]);
    if let Err(refused) = refused
        && let Some(ContextValue::Strings(names)) = refused.get(ContextKind::SuggestedSubcommand)
        && let [.., name] = &names[..]
        && name.get(..1) == first.get(..1)
    {
        return format!("{error}; did you mean 'queencount {name}'?");
    }
    format!("{error}; 'queencount --help' lists the commands")
}
