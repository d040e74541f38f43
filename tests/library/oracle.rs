//! The recount of `rows` counts with any number of middle rows, and the library's published values
//! are those of `tests/data`.

use queencount_recount::rows::Listing;

use crate::common;

#[test]
fn recount_with_any_middle_rows_matches_published() {
    for n in 4..=9 {
        for rows in (n % 2..n).step_by(2) {
            let listing = Listing::new(n, rows, 16);
            let counts = (0..listing.units()).map(|unit| listing.count(unit, &|| false));
            let total = counts.sum::<Option<u128>>();
            assert_eq!(
                total,
                Some(common::published(n)),
                "N = {n}, {rows} middle rows"
            );
        }
    }
}

#[test]
fn published_values_cover_n_0_to_27() {
    for n in 0..=27 {
        assert_eq!(
            queencount::oeis_a000170(n),
            Some(common::published(n)),
            "n = {n}"
        );
    }
    assert_eq!(queencount::oeis_a000170(28), None);
}
