//! The output formats, and the escaping of text for terminals.

use clap::ValueEnum;

/// An output format, as selected by `--format`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(super) enum Format {
    /// Human-readable text
    #[default]
    Text,
    /// One JSON object per line; counts are strings
    Json,
    /// Comma-separated values with a header line
    Csv,
}

/// Escapes control characters. The names of files, sites and hosts may contain escape sequences,
/// line breaks, or characters that change the text direction.
pub(super) fn escape_control_chars(text: &str) -> String {
    let mut escaped = String::new();
    for c in text.chars() {
        if c.is_control()
            || matches!(c, '\u{61c}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}')
            || matches!(c, '\u{2060}'..='\u{206f}' | '\u{feff}')
        {
            escaped.extend(c.escape_default());
        } else {
            escaped.push(c);
        }
    }
    escaped
}
