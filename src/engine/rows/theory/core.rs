//! Cores: the queens of the middle rows, the open squares, and the weights of pairs of half-boards.

use std::cmp::Ordering;
use std::ops::Range;

pub(crate) type Diagonals = u128;

/// Returns the two diagonals through a square: the falling one, identified by column - row, and the
/// rising one, identified by column + row.
pub(crate) const fn diagonals(n: u32, row: u32, column: u32) -> Diagonals {
    1 << (column + n - 1 - row) | 1 << (2 * n - 1 + row + column)
}

/// Returns whether two queens (row, column) in different rows attack each other.
pub(crate) const fn attack(one: (u32, u32), other: (u32, u32)) -> bool {
    one.1 == other.1 || one.0.abs_diff(other.0) == one.1.abs_diff(other.1)
}

/// Returns twice the distance of a row or column from the centre of the board.
pub(crate) const fn distance(n: u32, line: u32) -> u32 {
    (2 * line).abs_diff(n - 1)
}

/// Returns whether pairs for the empty core are weighted by their queens on the main diagonals.
/// This saves a third of the pairs; for short lists, however, grouping by marks would cost more
/// than that.
pub(crate) const fn weighs_main_diagonals(half: u32) -> bool {
    half > 8
}

/// The images that a column set stands for, besides itself.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Images {
    None,
    /// The image under the top-bottom flip.
    Flip,
    /// The images under the flip, the left-right mirror and the half turn.
    All,
}

#[derive(Clone, Copy, PartialEq)]
pub(crate) enum OrderEight {
    Unused,
    /// Pairs are weighted by their queens on the main diagonals.
    MainDiagonals,
    /// Only solutions with S <= R are counted. The value is 2 R.
    Reach(u32),
}

impl OrderEight {
    /// Returns `Greater` if the square is closed, and `Equal` if a queen on it would be a mark.
    pub(super) fn compare(self, n: u32, (row, column): (u32, u32)) -> Ordering {
        match self {
            Self::MainDiagonals if row == column || row + column == n - 1 => Ordering::Equal,
            // The middle columns: one for odd N, two for even N.
            Self::Reach(reach) if distance(n, column) <= 1 => distance(n, row).cmp(&reach),
            _ => Ordering::Less,
        }
    }
}

#[derive(Clone, Copy)]
pub(crate) struct CoreSymmetry {
    pub images: Images,
    /// The number of cores that this core stands for, itself included.
    pub weight: u64,
    pub order_eight: OrderEight,
}

/// The weights of pairs of half-boards, indexed by the number of marks in the top, then in the
/// bottom.
pub(crate) type Weights = [[u64; 3]; 3];

pub(crate) struct Core {
    pub n: u32,
    /// The number of rows (and of columns) in a quarter.
    pub half: u32,
    pub symmetry: CoreSymmetry,
    /// The columns of the left quarters and of the right quarters, each from the border inwards.
    pub columns: [Vec<u32>; 2],
    /// For each row, a bitmask of its open squares; 0 for the middle rows.
    pub open: Vec<u32>,
    /// For each row, a bitmask of the open squares on which a queen would be a mark.
    pub marked: Vec<u32>,
    pub weights: Weights,
}

/// Returns whether a quarter is in the bottom half, and whether it is in the right half. Quarters 0
/// to 3 are top left, top right, bottom left and bottom right.
pub(crate) const fn sides(quarter: usize) -> (bool, bool) {
    (quarter / 2 == 1, quarter % 2 == 1)
}

impl Core {
    /// Creates a core from its queens, which must not attack each other. Returns `None` if a queen
    /// is on a closed square.
    pub(crate) fn new(n: u32, queens: &[(u32, u32)], symmetry: CoreSymmetry) -> Option<Self> {
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
        let mut open = vec![0; n as usize];
        let mut marked = vec![0; n as usize];
        for row in (0..half).chain(n - half..n) {
            for column in 0..n {
                if queens.iter().any(|&queen| attack(queen, (row, column))) {
                    continue;
                }
                let compared = compare((row, column));
                open[row as usize] |= u32::from(compared != Ordering::Greater) << column;
                marked[row as usize] |= u32::from(compared == Ordering::Equal) << column;
            }
        }
        Some(Self {
            n,
            half,
            symmetry,
            columns: [left, right],
            open,
            marked,
            weights,
        })
    }

    pub(crate) fn rows(&self, bottom: bool) -> Range<u32> {
        if bottom {
            self.n - self.half..self.n
        } else {
            0..self.half
        }
    }

    /// Returns the diagonals that queens on a quarter's open squares can occupy.
    pub(crate) fn reachable(&self, quarter: usize) -> Diagonals {
        let (bottom, right) = sides(quarter);
        let columns = &self.columns[usize::from(right)];
        let mut reachable = 0;
        for row in self.rows(bottom) {
            for &column in columns {
                if self.open[row as usize] >> column & 1 == 1 {
                    reachable |= diagonals(self.n, row, column);
                }
            }
        }
        reachable
    }

    /// Returns the diagonals that queens in two or more quarters can occupy, except for the main
    /// diagonals if they determine the weights.
    pub(crate) fn relevant(&self) -> Diagonals {
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
