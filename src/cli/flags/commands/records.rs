//! The arguments of the commands that write and read records.

use std::path::PathBuf;

use crate::BoardSize;
use crate::record::{GroupBy, Shard, SiteName};
use clap::{Args, value_parser};

use super::super::options::{
    AllOptions, CountingOptions, FormatOption, MachineOptions, MessageOptions,
};
use super::super::values::{GROUPS, Portion, one_of, plan_hash, random_seed, record, sample};
use crate::cli::input::UnitList;

/// Show the units of a count, or how they are divided into shards
///
/// A unit is a part of a count that depends on no other part. The plan is the same on every
/// machine.
#[derive(Args, Debug)]
pub struct PlanArguments {
    /// Number of rows of the board, 1 to 32
    pub n: BoardSize,

    /// Divide the units into M shards of about equal work, and print one line per shard
    #[arg(long, value_name = "M", value_parser = value_parser!(u64).range(1..=1_000_000))]
    pub shards: Option<u64>,

    #[command(flatten)]
    pub format: FormatOption,

    #[command(flatten)]
    pub counting: CountingOptions,

    #[command(flatten)]
    pub messages: MessageOptions,
}

/// Count into a resumable record: the whole board, or one shard
///
/// Units in the record are not counted again, so the same command resumes after any interruption.
/// When the record is complete, the total is printed.
#[derive(Args, Debug)]
pub struct RunArguments {
    /// Number of rows of the board, 1 to 32
    pub n: BoardSize,

    /// Record, a file with one line per finished task
    #[arg(long, value_name = "FILE", value_parser = record())]
    pub record: PathBuf,

    /// Count only shard K of M shards of about equal work, counted from 1
    #[arg(long, value_name = "K/M", conflicts_with = "units")]
    pub shard: Option<Shard>,

    /// Count only these units, such as 3,17,40-44; @FILE and - (stdin) read such a list, which may
    /// be empty
    #[arg(long, value_name = "SET")]
    pub units: Option<UnitList>,

    /// Site name to store in each entry; default: the host name; an empty name stores no site
    #[arg(long, value_name = "NAME")]
    pub site: Option<SiteName>,

    #[command(flatten)]
    pub exclude: ExcludeOption,

    #[command(flatten)]
    pub options: AllOptions,
}

/// Records, and the plan that they must have: all records of a directory may agree with each other
/// and still be of another board than the one that is counted.
#[derive(Args, Debug)]
pub struct RecordArguments {
    /// Record files, directories to search for *.jsonl and *.jsonl.gz, pipes, or - for stdin
    #[arg(required = true, value_name = "FILE")]
    pub paths: Vec<PathBuf>,

    /// Expect records of the board with N rows
    #[arg(long, value_name = "N")]
    pub n: Option<BoardSize>,

    /// Expect records of this plan: the 16 digits that 'plan' prints
    #[arg(long, value_name = "HASH", value_parser = plan_hash)]
    pub plan: Option<String>,
}

/// A decision about counts that an audit found wrong.
#[derive(Args, Debug)]
pub struct ExcludeOption {
    /// Ignore the counts listed in this file, which 'audit --findings' writes
    #[arg(long, value_name = "FILE")]
    pub exclude: Option<PathBuf>,
}

/// Add up records; each unit counts once
///
/// The records may come in any order, and a unit may be in several of them. If no unit is missing,
/// the total is printed. Every damaged line of every record is reported.
#[derive(Args, Debug)]
pub struct MergeArguments {
    #[command(flatten)]
    pub records: RecordArguments,

    /// Print the missing units instead, as a list for 'run --units'
    #[arg(long)]
    pub missing: bool,

    /// Print the units that lack a second count by another source, instead of the total; exit with
    /// code 4 if there are any
    #[arg(long, conflicts_with = "missing")]
    pub second: bool,

    /// With --second: only units that this source has not counted yet
    #[arg(
        long = "for",
        value_name = "SOURCE",
        requires = "second",
        conflicts_with = "missing"
    )]
    pub for_source: Option<PathBuf>,

    /// Skip and report damaged lines and files that are not records
    #[arg(long)]
    pub salvage: bool,

    #[command(flatten)]
    pub exclude: ExcludeOption,

    /// Print the shards of M that lack units (with --second, a second count) as a job-array list
    /// such as 3,17,40-44
    #[arg(long, value_name = "M", conflicts_with = "missing")]
    #[arg(value_parser = value_parser!(u64).range(1..=1_000_000))]
    pub shards: Option<u64>,

    #[command(flatten)]
    pub format: FormatOption,

    #[command(flatten)]
    pub messages: MessageOptions,
}

/// Show the progress of a count shared by many machines
///
/// Prints how much of the work has been counted, once and twice; the thread-hours spent and
/// remaining; when both counts should finish; what each source has counted; every problem in the
/// records; and which shards lack units.
///
/// The remaining thread-hours assume that the rest is like what has been counted, and may be off by
/// a factor of two early on. The dates assume the rate of the last day.
#[derive(Args, Debug)]
pub struct StatusArguments {
    #[command(flatten)]
    pub records: RecordArguments,

    /// Group the entries of the table by this
    #[arg(long, value_name = "WHAT", default_value = "source", value_parser = one_of(GROUPS))]
    pub by: GroupBy,

    #[command(flatten)]
    pub exclude: ExcludeOption,

    /// Show M shards [default: 100, or one per task if there are fewer]
    #[arg(long, value_name = "M", value_parser = value_parser!(u64).range(1..=1_000_000))]
    pub shards: Option<u64>,

    /// Also write a page for a browser to this file
    #[arg(long, value_name = "FILE")]
    pub html: Option<PathBuf>,

    #[command(flatten)]
    pub format: FormatOption,

    #[command(flatten)]
    pub messages: MessageOptions,
}

/// Print a finished count as one canonical record
///
/// The record has one line per task, in the order of units. It does not include who counted or
/// when, so the same counts always give the same bytes and the same hash. Nothing is printed if
/// units are missing or records contradict each other.
#[derive(Args, Debug)]
pub struct PublishArguments {
    #[command(flatten)]
    pub records: RecordArguments,

    /// Skip and report damaged lines and files that are not records
    #[arg(long)]
    pub salvage: bool,

    #[command(flatten)]
    pub exclude: ExcludeOption,

    #[command(flatten)]
    pub messages: MessageOptions,
}

/// Recount a random sample of entries by an independent method
///
/// An entry is a line of a record: a range of units, and the number of solutions in them. The audit
/// samples entries at random and recounts all units of each with independent code. It reports every
/// wrong entry as soon as it is found; the exit code is then 3, even if the audit is interrupted.
/// Entries that contradict each other, or that are listed in the findings file, are always
/// recounted.
///
/// From N = 28 on an entry has several units, whose recounts would take hours. There the engine
/// counts all units, which finds wrong numbers in the record; and one random unit of each entry is
/// recounted, which finds an engine that counts wrong.
#[derive(Args, Debug)]
pub struct AuditArguments {
    #[command(flatten)]
    pub records: RecordArguments,

    /// Number of entries to sample, or a percentage such as 0.1%
    #[arg(long, value_name = "K | P%", default_value = "30", value_parser = sample)]
    #[arg(allow_hyphen_values = true)]
    pub sample: Portion,

    /// Random seed; the same seed selects the same entries and units [default: a new seed for each
    /// run]
    #[arg(long, value_name = "S", default_value_t = random_seed(), hide_default_value = true)]
    pub seed: u64,

    /// Recount whole entries, however long that takes
    #[arg(long)]
    pub whole: bool,

    /// Append wrong entries to this file, for the --exclude option of 'merge' and others
    #[arg(long, value_name = "FILE", value_parser = record())]
    pub findings: Option<PathBuf>,

    #[command(flatten)]
    pub format: FormatOption,

    #[command(flatten)]
    pub machine: MachineOptions,

    #[command(flatten)]
    pub messages: MessageOptions,
}
