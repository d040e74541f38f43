//! The arguments of the commands that write and read records.

use std::path::PathBuf;

use crate::BoardSize;
use crate::record::{GroupBy, Shard, SiteName};
use clap::Args;

use crate::cli::flags::options::{
    AllOptions, FormatOption, MachineOptions, MessageOptions, ReportOptions,
};
use crate::cli::flags::values::{Portion, number, plan_hash, random_seed, record, sample};
use crate::cli::input::UnitList;

/// Show the units of a count, or how they are divided into shards
///
/// A unit is an independent part of the work. The units are the same on every machine, so several
/// machines can share a count.
#[derive(Args, Debug)]
pub(crate) struct PlanArguments {
    /// Board size, from 1 to 32
    pub n: BoardSize,

    /// Divide the units into M shards that take about the same time, and list the shards
    #[arg(long, value_name = "M", value_parser = number(1_u64..=1_000_000))]
    pub shards: Option<u64>,

    #[command(flatten)]
    pub options: AllOptions,
}

/// Count solutions, and save the results to a record
///
/// A record is a file with one line per finished task. A task is one or more units. To resume an
/// interrupted count, run the same command again. When no units are missing, prints the total.
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

    /// Site name to store in each entry [default: the host name]
    ///
    /// If NAME is empty, no site is stored.
    #[arg(long, value_name = "NAME")]
    pub site: Option<SiteName>,

    #[command(flatten)]
    pub exclude: ExcludeOption,

    #[command(flatten)]
    pub options: AllOptions,
}

/// The records, and the plan that they must follow. Records may agree with each other and still all
/// be for the wrong board.
#[derive(Args, Debug)]
pub(crate) struct RecordArguments {
    /// Records: files, pipes, directories with *.jsonl or *.jsonl.gz files, or - for stdin
    #[arg(required = true, value_name = "FILE")]
    pub paths: Vec<PathBuf>,

    /// Fail unless all records are for this board size
    #[arg(long, value_name = "N")]
    pub n: Option<BoardSize>,

    /// Fail unless all records have this plan hash (printed by 'plan')
    #[arg(long, value_name = "HASH", value_parser = plan_hash)]
    pub plan: Option<String>,
}

#[derive(Args, Debug)]
pub(crate) struct ExcludeOption {
    /// Ignore the wrong counts that 'audit --findings' has listed in this file
    #[arg(long, value_name = "FILE")]
    pub exclude: Option<PathBuf>,
}

/// Add up the counts in records, or list the missing units
///
/// Each unit is added only once, even if several records contain it. If no units are missing,
/// prints the total. Reports every damaged line.
#[derive(Args, Debug)]
pub(crate) struct MergeArguments {
    #[command(flatten)]
    pub records: RecordArguments,

    /// Print the missing units instead of the total, as a list for 'run --units'
    #[arg(long)]
    pub missing: bool,

    /// Instead of the total, print the units that fewer than two sources have counted
    ///
    /// If there are any, the exit code is 4. Each file or directory given as an argument is a
    /// source. If a directory has subdirectories, each of them is a separate source.
    #[arg(long, conflicts_with = "missing")]
    pub second: bool,

    /// With --second, print only units that this source has not counted
    #[arg(
        long = "for",
        value_name = "SOURCE",
        requires = "second",
        conflicts_with = "missing"
    )]
    pub for_source: Option<PathBuf>,

    /// Report and skip damaged lines, and files that are not records
    #[arg(long)]
    pub salvage: bool,

    #[command(flatten)]
    pub exclude: ExcludeOption,

    /// Print the shards (out of M) with missing units, as a list such as 3,17,40-44
    ///
    /// With --second, also lists the shards with units that were counted only once.
    #[arg(long, value_name = "M", conflicts_with = "missing")]
    #[arg(value_parser = number(1_u64..=1_000_000))]
    pub shards: Option<u64>,

    #[command(flatten)]
    pub report: ReportOptions,
}

/// Show the progress of a count shared by many machines
///
/// Prints what share of the work has been done at least once, what share has been done twice, and
/// when the first and the second count should finish. Also prints the thread-hours spent and
/// remaining, the work done by each source (file or directory), any problems in the records, and
/// the shards with missing units.
///
/// Early in a count, the estimate of the remaining thread-hours may be off by a factor of two. The
/// finish dates assume that the work continues at the rate of the last 24 hours.
#[derive(Args, Debug)]
pub(crate) struct StatusArguments {
    #[command(flatten)]
    pub records: RecordArguments,

    /// Group the entries in the table by this property
    #[arg(long, value_enum, value_name = "WHAT", default_value = "source")]
    pub by: GroupBy,

    #[command(flatten)]
    pub exclude: ExcludeOption,

    /// Number of shards to show [default: 100, or the number of tasks if that is smaller]
    #[arg(long, value_name = "M", value_parser = number(1_u64..=1_000_000))]
    pub shards: Option<u64>,

    /// Also write an HTML page to this file
    #[arg(long, value_name = "FILE")]
    pub html: Option<PathBuf>,

    #[command(flatten)]
    pub report: ReportOptions,
}

/// Print a finished count as one canonical record
///
/// The record has one line per task, sorted by unit. It contains no dates or site names, so the
/// same counts always give the same bytes. Prints nothing if units are missing or if records
/// contradict each other.
#[derive(Args, Debug)]
pub(crate) struct PublishArguments {
    #[command(flatten)]
    pub records: RecordArguments,

    /// Report and skip damaged lines, and files that are not records
    #[arg(long)]
    pub salvage: bool,

    #[command(flatten)]
    pub exclude: ExcludeOption,

    #[command(flatten)]
    pub messages: MessageOptions,
}

/// Recount a random sample of entries with independent code
///
/// An entry is a line of a record. It contains the number of solutions in a range of units. Entries
/// that contradict each other or are listed in the findings file are always recounted. If there are
/// wrong entries, the exit code is 3, even if the audit is interrupted.
///
/// For N >= 28, recounting all units of an entry with independent code would take hours. Instead,
/// the engine recounts them all, and the independent code recounts only one, selected at random.
#[derive(Args, Debug)]
pub(crate) struct AuditArguments {
    #[command(flatten)]
    pub records: RecordArguments,

    /// Number of entries to sample, or a percentage such as 0.1%
    #[arg(long, value_name = "K | P%", default_value = "30", value_parser = sample)]
    #[arg(allow_hyphen_values = true)]
    pub sample: Portion,

    /// Random seed; the same seed selects the same entries and units [default: random]
    #[arg(long, value_name = "S", value_parser = number::<u64>(..))]
    #[arg(default_value_t = random_seed(), hide_default_value = true)]
    pub seed: u64,

    /// Recount all units of each sampled entry with the independent code, even if it takes hours
    #[arg(long)]
    pub whole: bool,

    /// Append wrong entries to this file, for use with --exclude
    #[arg(long, value_name = "FILE", value_parser = record())]
    pub findings: Option<PathBuf>,

    #[command(flatten)]
    pub format: FormatOption,

    #[command(flatten)]
    pub machine: MachineOptions,

    #[command(flatten)]
    pub messages: MessageOptions,
}
