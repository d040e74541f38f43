//! The eight symmetries of the square, and what they do to solutions.
//!
//! A rotation or reflection of the board takes every solution to a solution, so solutions come in **orbits**: sets of
//! up to eight that are one arrangement, seen from different sides. How many there are follows from how many solutions
//! a symmetry leaves as they are. For N >= 2 no reflection leaves any: a mirror keeps the one queen of a row in its
//! row, so all would stand in the middle column; and two queens that are each other's image across a main diagonal
//! attack each other, so all would stand on that diagonal. A turn can:
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
//! Of the Q(N) solutions (A000170) let the half turn leave H(N) (A032522), and the quarter turn R(N) (A033148), which
//! are among them. Then there are R/2 orbits of two, (H - R)/4 of four and (Q - H)/8 of eight; and their sum
//!
//! ```text
//!     (Q(N) + H(N) + 2 R(N)) / 8
//! ```
//!
//! is the number of fundamental solutions (A002562), as Burnside's lemma has it. N = 1 is apart: its one solution is
//! all its images, an orbit of one.
//!
//! `turned` counts H and R by searches of their own, which are tiny beside the count of Q; `classes` puts the three
//! together.

mod classes;
mod turned;

pub use classes::{Classes, ClassesError};
pub use turned::{Turn, TurnSymmetric};

use crate::board::Solution;

/// A rotation or reflection of the board: one of the eight that map the square to itself.
///
/// Each is an optional reflection across the main diagonal, from the upper left corner to the lower right one, followed
/// by optional reflections that turn the board upside down and left to right.
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
    Identity,
    /// A quarter turn, clockwise.
    QuarterTurn,
    /// A half turn.
    HalfTurn,
    /// A quarter turn, counterclockwise.
    ThreeQuarterTurn,
    /// Left and right are exchanged.
    Mirror,
    /// Top and bottom are exchanged.
    Flip,
    /// The reflection across the main diagonal: rows and columns are exchanged.
    Transposition,
    /// The reflection across the other diagonal.
    AntiTransposition,
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

    /// Whether rows and columns are exchanged; and then top and bottom; and then left and right.
    const fn parts(self) -> [bool; 3] {
        match self {
            Self::Identity => [false, false, false],
            Self::QuarterTurn => [true, false, true],
            Self::HalfTurn => [false, true, true],
            Self::ThreeQuarterTurn => [true, true, false],
            Self::Mirror => [false, false, true],
            Self::Flip => [false, true, false],
            Self::Transposition => [true, false, false],
            Self::AntiTransposition => [true, true, true],
        }
    }
}

/// A solution, and the same with rows and columns exchanged: what the columns of all images are read from.
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
        Self { upright, transposed }
    }

    /// The columns of an image, row by row.
    fn image(&self, symmetry: Symmetry) -> impl Iterator<Item = u8> {
        let [transposed, flipped, mirrored] = symmetry.parts();
        let rows = self.upright.len();
        let columns = if transposed { &self.transposed[..rows] } else { self.upright };
        (0..rows).map(move |row| {
            let column = columns[if flipped { rows - 1 - row } else { row }];
            if mirrored { rows as u8 - 1 - column } else { column }
        })
    }
}

/// What the symmetries of the board make of a solution; all of it takes a time proportional to N.
impl Solution {
    /// What the solution looks like after a rotation or reflection of the board: a solution, too.
    pub fn image(&self, symmetry: Symmetry) -> Self {
        Self::from_columns(Views::new(self).image(symmetry))
    }

    /// The images under all eight symmetries, in the order of [`Symmetry::ALL`], equal ones repeated.
    pub fn images(&self) -> [Self; 8] {
        let views = Views::new(self);
        Symmetry::ALL.map(|symmetry| Self::from_columns(views.image(symmetry)))
    }

    /// The lexicographically least image: the one solution that stands for the whole orbit in lists of fundamental
    /// solutions.
    ///
    /// ```
    /// use queencount::{BoardSize, Solution, Solutions};
    ///
    /// let fundamental: Vec<Solution> = Solutions::new(BoardSize::new(8)?).filter(Solution::is_representative).collect();
    /// assert_eq!(fundamental.len(), 12);
    /// assert_eq!(fundamental.iter().map(Solution::orbit_size).sum::<u32>(), 92);
    /// # Ok::<(), queencount::BoardSizeError>(())
    /// ```
    pub fn representative(&self) -> Self {
        self.images().into_iter().min().expect("eight images")
    }

    /// Whether this is the lexicographically least of its images.
    pub fn is_representative(&self) -> bool {
        let views = Views::new(self);
        Symmetry::ALL.into_iter().all(|symmetry| views.image(symmetry).ge(self.columns().iter().copied()))
    }

    /// The symmetries that leave the solution as it is: the identity alone, or with the half turn, or with all turns;
    /// all eight for N = 1.
    pub fn stabiliser(&self) -> impl Iterator<Item = Symmetry> {
        let views = Views::new(self);
        let fixed = move |symmetry: &Symmetry| views.image(*symmetry).eq(self.columns().iter().copied());
        Symmetry::ALL.into_iter().filter(fixed)
    }

    /// The number of different images: 2, 4 or 8; for N = 1 it is 1.
    pub fn orbit_size(&self) -> u32 {
        8 / self.stabiliser().count() as u32
    }
}
