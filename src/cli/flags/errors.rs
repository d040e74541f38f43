//! Usage errors, each formatted on one line.

use std::error::Error as _;
use std::ffi::OsString;

use crate::BoardSizeError;
use clap::Command;
use clap::builder::StyledStr;
use clap::error::{ContextKind, ContextValue, Error, ErrorFormatter, ErrorKind};

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
pub(super) fn one_line(error: Error, args: &[OsString], program: &Command) -> String {
    let mut error = error.apply::<OneLine>();
    let command = args
        .iter()
        .skip(1)
        .find_map(|word| program.find_subcommand(word));
    let option = text(&error, ContextKind::InvalidArg).unwrap_or_default();
    for (synonym, known) in SYNONYMS {
        let name = known.trim_start_matches("--").split(' ').next();
        let mut arguments = command.unwrap_or(program).get_arguments();
        if synonym == option && arguments.any(|known| known.get_long() == name) {
            error.insert(
                ContextKind::Suggested,
                ContextValue::String(known.to_owned()),
            );
        }
    }
    let hint = match command {
        Some(command) => format!("see 'queencount {} --help'", command.get_name()),
        None => "see 'queencount --help'".to_owned(),
    };
    error.insert(ContextKind::Custom, ContextValue::String(hint));
    error.render().to_string()
}

/// Describes an error on one line, which ends with the `Suggested` option or the `Custom` hint.
struct OneLine;

impl ErrorFormatter for OneLine {
    fn format_error(error: &Error<Self>) -> StyledStr {
        let context = |kind| text(error, kind);
        let argument = context(ContextKind::InvalidArg).unwrap_or_default();
        let value = context(ContextKind::InvalidValue).map(|value| format!("{value:?}"));
        let value_or = |default: &str| value.clone().unwrap_or_else(|| default.to_owned());
        let message = match error.kind() {
            ErrorKind::UnknownArgument if argument.starts_with('-') => {
                let message = format!("unknown option {argument:?}");
                // Typos rarely affect the first letters.
                let similar = context(ContextKind::SuggestedArg)
                    .filter(|similar| similar.get(..3) == argument.get(..3));
                if let Some(meant) = context(ContextKind::Suggested).or(similar) {
                    return format!("{message}; did you mean '{meant}'?").into();
                }
                message
            }
            ErrorKind::UnknownArgument => format!("unexpected argument {argument:?}"),
            ErrorKind::InvalidValue => match &value {
                Some(value) => {
                    let valid = context(ContextKind::ValidValue).unwrap_or_default();
                    format!("expected one of {valid} for '{argument}', found {value}")
                }
                None => format!("missing value for '{argument}'"),
            },
            ErrorKind::ValueValidation => {
                let value = value_or("nothing");
                let why = error.source().map(ToString::to_string).unwrap_or_default();
                match why.split_once(", found ") {
                    // The name of a positional argument would add nothing.
                    Some(_) if !argument.starts_with('-') => why,
                    Some((expected, found)) => {
                        format!("{expected} for '{argument}', found {found}")
                    }
                    None if why.starts_with("expected ") => {
                        format!("{why} for '{argument}', found {value}")
                    }
                    None => format!("invalid value {value} for '{argument}': {why}"),
                }
            }
            ErrorKind::MissingRequiredArgument => format!("missing {argument}"),
            ErrorKind::ArgumentConflict => {
                let prior = context(ContextKind::PriorArg);
                let prior = prior.as_deref().unwrap_or("other arguments");
                format!("{argument} cannot be used with {prior}")
            }
            ErrorKind::InvalidUtf8 => "arguments must be valid UTF-8".to_owned(),
            ErrorKind::TooManyValues => {
                format!("unexpected value {} for '{argument}'", value_or(""))
            }
            kind => kind.to_string(),
        };
        let hint = context(ContextKind::Custom).unwrap_or_default();
        format!("{message}; {hint}").into()
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
    let first = word.split(' ').next().unwrap_or_default();
    if program.find_subcommand(first).is_some() {
        return format!(
            "options must follow the command '{first}'; see 'queencount {first} --help'"
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
