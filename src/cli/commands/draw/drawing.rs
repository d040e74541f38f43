//! What is drawn, wherever it is drawn: solutions, and the squares and lines that a queen attacks.

use queencount::Solution;

use crate::cli::numbers::quantity;

/// What is drawn.
pub enum Drawing {
    /// A solution, and the row of the queen whose attacks are shown.
    Board(Solution, Option<usize>),
    /// The least solution of every orbit.
    Sheet(Vec<Solution>),
}

/// What stands on a board, in words.
pub fn queens(size: usize) -> String {
    quantity(size as u64, "queen", "queens")
}

/// How a queen attacks a square.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Attack {
    Row,
    Column,
    Falling,
    Rising,
}

impl Attack {
    /// How the queen of the row `from` attacks a square, if it does.
    pub fn on(solution: &Solution, from: usize, [row, column]: [usize; 2]) -> Option<Self> {
        let queen = usize::from(solution.columns()[from]);
        let (down, right) = (row as isize - from as isize, column as isize - queen as isize);
        match () {
            () if down == 0 => Some(Self::Row),
            () if right == 0 => Some(Self::Column),
            () if down == right => Some(Self::Falling),
            () if down == -right => Some(Self::Rising),
            () => None,
        }
    }

    /// The four lines of the queen of the row `from`, each as the points (x, y) where it meets the edge of the board.
    pub fn lines(solution: &Solution, from: usize) -> [[[f64; 2]; 2]; 4] {
        let size = solution.columns().len() as f64;
        let [x, y] = [f64::from(solution.columns()[from]) + 0.5, from as f64 + 0.5];
        let (falling, rising) = (x.min(y), x.min(size - y));
        let (up_to_right, down_to_right) = ((size - x).min(y), (size - x).min(size - y));
        [
            [[0.0, y], [size, y]],
            [[x, 0.0], [x, size]],
            [[x - falling, y - falling], [x + down_to_right, y + down_to_right]],
            [[x - rising, y + rising], [x + up_to_right, y - up_to_right]],
        ]
    }
}
