//! What the commands take that write and read records.

use std::path::PathBuf;

use clap::Args;
use queencount::record::{GroupBy, Shard, SiteName};
use queencount::{BoardSize, EngineChoice};

use super::super::options::{
    AllOptions, CountingOptions, FormOption, MachineOptions, QuietOption, SayOptions,
};
use super::super::values::{
    ENGINES, GROUPS, Portion, number, one_of, plan_hash, record, sample, unforeseen_seed,
};
use crate::cli::input::UnitList;

/// Show the units of a count, or how they are divided into shards
///
/// A unit is a part of a count that depends on no other part. The plan is the same on every
/// machine.
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
/// Units that the record already holds are not counted again, so the same command resumes after any
/// interruption. When the record is complete, the total is printed.
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

    /// Count only these units, such as 3,17,40-44; @FILE and - (standard input) hold such a list,
    /// which may be empty
    #[arg(long, value_name = "SET")]
    pub units: Option<UnitList>,

    /// Write this site into each line; the name of the machine unless given, nothing if empty
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
    /// The records, directories of them (all files named .jsonl or .jsonl.gz), pipes, or - for
    /// standard input
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

/// A decision about counts that an audit found wrong.
#[derive(Args, Debug)]
pub struct ExcludeOption {
    /// Leave out the counts listed in this file, which 'audit --findings' writes
    #[arg(long, value_name = "FILE")]
    pub exclude: Option<PathBuf>,
}

/// Add up records; each unit counts once
///
/// The records may come in any order, and a unit may be in several of them. If no unit is missing,
/// the total is printed. Every damaged line of every record is named.
#[derive(Args, Debug)]
pub struct MergeArguments {
    #[command(flatten)]
    pub records: RecordArguments,

    /// Print the missing units instead, in the form that 'run --units' takes
    #[arg(long)]
    pub missing: bool,

    /// Print the units instead that are not counted twice, by two sources; the exit code is 4 if
    /// there are any
    #[arg(long, conflicts_with = "missing")]
    pub second: bool,

    /// With --second: only the units that this source has not counted
    #[arg(
        long = "for",
        value_name = "SOURCE",
        requires = "second",
        conflicts_with = "missing"
    )]
    pub for_source: Option<PathBuf>,

    /// Skip damaged lines and files that are not records, and name them
    #[arg(long)]
    pub salvage: bool,

    #[command(flatten)]
    pub exclude: ExcludeOption,

    /// Print which of M shards lack units, or a --second count, instead, in the form that job
    /// arrays take: 3,17,40-44
    #[arg(long, value_name = "M", conflicts_with = "missing", value_parser = number(1..=1_000_000))]
    pub shards: Option<u64>,

    #[command(flatten)]
    pub form: FormOption,

    #[command(flatten)]
    pub quiet: QuietOption,
}

/// Show the progress of a count shared by many machines
///
/// Prints the share of the work that is counted, once and twice; the thread-hours so far and to
/// come, and when both counts will be done; what each source counted; every flaw of every record;
/// and which shards lack units.
///
/// The thread-hours to come assume that the rest is like what is counted, and may be off by a factor
/// of two early on. The dates assume the rate of the last day.
#[derive(Args, Debug)]
pub struct StatusArguments {
    #[command(flatten)]
    pub records: RecordArguments,

    /// Group the entries of the table by this
    #[arg(long, value_name = "WHAT", default_value = "source", value_parser = one_of(GROUPS))]
    pub by: GroupBy,

    #[command(flatten)]
    pub exclude: ExcludeOption,

    /// Show M shards [default: 100, or one for each task if there are fewer]
    #[arg(long, value_name = "M", value_parser = number(1..=1_000_000))]
    pub shards: Option<u64>,

    /// Repeat at this interval, 60 seconds unless given, until everything is counted; after the
    /// records
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

/// Print a finished count as one record
///
/// The record has one line per task, in the order of units, and nothing about who counted and when,
/// so the same counts always give the same bytes, whose hash stands for the count. Nothing is
/// printed if units are missing or records contradict each other.
#[derive(Args, Debug)]
pub struct PublishArguments {
    #[command(flatten)]
    pub records: RecordArguments,

    /// Skip damaged lines and files that are not records, and name them
    #[arg(long)]
    pub salvage: bool,

    #[command(flatten)]
    pub exclude: ExcludeOption,

    #[command(flatten)]
    pub quiet: QuietOption,
}

/// Recount some entries of records, by an independent method
///
/// An entry is a line of a record: a range of units, and the number of solutions in them. The audit
/// draws entries at random and recounts all units of each, by code that shares nothing with the
/// engine but the rules of the game. It names every wrong entry as soon as it is found; the exit
/// code is then 3, even if the audit is interrupted. Entries that contradict each other, or that are
/// listed in the findings file, are always recounted.
///
/// From N = 28 on an entry has several units, whose recounts would take hours. There the engine
/// counts all units, which finds wrong numbers in the record; and one random unit of each entry is
/// recounted, which finds an engine that counts wrong.
#[derive(Args, Debug)]
pub struct AuditArguments {
    #[command(flatten)]
    pub records: RecordArguments,

    /// The number of entries to draw, or the share of all entries, such as 0.1%
    #[arg(long, value_name = "K | P%", default_value = "30", value_parser = sample)]
    pub sample: Portion,

    /// Draw with this seed; the same seed draws the same entries and units [default: a new seed
    /// each time]
    #[arg(long, value_name = "S", value_parser = number(0..=u64::MAX))]
    #[arg(default_value_t = unforeseen_seed(), hide_default_value = true)]
    pub seed: u64,

    /// Recount whole entries, however long that takes
    #[arg(long)]
    pub whole: bool,

    /// Append the lines found wrong to this file, for --exclude of 'merge' and others
    #[arg(long, value_name = "FILE", value_parser = record())]
    pub findings: Option<PathBuf>,

    #[command(flatten)]
    pub form: FormOption,

    #[command(flatten)]
    pub machine: MachineOptions,

    #[command(flatten)]
    pub say: SayOptions,
}
