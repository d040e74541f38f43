//! The arguments of the commands that write and read records.

use std::path::PathBuf;

use crate::record::Shard;
use crate::{BoardSize, EngineChoice};
use clap::Args;

use crate::cli::flags::options::{AllOptions, MachineOptions, MessageOptions, ReportOptions};
use crate::cli::flags::values::{Portion, number, random_seed, record, sample};
use crate::cli::input::UnitList;

/// Show how many units a count has, or divide them into shards
///
/// A unit is an independent part of the work. The units are the same on every machine, so several
/// machines can share a count.
#[derive(Args, Debug)]
#[command(mut_arg("progress", |option| option.hide(true)))]
#[command(mut_arg("verbose", |option| option.hide(true)))]
pub(crate) struct PlanArguments {
    /// Board size, from 1 to 32
    pub n: BoardSize,

    /// Divide the units into M shards of roughly equal work, and list the shards
    #[arg(long, value_name = "M", value_parser = number(1_u64..=1_000_000))]
    pub shards: Option<u64>,

    #[command(flatten)]
    pub options: AllOptions,
}

/// Count solutions, and save the results to a record
///
/// A record is a file with one line per finished task. A task is one or more units, which are
/// independent parts of the work. To resume an interrupted count, run the same command again. When
/// no units are missing, prints the total.
#[derive(Args, Debug)]
pub(crate) struct RunArguments {
    /// Board size, from 1 to 32
    pub n: BoardSize,

    /// File for the results, created if necessary
    #[arg(long, value_name = "FILE", value_parser = record())]
    pub record: PathBuf,

    /// Count only shard K of M; K is from 1 to M
    #[arg(long, value_name = "K/M", conflicts_with = "units")]
    pub shard: Option<Shard>,

    /// Count only these units, such as 3,17,40-44
    ///
    /// Tasks that contain any of them are counted in full. The list may be empty. Use @FILE to read
    /// it from a file, or - to read it from stdin.
    #[arg(long, value_name = "SET")]
    pub units: Option<UnitList>,

    #[command(flatten)]
    pub options: AllOptions,
}

/// The records of a count, and the plan that they should have.
#[derive(Args, Debug)]
pub(crate) struct RecordArguments {
    /// Records: files, pipes, directories with *.jsonl or *.jsonl.gz files, or - for stdin
    #[arg(required = true, value_name = "PATH")]
    pub paths: Vec<PathBuf>,

    /// Use only the records of this board
    #[arg(long, value_name = "N")]
    pub n: Option<BoardSize>,

    /// Use only the records of this engine: backtrack, rows, or auto for either
    #[arg(long, value_enum, default_value = "auto", hide_default_value = true)]
    #[arg(hide_possible_values = true)]
    pub engine: EngineChoice,
}

/// Add up the counts in records, or list the missing units
///
/// The count of a unit is added only once, even if several records contain it. If no units are
/// missing, prints the total. Damaged lines are reported, and contribute nothing. If lines give
/// different counts for the same units, there is no total.
#[derive(Args, Debug)]
#[command(mut_arg("verbose", |option| option.hide(true)))]
pub(crate) struct MergeArguments {
    #[command(flatten)]
    pub records: RecordArguments,

    /// Print the missing units instead of the total, as a list for 'run --units'
    #[arg(long)]
    pub missing: bool,

    /// Print the shards (out of M) with missing units, as a list such as 3,17,40-44
    #[arg(long, value_name = "M", conflicts_with = "missing")]
    #[arg(value_parser = number(1_u64..=1_000_000))]
    pub shards: Option<u64>,

    #[command(flatten)]
    pub report: ReportOptions,
}

/// Show the progress of a count shared by many machines
///
/// Prints a row for each of the given paths, with its share of the work, its thread-hours, and the
/// number of its lines that disagree with another line. Below the table, prints the share of the
/// work that is done, the thread-hours still needed, the date on which the count should finish, and
/// any problems in the records.
///
/// Early in a count, the estimate of the remaining thread-hours may be off by a factor of two. The
/// date assumes that the work continues at the rate of the last 24 hours.
#[derive(Args, Debug)]
#[command(mut_arg("verbose", |option| option.hide(true)))]
pub(crate) struct StatusArguments {
    #[command(flatten)]
    pub records: RecordArguments,

    /// Also write an HTML page to this file
    #[arg(long, value_name = "FILE")]
    pub html: Option<PathBuf>,

    #[command(flatten)]
    pub report: ReportOptions,
}

/// Print a finished count as one canonical record
///
/// The record has one line per task, sorted by unit. It contains neither times nor names of
/// machines, so the same counts always give the same bytes. To compare two counts, compare the
/// hashes of their canonical records. If units are missing or lines disagree, prints no record.
#[derive(Args, Debug)]
#[command(mut_arg("verbose", |option| option.hide(true)))]
pub(crate) struct PublishArguments {
    #[command(flatten)]
    pub records: RecordArguments,

    #[command(flatten)]
    pub messages: MessageOptions,
}

/// Recount a random sample of tasks with independent code
///
/// A task is the work of one line of a record: one unit or, with the rows engine from N = 28 on, up
/// to 16 units. Also recounts at most as many tasks on which lines disagree. Prints the wrong lines
/// that it finds, and the commands that delete them. If it finds any, the exit code is 3, even if
/// the audit is interrupted.
///
/// For N = 28, recounting all 16 units of a task with independent code would take 20 to 30 minutes
/// of CPU time. Therefore, from N = 28 on, the engine recounts them all, and the independent code
/// recounts only one, selected at random.
#[derive(Args, Debug)]
pub(crate) struct AuditArguments {
    #[command(flatten)]
    pub records: RecordArguments,

    /// Number of tasks to sample, or a percentage such as 0.1%
    #[arg(long, value_name = "K | P%", default_value = "30", value_parser = sample)]
    #[arg(allow_hyphen_values = true)]
    pub sample: Portion,

    /// Random seed; the same seed selects the same tasks and units [default: random]
    #[arg(long, value_name = "S", value_parser = number::<u64>(..))]
    #[arg(default_value_t = random_seed(), hide_default_value = true)]
    pub seed: u64,

    #[command(flatten)]
    pub machine: MachineOptions,

    #[command(flatten)]
    pub report: ReportOptions,
}
