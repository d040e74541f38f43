//! What the commands take that show solutions.

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use queencount::BoardSize;

use super::super::options::{SayOptions, ThreadOption};
use super::super::values::{glyph, number, solutions};
use super::only_with;

/// List the solutions in lexicographic order
///
/// A solution is a line: the column of the queen in each row, counted from 1. '--format' gives other forms.
#[derive(Args, Debug)]
#[command(group = only_with("skip", &["threads", "progress"]))]
pub struct ListArguments {
    /// The number of rows of the board, 1 to 32
    pub n: BoardSize,

    /// Leave out the first K solutions; up to N = 26 they are counted, on all threads
    #[arg(long, value_name = "K", value_parser = solutions(0))]
    pub skip: Option<u128>,

    /// List at most K solutions
    #[arg(long, value_name = "K", value_parser = solutions(0))]
    pub limit: Option<u128>,

    /// List fundamental solutions: the least solution of each orbit, and, where the form has a place for it, the size of
    /// the orbit
    ///
    /// The orbit of a solution is all solutions that turns and reflections make of it. One thread searches for them.
    #[arg(long, conflicts_with = "threads")]
    pub unique: bool,

    #[command(flatten)]
    pub drawn: DrawnOptions,

    /// The form of the solutions
    #[arg(long, value_enum, default_value = "text")]
    pub format: ListForm,

    #[command(flatten)]
    pub threads: ThreadOption,

    #[command(flatten)]
    pub say: SayOptions,
}

/// How a board is drawn as text.
#[derive(Args, Debug)]
pub struct DrawnOptions {
    /// Count rows and columns from 0
    #[arg(long)]
    pub zero_based: bool,

    /// What a drawn board shows for a queen
    #[arg(long, value_name = "GLYPH", value_parser = glyph, allow_hyphen_values = true)]
    pub queen: Option<String>,

    /// What a drawn board shows for an empty square
    #[arg(long, value_name = "GLYPH", value_parser = glyph, allow_hyphen_values = true)]
    pub empty: Option<String>,
}

/// The form of a list of solutions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum ListForm {
    /// For people
    Text,
    /// One JSON object a line
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

/// Draw a solution, or all fundamental solutions of a board
///
/// The drawing is text in the terminal, or with --svg a picture in a file. Without other options the first solution is
/// drawn.
#[derive(Args, Debug)]
#[command(group = only_with("index", &["threads", "progress"]))]
pub struct DrawArguments {
    /// The number of rows of the board, 1 to 32
    pub n: BoardSize,

    /// Draw solution number K in lexicographic order; K begins at 1
    #[arg(long, value_name = "K", value_parser = solutions(1))]
    #[arg(conflicts_with_all = ["columns", "unique"])]
    pub index: Option<u128>,

    /// Draw the solution with these columns, one for each row, such as "2 4 1 3" or 2,4,1,3
    #[arg(long, value_name = "COLUMNS", conflicts_with = "unique", allow_hyphen_values = true)]
    pub columns: Option<String>,

    /// Draw all fundamental solutions on one sheet; N is at most 12
    #[arg(long)]
    pub unique: bool,

    /// Draw the lines along which the queen of this row attacks
    #[arg(long, value_name = "ROW", value_parser = number(0..=32), conflicts_with = "unique")]
    pub attacks: Option<u64>,

    #[command(flatten)]
    pub drawn: DrawnOptions,

    /// Draw into this file, as SVG
    #[arg(long, value_name = "FILE", conflicts_with_all = ["queen", "empty"])]
    pub svg: Option<PathBuf>,

    #[command(flatten)]
    pub threads: ThreadOption,

    #[command(flatten)]
    pub say: SayOptions,
}
