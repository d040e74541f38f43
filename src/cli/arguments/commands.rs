//! What each command takes, and how its help explains it; [`records`] has those that write and read
//! records.

mod records;

use std::path::PathBuf;
use std::time::Duration;

use clap::builder::PossibleValuesParser;
use clap::{ArgGroup, Args, Subcommand, ValueEnum};
use clap_complete::Shell;
use queencount::{BoardSize, DeviceSpec, EngineChoice};

use super::help::{TOPICS, names};
use super::options::{AllOptions, CountingOptions, FormOption, SayOptions, ThreadOption};
use super::values::{
    ENGINES, NamedKernel, glyph, kernel, memory, number, one_of, seconds, solutions,
    unforeseen_seed,
};
use crate::cli::input::BoardRange;
pub use records::{
    AuditArguments, MergeArguments, PlanArguments, PublishArguments, RecordArguments, RunArguments,
    StatusArguments,
};

/// Options that do nothing unless another is given.
fn only_with(given: &'static str, options: &[&'static str]) -> ArgGroup {
    ArgGroup::new("idle")
        .args(options.to_vec())
        .multiple(true)
        .requires(given)
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
    /// Values are published up to N = 27. If a count differs from its published value, the exit
    /// code is 3.
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
    /// The numbers are those that --device takes. A CPU with a driver like a GPU's is listed, too:
    /// it is good for tests, but slower than the kernels for CPUs.
    #[command(group = only_with("measure", &["threads", "progress", "verbose"]))]
    Devices {
        /// Measure how many solutions each device counts in a second, on a board that takes it
        /// about a second
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
    /// Compares every engine and every kernel that this processor can run with published values,
    /// with listed solutions, and with recounts by independent methods; and each device that
    /// --device names with published values and the CPU.
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
        device: DeviceSpec,

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
        /// Write a page for the program and one for each command into this folder, which is made if
        /// it is not there
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
/// Without arguments the boards are read from standard input, until 0 or the end of the input.
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

/// Sort the solutions into classes of symmetry
///
/// Prints how many solutions there are, how many of them a half turn and a quarter turn leave as
/// they are, how many are fundamental, and how many orbits of each size there are. The orbit of a
/// solution is all solutions that turns and reflections make of it.
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

/// Estimate the number of solutions, and the time to count them
///
/// Counts a random sample of the units. Prints the number and the time in core-hours of this
/// machine, each with its interval of 95 % confidence. A board that takes no longer than the sample
/// is counted in full, and then the number is exact. With a device that is named, such as --device
/// gpu, the time is in device-hours.
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

/// Measure how fast this machine counts, or compare two ways
///
/// Prints a table of times for boards of growing size, and how each time was found: counted,
/// projected from a random sample, or continued from smaller boards. With an --against option, two
/// ways to count one board take turns instead. The first is what the other options say; the second
/// is the same but for the --against options.
#[derive(Args, Debug)]
pub struct BenchArguments {
    /// The last board of the table, 27 by default; or the board to compare on
    pub n: Option<BoardSize>,

    /// Take about T seconds
    #[arg(long, value_name = "T", default_value = "50", value_parser = seconds)]
    pub seconds: Duration,

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
    pub device: Option<DeviceSpec>,
}

/// List the solutions in lexicographic order
///
/// A solution is a line: the column of the queen in each row, counted from 1. '--format' gives
/// other forms.
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

    /// List fundamental solutions: the least solution of each orbit, and, where the form has a
    /// place for it, the size of the orbit
    ///
    /// The orbit of a solution is all solutions that turns and reflections make of it. One thread
    /// searches for them.
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
/// The drawing is text in the terminal, or with --svg a picture in a file. Without other options
/// the first solution is drawn.
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
    #[arg(
        long,
        value_name = "COLUMNS",
        conflicts_with = "unique",
        allow_hyphen_values = true
    )]
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
