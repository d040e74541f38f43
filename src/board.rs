//! The board: its size, its solutions, and the three bitmasks that describe a row.
//!
//! Queens are placed row by row, from the top. Bit c of each bitmask stands for column c of the
//! next row. A 1 means that no queen above attacks that square along the bitmask's line (column or
//! diagonal):
//!
//! ```text
//!   column    0 1 2 3 4 5 6 7
//!   placed    . . . Q . . . .   free     no queen in this column     1 1 1 . 1 . 1 1
//!   placed    . . . . . Q . .   rising   none on the "/" diagonal    1 . 1 1 . 1 1 1   moves left
//!   next row  . # . # # # # .   falling  none on the "\" diagonal    1 1 1 1 1 . . 1   moves right
//! ```
//!
//! (The lowest bit is on the left.) A square is open if its bit is 1 in all three bitmasks. A queen
//! clears the three bits of its square. From one row to the next, the 64-bit words `rising` and
//! `falling` are rotated by one bit.
//!
//! An attack that leaves the board on one side does not re-enter it on the other. Consider a queen
//! in column c <= 31, and the row that is k <= 31 rows below it. In `falling`, the queen clears bit
//! c + k, which is at most 62. In `rising`, it clears bit c - k or, if c < k, bit 64 + c - k, which
//! is at least 33.

use std::fmt;
use std::str::FromStr;

use crate::parse::{ParseError, abbreviate, parse_digits};

/// The number of rows and columns of a board, from 1 to 32.
///
/// ```
/// use queencount::BoardSize;
///
/// assert_eq!("8".parse(), BoardSize::new(8));
/// assert!(BoardSize::new(33).is_err());
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct BoardSize(u32);

impl BoardSize {
    /// The size of the largest board.
    pub const MAX: u32 = 32;

    /// Creates a `BoardSize` for an `n` x `n` board.
    ///
    /// # Errors
    /// Fails if `n` is 0 or exceeds [`BoardSize::MAX`].
    pub fn new(n: u32) -> Result<Self, ParseError> {
        if (1..=Self::MAX).contains(&n) {
            Ok(Self(n))
        } else {
            Err(Self::error(&n.to_string()))
        }
    }

    fn error(found: &str) -> ParseError {
        ParseError::new("a board size from 1 to 32", found)
    }

    /// Returns the number of rows.
    pub const fn get(self) -> u32 {
        self.0
    }

    pub(crate) const fn columns(self) -> u64 {
        (1 << self.0) - 1
    }
}

impl FromStr for BoardSize {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        parse_digits(text).map_or_else(|| Err(Self::error(text)), Self::new)
    }
}

impl fmt::Display for BoardSize {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(formatter)
    }
}

/// The three bitmasks in the picture at the top of this file.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Row {
    pub(crate) free: u64,
    rising: u64,
    falling: u64,
}

impl Row {
    pub(crate) const fn first(size: BoardSize) -> Self {
        Self {
            free: size.columns(),
            rising: !0,
            falling: !0,
        }
    }

    #[inline(always)]
    pub(crate) const fn open(self) -> u64 {
        self.open_below(0)
    }

    /// Returns the open squares of the row that is `rows` rows below this one, assuming that the
    /// rows in between are empty.
    #[inline(always)]
    pub(crate) const fn open_below(self, rows: u32) -> u64 {
        self.free & self.rising.rotate_right(rows) & self.falling.rotate_left(rows)
    }

    /// Places a queen, given as a single bit, on an open square, and returns the next row.
    #[inline(always)]
    pub(crate) const fn place(self, queen: u64) -> Self {
        Self {
            free: self.free ^ queen,
            rising: (self.rising ^ queen).rotate_right(1),
            falling: (self.falling ^ queen).rotate_left(1),
        }
    }
}

/// Iterates over the set bits of a word, each as a bitmask, lowest first.
#[inline(always)]
pub(crate) fn bits(mut word: u64) -> impl Iterator<Item = u64> {
    std::iter::from_fn(move || {
        if word == 0 {
            return None;
        }
        let bit = word & word.wrapping_neg();
        word ^= bit;
        Some(bit)
    })
}

/// A placement of N nonattacking queens, stored as one column number per row, from the top.
///
/// Solutions are ordered lexicographically by their columns. The text form lists the columns,
/// numbered from 1 and separated by spaces. A solution takes 33 bytes.
///
/// ```
/// use queencount::Solution;
///
/// assert_eq!("2 4 1 3".parse(), Solution::new(&[1, 3, 0, 2]));
/// assert!("1 2 3 4".parse::<Solution>().is_err());
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Solution {
    /// The elements at index N and above are 0.
    columns: [u8; BoardSize::MAX as usize],
    rows: u8,
}

impl Solution {
    /// Creates the solution with queens in these columns, from the top row down. Rows and columns
    /// are numbered from 0, here and in errors.
    ///
    /// # Errors
    /// Fails if there are no columns, if there are more than 32, if a column is not on the board,
    /// or if two queens attack each other.
    pub fn new(columns: &[u8]) -> Result<Self, SolutionError> {
        Self::parse(columns.iter().map(u8::to_string), 0)
    }

    /// Parses the columns, numbered from `first`, as are rows in errors.
    pub(crate) fn parse(
        words: impl IntoIterator<Item = impl AsRef<str>>,
        first: u32,
    ) -> Result<Self, SolutionError> {
        let words = Vec::from_iter(words);
        let rows = words.len() as u64;
        if !(1..=u64::from(BoardSize::MAX)).contains(&rows) {
            let error = format!("expected 1 to 32 columns, found {rows}");
            return Err(SolutionError(error));
        }
        let first = u64::from(first);
        let valid = first..first + rows;
        let mut columns = Vec::new();
        for (row, word) in (first..).zip(&words) {
            let column = parse_digits(word.as_ref())
                .filter(|column| valid.contains(column))
                .ok_or_else(|| {
                    SolutionError(format!(
                        "expected a column from {first} to {} for the queen in row {row}, found {}",
                        valid.end - 1,
                        abbreviate(word.as_ref())
                    ))
                })?;
            let attacker = (first..)
                .zip(&columns)
                .find(|&(above, &queen)| queen == column || column.abs_diff(queen) == row - above);
            if let Some((above, _)) = attacker {
                let error = format!("the queens in rows {above} and {row} attack each other");
                return Err(SolutionError(error));
            }
            columns.push(column);
        }
        Ok(Self::from_columns(
            columns.iter().map(|column| (column - first) as u8),
        ))
    }

    /// Creates a solution from columns that are known to be valid.
    pub(crate) fn from_columns(columns: impl Iterator<Item = u8>) -> Self {
        let mut solution = Self {
            columns: [0; 32],
            rows: 0,
        };
        for column in columns {
            solution.columns[usize::from(solution.rows)] = column;
            solution.rows += 1;
        }
        solution
    }

    /// Returns the columns of the queens, from the top row down, numbered from 0.
    pub fn columns(&self) -> &[u8] {
        &self.columns[..usize::from(self.rows)]
    }

    /// Returns the rows of the board as text, with `Q` for a queen and `.` for an empty square.
    pub fn board_lines(&self) -> impl ExactSizeIterator<Item = String> {
        self.columns().iter().map(|&queen| {
            (0..self.rows)
                .map(|column| if column == queen { 'Q' } else { '.' })
                .collect()
        })
    }
}

impl FromStr for Solution {
    type Err = SolutionError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        Self::parse(text.split_ascii_whitespace(), 1)
    }
}

impl fmt::Display for Solution {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (row, column) in self.columns().iter().enumerate() {
            let space = if row == 0 { "" } else { " " };
            write!(formatter, "{space}{}", column + 1)?;
        }
        Ok(())
    }
}

impl fmt::Debug for Solution {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_tuple("Solution")
            .field(&self.columns())
            .finish()
    }
}

/// The error for a string or list of columns that is not a solution.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct SolutionError(String);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn queen_attacks_its_column_and_both_diagonals() {
        for n in 1..=BoardSize::MAX {
            let first = Row::first(BoardSize::new(n).unwrap());
            for column in 0..n {
                for below in 1..n {
                    // It suffices to test one queen: the three bits of an open square are set, so
                    // flipping them cannot undo another queen's attack.
                    let attacked: u64 = (0..n)
                        .filter(|&square| square == column || square.abs_diff(column) == below)
                        .map(|square| 1 << square)
                        .sum();
                    let open = first.place(1 << column).open_below(below - 1);
                    assert_eq!(open, first.free ^ attacked, "N = {n}, {column} -> {below}");
                }
            }
        }
    }
}
