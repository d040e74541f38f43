//! Both ways to count in their plainest form: what the engines do, before anything was done for
//! speed.
//!
//! They are there to be read, and to hold the engines against. To know how an engine works, read
//! its plain form first. Backtracking is a ladder, whose every rung does the same work in another
//! way:
//!
//! | rung | what it adds | milliseconds for N = 12 |
//! |---|---|---|
//! | [`recursion`] | a queen in each row, compared with every queen above | 87 |
//! | [`backtrack`] | open squares are words of bits, and a row is looked at once | 6.3 |
//! | [`mirrored`] | half of the board is the mirror image of the other half | 3.6 |
//!
//! (`cargo bench -p benches --bench engines -- plainest`, on an Intel Xeon of the fourth
//! generation.)
//!
//! Meeting in the middle is a ladder of two:
//!
//! | rung | what it adds |
//! |---|---|
//! | [`meet`] | halves of the board that share no diagonal make a solution: two lists and a double loop |
//! | [`middle_rows`] | the queens of some middle rows first, and the symmetry of order eight that hangs on them |
//!
//! Then [`crate::engine::backtrack`] and [`crate::engine::rows`] say what each further step buys:
//! of the 1281 million instructions of backtracking for N = 14 they leave 457, of 18 706 for
//! meeting in the middle 39 (callgrind, without AVX-512).

use std::collections::BTreeSet;
use std::ops::Range;

use crate::board::{BoardSize, bits};

/// Counts the solutions by plain recursion: a queen is placed on every square of a row in turn that
/// no queen above attacks, and then the rows below are filled.
///
/// `columns` has the columns of the queens above. A queen attacks along her column, and along a
/// diagonal the squares that are as many columns as rows away.
///
/// ```
/// let size = queencount::BoardSize::new(8)?;
/// assert_eq!(queencount::plain::recursion(size), 92);
/// # Ok::<(), queencount::BoardSizeError>(())
/// ```
pub fn recursion(size: BoardSize) -> u128 {
    fn fill(n: usize, columns: &mut Vec<usize>) -> u128 {
        let row = columns.len();
        if row == n {
            return 1;
        }
        let mut count = 0;
        for column in 0..n {
            let attacks = |(above, &queen): (usize, &usize)| {
                queen == column || queen.abs_diff(column) == row - above
            };
            if !columns.iter().enumerate().any(attacks) {
                columns.push(column);
                count += fill(n, columns);
                columns.pop();
            }
        }
        count
    }
    fill(size.get() as usize, &mut Vec::new())
}

/// Counts the solutions by backtracking: queens are placed row by row, on the squares that no queen
/// above attacks. Three words say which these are, as M. Richards had it in 1997 (`src/board.rs`
/// has the picture).
///
/// ```
/// let size = queencount::BoardSize::new(8)?;
/// assert_eq!(queencount::plain::backtrack(size), 92);
/// # Ok::<(), queencount::BoardSizeError>(())
/// ```
pub fn backtrack(size: BoardSize) -> u128 {
    fill((1 << size.get()) - 1, !0, !0)
}

/// The number of ways to fill the rows below some queens.
fn fill(free: u64, rising: u64, falling: u64) -> u128 {
    if free == 0 {
        return 1;
    }
    bits(free & rising & falling)
        .map(|queen| fill_below(queen, free, rising, falling))
        .sum()
}

/// The same with a queen on an open square of the next row.
fn fill_below(queen: u64, free: u64, rising: u64, falling: u64) -> u128 {
    fill(
        free ^ queen,
        (rising ^ queen).rotate_right(1),
        (falling ^ queen).rotate_left(1),
    )
}

/// Counts the solutions by [`backtrack`] on half of the board. Each with the first queen in the
/// left half counts for its mirror image, too. Those with her in the middle column are all counted.
///
/// ```
/// let size = queencount::BoardSize::new(9)?;
/// assert_eq!(queencount::plain::mirrored(size), 352);
/// # Ok::<(), queencount::BoardSizeError>(())
/// ```
pub fn mirrored(size: BoardSize) -> u128 {
    let n = size.get();
    let beginning_at = |column: u32| fill_below(1 << column, (1 << n) - 1, !0, !0);
    let left_half: u128 = (0..n / 2).map(beginning_at).sum();
    let middle = if n % 2 == 1 { beginning_at(n / 2) } else { 0 };
    2 * left_half + middle
}

/// Counts the solutions by meeting in the middle: for every set of columns, the pairs of a top half
/// on these columns and a bottom half on the others that share no diagonal. [`crate::engine::rows`]
/// proves that these are the solutions.
///
/// It takes a step for every pair, some 500 for each solution at N = 14, so it pays only where a
/// pair is cheap. Here it takes six times as long as [`backtrack`], most of it for making lists. It
/// holds the two lists of one set of columns, which are short: 244 half-boards on average.
///
/// ```
/// let size = queencount::BoardSize::new(8)?;
/// assert_eq!(queencount::plain::meet(size), 92);
/// # Ok::<(), queencount::BoardSizeError>(())
/// ```
pub fn meet(size: BoardSize) -> u128 {
    let n = size.get();
    let (all, half) = ((1u64 << n) - 1, n / 2);
    let half_boards = |rows: Range<u32>, columns: u64| -> Vec<u128> {
        let open = |(_, column): (u32, u32)| columns >> column & 1 == 1;
        placements(rows, &open, n)
            .iter()
            .map(|queens| diagonals(queens, n))
            .collect()
    };
    let mut pairs = 0;
    for columns in (0..=all).filter(|columns| columns.count_ones() == half) {
        let (tops, bottoms) = (
            half_boards(0..half, columns),
            half_boards(half..n, all ^ columns),
        );
        for top in tops {
            pairs += bottoms.iter().filter(|&bottom| top & bottom == 0).count() as u128;
        }
    }
    pairs
}

/// Whether queens on two squares, each a row and a column, attack each other.
fn attack((row, column): (u32, u32), (other_row, other_column): (u32, u32)) -> bool {
    column == other_column || row.abs_diff(other_row) == column.abs_diff(other_column)
}

/// All ways to place a queen in each of these rows, on open squares, so that none attacks another.
fn placements(rows: Range<u32>, open: &dyn Fn((u32, u32)) -> bool, n: u32) -> Vec<Vec<(u32, u32)>> {
    let mut placed = vec![Vec::new()];
    for row in rows {
        let free = |queens: &[(u32, u32)], square| {
            open(square) && queens.iter().all(|&queen| !attack(queen, square))
        };
        let with_queen = |queens: Vec<(u32, u32)>| {
            let squares = (0..n)
                .map(|column| (row, column))
                .filter(|&square| free(&queens, square));
            squares
                .map(|square| [queens.as_slice(), &[square]].concat())
                .collect::<Vec<_>>()
        };
        placed = placed.into_iter().flat_map(with_queen).collect();
    }
    placed
}

/// The diagonals on which queens stand, a bit for each.
fn diagonals(queens: &[(u32, u32)], n: u32) -> u128 {
    queens.iter().fold(0, |all, &(row, column)| {
        all | 1 << (n + column - row) | 1 << (2 * n + column + row)
    })
}

/// Counts the solutions as the proof in [`crate::engine::rows`] does, without anything that is
/// there for speed: the queens of some middle rows first, half-boards beside them on squares that
/// are not closed, and the weights of the symmetry of order eight. (Beside one middle row it takes
/// every set of columns, and so the mirror image alone.)
///
/// It looks at every core, every set of columns beside it, and every pair of half-boards. It takes
/// 0.4 s for N = 12 with two middle rows, and some four times as long for each further row.
///
/// ```
/// let size = queencount::BoardSize::new(8)?;
/// assert_eq!(queencount::plain::middle_rows(size, 2), 92);
/// assert_eq!(queencount::plain::middle_rows(size, 4), 92);
/// # Ok::<(), queencount::BoardSizeError>(())
/// ```
///
/// # Panics
/// When the number of middle rows is 0 or more than N, or has not the parity of N.
pub fn middle_rows(size: BoardSize, rows: u32) -> u128 {
    let n = size.get();
    assert!(
        (1..=n).contains(&rows) && rows % 2 == n % 2,
        "N = {n} cannot have {rows} middle rows"
    );
    let half = (n - rows) / 2;
    placements(half..n - half, &|_| true, n)
        .iter()
        .map(|core| beside(core, n))
        .sum()
}

/// The number of solutions that are counted beside a core: for itself and for its images.
fn beside(core: &[(u32, u32)], n: u32) -> u128 {
    // Order four: of the images of two queens under mirror and flip, the least is counted for all
    // that differ.
    let upper = if core.len() == 1 || n.is_multiple_of(2) {
        (n - 1) / 2
    } else {
        n / 2 - 1
    };
    let column = |row: u32| {
        core.iter()
            .find(|queen| queen.0 == row)
            .map_or(0, |queen| queen.1)
    };
    let (p, q) = (column(upper), column(n - 1 - upper));
    let images = BTreeSet::from([
        (p, q),
        (n - 1 - p, n - 1 - q),
        (q, p),
        (n - 1 - q, n - 1 - p),
    ]);
    // Order eight: no queen of a middle column stands farther from the centre than R.
    let distance = |line: u32| (2 * line).abs_diff(n - 1);
    let is_middle = |line: u32| distance(line) <= 1;
    let r = core
        .iter()
        .filter(|queen| is_middle(queen.0))
        .map(|queen| distance(queen.1))
        .max()
        .unwrap_or(0);
    let is_closed = |(row, column): (u32, u32)| is_middle(column) && distance(row) > r;
    let is_marked = |queens: &[(u32, u32)]| {
        queens
            .iter()
            .any(|&(row, column)| is_middle(column) && distance(row) == r)
    };
    if images.first() != Some(&(p, q)) || core.iter().any(|&queen| is_closed(queen)) {
        return 0;
    }
    let half = (n - core.len() as u32) / 2;
    let free: u64 = (0..n)
        .filter(|&column| core.iter().all(|queen| queen.1 != column))
        .map(|column| 1 << column)
        .sum();
    let half_boards = |rows: Range<u32>, columns: u64| -> Vec<(u128, bool)> {
        let attacked = |square| core.iter().any(|&queen| attack(queen, square));
        let open = |square: (u32, u32)| {
            columns >> square.1 & 1 == 1 && !is_closed(square) && !attacked(square)
        };
        let half_board = |queens: &Vec<(u32, u32)>| (diagonals(queens, n), is_marked(queens));
        placements(rows, &open, n).iter().map(half_board).collect()
    };
    let mut count = 0;
    for columns in (0..=free).filter(|columns| columns & !free == 0 && columns.count_ones() == half)
    {
        let (tops, bottoms) = (
            half_boards(0..half, columns),
            half_boards(n - half..n, free ^ columns),
        );
        for (top, top_marked) in tops {
            let disjoint = bottoms.iter().filter(|(bottom, _)| top & bottom == 0);
            // With S < R a solution is counted for one with S > R, too.
            count += disjoint
                .map(|(_, marked)| {
                    if is_marked(core) || top_marked || *marked {
                        1
                    } else {
                        2
                    }
                })
                .sum::<u128>();
        }
    }
    images.len() as u128 * count
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn any_number_of_middle_rows_leads_to_the_same_count() {
        for n in 1..=9 {
            let size = BoardSize::new(n).unwrap();
            for rows in (2 - n % 2..=n).step_by(2) {
                assert_eq!(
                    middle_rows(size, rows),
                    backtrack(size),
                    "N = {n}, {rows} middle rows"
                );
            }
        }
    }
}
