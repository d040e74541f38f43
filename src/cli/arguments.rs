//! The arguments, as data: what can be asked for, how it is spelt, and how the help explains it.

use std::error::Error;
use std::ffi::{OsStr, OsString};
use std::path::PathBuf;

use clap::builder::{PossibleValue, PossibleValuesParser, StyledStr, TypedValueParser};
use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{Args, Parser, Subcommand};
use queencount::record::{Shard, UnitSet};
use queencount::{EngineChoice, Kernel};

use super::exit::{EXIT_CODES, Failure};
use super::output::Format;
use super::progress::When;

/// Counts the ways to place N nonattacking queens on an N x N board
///
/// Prints the first three solutions (the column of the queen of each row, from 1) and then the number of all of them.
/// Without N, and with standard input not a terminal, N is read from there. Options stand before or after a command.
#[derive(Debug, Parser)]
#[command(name = "queencount", version, max_term_width = 100, args_override_self = true)]
#[command(override_usage = "queencount [OPTIONS] [N]\n       queencount [OPTIONS] <COMMAND>")]
#[command(after_help = "'queencount --help' shows examples and the exit codes.", after_long_help = examples())]
pub struct Arguments {
    /// Options that every command knows.
    #[command(flatten)]
    pub common: Common,

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
pub struct Common {
    /// Count on so many threads; 0 stands for one for each core
    #[arg(short, long, global = true, value_name = "COUNT", default_value = "0", hide_default_value = true)]
    #[arg(value_parser = threads, allow_negative_numbers = true)]
    pub threads: usize,

    /// Count with this engine
    #[arg(long, global = true, default_value = "auto", value_parser = engine())]
    pub engine: EngineChoice,

    /// The inner loops of the meet engine; auto stands for the fastest that this processor has
    #[arg(long, global = true, default_value = "auto", value_name = "KERNEL", value_parser = kernel)]
    #[arg(hide_default_value = true)]
    pub kernel: Kernel,

    /// About how much memory a thread of the meet engine may take: bytes, or with a suffix K, M or G
    #[arg(long, global = true, value_name = "SIZE", default_value = "256M", value_parser = memory)]
    #[arg(allow_negative_numbers = true)]
    pub memory: u64,

    /// Show progress on standard error
    #[arg(long, global = true, value_enum, value_name = "WHEN", default_value = "auto")]
    pub progress: When,

    /// The form of the result
    #[arg(long, global = true, value_enum, default_value = "text")]
    pub format: Format,

    /// Nothing on standard error but errors
    #[arg(short, long, global = true)]
    pub quiet: bool,

    /// Say on standard error how it is counted, unless --quiet
    #[arg(short, long, global = true)]
    pub verbose: bool,
}

/// The commands.
#[derive(Debug, Subcommand)]
pub enum Command {
    Count(Count),
    Checker(Checker),
    Verify(Verify),
    Plan(Plan),
    Run(Run),
    Merge(Merge),
    Audit(Audit),
    Estimate(Estimate),
}

/// Count the solutions of each board, a line each
///
/// Without boards they are read from standard input, until 0 or its end; each count is written as soon as it is known.
#[derive(Args, Debug)]
pub struct Count {
    /// Boards: a number of rows, 1 to 32, or a range of them as 8..=12
    #[arg(allow_negative_numbers = true, value_name = "N | A..=B")]
    pub boards: Vec<OsString>,
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
}

/// Show the units of a count and how they are shared out
#[derive(Args, Debug)]
pub struct Plan {
    /// The number of rows of the board, 1 to 32
    #[arg(allow_negative_numbers = true, value_name = "N")]
    pub n: OsString,

    /// Show the units of so many shards, a line each
    #[arg(long, value_name = "M", value_parser = clap::value_parser!(u64).range(1..=1_000_000))]
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
}

/// Count some entries of records again, by an independent method
#[derive(Args, Debug)]
pub struct Audit {
    /// The records
    #[arg(required = true, value_name = "FILE")]
    pub records: Vec<PathBuf>,

    /// The number of entries to draw
    #[arg(long, value_name = "K", default_value = "30", value_parser = clap::value_parser!(u64).range(1..))]
    pub sample: u64,

    /// Draw the same entries as another audit with this seed
    #[arg(long, value_name = "S")]
    pub seed: Option<u64>,
}

/// Estimate a count and its time from a random sample of units
#[derive(Args, Debug)]
pub struct Estimate {
    /// The number of rows of the board, 1 to 32
    #[arg(allow_negative_numbers = true, value_name = "N")]
    pub n: OsString,

    /// Make so many draws, at least 8, however long it takes
    #[arg(long, value_name = "K", conflicts_with = "seconds", value_parser = clap::value_parser!(u64).range(8..))]
    pub sample: Option<u64>,

    /// Begin draws for so many seconds
    #[arg(long, value_name = "T", default_value = "60", value_parser = clap::value_parser!(u32).range(1..))]
    pub seconds: u32,

    /// What the draws are made from
    #[arg(long, value_name = "S", default_value = "1")]
    pub seed: u64,
}

/// The engines that can be chosen: their names, and what the help says about them.
const ENGINES: [(&str, EngineChoice, &str); 3] = [
    ("auto", EngineChoice::Auto, "The one that is fastest for the board"),
    ("backtrack", EngineChoice::Backtrack, "Queens row by row: the reference"),
    ("meet", EngineChoice::Meet, "Pairs of half-boards, 512 at a time: N = 4 to 28, others by backtracking"),
];

fn engine() -> impl TypedValueParser<Value = EngineChoice> {
    PossibleValuesParser::new(ENGINES.map(|(name, _, help)| PossibleValue::new(name).help(help))).try_map(|chosen| {
        let choice = ENGINES.iter().find(|(name, ..)| *name == chosen).map(|(_, choice, _)| *choice);
        choice.ok_or("expected the name of an engine")
    })
}

fn kernel(name: &str) -> Result<Kernel, String> {
    if name == "auto" {
        return Ok(Kernel::default());
    }
    let names = || Kernel::available().into_iter().map(Kernel::name).collect::<Vec<_>>().join(", ");
    name.parse().map_err(|_| format!("expected a kernel that this processor can run, auto or one of {}", names()))
}

fn memory(text: &str) -> Result<u64, String> {
    let (digits, shift) = match text.as_bytes().last() {
        Some(b'K') => (&text[..text.len() - 1], 10),
        Some(b'M') => (&text[..text.len() - 1], 20),
        Some(b'G') => (&text[..text.len() - 1], 30),
        _ => (text, 0),
    };
    let digits_alone = digits.bytes().all(|byte| byte.is_ascii_digit());
    let bytes = digits.parse::<u64>().ok().and_then(|number| number.checked_mul(1 << shift));
    match bytes.filter(|_| digits_alone) {
        Some(bytes) if bytes >= 1 << 20 => Ok(bytes),
        _ => Err("expected a size of at least 1M, as 256M or 2G".to_owned()),
    }
}

fn threads(text: &str) -> Result<usize, String> {
    const MOST: usize = 4096;
    match text.parse() {
        Ok(threads) if threads <= MOST => Ok(threads),
        _ => Err(format!("expected a number of threads from 0 to {MOST}")),
    }
}

fn examples() -> String {
    format!(
        "\
Examples:
  queencount 8                       the first three solutions of 8 queens, and their number
  queencount < input                 the same, N from standard input
  queencount count 8 10 12..=14      five counts, a line each
  queencount count 18 --format json  a count with time, engine, threads, version
  queencount checker                 from checker.in to checker.out
  queencount verify 1..=14 -t 2      compare with the published values, on two threads
  queencount 20 --record q20.jsonl   a count that the same command resumes after any interruption
  queencount estimate 27             what to expect of a count, and how long it would take

Exit codes:
{EXIT_CODES}
"
    )
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
    match Arguments::try_parse_from(arguments) {
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

/// What was expected and what was found, in one line.
fn one_line(error: &clap::Error) -> String {
    let context = |kind| match error.get(kind) {
        Some(ContextValue::String(text)) if !text.is_empty() => Some(text.clone()),
        Some(ContextValue::Strings(texts)) if !texts.is_empty() => Some(texts.join(", ")),
        _ => None,
    };
    let argument = context(ContextKind::InvalidArg).unwrap_or_default();
    let value = context(ContextKind::InvalidValue).map_or_else(|| "no value".to_owned(), |value| format!("{value:?}"));
    let message = match error.kind() {
        ErrorKind::UnknownArgument if argument.starts_with('-') => {
            format!("expected a known option, found {argument:?}")
        }
        ErrorKind::UnknownArgument => format!("expected no further argument, found {argument:?}"),
        ErrorKind::InvalidValue => match context(ContextKind::ValidValue) {
            Some(valid) => format!("expected one of {valid} for '{argument}', found {value}"),
            None => format!("expected a value for '{argument}', found {value}"),
        },
        ErrorKind::ValueValidation => match error.source() {
            Some(expected) => format!("{expected} for '{argument}', found {value}"),
            None => format!("expected a value for '{argument}', found {value}"),
        },
        _ => said(error),
    };
    match context(ContextKind::SuggestedArg).or_else(|| context(ContextKind::SuggestedValue)) {
        Some(similar) => format!("{message}; did you mean '{similar}'?"),
        None => format!("{message}; see 'queencount --help'"),
    }
}

/// What clap says of an error before it repeats the usage.
fn said(error: &clap::Error) -> String {
    let rendered = error.render().to_string();
    let paragraph: Vec<&str> = rendered.lines().map(str::trim).take_while(|line| !line.is_empty()).collect();
    let message = paragraph.join(" ");
    message.strip_prefix("error: ").unwrap_or(&message).to_owned()
}
