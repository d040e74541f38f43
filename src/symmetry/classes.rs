//! Symmetry classes: three counts, and the numbers of orbits that follow from them.
//!
//! Why they follow is told in the opening of [`symmetry`](super).

use crate::board::BoardSize;

/// The solutions of a board sorted by symmetry: how many orbits there are of each size.
///
/// An orbit is a solution together with its rotations and reflections. [`crate::classes`] counts the orbits. Whoever wants
/// to choose how makes the three counts: of all solutions by any engine, of the others by
/// [`TurnSymmetric`](crate::TurnSymmetric).
///
/// ```
/// use queencount::{BoardSize, Classes};
///
/// let classes = Classes::new(BoardSize::new(8)?, 92, 4, 0)?;
/// assert_eq!(classes.fundamental(), 12);
/// assert_eq!([1, 2, 4, 8].map(|size| classes.orbits(size)), [0, 0, 1, 11]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Classes {
    size: BoardSize,
    total: u128,
    half_turn: u128,
    quarter_turn: u128,
}

impl Classes {
    /// The classes of a board with `total` solutions. The half turn leaves `half_turn` of them as they are, and the
    /// quarter turn `quarter_turn`.
    ///
    /// # Errors
    /// When the numbers cannot be right, because some number of orbits is not a whole number. Outside of N = 1
    /// `quarter_turn` has to be a multiple of 2, `half_turn` - `quarter_turn` a multiple of 4, and `total` - `half_turn`
    /// a multiple of 8. (A wrong number may pass: one wrong total in eight does.)
    pub fn new(size: BoardSize, total: u128, half_turn: u128, quarter_turn: u128) -> Result<Self, ClassesError> {
        let whole = match size.get() {
            1 => [total, half_turn, quarter_turn] == [1; 3],
            _ => {
                let come_in = |group, all: u128, others| all.checked_sub(others).is_some_and(|rest| rest % group == 0);
                come_in(8, total, half_turn) && come_in(4, half_turn, quarter_turn) && come_in(2, quarter_turn, 0)
            }
        };
        let classes = Self { size, total, half_turn, quarter_turn };
        if whole { Ok(classes) } else { Err(ClassesError(classes)) }
    }

    /// The board.
    pub fn size(&self) -> BoardSize {
        self.size
    }

    /// The number of solutions: OEIS A000170.
    pub fn total(&self) -> u128 {
        self.total
    }

    /// The number of solutions that the half turn leaves as they are: OEIS A032522.
    pub fn half_turn(&self) -> u128 {
        self.half_turn
    }

    /// The number of solutions that the quarter turn leaves as they are: OEIS A033148. The half turn, which is two quarter
    /// turns, leaves them as they are, too.
    pub fn quarter_turn(&self) -> u128 {
        self.quarter_turn
    }

    /// The number of orbits that have `solutions` solutions each. It is 0 unless `solutions` is 1, 2, 4 or 8. An orbit of
    /// one solution exists only for N = 1.
    pub fn orbits(&self, solutions: u32) -> u128 {
        match (self.size.get(), solutions) {
            (1, 1) => 1,
            (2.., 2) => self.quarter_turn / 2,
            (2.., 4) => (self.half_turn - self.quarter_turn) / 4,
            (2.., 8) => (self.total - self.half_turn) / 8,
            _ => 0,
        }
    }

    /// The number of orbits, that is, of fundamental solutions: OEIS A002562. They remain when rotations and reflections
    /// of a solution count as the same.
    pub fn fundamental(&self) -> u128 {
        [1, 2, 4, 8].into_iter().map(|solutions| self.orbits(solutions)).sum()
    }
}

/// The counts of a board cannot be right, because some number of orbits is not a whole number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "expected whole orbits of 8, 4 and 2 for N = {}, found {} solution{}, of which the half turn leaves {} as they are \
     and the quarter turn {}",
    .0.size, .0.total, if .0.total == 1 { "" } else { "s" }, .0.half_turn, .0.quarter_turn
)]
pub struct ClassesError(Classes);
