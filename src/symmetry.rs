//! The eight symmetries of the square, and their effect on solutions.
//!
//! A rotation or reflection of the board maps every solution to a solution. The images of a
//! solution, up to eight, form its **orbit**.
//!
//! For N >= 2, every reflection changes every solution. The left-right reflection keeps each queen
//! in its row, so an unchanged solution would have all queens in the middle column. The same
//! applies to the top-bottom reflection and the middle row. Under a reflection across a diagonal, a
//! queen off the diagonal and its image attack each other, so an unchanged solution would have all
//! queens on the diagonal. Rotations can leave a solution unchanged:
//!
//! ```text
//!     . Q . .        unchanged by the       . Q . . . .        unchanged by the
//!     . . . Q        quarter turn:          . . . Q . .        half turn only:
//!     Q . . .        an orbit of 2          . . . . . Q        an orbit of 4
//!     . . Q .                               Q . . . . .
//!                                           . . Q . . .
//!                                           . . . . Q .
//! ```
//!
//! Let Q be the total number of solutions (OEIS A000170), H the number of solutions unchanged by
//! the half turn (A032522), and R the number of solutions unchanged by the quarter turn (A033148),
//! and hence also by the half turn. Then there are R/2 orbits of two solutions, (H - R)/4 of four,
//! and (Q - H)/8 of eight. Their sum, (Q + H + 2R)/8, is the number of fundamental solutions
//! (A002562). The only solution for N = 1 is an orbit by itself.
//!
//! [`RotationSymmetric`] computes H and R, which takes much less time than computing Q.

#![deny(clippy::cast_precision_loss, reason = "counts are exact")]

mod rotation;

pub use rotation::{Rotation, RotationSymmetric};

use crate::board::{BoardSize, Solution};

/// The eight rotations and reflections, in the order of [`Solution::images`]. Each bit selects a
/// step: exchange rows and columns, then top and bottom, then left and right.
const SYMMETRIES: [u8; 8] = [0b000, 0b101, 0b011, 0b110, 0b001, 0b010, 0b100, 0b111];

/// A solution and its transpose, from which the columns of all images can be read.
struct Views<'a> {
    upright: &'a [u8],
    transposed: [u8; 32],
}

impl<'a> Views<'a> {
    fn new(solution: &'a Solution) -> Self {
        let upright = solution.columns();
        let mut transposed = [0; 32];
        for (row, &column) in (0..).zip(upright) {
            transposed[usize::from(column)] = row;
        }
        Self {
            upright,
            transposed,
        }
    }

    fn image(&self, symmetry: u8) -> impl Iterator<Item = u8> {
        let transposed = symmetry & 0b100 != 0;
        let flipped = symmetry & 0b010 != 0;
        let mirrored = symmetry & 0b001 != 0;
        let rows = self.upright.len();
        let columns = if transposed {
            &self.transposed[..rows]
        } else {
            self.upright
        };
        (0..rows).map(move |row| {
            let column = columns[if flipped { rows - 1 - row } else { row }];
            if mirrored {
                rows as u8 - 1 - column
            } else {
                column
            }
        })
    }
}

/// Symmetries. Every method takes time proportional to N.
impl Solution {
    /// Returns the eight images: the solution itself; the clockwise rotations by 90, 180 and 270
    /// degrees; and the reflections that exchange left and right, top and bottom, and the two sides
    /// of the diagonal from the upper left and of the other diagonal. Images that are equal still
    /// appear separately.
    ///
    /// ```
    /// let solution: queencount::Solution = "2 4 6 1 3 5".parse()?;
    /// assert_eq!(solution.images()[4].to_string(), "5 3 1 6 4 2");
    /// # Ok::<(), queencount::SolutionError>(())
    /// ```
    pub fn images(&self) -> [Self; 8] {
        let views = Views::new(self);
        SYMMETRIES.map(|symmetry| Self::from_columns(views.image(symmetry)))
    }

    /// Returns whether this solution is the lexicographically smallest of its images, and thus one
    /// of the [fundamental solutions](crate::Solutions::fundamental).
    pub fn is_representative(&self) -> bool {
        let views = Views::new(self);
        SYMMETRIES
            .into_iter()
            .all(|symmetry| views.image(symmetry).ge(self.columns().iter().copied()))
    }

    /// Returns the number of different images: 8 if only the identity leaves the solution
    /// unchanged, 4 if the half turn also does, 2 if all rotations do, and 1 for N = 1.
    pub fn orbit_size(&self) -> u32 {
        let views = Views::new(self);
        let columns = self.columns().iter().copied();
        let fixing = SYMMETRIES
            .into_iter()
            .filter(|symmetry| views.image(*symmetry).eq(columns.clone()));
        8 / fixing.count() as u32
    }
}

/// The number of orbits of each size. An orbit is a solution together with its rotations and
/// reflections.
///
/// [`crate::classes`] counts the orbits. If the number of solutions is already known, use
/// [`Counter::classes`](crate::Counter::classes).
///
/// ```
/// use queencount::{BoardSize, Classes};
///
/// let classes = Classes::new(BoardSize::new(8)?, 92, 4, 0)?;
/// assert_eq!([1, 2, 4, 8].map(|size| classes.orbits(size)), [0, 0, 1, 11]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct Classes {
    /// The size of the board.
    pub size: BoardSize,
    /// The number of solutions: OEIS A000170.
    pub total: u128,
    /// The number of solutions unchanged by the half turn: OEIS A032522.
    pub half_turn: u128,
    /// The number of solutions unchanged by the quarter turn: OEIS A033148.
    pub quarter_turn: u128,
}

impl Classes {
    /// Creates the classes of a board with `total` solutions, of which `half_turn` are unchanged by
    /// the half turn and `quarter_turn` by the quarter turn.
    ///
    /// # Errors
    /// Fails if the number of orbits of some size would be negative or fractional, or `total` exceeds
    /// N!. (One in eight wrong totals passes this check.)
    pub fn new(
        size: BoardSize,
        total: u128,
        half_turn: u128,
        quarter_turn: u128,
    ) -> Result<Self, ClassesError> {
        let whole = match size.get() {
            1 => [total, half_turn, quarter_turn] == [1; 3],
            _ => [
                (8, total, half_turn),
                (4, half_turn, quarter_turn),
                (2, quarter_turn, 0),
            ]
            .into_iter()
            .all(|(orbit, all, others)| {
                all.checked_sub(others)
                    .is_some_and(|rest| rest % orbit == 0)
            }),
        };
        let bound: u128 = (1..=u128::from(size.get())).product();
        let classes = Self {
            size,
            total,
            half_turn,
            quarter_turn,
        };
        if whole && total <= bound {
            Ok(classes)
        } else {
            Err(ClassesError(classes))
        }
    }

    /// Returns the number of orbits with exactly this many solutions: 0 unless `solutions` is 1, 2,
    /// 4 or 8.
    pub fn orbits(&self, solutions: u32) -> u128 {
        match (self.size.get(), solutions) {
            (1, 1) => 1,
            (2.., 2) => self.quarter_turn / 2,
            (2.., 4) => (self.half_turn - self.quarter_turn) / 4,
            (2.., 8) => (self.total - self.half_turn) / 8,
            _ => 0,
        }
    }

    /// Returns the number of orbits, which is the number of fundamental solutions: OEIS A002562.
    pub fn fundamental(&self) -> u128 {
        [1, 2, 4, 8]
            .into_iter()
            .map(|solutions| self.orbits(solutions))
            .sum()
    }
}

/// The error for counts that imply a negative or fractional number of orbits, or exceed N!.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "expected at most {n}! solutions for N = {n}, in a whole number of orbits, found {} \
     solution{}, of which {} are unchanged by the half turn and {} by the quarter turn",
    .0.total,
    if .0.total == 1 { "" } else { "s" },
    .0.half_turn,
    .0.quarter_turn,
    n = .0.size
)]
pub struct ClassesError(Classes);
