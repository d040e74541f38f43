//! The forms of a result: the three that every command has, and those that only a list of solutions has.

use clap::ValueEnum;

use super::exit::Exit;

/// The form of a result: what `--format` can ask for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Form {
    /// For people
    Text,
    /// One JSON object a line; numbers of solutions are strings of digits
    Json,
    /// Comma-separated values below a header line
    Csv,
    /// Numbered drawings
    Board,
    /// Ruled drawings, with the numbers of rows and columns
    Ruled,
    /// A line with the rows above a line with the columns
    Table,
    /// Numbered columns and drawings, introduced in Chinese
    Listing,
    /// One JSON array with an array of columns for each solution
    JsonColumns,
    /// One JSON array with an array of rows, such as ".Q..", for each solution
    JsonBoards,
    /// One solution a line in the notation of chess, such as 1Q2/3Q/Q3/2Q1
    Fen,
}

impl Form {
    /// Those that every command with fields has.
    pub const OF_FIELDS: [Self; 3] = [Self::Text, Self::Json, Self::Csv];

    /// The form, of a result that is not a list of solutions.
    ///
    /// # Errors
    /// When only a list of solutions has the form.
    pub fn of_fields(self) -> Result<Self, Exit> {
        if Self::OF_FIELDS.contains(&self) {
            return Ok(self);
        }
        let found = self.to_possible_value().map(|value| value.get_name().to_owned()).unwrap_or_default();
        let expected = "expected one of text, json, csv for '--format <FORMAT>'";
        Err(Exit::Usage(format!("{expected}, found {found:?}, which is a form of 'queencount list'")))
    }
}
