//! What is wrong with arguments, in the words of this program.

use std::error::Error;

use clap::Command;
use clap::error::{ContextKind, ContextValue, ErrorKind};

/// What the `program` expected and what it found, in one line.
pub fn one_line(error: &clap::Error, program: &Command) -> String {
    let context = |kind| match error.get(kind) {
        Some(ContextValue::String(text)) if !text.is_empty() => Some(text.clone()),
        Some(ContextValue::Strings(texts)) if !texts.is_empty() => Some(texts.join(", ")),
        _ => None,
    };
    let argument = context(ContextKind::InvalidArg).unwrap_or_default();
    let value = context(ContextKind::InvalidValue).map_or_else(|| "no value".to_owned(), |value| format!("{value:?}"));
    let message = match error.kind() {
        ErrorKind::UnknownArgument if argument.starts_with('-') => match belongs_elsewhere(&argument, program) {
            Some(message) => return message,
            None => format!("expected a known option, found {argument:?}"),
        },
        ErrorKind::UnknownArgument => format!("expected no further argument, found {argument:?}"),
        ErrorKind::InvalidValue => match context(ContextKind::ValidValue) {
            Some(valid) => format!("expected one of {valid} for '{argument}', found {value}"),
            None => format!("expected a value for '{argument}', found {value}"),
        },
        ErrorKind::ValueValidation => match error.source().map(ToString::to_string) {
            Some(why) => match why.split_once(", found ") {
                // The name of a positional argument says no more than the reason.
                Some(_) if !argument.starts_with('-') => why,
                Some((expected, found)) => format!("{expected} for '{argument}', found {found}"),
                None if why.starts_with("expected ") => format!("{why} for '{argument}', found {value}"),
                None => format!("expected another value for '{argument}', found {value}: {why}"),
            },
            None => format!("expected a value for '{argument}', found {value}"),
        },
        ErrorKind::MissingRequiredArgument => format!("expected {argument}, found nothing after the command"),
        ErrorKind::ArgumentConflict => match context(ContextKind::PriorArg) {
            Some(prior) => format!("expected {argument} or {prior}, found both"),
            None => format!("expected {argument} alone, found more"),
        },
        ErrorKind::InvalidUtf8 => "expected arguments in UTF-8, found other bytes".to_owned(),
        ErrorKind::TooManyValues => format!("expected no value for '{argument}', found {value}"),
        unforeseen => format!("expected other arguments: {unforeseen}"),
    };
    match context(ContextKind::SuggestedArg).or_else(|| context(ContextKind::SuggestedValue)) {
        Some(similar) => format!("{message}; did you mean '{similar}'?"),
        None => format!("{message}; see 'queencount --help'"),
    }
}

/// What is said of an option where it is unknown, if a command of the `program` has such an option.
fn belongs_elsewhere(option: &str, program: &Command) -> Option<String> {
    let name = option.strip_prefix("--")?;
    let knows = |command: &Command| {
        command.get_arguments().any(|known| known.get_long() == Some(name) && !known.is_global_set())
    };
    let commands = program.get_subcommands().filter(|command| knows(command));
    let mut owners: Vec<String> = commands.map(|command| format!("'{}'", command.get_name())).collect();
    let last = owners.pop()?;
    let owners = if owners.is_empty() { last } else { format!("{} and {last}", owners.join(", ")) };
    Some(format!("expected a known option, found {option:?}, which belongs to {owners}; see 'queencount --help'"))
}
