//! The eight symmetries of the square, and what they do to solutions.
//!
//! A rotation or reflection of the board takes every solution to a solution. So solutions come in
//! **orbits**: sets of up to eight solutions that are one arrangement, seen from different sides.
//! The number of orbits follows from the numbers of solutions that a symmetry leaves as they are.
//!
//! For N >= 2 no reflection leaves a solution as it is. A reflection of left and right keeps each
//! queen in its row, so all queens would stand in the middle column. The same goes for top and
//! bottom. In a reflection across a main diagonal a queen and its image attack each other, so all
//! queens would stand on that diagonal. A turn can leave a solution as it is:
//!
//! ```text
//!     . Q . .        a quarter turn         . Q . . . .        only a half turn
//!     . . . Q        leaves it: an          . . . Q . .        leaves it: an
//!     Q . . .        orbit of 2             . . . . . Q        orbit of 4
//!     . . Q .                               Q . . . . .
//!                                           . . Q . . .
//!                                           . . . . Q .
//! ```
//!
//! Let Q(N) be the number of all solutions (OEIS A000170), H(N) the number of those that the half
//! turn leaves as they are (A032522), and R(N) the number of those that the quarter turn leaves as
//! they are (A033148). The half turn leaves the last ones as they are, too. So there are R/2 orbits
//! of two solutions, (H - R)/4 of four, and (Q - H)/8 of eight. Their sum
//!
//! ```text
//!     (Q(N) + H(N) + 2 R(N)) / 8
//! ```
//!
//! is the number of fundamental solutions (A002562), in agreement with Burnside's lemma. N = 1 is
//! an exception: its one solution is an orbit of one.
//!
//! [`RotationSymmetric`] counts H and R by searches of their own, which are tiny beside the count of Q.
//! [`Classes`] puts the three together.

mod rotation;

pub use rotation::{Rotation, RotationSymmetric};

use crate::board::{BoardSize, Solution};

/// A rotation or reflection of the board: one of the eight that map the square to itself.
///
/// The main diagonal goes from the upper left corner to the lower right one, the antidiagonal from
/// the upper right corner to the lower left one.
///
/// ```
/// use queencount::{Solution, Symmetry};
///
/// let solution: Solution = "2 4 6 1 3 5".parse()?;
/// assert_eq!(solution.image(Symmetry::Mirror).to_string(), "5 3 1 6 4 2");
/// assert_eq!(solution.image(Symmetry::HalfTurn), solution);
/// # Ok::<(), queencount::SolutionError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Symmetry {
    /// Everything stays where it is.
    Identity = 0b000,
    /// A quarter turn, clockwise.
    QuarterTurn = 0b101,
    /// A half turn.
    HalfTurn = 0b011,
    /// A quarter turn, counterclockwise.
    ThreeQuarterTurn = 0b110,
    /// Left and right are exchanged.
    Mirror = 0b001,
    /// Top and bottom are exchanged.
    Flip = 0b010,
    /// The reflection across the main diagonal: rows and columns are exchanged.
    Transposition = 0b100,
    /// The reflection across the antidiagonal.
    AntiTransposition = 0b111,
}

impl Symmetry {
    /// All eight, the identity first.
    pub const ALL: [Self; 8] = [
        Self::Identity,
        Self::QuarterTurn,
        Self::HalfTurn,
        Self::ThreeQuarterTurn,
        Self::Mirror,
        Self::Flip,
        Self::Transposition,
        Self::AntiTransposition,
    ];
}

/// A solution, and its image with rows and columns exchanged. The columns of all images are read
/// from these two.
struct Views<'a> {
    upright: &'a [u8],
    transposed: [u8; 32],
}

impl<'a> Views<'a> {
    fn new(solution: &'a Solution) -> Self {
        let upright = solution.columns();
        let mut transposed = [0; 32];
        for (row, &column) in upright.iter().enumerate() {
            transposed[usize::from(column)] = row as u8;
        }
        Self {
            upright,
            transposed,
        }
    }

    /// The columns of an image, row by row.
    fn image(&self, symmetry: Symmetry) -> impl Iterator<Item = u8> {
        // Every symmetry is made of three steps: rows and columns are exchanged or not, then top
        // and bottom, then left and right. Which of them are done says its number, bit by bit.
        let [transposed, flipped, mirrored] =
            [0b100, 0b010, 0b001].map(|step| symmetry as u8 & step != 0);
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

/// What the symmetries of the board make of a solution. Every method takes a time proportional to
/// N.
impl Solution {
    /// The solution that this one becomes by a rotation or reflection of the board.
    pub fn image(&self, symmetry: Symmetry) -> Self {
        Self::from_columns(Views::new(self).image(symmetry))
    }

    /// The images under all eight symmetries, in the order of [`Symmetry::ALL`]. Equal images are
    /// repeated.
    pub fn images(&self) -> [Self; 8] {
        Symmetry::ALL.map(|symmetry| self.image(symmetry))
    }

    /// Returns whether this is the lexicographically smallest of its images, which represents the
    /// orbit among the [fundamental solutions](crate::Solutions::fundamental).
    pub fn is_representative(&self) -> bool {
        let views = Views::new(self);
        Symmetry::ALL
            .into_iter()
            .all(|symmetry| views.image(symmetry).ge(self.columns().iter().copied()))
    }

    /// The number of different images: 2, 4 or 8, and 1 for N = 1. The symmetries that leave the
    /// solution as it is are the identity alone, or the identity and the half turn, or the identity
    /// and all three turns; for N = 1 they are all eight.
    pub fn orbit_size(&self) -> u32 {
        let views = Views::new(self);
        let fixed = |symmetry: &Symmetry| views.image(*symmetry).eq(self.columns().iter().copied());
        8 / Symmetry::ALL.into_iter().filter(fixed).count() as u32
    }
}

/// The solutions of a board sorted by symmetry: how many orbits there are of each size.
///
/// An orbit is a solution together with its rotations and reflections. [`crate::classes`] counts
/// the orbits. Whoever wants to choose how makes the three counts: of all solutions by any engine,
/// of the others by [`RotationSymmetric`].
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
    /// The classes of a board with `total` solutions. The half turn leaves `half_turn` of them as
    /// they are, and the quarter turn `quarter_turn`.
    ///
    /// # Errors
    /// When the numbers cannot be right, because some number of orbits is not a whole number.
    /// Outside of N = 1 `quarter_turn` has to be a multiple of 2, `half_turn` - `quarter_turn` a
    /// multiple of 4, and `total` - `half_turn` a multiple of 8. (A wrong number may pass: one
    /// wrong total in eight does.)
    pub fn new(
        size: BoardSize,
        total: u128,
        half_turn: u128,
        quarter_turn: u128,
    ) -> Result<Self, ClassesError> {
        let whole = match size.get() {
            1 => [total, half_turn, quarter_turn] == [1; 3],
            _ => {
                let come_in = |group, all: u128, others| {
                    all.checked_sub(others)
                        .is_some_and(|rest| rest % group == 0)
                };
                come_in(8, total, half_turn)
                    && come_in(4, half_turn, quarter_turn)
                    && come_in(2, quarter_turn, 0)
            }
        };
        let classes = Self {
            size,
            total,
            half_turn,
            quarter_turn,
        };
        if whole {
            Ok(classes)
        } else {
            Err(ClassesError(classes))
        }
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

    /// The number of solutions that the quarter turn leaves as they are: OEIS A033148. The half
    /// turn, which is two quarter turns, leaves them as they are, too.
    pub fn quarter_turn(&self) -> u128 {
        self.quarter_turn
    }

    /// The number of orbits that have `solutions` solutions each. It is 0 unless `solutions` is 1,
    /// 2, 4 or 8. An orbit of one solution exists only for N = 1.
    pub fn orbits(&self, solutions: u32) -> u128 {
        match (self.size.get(), solutions) {
            (1, 1) => 1,
            (2.., 2) => self.quarter_turn / 2,
            (2.., 4) => (self.half_turn - self.quarter_turn) / 4,
            (2.., 8) => (self.total - self.half_turn) / 8,
            _ => 0,
        }
    }

    /// The number of orbits, that is, of fundamental solutions: OEIS A002562. They remain when
    /// rotations and reflections of a solution count as the same.
    pub fn fundamental(&self) -> u128 {
        [1, 2, 4, 8]
            .into_iter()
            .map(|solutions| self.orbits(solutions))
            .sum()
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
