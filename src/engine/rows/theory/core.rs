//! Cores: the queens of the middle rows, the squares that they leave open, and what a pair of
//! half-boards counts.

use std::cmp::Ordering;
use std::ops::Range;

/// A set of diagonals of the board, a bit each.
pub type Diagonals = u128;

/// The two diagonals through a square: the falling one by column - row, the rising one by column +
/// row.
pub const fn diagonals(n: u32, row: u32, column: u32) -> Diagonals {
    1 << (column + n - 1 - row) | 1 << (2 * n - 1 + row + column)
}

/// Whether queens on two squares, each a row and a column, attack each other. Their rows differ.
pub const fn attack(one: (u32, u32), other: (u32, u32)) -> bool {
    one.1 == other.1 || one.0.abs_diff(other.0) == one.1.abs_diff(other.1)
}

/// Twice the distance of a row or column from the centre of the board.
pub const fn distance(n: u32, line: u32) -> u32 {
    (2 * line).abs_diff(n - 1)
}

/// Whether pairs with the empty core are weighed by queens on the main diagonals. That spares a
/// third of the pairs, but filing short lists by marks costs more.
pub const fn weighs_main_diagonals(half: u32) -> bool {
    half > 8
}

/// Which images of a column set are counted together with it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Images {
    /// None: the symmetries take the core to other cores.
    None,
    /// The flip's.
    Flip,
    /// Those of flip, mirror and half-turn.
    All,
}

/// How the symmetry of order eight is used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OrderEight {
    /// Not at all: without middle rows on a small board.
    Unused,
    /// Without middle rows: by the queens on the main diagonals.
    MainDiagonals,
    /// No queen of a middle column stands farther than R from the centre. The number is 2 R.
    Reach(u32),
}

impl OrderEight {
    /// `Greater`: the square is closed. `Equal`: a queen there is a mark.
    fn compare(self, n: u32, (row, column): (u32, u32)) -> Ordering {
        match self {
            Self::MainDiagonals if row == column || row + column == n - 1 => Ordering::Equal,
            // In a middle column: there is one for odd N, and there are two for even N.
            Self::Reach(reach) if distance(n, column) <= 1 => distance(n, row).cmp(&reach),
            _ => Ordering::Less,
        }
    }
}

/// How symmetry is used for a core.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CoreSymmetry {
    /// Which images of a column set are counted together.
    pub images: Images,
    /// The number of cores that this one is counted for. Section 4's weight is this times the
    /// images of the column set.
    pub weight: u64,
    /// How the transposition is used otherwise.
    pub order_eight: OrderEight,
}

/// What a pair of half-boards counts, by the number of marks of the top and of the bottom.
pub type Weights = [[u64; 3]; 3];

/// A placement of the queens of the middle rows, and all that follows from it.
#[derive(Clone, Debug)]
pub struct Core {
    /// The number of rows of the board.
    pub n: u32,
    /// The number of rows and of columns of a quarter.
    pub half: u32,
    /// The queens of the middle rows, in no particular order. Only tests need them.
    #[cfg(test)]
    pub queens: Vec<(u32, u32)>,
    /// How symmetry is used for it.
    pub symmetry: CoreSymmetry,
    /// The columns of the left quarters and of the right ones, each from the border of the board
    /// inwards.
    pub columns: [Vec<u32>; 2],
    /// By row of the board: the columns of the open squares, as bits; none for the middle rows.
    pub open: Vec<u32>,
    /// By row of the board: those of them where a queen is a mark.
    pub marked: Vec<u32>,
    /// What its pairs count.
    pub weights: Weights,
}

/// Whether a quarter of the board is below the core, and whether it is right of the middle.
/// Quarters are numbered from 0: top left, top right, bottom left, bottom right.
pub const fn sides(quarter: usize) -> (bool, bool) {
    (quarter / 2 == 1, quarter % 2 == 1)
}

impl Core {
    /// The core of these queens, which do not attack each other. `None` if one of them stands on a
    /// closed square: then all of its solutions have S > R, and their images under T are counted
    /// twice.
    pub fn new(n: u32, queens: Vec<(u32, u32)>, symmetry: CoreSymmetry) -> Option<Self> {
        let compare = |square: (u32, u32)| symmetry.order_eight.compare(n, square);
        let of_core = queens.iter().map(|&queen| compare(queen)).max();
        if of_core == Some(Ordering::Greater) {
            return None;
        }
        let w = symmetry.weight;
        let weights = match symmetry.order_eight {
            OrderEight::MainDiagonals => [[w, w, 2 * w], [w, 0, 0], [2 * w, 0, 0]],
            OrderEight::Reach(_) if of_core == Some(Ordering::Less) => {
                [[2 * w, w, w], [w, w, w], [w, w, w]]
            }
            _ => [[w; 3]; 3],
        };
        let half = (n - queens.len() as u32) / 2;
        let mut left: Vec<u32> = (0..n)
            .filter(|&column| queens.iter().all(|queen| queen.1 != column))
            .collect();
        let mut right = left.split_off(half as usize);
        right.reverse();
        let (mut open, mut marked) = (vec![0; n as usize], vec![0; n as usize]);
        for row in (0..half).chain(n - half..n) {
            for column in
                (0..n).filter(|&column| !queens.iter().any(|&queen| attack(queen, (row, column))))
            {
                let compared = compare((row, column));
                open[row as usize] |= u32::from(compared != Ordering::Greater) << column;
                marked[row as usize] |= u32::from(compared == Ordering::Equal) << column;
            }
        }
        Some(Self {
            n,
            half,
            #[cfg(test)]
            queens,
            symmetry,
            columns: [left, right],
            open,
            marked,
            weights,
        })
    }

    /// The rows of the top or of the bottom.
    pub fn rows(&self, bottom: bool) -> Range<u32> {
        if bottom {
            self.n - self.half..self.n
        } else {
            0..self.half
        }
    }

    /// The diagonals that queens of a quarter can occupy.
    fn reachable(&self, quarter: usize) -> Diagonals {
        let (bottom, right) = sides(quarter);
        let columns = &self.columns[usize::from(right)];
        let squares = self
            .rows(bottom)
            .flat_map(|row| columns.iter().map(move |&column| (row, column)));
        let open = squares.filter(|&(row, column)| self.open[row as usize] >> column & 1 == 1);
        open.fold(0, |all, (row, column)| all | diagonals(self.n, row, column))
    }

    /// The diagonals that queens of two different quarters can occupy. Main diagonals that weigh
    /// pairs are left out: a pair with marks in both halves counts nothing, and the two quarters of
    /// a half lie on different main diagonals.
    pub fn relevant(&self) -> Diagonals {
        let [a, b, c, d] = [0, 1, 2, 3].map(|quarter| self.reachable(quarter));
        let shared = (a | b) & (c | d) | a & b | c & d;
        let main = 1 << (self.n - 1) | 1 << (3 * self.n - 2);
        if self.symmetry.order_eight == OrderEight::MainDiagonals {
            shared & !main
        } else {
            shared
        }
    }
}
