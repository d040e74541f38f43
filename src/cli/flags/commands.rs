//! The arguments of each command.

mod records;

use std::path::PathBuf;
use std::time::Duration;

use crate::BoardSize;
use clap::builder::PossibleValuesParser;
use clap::{Args, Subcommand, ValueEnum, ValueHint};
use clap_complete::Shell;

use super::help::{TOPICS, names};
use super::options::{AllOptions, CountingOptions, MessageOptions, ReportOptions, ThreadOption};
use super::values::{duration, glyph, number, random_seed};
use crate::cli::input::BoardRange;
pub(crate) use records::{
    AuditArguments, MergeArguments, PlanArguments, PublishArguments, RecordArguments, RunArguments,
    StatusArguments,
};

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    Count(CountArguments),
    List(ListArguments),
    Classes(ClassesArguments),
    Checker(CheckerArguments),
    Verify(VerifyArguments),
    Plan(PlanArguments),
    Run(RunArguments),
    Merge(MergeArguments),
    Status(StatusArguments),
    Audit(AuditArguments),
    Publish(PublishArguments),
    Estimate(EstimateArguments),
    Devices(DevicesArguments),
    SelfTest(SelfTestArguments),
    Draw(DrawArguments),
    Completions(CompletionsArguments),
    Man(ManArguments),
    Help(HelpArguments),
}

/// Count the solutions of each board, and print one total per line
///
/// Without arguments, reads board sizes from stdin until a 0 or the end of the input.
#[derive(Args, Debug)]
pub(crate) struct CountArguments {
    /// Board size, from 1 to 32, or a range such as 8..=12 or 8-12
    #[arg(value_name = "N | A..=B")]
    pub boards: Vec<BoardRange>,

    /// Count a solution and all its rotations and reflections as one
    #[arg(long)]
    pub unique: bool,

    /// Print N and a space before each count, as in a b-file of the OEIS
    #[arg(short, long)]
    pub numbered: bool,

    #[command(flatten)]
    pub options: AllOptions,
}

/// Count the solutions by their symmetry
///
/// The orbit of a solution is the set of its rotations and reflections. Prints the number of
/// solutions, how many of them are unchanged by a half turn and how many by a quarter turn, and the
/// number of orbits of each size. The total number of orbits is the number of fundamental
/// solutions.
#[derive(Args, Debug)]
pub(crate) struct ClassesArguments {
    /// Board size, from 1 to 32
    pub n: BoardSize,

    /// Use T as the number of solutions instead of counting them
    ///
    /// Up to N = 27, T must be the published number.
    #[arg(long, value_name = "T", value_parser = number::<u128>(..))]
    #[arg(conflicts_with_all = ["engine", "kernel", "device", "memory"])]
    pub total: Option<u128>,

    #[command(flatten)]
    pub options: AllOptions,
}

/// Solve the USACO problem Checker Challenge
///
/// Reads N from the input file, and writes the first three solutions and the total to the output
/// file. The output file is either written completely or not at all.
#[derive(Args, Debug)]
pub(crate) struct CheckerArguments {
    /// File that contains N
    #[arg(long, value_name = "FILE", default_value = "checker.in")]
    pub input: PathBuf,

    /// File for the first three solutions and the total
    #[arg(long, value_name = "FILE", default_value = "checker.out")]
    pub output: PathBuf,

    #[command(flatten)]
    pub counting: CountingOptions,

    #[command(flatten)]
    pub messages: MessageOptions,
}

/// Estimate the number of solutions and the time to count them
///
/// Estimates the number of solutions from random samples of the backtrack engine, and the
/// thread-hours of a full count (with a GPU, device-hours) from samples of the selected engine.
/// Prints 95% confidence intervals, unless there are too few samples. If a full count would be just
/// as fast, counts the whole board instead.
///
/// For several boards, prints a table with the expected elapsed times of full counts on all
/// threads.
#[derive(Args, Debug)]
pub(crate) struct EstimateArguments {
    /// Board size, from 1 to 32, or a range such as 8..=27
    #[arg(required = true, value_name = "N | A..=B")]
    pub boards: Vec<BoardRange>,

    /// Number of samples for each estimate (at least 8), instead of a time limit
    #[arg(long, value_name = "K", conflicts_with = "time")]
    #[arg(value_parser = number(8_u64..))]
    pub sample: Option<u64>,

    /// Total sampling time for all boards, such as 90 (seconds) or 1m30s
    #[arg(long, alias = "seconds", value_name = "TIME", default_value = "60")]
    #[arg(value_parser = duration)]
    pub time: Duration,

    /// Random seed; the same seed selects the same units
    #[arg(long, value_name = "S", default_value = "1", value_parser = number::<u64>(..))]
    pub seed: u64,

    #[command(flatten)]
    pub options: AllOptions,
}

/// List the solutions in lexicographic order
///
/// By default, each solution is a line of numbers: the column of the queen in each row, counting
/// from 1.
#[derive(Args, Debug)]
pub(crate) struct ListArguments {
    /// Board size, from 1 to 32
    pub n: BoardSize,

    /// Skip the first K solutions
    ///
    /// Up to N = 26, they are counted on all threads if that is faster than generating them.
    #[arg(long, value_name = "K", value_parser = number::<u128>(..))]
    pub skip: Option<u128>,

    /// List at most K solutions
    #[arg(long, value_name = "K", value_parser = number::<u128>(..))]
    pub limit: Option<u128>,

    /// List only the lexicographically smallest solution of each orbit
    ///
    /// The orbit of a solution is the set of its rotations and reflections. All formats except
    /// ruled, listing and json-boards also show the size of the orbit. The search uses one thread.
    #[arg(long, conflicts_with = "threads")]
    pub unique: bool,

    #[command(flatten)]
    pub drawn: DrawnOptions,

    /// Output format
    #[arg(long, value_enum, default_value = "text")]
    pub format: ListFormat,

    #[command(flatten)]
    pub threads: ThreadOption,

    #[command(flatten)]
    pub messages: MessageOptions,
}

#[derive(Args, Debug)]
pub(crate) struct DrawnOptions {
    /// Number rows and columns from 0
    #[arg(long)]
    pub zero_based: bool,

    /// Symbol for a queen in drawings
    #[arg(long, value_name = "SYMBOL", value_parser = glyph, allow_hyphen_values = true)]
    pub queen: Option<String>,

    /// Symbol for an empty square in drawings
    #[arg(long, value_name = "SYMBOL", value_parser = glyph, allow_hyphen_values = true)]
    pub empty: Option<String>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum ListFormat {
    /// One solution per line
    Text,
    /// One JSON object per line
    Json,
    /// Comma-separated values with a header line
    Csv,
    /// Drawings, each preceded by a line with the solution's number and columns
    Board,
    /// Drawings with grid lines, row numbers and column numbers
    Ruled,
    /// Two lines per solution: the row numbers and the column numbers
    Table,
    /// The columns and a drawing of each solution, with Chinese captions
    Listing,
    /// One JSON array, in which each solution is an array of rows such as ".Q.."
    JsonBoards,
}

/// Draw a solution, or all fundamental solutions of a board
///
/// By default, draws the first solution in the terminal.
#[derive(Args, Debug)]
pub(crate) struct DrawArguments {
    /// Board size, from 1 to 32
    pub n: BoardSize,

    /// Draw solution number K, counting from 1 in lexicographic order
    #[arg(long, value_name = "K", conflicts_with_all = ["columns", "unique"])]
    #[arg(value_parser = number(1_u128..))]
    pub index: Option<u128>,

    /// Draw the solution with these columns, one per row, such as "2 4 1 3" or 2,4,1,3
    #[arg(
        long,
        value_name = "COLUMNS",
        conflicts_with = "unique",
        allow_hyphen_values = true
    )]
    pub columns: Option<String>,

    /// Draw all fundamental solutions on one sheet; requires --svg, and N up to 12
    ///
    /// A solution is fundamental if none of its rotations and reflections is lexicographically
    /// smaller.
    #[arg(long, conflicts_with_all = ["queen", "empty"])]
    pub unique: bool,

    #[command(flatten)]
    pub drawn: DrawnOptions,

    /// Write an SVG image to this file
    #[arg(long, value_name = "FILE", conflicts_with_all = ["queen", "empty"])]
    pub svg: Option<PathBuf>,

    #[command(flatten)]
    pub threads: ThreadOption,

    #[command(flatten)]
    pub messages: MessageOptions,
}

/// Count solutions, and compare the totals with the published values
///
/// The published values (OEIS A000170) end at N = 27. If a total differs, the exit code is 3.
#[derive(Args, Debug)]
pub(crate) struct VerifyArguments {
    /// Board size, or a range such as 8..=12 or 8-12
    #[arg(value_name = "N | A..=B", default_value = "1..=18")]
    pub boards: Vec<BoardRange>,

    #[command(flatten)]
    pub options: AllOptions,
}

/// List the GPUs and other devices that the program can use
///
/// The list includes CPUs with an OpenCL driver. As devices, they are slow, and meant only for
/// tests.
#[derive(Args, Debug)]
#[command(mut_arg("progress", |option| option.hide(true)))]
#[command(mut_arg("verbose", |option| option.hide(true)))]
pub(crate) struct DevicesArguments {
    #[command(flatten)]
    pub report: ReportOptions,
}

/// Check the program on this machine
///
/// Compares the counts of every engine, and of every kernel that this CPU supports, with published
/// values and independent recounts.
#[derive(Args, Debug)]
pub(crate) struct SelfTestArguments {
    /// Random seed; the same seed selects the same units [default: random]
    #[arg(long, value_name = "S", value_parser = number::<u64>(..))]
    #[arg(default_value_t = random_seed(), hide_default_value = true)]
    pub seed: u64,

    #[command(flatten)]
    pub threads: ThreadOption,

    /// Devices to check: cpu, gpu, gpu:0,1 or auto; the CPU is always checked
    #[arg(long, value_name = "DEVICES", default_value = "cpu")]
    pub device: Option<String>,

    #[command(flatten)]
    pub report: ReportOptions,
}

/// Print a shell completion script
#[derive(Args, Debug)]
pub(crate) struct CompletionsArguments {
    /// Your shell
    #[arg(value_name = "SHELL")]
    pub shell: Shell,
}

/// Print a man page, or write all man pages to a directory
#[derive(Args, Debug)]
pub(crate) struct ManArguments {
    /// Print the man page of this command
    #[arg(value_name = "COMMAND", value_parser = PossibleValuesParser::new(names()))]
    pub command: Option<String>,

    /// Write all man pages to this directory, creating it if necessary
    #[arg(long, value_name = "DIR", conflicts_with = "command")]
    #[arg(value_hint = ValueHint::DirPath)]
    pub to: Option<PathBuf>,
}

/// Show help for the program, a command or a topic
#[derive(Args, Debug)]
pub(crate) struct HelpArguments {
    /// A command, or one of these topics: options, examples, exit-codes
    #[arg(value_name = "TOPIC")]
    #[arg(value_parser = PossibleValuesParser::new(names().chain(TOPICS)))]
    pub topic: Option<String>,
}
