//! Tests the numbering of units on large boards. The engine's units and cores must match those that
//! the recount lists.
//!
//! Both must also match a third implementation, which uses only the images of squares under the
//! eight symmetries.

use std::cmp::Ordering;
use std::collections::{BTreeSet, HashMap, HashSet};
use std::mem;

use queencount_recount::rows::{Listing, Part};

use super::core::{Core, Images};
use super::numbering::Numbering;
use super::subsets::binomial;
use crate::board::BoardSize;
use crate::engine::rows::Rows;
use crate::engine::rows::tests::boards;
use crate::options::EngineOptions;
use crate::splitmix::SplitMix64;

/// Returns the units of a board, as numbered by the engine and as listed by the recount.
pub(crate) fn planned(n: u32) -> (Numbering, Listing) {
    let Rows { numbering, .. } = Rows::new(BoardSize::new(n).unwrap(), EngineOptions::new());
    let listing = Listing::new(n, numbering.middle_rows, numbering.tile_side);
    (numbering, listing)
}

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

/// Returns the factor in a solution's weight that accounts for its transpose. `queens` holds three
/// comparisons of S with R: for the queens in the core, those above it and those below it.
fn for_transposed(queens: [Ordering; 3]) -> u64 {
    match queens.into_iter().max() {
        Some(Ordering::Greater) => 0,
        Some(Ordering::Equal) => 1,
        _ => 2,
    }
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

pub(crate) fn attack(one: (u32, u32), other: (u32, u32)) -> bool {
    one.0 == other.0
        || one.1 == other.1
        || one.0 + one.1 == other.0 + other.1
        || one.0 + other.1 == other.0 + one.1
}

/// Returns all ways to place one queen on each line so that no two attack each other.
pub(crate) fn placements(lines: impl IntoIterator<Item = Vec<(u32, u32)>>) -> Vec<Vec<(u32, u32)>> {
    let mut all = vec![Vec::new()];
    for squares in lines {
        let mut longer = Vec::new();
        for queens in &all {
            for &square in &squares {
                if !queens.iter().any(|&queen| attack(queen, square)) {
                    longer.push([queens.as_slice(), &[square]].concat());
                }
            }
        }
        all = longer;
    }
    all
}

/// Returns a set of columns on one side of the board.
fn columns(core: &Core, side: usize, set: u32) -> u64 {
    (0..)
        .zip(&core.columns[side])
        .map(|(index, column)| u64::from(set >> index & 1) << column)
        .sum()
}

fn check_unit(numbering: &Numbering, listing: &Listing, unit: u64) {
    let parts = listing.parts(unit);
    let found = numbering.unit(unit);
    let Some(core) = numbering.core(found.core) else {
        // Either two queens attack each other, or one is on a closed square.
        for part in parts {
            let class = part.class(&part.core);
            assert_eq!(part.weight(class, class), 0, "unit {unit}");
        }
        return;
    };
    check_core(&core, &parts[0]);
    let name = format!("N = {}, unit {unit}", core.n);
    let sets: Vec<_> = numbering
        .tiling(core.symmetry.images)
        .column_sets(found.tile)
        .collect();
    assert_eq!(sets.len(), parts.len(), "{name}");
    let divisor = numbering.divisor(unit..unit + 1);
    let mut queens = numbering.queens(found.core).unwrap();
    queens.sort_unstable();
    // The number of classes of half-boards.
    let classes = match queens.len() {
        0 => 3,
        middle_rows => 2 - middle_rows % 2,
    };
    for (set, part) in sets.into_iter().zip(&parts) {
        assert_eq!(part.core, queens, "{name}");
        assert_eq!(part.sets, [set.a, set.d], "{name}");
        let top = columns(&core, 0, set.a) | columns(&core, 1, !set.d);
        let bottom = columns(&core, 0, !set.a) | columns(&core, 1, set.d);
        assert_eq!(part.columns, [top, bottom], "{name}");
        for top in 0..classes {
            for bottom in 0..classes {
                let weight = set.multiplicity * core.weights[top][bottom];
                assert_eq!(weight, part.weight(top, bottom), "{name}");
                assert_eq!(weight % divisor, 0, "{name}");
            }
        }
    }
}

/// Checks a core, as found by the engine and the recount, against the definitions of its squares,
/// diagonals and weights.
fn check_core(core: &Core, part: &Part) {
    let n = core.n;
    let half = core.half;
    let name = format!("N = {n}, {:?}", part.core);
    let has_marks = n > 16 || !part.core.is_empty();
    let r = reach(n, &part.core, 0);
    let free: Vec<u32> = (0..n)
        .filter(|column| part.core.iter().all(|queen| queen.1 != *column))
        .collect();
    let (left, right) = free.split_at(half as usize);
    let from_right = right.iter().rev().copied().collect();
    assert_eq!(core.columns, [left.to_vec(), from_right], "{name}");
    // For each diagonal, a bitmask of the quarters that have an open square on it. Falling
    // diagonals come first.
    let mut lines = [0u8; 128];
    for row in (0..half).chain(n - half..n) {
        for &column in &free {
            let square = (row, column);
            let class = if !part.core.is_empty() {
                reach(n, &[square], 4).cmp(&r)
            } else if [4, 7]
                .iter()
                .any(|&across| image(n, across, square) == square)
            {
                // The square is on a main diagonal.
                Ordering::Equal
            } else {
                Ordering::Less
            };
            assert_eq!(
                part.class(&[square]) as i8,
                class as i8 + 1,
                "{name}, {square:?}"
            );
            let attacked = part.core.iter().any(|&queen| attack(queen, square));
            let open = !attacked && class != Ordering::Greater;
            let marked = open && class == Ordering::Equal && has_marks;
            let found =
                [&core.open, &core.marked].map(|squares| squares[row as usize] >> column & 1 == 1);
            assert_eq!(found, [open, marked], "{name}, {square:?}");
            if open {
                let quarter = 1 << (2 * u8::from(row >= half) + u8::from(right.contains(&column)));
                lines[(n - 1 + column - row) as usize] |= quarter;
                lines[(2 * n - 1 + column + row) as usize] |= quarter;
            }
        }
    }
    let mains = [n as usize - 1, 3 * n as usize - 2];
    let relevant = (0..lines.len()).filter(|line| {
        let is_left_out = part.core.is_empty() && has_marks && mains.contains(line);
        lines[*line].count_ones() > 1 && !is_left_out
    });
    assert_eq!(
        core.relevant(),
        relevant.fold(0, |all, line| all | 1 << line),
        "{name}"
    );
    assert!(core.relevant().count_ones() <= 64, "{name}");
    // The diagonals on which both a top and a bottom can have a queen.
    let crossing = lines.iter().filter(|line| *line & 3 > 0 && *line & 12 > 0);
    assert!(crossing.count() <= 4 * half as usize - 2, "{name}");
    if !part.core.is_empty() {
        let own = reach(n, &part.core, 4).cmp(&r);
        let classes = [Ordering::Less, Ordering::Equal];
        let images = for_images(n, &part.core);
        for [top, bottom] in [[0, 0], [0, 1], [1, 0], [1, 1]] {
            let weight = images * for_transposed([own, classes[top], classes[bottom]]);
            let listed = part.weight(top, bottom);
            assert_eq!(listed, weight * part.images[1], "{name}");
            assert_eq!(core.weights[top][bottom], weight, "{name}");
        }
    } else if has_marks {
        // A pair with two queens on main diagonals has weight 2 if both are in the same half,
        // otherwise 0.
        assert_eq!(core.weights, [[1, 1, 2], [1, 0, 0], [2, 0, 0]], "{name}");
    }
}

#[test]
fn units_of_small_boards_match_proof() {
    for (n, middle_rows) in boards(10, 1 << 13) {
        for side in [1, 3, 16] {
            let numbering = Numbering::new(n, middle_rows, side);
            let listing = Listing::new(n, middle_rows, side);
            let units = numbering.units();
            assert_eq!(units, listing.units(), "N = {n}, {middle_rows} middle rows");
            (0..units).for_each(|unit| check_unit(&numbering, &listing, unit));
        }
    }
}

#[test]
fn random_units_of_every_plan_match_proof() {
    for n in 4..=32 {
        let (numbering, listing) = planned(n);
        let units = numbering.units();
        assert_eq!(units, listing.units(), "N = {n}");
        let mut random = SplitMix64::new(n.into());
        let drawn = (0..40).map(|_| random.below(units));
        let ends = [0, 1, units - 2, units - 1];
        let last_of_leads = numbering
            .ends_of_leads()
            .flat_map(|end| [end - 1, end % units]);
        drawn
            .chain(ends)
            .chain(last_of_leads.step_by(7))
            .for_each(|unit| check_unit(&numbering, &listing, unit));
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
        let rows = (numbering.half..n - numbering.half)
            .map(|row| (0..n).map(|column| (row, column)).collect());
        let mut expected: HashMap<_, u64> = placements(rows)
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
            let s = reach(n, &queens, 4);
            let own = s.cmp(&reach(n, &queens, 0));
            let weight = core.as_ref().map_or(0, |core| core.weights[0][0]);
            assert_eq!(
                weight,
                images * for_transposed([own; 3]),
                "N = {n}, {queens:?}"
            );
            // On boards with many cores, check only a sample.
            if let Some(core) = core
                && ((17..28).contains(&n) || s.is_some())
            {
                check_core(&core, &listing.parts(units.start)[0]);
            }
        }
        assert!(
            expected.is_empty(),
            "N = {n}, {middle_rows} middle rows: {expected:?}"
        );
    }
}

#[test]
fn column_sets_of_every_plan_are_complete() {
    let plans = (4..=32).map(planned);
    let clipped = [(9, 1, 5), (12, 0, 7)]
        .map(|(n, k, side)| (Numbering::new(n, k, side), Listing::new(n, k, side)));
    let mut done = HashSet::new();
    let mut random = SplitMix64::new(1);
    for (numbering, listing) in plans.chain(clipped) {
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
