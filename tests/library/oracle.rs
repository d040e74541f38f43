//! The oracle is correct, but too slow for larger boards.

use crate::common;

#[test]
fn the_oracle_finds_the_published_number_of_solutions() {
    for n in 1..=10 {
        assert_eq!(
            common::solutions(n).len() as u128,
            common::published(n),
            "N = {n}"
        );
    }
}

#[test]
fn the_library_knows_the_published_values_and_no_others() {
    for n in 0..=27 {
        assert_eq!(
            queencount::oeis_a000170(n),
            Some(common::published(n)),
            "n = {n}"
        );
    }
    assert_eq!(queencount::oeis_a000170(28), None);
}
