//! The format of results.

use clap::ValueEnum;

/// A format that `--format` accepts.
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
