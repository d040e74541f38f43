//! The units once more, by a program that has nothing in common with the engine.
//!
//! The engine pairs half-boards that it has made of quarter-boards, and closes squares. Here queens are put on a board
//! row by row, and each solution found is weighed by where its queens stand: the definition of its weight, word by
//! word. No diagonal has a place in a word, no square is closed, no half-board marked.

use super::core::{Core, weighs_main_diagonals};
use super::numbering::{CoreTile, Numbering};
use super::tiling::ColumnSet;
use crate::stop::{Stop, Stopped};

/// The number of solutions that a unit stands for.
pub fn recount(numbering: &Numbering, unit: CoreTile, stop: &Stop) -> Result<u128, Stopped> {
    let Some(core) = numbering.core(unit.core) else { return Ok(0) };
    numbering.tiling(core.symmetry.images).column_sets(unit.tile).map(|set| recount_set(&core, set, stop)).sum()
}

/// The number of solutions that a part of a unit stands for.
pub fn recount_part(numbering: &Numbering, unit: CoreTile, part: u64, stop: &Stop) -> Result<u128, Stopped> {
    let Some(core) = numbering.core(unit.core) else { return Ok(0) };
    recount_set(&core, numbering.tiling(core.symmetry.images).column_set(unit.tile, part), stop)
}

/// The number of solutions that a column set stands for.
fn recount_set(core: &Core, ColumnSet { a, d, .. }: ColumnSet, stop: &Stop) -> Result<u128, Stopped> {
    stop.check()?;
    let chosen = |set: u32, columns: &[u32]| -> u64 {
        (0..).zip(columns).filter(|(index, _)| set >> index & 1 == 1).fold(0, |all, (_, &column)| all | 1 << column)
    };
    let [left, right] = [0, 1].map(|side| chosen(u32::MAX, &core.columns[side]));
    let above = chosen(a, &core.columns[0]) | right & !chosen(d, &core.columns[1]);
    let mut board = WeighedBoard::new(core.n, core.half, above, left | right);
    for &(row, column) in &core.queens {
        board.columns[row as usize] = 1 << column;
    }
    board.count(stop)
}

/// A board with the columns that its queens may stand on.
struct WeighedBoard {
    n: u32,
    /// The number of rows of the top, and of the bottom.
    half: u32,
    /// The columns of each row that its queen may stand on.
    columns: [u64; 32],
    /// The column of the queen of each row that has been filled.
    queens: [u32; 32],
    above: u64,
    divided: u64,
}

/// The lines that hold a queen: columns, diagonals by row + column, diagonals by n - 1 + column - row.
type Occupied = [u64; 3];

impl WeighedBoard {
    /// A board whose top queens stand `above`, and whose bottom queens on the other `divided` columns.
    fn new(n: u32, half: u32, above: u64, divided: u64) -> Self {
        let columns = std::array::from_fn(|row| if (row as u32) < half { above } else { divided & !above });
        Self { n, half, columns, queens: [0; 32], above, divided }
    }

    /// The weights of all ways to fill the board.
    fn count(&mut self, stop: &Stop) -> Result<u128, Stopped> {
        self.fill(0, [0; 3], stop)
    }

    /// Those of all ways to fill the rows from `row` to the last.
    fn fill(&mut self, row: u32, occupied: Occupied, stop: &Stop) -> Result<u128, Stopped> {
        if row == self.n {
            return Ok(self.weight());
        }
        if row + 8 < self.n {
            stop.check()?;
        }
        let [columns, rising, falling] = occupied;
        let mut free = self.columns[row as usize] & !(columns | rising >> row | falling >> (self.n - 1 - row));
        let mut total = 0;
        while free != 0 {
            let queen = free & free.wrapping_neg();
            free ^= queen;
            self.queens[row as usize] = queen.trailing_zeros();
            let occupied = [columns | queen, rising | queen << row, falling | queen << (self.n - 1 - row)];
            total += self.fill(row + 1, occupied, stop)?;
        }
        Ok(total)
    }

    /// What the solution on the board counts for.
    fn weight(&self) -> u128 {
        let (n, middle_rows) = (self.n, self.n - 2 * self.half);
        let queens = &self.queens[..n as usize];
        let on_main_diagonals = |rows: std::ops::Range<u32>| {
            rows.filter(|&row| queens[row as usize] == row || queens[row as usize] == n - 1 - row).count()
        };
        if middle_rows == 0 && !weighs_main_diagonals(self.half) {
            return self.images_of_columns();
        }
        if middle_rows == 0 {
            let twice = match (on_main_diagonals(0..n / 2), on_main_diagonals(n / 2..n)) {
                (2, 0) | (0, 2) => 2,
                (0, _) | (_, 0) => 1,
                _ => 0,
            };
            return self.images_of_columns() * twice;
        }
        // How far the queens of the middle lines are from the centre, doubled.
        let distance = |line: u32| (2 * line).abs_diff(n - 1);
        let is_middle = |line: &u32| distance(*line) <= 1;
        let across = (0..n).filter(is_middle).map(|row| distance(queens[row as usize])).max();
        let along = (0..n).filter(|&row| is_middle(&queens[row as usize])).map(distance).max();
        let order_eight = match along.cmp(&across) {
            std::cmp::Ordering::Less => 2,
            std::cmp::Ordering::Equal => 1,
            std::cmp::Ordering::Greater => 0,
        };
        if middle_rows == 1 {
            // Images of the queen in the middle row and of the columns above together.
            let centre = queens[n as usize / 2] == n / 2;
            return order_eight * if centre { self.images_of_columns() } else { 4 };
        }
        let upper = (n - 1) / 2 - n % 2;
        let (a, b) = (queens[upper as usize], queens[(n - 1 - upper) as usize]);
        order_eight * distinct([(a, b), (b, a), (n - 1 - a, n - 1 - b), (n - 1 - b, n - 1 - a)])
    }

    /// How many of the images of the columns above, under mirror and flip, differ.
    fn images_of_columns(&self) -> u128 {
        let below = self.divided & !self.above;
        let mirrored = |columns: u64| columns.reverse_bits() >> (u64::BITS - self.n);
        distinct([self.above, below, mirrored(self.above), mirrored(below)])
    }
}

/// How many things differ.
fn distinct<T: Ord>(mut things: [T; 4]) -> u128 {
    things.sort_unstable();
    1 + things.windows(2).filter(|pair| pair[0] != pair[1]).count() as u128
}
