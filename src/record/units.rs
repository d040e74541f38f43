//! Sets of units: what is done, what is missing, what a machine is to count.
//!
//! Units are counted in runs of neighbours, so a set is kept as the runs that it consists of. As text a set is
//! `3,17,40-44`, both ends of a run included: the form that schedulers print and take.

use std::collections::BTreeMap;
use std::fmt;
use std::ops::Range;
use std::str::FromStr;

/// A set of units.
///
/// ```
/// use queencount::record::UnitSet;
///
/// let mut units: UnitSet = "40-44,3".parse()?;
/// units.insert(17..18);
/// assert_eq!(units.to_string(), "3,17,40-44");
/// assert_eq!(units.len(), 7);
/// assert_eq!("0..3".parse::<UnitSet>()?.to_string(), "0-2");
/// # Ok::<(), queencount::record::UnitSetError>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct UnitSet {
    /// The end of each run by its start; runs neither overlap nor touch.
    runs: BTreeMap<u64, u64>,
}

impl UnitSet {
    /// The set without any unit.
    pub const fn new() -> Self {
        Self { runs: BTreeMap::new() }
    }

    /// Adds a run of units.
    pub fn insert(&mut self, run: Range<u64>) {
        if run.is_empty() {
            return;
        }
        let Range { mut start, mut end } = run;
        // The runs that the new one overlaps or touches become part of it.
        while let Some((&other, &other_end)) = self.runs.range(..=end).next_back() {
            if other_end < start {
                break;
            }
            start = start.min(other);
            end = end.max(other_end);
            self.runs.remove(&other);
        }
        self.runs.insert(start, end);
    }

    /// The runs of neighbouring units, in order; between two of them there is a unit that is not in the set.
    pub fn runs(&self) -> impl Iterator<Item = Range<u64>> + '_ {
        self.runs.iter().map(|(&start, &end)| start..end)
    }

    /// The number of units.
    pub fn len(&self) -> u64 {
        self.runs().map(|run| run.end - run.start).sum()
    }

    /// Whether there is no unit.
    pub fn is_empty(&self) -> bool {
        self.runs.is_empty()
    }

    /// One more than the last unit; 0 for the empty set.
    pub fn end(&self) -> u64 {
        self.runs.last_key_value().map_or(0, |(_, &end)| end)
    }

    /// The units of this set that are not in `other`.
    #[must_use]
    pub fn without(&self, other: &Self) -> Self {
        let mut left = Self::new();
        for Range { mut start, end } in self.runs() {
            // The first run of the other set that may reach into this one begins at or before its start.
            let before = other.runs.range(..=start).next_back().map_or(start, |(&start, _)| start);
            for (&cut, &cut_end) in other.runs.range(before..end) {
                left.insert(start..cut.max(start));
                start = start.max(cut_end);
            }
            left.insert(start..end);
        }
        left
    }
}

impl From<Range<u64>> for UnitSet {
    fn from(run: Range<u64>) -> Self {
        let mut units = Self::new();
        units.insert(run);
        units
    }
}

impl fmt::Display for UnitSet {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, run) in self.runs().enumerate() {
            let comma = if index == 0 { "" } else { "," };
            match run.end - 1 {
                last if last == run.start => write!(formatter, "{comma}{last}")?,
                last => write!(formatter, "{comma}{}-{last}", run.start)?,
            }
        }
        Ok(())
    }
}

/// The text does not name a set of units.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("expected units such as 3,17,40-44 or 0..100, found {0:?}")]
pub struct UnitSetError(String);

impl FromStr for UnitSet {
    type Err = UnitSetError;

    /// Units and runs separated by commas; `40-44` is the same run as `40..45`.
    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let mut units = Self::new();
        for part in text.split(',') {
            let run = parse_run(part).ok_or_else(|| UnitSetError(part.chars().take(60).collect()))?;
            units.insert(run);
        }
        Ok(units)
    }
}

/// One part of a set as text.
fn parse_run(part: &str) -> Option<Range<u64>> {
    let number = |text: &str| {
        let digits = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
        if digits { text.parse::<u64>().ok() } else { None }
    };
    let (start, end) = match (part.split_once(".."), part.split_once('-')) {
        (Some((start, end)), _) => (number(start)?, number(end)?),
        (None, Some((first, last))) => (number(first)?, number(last)?.checked_add(1)?),
        (None, None) => (number(part)?, number(part)?.checked_add(1)?),
    };
    (start < end).then_some(start..end)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::BTreeSet;

    fn members(units: &UnitSet) -> BTreeSet<u64> {
        units.runs().flatten().collect()
    }

    fn any_runs() -> impl Strategy<Value = Vec<Range<u64>>> {
        proptest::collection::vec((0..60u64, 0..9u64).prop_map(|(start, length)| start..start + length), 0..12)
    }

    proptest! {
        #[test]
        fn a_set_of_units_is_a_set(a in any_runs(), b in any_runs()) {
            let [mut x, mut y] = [UnitSet::new(), UnitSet::new()];
            a.iter().for_each(|run| x.insert(run.clone()));
            b.iter().for_each(|run| y.insert(run.clone()));
            let [p, q]: [BTreeSet<u64>; 2] = [a.into_iter().flatten().collect(), b.into_iter().flatten().collect()];
            prop_assert_eq!(members(&x), p.clone());
            prop_assert_eq!(x.len(), p.len() as u64);
            prop_assert_eq!(x.end(), p.last().map_or(0, |last| last + 1));
            prop_assert_eq!(members(&x.without(&y)), p.difference(&q).copied().collect());
            // Runs do not touch, so the text is the shortest there is, and it names the same set.
            let runs: Vec<_> = x.runs().collect();
            prop_assert!(runs.windows(2).all(|pair| pair[0].end < pair[1].start));
            if !x.is_empty() {
                prop_assert_eq!(x.to_string().parse::<UnitSet>(), Ok(x));
            }
        }
    }

    #[test]
    fn what_names_no_units_is_refused() {
        for text in [
            "",
            ",",
            "3,",
            "a",
            "-",
            "4-3",
            "3-",
            "-3",
            "5..5",
            "+3",
            "1 2",
            "18446744073709551615",
            "1-2-3",
            "1..2..3",
        ] {
            assert!(text.parse::<UnitSet>().is_err(), "{text:?}");
        }
    }
}
