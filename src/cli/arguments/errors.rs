//! What is wrong with arguments, in the words of this program.

use std::error::Error;
use std::ffi::OsString;

use clap::Command;
use clap::error::{ContextKind, ContextValue, ErrorKind};

/// Words that other programs have for options of this one.
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

/// What the `program` expected and what it found in these `words`, in one line.
pub fn one_line(error: &clap::Error, words: &[OsString], program: &Command) -> String {
    let command = words
        .iter()
        .skip(1)
        .find_map(|word| program.find_subcommand(word))
        .unwrap_or(program);
    let name = if command.get_name() == program.get_name() {
        ""
    } else {
        command.get_name()
    };
    let help = format!("queencount {name} --help").replace("  ", " ");
    let context = |kind| match error.get(kind) {
        Some(ContextValue::String(text)) if !text.is_empty() => Some(text.clone()),
        Some(ContextValue::Strings(texts)) if !texts.is_empty() => Some(texts.join(", ")),
        _ => None,
    };
    let argument = context(ContextKind::InvalidArg).unwrap_or_default();
    let value = context(ContextKind::InvalidValue)
        .map_or_else(|| "no value".to_owned(), |value| format!("{value:?}"));
    let message = match error.kind() {
        ErrorKind::UnknownArgument if argument.starts_with('-') => {
            let known = format!("expected a known option, found {argument:?}");
            match meant(&argument, error, command) {
                Some(meant) => return format!("{known}; did you mean '{meant}'?"),
                None => known,
            }
        }
        ErrorKind::UnknownArgument => format!("expected no further argument, found {argument:?}"),
        ErrorKind::InvalidValue => match context(ContextKind::ValidValue) {
            Some(valid) => format!("expected one of {valid} for '{argument}', found {value}"),
            None => format!("expected a value for '{argument}', found {value}"),
        },
        ErrorKind::ValueValidation => {
            let why = error.source().map(ToString::to_string).unwrap_or_default();
            match why.split_once(", found ") {
                // The name of a positional argument says no more than the reason.
                Some(_) if !argument.starts_with('-') => why,
                Some((expected, found)) => format!("{expected} for '{argument}', found {found}"),
                None if why.starts_with("expected ") => {
                    format!("{why} for '{argument}', found {value}")
                }
                None => format!("expected another value for '{argument}', found {value}: {why}"),
            }
        }
        ErrorKind::MissingRequiredArgument => format!("expected {argument}, found none"),
        ErrorKind::ArgumentConflict => match context(ContextKind::PriorArg) {
            Some(prior) => format!("expected {argument} or {prior}, found both"),
            None => format!("expected {argument} alone, found more"),
        },
        ErrorKind::InvalidUtf8 => "expected arguments in UTF-8, found other bytes".to_owned(),
        ErrorKind::TooManyValues => format!("expected no value for '{argument}', found {value}"),
        unforeseen => format!("expected other arguments: {unforeseen}"),
    };
    format!("{message}; see '{help}'")
}

/// The option of a command that somebody may have meant who typed another one.
fn meant(option: &str, error: &clap::Error, command: &Command) -> Option<String> {
    let knows = |known: &str| {
        let name = known.trim_start_matches("--").split(' ').next();
        command
            .get_arguments()
            .any(|argument| argument.get_long() == name)
    };
    if let Some((_, known)) = SYNONYMS
        .iter()
        .find(|(word, known)| *word == option && knows(known))
    {
        return Some((*known).to_owned());
    }
    let Some(ContextValue::String(similar)) = error.get(ContextKind::SuggestedArg) else {
        return None;
    };
    // Typing errors are rarely in the first letters.
    (similar.get(..3) == option.get(..3)).then(|| similar.clone())
}

/// What is said of a word that is neither a board nor a command: `error` says why it is no board.
pub fn no_command(word: &str, error: &str, program: &Command) -> String {
    let first = word.split(' ').next().unwrap_or_default();
    if program.find_subcommand(first).is_some() {
        return format!(
            "expected options after the command '{first}', found some before it; see 'queencount {first} --help'"
        );
    }
    // With commands alone, clap suggests the most similar ones.
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
        // The most similar one is the last.
        Some(ContextValue::Strings(names)) if !names.is_empty() => {
            format!(
                "{error}; did you mean 'queencount {}'?",
                names[names.len() - 1]
            )
        }
        _ => format!("{error}; 'queencount --help' shows the commands"),
    }
}
