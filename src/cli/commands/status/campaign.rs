//! A campaign: the state of a count shared by many machines, and its machine-readable fields.

use std::time::UNIX_EPOCH;

use crate::Engine;
use crate::estimate::Interval;
use crate::record::{CampaignStatus, Group, Loaded, RecordError, Tally, UnitSet};
use serde::Serialize;

use crate::cli::app::App;
use crate::cli::commands::plan::shards;
use crate::cli::error::{Error, Result, with_sources};
use crate::cli::flags::commands::StatusArguments;
use crate::cli::flags::values::group_name;
use crate::cli::numbers::quantity;
use crate::cli::output::Count;
use crate::cli::records;
use crate::cli::ui::escape_control_chars;

pub struct Campaign<'a> {
    pub arguments: &'a StatusArguments,
    pub records: usize,
    pub tally: Tally,
    pub status: CampaignStatus,
    pub shards: Shards,
    /// Damaged files and lines, and contradictions.
    pub flaws: Vec<RecordError>,
    /// The current time, in seconds since 1970.
    pub now: u64,
}

/// The progress of each shard: for each state the numbers of its shards, in the format of
/// schedulers.
pub struct Shards {
    pub of: u64,
    /// No, some or all units are counted, or all are counted twice; entries contradict each other.
    pub states: [(&'static str, UnitSet); 5],
}

impl Shards {
    /// Returns the states of `of` shards. A shard without units has none.
    fn new(tally: &Tally, engine: &dyn Engine, of: u64) -> Self {
        let done = tally.done();
        let twice = tally.counted_twice();
        let disputed: UnitSet = tally
            .disputes()
            .flat_map(|dispute| dispute.units().ranges().collect::<Vec<_>>())
            .collect();
        let mut states = ["missing", "begun", "counted", "counted_twice", "disputed"]
            .map(|name| (name, UnitSet::new()));
        for (number, units) in (1..).zip(shards(engine, of).map(UnitSet::from)) {
            let state = if units.is_empty() {
                continue;
            } else if !units.is_disjoint(&disputed) {
                4
            } else if units.is_subset(&twice) {
                3
            } else if units.is_subset(done) {
                2
            } else if !units.is_disjoint(done) {
                1
            } else {
                0
            };
            states[state].1.insert(number..number + 1);
        }
        Self { of, states }
    }

    /// Returns the shards that lack units.
    pub fn lacking(&self) -> UnitSet {
        self.lacking_second().difference(&self.states[2].1)
    }

    /// Returns the shards without a full second count.
    pub fn lacking_second(&self) -> UnitSet {
        [0, 1, 2, 4]
            .into_iter()
            .flat_map(|state: usize| self.states[state].1.ranges())
            .collect()
    }
}

impl<'a> Campaign<'a> {
    pub fn read(app: &App, arguments: &'a StatusArguments) -> Result<Self> {
        let exclude = arguments.exclude.exclude.as_ref();
        let Loaded {
            records,
            tally,
            engine,
            flaws,
            ..
        } = records::load(app, &arguments.records, exclude, true)?;
        let now = UNIX_EPOCH.elapsed().map_or(0, |time| time.as_secs());
        let tasks = engine.units().div_ceil(engine.units_per_task()).max(1);
        let of = arguments.shards.unwrap_or(tasks.min(100));
        Ok(Self {
            arguments,
            records,
            status: CampaignStatus::new(&tally, engine.as_ref(), now, arguments.by),
            shards: Shards::new(&tally, engine.as_ref(), of),
            tally,
            flaws,
            now,
        })
    }

    /// Returns the total, if it is complete and nothing is wrong.
    pub fn total(&self) -> Option<u128> {
        self.tally.total().filter(|_| self.flaws.is_empty())
    }

    /// Ends the command like a merge of the same records.
    pub fn verdict(mut self) -> Result<()> {
        records::fail_on_transient(&mut self.flaws)?;
        match self.flaws.iter().map(RecordError::flaw_count).sum() {
            0 if self.total().is_some() => Ok(()),
            0 => Err(records::incomplete(&self.tally)),
            flaws => {
                let flaws = quantity(flaws, "problem", "problems");
                Err(Error::Wrong(format!(
                    "the records have {flaws}, listed above"
                )))
            }
        }
    }

    pub fn row(&self) -> StatusRow<'_> {
        let Self { tally, status, .. } = self;
        StatusRow {
            n: tally.plan().n,
            total: self.total().map(Count),
            complete: self.total().is_some(),
            share_counted: status.counted,
            share_counted_twice: status.counted_twice,
            share_last_hour: status.last_hour,
            share_last_day: status.last_day,
            thread_seconds: status.seconds,
            thread_seconds_to_come: status.seconds_to_come,
            thread_seconds_to_come_twice: status.seconds_to_come_twice,
            seconds_left: status.end.map(IntervalRow::from),
            seconds_left_twice: status.end_twice.map(IntervalRow::from),
            time: self.now,
            records: self.records as u64,
            running: status.running as u64,
            entries: tally.lines(),
            repeated: tally.repeated(),
            shared: tally.shared_counts().values().sum(),
            units: tally.plan().units,
            units_counted: tally.done().len(),
            missing: tally.missing().to_string(),
            by: group_name(self.arguments.by),
            groups: self.groups().collect(),
            shards: ShardsRow::from(&self.shards),
            flaws: self.flaws.iter().map(|flaw| with_sources(flaw)).collect(),
            engine: &tally.plan().engine,
            parameters: &tally.plan().parameters,
            plan: tally.plan().hash(),
            version: crate::VERSION,
        }
    }

    pub fn groups(&self) -> impl Iterator<Item = GroupRow> + '_ {
        self.status
            .groups
            .iter()
            .map(|group| GroupRow::new(self.tally.plan().n, group))
    }
}

/// The status of a count.
#[derive(Serialize)]
pub struct StatusRow<'a> {
    n: u32,
    total: Option<Count>,
    complete: bool,
    share_counted: f64,
    share_counted_twice: f64,
    share_last_hour: f64,
    share_last_day: f64,
    thread_seconds: f64,
    thread_seconds_to_come: Option<f64>,
    thread_seconds_to_come_twice: Option<f64>,
    seconds_left: Option<IntervalRow>,
    seconds_left_twice: Option<IntervalRow>,
    time: u64,
    records: u64,
    running: u64,
    entries: u64,
    repeated: u64,
    shared: u64,
    units: u64,
    units_counted: u64,
    missing: String,
    by: &'static str,
    groups: Vec<GroupRow>,
    shards: ShardsRow,
    flaws: Vec<String>,
    engine: &'a str,
    parameters: &'a str,
    plan: String,
    version: &'static str,
}

/// A group of entries, as one line of CSV.
#[derive(Serialize)]
pub struct GroupRow {
    n: u32,
    name: String,
    share_counted: f64,
    share_last_hour: f64,
    share_last_day: f64,
    entries: u64,
    thread_seconds: f64,
    last_time: Option<u64>,
    disputed: u64,
    seconds_ahead: u64,
}

/// An interval of time, in seconds.
#[derive(Serialize)]
struct IntervalRow {
    mean: f64,
    margin: f64,
}

impl From<Interval> for IntervalRow {
    fn from(Interval { mean, margin }: Interval) -> Self {
        Self { mean, margin }
    }
}

/// The numbers of the shards in each state.
#[derive(Serialize)]
struct ShardsRow {
    of: u64,
    missing: String,
    begun: String,
    counted: String,
    counted_twice: String,
    disputed: String,
}

impl From<&Shards> for ShardsRow {
    fn from(shards: &Shards) -> Self {
        let [missing, begun, counted, counted_twice, disputed] = shards
            .states
            .each_ref()
            .map(|(_, numbers)| numbers.to_string());
        Self {
            of: shards.of,
            missing,
            begun,
            counted,
            counted_twice,
            disputed,
        }
    }
}

impl GroupRow {
    fn new(n: u32, group: &Group) -> Self {
        Self {
            n,
            name: escape_control_chars(&group.name),
            share_counted: group.work,
            share_last_hour: group.last_hour,
            share_last_day: group.last_day,
            entries: group.entries,
            thread_seconds: group.seconds,
            last_time: group.last_time,
            disputed: group.disputed,
            seconds_ahead: group.seconds_ahead,
        }
    }
}
