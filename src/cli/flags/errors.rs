//! Usage errors, each formatted on one line.

use std::error::Error as _;
use std::ffi::OsString;

use crate::BoardSizeError;
use crate::cli::format::escape_control_chars;
use crate::cli::input::BoardRange;
use clap::Command;
use clap::builder::StyledStr;
use clap::error::{ContextKind, ContextValue, Error, ErrorFormatter, ErrorKind};

use super::help::TOPICS;

/// Returns a one-line description of the error in these arguments, with a hint.
pub(super) fn one_line(error: Error, args: &[OsString], program: &Command) -> String {
    let mut error = error.apply::<OneLine>();
    let command = args
        .iter()
        .skip(1)
        .find_map(|word| program.find_subcommand(word));
    let hint = match command {
        Some(command) => format!("see 'queencount {} --help'", command.get_name()),
        None => "see 'queencount help options'".to_owned(),
    };
    error.insert(ContextKind::Custom, ContextValue::String(hint));
    error.render().to_string()
}

/// Describes an error on one line, which ends with a similar option or the `Custom` hint.
struct OneLine;

impl ErrorFormatter for OneLine {
    fn format_error(error: &Error<Self>) -> StyledStr {
        let context = |kind| text(error, kind).unwrap_or_default();
        let argument = context(ContextKind::InvalidArg);
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
                    return format!("{message}; did you mean '{meant}'?").into();
                }
                message
            }
            ErrorKind::UnknownArgument => {
                format!("expected no further argument, found {argument:?}")
            }
            ErrorKind::InvalidValue => match text(error, ContextKind::ValidValue) {
                // The names of all commands would hide the rest of the message.
                Some(_) if argument == "[COMMAND]" => format!("expected a command, found {found}"),
                Some(_) if argument == "[TOPIC]" => {
                    let topics = TOPICS.join(", ");
                    format!("expected a command or a topic ({topics}), found {found}")
                }
                Some(values) => at(
                    &argument,
                    &format!("expected one of {values}, found {found}"),
                ),
                None => format!("expected a value for '{argument}', found nothing"),
            },
            ErrorKind::ValueValidation => match error.source() {
                Some(why) => at(&argument, &why.to_string()),
                None => at(&argument, &format!("unexpected value {found}")),
            },
            ErrorKind::MissingRequiredArgument if argument.contains(", ") => {
                format!("missing arguments {argument}")
            }
            ErrorKind::MissingRequiredArgument if argument.starts_with('-') => {
                format!("missing option {argument}")
            }
            ErrorKind::MissingRequiredArgument => format!("missing argument {argument}"),
            ErrorKind::ArgumentConflict => match text(error, ContextKind::PriorArg) {
                Some(prior) => format!("{argument} cannot be used with {prior}"),
                None => format!("{argument} cannot be used with other arguments"),
            },
            ErrorKind::InvalidUtf8 => "expected arguments in UTF-8, found other bytes".to_owned(),
            ErrorKind::TooManyValues => at(&argument, &format!("expected no value, found {found}")),
            kind => kind.to_string(),
        };
        format!("{message}; {}", context(ContextKind::Custom)).into()
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
fn text(error: &Error<OneLine>, kind: ContextKind) -> Option<String> {
    match error.get(kind)? {
        ContextValue::String(text) => Some(text.clone()),
        ContextValue::Strings(texts) => Some(texts.join(", ")),
        _ => None,
    }
    .filter(|text| !text.is_empty())
}

/// Returns the error for a word that is neither a board nor a command.
pub(super) fn no_command(word: &str, error: BoardSizeError, program: &Command) -> String {
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
    if let Some(error) = boards
        .iter()
        .filter(|board| board.starts_with(|first: char| first.is_ascii_digit()))
        .filter(|board| board.contains(['-', '.']))
        .find_map(|board| board.parse::<BoardRange>().err())
    {
        return format!("{error}; 'queencount count' counts several boards");
    }
    let is_command = |word: &&str| program.find_subcommand(word).is_some();
    if let Some(command) = boards.iter().copied().find(is_command) {
        let others = boards.iter().filter(|word| **word != command);
        let words = std::iter::once(&command).chain(others);
        return format!(
            "'{command}' must be the first argument, as in 'queencount {}'",
            escape_control_chars(&words.copied().collect::<Vec<_>>().join(" "))
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
    {
        return format!("{error}; did you mean 'queencount {name}'?");
    }
    format!("{error}; 'queencount --help' lists the commands")
}
