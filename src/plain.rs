//! The ideas behind both engines, in their simplest form.
//!
//! - [`backtrack`] keeps the open squares of a row in a bitmask.
//! - [`meet`] counts pairs of half-boards that share no diagonal.
//!
//! The crate `queencount-recount` is a simple version of the `rows` engine, with middle rows and
//! symmetries.
//!
//! ```
//! use queencount::{BoardSize, plain};
//!
//! let size = BoardSize::new(8)?;
//! assert_eq!((plain::backtrack(size), plain::meet(size)), (92, 92));
//! # Ok::<(), queencount::ParseError>(())
//! ```
//!
//! | for N = 12 | steps | memory | time |
//! |---|---|---|---|
//! | [`backtrack`] | 856,189 calls | 12 rows | 6.1 ms |
//! | [`meet`] | 2,772,920 pairs | at most 2 x 132 half-boards | 103 ms |
//!
//! (One thread of an AMD EPYC, family 25; fastest of three runs of `cargo bench -p benches --
//! plain`.)

#![deny(clippy::cast_precision_loss, reason = "counts are exact")]

use std::ops::Range;

use crate::board::{BoardSize, Row, bits};

/// Counts the solutions by backtracking: places queens row by row, only on squares that no queen
/// above attacks. Three bitmasks store the free columns and diagonals, as in M. Richards's program
/// of 1997 (see `src/board.rs`).
pub fn backtrack(size: BoardSize) -> u128 {
    fn fill(row: Row) -> u128 {
        if row.free == 0 {
            return 1;
        }
        bits(row.open()).map(|queen| fill(row.place(queen))).sum()
    }
    fill(Row::first(size))
}

/// Counts the solutions by meeting in the middle: for every set of columns, lists the top halves on
/// these columns and the bottom halves on the other columns, and counts the pairs of a top and a
/// bottom half that share no diagonal. See [`crate::engine::rows`] for a proof that these pairs are
/// the solutions.
///
/// For N = 14, this method checks about 500 pairs per solution, so it pays off only if each check
/// is fast.
pub fn meet(size: BoardSize) -> u128 {
    let n = size.get();
    let all = (1u64 << n) - 1;
    let half = n / 2;
    let half_boards = |rows: Range<u32>, columns: u64| -> Vec<u128> {
        placements(rows, columns, n)
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

/// Returns all ways to place one queen in each of these rows, in some of these columns, so that no
/// two queens attack each other.
pub(crate) fn placements(
    rows: impl IntoIterator<Item = u32>,
    columns: u64,
    n: u32,
) -> Vec<Vec<(u32, u32)>> {
    let mut placed = vec![Vec::new()];
    for row in rows {
        let mut longer = Vec::new();
        for queens in &placed {
            for square in (0..n).map(|column| (row, column)) {
                let is_free = columns >> square.1 & 1 == 1;
                if is_free && queens.iter().all(|&queen| !attack(queen, square)) {
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
