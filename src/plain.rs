//! The ideas behind both engines, in their simplest form.
//!
//! The tests compare the engines with these functions. Each function adds an idea:
//!
//! 1. [`recursion`] compares each queen with every queen above it.
//! 2. [`backtrack`] keeps the open squares of a row in a bitmask.
//! 3. [`mirrored`] searches only half of the board, because the other half is its mirror image.
//! 4. [`meet`] counts pairs of half-boards that share no diagonal.
//! 5. [`middle_rows`] fills some middle rows first, so that all eight symmetries can be used.
//!
//! ```
//! use queencount::{BoardSize, plain};
//!
//! let size = BoardSize::new(8)?;
//! for count in [plain::recursion, plain::backtrack, plain::mirrored, plain::meet] {
//!     assert_eq!(count(size), 92);
//! }
//! assert_eq!(plain::middle_rows(size, 2), 92);
//! # Ok::<(), queencount::BoardSizeError>(())
//! ```
//!
//! | for N = 12 | steps | memory | time |
//! |---|---|---|---|
//! | [`recursion`] | 45,396,914 comparisons of queens | 12 columns | 76 ms |
//! | [`backtrack`] | 856,189 calls | 12 rows | 6.1 ms |
//! | [`mirrored`] | 428,094 calls | 12 rows | 3.1 ms |
//! | [`meet`] | 2,772,920 pairs | at most 2 x 132 half-boards | 103 ms |
//! | [`middle_rows`], two rows | 72,163 pairs | fewer half-boards | 90 ms |
//!
//! (One thread of an AMD EPYC, family 25; fastest of three runs. `cargo bench -p benches --bench
//! engines -- plainest` measures the first four.)
//!
//! For N = 14, [`backtrack`] executes 1281 million instructions, and the
//! [`backtrack` engine](crate::engine::backtrack) 457 million. [`meet`] executes 18,706 million,
//! and the [`rows` engine](crate::engine::rows) 39 million (callgrind, without AVX-512).

#![deny(clippy::cast_precision_loss, reason = "counts are exact")]

use std::collections::BTreeSet;
use std::ops::Range;

use crate::board::{BoardSize, bits};

/// Counts the solutions by plain recursion: tries every square of a row, and if no queen above
/// attacks it, places a queen there and fills the rows below.
pub fn recursion(size: BoardSize) -> u128 {
    fn fill(n: usize, columns: &mut Vec<usize>) -> u128 {
        let row = columns.len();
        if row == n {
            return 1;
        }
        let mut count = 0;
        for column in 0..n {
            let attacked = columns
                .iter()
                .enumerate()
                .any(|(above, &queen)| queen == column || queen.abs_diff(column) == row - above);
            if !attacked {
                columns.push(column);
                count += fill(n, columns);
                columns.pop();
            }
        }
        count
    }
    fill(size.get() as usize, &mut Vec::new())
}

/// Counts the solutions by backtracking: places queens row by row, only on squares that no queen
/// above attacks. Three bitmasks store the free columns and diagonals, as in M. Richards's program
/// of 1997 (see `src/board.rs`).
pub fn backtrack(size: BoardSize) -> u128 {
    fill((1 << size.get()) - 1, !0, !0)
}

fn fill(free: u64, rising: u64, falling: u64) -> u128 {
    if free == 0 {
        return 1;
    }
    bits(free & rising & falling)
        .map(|queen| fill_below(queen, free, rising, falling))
        .sum()
}

/// Places `queen` in the next row, and counts the ways to fill the rows below it.
fn fill_below(queen: u64, free: u64, rising: u64, falling: u64) -> u128 {
    fill(
        free ^ queen,
        (rising ^ queen).rotate_right(1),
        (falling ^ queen).rotate_left(1),
    )
}

/// Counts the solutions as [`backtrack`] does, but searches only for solutions whose first queen is
/// in the left half of the board, and counts each of them twice, because its mirror image is also a
/// solution. If N is odd, solutions whose first queen is in the middle column are counted once.
pub fn mirrored(size: BoardSize) -> u128 {
    let n = size.get();
    let mut count = 0;
    for column in 0..n.div_ceil(2) {
        let times = if 2 * column + 1 == n { 1 } else { 2 };
        count += times * fill_below(1 << column, (1 << n) - 1, !0, !0);
    }
    count
}

/// Counts the solutions by meeting in the middle: for every set of columns, lists the top halves on
/// these columns and the bottom halves on the other columns, and counts the pairs of a top and a
/// bottom half that share no diagonal. See [`crate::engine::rows`] for a proof that these pairs are
/// the solutions.
///
/// For N = 14, this method checks about 500 pairs per solution, so it pays off only if each check
/// is fast. This implementation takes 15 times as long as [`backtrack`], and spends most of that
/// time building the lists.
pub fn meet(size: BoardSize) -> u128 {
    let n = size.get();
    let all = (1u64 << n) - 1;
    let half = n / 2;
    let half_boards = |rows: Range<u32>, columns: u64| -> Vec<u128> {
        placements(rows, &|(_, column)| columns >> column & 1 == 1, n)
            .iter()
            .map(|queens| diagonals(queens, n))
            .collect()
    };
    let mut pairs = 0;
    for columns in (0..=all).filter(|columns| columns.count_ones() == half) {
        let bottoms = half_boards(half..n, all ^ columns);
        for top in half_boards(0..half, columns) {
            pairs += bottoms.iter().filter(|&bottom| top & bottom == 0).count() as u128;
        }
    }
    pairs
}

fn attack((row, column): (u32, u32), (other_row, other_column): (u32, u32)) -> bool {
    column == other_column || row.abs_diff(other_row) == column.abs_diff(other_column)
}

/// Returns all ways to place one queen on an open square of each of these rows so that no two
/// queens attack each other.
fn placements(rows: Range<u32>, open: &dyn Fn((u32, u32)) -> bool, n: u32) -> Vec<Vec<(u32, u32)>> {
    let mut placed = vec![Vec::new()];
    for row in rows {
        let mut longer = Vec::new();
        for queens in &placed {
            for square in (0..n).map(|column| (row, column)) {
                if open(square) && queens.iter().all(|&queen| !attack(queen, square)) {
                    longer.push([queens.as_slice(), &[square]].concat());
                }
            }
        }
        placed = longer;
    }
    placed
}

/// Returns a bitmask of the occupied diagonals.
fn diagonals(queens: &[(u32, u32)], n: u32) -> u128 {
    queens.iter().fold(0, |all, &(row, column)| {
        all | 1 << (n + column - row) | 1 << (2 * n + column + row)
    })
}

/// Counts the solutions by following the proof in [`crate::engine::rows`]. Places the queens of the
/// middle rows (the core) first, lists the half-boards that fit the core and have no queen on a
/// closed square, and weights each solution by the number of images that it stands for.
///
/// # Panics
/// Panics if `rows` is 0 or greater than N, or if N minus `rows` is odd.
pub fn middle_rows(size: BoardSize, rows: u32) -> u128 {
    let n = size.get();
    assert!(
        (1..=n).contains(&rows) && rows % 2 == n % 2,
        "N = {n} cannot have {rows} middle rows"
    );
    let half = (n - rows) / 2;
    placements(half..n - half, &|_| true, n)
        .iter()
        .map(|core| count_for_core(core, n))
        .sum()
}

/// Returns twice the distance between the centre of the board and a row or a column.
fn distance(line: u32, n: u32) -> u32 {
    (2 * line).abs_diff(n - 1)
}

/// Returns whether a row or a column is the middle one, or one of the two middle ones.
fn is_middle(line: u32, n: u32) -> bool {
    distance(line, n) <= 1
}

/// Returns whether a square of a middle column is farther than R from the centre.
fn is_closed((row, column): (u32, u32), r: u32, n: u32) -> bool {
    is_middle(column, n) && distance(row, n) > r
}

/// Returns whether a queen in a middle column is at the distance R from the centre.
fn is_marked(queens: &[(u32, u32)], r: u32, n: u32) -> bool {
    queens
        .iter()
        .any(|&(row, column)| is_middle(column, n) && distance(row, n) == r)
}

/// Returns the diagonals of each half-board that fits the core and has no queen on a closed square,
/// and whether it is marked.
fn fitting(
    core: &[(u32, u32)],
    r: u32,
    rows: Range<u32>,
    columns: u64,
    n: u32,
) -> Vec<(u128, bool)> {
    placements(
        rows,
        &|square| {
            columns >> square.1 & 1 == 1
                && !is_closed(square, r, n)
                && !core.iter().any(|&queen| attack(queen, square))
        },
        n,
    )
    .iter()
    .map(|queens| (diagonals(queens, n), is_marked(queens, r, n)))
    .collect()
}

/// Counts the solutions that contain a core or one of its images.
fn count_for_core(core: &[(u32, u32)], n: u32) -> u128 {
    let weight = weight(core, n);
    if weight == 0 {
        return 0;
    }
    // Let R be the greatest distance between the centre and a queen in a middle row. Skip boards on
    // which a queen in a middle column is farther than R from the centre.
    let r = core
        .iter()
        .filter(|queen| is_middle(queen.0, n))
        .map(|queen| distance(queen.1, n))
        .max()
        .unwrap_or(0);
    if core.iter().any(|&queen| is_closed(queen, r, n)) {
        return 0;
    }
    let half = (n - core.len() as u32) / 2;
    let taken: u64 = core.iter().map(|queen| 1 << queen.1).sum();
    let free = ((1 << n) - 1) ^ taken;
    let mut count = 0;
    for columns in (0..=free).filter(|columns| columns & !free == 0 && columns.count_ones() == half)
    {
        let tops = fitting(core, r, 0..half, columns, n);
        let bottoms = fitting(core, r, n - half..n, free ^ columns, n);
        for (top, top_marked) in &tops {
            for (bottom, bottom_marked) in &bottoms {
                if top & bottom == 0 {
                    // Let S be the greatest distance between the centre and a queen in a middle
                    // column. A solution with S < R also stands for a solution with S > R.
                    let is_equal = is_marked(core, r, n) || *top_marked || *bottom_marked;
                    count += if is_equal { 1 } else { 2 };
                }
            }
        }
    }
    weight * count
}

/// Returns the number of images that a core stands for, or 0 if a different core is counted in its
/// place. The columns of two queens in opposite middle rows are compared with their images under
/// the left-right reflection, the top-bottom reflection and the half turn. The core is counted only
/// if none of these images is lexicographically smaller.
fn weight(core: &[(u32, u32)], n: u32) -> u128 {
    let upper = if core.len() == 1 || n.is_multiple_of(2) {
        (n - 1) / 2
    } else {
        n / 2 - 1
    };
    let [p, q] = [upper, n - 1 - upper].map(|row| {
        core.iter()
            .find(|queen| queen.0 == row)
            .map_or(0, |queen| queen.1)
    });
    let orbit = BTreeSet::from([
        (p, q),
        (n - 1 - p, n - 1 - q),
        (q, p),
        (n - 1 - q, n - 1 - p),
    ]);
    let is_smallest = orbit.first() == Some(&(p, q));
    if is_smallest { orbit.len() as u128 } else { 0 }
}
