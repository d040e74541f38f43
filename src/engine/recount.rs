//! The independent recount of the units of the backtracking engine.
//!
//! The engine fills rows from the top, using bitmasks. The recount represents a board as four lists
//! of occupied lines, fills columns from the left, and finds a unit by listing the placements in
//! the first rows.

#![deny(
    clippy::cast_possible_truncation,
    clippy::cast_precision_loss,
    clippy::cast_sign_loss,
    reason = "counts are exact"
)]

use std::ops::Range;

use crate::board::BoardSize;
use crate::cancel::{CancelToken, EngineError};

/// Counts the solutions, including mirror images, of a unit that fills the first `rows` rows.
pub(super) fn recount(
    size: BoardSize,
    rows: u32,
    unit: u64,
    stop: &CancelToken,
) -> Result<u128, EngineError> {
    let n = size.get() as usize;
    let weight = if n == 1 { 1 } else { 2 };
    Ok(weight * begin(n, rows as usize, unit, stop)?.fill_columns(0, stop)?)
}

/// Returns the board with a unit's queens, or the empty board for N = 1.
fn begin(n: usize, rows: usize, unit: u64, stop: &CancelToken) -> Result<Occupied, EngineError> {
    let mut board = Occupied::empty(n);
    let mut to_skip = unit;
    if n == 1 {
        assert_eq!(unit, 0, "the board of one square is one unit");
        return Ok(board);
    }
    for (first, second) in pairs(n) {
        board.set(0, first, true);
        board.set(1, second, true);
        if board.fill_rows(2..rows, &mut to_skip, stop)? {
            return Ok(board);
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

#[derive(Debug, PartialEq, Eq)]
struct Occupied {
    n: usize,
    rows: Vec<bool>,
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
            rows: vec![false; n],
            columns: vec![false; n],
            rising: vec![false; 2 * n],
            falling: vec![false; 2 * n],
        }
    }

    fn set(&mut self, row: usize, column: usize, queen: bool) {
        self.rows[row] = queen;
        self.columns[column] = queen;
        self.rising[row + column] = queen;
        self.falling[self.n - 1 + row - column] = queen;
    }

    fn attacked(&self, row: usize, column: usize) -> bool {
        self.rows[row] || self.rising[row + column] || self.falling[self.n - 1 + row - column]
    }

    /// Fills the given rows with the placement that follows the first `to_skip` placements in
    /// lexicographic order, and returns `true`. If there are fewer placements, subtracts their
    /// number from `to_skip`.
    fn fill_rows(
        &mut self,
        rows: Range<usize>,
        to_skip: &mut u64,
        stop: &CancelToken,
    ) -> Result<bool, EngineError> {
        stop.check()?;
        if rows.is_empty() {
            let found = *to_skip == 0;
            *to_skip = to_skip.saturating_sub(1);
            return Ok(found);
        }
        for column in 0..self.n {
            if !self.columns[column] && !self.attacked(rows.start, column) {
                self.set(rows.start, column, true);
                if self.fill_rows(rows.start + 1..rows.end, to_skip, stop)? {
                    return Ok(true);
                }
                self.set(rows.start, column, false);
            }
        }
        Ok(false)
    }

    /// Counts the ways to fill the empty columns from `column` on.
    fn fill_columns(&mut self, column: usize, stop: &CancelToken) -> Result<u128, EngineError> {
        if column == self.n {
            return Ok(1);
        }
        if self.columns[column] {
            return self.fill_columns(column + 1, stop);
        }
        if column < self.n / 2 {
            stop.check()?;
        }
        let mut ways = 0;
        for row in 0..self.n {
            if !self.attacked(row, column) {
                self.set(row, column, true);
                ways += self.fill_columns(column + 1, stop)?;
                self.set(row, column, false);
            }
        }
        Ok(ways)
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Engine, backtrack::Backtrack};
    use super::*;
    use crate::splitmix::SplitMix64;

    #[test]
    fn engine_and_recount_agree_on_queens_of_units() {
        for n in 17..=24 {
            let engine = Backtrack::new(BoardSize::new(n).unwrap());
            let mut random = SplitMix64::new(n.into());
            let last = engine.units() - 1;
            let units = std::iter::repeat_with(|| random.below(last)).take(3);
            for unit in units.chain([0, last]) {
                let mut board = Occupied::empty(n as usize);
                let queens = engine.placement(unit);
                for (row, &column) in queens.iter().enumerate() {
                    board.set(row, column.into(), true);
                }
                let found = begin(n as usize, queens.len(), unit, &CancelToken::new());
                assert_eq!(found, Ok(board), "N = {n}, unit {unit}: {queens:?}");
            }
        }
    }
}
