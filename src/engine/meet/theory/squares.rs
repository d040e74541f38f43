//! Squares: where the queens of a quarter-board may stand.
//!
//! A half-board is two square quarters, near (left) and far (right). Both are described from their own corner, so that
//! the far one is a near one in the mirror:
//!
//! ```text
//!     column of the quarter   0 1 2 3 | 3 2 1 0
//!                   row 0   n n n n | f f f f     n  the near quarter
//!                   row 1   n n n n | f f f f     f  the far quarter
//!                   row 2   n n n n | f f f f
//!                   row 3   n n n n | f f f f
//!                         --------------------- cut
//! ```
//!
//! The queens of a core close a row, a column and diagonals.

use super::signature::{Geometry, Signature};

/// The squares of a quarter-board that may be used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Squares {
    /// The rows that may hold a queen.
    pub rows: u32,
    /// The columns that may.
    pub columns: u32,
    /// Diagonals that may not.
    pub closed: Signature,
    /// Whether this is the far quarter, at the top right, whose signatures are mirrored.
    pub far: bool,
}

impl Squares {
    /// The signature of a queen on a square, if she may stand there.
    pub fn queen(&self, geometry: Geometry, row: u32, column: u32) -> Option<Signature> {
        let queen = geometry.queen(row, column);
        let queen = if self.far { geometry.mirrored(queen) } else { queen };
        (self.rows >> row & self.columns >> column & 1 == 1 && queen & self.closed == 0).then_some(queen)
    }

    /// The diagonals that queens may occupy.
    pub fn diagonals(&self, geometry: Geometry) -> Signature {
        let squares = (0..geometry.half).flat_map(|row| (0..geometry.half).map(move |column| (row, column)));
        squares.filter_map(|(row, column)| self.queen(geometry, row, column)).fold(0, |all, queen| all | queen)
    }
}
