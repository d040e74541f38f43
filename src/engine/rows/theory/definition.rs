//! What a core counts, by definition: a third opinion beside the engine and the recount, for tests.
//!
//! Both of them compute leads, closed squares and marks as the proof does. Here only the images of squares under the eight
//! symmetries are computed. A core counts for its images if it is the least of them. A solution counts for one if its
//! transposition has the same R, for two if that has a smaller R, and for none if that has a greater R.

use std::cmp::Ordering;
use std::collections::BTreeSet;
use std::ops::Range;

/// The image of a square, a row and a column, of the board with `n` rows: 1 flips it, 2 mirrors it, and 4 transposes it before.
pub fn image(n: u32, symmetry: u32, (row, column): (u32, u32)) -> (u32, u32) {
    let (row, column) = if symmetry & 4 == 0 { (row, column) } else { (column, row) };
    (if symmetry & 1 == 0 { row } else { n - 1 - row }, if symmetry & 2 == 0 { column } else { n - 1 - column })
}

/// R, doubled, as far as these queens go: how far from the centre those of the middle rows stand; and so S, if they are
/// transposed.
pub fn reach(n: u32, queens: &[(u32, u32)], symmetry: u32) -> Option<u32> {
    let images = queens.iter().map(|&queen| image(n, symmetry, queen));
    images.filter(|queen| (2 * queen.0).abs_diff(n - 1) <= 1).map(|queen| (2 * queen.1).abs_diff(n - 1)).max()
}

/// How many solutions one counts for by the transposition, if S of its queens in the core, above and below it compares
/// like this with R.
pub fn for_transposed(queens: [Ordering; 3]) -> u64 {
    match queens.into_iter().max() {
        Some(Ordering::Greater) => 0,
        Some(Ordering::Equal) => 1,
        _ => 2,
    }
}

/// For how many cores one is counted by mirror and flip: those with other queens in the rows that the flip exchanges
/// next to the centre, or in the only row. None if one of them comes before it.
pub fn for_images(n: u32, core: &[(u32, u32)]) -> u64 {
    // Twice as far from the centre as these rows are.
    let near = if core.len() == 1 { 0 } else { 1 + n % 2 };
    let is_lead = |queen: &&(u32, u32)| (2 * queen.0).abs_diff(n - 1) == near;
    let lead = |symmetry: u32| -> BTreeSet<(u32, u32)> {
        core.iter().filter(is_lead).map(|&queen| image(n, symmetry, queen)).collect()
    };
    let images: BTreeSet<_> = (0..4).map(lead).collect();
    if images.first() == Some(&lead(0)) { images.len() as u64 } else { 0 }
}

/// The columns and diagonals of a square, numbered apart.
fn lines(n: u32, (row, column): (u32, u32)) -> [u32; 3] {
    [column, 2 * n + row + column, 5 * n + row - column]
}

/// All placements of the queens of some rows in which none attacks another.
pub fn placements(n: u32, rows: Range<u32>) -> Vec<Vec<(u32, u32)>> {
    let mut all = vec![Vec::new()];
    for row in rows {
        let with_queen = |queens: Vec<(u32, u32)>| {
            let taken: Vec<u32> = queens.iter().flat_map(|&queen| lines(n, queen)).collect();
            let squares = (0..n).map(|column| (row, column));
            let free = squares.filter(|&square| lines(n, square).iter().all(|line| !taken.contains(line)));
            free.map(|square| [queens.as_slice(), &[square]].concat()).collect::<Vec<_>>()
        };
        all = all.into_iter().flat_map(with_queen).collect();
    }
    all
}

/// Whether a queen attacks a square of another row.
pub fn attacks(n: u32, queen: (u32, u32), square: (u32, u32)) -> bool {
    lines(n, queen).iter().zip(lines(n, square)).any(|(one, other)| *one == other)
}
