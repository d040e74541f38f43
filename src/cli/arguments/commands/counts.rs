//! What the commands take that count boards.

use std::path::PathBuf;
use std::time::Duration;

use clap::Args;
use queencount::{BoardSize, DeviceChoice, EngineChoice};

use super::super::options::{AllOptions, CountingOptions, SayOptions};
use super::super::values::{ENGINES, NamedKernel, kernel, number, one_of, seconds, solutions};
use crate::cli::input::BoardRange;

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

/// Estimate the number of solutions, and the time to count them
///
/// Counts a random sample of the units. Prints the number and the time in core-hours of this machine, each with its
/// interval of 95 % confidence. A board that takes no longer than the sample is counted in full, and then the number is
/// exact. With a device that is named, such as --device gpu, the time is in device-hours.
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
/// Prints a table of times for boards of growing size, and how each time was found: counted, projected from a random
/// sample, or continued from smaller boards. With an --against option, two ways to count one board take turns instead.
/// The first is what the other options say; the second is the same but for the --against options.
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
