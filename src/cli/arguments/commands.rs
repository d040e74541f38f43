//! What each command takes, and how its help explains it.

use std::path::PathBuf;
use std::time::Duration;

use clap::builder::PossibleValuesParser;
use clap::{ArgGroup, Args, Subcommand, ValueEnum};
use clap_complete::Shell;
use queencount::record::{Shard, SourceKind};
use queencount::{BoardSize, DeviceChoice, EngineChoice};

use super::help::{TOPICS, names};
use super::options::{AllOptions, CountingOptions, FormOption, MachineOptions, QuietOption, SayOptions, ThreadOption};
use super::values::{
    ENGINES, NamedKernel, Portion, SOURCES, glyph, kernel, memory, number, one_of, plan_hash, record, sample, seconds,
    site, solutions, unforeseen_seed,
};
use crate::cli::input::{BoardRange, UnitList};

/// Options that do nothing unless another is given.
fn only_with(given: &'static str, options: &[&'static str]) -> ArgGroup {
    ArgGroup::new("idle").args(options.to_vec()).multiple(true).requires(given)
}

/// The commands. Those that take one argument have it here.
#[derive(Debug, Subcommand)]
pub enum Command {
    Count(CountArguments),
    List(ListArguments),
    Classes(ClassesArguments),
    Checker(CheckerArguments),
    /// Count, and compare with the published values (OEIS A000170)
    ///
    /// Values are published up to N = 27. If a count differs from its published value, the exit code is 3.
    Verify {
        /// Boards: a number of rows, or a range such as 8..=12 or 8-12; the default takes seconds
        #[arg(value_name = "N | A..=B", default_value = "1..=18")]
        boards: Vec<BoardRange>,

        #[command(flatten)]
        options: AllOptions,
    },
    Plan(PlanArguments),
    Run(RunArguments),
    Merge(MergeArguments),
    Status(StatusArguments),
    Audit(AuditArguments),
    Publish(PublishArguments),
    Estimate(EstimateArguments),
    /// List the devices that can count beside the CPU
    ///
    /// The numbers are those that --device takes. A CPU with a driver like a GPU's is listed, too: it is good for tests,
    /// but slower than the kernels for CPUs.
    #[command(group = only_with("measure", &["threads", "progress", "verbose"]))]
    Devices {
        /// Measure how many solutions each device counts in a second, on a board that takes it about a second
        #[arg(long)]
        measure: bool,

        #[command(flatten)]
        form: FormOption,

        #[command(flatten)]
        threads: ThreadOption,

        /// About how much memory a thread that feeds a device may use, such as 1.5G
        #[arg(long, value_name = "SIZE", value_parser = memory, requires = "measure")]
        memory: Option<u64>,

        #[command(flatten)]
        say: SayOptions,
    },
    /// Check the program on this machine, in less than a minute
    ///
    /// Checks every engine and every kernel that this processor can run. They are compared with published values, with
    /// listed solutions, with each other and with recounts by independent methods. Each device that --device names is
    /// compared with published values and with the CPU. Whatever is wrong is named, and the exit code is then 3.
    SelfTest {
        /// Draw with this seed; the same seed draws the same units [default: a new seed each time]
        #[arg(long, value_name = "S", value_parser = number(0..=u64::MAX))]
        #[arg(default_value_t = unforeseen_seed(), hide_default_value = true)]
        seed: u64,

        #[command(flatten)]
        form: FormOption,

        #[command(flatten)]
        threads: ThreadOption,

        /// Check these devices, too: gpu, gpu:0,1 or auto
        #[arg(long, value_name = "DEVICES", default_value = "cpu")]
        device: DeviceChoice,

        #[command(flatten)]
        say: SayOptions,
    },
    Draw(DrawArguments),
    Bench(BenchArguments),
    /// Print the script that completes commands and options in a shell
    Completions {
        /// The shell
        #[arg(value_name = "SHELL")]
        shell: Shell,
    },
    /// Print the manual page of the program, or write the pages of all
    Man {
        /// Write a page for the program and one for each command into this folder, which is made if it is not there
        #[arg(value_name = "DIR")]
        folder: Option<PathBuf>,
    },
    /// Explain the program, a command, or another topic
    Help {
        /// A command, or one of the topics options, examples and exit-codes
        #[arg(value_name = "TOPIC", value_parser = PossibleValuesParser::new(names().chain(TOPICS)))]
        topic: Option<String>,
    },
}

/// Count the solutions of each board, a line each
///
/// Each count is printed as soon as it is known. Without arguments the boards are read from standard input, until 0 or
/// the end of the input.
#[derive(Args, Debug)]
pub struct CountArguments {
    /// Boards: a number of rows, 1 to 32, or a range such as 8..=12 or 8-12
    #[arg(value_name = "N | A..=B")]
    pub boards: Vec<BoardRange>,

    /// Count fundamental solutions: turned and reflected, a solution is still the same one
    #[arg(long)]
    pub unique: bool,

    /// Print N before each count, and a tab between them
    #[arg(short, long)]
    pub numbered: bool,

    #[command(flatten)]
    pub options: AllOptions,
}

/// List the solutions in lexicographic order
///
/// A solution is a line: the column of the queen in each row, counted from 1. '--format' gives drawn boards, tables,
/// JSON, CSV and the notation of chess instead.
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

    /// List fundamental solutions: the least solution of each orbit, and the size of the orbit
    ///
    /// The orbit of a solution is all solutions that turns and reflections make of it. One thread searches for them.
    #[arg(long, conflicts_with = "threads")]
    pub unique: bool,

    /// Count rows and columns from 0
    #[arg(long)]
    pub zero_based: bool,

    /// What a drawn board shows for a queen
    #[arg(long, value_name = "GLYPH", value_parser = glyph, allow_hyphen_values = true)]
    pub queen: Option<String>,

    /// What a drawn board shows for an empty square
    #[arg(long, value_name = "GLYPH", value_parser = glyph, allow_hyphen_values = true)]
    pub empty: Option<String>,

    /// The form of the solutions
    #[arg(long, value_enum, default_value = "text")]
    pub format: ListForm,

    #[command(flatten)]
    pub threads: ThreadOption,

    #[command(flatten)]
    pub say: SayOptions,
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

/// Sort the solutions into classes of symmetry
///
/// Prints how many solutions there are, how many of them a half turn and a quarter turn leave as they are, how many are
/// fundamental, and how many orbits of each size there are. The orbit of a solution is all solutions that turns and
/// reflections make of it.
#[derive(Args, Debug)]
pub struct ClassesArguments {
    /// The number of rows of the board, 1 to 32
    pub n: BoardSize,

    /// Trust that there are T solutions, and count only the rest, which is quick
    #[arg(long, value_name = "T", value_parser = solutions(0))]
    #[arg(conflicts_with_all = ["engine", "kernel", "device", "require-device", "memory"])]
    pub total: Option<u128>,

    #[command(flatten)]
    pub options: AllOptions,
}

/// Read N from a file, and write the contest's output to a file
///
/// The output file appears whole or not at all.
#[derive(Args, Debug)]
pub struct CheckerArguments {
    /// The file that holds N
    #[arg(long, value_name = "FILE", default_value = "checker.in")]
    pub input: PathBuf,

    /// The file for the first three solutions and the total
    #[arg(long, value_name = "FILE", default_value = "checker.out")]
    pub output: PathBuf,

    #[command(flatten)]
    pub how: CountingOptions,

    #[command(flatten)]
    pub say: SayOptions,
}

/// Show the units of a count, or how they are divided into shards
///
/// A unit is a part of a count that depends on no other part. The plan is the same on every machine.
#[derive(Args, Debug)]
pub struct PlanArguments {
    /// The number of rows of the board, 1 to 32
    pub n: BoardSize,

    /// Divide the units into M shards of about equal work, and print a line for each shard
    #[arg(long, value_name = "M", value_parser = number(1..=1_000_000))]
    pub shards: Option<u64>,

    #[command(flatten)]
    pub form: FormOption,

    #[command(flatten)]
    pub how: CountingOptions,

    #[command(flatten)]
    pub quiet: QuietOption,
}

/// Count units into a record: all units, or the part of one machine
///
/// Units that the record already holds are not counted again, so the same command resumes after any interruption. When
/// the record is complete, the total is printed.
#[derive(Args, Debug)]
pub struct RunArguments {
    /// The number of rows of the board, 1 to 32
    pub n: BoardSize,

    /// The record, a file with a line for each finished task
    #[arg(long, value_name = "FILE", value_parser = record())]
    pub record: PathBuf,

    /// Count only shard K of M shards of about equal work; K begins at 1
    #[arg(long, value_name = "K/M", conflicts_with = "units")]
    pub shard: Option<Shard>,

    /// Count only these units, such as 3,17,40-44; @FILE and - (standard input) hold such a list, which may be empty
    #[arg(long, value_name = "SET")]
    pub units: Option<UnitList>,

    /// Say in each line that it was counted at this site; the name of the machine unless given, nothing if empty
    #[arg(long, value_name = "NAME", value_parser = site)]
    pub site: Option<String>,

    #[command(flatten)]
    pub options: AllOptions,
}

/// Records, and the plan that they have to be of: all records of a folder may well agree with each other and still be of
/// another board than the one that is counted.
#[derive(Args, Debug)]
pub struct RecordArguments {
    /// The records, and folders of them: all their files whose names end with .jsonl; - is standard input
    #[arg(required = true, value_name = "FILE")]
    pub paths: Vec<PathBuf>,

    /// Expect records of the board with N rows
    #[arg(long, value_name = "N")]
    pub n: Option<BoardSize>,

    /// Expect records of this plan: the 16 digits that 'plan' prints
    #[arg(long, value_name = "HASH", value_parser = plan_hash)]
    pub plan: Option<String>,

    /// Expect records of this engine
    #[arg(long, default_value = "auto", hide_default_value = true, value_parser = one_of(ENGINES))]
    pub engine: EngineChoice,
}

/// Add up records; each unit counts once
///
/// The records may come in any order, and a unit may be in several of them. If no unit is missing, the total is
/// printed. If a unit is missing, the exit code is 4. If records contradict each other, or are not of the board, the
/// engine (--engine) and the plan that are expected, the exit code is 3. Every damaged line of every record is named.
#[derive(Args, Debug)]
pub struct MergeArguments {
    /// The records.
    #[command(flatten)]
    pub records: RecordArguments,

    /// Print the missing units instead, in the form that 'run --units' takes
    #[arg(long)]
    pub missing: bool,

    /// Print the units instead that two sites have not counted alike; 4 is the exit code if there are any
    #[arg(long, conflicts_with = "missing")]
    pub second: bool,

    /// With --second: who has to differ for a count to be a second one
    #[arg(long, value_name = "WHAT", default_value = "site", requires = "second", value_parser = one_of(SOURCES))]
    pub by: SourceKind,

    /// With --second: only the units that the site of this name has not counted, or whatever --by says, so that it can
    #[arg(long = "for", value_name = "NAME", requires = "second", conflicts_with = "missing")]
    pub for_name: Option<String>,

    /// Leave out damaged lines, disputed ones, those that an audit has refuted, and files that are no records, and name them
    #[arg(long)]
    pub salvage: bool,

    /// Print which of M shards lack units, or a --second count, instead, in the form that job arrays take: 3,17,40-44
    #[arg(long, value_name = "M", conflicts_with = "missing", value_parser = number(1..=1_000_000))]
    pub shards: Option<u64>,

    #[command(flatten)]
    pub form: FormOption,

    #[command(flatten)]
    pub quiet: QuietOption,
}

/// Tell where a count stands that many machines share
///
/// Reads records, and folders of them, and prints which share of the work is counted, and by two sites alike; the
/// core-hours so far and to come, how fast it goes and when both counts will be done; what each site has counted; every
/// flaw of every record; and which shards lack units. The exit codes are those of 'merge'.
///
/// The core-hours to come suppose that the rest is like what is counted. Early, or when only neighbouring shards are
/// counted, they may be off by a factor of two. The dates suppose that it goes on as in the last day.
#[derive(Args, Debug)]
pub struct StatusArguments {
    /// The records.
    #[command(flatten)]
    pub records: RecordArguments,

    /// Tell apart who has counted by this, also where it says what was counted twice
    #[arg(long, value_name = "WHAT", default_value = "site", value_parser = one_of(SOURCES))]
    pub by: SourceKind,

    /// Show M shards [default: 100, or one for each task if there are fewer]
    #[arg(long, value_name = "M", value_parser = number(1..=1_000_000))]
    pub shards: Option<u64>,

    /// Look again every so many seconds, 60 unless given, until everything is counted; behind the records
    #[arg(long, value_name = "SECONDS", num_args = 0..=1, default_missing_value = "60")]
    #[arg(value_parser = number(1..=86_400))]
    pub watch: Option<u64>,

    /// Also write a page for a browser to this file
    #[arg(long, value_name = "FILE")]
    pub html: Option<PathBuf>,

    #[command(flatten)]
    pub form: FormOption,

    #[command(flatten)]
    pub quiet: QuietOption,
}

/// Print what a finished count has found, as one record
///
/// The record has a line for each task, in the order of units: the units, and the number of their solutions. It says
/// nothing of who has counted and when, so the same counts always give the same bytes, whose hash stands for the count.
/// Whoever has it can add it up, count lines again and audit it. Nothing is printed if units are missing or records
/// contradict each other; the exit codes are those of 'merge'.
#[derive(Args, Debug)]
pub struct PublishArguments {
    /// The records.
    #[command(flatten)]
    pub records: RecordArguments,

    /// Leave out damaged lines, disputed ones, those that an audit has refuted, and files that are no records, and name them
    #[arg(long)]
    pub salvage: bool,

    #[command(flatten)]
    pub quiet: QuietOption,
}

/// Recount some entries of records, by an independent method
///
/// An entry is a line of a record: a range of units, and the number of solutions in them. The audit draws entries at
/// random and recounts all units of each, by code that shares nothing with the engine but the rules of the game. It names every entry with a wrong number, as soon as it is found. If there is one, the exit code is 3, even if
/// the audit is interrupted.
///
/// If records contradict each other, the audit draws none at random. It counts the entries that contradict each other,
/// and says which of them are right; --sample is then the number of contradictions.
///
/// A recount takes some twenty times as long as a count by the engine 'rows'. From N = 28 on an entry has several units,
/// whose recounts would take hours. There the engine counts all units, which finds wrong numbers in the record, and units
/// that lack a part or have one twice; and one random unit of each entry is recounted, which finds an engine that counts
/// wrong. With --whole all of them are recounted.
#[derive(Args, Debug)]
pub struct AuditArguments {
    /// The records.
    #[command(flatten)]
    pub records: RecordArguments,

    /// How many entries to draw, or which share of all entries, such as 0.1%
    #[arg(long, value_name = "K | P%", default_value = "30", value_parser = sample)]
    pub sample: Portion,

    /// Draw with this seed; the same seed draws the same entries and units [default: a new seed each time]
    #[arg(long, value_name = "S", value_parser = number(0..=u64::MAX))]
    #[arg(default_value_t = unforeseen_seed(), hide_default_value = true)]
    pub seed: u64,

    /// Recount whole entries, however long that takes
    #[arg(long)]
    pub whole: bool,

    /// Append what is found of each entry to this record, so that 'status' and 'merge' know of it
    #[arg(long, value_name = "FILE", value_parser = record())]
    pub record: Option<PathBuf>,

    /// Say in each of these lines that it was found at this site; the name of the machine unless given
    #[arg(long, value_name = "NAME", value_parser = site, requires = "record")]
    pub site: Option<String>,

    #[command(flatten)]
    pub form: FormOption,

    #[command(flatten)]
    pub machine: MachineOptions,

    #[command(flatten)]
    pub say: SayOptions,
}

/// Estimate the number of solutions, and the time to count them
///
/// Counts a random sample of the units. Prints the number and the time, each with its interval of 95 % confidence. A
/// board that takes no longer than the sample is counted in full, and then the number is exact.
///
/// A core-hour is an hour on a CPU: the time that other programs have it does not count. The interval covers what the
/// count would take on this machine as it was during the sample.
///
/// With a device that is named, such as --device gpu, the time is in device-hours: how long the device has to count, fed
/// by all threads. Without, it is that of the CPU.
#[derive(Args, Debug)]
pub struct EstimateArguments {
    /// The number of rows of the board, 1 to 32
    pub n: BoardSize,

    /// Draw K times, at least 8, however long it takes
    #[arg(long, value_name = "K", conflicts_with = "seconds", value_parser = number(8..=u64::MAX))]
    pub sample: Option<u64>,

    /// Stop drawing after T seconds
    #[arg(long, value_name = "T", default_value = "60", value_parser = seconds)]
    pub seconds: Duration,

    /// Draw with this seed; the same seed draws the same units
    #[arg(long, value_name = "S", default_value = "1", value_parser = number(0..=u64::MAX))]
    pub seed: u64,

    #[command(flatten)]
    pub options: AllOptions,
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

    /// Count rows and columns from 0
    #[arg(long)]
    pub zero_based: bool,

    /// What text shows for a queen
    #[arg(long, value_name = "GLYPH", value_parser = glyph, allow_hyphen_values = true, conflicts_with = "svg")]
    pub queen: Option<String>,

    /// What text shows for an empty square
    #[arg(long, value_name = "GLYPH", value_parser = glyph, allow_hyphen_values = true, conflicts_with = "svg")]
    pub empty: Option<String>,

    /// Draw into this file, as SVG
    #[arg(long, value_name = "FILE")]
    pub svg: Option<PathBuf>,

    #[command(flatten)]
    pub threads: ThreadOption,

    #[command(flatten)]
    pub say: SayOptions,
}

/// Measure how fast this machine counts, or compare two ways
///
/// Without an --against option, prints a table of times for boards of growing size. Small boards are counted. For
/// larger boards a random sample of the units is counted, and the time is projected from the sample. For the largest
/// boards the growth of the times is continued. Each line says how its time was found. With a device that is named, all
/// threads feed it.
///
/// With an --against option, compares two ways to count one board. The first way is what the other options say. The
/// second way is the same except for the --against options. The two ways take turns.
#[derive(Args, Debug)]
pub struct BenchArguments {
    /// The last board of the table, 27 by default; or the board to compare on
    pub n: Option<BoardSize>,

    /// Take about T seconds
    #[arg(long, value_name = "T", default_value = "50", value_parser = seconds)]
    pub seconds: Duration,

    /// The other way to count.
    #[command(flatten)]
    pub against: AgainstArguments,

    #[command(flatten)]
    pub options: AllOptions,
}

/// What a second way to count has of its own.
#[derive(Args, Clone, Debug, Default, PartialEq)]
pub struct AgainstArguments {
    /// Compare with this engine
    #[arg(id = "against-engine", long, value_name = "ENGINE", value_parser = one_of(ENGINES))]
    pub engine: Option<EngineChoice>,

    /// Compare with this kernel; both count by the engine rows
    #[arg(id = "against-kernel", long, value_name = "KERNEL", value_parser = kernel())]
    pub kernel: Option<NamedKernel>,

    /// Compare with this number of threads; 0 means one for each CPU
    #[arg(id = "against-threads", long, value_name = "COUNT", value_parser = number(0..=4096))]
    pub threads: Option<u64>,

    /// Compare with these devices, or with the CPU; both count by the engine rows
    #[arg(id = "against-device", long, value_name = "DEVICES")]
    pub device: Option<DeviceChoice>,
}
