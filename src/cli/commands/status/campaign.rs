//! A campaign: a count that many machines share, as its records tell of it now.

use std::time::UNIX_EPOCH;

use queencount::Engine;
use queencount::record::{RecordError, Standing, Tally, UnitSet};

use crate::cli::arguments::commands::StatusArguments;
use crate::cli::counting::Counting;
use crate::cli::exit::Exit;
use crate::cli::from_records::{self, Reading, Tolerated};
use crate::cli::numbers::quantity;
use crate::cli::shards::{numbers, shards, shards_with};

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
        let Reading { records, tally, engine, flaws } =
            from_records::read(&arguments.records, counting, Tolerated::Damage)?;
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

    /// How the command ends.
    pub fn verdict(&self) -> Result<(), Exit> {
        match self.flaws.len() as u64 {
            0 if self.tally.missing().is_empty() => Ok(()),
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
}

/// The states of so many shards.
fn states(tally: &Tally, engine: &dyn Engine, of: u64) -> Vec<ShardState> {
    let (done, twice) = (tally.done(), tally.twice());
    let disputed: UnitSet =
        tally.disputes().flat_map(|dispute| dispute.entries).map(|(entry, _)| entry.units).collect();
    let state = |units: UnitSet| match () {
        () if units.overlaps(&disputed) => ShardState::Disputed,
        () if units.without(&twice).is_empty() => ShardState::Twice,
        () if units.without(done).is_empty() => ShardState::Counted,
        () if units.overlaps(done) => ShardState::Begun,
        () => ShardState::Missing,
    };
    shards(engine, of).map(UnitSet::from).map(state).collect()
}
