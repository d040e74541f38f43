//! A campaign: a count that many machines share, as its records tell of it now; and its fields, for programs.

use std::time::UNIX_EPOCH;

use queencount::Engine;
use queencount::estimate::Interval;
use queencount::record::{RecordError, Source, Standing, Tally, UnitSet};

use crate::cli::arguments::commands::StatusArguments;
use crate::cli::arguments::values::source_name;
use crate::cli::commands::plan::{numbers, shards, shards_with};
use crate::cli::counting::Counting;
use crate::cli::exit::Exit;
use crate::cli::from_records::{self, Reading};
use crate::cli::numbers::quantity;
use crate::cli::output::{Field, Value};

/// A campaign.
pub struct Campaign<'a> {
    /// What the user has asked for.
    pub arguments: &'a StatusArguments,
    /// The number of records.
    pub records: usize,
    /// The sum of the records.
    pub tally: Tally,
    /// Where it stands.
    pub standing: Standing,
    /// The state of each shard.
    pub shards: Vec<ShardState>,
    /// The numbers of the shards of which an audit has counted something again, with the same result.
    pub audited: UnitSet,
    /// What is wrong with records: files, lines and contradictions.
    pub flaws: Vec<RecordError>,
    /// Now, in seconds since the beginning of 1970.
    pub now: u64,
}

/// How far a shard has come. The first that is true counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ShardState {
    /// Entries of it contradict others.
    Disputed,
    /// All of it has been counted alike by two sites.
    Twice,
    /// All of it has been counted.
    Counted,
    /// Some of it has been counted.
    Begun,
    /// Nothing of it has been counted.
    Missing,
}

impl ShardState {
    /// All states.
    pub const ALL: [Self; 5] = [Self::Missing, Self::Begun, Self::Counted, Self::Twice, Self::Disputed];

    /// The states of shards that lack units.
    pub const LACKING: [Self; 3] = [Self::Missing, Self::Begun, Self::Disputed];

    /// What it is called.
    pub fn name(self) -> &'static str {
        match self {
            Self::Missing => "missing",
            Self::Begun => "begun",
            Self::Counted => "counted",
            Self::Twice => "twice",
            Self::Disputed => "disputed",
        }
    }
}

impl<'a> Campaign<'a> {
    /// Reads all records.
    pub fn read(arguments: &'a StatusArguments, counting: &Counting) -> Result<Self, Exit> {
        let Reading { records, tally, engine, flaws } = from_records::read(&arguments.records, counting, true)?;
        let now = UNIX_EPOCH.elapsed().map_or(0, |time| time.as_secs());
        let tasks = engine.units().div_ceil(engine.units_per_task()).max(1);
        let of = arguments.shards.unwrap_or(tasks.min(100));
        Ok(Self {
            arguments,
            records,
            standing: Standing::new(&tally, engine.as_ref(), now, arguments.by),
            shards: states(&tally, engine.as_ref(), of),
            audited: shards_with(&tally.audited(), engine.as_ref(), of),
            tally,
            flaws,
            now,
        })
    }

    /// Whether every unit is counted, and nothing is wrong.
    pub fn is_complete(&self) -> bool {
        self.flaws.is_empty() && self.tally.missing().is_empty()
    }

    /// How the command ends: as a merge of the same records.
    pub fn verdict(mut self) -> Result<(), Exit> {
        if let Some(place) = self.flaws.iter().position(RecordError::worth_retrying) {
            return Err(self.flaws.swap_remove(place).into());
        }
        match self.flaws.iter().map(RecordError::flaws).sum() {
            0 if self.is_complete() => Ok(()),
            0 => Err(from_records::incomplete(&self.tally)),
            flaws => {
                let flaws = quantity(flaws, "flaw", "flaws");
                Err(Exit::Wrong(format!("the records have {flaws}, each named above")))
            }
        }
    }

    /// The numbers of the shards in some states, as a scheduler takes them.
    pub fn shards_that_are(&self, states: &[ShardState]) -> UnitSet {
        numbers(self.shards.iter().map(|state| states.contains(state)))
    }

    /// All that there is to say.
    pub fn fields(&self) -> Vec<Field> {
        let Self { tally, standing, .. } = self;
        let plan = tally.plan();
        let complete = self.is_complete();
        let interval = |interval: Option<Interval>| match interval {
            Some(Interval { mean, margin }) => {
                Value::Object(vec![("mean", Value::Real(mean)), ("margin", Value::Real(margin))])
            }
            None => Value::Nothing,
        };
        let left = |seconds: Option<f64>| seconds.map_or(Value::Nothing, Value::Real);
        // As a scheduler takes them.
        let mut shards = vec![("of", Value::Number(self.shards.len() as u64))];
        shards.extend(
            ShardState::ALL.map(|state| (state.name(), Value::Text(self.shards_that_are(&[state]).to_string()))),
        );
        shards.push(("audited", Value::Text(self.audited.to_string())));
        vec![
            ("n", Value::Number(plan.n.into())),
            ("total", if complete { Value::Count(tally.total()) } else { Value::Nothing }),
            ("complete", Value::Truth(complete)),
            ("counted", Value::Real(standing.counted)),
            ("counted_twice", Value::Real(standing.counted_twice)),
            ("audited", Value::Real(standing.audited)),
            ("core_seconds", Value::Real(standing.seconds)),
            ("core_seconds_to_come", left(standing.to_come)),
            ("core_seconds_to_come_twice", left(standing.to_come_twice)),
            ("last_hour", Value::Real(standing.hour)),
            ("last_day", Value::Real(standing.day)),
            ("seconds_left", interval(standing.end)),
            ("seconds_left_twice", interval(standing.end_twice)),
            ("time", Value::Number(self.now)),
            ("records", Value::Number(self.records as u64)),
            ("running", Value::Number(standing.running as u64)),
            ("entries", Value::Number(tally.lines())),
            ("repeated", Value::Number(tally.repeated())),
            ("findings", Value::Number(tally.findings().count() as u64)),
            ("units", Value::Number(plan.units)),
            ("done", Value::Number(tally.done().len())),
            ("missing", Value::Text(tally.missing().to_string())),
            ("by", Value::Word(source_name(self.arguments.by))),
            (
                "sources",
                Value::List(standing.sources.iter().map(|source| Value::Object(fields("name", source))).collect()),
            ),
            ("shards", Value::Object(shards)),
            ("flaws", Value::List(self.flaws.iter().map(|flaw| Value::Text(flaw.to_string())).collect())),
            ("engine", Value::Text(plan.engine.clone())),
            ("parameters", Value::Text(plan.parameters.clone())),
            ("plan", Value::Text(plan.hash())),
            ("version", Value::Word(env!("CARGO_PKG_VERSION"))),
        ]
    }

    /// A line for each source.
    pub fn lines(&self) -> impl Iterator<Item = Vec<Field>> {
        let (n, name) = (self.tally.plan().n, source_name(self.arguments.by));
        let line = move |source| [("n", Value::Number(n.into()))].into_iter().chain(fields(name, source)).collect();
        self.standing.sources.iter().map(line)
    }
}

/// The states of so many shards.
fn states(tally: &Tally, engine: &dyn Engine, of: u64) -> Vec<ShardState> {
    let (done, twice) = (tally.done(), tally.twice());
    let disputed: UnitSet =
        tally.disputes().flat_map(|dispute| dispute.entries).map(|(entry, _)| entry.units()).collect();
    let state = |units: UnitSet| match () {
        () if units.overlaps(&disputed) => ShardState::Disputed,
        () if units.without(&twice).is_empty() => ShardState::Twice,
        () if units.without(done).is_empty() => ShardState::Counted,
        () if units.overlaps(done) => ShardState::Begun,
        () => ShardState::Missing,
    };
    shards(engine, of).map(UnitSet::from).map(state).collect()
}

/// What there is to say of a source, whose name is called so.
fn fields(name: &'static str, source: &Source) -> Vec<Field> {
    vec![
        (name, Value::Text(source.name.clone())),
        ("share", Value::Real(source.work)),
        ("last_hour", Value::Real(source.hour)),
        ("last_day", Value::Real(source.day)),
        ("entries", Value::Number(source.entries)),
        ("core_seconds", Value::Real(source.seconds)),
        ("last_time", source.last.map_or(Value::Nothing, Value::Number)),
        ("audited", Value::Real(source.audited)),
        ("disputed", Value::Number(source.disputed)),
        ("wrong", Value::Number(source.wrong)),
        ("seconds_ahead", Value::Number(source.ahead)),
    ]
}
