//! The recount of the solutions that are unchanged by a rotation.
//!
//! A unit is a way to place the first two orbits, counted from the middle rows outwards. Here,
//! orbits are lists of squares, and every pair of queens is checked for attacks. The rest of the
//! board is filled from the top.

use crate::{Square, Stop, attack, proceed};

/// Counts the solutions, including mirror images, in a unit of the board of size `n`. The rotation
/// is by 180 degrees if `order` is 2, and by 90 degrees if it is 4. Returns `None` if `stop`
/// returns `true`.
///
/// # Panics
/// Panics if `unit` is not below [`units`], or if `order` is neither 2 nor 4.
///
/// ```
/// use queencount_recount::rotation;
///
/// let units = 0..rotation::units(12, 2);
/// let counts = units.map(|unit| rotation::count(12, 2, unit, &|| false));
/// assert_eq!(counts.sum::<Option<u128>>(), Some(80));
/// ```
pub fn count(n: u32, order: u32, unit: u64, stop: Stop) -> Option<u128> {
    let units = Board { n, order }.units();
    let queens = usize::try_from(unit).ok().and_then(|unit| units.get(unit));
    let queens = queens.unwrap_or_else(|| panic!("no such unit: {unit}"));
    let weight = if n == 1 { 1 } else { 2 };
    Some(weight * Board { n, order }.complete(queens, stop)?)
}

/// Returns the number of units of the board of size `n`.
///
/// # Panics
/// Panics if `order` is neither 2 nor 4.
pub fn units(n: u32, order: u32) -> u64 {
    Board { n, order }.units().len() as u64
}

/// A board, and the number of rotations that a solution has to withstand.
#[derive(Clone, Copy)]
struct Board {
    n: u32,
    order: u32,
}

impl Board {
    /// Lists the queens of each unit. The first orbit has a queen in the left half of its row.
    /// (Mirroring a solution gives another one.) A board that one orbit fills has no second one.
    fn units(self) -> Vec<Vec<Square>> {
        let centre = vec![(self.n / 2, self.n / 2); self.n as usize % 2];
        let mut units = Vec::new();
        for first in self.with_next_orbit(&centre, self.n / 2) {
            if first.len() == self.n as usize {
                units.push(first);
            } else {
                units.extend(self.with_next_orbit(&first, self.n));
            }
        }
        // The only queen of the smallest board is in the centre.
        if self.n == 1 { vec![centre] } else { units }
    }

    /// Returns the ways to add the orbit of a square in the lowest empty row of the upper half and
    /// in one of the first columns.
    fn with_next_orbit(self, queens: &[Square], columns: u32) -> Vec<Vec<Square>> {
        let is_empty = |row: &u32| queens.iter().all(|queen| queen.0 != *row);
        let row = (0..self.n / 2).rev().find(is_empty);
        row.into_iter()
            .flat_map(|row| (0..columns).map(move |column| (row, column)))
            .filter_map(|square| self.with_orbit(queens, square))
            .collect()
    }

    /// Adds the orbit of a square, or returns `None` if two queens then attack each other.
    fn with_orbit(self, queens: &[Square], square: Square) -> Option<Vec<Square>> {
        let mut all = queens.to_vec();
        for (row, column) in self.orbit(square) {
            if all.iter().any(|&queen| attack(queen, (row, column))) {
                return None;
            }
            all.push((row, column));
        }
        Some(all)
    }

    /// Returns the images of a square that is not in the centre.
    fn orbit(self, (row, column): Square) -> Vec<Square> {
        let last = self.n - 1;
        match self.order {
            2 => vec![(row, column), (last - row, last - column)],
            4 => vec![
                (row, column),
                (column, last - row),
                (last - row, last - column),
                (last - column, row),
            ],
            order => panic!("expected a rotation of order 2 or 4, found {order}"),
        }
    }

    /// Counts the ways to fill the empty rows.
    fn complete(self, queens: &[Square], stop: Stop) -> Option<u128> {
        proceed(stop)?;
        let is_empty = |row: &u32| queens.iter().all(|queen| queen.0 != *row);
        let Some(row) = (0..self.n).find(is_empty) else {
            return Some(1);
        };
        let mut count = 0;
        for column in 0..self.n {
            if let Some(all) = self.with_orbit(queens, (row, column)) {
                count += self.complete(&all, stop)?;
            }
        }
        Some(count)
    }
}
