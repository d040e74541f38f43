//! The sequential pass: the solutions themselves, one at a time, in lexicographic order.
//!
//! Trying the open squares of every row from the left yields the solutions sorted by their columns, so the first three
//! are simply the first three that come. No symmetry is used here: for N = 6 the third solution is the mirror image of
//! the second, and a search of half of the board would never see it.

use crate::board::{BoardSize, Row, Solution};

/// All solutions of a board in lexicographic order, found one at a time as they are asked for.
///
/// The memory is that of one board. The first three solutions of the slowest board, N = 32, take about a second.
///
/// ```
/// use queencount::{BoardSize, Solutions};
///
/// let first: Vec<String> = Solutions::new(BoardSize::new(6)?).take(3).map(|s| s.to_string()).collect();
/// assert_eq!(first, ["2 4 6 1 3 5", "3 6 2 5 1 4", "4 1 5 2 6 3"]);
/// assert_eq!(Solutions::new(BoardSize::new(8)?).count(), 92);
/// # Ok::<(), queencount::BoardSizeError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Solutions {
    size: usize,
    /// The row being filled: rows above it hold queens, rows below are still to come.
    depth: usize,
    rows: [Row; BoardSize::MAX as usize],
    /// The open squares of each row down to `depth` that have not been tried.
    open: [u64; BoardSize::MAX as usize],
    columns: [u8; BoardSize::MAX as usize],
}

impl Solutions {
    /// The solutions of the board of the given size.
    pub fn new(size: BoardSize) -> Self {
        let first = Row::first(size);
        Self { size: size.get() as usize, depth: 0, rows: [first; 32], open: [first.open(); 32], columns: [0; 32] }
    }
}

impl Iterator for Solutions {
    type Item = Solution;

    fn next(&mut self) -> Option<Solution> {
        let last = self.size - 1;
        loop {
            let open = &mut self.open[self.depth];
            if *open == 0 {
                // Every square of this row has been tried: back to the row above. Above the first there is nothing, and
                // the search stays there: its row has no open square left.
                self.depth = self.depth.checked_sub(1)?;
                continue;
            }
            let queen = *open & open.wrapping_neg();
            *open ^= queen;
            self.columns[self.depth] = queen.trailing_zeros() as u8;
            if self.depth == last {
                return Some(Solution::from_columns(self.columns[..self.size].iter().copied()));
            }
            let below = self.rows[self.depth].place(queen);
            if below.open() != 0 {
                self.depth += 1;
                self.rows[self.depth] = below;
                self.open[self.depth] = below.open();
            }
        }
    }
}

impl std::iter::FusedIterator for Solutions {}
