//! Signatures: all that one half of the board needs to know of the other.
//!
//! The board is cut along a line between its middle rows or, for odd N, along its middle row. Two queens on different
//! sides of the cut attack each other only along a diagonal that crosses it, so a half-board is worth one word: which of
//! the crossing diagonals it occupies.
//!
//! ```text
//!   top half, N = 8          a queen at (r, c) of h = 4 rows
//!     . . . . . . . .
//!     . . Q . . . . .          "\" crosses below column c + (h-1-r)      bit c + (h-1-r)          of field x
//!     . / . \ . . . .          "/" crosses below column c - (h-1-r)      bit c - (h-r), if any,   of field y
//!     / . . . \ . . .
//!   ------------------ cut
//! ```
//!
//! The fields lie side by side in a word, x below y, W bits each: W = N - 1 for even N; for odd N, where a diagonal is
//! named after its square of the middle row, W = N. Two symmetries of the board become symmetries of the word: the
//! left-right mirror image reverses its 2W bits, the top-bottom image swaps its fields. So a bottom half is a top half
//! whose fields are swapped, and everything below speaks of top halves alone.

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

    /// The two diagonals that cross at the square of the cut whose column is `x`, for "\", and `y`, for "/".
    pub const fn lines(self, x: u32, y: u32) -> Signature {
        1 << x | 1 << (self.width + y)
    }

    /// The signature of the left-right mirror image.
    pub const fn mirrored(self, signature: Signature) -> Signature {
        signature.reverse_bits() >> (u64::BITS - 2 * self.width)
    }

    /// The diagonal of a turned half-board that is `line` of the half-board: turning the board by 180 degrees exchanges
    /// top and bottom, and reverses each field.
    pub const fn turned(self, line: u32) -> u32 {
        if line < self.width { self.width - 1 - line } else { 3 * self.width - 1 - line }
    }

    /// The diagonals of a half-board after it has been turned.
    pub fn turned_signature(self, signature: Signature) -> Signature {
        bits(signature).fold(0, |turned, bit| turned | 1 << self.turned(bit.trailing_zeros()))
    }
}
