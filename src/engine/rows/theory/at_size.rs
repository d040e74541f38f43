//! Tests of the numbers of the proof at the size of large boards: what the engine computes of a unit, and of its core,
//! against what the proof says, which the recount lists.

use std::collections::HashSet;

use super::core::{Core, Diagonals};
use super::numbering::Numbering;
use super::tiling::ColumnSet;
use crate::board::BoardSize;
use crate::engine::rows::Rows;
use crate::engine::rows::kernel::Kernel;
use crate::engine::rows::recount::units::tests::{boards, queens, random_solution};
use crate::engine::rows::recount::units::{Listing, Part, attack};
use crate::random::Random;

/// The units of the plan of a board, as the engine and as the proof number them.
fn planned(n: u32) -> (Numbering, Listing) {
    let plan = Rows::new(BoardSize::new(n).unwrap(), Kernel::default(), Rows::MEMORY);
    let listing = Listing::new(n, Rows::middle_rows(n), plan.numbering.tile_side);
    (plan.numbering, listing)
}

/// Holds what the engine takes a unit for against the proof, and its core.
fn check(numbering: &Numbering, listing: &Listing, unit: u64) {
    check_unit(numbering, listing, unit);
    if let Some(core) = numbering.core(numbering.unit(unit).core) {
        check_core(&core, &listing.parts(unit)[0]);
    }
}

/// Holds the column sets of a unit and what they weigh against the proof.
fn check_unit(numbering: &Numbering, listing: &Listing, unit: u64) {
    let (parts, found) = (listing.parts(unit), numbering.unit(unit));
    let Some(core) = numbering.core(found.core) else {
        // Either queens attack each other, or all of its solutions are counted for others.
        assert!(parts.iter().all(|part| part.whole_weight([part.class(&part.core); 2]) == 0), "unit {unit}");
        return;
    };
    let sets: Vec<ColumnSet> = numbering.tiling(core.symmetry.images).column_sets(found.tile).collect();
    assert_eq!(sets.len(), parts.len(), "N = {}, unit {unit}", core.n);
    for (set, part) in sets.into_iter().zip(&parts) {
        let mut queens = core.queens.clone();
        queens.sort_unstable();
        assert_eq!((&queens, [set.a, set.d]), (&part.core, part.sets), "N = {}, unit {unit}", core.n);
        // How many classes of half-boards there are.
        let classes = match core.queens.len() {
            0 => 3,
            middle_rows => 2 - middle_rows % 2,
        };
        for classes in (0..classes).flat_map(|top| (0..classes).map(move |bottom| [top, bottom])) {
            let weight = set.images * core.weights[classes[0]][classes[1]];
            assert_eq!(weight, part.whole_weight(classes), "N = {}, unit {unit}, {classes:?}", core.n);
            assert_eq!(weight % numbering.divisor(unit..unit + 1), 0, "N = {}, unit {unit}, {classes:?}", core.n);
        }
    }
}

/// Holds the squares and diagonals of a core against the proof.
fn check_core(core: &Core, part: &Part) {
    let (n, half) = (core.n, core.half);
    let free: Vec<u32> = (0..n).filter(|column| part.core.iter().all(|queen| queen.1 != *column)).collect();
    // The quarters that have an open square of each diagonal, falling ones first.
    let mut lines = vec![HashSet::new(); 4 * n as usize];
    for row in (0..half).chain(n - half..n) {
        for (place, &column) in free.iter().enumerate() {
            let square = (row, column);
            let attacked = part.core.iter().any(|&queen| attack(queen, square));
            let class = part.class(&[square]);
            let open = !attacked && (part.core.is_empty() || class < 2);
            assert_eq!(core.open[row as usize] >> column & 1 == 1, open, "N = {n}, {:?}, {square:?}", core.queens);
            if open {
                let marked = class == 1 && (!part.core.is_empty() || n > 16);
                assert_eq!(
                    core.marked[row as usize] >> column & 1 == 1,
                    marked,
                    "N = {n}, {:?}, {square:?}",
                    core.queens
                );
                let quarter = 2 * usize::from(row >= half) + usize::from(place >= half as usize);
                lines[(n + column - row) as usize].insert(quarter);
                lines[(2 * n + column + row) as usize].insert(quarter);
            }
        }
    }
    let main = |line: usize| part.core.is_empty() && n > 16 && [n as usize, 3 * n as usize - 1].contains(&line);
    let relevant = (0..lines.len()).filter(|&line| lines[line].len() > 1 && !main(line));
    // The engine's falling diagonals begin with column - row = 1 - n, and its rising ones after them.
    let expected = relevant.fold(0, |all: Diagonals, line| all | 1 << (line - 1));
    assert_eq!(core.relevant(), expected, "N = {n}, {:?}", core.queens);
    assert!(core.relevant().count_ones() <= 64, "N = {n}, {:?}", core.queens);
    // Those that a top and a bottom may share.
    let both =
        |line: &&HashSet<usize>| line.iter().any(|&quarter| quarter < 2) && line.iter().any(|&quarter| quarter > 1);
    let shared = lines.iter().filter(both).count();
    assert!(shared <= 4 * half as usize - 2, "N = {n}, {:?}: {shared}", core.queens);
}

#[test]
fn the_units_of_small_boards_are_what_the_proof_says() {
    for (n, middle_rows) in boards(10, 1 << 13) {
        for side in [1, 3, 16] {
            let (numbering, listing) = (Numbering::new(n, middle_rows, side), Listing::new(n, middle_rows, side));
            assert_eq!(numbering.units(), listing.units(), "N = {n}, {middle_rows} middle rows");
            (0..numbering.units()).for_each(|unit| check(&numbering, &listing, unit));
        }
    }
}

#[test]
fn random_units_of_every_plan_are_what_the_proof_says() {
    for n in 4..=32 {
        let (numbering, listing) = planned(n);
        assert_eq!(numbering.units(), listing.units(), "N = {n}");
        let mut random = Random::new(n.into());
        let drawn = (0..150).map(|_| random.below(numbering.units()));
        let ends = [0, 1, numbering.units() - 2, numbering.units() - 1];
        let last_of_leads = listing.ends_of_leads().into_iter().flat_map(|end| [end - 1, end % numbering.units()]);
        drawn.chain(ends).chain(last_of_leads.step_by(7)).for_each(|unit| check(&numbering, &listing, unit));
    }
}

#[test]
fn tiles_of_a_core_of_every_plan_are_what_the_proof_says() {
    let long = std::env::var_os("QUEENCOUNT_LONG").is_some();
    let mut seen = HashSet::new();
    for n in (17..=32).rev() {
        let (numbering, listing) = planned(n);
        let mut random = Random::new(n.into());
        // Cores whose column sets have images, and cores whose column sets have none.
        for unit in [0, numbering.units() - 1].into_iter().chain((0..40).map(|_| random.below(numbering.units()))) {
            let core = numbering.unit(unit).core;
            let Some(images) = numbering.core(core).map(|core| core.symmetry.images) else { continue };
            if seen.insert((numbering.half, numbering.tile_side, images as usize)) {
                let tiles = numbering.tiling(images).tiles().len() as u64;
                let of_core = |unit: &u64| numbering.unit(*unit).core == core;
                let first = (0..=unit).rev().take_while(of_core).last().unwrap_or(unit);
                let tiles = (first..first + tiles).step_by(if long { 1 } else { 3 });
                tiles.for_each(|unit| check_unit(&numbering, &listing, unit));
            }
        }
    }
    // Quarters of 8 to 12 rows, with every kind of images that they come with.
    assert!(seen.len() >= 10, "{seen:?}");
}

#[test]
fn the_units_that_have_the_images_of_random_solutions_are_what_the_proof_says() {
    for n in 18..=32 {
        let ((numbering, listing), mut random) = (planned(n), Random::new(n.into()));
        for image in random_solution(n, &mut random).images() {
            let queens = queens(&image);
            if let Some((unit, part)) = listing.holder(&queens) {
                check(&numbering, &listing, unit);
                // The engine has a half-board for each half, unless it weighs nothing.
                let core = numbering.core(numbering.unit(unit).core);
                let outside = |queen: &&(u32, u32)| !part.core.contains(queen);
                let open = |core: &Core| queens.iter().filter(outside).all(|q| core.open[q.0 as usize] >> q.1 & 1 == 1);
                let weighs = part.whole_weight(part.classes(&queens)) > 0;
                // Without middle rows pairs are weighed and not closed.
                assert!(core.is_some_and(|core| open(&core)) == weighs || part.core.is_empty(), "N = {n}, {image}");
            }
        }
    }
}
