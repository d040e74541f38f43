//! Entries that share units: what they say together.
//!
//! An entry says how many solutions its units have. In other words, it is an equation: count the solutions from the
//! first unit on, and the *height* that is reached behind the entry exceeds the height before it by its count.
//!
//! ```text
//!   unit     5   6   7   8   9  10  11  12
//!          |-------- 12 -------|             the height at 10 is the height at 5 and 12 more
//!                  |---------- 9 ----------| the height at 13 is the height at 7 and  9 more
//!          |- 3 -|                           the height at 6 is the height at 5 and 3 more
//! ```
//!
//! Borders that entries connect, in whatever way, are a *net*: the difference of any two of their heights is known. So
//! all units between the first and the last border of a net have a known sum, and each of them counts once. Here that
//! is units 5 to 9. Units 10 to 12 have to be counted; then the borders 7 and 13 belong to the same net, and the second
//! entry has to agree with it, too.
//!
//! Entries contradict each other when a border gets two heights, or when entries within a range, of which no two share
//! a unit, exceed the sum of that range.

use std::collections::BTreeMap;
use std::ops::Range;

/// Some units and the number of their solutions.
pub(super) type Sum = (Range<u64>, u128);

/// The sums of as many units as overlapping entries, in the order of their first units, tell the sum of; no two of them
/// share a unit. `None` if the entries cannot all be true.
pub(super) fn sums(entries: &[Sum]) -> Option<Vec<Sum>> {
    let heights = heights(entries)?;
    let last: BTreeMap<u64, u64> = heights.iter().map(|(&border, &(net, _))| (net, border)).collect();
    let mut sums = Vec::new();
    let mut behind = 0;
    for (&start, &(net, height)) in &heights {
        let end = last[&net];
        if start < behind || start == end {
            continue;
        }
        let count = u128::try_from(heights[&end].1 - height).ok()?;
        if least(entries, start..end) > count {
            return None;
        }
        sums.push((start..end, count));
        behind = end;
    }
    Some(sums)
}

/// The net of each border and its height in this net. A net is named by its first border, whose height is 0.
fn heights(entries: &[Sum]) -> Option<BTreeMap<u64, (u64, i128)>> {
    let mut steps: BTreeMap<u64, Vec<(u64, i128)>> = BTreeMap::new();
    for (units, count) in entries {
        let count = i128::try_from(*count).ok()?;
        steps.entry(units.start).or_default().push((units.end, count));
        steps.entry(units.end).or_default().push((units.start, -count));
    }
    let mut heights: BTreeMap<u64, (u64, i128)> = BTreeMap::new();
    for &net in steps.keys() {
        let mut reached = if heights.contains_key(&net) { vec![] } else { vec![(net, 0)] };
        while let Some((border, height)) = reached.pop() {
            match heights.insert(border, (net, height)) {
                Some((_, known)) if known != height => return None,
                Some(_) => {}
                None => {
                    for &(other, step) in &steps[&border] {
                        reached.push((other, i128::checked_add(height, step)?));
                    }
                }
            }
        }
    }
    Some(heights)
}

/// The least number of solutions that the entries within a range leave it: those of which no two share a unit add up.
fn least(entries: &[Sum], range: Range<u64>) -> u128 {
    let begin = entries.partition_point(|(units, _)| units.start < range.start);
    let mut within: Vec<&Sum> = entries[begin..].iter().take_while(|(units, _)| units.start < range.end).collect();
    within.retain(|(units, _)| units.end <= range.end);
    within.sort_unstable_by_key(|(units, _)| units.end);
    // The least number before each border; it never falls from one to the next.
    let mut least = BTreeMap::from([(range.start, 0_u128)]);
    for (units, count) in within {
        let before = |border: u64| *least.range(..=border).next_back().expect("the first border").1;
        let number = before(units.end).max(before(units.start).saturating_add(*count));
        least.insert(units.end, number);
    }
    least.into_values().next_back().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn judged(entries: &[(u64, u64, u128)]) -> Option<Vec<(u64, u64, u128)>> {
        let mut entries: Vec<Sum> = entries.iter().map(|&(start, end, count)| (start..end, count)).collect();
        entries.sort_by_key(|(units, _)| (units.start, units.end));
        Some(sums(&entries)?.into_iter().map(|(units, count)| (units.start, units.end, count)).collect())
    }

    #[test]
    fn overlapping_entries_say_what_they_determine_or_that_they_contradict_each_other() {
        // The picture above, without its last entry and with it; and with units 10 to 12.
        assert_eq!(judged(&[(5, 10, 12), (7, 13, 9)]), Some(vec![(5, 10, 12)]));
        assert_eq!(judged(&[(5, 10, 12), (7, 13, 9), (5, 6, 3)]), Some(vec![(5, 10, 12)]));
        let counted = [(5, 10, 12), (7, 13, 9), (5, 6, 3), (10, 13, 4)];
        assert_eq!(judged(&counted), Some(vec![(5, 13, 16)]));
        // One within another, and both from border to border.
        assert_eq!(judged(&[(0, 8, 5), (2, 4, 5)]), Some(vec![(0, 8, 5)]));
        assert_eq!(judged(&[(0, 8, 5), (0, 4, 2), (4, 8, 3)]), Some(vec![(0, 8, 5)]));
        // What cannot be: two counts, parts that are not the whole, more within than without, a sum below nothing.
        for wrong in [
            &[(0, 8, 5), (0, 8, 6)][..],
            &[(0, 8, 5), (0, 4, 2), (4, 8, 4)],
            &[(0, 8, 5), (0, 4, 2), (4, 8, 2)],
            &[(0, 8, 5), (2, 4, 6)],
            &[(0, 8, 5), (1, 3, 3), (5, 7, 3)],
            &[(0, 8, 5), (0, 4, 6)],
            &[(0, 8, u128::MAX), (2, 4, 6)],
        ] {
            assert_eq!(judged(wrong), None, "{wrong:?}");
        }
    }

    proptest! {
        #[test]
        fn right_entries_never_contradict_each_other_and_their_sums_are_right(
            counts in proptest::collection::vec(0..5_u128, 12),
            ranges in proptest::collection::vec((0..12_u64, 1..7_u64), 1..10),
            recounted in any::<bool>(),
        ) {
            let sum = |units: Range<u64>| counts[units.start as usize..units.end as usize].iter().sum::<u128>();
            let entry = |start: u64, end: u64| (start, end, sum(start..end));
            let mut entries: Vec<_> = ranges.iter().map(|&(start, length)| entry(start, (start + length).min(12))).collect();
            let mut told = judged(&entries).expect("no contradiction");
            if recounted {
                // Whatever had no sum is counted, unit by unit: then everything that any entry names has one.
                let known = |unit: u64| told.iter().any(|&(start, end, _)| (start..end).contains(&unit));
                entries.extend((0..12).filter(|&unit| !known(unit)).map(|unit| entry(unit, unit + 1)));
                told = judged(&entries).expect("no contradiction");
                prop_assert_eq!(told.iter().map(|(start, end, _)| end - start).sum::<u64>(), 12);
            }
            let mut behind = 0;
            for (start, end, count) in told {
                prop_assert!(behind <= start && start < end);
                prop_assert_eq!(count, sum(start..end));
                behind = end;
            }
        }
    }
}
