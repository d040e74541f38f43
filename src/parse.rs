//! Parsing, and the error for what cannot be parsed.

use std::str::FromStr;

/// The error for a number or text that is not what it should be.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("expected {expected}, found {found}", found = abbreviate(.found))]
pub struct ParseError {
    expected: String,
    found: String,
}

impl ParseError {
    pub(crate) fn new(expected: impl Into<String>, found: impl Into<String>) -> Self {
        Self {
            expected: expected.into(),
            found: found.into(),
        }
    }
}

/// Parses a number that consists only of digits. (The standard library also accepts a plus sign.)
pub(crate) fn parse_digits<T: FromStr>(text: &str) -> Option<T> {
    if text.bytes().all(|byte| byte.is_ascii_digit()) {
        text.parse().ok()
    } else {
        None
    }
}

/// Formats text on one line, abbreviated if it is long.
pub(crate) fn abbreviate(text: &str) -> String {
    const SHOWN: usize = 40;
    if text.is_empty() {
        return "nothing".to_owned();
    }
    match text.chars().count() {
        0..=SHOWN => format!("{text:?}"),
        _ => format!("{:?}...", text.chars().take(SHOWN).collect::<String>()),
    }
}
