//! A campaign: the state of a count that many machines share, and its fields for programs.

use std::time::UNIX_EPOCH;

use queencount::Engine;
use queencount::estimate::Interval;
use queencount::record::{CampaignStatus, Group, Loaded, RecordError, Tally, UnitSet};

use crate::cli::arguments::commands::StatusArguments;
use crate::cli::arguments::values::group_name;
use crate::cli::commands::plan::shards;
use crate::cli::counting::Counting;
use crate::cli::exit::{Exit, OrExit, with_sources};
use crate::cli::from_records;
use crate::cli::notes::in_one_line;
use crate::cli::numbers::quantity;
use crate::cli::output::{Field, Value};

pub struct Campaign<'a> {
    pub arguments: &'a StatusArguments,
    pub records: usize,
    pub tally: Tally,
    pub status: CampaignStatus,
    pub shards: Shards,
    /// Files, lines and contradictions that are wrong.
    pub flaws: Vec<RecordError>,
    /// Now, in seconds since the beginning of 1970.
    pub now: u64,
}

/// How far each shard has come: for each state the numbers of the shards in it, as a scheduler
/// takes them.
pub struct Shards {
    pub of: u64,
    /// Nothing, some, or all of these is counted, or all is counted twice; entries contradict each
    /// other.
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

    /// Returns the shards that lack a second count.
    pub fn lacking_second(&self) -> UnitSet {
        [0, 1, 2, 4]
            .into_iter()
            .flat_map(|state: usize| self.states[state].1.ranges())
            .collect()
    }
}

impl<'a> Campaign<'a> {
    pub fn read(arguments: &'a StatusArguments, counting: &Counting) -> OrExit<Self> {
        let exclude = arguments.exclude.exclude.as_ref();
        let Loaded {
            records,
            tally,
            engine,
            flaws,
            ..
        } = from_records::load(&arguments.records, exclude, counting, true)?;
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

    /// Returns the total, if there is one and nothing is wrong.
    pub fn total(&self) -> Option<u128> {
        self.tally.total().filter(|_| self.flaws.is_empty())
    }

    /// Ends the command like a merge of the same records.
    pub fn verdict(mut self) -> OrExit<()> {
        from_records::fail_on_transient(&mut self.flaws)?;
        match self.flaws.iter().map(RecordError::flaw_count).sum() {
            0 if self.total().is_some() => Ok(()),
            0 => Err(from_records::incomplete(&self.tally)),
            flaws => {
                let flaws = quantity(flaws, "flaw", "flaws");
                Err(Exit::Wrong(format!(
                    "the records have {flaws}, named above"
                )))
            }
        }
    }

    pub fn row(&self) -> StatusRow<'_> {
        let Self { tally, status, .. } = self;
        StatusRow {
            n: tally.plan().n,
            total: self.total(),
            complete: self.total().is_some(),
            share_counted: status.counted,
            share_counted_twice: status.counted_twice,
            share_last_hour: status.last_hour,
            share_last_day: status.last_day,
            thread_seconds: status.seconds,
            thread_seconds_to_come: status.seconds_to_come,
            thread_seconds_to_come_twice: status.seconds_to_come_twice,
            seconds_left: status.end,
            seconds_left_twice: status.end_twice,
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
            shards: &self.shards,
            flaws: self.flaws.iter().map(|flaw| with_sources(flaw)).collect(),
            engine: &tally.plan().engine,
            parameters: &tally.plan().parameters,
            plan: tally.plan().hash(),
            version: queencount::VERSION,
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
pub struct StatusRow<'a> {
    n: u32,
    total: Option<u128>,
    complete: bool,
    share_counted: f64,
    share_counted_twice: f64,
    share_last_hour: f64,
    share_last_day: f64,
    thread_seconds: f64,
    thread_seconds_to_come: Option<f64>,
    thread_seconds_to_come_twice: Option<f64>,
    seconds_left: Option<Interval>,
    seconds_left_twice: Option<Interval>,
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
    shards: &'a Shards,
    flaws: Vec<String>,
    engine: &'a str,
    parameters: &'a str,
    plan: String,
    version: &'static str,
}

/// A group of entries, as one line of CSV.
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

impl StatusRow<'_> {
    pub fn fields(self) -> Vec<Field> {
        let mut shards = vec![("of", Value::Number(self.shards.of))];
        for (name, numbers) in &self.shards.states {
            shards.push((name, Value::Text(numbers.to_string())));
        }
        let groups = self
            .groups
            .into_iter()
            .map(|group| Value::Object(group.fields()));
        vec![
            ("n", Value::Number(self.n.into())),
            ("total", self.total.map_or(Value::Nothing, Value::Count)),
            ("complete", Value::Truth(self.complete)),
            ("share_counted", Value::Real(self.share_counted)),
            ("share_counted_twice", Value::Real(self.share_counted_twice)),
            ("share_last_hour", Value::Real(self.share_last_hour)),
            ("share_last_day", Value::Real(self.share_last_day)),
            ("thread_seconds", Value::Real(self.thread_seconds)),
            ("thread_seconds_to_come", real(self.thread_seconds_to_come)),
            (
                "thread_seconds_to_come_twice",
                real(self.thread_seconds_to_come_twice),
            ),
            ("seconds_left", interval(self.seconds_left)),
            ("seconds_left_twice", interval(self.seconds_left_twice)),
            ("time", Value::Number(self.time)),
            ("records", Value::Number(self.records)),
            ("running", Value::Number(self.running)),
            ("entries", Value::Number(self.entries)),
            ("repeated", Value::Number(self.repeated)),
            ("shared", Value::Number(self.shared)),
            ("units", Value::Number(self.units)),
            ("units_counted", Value::Number(self.units_counted)),
            ("missing", Value::Text(self.missing)),
            ("by", self.by.into()),
            ("groups", Value::List(groups.collect())),
            ("shards", Value::Object(shards)),
            (
                "flaws",
                Value::List(self.flaws.into_iter().map(Value::Text).collect()),
            ),
            ("engine", self.engine.into()),
            ("parameters", self.parameters.into()),
            ("plan", Value::Text(self.plan)),
            ("version", self.version.into()),
        ]
    }
}

impl GroupRow {
    fn new(n: u32, group: &Group) -> Self {
        Self {
            n,
            name: in_one_line(&group.name),
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

    pub fn fields(self) -> Vec<Field> {
        vec![
            ("n", Value::Number(self.n.into())),
            ("name", Value::Text(self.name)),
            ("share_counted", Value::Real(self.share_counted)),
            ("share_last_hour", Value::Real(self.share_last_hour)),
            ("share_last_day", Value::Real(self.share_last_day)),
            ("entries", Value::Number(self.entries)),
            ("thread_seconds", Value::Real(self.thread_seconds)),
            (
                "last_time",
                self.last_time.map_or(Value::Nothing, Value::Number),
            ),
            ("disputed", Value::Number(self.disputed)),
            ("seconds_ahead", Value::Number(self.seconds_ahead)),
        ]
    }
}

fn real(number: Option<f64>) -> Value {
    number.map_or(Value::Nothing, Value::Real)
}

fn interval(interval: Option<Interval>) -> Value {
    let Some(Interval { mean, margin }) = interval else {
        return Value::Nothing;
    };
    Value::Object(vec![
        ("mean", Value::Real(mean)),
        ("margin", Value::Real(margin)),
    ])
}
