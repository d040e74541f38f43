//! The minimal version counts with any number of middle rows, and the library's published values
//! are those of `tests/data`.

use queencount::{BoardSize, plain};

use crate::common;

#[test]
fn plain_middle_rows_match_published_totals() {
    for n in 1..=9 {
        let size = BoardSize::new(n).unwrap();
        for rows in (2 - n % 2..=n).step_by(2) {
            let count = plain::middle_rows(size, rows);
            assert_eq!(count, common::published(n), "N = {n}, {rows} middle rows");
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
