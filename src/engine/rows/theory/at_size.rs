//! Tests the numbering of units on large boards. The engine's units and cores must match those that
//! the recount lists, which follow the definitions in the proof.
//!
//! The engine and the recount must also match a third implementation of cores and column sets,
//! which uses only the images of squares under the eight symmetries. Of a core and its images, only
//! the smallest is counted, and it stands for all of them. A solution has weight 2 if its transpose
//! has a smaller R, 1 if its transpose has the same R, and 0 if its transpose has a greater R.

use std::cmp::Ordering;
use std::collections::{BTreeSet, HashMap, HashSet};
use std::ops::Range;

use super::core::{Core, Diagonals, Images};
use super::numbering::Numbering;
use super::tiling::ColumnSet;
use crate::board::BoardSize;
use crate::engine::rows::Rows;
use crate::engine::rows::recount::units::tests::boards;
use crate::engine::rows::recount::units::{Listing, Part};
use crate::options::EngineOptions;
use crate::splitmix::SplitMix64;

/// Returns the image of a square (row and column) on the board with `n` rows. In `symmetry`, bit 2
/// transposes the square; then bit 0 flips it and bit 1 mirrors it.
fn image(n: u32, symmetry: u32, (row, column): (u32, u32)) -> (u32, u32) {
    let (row, column) = if symmetry & 4 == 0 {
        (row, column)
    } else {
        (column, row)
    };
    (
        if symmetry & 1 == 0 { row } else { n - 1 - row },
        if symmetry & 2 == 0 {
            column
        } else {
            n - 1 - column
        },
    )
}

/// Returns 2 R for these queens: twice the largest distance of a middle-row queen from the centre.
/// If `symmetry` transposes the queens, this is 2 S.
fn reach(n: u32, queens: &[(u32, u32)], symmetry: u32) -> Option<u32> {
    let images = queens.iter().map(|&queen| image(n, symmetry, queen));
    images
        .filter(|queen| (2 * queen.0).abs_diff(n - 1) <= 1)
        .map(|queen| (2 * queen.1).abs_diff(n - 1))
        .max()
}

/// Returns the factor in a solution's weight that accounts for its transpose. `queens` holds the
/// results of comparing S with R: for the queens in the core, above it and below it.
fn for_transposed(queens: [Ordering; 3]) -> u64 {
    match queens.into_iter().max() {
        Some(Ordering::Greater) => 0,
        Some(Ordering::Equal) => 1,
        _ => 2,
    }
}

/// Returns how many cores this core stands for: the number of its distinct images under mirror and
/// flip, or 0 if one of the images is smaller than the core. With more than one queen, only the
/// queens in the two rows next to the centre are compared; the flip exchanges these rows.
fn for_images(n: u32, core: &[(u32, u32)]) -> u64 {
    // Twice the distance of the compared rows from the centre.
    let near = if core.len() == 1 { 0 } else { 1 + n % 2 };
    let leads = [0, 1, 2, 3].map(|symmetry| -> BTreeSet<(u32, u32)> {
        core.iter()
            .filter(|queen| (2 * queen.0).abs_diff(n - 1) == near)
            .map(|&queen| image(n, symmetry, queen))
            .collect()
    });
    let images = BTreeSet::from(leads.clone());
    if images.first() == Some(&leads[0]) {
        images.len() as u64
    } else {
        0
    }
}

/// Returns numbers that identify the column and the two diagonals of a square.
fn lines(n: u32, (row, column): (u32, u32)) -> [u32; 3] {
    [column, 2 * n + row + column, 5 * n + row - column]
}

/// Returns all ways to place queens in these rows so that no two queens attack each other.
fn placements(n: u32, rows: Range<u32>) -> Vec<Vec<(u32, u32)>> {
    let mut all = vec![Vec::new()];
    for row in rows {
        let longer = all.into_iter().flat_map(|queens| {
            let taken: Vec<u32> = queens.iter().flat_map(|&queen| lines(n, queen)).collect();
            let squares = (0..n).map(|column| (row, column));
            let free =
                squares.filter(|&square| lines(n, square).iter().all(|line| !taken.contains(line)));
            free.map(|square| [queens.as_slice(), &[square]].concat())
                .collect::<Vec<_>>()
        });
        all = longer.collect();
    }
    all
}

fn attacks(n: u32, queen: (u32, u32), square: (u32, u32)) -> bool {
    lines(n, queen)
        .iter()
        .zip(lines(n, square))
        .any(|(one, other)| *one == other)
}

/// Returns the units of a board, as numbered by the engine and as listed by the recount.
fn planned(n: u32) -> (Numbering, Listing) {
    let plan = Rows::new(BoardSize::new(n).unwrap(), EngineOptions::new());
    let listing = Listing::new(n, Rows::middle_rows(n), plan.numbering.tile_side);
    (plan.numbering, listing)
}

/// Checks a unit and its core against the proof.
fn check(numbering: &Numbering, listing: &Listing, unit: u64) {
    check_unit(numbering, listing, unit);
    if let Some(core) = numbering.core(numbering.unit(unit).core) {
        check_core(&core, &listing.parts(unit)[0]);
    }
}

/// Checks the column sets of a unit and their weights against the proof.
fn check_unit(numbering: &Numbering, listing: &Listing, unit: u64) {
    let parts = listing.parts(unit);
    let found = numbering.unit(unit);
    let Some(core) = numbering.core(found.core) else {
        // Either two queens attack each other, or one is on a closed square.
        assert!(
            parts
                .iter()
                .all(|part| part.whole_weight([part.class(&part.core); 2]) == 0),
            "unit {unit}"
        );
        return;
    };
    let sets: Vec<ColumnSet> = numbering
        .tiling(core.symmetry.images)
        .column_sets(found.tile)
        .collect();
    assert_eq!(sets.len(), parts.len(), "N = {}, unit {unit}", core.n);
    for (set, part) in sets.into_iter().zip(&parts) {
        let mut queens = core.queens.clone();
        queens.sort_unstable();
        assert_eq!(
            (&queens, [set.a, set.d]),
            (&part.core, part.sets),
            "N = {}, unit {unit}",
            core.n
        );
        // The number of classes of half-boards.
        let classes = match core.queens.len() {
            0 => 3,
            middle_rows => 2 - middle_rows % 2,
        };
        for classes in (0..classes).flat_map(|top| (0..classes).map(move |bottom| [top, bottom])) {
            let weight = set.images * core.weights[classes[0]][classes[1]];
            assert_eq!(
                weight,
                part.whole_weight(classes),
                "N = {}, unit {unit}, {classes:?}",
                core.n
            );
            assert_eq!(
                weight % numbering.divisor(unit..unit + 1),
                0,
                "N = {}, unit {unit}, {classes:?}",
                core.n
            );
        }
    }
}

/// Checks a core, as found by the engine and the recount, against the definitions of its squares,
/// diagonals and weights.
fn check_core(core: &Core, part: &Part) {
    let n = core.n;
    let half = core.half;
    let r = reach(n, &part.core, 0);
    let free: Vec<u32> = (0..n)
        .filter(|column| part.core.iter().all(|queen| queen.1 != *column))
        .collect();
    // For each diagonal, a bitmask of the quarters that have an open square on it. Falling
    // diagonals come first.
    let mut lines = [0u8; 128];
    for row in (0..half).chain(n - half..n) {
        for (place, &column) in free.iter().enumerate() {
            let square = (row, column);
            let attacked = part.core.iter().any(|&queen| attacks(n, queen, square));
            let class = match core.queens.is_empty() {
                false => reach(n, &[square], 4).cmp(&r),
                // Squares on a main diagonal are their own images under one of the diagonal
                // reflections.
                true if [4, 7]
                    .into_iter()
                    .any(|across| image(n, across, square) == square) =>
                {
                    Ordering::Equal
                }
                true => Ordering::Less,
            };
            assert_eq!(
                part.class(&[square]) as i8,
                class as i8 + 1,
                "N = {n}, {:?}, {square:?}",
                part.core
            );
            let open = !attacked && class != Ordering::Greater;
            let marked = open && class == Ordering::Equal && (n > 16 || !core.queens.is_empty());
            let found =
                [&core.open, &core.marked].map(|squares| squares[row as usize] >> column & 1 == 1);
            assert_eq!(
                found,
                [open, marked],
                "N = {n}, {:?}, {square:?}",
                core.queens
            );
            if open {
                let quarter = 1 << (2 * u8::from(row >= half) + u8::from(place >= half as usize));
                lines[(n - 1 + column - row) as usize] |= quarter;
                lines[(2 * n - 1 + column + row) as usize] |= quarter;
            }
        }
    }
    let mains = [n as usize - 1, 3 * n as usize - 2];
    let relevant = (0..lines.len()).filter(|line| {
        let is_left_out = part.core.is_empty() && n > 16 && mains.contains(line);
        lines[*line].count_ones() > 1 && !is_left_out
    });
    let expected = relevant.fold(0, |all: Diagonals, line| all | 1 << line);
    assert_eq!(core.relevant(), expected, "N = {n}, {:?}", core.queens);
    assert!(
        core.relevant().count_ones() <= 64,
        "N = {n}, {:?}",
        core.queens
    );
    // The number of diagonals that a top and a bottom may share.
    let shared = lines
        .iter()
        .filter(|line| *line & 3 > 0 && *line & 12 > 0)
        .count();
    assert!(
        shared <= 4 * half as usize - 2,
        "N = {n}, {:?}: {shared}",
        core.queens
    );
    if !part.core.is_empty() {
        let own = reach(n, &part.core, 4).cmp(&r);
        let classes = [Ordering::Less, Ordering::Equal];
        for [top, bottom] in [[0, 0], [0, 1], [1, 0], [1, 1]] {
            let weight =
                for_images(n, &part.core) * for_transposed([own, classes[top], classes[bottom]]);
            assert_eq!(
                part.whole_weight([top, bottom]),
                weight * part.images[1],
                "N = {n}, {:?}",
                part.core
            );
            assert_eq!(
                core.weights[top][bottom], weight,
                "N = {n}, {:?}",
                core.queens
            );
        }
    } else if n > 16 {
        // A pair with two queens on main diagonals has weight 2 if both are in the same half,
        // otherwise 0.
        assert_eq!(core.weights, [[1, 1, 2], [1, 0, 0], [2, 0, 0]], "N = {n}");
    }
}

#[test]
fn the_units_of_small_boards_are_what_the_proof_says() {
    for (n, middle_rows) in boards(10, 1 << 13) {
        for side in [1, 3, 16] {
            let numbering = Numbering::new(n, middle_rows, side);
            let listing = Listing::new(n, middle_rows, side);
            assert_eq!(
                numbering.units(),
                listing.units(),
                "N = {n}, {middle_rows} middle rows"
            );
            (0..numbering.units()).for_each(|unit| check(&numbering, &listing, unit));
        }
    }
}

#[test]
fn random_units_of_every_plan_are_what_the_proof_says() {
    for n in 4..=32 {
        let (numbering, listing) = planned(n);
        assert_eq!(numbering.units(), listing.units(), "N = {n}");
        let mut random = SplitMix64::new(n.into());
        let drawn = (0..40).map(|_| random.below(numbering.units()));
        let ends = [0, 1, numbering.units() - 2, numbering.units() - 1];
        let last_of_leads = listing
            .ends_of_leads()
            .into_iter()
            .flat_map(|end| [end - 1, end % numbering.units()]);
        drawn
            .chain(ends)
            .chain(last_of_leads.step_by(7))
            .for_each(|unit| check(&numbering, &listing, unit));
    }
}

#[test]
fn cores_of_a_board_count_for_their_images() {
    let plans = (17..=28)
        .map(|n| (n, Rows::middle_rows(n)))
        .chain(boards(10, 1 << 15));
    for (n, middle_rows) in plans.filter(|(_, middle_rows)| *middle_rows > 0) {
        let numbering = Numbering::new(n, middle_rows, 32);
        let listing = Listing::new(n, middle_rows, 32);
        let all = placements(n, numbering.half..n - numbering.half);
        let mut expected: HashMap<Vec<(u32, u32)>, u64> = all
            .into_iter()
            .map(|core| (core.clone(), for_images(n, &core)))
            .filter(|core| core.1 > 0)
            .collect();
        // On odd boards, a core with a queen next to the centre in the middle row is not counted.
        expected.retain(|core, _| {
            n % 2 == 0
                || core
                    .iter()
                    .all(|&(row, column)| row != n / 2 || column.abs_diff(n / 2) != 1)
        });
        for (number, (units, listed)) in (0..).zip(listing.cores()) {
            let core = numbering.core(number);
            let ends = [units.start, units.end - 1].map(|unit| numbering.unit(unit).core);
            assert_eq!(ends, [number; 2], "N = {n}, core {number}");
            let Some(queens) = listed else {
                assert!(core.is_none(), "N = {n}, core {number}: {core:?}");
                continue;
            };
            // Each core occurs exactly once.
            let images = expected
                .remove(&queens)
                .unwrap_or_else(|| panic!("N = {n}, core {number}: {queens:?}"));
            let weight =
                images * for_transposed([reach(n, &queens, 4).cmp(&reach(n, &queens, 0)); 3]);
            let Some(core) = core else {
                assert_eq!(weight, 0, "N = {n}, {queens:?}");
                continue;
            };
            assert!(
                weight > 0 && weight == core.weights[0][0],
                "N = {n}, {queens:?}: {:?}",
                core.weights
            );
            // On boards with many cores, check only a sample.
            if (17..28).contains(&n)
                || queens
                    .iter()
                    .any(|queen| (2 * queen.1).abs_diff(n - 1) <= 1)
            {
                check_core(&core, &listing.parts(units.start)[0]);
            }
        }
        assert_eq!(
            expected,
            HashMap::new(),
            "N = {n}, {middle_rows} middle rows: cores without a number"
        );
    }
}

#[test]
fn column_sets_of_every_plan_are_complete() {
    let plans = (4..=32).map(planned);
    let clipped = [(9, 1, 5), (12, 0, 7)]
        .map(|(n, k, side)| (Numbering::new(n, k, side), Listing::new(n, k, side)));
    let mut done = HashSet::new();
    for (numbering, listing) in plans.chain(clipped) {
        let half = numbering.half;
        let side = numbering.tile_side;
        for (images, tiles) in listing.sets_of_tiles() {
            // Boards whose quarters have the same size have the same tiles.
            if !done.insert((half, side, images as usize)) {
                continue;
            }
            let all = (1u32 << (2 * half)) - 1;
            let mut seen = vec![false; 1 << (2 * half)];
            let mirror = |set: u32| set.reverse_bits() >> (u32::BITS - 2 * half);
            let mut found = numbering.tiling(images).tiles().iter();
            for sets in tiles {
                let computed = found
                    .next()
                    .map(|&tile| numbering.tiling(images).column_sets(tile));
                assert!(
                    computed
                        .into_iter()
                        .flatten()
                        .map(|set| ([set.a, set.d], set.images))
                        .eq(sets.iter().copied())
                );
                for ([a, d], counted_for) in sets {
                    let top = a | mirror((1 << half) - 1 - d);
                    let mut of_set = match images {
                        Images::None => vec![top],
                        Images::Flip => vec![top, all ^ top],
                        Images::All => vec![top, all ^ top, mirror(top), all ^ mirror(top)],
                    };
                    of_set.sort_unstable();
                    of_set.dedup();
                    assert_eq!(
                        of_set.len() as u64,
                        counted_for,
                        "{half} rows, {images:?}: {a:b}, {d:b}"
                    );
                    let again = of_set
                        .iter()
                        .any(|&set| std::mem::replace(&mut seen[set as usize], true));
                    assert!(
                        !again && top.count_ones() == half,
                        "{half} rows, {images:?}: {a:b}, {d:b}"
                    );
                }
            }
            let missing = (0..=all).find(|set| set.count_ones() == half && !seen[*set as usize]);
            assert_eq!(
                (missing, found.next()),
                (None, None),
                "{half} rows, {images:?}, tiles of {side}"
            );
        }
    }
    // Quarters of 1 to 12 rows were tested with all kinds of images that occur.
    assert!(done.len() >= 20, "{done:?}");
}

#[test]
fn the_columns_of_a_part_are_those_that_its_sets_name() {
    for n in 4..=32 {
        let (numbering, listing) = planned(n);
        let mut random = SplitMix64::new(n.into());
        for part in (0..20).flat_map(|_| {
            listing
                .parts(random.below(numbering.units()))
                .into_iter()
                .take(200)
        }) {
            let free: Vec<u32> = (0..n)
                .filter(|column| part.core.iter().all(|queen| queen.1 != *column))
                .collect();
            let (left, right) = free.split_at(free.len() / 2);
            let chosen = |set: u32, columns: &mut dyn Iterator<Item = &u32>| {
                columns
                    .enumerate()
                    .filter(|(index, _)| set >> index & 1 == 1)
                    .fold(0u64, |all, (_, column)| all | 1 << column)
            };
            let [a, d] = [
                chosen(part.sets[0], &mut left.iter()),
                chosen(part.sets[1], &mut right.iter().rev()),
            ];
            let [left, right] = [left, right]
                .map(|columns| columns.iter().fold(0u64, |all, column| all | 1 << column));
            assert_eq!(
                part.columns,
                [a | right ^ d, left ^ a | d],
                "N = {n}, {part:?}"
            );
        }
    }
}
