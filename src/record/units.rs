//! Sets of units, and shards.

#![allow(clippy::cast_precision_loss, reason = "approximate")]

use std::collections::BTreeMap;
use std::fmt;
use std::ops::Range;
use std::str::FromStr;

use crate::engine::{Engine, units_per_task};
use crate::parse::{ParseError, parse_digits};

/// A set of units, stored as ranges, because neighbouring units are counted together.
///
/// ```
/// use queencount::record::UnitSet;
///
/// let mut units: UnitSet = "40-44,3".parse()?;
/// units.insert(17..18);
/// assert_eq!(units.to_string(), "3,17,40-44");
/// assert_eq!(units.len(), 7);
/// assert_eq!(units.difference(&UnitSet::from(10..42)).to_string(), "3,42-44");
/// # Ok::<(), queencount::ParseError>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct UnitSet {
    /// The end of each range, keyed by its start.
    ends: BTreeMap<u64, u64>,
}

impl UnitSet {
    /// Creates an empty set.
    pub const fn new() -> Self {
        Self {
            ends: BTreeMap::new(),
        }
    }

    /// Adds a range of units.
    pub fn insert(&mut self, range: Range<u64>) {
        let Range { mut start, mut end } = range;
        if start >= end {
            return;
        }
        // Merge the range with all ranges that it overlaps or touches.
        while let Some((&other, &other_end)) = self.ends.range(..=end).next_back() {
            if other_end < start {
                break;
            }
            start = start.min(other);
            end = end.max(other_end);
            self.ends.remove(&other);
        }
        self.ends.insert(start, end);
    }

    /// Returns the ranges, in order. They neither overlap nor touch.
    pub fn ranges(&self) -> impl Iterator<Item = Range<u64>> + '_ {
        self.ends.iter().map(|(&start, &end)| start..end)
    }

    /// Returns the number of units.
    pub fn len(&self) -> u64 {
        self.ranges().map(|range| range.end - range.start).sum()
    }

    /// Returns whether the set is empty.
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// Returns the last unit, if any.
    pub fn last(&self) -> Option<u64> {
        self.ends.last_key_value().map(|(_, &end)| end - 1)
    }

    /// Returns the units of this set that are not in `other`.
    #[must_use]
    pub fn difference(&self, other: &Self) -> Self {
        let mut left = Self::new();
        for Range { mut start, end } in self.ranges() {
            // Begin with the last range of `other` that starts no later than this range.
            let before = other
                .ends
                .range(..=start)
                .next_back()
                .map_or(start, |(&before, _)| before);
            for (&cut, &cut_end) in other.ends.range(before..end) {
                left.insert(start..cut);
                start = start.max(cut_end);
            }
            left.insert(start..end);
        }
        left
    }

    /// Returns all units of every task that contains a unit of this set.
    #[must_use]
    pub fn whole_tasks(&self, engine: &dyn Engine) -> Self {
        let grain = units_per_task(engine);
        let units = engine.units();
        self.ranges()
            .map(|Range { start, end }| {
                let whole_end = end.div_ceil(grain).saturating_mul(grain);
                start / grain * grain..whole_end.min(units.max(end))
            })
            .collect()
    }

    /// Checks that an engine has all these units.
    ///
    /// # Errors
    /// Fails if a unit is out of range.
    pub fn check(&self, engine: &dyn Engine) -> Result<(), ParseError> {
        let units = engine.units();
        let n = engine.size();
        match self.last() {
            Some(last) if last >= units => Err(ParseError::new(
                format!("units below {units}, the number of units of N = {n}"),
                last.to_string(),
            )),
            _ => Ok(()),
        }
    }

    /// Returns whether the two sets have no units in common.
    pub fn is_disjoint(&self, other: &Self) -> bool {
        self.difference(other) == *self
    }
}

impl Extend<Range<u64>> for UnitSet {
    fn extend<I: IntoIterator<Item = Range<u64>>>(&mut self, ranges: I) {
        ranges.into_iter().for_each(|range| self.insert(range));
    }
}

impl From<Range<u64>> for UnitSet {
    fn from(range: Range<u64>) -> Self {
        Self::from_iter([range])
    }
}

impl FromIterator<Range<u64>> for UnitSet {
    fn from_iter<I: IntoIterator<Item = Range<u64>>>(ranges: I) -> Self {
        let mut units = Self::new();
        units.extend(ranges);
        units
    }
}

impl fmt::Display for UnitSet {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let ranges = self.ranges().map(|Range { start, end }| match end - start {
            1 => start.to_string(),
            _ => format!("{start}-{}", end - 1),
        });
        formatter.write_str(&ranges.collect::<Vec<_>>().join(","))
    }
}

impl FromStr for UnitSet {
    type Err = ParseError;

    /// Parses units and inclusive ranges, separated by commas.
    fn from_str(text: &str) -> Result<Self, Self::Err> {
        fn range(part: &str) -> Option<Range<u64>> {
            let (first, last) = part.split_once('-').unwrap_or((part, part));
            let start = parse_digits(first)?;
            let end = parse_digits::<u64>(last)?.checked_add(1)?;
            (start < end).then_some(start..end)
        }
        if text.is_empty() {
            return Ok(Self::new());
        }
        text.split(',')
            .map(|part| {
                range(part).ok_or_else(|| {
                    let expected = "units or increasing ranges, such as 3,17,40-44";
                    ParseError::new(expected, part)
                })
            })
            .collect()
    }
}

/// Shard K of a plan that is divided into M shards. Its text form is `K/M`.
///
/// On every machine, shard K ends at the task boundary nearest to K/M of the expected work.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shard {
    part: u64,
    of: u64,
}

impl Shard {
    /// Creates the shard `part`/`of`.
    ///
    /// # Errors
    /// Fails if `part` is not between 1 and `of`.
    pub fn new(part: u64, of: u64) -> Result<Self, ParseError> {
        if (1..=of).contains(&part) {
            Ok(Self { part, of })
        } else {
            Err(Self::error(&format!("{part}/{of}")))
        }
    }

    fn error(found: &str) -> ParseError {
        ParseError::new("a shard K/M with K from 1 to M", found)
    }

    /// Returns the units of this shard. There are none if the plan has too few tasks.
    pub fn units(self, engine: &dyn Engine) -> Range<u64> {
        cut(engine, self.part - 1, self.of)..cut(engine, self.part, self.of)
    }
}

/// Returns the end of the shard `parts`/`of`.
fn cut(engine: &dyn Engine, parts: u64, of: u64) -> u64 {
    if parts == 0 {
        return 0;
    }
    if parts == of {
        return engine.units();
    }
    let share = parts as f64 / of as f64;
    let grain = units_per_task(engine);
    // The nearest boundary is one of the ends of this task.
    let begin = engine.unit_at(share) / grain * grain;
    let end = (begin + grain).min(engine.units());
    let middle = (engine.cumulative_work(begin) + engine.cumulative_work(end)) / 2.0;
    if middle < share { end } else { begin }
}

impl fmt::Display for Shard {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}/{}", self.part, self.of)
    }
}

impl FromStr for Shard {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        text.split_once('/')
            .and_then(|(part, of)| Self::new(parse_digits(part)?, parse_digits(of)?).ok())
            .ok_or_else(|| Self::error(text))
    }
}
