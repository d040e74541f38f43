//! Entries that share units: whether they can all be true.
//!
//! A run writes whole tasks, and single units of a task of which not all are to be counted. So of two entries that share
//! units, one has all units of the other. The wider one says the sum, and those within it have to fit into it:
//!
//! ```text
//!   unit     8   9  10  11
//!          |----- 12 ------|        units 8 to 11 count 12, and each once
//!          |-2-|-3-|                8 and 9 leave 7 for the others
//!          |-2-|-3-|-0-|-7-|        together they are the whole, so they have to sum to 12
//! ```
//!
//! What is neither is no work of a run, and is not believed: entries of which each has units that the other has not.

use super::claim::Claim;

/// Whether entries that share units, in their order, can all be true: those within another one fit into it.
pub(super) fn fit(entries: &[Claim]) -> bool {
    /// An entry, and those within it so far of which none is within another one of them.
    struct Outer<'a> {
        entry: &'a Claim,
        /// The number of its units that they have not.
        left: u64,
        sum: u128,
    }
    let length = |entry: &Claim| entry.units().end - entry.units().start;
    let full = |outer: &Outer| match outer.left {
        0 => outer.sum == outer.entry.count(),
        _ => outer.sum <= outer.entry.count(),
    };
    let mut open: Vec<Outer> = Vec::new();
    for entry in entries {
        while let Some(outer) = open.pop_if(|outer| outer.entry.units().end <= entry.units().start) {
            if !full(&outer) {
                return false;
            }
        }
        if let Some(outer) = open.last_mut() {
            if outer.entry.agrees(entry) {
                continue;
            }
            let sum = outer.sum.checked_add(entry.count());
            // Of the same units it says something else; or it has units that the other has not.
            let within = entry.units().end <= outer.entry.units().end && entry.units() != outer.entry.units();
            let (Some(sum), true) = (sum, within) else { return false };
            (outer.left, outer.sum) = (outer.left - length(entry), sum);
        }
        open.push(Outer { entry, left: length(entry), sum: 0 });
    }
    open.iter().all(full)
}

#[cfg(test)]
mod tests {
    use super::super::Entry;
    use super::*;
    use proptest::prelude::*;

    /// In the order of entries, from first unit, end and count.
    fn claims(entries: &[(u64, u64, u128)]) -> Vec<Claim> {
        let entry = |&(start, end, count): &(u64, u64, u128)| {
            let (kernel, site, host) = (None, None, None);
            Claim::new(&Entry { units: start..end, count, seconds: 0.0, kernel, time: None, site, host }, 1, 0)
        };
        let mut claims: Vec<Claim> = entries.iter().map(entry).collect();
        claims.sort_by_key(Claim::order);
        claims
    }

    #[test]
    fn entries_fit_into_the_one_that_has_their_units_or_contradict_it() {
        // The picture above, whose last line has to sum to 12.
        let picture = [(8, 12, 12), (8, 9, 2), (9, 10, 3), (10, 11, 0), (11, 12, 7)];
        for entries in 1..=picture.len() {
            assert!(fit(&claims(&picture[..entries])), "{entries}");
        }
        assert!(fit(&claims(&[(0, 8, 5), (2, 4, 5), (2, 3, 0), (0, 8, 5), (2, 3, 0)])));
        // Two counts, parts that are not the whole, more within than without, also two floors down; and entries of
        // which each has units that the other has not.
        for wrong in [
            &[(0, 8, 5), (0, 8, 6)][..],
            &[(0, 8, 5), (0, 4, 2), (4, 8, 4)],
            &[(0, 8, 5), (0, 4, 2), (4, 8, 2)],
            &[(0, 8, 5), (2, 4, 6)],
            &[(0, 8, 5), (1, 3, 3), (5, 7, 3)],
            &[(0, 8, 5), (0, 4, 5), (1, 3, 6)],
            &[(0, 8, 5), (0, 4, 4), (0, 2, 1), (2, 4, 2)],
            &[(0, 8, u128::MAX), (2, 4, u128::MAX), (5, 6, 1)],
            &[(0, 8, 5), (0, 4, 2), (2, 6, 2)],
            &[(0, 8, 5), (6, 10, 2)],
        ] {
            assert!(!fit(&claims(wrong)), "{wrong:?}");
        }
    }

    /// Whether some counts of six units make all entries true: all are tried.
    fn possible(entries: &[(u64, u64, u128)]) -> bool {
        (0..4_u32.pow(6)).any(|counts| {
            let count = |unit: u64| u128::from(counts >> (2 * unit) & 3);
            entries.iter().all(|&(start, end, sum)| (start..end).map(count).sum::<u128>() == sum)
        })
    }

    proptest! {
        #[test]
        fn entries_within_others_fit_if_some_counts_make_them_true(
            entries in proptest::collection::vec((0..6_u64, 1..6_u64, 0..4_u128), 0..8),
        ) {
            // No sum is above 3, so no unit needs to be.
            let mut within: Vec<(u64, u64, u128)> = vec![(0, 6, 3)];
            for (start, length, count) in entries {
                let end = (start + length).min(6);
                let crosses = |&(a, b, _): &(u64, u64, u128)| {
                    (a < start && start < b && b < end) || (start < a && a < end && end < b)
                };
                if !within.iter().any(crosses) {
                    within.push((start, end, count));
                }
            }
            prop_assert_eq!(fit(&claims(&within)), possible(&within));
        }
    }
}
