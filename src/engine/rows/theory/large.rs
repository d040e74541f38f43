//! Tests that the cores and column sets of the engine and of the recount match a third
//! implementation, which uses only the images of squares under the eight symmetries.

use std::cmp::Ordering;
use std::collections::{BTreeSet, HashMap, HashSet};
use std::mem;

use queencount_recount::rows::Listing;

use super::core::{Core, Images};
use super::numbering::Numbering;
use super::subsets::binomial;
use crate::engine::rows::Rows;
use crate::engine::rows::tests::{boards, default_rows, placements};
use crate::splitmix::SplitMix64;

/// Returns the image of a square (row and column) on the board with `n` rows. In `symmetry`, bit 2
/// transposes the square; then bit 0 flips it and bit 1 mirrors it.
fn image(n: u32, symmetry: u32, square: (u32, u32)) -> (u32, u32) {
    let (mut row, mut column) = square;
    if symmetry & 4 > 0 {
        (row, column) = (column, row);
    }
    if symmetry & 1 > 0 {
        row = n - 1 - row;
    }
    if symmetry & 2 > 0 {
        column = n - 1 - column;
    }
    (row, column)
}

/// Returns 2 R for these queens, or 2 S if `symmetry` transposes them.
fn reach(n: u32, queens: &[(u32, u32)], symmetry: u32) -> Option<u32> {
    queens
        .iter()
        .map(|&queen| image(n, symmetry, queen))
        .filter(|queen| (2 * queen.0).abs_diff(n - 1) <= 1)
        .map(|queen| (2 * queen.1).abs_diff(n - 1))
        .max()
}

/// Returns the number of distinct images of a core under the mirror and the flip, or 0 if one of
/// them is smaller than the core. If the core has more than one queen, only those in the two rows
/// next to the centre are compared; the flip exchanges these rows.
fn for_images(n: u32, core: &[(u32, u32)]) -> u64 {
    // Twice the distance of the compared rows from the centre.
    let near = if core.len() == 1 { 0 } else { 1 + n % 2 };
    let leads = [0, 1, 2, 3].map(|symmetry| -> BTreeSet<(u32, u32)> {
        core.iter()
            .filter(|queen| (2 * queen.0).abs_diff(n - 1) == near)
            .map(|&queen| image(n, symmetry, queen))
            .collect()
    });
    let orbit = BTreeSet::from(leads.clone());
    if orbit.first() == Some(&leads[0]) {
        orbit.len() as u64
    } else {
        0
    }
}

#[test]
fn cores_are_complete_and_weighted_by_images() {
    let plans = (17..=28)
        .map(|n| (n, Rows::middle_rows(n)))
        .chain(boards(10, 1 << 15));
    for (n, middle_rows) in plans.filter(|(_, middle_rows)| *middle_rows > 0) {
        let numbering = Numbering::new(n, middle_rows, 32);
        let listing = Listing::new(n, middle_rows, 32);
        let rows = numbering.half..n - numbering.half;
        let mut expected: HashMap<_, u64> = placements(rows, (1 << n) - 1, n)
            .into_iter()
            // On odd boards, there is nothing to count if R = 1.
            .filter(|core| n % 2 == 0 || reach(n, core, 0) != Some(2))
            .map(|core| (core.clone(), for_images(n, &core)))
            .filter(|core| core.1 > 0)
            .collect();
        for (number, (units, listed)) in (0..).zip(listing.cores()) {
            let core = numbering.core(number);
            let ends = [units.start, units.end - 1].map(|unit| numbering.unit(unit).core);
            assert_eq!(ends, [number; 2], "N = {n}");
            let Some(queens) = listed else {
                assert!(core.is_none(), "N = {n}, core {number}");
                continue;
            };
            let images = expected
                .remove(&queens)
                .expect("each core occurs exactly once");
            // The factor that accounts for the transpose.
            let transposed = match reach(n, &queens, 4).cmp(&reach(n, &queens, 0)) {
                Ordering::Less => 2,
                Ordering::Equal => 1,
                Ordering::Greater => 0,
            };
            let weight = core.map_or(0, |core| core.weights[0][0]);
            assert_eq!(weight, images * transposed, "N = {n}, {queens:?}");
        }
        assert!(
            expected.is_empty(),
            "N = {n}, {middle_rows} middle rows: {expected:?}"
        );
    }
}

#[test]
fn column_sets_of_every_plan_are_complete() {
    let plans = (4..=32).map(|n| (n, default_rows(n).numbering));
    let clipped = [(9, 1, 5), (12, 0, 7)].map(|(n, k, side)| (n, Numbering::new(n, k, side)));
    let mut done = HashSet::new();
    let mut random = SplitMix64::new(1);
    for (n, numbering) in plans.chain(clipped) {
        let listing = Listing::new(n, numbering.middle_rows, numbering.tile_side);
        let half = numbering.half;
        let side = numbering.tile_side;
        // With one middle row, the symmetry of the first core differs from that of the others.
        let drawn: Vec<u64> = (0..100).map(|_| random.below(numbering.cores())).collect();
        for number in [&[0][..], &drawn].concat() {
            let Some(Core { symmetry, .. }) = numbering.core(number) else {
                continue;
            };
            // Boards whose quarters have the same size have the same tiles.
            if done.insert((half, side, symmetry.images as usize)) {
                check_column_sets(&numbering, &listing, number, symmetry.images);
            }
        }
    }
    // Quarters of 1 to 12 rows were tested, each with every value of `Images` that occurs.
    assert!(done.len() >= 20, "{done:?}");
}

/// Returns the mirror image of a set of columns.
fn mirror(set: u32, half: u32) -> u32 {
    set.reverse_bits() >> (u32::BITS - 2 * half)
}

/// Checks that the column sets of a core's units, with their images, are all column sets.
fn check_column_sets(numbering: &Numbering, listing: &Listing, core: u64, images: Images) {
    let half = numbering.half;
    let name = format!("{half} rows, {images:?}, tiles of {}", numbering.tile_side);
    let keeping = match images {
        Images::None => 1,
        Images::Flip => 2,
        Images::All => 4,
    };
    let all = (1u32 << (2 * half)) - 1;
    let mut seen = vec![false; all as usize + 1];
    for unit in numbering.units_of_core(core) {
        let sets: Vec<_> = listing
            .parts(unit)
            .iter()
            .map(|part| (part.sets, part.images[1]))
            .collect();
        let computed = numbering
            .tiling(images)
            .column_sets(numbering.unit(unit).tile)
            .map(|set| ([set.a, set.d], set.multiplicity));
        assert!(computed.eq(sets.iter().copied()), "{name}, unit {unit}");
        for ([a, d], counted_for) in sets {
            let top = a | mirror((1 << half) - 1 - d, half);
            let mirrored = mirror(top, half);
            let of_set = [top, all ^ top, mirrored, all ^ mirrored];
            let mut of_set = of_set[..keeping].to_vec();
            of_set.sort_unstable();
            of_set.dedup();
            assert!(
                of_set
                    .iter()
                    .all(|&set| !mem::replace(&mut seen[set as usize], true))
                    && of_set.len() as u64 == counted_for
                    && top.count_ones() == half,
                "{name}: {a:b}, {d:b}"
            );
        }
    }
    let seen = seen.into_iter().filter(|seen| *seen).count();
    assert_eq!(seen as u64, binomial(2 * half, half), "{name}");
}
