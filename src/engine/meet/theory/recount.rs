//! The units once more, by a program that has nothing in common with the engine.
//!
//! The engine pairs half-boards that it has made of quarter-boards. Here queens are put on a board row by row, and a
//! unit is no more than the squares that they may stand on. For even N these are the two sums W of [the
//! proof](super::super), one for C and one for its complement:
//!
//! ```text
//!     N = 7, queens of the middle row and column at m and q     N = 8, a set C of columns, "o"
//!
//!         . . . - . . .                                           o . o o . . o .   x   may not be used:
//!         . . . q . . .    the queens above the middle            o . o o . . o .       the lower halves of
//!         . . . - . . .    row stand on C, those below            o . o o . . o .       the main diagonals
//!         - m - - - - -    it on the other columns                o . o o . . o .
//!         . . . - . . .                                           . o . . x o . o
//!         . . . - . . .                                           . o . . o x . o
//!         . . . - . . .                                           . x . . o o . o
//!                                                                 . o . . o o . x
//! ```
//!
//! A mistake in signatures, formats, joins or kernels, or in the machine that ran them, would have to be made again in
//! other terms to go unseen.

use super::core::{Core, Unit};
use crate::engine::{Stop, Stopped};

/// The number of solutions that a unit stands for.
pub fn recount(core: &Core, unit: &Unit, stop: &Stop) -> Result<u128, Stopped> {
    let n = core.geometry.rows();
    let all = (1u64 << n) - 1;
    let mirrored = |columns: u64| (0..n).filter(|c| columns >> c & 1 == 1).fold(0, |set, c| set | 1u64 << (n - 1 - c));
    // The near columns are counted from the left border, the far ones from the right.
    let above = u64::from(unit.top[0]) | mirrored(unit.top[1].into());
    let images = |below: u64| distinct([above, below, mirrored(above), mirrored(below)]);
    let Some((column, row)) = core.middle else {
        let below = all ^ above;
        let both = UnitBoard::without_lower_diagonals(n, above).count(stop)?
            + UnitBoard::without_lower_diagonals(n, below).count(stop)?;
        return Ok(images(below) / 2 * both);
    };
    let middle = n / 2;
    let mut board = UnitBoard::new(n);
    board.put(middle, column);
    let mut below = all ^ (above | 1 << column);
    let weight = if row == middle {
        images(below)
    } else {
        board.put(row, middle);
        below ^= 1 << middle;
        8
    };
    for row in 0..n {
        board.columns[row as usize] = if row < middle { above } else { below };
    }
    Ok(weight * board.count(stop)?)
}

/// How many of the sets differ.
fn distinct(mut sets: [u64; 4]) -> u128 {
    sets.sort_unstable();
    1 + sets.windows(2).filter(|pair| pair[0] != pair[1]).count() as u128
}

/// The board of a unit: where its queens may stand, and which of them stand from the beginning.
struct UnitBoard {
    n: u32,
    /// The columns of each row that its queen may stand on.
    columns: [u64; 32],
    /// The rows that have their queen.
    filled: u64,
    attacked: Attacked,
    /// Whether every occupied main diagonal doubles a solution.
    doubled: bool,
}

/// The lines that hold a queen.
#[derive(Clone, Copy, Default)]
struct Attacked {
    columns: u64,
    /// Bit row + column.
    rising: u64,
    /// Bit n - 1 + column - row.
    falling: u64,
}

impl UnitBoard {
    fn new(n: u32) -> Self {
        Self { n, columns: [0; 32], filled: 0, attacked: Attacked::default(), doubled: false }
    }

    /// Even N: the queens above the middle stand on the columns `above`, the queens below on the others, but not on the
    /// lower half of a main diagonal. A solution counts twice for each main diagonal that it occupies.
    fn without_lower_diagonals(n: u32, above: u64) -> Self {
        let mut board = Self { doubled: true, ..Self::new(n) };
        for row in 0..n {
            let main_diagonals = 1 << row | 1 << (n - 1 - row);
            let below = ((1 << n) - 1) & !(above | main_diagonals);
            board.columns[row as usize] = if row < n / 2 { above } else { below };
        }
        board
    }

    /// Puts a queen on a square for good.
    fn put(&mut self, row: u32, column: u32) {
        self.filled |= 1 << row;
        self.attacked = self.with_queen(self.attacked, row, 1 << column);
    }

    /// The lines attacked after one more queen, whose column is a set of one.
    fn with_queen(&self, attacked: Attacked, row: u32, column: u64) -> Attacked {
        Attacked {
            columns: attacked.columns | column,
            rising: attacked.rising | column << row,
            falling: attacked.falling | column << (self.n - 1 - row),
        }
    }

    /// The number of ways to fill all rows, doublings included.
    fn count(&self, stop: &Stop) -> Result<u128, Stopped> {
        self.fill(0, self.attacked, stop)
    }

    /// The number of ways to fill the rows from `row` to the last.
    fn fill(&self, row: u32, attacked: Attacked, stop: &Stop) -> Result<u128, Stopped> {
        if row == self.n {
            let main = 1 << (self.n - 1);
            let occupied =
                [attacked.rising, attacked.falling].iter().filter(|&diagonals| diagonals & main != 0).count();
            return Ok(if self.doubled { 1 << occupied } else { 1 });
        }
        if self.filled >> row & 1 == 1 {
            return self.fill(row + 1, attacked, stop);
        }
        if row + 8 < self.n {
            stop.check()?;
        }
        let closed = attacked.columns | attacked.rising >> row | attacked.falling >> (self.n - 1 - row);
        let mut free = self.columns[row as usize] & !closed;
        let mut ways = 0;
        while free != 0 {
            let queen = free & free.wrapping_neg();
            free ^= queen;
            ways += self.fill(row + 1, self.with_queen(attacked, row, queen), stop)?;
        }
        Ok(ways)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The units of each board, by this count alone.
    fn sum(n: u32) -> u128 {
        let cores = Core::all(n);
        let units = |core: &Core| (0..core.tiers().iter().sum()).map(|unit| core.unit(unit)).collect::<Vec<_>>();
        let recounted = |core: &Core, unit: &Unit| recount(core, unit, &Stop::new()).unwrap();
        cores.iter().map(|core| units(core).iter().map(|unit| recounted(core, unit)).sum::<u128>()).sum()
    }

    #[test]
    fn the_units_of_small_boards_sum_to_their_solutions() {
        for (n, solutions) in [(4, 2), (5, 10), (6, 4), (7, 40), (8, 92), (9, 352), (10, 724), (11, 2_680)] {
            assert_eq!(sum(n), solutions, "N = {n}");
        }
    }

    #[test]
    fn a_stop_ends_a_recount_of_hours() {
        let stop = Stop::new();
        stop.request();
        for n in [27, 28] {
            let core = &Core::all(n)[0];
            assert_eq!(recount(core, &core.unit(core.tiers().iter().sum::<u64>() / 2), &stop), Err(Stopped), "N = {n}");
        }
    }
}
