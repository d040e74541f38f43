//! A set of units behaves like a set however it is built, and parsing its text gives the same set.
//! The same holds for shards.

use std::collections::BTreeSet;
use std::ops::Range;

use proptest::prelude::*;
use queencount::record::{Shard, UnitSet};

fn members(units: &UnitSet) -> BTreeSet<u64> {
    units.ranges().flatten().collect()
}

fn any_ranges() -> impl Strategy<Value = Vec<Range<u64>>> {
    proptest::collection::vec(
        (0..60u64, 0..9u64).prop_map(|(start, length)| start..start + length),
        0..12,
    )
}

proptest! {
    #[test]
    fn unit_set_behaves_like_btree_set(a in any_ranges(), b in any_ranges()) {
        let [mut x, mut y] = [UnitSet::new(), UnitSet::new()];
        x.extend(a.iter().cloned());
        y.extend(b.iter().cloned());
        let [p, q] = [a, b].map(|ranges| BTreeSet::from_iter(ranges.into_iter().flatten()));
        prop_assert_eq!(members(&x), p.clone());
        prop_assert_eq!(x.len(), p.len() as u64);
        prop_assert_eq!(x.last(), p.last().copied());
        let left: BTreeSet<u64> = p.difference(&q).copied().collect();
        prop_assert_eq!(members(&x.difference(&y)), left);
        prop_assert_eq!(x.is_disjoint(&y), p.is_disjoint(&q));
        // Ranges do not touch, so the text is the shortest possible, and it parses to the same set.
        let ranges: Vec<_> = x.ranges().collect();
        prop_assert!(ranges.windows(2).all(|pair| pair[0].end < pair[1].start));
        prop_assert_eq!(x.to_string().parse::<UnitSet>(), Ok(x));
    }
}

#[test]
fn invalid_unit_lists_are_rejected() {
    for text in [
        " ",
        ",",
        "3,",
        "a",
        "-",
        "4-3",
        "3-",
        "-3",
        "0..5",
        "+3",
        "1 2",
        "18446744073709551615",
        "1-2-3",
    ] {
        assert!(text.parse::<UnitSet>().is_err(), "{text:?}");
    }
}
#[test]
fn invalid_shards_are_rejected() {
    assert_eq!("3/7".parse(), Shard::new(3, 7));
    for text in [
        "",
        "3",
        "/",
        "0/7",
        "8/7",
        "1/0",
        "-1/7",
        "+1/7",
        "1/7/9",
        "1 /7",
        "99999999999999999999/7",
    ] {
        assert!(text.parse::<Shard>().is_err(), "{text:?}");
    }
}
