//! The independent recount of the units of the backtracking engine.
//!
//! The engine fills rows from the top, using bitmasks. The recount represents a board as four lists
//! of occupied lines, fills columns from the left, and finds a unit by listing the placements in
//! the first rows.

use std::ops::Range;

use crate::{Stop, proceed};

/// Counts the solutions, including mirror images, of a unit that fills the first `rows` rows; for
/// `n` = 1, `rows` is 0. Returns `None` if `stop` returns `true`.
///
/// # Panics
/// Panics if there is no such unit.
///
/// ```
/// use queencount_recount::backtrack;
///
/// // The board of size 8 has one solution that begins with columns 0 and 4, and its mirror image.
/// assert_eq!(backtrack::queens(8, 2, 2), [0, 4]);
/// assert_eq!(backtrack::count(8, 2, 2, &|| false), Some(2));
/// ```
pub fn count(n: u32, rows: u32, unit: u64, stop: Stop) -> Option<u128> {
    let weight = if n == 1 { 1 } else { 2 };
    Some(weight * begin(n as usize, rows as usize, unit, stop)?.fill_columns(0, stop)?)
}

/// Returns the columns of the queens of a unit, starting with the first row.
///
/// # Panics
/// Panics if there is no such unit.
pub fn queens(n: u32, rows: u32, unit: u64) -> Vec<usize> {
    let board = begin(n as usize, rows as usize, unit, &|| false).expect("it is never stopped");
    board.queens.into_iter().flatten().collect()
}

/// Returns the board with a unit's queens, or the empty board for N = 1.
fn begin(n: usize, rows: usize, unit: u64, stop: Stop) -> Option<Occupied> {
    let mut board = Occupied::empty(n);
    let mut to_skip = unit;
    if n == 1 {
        assert_eq!(unit, 0, "the board of one square is one unit");
        return Some(board);
    }
    for (first, second) in pairs(n) {
        board.set(0, first, true);
        board.set(1, second, true);
        if board.fill_rows(2..rows, &mut to_skip, stop)? {
            return Some(board);
        }
        board.set(0, first, false);
        board.set(1, second, false);
    }
    panic!("no such unit: {unit}")
}

/// Iterates over the columns of the queens in the first two rows, sorted by unit. If the first
/// queen is in the middle column of an odd board, the second is in the left half.
fn pairs(n: usize) -> impl Iterator<Item = (usize, usize)> {
    (0..n.div_ceil(2)).flat_map(move |first| {
        let seconds = if first < n / 2 { n } else { n / 2 };
        (0..seconds)
            .filter(move |second| first.abs_diff(*second) > 1)
            .map(move |second| (first, second))
    })
}

struct Occupied {
    n: usize,
    /// The column of the queen in each row.
    queens: Vec<Option<usize>>,
    columns: Vec<bool>,
    /// The diagonals on which row + column is constant.
    rising: Vec<bool>,
    /// The diagonals on which row - column is constant, with indices shifted by n - 1.
    falling: Vec<bool>,
}

impl Occupied {
    fn empty(n: usize) -> Self {
        Self {
            n,
            queens: vec![None; n],
            columns: vec![false; n],
            rising: vec![false; 2 * n],
            falling: vec![false; 2 * n],
        }
    }

    fn set(&mut self, row: usize, column: usize, queen: bool) {
        self.queens[row] = queen.then_some(column);
        self.columns[column] = queen;
        self.rising[row + column] = queen;
        self.falling[self.n - 1 + row - column] = queen;
    }

    fn attacked(&self, row: usize, column: usize) -> bool {
        self.queens[row].is_some()
            || self.rising[row + column]
            || self.falling[self.n - 1 + row - column]
    }

    /// Fills the given rows with the placement that follows the first `to_skip` placements in
    /// lexicographic order, and returns `true`. If there are fewer placements, subtracts their
    /// number from `to_skip`.
    fn fill_rows(&mut self, rows: Range<usize>, to_skip: &mut u64, stop: Stop) -> Option<bool> {
        proceed(stop)?;
        if rows.is_empty() {
            let found = *to_skip == 0;
            *to_skip = to_skip.saturating_sub(1);
            return Some(found);
        }
        for column in 0..self.n {
            if !self.columns[column] && !self.attacked(rows.start, column) {
                self.set(rows.start, column, true);
                if self.fill_rows(rows.start + 1..rows.end, to_skip, stop)? {
                    return Some(true);
                }
                self.set(rows.start, column, false);
            }
        }
        Some(false)
    }

    /// Counts the ways to fill the empty columns from `column` on.
    fn fill_columns(&mut self, column: usize, stop: Stop) -> Option<u128> {
        if column == self.n {
            return Some(1);
        }
        if self.columns[column] {
            return self.fill_columns(column + 1, stop);
        }
        if column < self.n / 2 {
            proceed(stop)?;
        }
        let mut ways = 0;
        for row in 0..self.n {
            if !self.attacked(row, column) {
                self.set(row, column, true);
                ways += self.fill_columns(column + 1, stop)?;
                self.set(row, column, false);
            }
        }
        Some(ways)
    }
}
