//! Shards: a plan cut into parts of equal work, so that machine K of M knows its part without asking anybody.
//!
//! A shard is a range of neighbouring tasks. Shard K ends where the plan expects K parts in M of its work to be done, on
//! the nearest boundary of tasks. So all machines agree on the cuts, no two shards share a task, and together they are
//! the plan. Should two versions of the program ever expect different work, a merge finds what is missing between their
//! shards, and accepts what both have counted.

use std::fmt;
use std::ops::Range;
use std::str::FromStr;

use crate::board::digits;
use crate::engine::{Engine, units_per_task};

/// Part K of the M parts of a plan, with K from 1 to M. As text it is `K/M`.
///
/// ```
/// use queencount::record::Shard;
/// use queencount::{BoardSize, EngineChoice};
///
/// let engine = EngineChoice::Backtrack.engine(BoardSize::new(12)?);
/// let [first, second, third] =
///     ["1/3", "2/3", "3/3"].map(|shard| shard.parse::<Shard>().unwrap().units(engine.as_ref()));
/// assert_eq!([first.start, second.start, third.start], [0, first.end, second.end]);
/// assert_eq!(third.end, engine.units());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shard {
    part: u64,
    of: u64,
}

impl Shard {
    /// Part `part` of `of`.
    ///
    /// # Errors
    /// When `part` is not one of 1 to `of`.
    pub fn new(part: u64, of: u64) -> Result<Self, ShardError> {
        let shard = Self { part, of };
        if (1..=of).contains(&part) { Ok(shard) } else { Err(ShardError(shard.to_string())) }
    }

    /// The units of this shard; none when there are not enough tasks for all shards.
    ///
    /// # Panics
    /// When [`Engine::units_per_task`] is 0.
    pub fn units(self, engine: &dyn Engine) -> Range<u64> {
        cut(engine, self.part - 1, self.of)..cut(engine, self.part, self.of)
    }
}

/// The unit at which the first `parts` of `of` shards end.
fn cut(engine: &dyn Engine, parts: u64, of: u64) -> u64 {
    if parts == of {
        return engine.units();
    }
    let share = parts as f64 / of as f64;
    let grain = units_per_task(engine);
    let start = |task: u64| (task * grain).min(engine.units());
    // The nearest boundary is where the first task begins whose middle lies behind the cut.
    let (mut low, mut high) = (0, engine.units().div_ceil(grain));
    while low < high {
        let middle = low + (high - low) / 2;
        let half = (engine.work_before(start(middle)) + engine.work_before(start(middle + 1))) / 2.0;
        if half < share { low = middle + 1 } else { high = middle }
    }
    start(low)
}

impl fmt::Display for Shard {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}/{}", self.part, self.of)
    }
}

/// The text does not name a shard.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("expected a shard K/M with K from 1 to M, found {0:?}")]
pub struct ShardError(String);

impl FromStr for Shard {
    type Err = ShardError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let shard = text.split_once('/').and_then(|(part, of)| Self::new(digits(part)?, digits(of)?).ok());
        shard.ok_or_else(|| ShardError(text.to_owned()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{BoardSize, EngineChoice};

    #[test]
    fn shards_are_the_plan_cut_into_parts_of_about_equal_work() {
        for n in 1..=20 {
            let engine = EngineChoice::Backtrack.engine(BoardSize::new(n).unwrap());
            let heaviest = (0..engine.units()).map(|unit| engine.work(unit..unit + 1)).fold(0.0, f64::max);
            for of in [1, 2, 3, 7, 100, 1000] {
                let mut end = 0;
                for part in 1..=of {
                    let units = Shard::new(part, of).unwrap().units(engine.as_ref());
                    assert_eq!(units.start, end, "N = {n}, {part}/{of}");
                    assert!(units.start <= units.end, "N = {n}, {part}/{of}");
                    end = units.end;
                    if engine.units() > 0 {
                        let work = engine.work(units.clone());
                        assert!((work - 1.0 / of as f64).abs() <= heaviest * 1.001, "N = {n}, {part}/{of}: {work}");
                    }
                }
                assert_eq!(end, engine.units(), "N = {n}, {of}");
            }
        }
    }

    #[test]
    fn a_shard_is_one_of_the_parts() {
        assert_eq!("3/7".parse(), Shard::new(3, 7));
        for text in ["", "3", "/", "0/7", "8/7", "1/0", "-1/7", "+1/7", "1/7/9", "1 /7", "99999999999999999999/7"] {
            assert!(text.parse::<Shard>().is_err(), "{text:?}");
        }
    }
}
