//! Shards by their numbers, as schedulers take them.

use std::ops::Range;

use queencount::Engine;
use queencount::record::{Shard, UnitSet};

/// The units of each shard, `of` being the number of all shards.
pub fn shards(engine: &dyn Engine, of: u64) -> impl Iterator<Item = Range<u64>> {
    (1..=of).map(move |part| Shard::new(part, of).expect("it is one of them").units(engine))
}

/// The numbers of the shards that have some of these units.
pub fn shards_with(units: &UnitSet, engine: &dyn Engine, of: u64) -> UnitSet {
    numbers(shards(engine, of).map(|shard| UnitSet::from(shard).overlaps(units)))
}

/// The numbers of the shards of which something is true, told for one after another.
pub fn numbers(is_true: impl Iterator<Item = bool>) -> UnitSet {
    (1..).zip(is_true).filter(|(_, is_true)| *is_true).map(|(number, _)| number..number + 1).collect()
}
