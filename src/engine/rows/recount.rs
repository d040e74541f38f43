//! Units counted a second time, by a program that shares nothing with the engine but the rules of the game.
//!
//! It follows [the proof](super) word by word, and does nothing for speed that the proof does not need:
//!
//! - `units`: what a unit is, by listing what the engine computes.
//! - Here: the half-boards of a column set, found by backtracking over their rows. There are no quarter-boards, no
//!   square is closed and no half-board marked. Where its queens stand says what a half-board weighs.
//! - `splitting`: the pairs of half-boards, by splitting their lists in two, again and again. There are no keys, no blocks,
//!   no tables and no kernels.
//!
//! A mistake of the engine, or of the machine that ran it, would have to be made again in other terms to go unseen. It
//! takes some twenty times as long as the engine: a tenth of a second for a column set of N = 28.

pub mod splitting;
pub mod units;

use std::cmp::Ordering;
use std::ops::Range;

use rayon::prelude::*;

use self::units::{Listing, Part, attack};
use crate::stop::{Stop, Stopped};

/// The number of solutions that a unit stands for. It spreads over the rayon thread pool that it is called in.
///
/// # Errors
/// [`Stopped`], soon after `stop` has been requested.
///
/// # Panics
/// When there is no such unit.
pub fn recount(listing: &Listing, unit: u64, stop: &Stop) -> Result<u128, Stopped> {
    stop.check()?;
    listing.parts(unit).into_par_iter().map(|part| part.count(stop)).sum()
}

/// The half-boards of one side, as words of the diagonals that cross to the other side: those that weigh most, those of
/// the second class, and the others.
type Lists = [Vec<u64>; 3];

impl Part {
    /// The number of solutions that a column set stands for.
    ///
    /// # Errors
    /// [`Stopped`], soon after `stop` has been requested.
    pub fn count(&self, stop: &Stop) -> Result<u128, Stopped> {
        stop.check()?;
        let [tops, bottoms] = [self.half_boards(false, stop)?, self.half_boards(true, stop)?];
        let mut count = 0;
        for (top, tops) in tops.iter().enumerate() {
            for (bottom, bottoms) in bottoms.iter().enumerate() {
                let weight = self.weight(top, bottom);
                if weight > 0 {
                    count += u128::from(weight) * u128::from(splitting::disjoint_pairs(tops, bottoms, stop)?);
                }
            }
        }
        let [of_core, of_columns] = self.images;
        Ok(u128::from(of_core * of_columns) * count)
    }

    /// The number of rows of the top, and of the bottom.
    fn half(&self) -> u32 {
        (self.n - self.core.len() as u32) / 2
    }

    fn rows(&self, bottom: bool) -> Range<u32> {
        if bottom { self.n - self.half()..self.n } else { 0..self.half() }
    }

    /// The half-boards of the top or of the bottom, by class.
    pub fn half_boards(&self, bottom: bool, stop: &Stop) -> Result<Lists, Stopped> {
        let free = |row: u32| (0..self.n).filter(move |&column| self.core.iter().all(|&q| !attack(q, (row, column))));
        let open = self.rows(bottom).map(|row| free(row).fold(0, |open, column| open | 1 << column)).collect();
        let first = self.rows(bottom).start;
        let mut search = Backtracking { part: self, first, open, queens: vec![], found: Lists::default(), stop };
        search.fill(self.columns[usize::from(bottom)], [0, 0], 0)?;
        Ok(search.found)
    }

    /// The class of a half-board with these queens, and so what it weighs.
    ///
    /// With middle rows: 0, 1 or 2 if the farthest queen of a middle column is less far from the centre than R, as far,
    /// or farther. Without: how many queens stand on main diagonals.
    pub fn class(&self, queens: &[(u32, u32)]) -> usize {
        if self.core.is_empty() {
            return queens.iter().filter(|&&(row, column)| row == column || row + column == self.n - 1).count();
        }
        match self.along(queens).cmp(&self.across()) {
            Ordering::Less => 0,
            Ordering::Equal => 1,
            Ordering::Greater => 2,
        }
    }

    /// Twice the distance from the centre of a row or a column.
    fn distance(&self, line: u32) -> u32 {
        (2 * line).abs_diff(self.n - 1)
    }

    /// R, doubled: how far from the centre the queens of the middle rows stand.
    fn across(&self) -> Option<u32> {
        let middle = self.core.iter().filter(|queen| self.distance(queen.0) <= 1);
        middle.map(|queen| self.distance(queen.1)).max()
    }

    /// S, doubled, as far as these queens go: how far from the centre those of the middle columns stand.
    fn along(&self, queens: &[(u32, u32)]) -> Option<u32> {
        let middle = queens.iter().filter(|queen| self.distance(queen.1) <= 1);
        middle.map(|queen| self.distance(queen.0)).max()
    }

    /// What a pair of a top and a bottom of these classes counts, by the order of eight.
    fn weight(&self, top: usize, bottom: usize) -> u64 {
        if self.core.is_empty() {
            return match (top, bottom) {
                _ if self.n <= 16 => 1,
                (2, 0) | (0, 2) => 2,
                (0, _) | (_, 0) => 1,
                _ => 0,
            };
        }
        match top.max(bottom).max(self.class(&self.core)) {
            0 => 2,
            1 => 1,
            _ => 0,
        }
    }

    /// The diagonals of a square that cross from the top to the bottom, a bit each. On such a diagonal column - row, or
    /// column + row - (N - 1), is from 1 - h to h - 1.
    fn crossing(&self, (row, column): (u32, u32)) -> u64 {
        let (row, column, last, most) = (row as i32, column as i32, self.n as i32 - 1, self.half() as i32 - 1);
        let bit = |line: i32| if line.abs() <= most { 1 << (line + most) } else { 0u64 };
        bit(column - row) | bit(column + row - last) << (2 * most + 1)
    }
}

/// A search for half-boards, row by row.
struct Backtracking<'a> {
    part: &'a Part,
    /// The first row.
    first: u32,
    /// By row from the first: the columns that no queen of the core attacks.
    open: Vec<u64>,
    /// The queens so far.
    queens: Vec<(u32, u32)>,
    found: Lists,
    stop: &'a Stop,
}

impl Backtracking<'_> {
    /// Fills the rows that are left with queens on the free `columns`. `attacked` is where diagonals of the queens so far,
    /// to the left and to the right, meet the next row; `word` is which of them cross.
    fn fill(&mut self, columns: u64, attacked: [u64; 2], word: u64) -> Result<(), Stopped> {
        if self.queens.len() < 4 {
            self.stop.check()?;
        }
        let Some(open) = self.open.get(self.queens.len()) else {
            self.found[self.part.class(&self.queens)].push(word);
            return Ok(());
        };
        let [left, right] = attacked;
        let mut free = columns & open & !(left | right);
        while free != 0 {
            let queen = free & free.wrapping_neg();
            free ^= queen;
            let square = (self.first + self.queens.len() as u32, queen.trailing_zeros());
            self.queens.push(square);
            let attacked = [(left | queen) << 1, (right | queen) >> 1];
            self.fill(columns ^ queen, attacked, word | self.part.crossing(square))?;
            self.queens.pop();
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Random;

    /// A board with the columns that its queens may stand on, and the definition of what a solution weighs: no board is
    /// cut, and all that counts is where the queens of a solution stand.
    struct Weighed<'a> {
        part: &'a Part,
        /// The columns of each row that its queen may stand on.
        columns: Vec<u64>,
        /// The columns of the queens of the rows that have been filled.
        queens: Vec<u32>,
    }

    impl<'a> Weighed<'a> {
        fn new(part: &'a Part) -> Self {
            let middle = |row: u32| part.core.iter().find(|queen| queen.0 == row).map(|queen| 1 << queen.1);
            let columns = |row| middle(row).unwrap_or(part.columns[usize::from(2 * row >= part.n)]);
            Self { part, columns: (0..part.n).map(columns).collect(), queens: Vec::new() }
        }

        /// The weights of all ways to fill the rows that are left. Lines that hold a queen: columns, diagonals by row +
        /// column, diagonals by n - 1 + column - row.
        fn fill(&mut self, [columns, rising, falling]: [u64; 3]) -> u128 {
            let row = self.queens.len() as u32;
            if row == self.part.n {
                return self.weight();
            }
            let last = self.part.n - 1;
            let mut free = self.columns[row as usize] & !(columns | rising >> row | falling >> (last - row));
            let mut total = 0;
            while free != 0 {
                let queen = free & free.wrapping_neg();
                free ^= queen;
                self.queens.push(queen.trailing_zeros());
                total += self.fill([columns | queen, rising | queen << row, falling | queen << (last - row)]);
                self.queens.pop();
            }
            total
        }

        /// What the solution on the board counts for.
        fn weight(&self) -> u128 {
            let (n, middle_rows) = (self.part.n, self.part.core.len());
            let queens = &self.queens;
            let on_main_diagonals = |rows: Range<u32>| {
                rows.filter(|&row| queens[row as usize] == row || queens[row as usize] == n - 1 - row).count()
            };
            if middle_rows == 0 {
                return self.images_of_columns()
                    * match (on_main_diagonals(0..n / 2), on_main_diagonals(n / 2..n)) {
                        _ if n <= 16 => 1,
                        (2, 0) | (0, 2) => 2,
                        (0, _) | (_, 0) => 1,
                        _ => 0,
                    };
            }
            // How far the queens of the middle lines are from the centre, doubled.
            let distance = |line: u32| (2 * line).abs_diff(n - 1);
            let is_middle = |line: &u32| distance(*line) <= 1;
            let across = (0..n).filter(is_middle).map(|row| distance(queens[row as usize])).max();
            let along = (0..n).filter(|&row| is_middle(&queens[row as usize])).map(distance).max();
            let order_eight = match along.cmp(&across) {
                Ordering::Less => 2,
                Ordering::Equal => 1,
                Ordering::Greater => 0,
            };
            if middle_rows == 1 {
                // Images of the queen in the middle row and of the columns above together.
                let centre = queens[n as usize / 2] == n / 2;
                return order_eight * if centre { self.images_of_columns() } else { 4 };
            }
            let upper = (n - 1) / 2 - n % 2;
            let (a, b) = (queens[upper as usize], queens[(n - 1 - upper) as usize]);
            order_eight * different([(a, b), (b, a), (n - 1 - a, n - 1 - b), (n - 1 - b, n - 1 - a)])
        }

        /// How many of the images of the columns above, under mirror and flip, differ.
        fn images_of_columns(&self) -> u128 {
            let mirrored = |columns: u64| columns.reverse_bits() >> (u64::BITS - self.part.n);
            let [above, below] = self.part.columns;
            different([above, below, mirrored(above), mirrored(below)])
        }
    }

    /// How many things differ.
    fn different<T: Ord>(mut things: [T; 4]) -> u128 {
        things.sort_unstable();
        1 + things.windows(2).filter(|pair| pair[0] != pair[1]).count() as u128
    }

    fn check(part: &Part) -> u128 {
        let count = Weighed::new(part).fill([0; 3]);
        assert_eq!(part.count(&Stop::new()), Ok(count), "{part:?}");
        count
    }

    #[test]
    fn parts_count_their_solutions_by_the_definition_of_weights_and_sum_to_the_board() {
        for (n, middle_rows, tile_side) in units::tests::boards(9, 1 << 14).flat_map(|(n, k)| [(n, k, 3), (n, k, 16)]) {
            let listing = Listing::new(n, middle_rows, tile_side);
            let parts = (0..listing.units()).flat_map(|unit| listing.parts(unit));
            let total = parts.map(|part| check(&part)).sum();
            assert_eq!(crate::known::published(n), Some(total), "N = {n}, {middle_rows} middle rows");
        }
    }

    #[test]
    fn parts_of_large_boards_count_their_solutions_by_the_definition_of_weights() {
        let long = std::env::var_os("QUEENCOUNT_LONG").is_some();
        for (n, middle_rows) in
            [(18, 0), (18, 2), (19, 1), (20, 4), (21, 3), (22, 6), (23, 5), (24, 6), (26, 8), (28, 10)]
        {
            let listing = Listing::new(n, middle_rows, 16);
            let mut random = Random::new(n.into());
            let mut full = 0;
            while full < if long { 20 } else { 2 } {
                let parts = listing.parts(random.below(listing.units()));
                if !parts.is_empty() {
                    full += u32::from(check(&parts[random.below(parts.len() as u64) as usize]) > 0);
                }
            }
        }
    }
}
