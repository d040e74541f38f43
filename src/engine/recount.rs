//! The units of the backtracking engine once more, by a program that has nothing in common with it.
//!
//! The engine fills rows from the top with masks of bits. Here a board is three lists of taken lines, a queen is a row
//! and a column, the order is from the left column to the right, and a unit is found by listing the pairs of first
//! queens that its definition names. A mistake in the engine's masks, shifts or symmetry, or in the machine that ran
//! them, would have to be made again in other terms to go unseen.

use super::{Stop, Stopped};
use crate::board::BoardSize;

/// The number of solutions that belong to a unit of [`super::backtrack`], mirror images included.
///
/// # Panics
/// When there is no such unit.
pub(super) fn recount(size: BoardSize, unit: u64, stop: &Stop) -> Result<u128, Stopped> {
    let n = size.get() as usize;
    let mut board = Occupied::empty(n);
    if n == 1 {
        assert_eq!(unit, 0, "the board of one square is one unit");
        return board.fill_columns(0, stop);
    }
    let (first, second) = pairs(n).nth(unit as usize).expect("the unit is one of the plan");
    board.set(0, first, true);
    board.set(1, second, true);
    Ok(2 * board.fill_columns(0, stop)?)
}

/// The columns of the queens of the first two rows, for every unit in order. First come the first queens of the left
/// half with any second queen; then, on odd boards, the first queen of the middle column with second queens of the left
/// half.
fn pairs(n: usize) -> impl Iterator<Item = (usize, usize)> {
    let off_centre = (0..n / 2).flat_map(move |first| (0..n).map(move |second| (first, second)));
    let centre = (n / 2..n.div_ceil(2)).flat_map(move |first| (0..n / 2).map(move |second| (first, second)));
    off_centre.chain(centre).filter(|(first, second)| first.abs_diff(*second) > 1)
}

/// Which lines of the board hold a queen.
struct Occupied {
    n: usize,
    rows: Vec<bool>,
    columns: Vec<bool>,
    /// The diagonals on which row + column is constant.
    rising: Vec<bool>,
    /// The diagonals on which row - column is constant, moved up by n - 1.
    falling: Vec<bool>,
}

impl Occupied {
    fn empty(n: usize) -> Self {
        let [rows, columns] = [vec![false; n], vec![false; n]];
        let [rising, falling] = [vec![false; 2 * n], vec![false; 2 * n]];
        Self { n, rows, columns, rising, falling }
    }

    /// Puts a queen on a square or takes it away.
    fn set(&mut self, row: usize, column: usize, queen: bool) {
        self.rows[row] = queen;
        self.columns[column] = queen;
        self.rising[row + column] = queen;
        self.falling[self.n - 1 + row - column] = queen;
    }

    fn attacked(&self, row: usize, column: usize) -> bool {
        self.rows[row] || self.rising[row + column] || self.falling[self.n - 1 + row - column]
    }

    /// The number of ways to fill the empty columns from `column` to the last.
    fn fill_columns(&mut self, column: usize, stop: &Stop) -> Result<u128, Stopped> {
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

    #[test]
    fn both_ways_agree_on_every_unit() {
        for n in 1..=11 {
            let size = BoardSize::new(n).unwrap();
            let engine = Backtrack::new(size);
            for unit in 0..engine.units() {
                let stop = Stop::new();
                assert_eq!(engine.recount(unit, &stop), engine.count(unit, &stop), "N = {n}, unit {unit}");
            }
            assert_eq!(pairs(n as usize).count() as u64, if n == 1 { 0 } else { engine.units() });
        }
    }
}
