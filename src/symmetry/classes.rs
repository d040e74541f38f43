//! Symmetry classes: three counts, and the numbers of orbits that follow from them.

use crate::board::BoardSize;

/// How the solutions of a board fall into orbits of the symmetries of the square.
///
/// [`crate::classes`] counts them; [`Counter::classes`](crate::Counter::classes) has a say in how.
///
/// ```
/// use queencount::{BoardSize, Classes};
///
/// let classes = Classes::new(BoardSize::new(8)?, 92, 4, 0)?;
/// assert_eq!(classes.fundamental(), 12);
/// assert_eq!([1, 2, 4, 8].map(|size| classes.orbits(size)), [0, 0, 1, 11]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Classes {
    size: BoardSize,
    total: u128,
    half_turn: u128,
    quarter_turn: u128,
}

impl Classes {
    /// The classes of a board with so many solutions, so many of which the half turn leaves as they are, and the
    /// quarter turn.
    ///
    /// # Errors
    /// When the numbers cannot be right, because they leave no whole number of orbits: the solutions that only the
    /// identity leaves as they are come in eights, those that only the half turn does in fours, the others in twos. (A
    /// wrong number may pass: one total in eight does.)
    pub fn new(size: BoardSize, total: u128, half_turn: u128, quarter_turn: u128) -> Result<Self, ClassesError> {
        let whole = match size.get() {
            1 => [total, half_turn, quarter_turn] == [1; 3],
            _ => {
                let come_in = |group, all: u128, others| all.checked_sub(others).is_some_and(|rest| rest % group == 0);
                come_in(8, total, half_turn) && come_in(4, half_turn, quarter_turn) && come_in(2, quarter_turn, 0)
            }
        };
        let error = ClassesError { size, total, half_turn, quarter_turn };
        whole.then_some(Self { size, total, half_turn, quarter_turn }).ok_or(error)
    }

    /// The board.
    pub fn size(&self) -> BoardSize {
        self.size
    }

    /// The number of solutions: A000170.
    pub fn total(&self) -> u128 {
        self.total
    }

    /// The number of solutions that the half turn leaves as they are: A032522.
    pub fn half_turn(&self) -> u128 {
        self.half_turn
    }

    /// The number of solutions that the quarter turn leaves as they are, and so the half turn, too: A033148.
    pub fn quarter_turn(&self) -> u128 {
        self.quarter_turn
    }

    /// The number of orbits of so many solutions: 0 unless `solutions` is 1, 2, 4 or 8, and 1 only for N = 1.
    pub fn orbits(&self, solutions: u32) -> u128 {
        match (self.size.get(), solutions) {
            (1, 1) => 1,
            (2.., 2) => self.quarter_turn / 2,
            (2.., 4) => (self.half_turn - self.quarter_turn) / 4,
            (2.., 8) => (self.total - self.half_turn) / 8,
            _ => 0,
        }
    }

    /// The number of orbits: of solutions that are different even if the board may be turned and reflected. A002562.
    pub fn fundamental(&self) -> u128 {
        [1, 2, 4, 8].into_iter().map(|solutions| self.orbits(solutions)).sum()
    }
}

/// The numbers given leave no whole number of orbits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "expected whole orbits of 8, 4 and 2 for N = {size}, found {total} solutions, of which the half turn leaves \
     {half_turn} as they are and the quarter turn {quarter_turn}"
)]
pub struct ClassesError {
    size: BoardSize,
    total: u128,
    half_turn: u128,
    quarter_turn: u128,
}
