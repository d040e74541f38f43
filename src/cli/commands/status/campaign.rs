//! A campaign: a count that many machines share, as its records tell of it now; and its fields, for
//! programs.

use std::time::UNIX_EPOCH;

use queencount::Engine;
use queencount::estimate::Interval;
use queencount::record::{RecordError, Source, SourceKind, Standing, Tally, UnitSet};

use crate::cli::arguments::commands::StatusArguments;
use crate::cli::arguments::values::source_name;
use crate::cli::commands::plan::{shards, shards_with};
use crate::cli::counting::Counting;
use crate::cli::exit::{Exit, OrExit};
use crate::cli::from_records::{self, Reading};
use crate::cli::numbers::quantity;
use crate::cli::output::{Field, Value};

pub struct Campaign<'a> {
    pub arguments: &'a StatusArguments,
    pub records: usize,
    pub tally: Tally,
    pub standing: Standing,
    pub shards: Shards,
    /// What is wrong with records: files, lines and contradictions.
    pub flaws: Vec<RecordError>,
    /// Now, in seconds since the beginning of 1970.
    pub now: u64,
}

/// How far each shard has come: for each state the numbers of the shards that are in it, as a
/// scheduler takes them.
pub struct Shards {
    pub of: u64,
    /// Nothing, some, or all of these has been counted; all, alike by two sites; entries of them
    /// contradict others.
    pub states: [(&'static str, UnitSet); 5],
    /// Those of which an audit has counted something again, with the same result.
    pub audited: UnitSet,
}

impl Shards {
    /// The states of so many shards. The first that is true counts; a shard without units has none.
    fn new(tally: &Tally, engine: &dyn Engine, by: SourceKind, of: u64) -> Self {
        let (done, twice) = (tally.done(), tally.twice(by));
        let disputed: UnitSet = tally
            .disputes()
            .flat_map(|dispute| dispute.entries)
            .map(|(entry, _)| entry.units())
            .collect();
        let mut states =
            ["missing", "begun", "counted", "twice", "disputed"].map(|name| (name, UnitSet::new()));
        for (number, units) in (1..).zip(shards(engine, of).map(UnitSet::from)) {
            let state = match () {
                () if units.is_empty() => continue,
                () if units.overlaps(&disputed) => 4,
                () if units.without(&twice).is_empty() => 3,
                () if units.without(done).is_empty() => 2,
                () if units.overlaps(done) => 1,
                () => 0,
            };
            states[state].1.insert(number..number + 1);
        }
        Self {
            of,
            states,
            audited: shards_with(&tally.audited(), engine, of),
        }
    }

    /// The shards that lack units.
    pub fn lacking(&self) -> UnitSet {
        self.once().without(&self.states[2].1)
    }

    /// The shards that lack a second count.
    pub fn once(&self) -> UnitSet {
        [0, 1, 2, 4]
            .into_iter()
            .flat_map(|state: usize| self.states[state].1.ranges())
            .collect()
    }
}

impl<'a> Campaign<'a> {
    pub fn read(arguments: &'a StatusArguments, counting: &Counting) -> OrExit<Self> {
        let Reading {
            records,
            tally,
            engine,
            flaws,
        } = from_records::read(&arguments.records, counting, true)?;
        let now = UNIX_EPOCH.elapsed().map_or(0, |time| time.as_secs());
        let tasks = engine.units().div_ceil(engine.units_per_task()).max(1);
        let of = arguments.shards.unwrap_or(tasks.min(100));
        Ok(Self {
            arguments,
            records,
            standing: Standing::new(&tally, engine.as_ref(), now, arguments.by),
            shards: Shards::new(&tally, engine.as_ref(), arguments.by, of),
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
    pub fn verdict(mut self) -> OrExit<()> {
        from_records::lasting(&mut self.flaws)?;
        match self.flaws.iter().map(RecordError::flaws).sum() {
            0 if self.is_complete() => Ok(()),
            0 => Err(from_records::incomplete(&self.tally)),
            flaws => {
                let flaws = quantity(flaws, "flaw", "flaws");
                Err(Exit::Wrong(format!(
                    "the records have {flaws}, named above"
                )))
            }
        }
    }

    pub fn fields(&self) -> Vec<Field> {
        let Self {
            tally, standing, ..
        } = self;
        let plan = tally.plan();
        let complete = self.is_complete();
        let interval = |interval: Option<Interval>| match interval {
            Some(Interval { mean, margin }) => Value::Object(vec![
                ("mean", Value::Real(mean)),
                ("margin", Value::Real(margin)),
            ]),
            None => Value::Nothing,
        };
        let left = |seconds: Option<f64>| seconds.map_or(Value::Nothing, Value::Real);
        let mut shards = vec![("of", Value::Number(self.shards.of))];
        shards.extend(
            self.shards
                .states
                .iter()
                .map(|(name, numbers)| (*name, Value::Text(numbers.to_string()))),
        );
        shards.push(("audited", Value::Text(self.shards.audited.to_string())));
        vec![
            ("n", Value::Number(plan.n.into())),
            (
                "total",
                if complete {
                    Value::Count(tally.total())
                } else {
                    Value::Nothing
                },
            ),
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
            (
                "copies",
                Value::Number(tally.copies().map_or(0, |copies| copies.number)),
            ),
            ("findings", Value::Number(tally.findings().count() as u64)),
            ("units", Value::Number(plan.units)),
            ("done", Value::Number(tally.done().len())),
            ("missing", Value::Text(tally.missing().to_string())),
            ("by", source_name(self.arguments.by).into()),
            (
                "sources",
                Value::List(
                    standing
                        .sources
                        .iter()
                        .map(|source| Value::Object(fields("name", source)))
                        .collect(),
                ),
            ),
            ("shards", Value::Object(shards)),
            (
                "flaws",
                Value::List(
                    self.flaws
                        .iter()
                        .map(|flaw| Value::Text(flaw.to_string()))
                        .collect(),
                ),
            ),
            ("engine", Value::Text(plan.engine.clone())),
            ("parameters", Value::Text(plan.parameters.clone())),
            ("plan", Value::Text(plan.hash())),
            ("version", env!("CARGO_PKG_VERSION").into()),
        ]
    }

    /// A line for each source.
    pub fn lines(&self) -> impl Iterator<Item = Vec<Field>> {
        let (n, name) = (self.tally.plan().n, source_name(self.arguments.by));
        let line = move |source| {
            [("n", Value::Number(n.into()))]
                .into_iter()
                .chain(fields(name, source))
                .collect()
        };
        self.standing.sources.iter().map(line)
    }
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
        (
            "last_time",
            source.last.map_or(Value::Nothing, Value::Number),
        ),
        ("audited", Value::Real(source.audited)),
        ("disputed", Value::Number(source.disputed)),
        ("wrong", Value::Number(source.wrong)),
        ("seconds_ahead", Value::Number(source.ahead)),
    ]
}
