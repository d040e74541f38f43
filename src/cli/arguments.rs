//! The arguments, as data: what can be asked for, how it is spelt, and how the help explains it.

mod errors;
mod values;

use std::ffi::{OsStr, OsString};
use std::path::PathBuf;

use clap::builder::StyledStr;
use clap::error::ErrorKind;
use clap::{Args, FromArgMatches, Parser, Subcommand, ValueEnum};
use clap_complete::Shell;
use queencount::record::{Shard, UnitSet};
use queencount::{EngineChoice, Kernel};

use super::exit::Failure;
use super::help;
use super::list::Mark;
use super::output::Format;
use super::progress::When;

use errors::one_line;
pub use values::Sample;
use values::{engine, kernel, mark, memory, number, sample, total};

/// Counts the ways to place N nonattacking queens on an N x N board
///
/// Prints the first three solutions (the column of the queen of each row, from 1) and then the number of all of them.
/// Without N, and with standard input not a terminal, N is read from there. Options stand before or after a command.
#[derive(Debug, Parser)]
#[command(name = "queencount", version, max_term_width = 100, args_override_self = true)]
#[command(override_usage = "queencount [OPTIONS] [N]\n       queencount [OPTIONS] <COMMAND>")]
#[command(after_help = "'queencount --help' shows examples and the exit codes.")]
pub struct Arguments {
    /// The number of rows of the board, 1 to 32
    #[arg(allow_negative_numbers = true, value_name = "N")]
    pub n: Option<OsString>,

    /// What follows N, to be refused with it.
    #[arg(allow_negative_numbers = true, hide = true)]
    pub more: Vec<OsString>,

    /// Keep what is counted in this file, and go on from there when it exists
    #[arg(long, value_name = "FILE")]
    pub record: Option<PathBuf>,

    /// What to do instead.
    #[command(subcommand)]
    pub command: Option<Command>,

    // The last, because the heading of these options would go on for others.
    /// Options that every command knows.
    #[command(flatten)]
    pub common: Common,
}

impl Arguments {
    /// The one board that is asked for without a command. Two are no board, and the error about it has to show them
    /// both.
    pub fn board(&self) -> Option<OsString> {
        let words: Vec<OsString> = self.n.iter().chain(&self.more).cloned().collect();
        (!words.is_empty()).then(|| words.join(OsStr::new(" ")))
    }
}

/// The options that every command knows.
#[derive(Args, Debug)]
#[command(next_help_heading = "Options of every command")]
pub struct Common {
    /// Count on so many threads; 0 stands for one for each core
    #[arg(short, long, global = true, value_name = "COUNT", default_value = "0", hide_default_value = true)]
    #[arg(value_parser = number(0..=4096), allow_negative_numbers = true)]
    pub threads: u64,

    /// Count with this engine
    #[arg(long, global = true, default_value = "auto", value_parser = engine())]
    pub engine: EngineChoice,

    /// The inner loops of the meet engine
    ///
    /// auto stands for the fastest that this processor has.
    #[arg(long, global = true, default_value = "auto", value_parser = kernel())]
    pub kernel: Kernel,

    /// About how much a thread of the meet engine may take, such as 256M
    ///
    /// Bytes, or with a suffix K, M or G. Quarter-boards that threads share come on top.
    #[arg(long, global = true, value_name = "SIZE", default_value = "256M", value_parser = memory)]
    #[arg(allow_negative_numbers = true)]
    pub memory: u64,

    /// Show progress on standard error
    #[arg(long, global = true, value_enum, value_name = "WHEN", default_value = "auto")]
    pub progress: When,

    /// The form of the result
    #[arg(long, global = true, value_enum, default_value = "text")]
    pub format: Form,

    /// Nothing on standard error but errors
    #[arg(short, long, global = true)]
    pub quiet: bool,

    /// Say on standard error how it is counted, unless --quiet
    #[arg(short, long, global = true)]
    pub verbose: bool,
}

/// What can be asked for as the form of a result.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum Form {
    /// For people
    Text,
    /// A JSON object a line; numbers of solutions are strings of digits
    Json,
    /// Comma-separated values under a header line
    Csv,
    /// Of 'list': the columns of a solution a line, which is its text, too
    Columns,
    /// Of 'list': numbered drawings
    Board,
    /// Of 'list': one JSON array of arrays of columns
    JsonColumns,
    /// Of 'list': one JSON array of arrays of rows, such as ".Q.."
    JsonBoards,
    /// Of 'list': the rows of a solution a line as chess players write them, such as 1Q2/3Q/Q3/2Q1
    Fen,
}

impl Form {
    /// The form of a result that is no list of solutions.
    pub fn format(self) -> Result<Format, Failure> {
        match self {
            Self::Text => Ok(Format::Text),
            Self::Json => Ok(Format::Json),
            Self::Csv => Ok(Format::Csv),
            Self::Columns | Self::Board | Self::JsonColumns | Self::JsonBoards | Self::Fen => {
                let found = self.to_possible_value().map(|value| value.get_name().to_owned()).unwrap_or_default();
                let expected = "expected one of text, json, csv for '--format <FORMAT>'";
                Err(Failure::Usage(format!("{expected}, found {found:?}, which is a form of 'queencount list'")))
            }
        }
    }
}

/// The commands.
#[derive(Debug, Subcommand)]
pub enum Command {
    Count(Count),
    List(List),
    Classes(Classes),
    Checker(Checker),
    Verify(Verify),
    Plan(Plan),
    Run(Run),
    Merge(Merge),
    Audit(Audit),
    Estimate(Estimate),
    SelfTest(SelfTest),
    Draw(Draw),
    Bench(Bench),
    Completions(Completions),
    Man(Man),
}

/// Count the solutions of each board, a line each
///
/// Without boards they are read from standard input, until 0 or its end; each count is written as soon as it is known.
#[derive(Args, Debug)]
pub struct Count {
    /// Boards: a number of rows, 1 to 32, or a range of them as 8..=12
    #[arg(allow_negative_numbers = true, value_name = "N | A..=B")]
    pub boards: Vec<OsString>,

    /// Count fundamental solutions: those that differ even if the board may be turned and reflected
    #[arg(long)]
    pub unique: bool,
}

/// List the solutions in lexicographic order
///
/// Each is the columns of the queens, row by row, from 1; '--format' draws boards and more.
#[derive(Args, Debug)]
pub struct List {
    /// The number of rows of the board, 1 to 32
    #[arg(allow_negative_numbers = true, value_name = "N")]
    pub n: OsString,

    /// Leave out the first K solutions: they are counted, on every thread, instead of found
    #[arg(long, value_name = "K", default_value = "0", hide_default_value = true)]
    #[arg(value_parser = number(0..=u64::MAX), allow_negative_numbers = true)]
    pub skip: u64,

    /// End after K solutions
    #[arg(long, value_name = "K", value_parser = number(0..=u64::MAX), allow_negative_numbers = true)]
    pub limit: Option<u64>,

    /// One solution of every orbit, the least, and how many solutions turns and reflections make of it
    #[arg(long)]
    pub unique: bool,

    /// What '--format board' draws a queen with
    #[arg(long, value_name = "MARK", value_parser = mark, allow_hyphen_values = true)]
    pub queen: Option<Mark>,

    /// What '--format board' draws an empty square with
    #[arg(long, value_name = "MARK", value_parser = mark, allow_hyphen_values = true)]
    pub empty: Option<Mark>,
}

/// Sort the solutions into classes of symmetry
///
/// How many there are, how many of them a half and a quarter turn leave as they are, how many are fundamental, and how
/// many orbits of each size turns and reflections make.
#[derive(Args, Debug)]
pub struct Classes {
    /// The number of rows of the board, 1 to 32
    #[arg(allow_negative_numbers = true, value_name = "N")]
    pub n: OsString,

    /// Take the number of solutions as given: the rest is quickly counted
    #[arg(long, value_name = "T", value_parser = total, allow_negative_numbers = true)]
    pub total: Option<u128>,
}

/// Read N from a file and write the contest's output to a file
///
/// The output file appears whole or not at all.
#[derive(Args, Debug)]
pub struct Checker {
    /// The file with N
    #[arg(long, value_name = "FILE", default_value = "checker.in")]
    pub input: PathBuf,

    /// The file for the first three solutions and the total
    #[arg(long, value_name = "FILE", default_value = "checker.out")]
    pub output: PathBuf,
}

/// Count, and compare with the published values (OEIS A000170, up to N = 27)
///
/// Any mismatch is exit code 3.
#[derive(Args, Debug)]
pub struct Verify {
    /// The boards: a number of rows or a range of them; the default takes seconds
    #[arg(allow_negative_numbers = true, value_name = "N | A..=B", default_value = "1..=18")]
    pub range: OsString,

    /// Check the whole program instead, as 'self-test' does
    #[arg(long, conflicts_with = "range")]
    pub full: bool,
}

/// Show the units of a count and how they are shared out
#[derive(Args, Debug)]
pub struct Plan {
    /// The number of rows of the board, 1 to 32
    #[arg(allow_negative_numbers = true, value_name = "N")]
    pub n: OsString,

    /// Show the units of so many shards, a line each
    #[arg(long, value_name = "M", value_parser = number(1..=1_000_000), allow_negative_numbers = true)]
    pub shards: Option<u64>,
}

/// Count units into a record: all of them, or one machine's part
///
/// What the record holds already is not counted again, so the same command goes on after any interruption. Prints the
/// total when the record is complete.
#[derive(Args, Debug)]
pub struct Run {
    /// The number of rows of the board, 1 to 32
    #[arg(allow_negative_numbers = true, value_name = "N")]
    pub n: OsString,

    /// The record: a line for each finished group of units
    #[arg(long, value_name = "FILE")]
    pub record: PathBuf,

    /// Count only part K of M parts of about equal work, K from 1
    #[arg(long, value_name = "K/M", conflicts_with = "units")]
    pub shard: Option<Shard>,

    /// Count only these units, such as 3,17,40-44 or 0..100
    #[arg(long, value_name = "SET")]
    pub units: Option<UnitSet>,
}

/// Add up records, in any order, each unit once
///
/// Prints the total when no unit is missing; otherwise the exit code is 4. Records that contradict each other have no
/// total, and the exit code is 3.
#[derive(Args, Debug)]
pub struct Merge {
    /// The records
    #[arg(required = true, value_name = "FILE")]
    pub records: Vec<PathBuf>,

    /// Print the missing units instead, in the form that 'run --units' takes
    #[arg(long)]
    pub missing: bool,

    /// Print which of M shards lack units instead, such as 3,17,40-44: the form that job arrays take
    #[arg(long, value_name = "M", conflicts_with = "missing", value_parser = number(1..=1_000_000))]
    #[arg(allow_negative_numbers = true)]
    pub shards: Option<u64>,
}

/// Count some entries of records again, by an independent method
///
/// An entry is a line of a record: a group of units and their count. To convict it takes all of its units, so all are
/// counted again, by plain backtracking.
#[derive(Args, Debug)]
pub struct Audit {
    /// The records
    #[arg(required = true, value_name = "FILE")]
    pub records: Vec<PathBuf>,

    /// The number of entries to draw, or the share of all of them, such as 0.1%
    #[arg(long, value_name = "K | P%", default_value = "30", value_parser = sample, allow_negative_numbers = true)]
    pub sample: Sample,

    /// Draw the same entries as another audit with this seed
    #[arg(long, value_name = "S", value_parser = number(0..=u64::MAX), allow_negative_numbers = true)]
    pub seed: Option<u64>,
}

/// Estimate a count and its time from a random sample of units
#[derive(Args, Debug)]
pub struct Estimate {
    /// The number of rows of the board, 1 to 32
    #[arg(allow_negative_numbers = true, value_name = "N")]
    pub n: OsString,

    /// Make so many draws, at least 8, however long it takes
    #[arg(long, value_name = "K", conflicts_with = "seconds", value_parser = number(8..=u64::MAX), allow_negative_numbers = true)]
    pub sample: Option<u64>,

    /// Begin draws for so many seconds
    #[arg(long, value_name = "T", default_value = "60", value_parser = number(1..=86_400), allow_negative_numbers = true)]
    pub seconds: u64,

    /// What the draws are made from
    #[arg(long, value_name = "S", default_value = "1", value_parser = number(0..=u64::MAX), allow_negative_numbers = true)]
    pub seed: u64,
}

/// Check the program on this machine, in less than a minute
///
/// Both engines and every kernel that this processor has, against published values, listed solutions, each other and
/// recounts by other means; symmetry; records that are cut, damaged and forged. Whatever is wrong is named, and the
/// exit code is 3.
#[derive(Args, Debug)]
pub struct SelfTest {
    /// Draw the same units as another self-test with this seed
    #[arg(long, value_name = "S", value_parser = number(0..=u64::MAX), allow_negative_numbers = true)]
    pub seed: Option<u64>,
}

/// Draw a solution, or all that are not the same up to symmetry
///
/// In the terminal, or with --svg as a picture in a file. Without options it is the first solution.
#[derive(Args, Debug)]
pub struct Draw {
    /// The number of rows of the board, 1 to 32
    #[arg(allow_negative_numbers = true, value_name = "N")]
    pub n: OsString,

    /// Draw the solution with this number in lexicographic order, from 1
    #[arg(long, value_name = "K", value_parser = number(1..=u64::MAX), allow_negative_numbers = true)]
    #[arg(conflicts_with_all = ["columns", "unique"])]
    pub index: Option<u64>,

    /// Draw this solution: the columns of its queens, row by row, from 1
    #[arg(long, value_name = "COLUMNS", conflicts_with = "unique", allow_hyphen_values = true)]
    pub columns: Option<String>,

    /// Draw one solution of every orbit, N up to 12
    #[arg(long)]
    pub unique: bool,

    /// Draw the lines along which the queen of this row attacks
    #[arg(long, value_name = "ROW", value_parser = number(1..=32), conflicts_with = "unique")]
    #[arg(allow_negative_numbers = true)]
    pub attacks: Option<u64>,

    /// Draw into this file, as SVG
    #[arg(long, value_name = "FILE")]
    pub svg: Option<PathBuf>,
}

/// Measure this machine, or two ways to count against each other
///
/// Counts boards of growing size, projects the times of larger ones from samples of their units, and extrapolates where
/// there is no time for a sample. With an --against option two ways to count take turns on one board instead: that of
/// the other options, and the same but for what the --against options say.
#[derive(Args, Debug)]
pub struct Bench {
    /// The largest board of the table, 27 by default; or the board to compare on, chosen by default
    #[arg(allow_negative_numbers = true, value_name = "N")]
    pub n: Option<OsString>,

    /// About how long it may take
    #[arg(long, value_name = "T", default_value = "50", value_parser = number(1..=86_400), allow_negative_numbers = true)]
    pub seconds: u64,

    /// Draw the table into this file, as an SVG chart
    #[arg(long, value_name = "FILE")]
    #[arg(conflicts_with_all = ["against_engine", "against_kernel", "against_threads"])]
    pub svg: Option<PathBuf>,

    /// Compare with this engine
    #[arg(long, value_name = "ENGINE", value_parser = engine())]
    pub against_engine: Option<EngineChoice>,

    /// Compare with this kernel
    #[arg(long, value_name = "KERNEL", value_parser = kernel())]
    pub against_kernel: Option<Kernel>,

    /// Compare with so many threads
    #[arg(long, value_name = "COUNT", value_parser = number(0..=4096), allow_negative_numbers = true)]
    pub against_threads: Option<u64>,
}

impl Bench {
    /// Whether two ways to count are to be compared.
    pub fn compares(&self) -> bool {
        self.against_engine.is_some() || self.against_kernel.is_some() || self.against_threads.is_some()
    }
}

/// Print what a shell needs to complete commands and options
#[derive(Args, Debug)]
pub struct Completions {
    /// The shell
    #[arg(value_name = "SHELL")]
    pub shell: Shell,
}

/// Print the manual page of the program, or write those of all commands
#[derive(Args, Debug)]
pub struct Man {
    /// Write a page for the program and one for each command into this folder
    #[arg(value_name = "DIR")]
    pub folder: Option<PathBuf>,
}

/// What the arguments ask for.
pub enum Parsed {
    /// A run.
    Arguments(Arguments),
    /// A text: the help or the version.
    Text(StyledStr),
}

/// Parses the arguments of the program, the first of which is its own name.
pub fn parse(arguments: impl IntoIterator<Item = OsString>) -> Result<Parsed, Failure> {
    let matches = help::command().try_get_matches_from(arguments);
    match matches.and_then(|matches| Arguments::from_arg_matches(&matches)) {
        Ok(parsed) => match (parsed.board(), &parsed.command) {
            (Some(board), Some(_)) => {
                let found = format!("found both, {board:?} first");
                Err(Failure::Usage(format!("expected a board size or a command, {found}; see 'queencount --help'")))
            }
            _ => Ok(Parsed::Arguments(parsed)),
        },
        Err(error) if matches!(error.kind(), ErrorKind::DisplayHelp | ErrorKind::DisplayVersion) => {
            Ok(Parsed::Text(error.render()))
        }
        Err(error) => Err(Failure::Usage(one_line(&error))),
    }
}
