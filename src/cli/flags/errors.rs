//! Usage errors, each described on one line.

use std::error::Error;
use std::ffi::OsString;

use crate::BoardSizeError;
use clap::Command;
use clap::error::{ContextKind, ContextValue, ErrorKind};

/// Option names of other programs, and the equivalent options of this program.
const SYNONYMS: [(&str, &str); 8] = [
    ("--head", "--limit"),
    ("--first", "--limit"),
    ("--max", "--limit"),
    ("--offset", "--skip"),
    ("--jobs", "--threads"),
    ("--json", "--format json"),
    ("--csv", "--format csv"),
    ("--silent", "--quiet"),
];

/// Returns a one-line description of the error in these arguments, with a hint.
pub(super) fn one_line(error: &clap::Error, args: &[OsString], program: &Command) -> String {
    let command = args
        .iter()
        .skip(1)
        .find_map(|word| program.find_subcommand(word));
    let context = |kind| match error.get(kind) {
        Some(ContextValue::String(text)) if !text.is_empty() => Some(text.clone()),
        Some(ContextValue::Strings(texts)) if !texts.is_empty() => Some(texts.join(", ")),
        _ => None,
    };
    let argument = context(ContextKind::InvalidArg).unwrap_or_default();
    let value = context(ContextKind::InvalidValue).map(|value| format!("{value:?}"));
    let message = match (error.kind(), value) {
        (ErrorKind::UnknownArgument, _) if argument.starts_with('-') => {
            let message = format!("unknown option {argument:?}");
            match meant(&argument, error, command.unwrap_or(program)) {
                Some(meant) => return format!("{message}; did you mean '{meant}'?"),
                None => message,
            }
        }
        (ErrorKind::UnknownArgument, _) => format!("unexpected argument {argument:?}"),
        (ErrorKind::InvalidValue, None) => {
            format!("missing value for '{argument}'")
        }
        (ErrorKind::InvalidValue, Some(value)) => {
            let valid = context(ContextKind::ValidValue).unwrap_or_default();
            format!("expected one of {valid} for '{argument}', found {value}")
        }
        (ErrorKind::ValueValidation, value) => {
            let value = value.unwrap_or_else(|| "nothing".to_owned());
            let why = error.source().map(ToString::to_string).unwrap_or_default();
            match why.split_once(", found ") {
                // Do not name a positional argument, because the name would add nothing to the
                // message.
                Some(_) if !argument.starts_with('-') => why,
                Some((expected, found)) => format!("{expected} for '{argument}', found {found}"),
                None if why.starts_with("expected ") => {
                    format!("{why} for '{argument}', found {value}")
                }
                None => format!("invalid value {value} for '{argument}': {why}"),
            }
        }
        (ErrorKind::MissingRequiredArgument, _) => format!("missing {argument}"),
        (ErrorKind::ArgumentConflict, _) => match context(ContextKind::PriorArg) {
            Some(prior) => format!("{argument} cannot be used with {prior}"),
            None => format!("{argument} cannot be used with other arguments"),
        },
        (ErrorKind::InvalidUtf8, _) => "arguments must be valid UTF-8".to_owned(),
        (ErrorKind::TooManyValues, value) => {
            format!(
                "unexpected value {} for '{argument}'",
                value.unwrap_or_default()
            )
        }
        (kind, _) => kind.to_string(),
    };
    match command {
        Some(command) => format!("{message}; see 'queencount {} --help'", command.get_name()),
        None => format!("{message}; see 'queencount --help'"),
    }
}

/// Returns the option of `command` that the user probably meant by `option`.
fn meant(option: &str, error: &clap::Error, command: &Command) -> Option<String> {
    for (synonym, known) in SYNONYMS {
        let name = known.trim_start_matches("--").split(' ').next();
        if synonym == option
            && command
                .get_arguments()
                .any(|known| known.get_long() == name)
        {
            return Some(known.to_owned());
        }
    }
    match error.get(ContextKind::SuggestedArg) {
        // Typos rarely affect the first letters.
        Some(ContextValue::String(similar)) if similar.get(..3) == option.get(..3) => {
            Some(similar.clone())
        }
        _ => None,
    }
}

/// Returns the error for a word that is neither a board nor a command.
pub(super) fn no_command(word: &str, error: BoardSizeError, program: &Command) -> String {
    let first = word.split(' ').next().unwrap_or_default();
    if program.find_subcommand(first).is_some() {
        return format!(
            "options must follow the command '{first}'; see 'queencount {first} --help'"
        );
    }
    // Use a parser that accepts only commands, so that clap suggests the most similar ones.
    let commands = program.get_subcommands().cloned();
    let parser = Command::new("queencount")
        .disable_help_subcommand(true)
        .subcommand_required(true)
        .subcommands(commands);
    let refused = parser.try_get_matches_from(["queencount", first]).err();
    match refused
        .as_ref()
        .and_then(|refused| refused.get(ContextKind::SuggestedSubcommand))
    {
        // The last one is the most similar.
        Some(ContextValue::Strings(names)) if !names.is_empty() => {
            format!(
                "{error}; did you mean 'queencount {}'?",
                names[names.len() - 1]
            )
        }
        _ => format!("{error}; 'queencount --help' lists the commands"),
    }
}
