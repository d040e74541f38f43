//! Signatures: which diagonals a half-board occupies, of those that cross the cut. Section 2 of [the
//! proof](super::super) has the picture.
//!
//! A signature has two fields of W bits, side by side in a word: x for the diagonals "\" below y for the diagonals "/".
//! For even N, W = N - 1. For odd N the cut is the middle row, a diagonal is named after its square there, and W = N.
//!
//! Three symmetries of the board are symmetries of the word. The left-right mirror image reverses its 2W bits, the
//! top-bottom image exchanges its fields, and turning by 180 degrees, which is both, reverses each field. So a bottom
//! is a turned top, and everything else speaks of tops alone.

use crate::board::bits;

/// The diagonals that a part of a half-board occupies, of those that cross the cut.
pub type Signature = u64;

/// The measures of a board that has been cut.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Geometry {
    /// Rows in a half-board, and rows and columns in a quarter-board: N / 2, rounded down.
    pub half: u32,
    /// Bits in a field of a signature.
    pub width: u32,
}

impl Geometry {
    /// The measures of the board with `n` rows.
    pub const fn new(n: u32) -> Self {
        Self { half: n / 2, width: n - 1 + n % 2 }
    }

    /// The rows of the board: N.
    pub const fn rows(self) -> u32 {
        2 * self.half + self.is_odd() as u32
    }

    /// Whether a row and a column run through the middle of the board.
    pub const fn is_odd(self) -> bool {
        self.width == 2 * self.half + 1
    }

    /// The signature of a queen at (`row`, `column`) of the quarter-board at the top left, counted from the corner.
    pub const fn queen(self, row: u32, column: u32) -> Signature {
        let rise = self.half - row;
        let down_right = column + rise - !self.is_odd() as u32;
        let down_left = if column >= rise { 1 << (self.width + column - rise) } else { 0 };
        1 << down_right | down_left
    }

    /// The two main diagonals of an even board; 0 for an odd one, whose core closes them or leaves them like all
    /// others.
    pub const fn main_diagonals(self) -> Signature {
        if self.is_odd() { 0 } else { self.lines(self.half - 1, self.half - 1) }
    }

    /// The two diagonals that cross at the square of the cut whose column is `x`, for "\", and `y`, for "/".
    pub const fn lines(self, x: u32, y: u32) -> Signature {
        1 << x | 1 << (self.width + y)
    }

    /// The signature of the left-right mirror image.
    pub const fn mirrored(self, signature: Signature) -> Signature {
        signature.reverse_bits() >> (u64::BITS - 2 * self.width)
    }

    /// The diagonal of a turned half-board that is `line` of the half-board: turning reverses each field.
    pub const fn turned(self, line: u32) -> u32 {
        if line < self.width { self.width - 1 - line } else { 3 * self.width - 1 - line }
    }

    /// The diagonals of a half-board after it has been turned.
    pub fn turned_signature(self, signature: Signature) -> Signature {
        bits(signature).fold(0, |turned, bit| turned | 1 << self.turned(bit.trailing_zeros()))
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const SIZES: std::ops::RangeInclusive<i32> = 4..=32;

    /// The diagonals of any square of the board that cross the cut: "\\" by where it meets the row above the cut, "/"
    /// by where it meets the one below; for odd N both by the middle row.
    fn crossing(n: i32, row: i32, column: i32) -> Signature {
        let (h, width) = (n / 2, n - 1 + n % 2);
        let x = column + (h - 1 + n % 2 - row);
        let y = column + (row - h);
        let field = |line| if (0..width).contains(&line) { 1u64 << line } else { 0 };
        field(x) | field(y) << width
    }

    fn squares(rows: std::ops::Range<i32>, columns: std::ops::Range<i32>) -> impl Iterator<Item = (i32, i32)> {
        rows.flat_map(move |row| columns.clone().map(move |column| (row, column)))
    }

    #[test]
    fn a_queen_occupies_the_diagonals_of_her_square_and_mirroring_and_turning_move_them_with_her() {
        for n in SIZES {
            let geometry = Geometry::new(n as u32);
            for (row, column) in squares(0..n / 2, 0..n / 2) {
                let queen = geometry.queen(row as u32, column as u32);
                assert_eq!(queen, crossing(n, row, column), "N = {n}, {row}, {column}");
                assert_eq!(geometry.mirrored(queen), crossing(n, row, n - 1 - column), "N = {n}, {row}, {column}");
            }
            for (row, column) in squares(0..n / 2, 0..n) {
                let turned = crossing(n, n - 1 - row, n - 1 - column);
                let here = crossing(n, row, column);
                assert_eq!(geometry.turned_signature(here), turned, "N = {n}, {row}, {column}");
                assert_eq!(geometry.turned_signature(turned), here, "N = {n}, {row}, {column}");
                assert_eq!(geometry.mirrored(geometry.mirrored(here)), here, "N = {n}, {row}, {column}");
            }
        }
    }

    #[test]
    fn queens_on_different_sides_of_the_cut_share_a_signature_bit_if_they_share_a_diagonal() {
        for n in SIZES {
            let below = n / 2 + n % 2..n;
            for (row, column) in squares(0..n / 2, 0..n) {
                for (other, their) in squares(below.clone(), 0..n) {
                    let attack = other - row == (their - column).abs();
                    assert_eq!(crossing(n, row, column) & crossing(n, other, their) != 0, attack, "N = {n}");
                }
            }
        }
    }

    #[test]
    fn a_diagonal_that_both_quarters_share_crosses_the_cut() {
        for n in SIZES {
            for (row, column) in squares(0..n / 2, 0..n / 2) {
                for (other, their) in squares(0..n / 2, n / 2 + n % 2..n) {
                    let attack = (other - row).abs() == their - column;
                    assert_eq!(crossing(n, row, column) & crossing(n, other, their) != 0, attack, "N = {n}");
                }
            }
        }
    }

    #[test]
    fn the_diagonals_of_the_queens_of_the_middle_lines_are_lines() {
        for n in SIZES.filter(|n| n % 2 == 1) {
            let (geometry, h) = (Geometry::new(n as u32), n / 2);
            for at in 0..n {
                assert_eq!(geometry.lines(at as u32, at as u32), crossing(n, h, at), "N = {n}");
                if at < h {
                    let q = (h - at) as u32;
                    assert_eq!(geometry.lines(geometry.half + q, geometry.half - q), crossing(n, at, h), "N = {n}");
                }
            }
        }
    }

    proptest! {
        #[test]
        fn half_boards_share_a_signature_bit_if_a_queen_of_one_attacks_a_queen_of_the_other(
            n in SIZES,
            squares in proptest::collection::vec((0..16i32, 0..32i32), 0..12),
        ) {
            // The squares of a top, and those of a turned bottom.
            let squares: Vec<(i32, i32)> = squares.into_iter().map(|(row, column)| (row % (n / 2), column % n)).collect();
            let (top, bottom) = squares.split_at(squares.len() / 2);
            let signature = |half: &[(i32, i32)]| half.iter().fold(0, |all, &(row, at)| all | crossing(n, row, at));
            let below = bottom.iter().map(|&(row, column)| (n - 1 - row, n - 1 - column));
            let attacks = |&(row, column): &(i32, i32)| below.clone().any(|(r, c)| (r - row).abs() == (c - column).abs());
            let turned = Geometry::new(n as u32).turned_signature(signature(bottom));
            prop_assert_eq!(signature(top) & turned != 0, top.iter().any(attacks));
        }
    }
}
