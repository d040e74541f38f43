//! A campaign: a count that many machines share, as its records tell of it now.

use std::path::PathBuf;
use std::time::UNIX_EPOCH;

use queencount::record::{RecordError, Shard, Standing, Tally, UnitSet};
use queencount::{Engine, Resources};

use crate::cli::arguments::commands::{SourceOption, StatusArguments};
use crate::cli::exit::Exit;
use crate::cli::from_records::{self, ExpectedPlan, Reading, Tolerated};
use crate::cli::numbers::quantity;
use crate::cli::shards::shards_with;

/// A campaign.
pub struct Campaign {
    /// What the user has named.
    pub paths: Vec<PathBuf>,
    /// The number of records.
    pub records: usize,
    /// The sum of the records.
    pub tally: Tally,
    /// Where it stands.
    pub standing: Standing,
    /// By what its sources are told apart.
    pub by: SourceOption,
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

impl Campaign {
    /// Reads all records.
    pub fn read(arguments: &StatusArguments) -> Result<Self, Exit> {
        let expected = ExpectedPlan { n: arguments.n, plan: arguments.plan.as_deref(), ..ExpectedPlan::default() };
        let records = from_records::records_of(&arguments.paths)?;
        let plan = from_records::plan(&records, &expected, Tolerated::Damage)?;
        let plan = plan.ok_or_else(|| Exit::Incomplete("incomplete: the records are empty".to_owned()))?;
        let engine = plan.engine(Resources::default()).map_err(|error| Exit::Wrong(error.to_string()))?;
        let Reading { tally, mut flaws, damage } = from_records::read(&records, plan, true)?;
        flaws.extend(damage.into_iter().chain(tally.disputes().map(RecordError::from)).chain(tally.refuted()));
        let now = UNIX_EPOCH.elapsed().map_or(0, |time| time.as_secs());
        let tasks = engine.units().div_ceil(engine.units_per_task()).max(1);
        let of = arguments.shards.unwrap_or(tasks.min(100));
        Ok(Self {
            paths: arguments.paths.clone(),
            records: records.len(),
            standing: Standing::new(&tally, engine.as_ref(), now, arguments.by.kind()),
            by: arguments.by,
            shards: shards(&tally, engine.as_ref(), of)?,
            audited: shards_with(&tally.audited(), engine.as_ref(), of)?,
            tally,
            flaws,
            now,
        })
    }

    /// Whether every unit is counted, and nothing is wrong.
    pub fn is_complete(&self) -> bool {
        self.flaws.is_empty() && self.tally.missing().is_empty()
    }

    /// How the command ends.
    pub fn verdict(&self) -> Result<(), Exit> {
        if !self.flaws.is_empty() {
            let flaws = quantity(self.flaws.len() as u64, "flaw", "flaws");
            return Err(Exit::Wrong(format!("the records have {flaws}, each named above")));
        }
        match self.tally.missing().len() {
            0 => Ok(()),
            missing => {
                let units = quantity(self.tally.plan().units, "unit", "units");
                Err(Exit::Incomplete(format!("incomplete: {missing} of {units} are missing")))
            }
        }
    }

    /// The numbers of the shards in some states, as a scheduler takes them.
    pub fn shards_that_are(&self, states: &[ShardState]) -> UnitSet {
        let mut numbers = UnitSet::new();
        for (number, _) in (1..).zip(&self.shards).filter(|(_, state)| states.contains(state)) {
            numbers.insert(number..number + 1);
        }
        numbers
    }
}

/// The states of so many shards.
fn shards(tally: &Tally, engine: &dyn Engine, of: u64) -> Result<Vec<ShardState>, Exit> {
    let (done, twice) = (tally.done(), tally.twice());
    let mut disputed = UnitSet::new();
    for (entry, _) in tally.disputes().flat_map(|dispute| dispute.entries) {
        disputed.insert(entry.units);
    }
    let state = |part: u64| {
        let shard = Shard::new(part, of).map_err(|error| Exit::Usage(error.to_string()))?;
        let units = UnitSet::from(shard.units(engine));
        let (lacks, some) =
            (|others: &UnitSet| units.without(others), |others: &UnitSet| units.without(others) != units);
        Ok(match () {
            () if some(&disputed) => ShardState::Disputed,
            () if lacks(&twice).is_empty() => ShardState::Twice,
            () if lacks(done).is_empty() => ShardState::Counted,
            () if some(done) => ShardState::Begun,
            () => ShardState::Missing,
        })
    };
    (1..=of).map(state).collect()
}
