//! What each command takes, and how its help explains it.

mod counts;
mod records;
mod solutions;

use std::path::PathBuf;

use clap::builder::PossibleValuesParser;
use clap::{ArgGroup, Subcommand};
use clap_complete::Shell;
use queencount::DeviceChoice;

use super::help::{TOPICS, names};
use super::options::{AllOptions, FormOption, SayOptions, ThreadOption};
use super::values::{memory, number, unforeseen_seed};
use crate::cli::input::BoardRange;
pub use counts::{
    AgainstArguments, BenchArguments, CheckerArguments, ClassesArguments, CountArguments, EstimateArguments,
};
pub use records::{
    AuditArguments, MergeArguments, PlanArguments, PublishArguments, RecordArguments, RunArguments, StatusArguments,
};
pub use solutions::{DrawArguments, ListArguments, ListForm};

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
    /// Compares every engine and every kernel that this processor can run with published values, with listed solutions,
    /// and with recounts by independent methods; and each device that --device names with published values and the CPU.
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
