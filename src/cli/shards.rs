//! Shards by their numbers, as schedulers take them.

use queencount::Engine;
use queencount::record::{Shard, UnitSet};

use super::exit::Exit;

/// The numbers of the shards that have some of these units, `of` being the number of all shards.
pub fn shards_with(units: &UnitSet, engine: &dyn Engine, of: u64) -> Result<UnitSet, Exit> {
    let mut numbers = UnitSet::new();
    for part in 1..=of {
        let shard = Shard::new(part, of).map_err(|error| Exit::Usage(error.to_string()))?;
        let shard = UnitSet::from(shard.units(engine));
        if shard.without(units) != shard {
            numbers.insert(part..part + 1);
        }
    }
    Ok(numbers)
}
