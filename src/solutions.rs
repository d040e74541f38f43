//! The sequential pass: the solutions themselves, one at a time, in lexicographic order.
//!
//! Trying the open squares of every row from the left yields the solutions sorted by their columns, so the first three
//! are simply the first three that come. No symmetry is used here: for N = 6 the third solution is the mirror image of
//! the second, and a search of half of the board would never see it.
//!
//! As in the backtracking engine, boards go down in batches, because a search that goes down and up with every queen
//! spends its time on branches that the processor cannot foresee. A batch is in lexicographic order, and so is what
//! becomes of it row by row. Each board remembers which board of the batch above it comes from; the columns of a
//! solution are read on the way back up.
//!
//! Whoever asks for a solution far ahead does not have to wait until all before it have been found: boards are passed
//! over as soon as it is known how many solutions they lead to, and counting is faster than finding.

use std::fmt;
use std::iter::FusedIterator;

use rayon::prelude::*;

use crate::board::{BoardSize, BoardSizeError, Row, Solution, bits};
use crate::count::{self, CountError};
use crate::engine::backtrack;

/// All solutions of the `n` x `n` board in lexicographic order, found as they are asked for.
///
/// # Errors
/// When `n` is 0 or more than 32.
///
/// ```
/// let third = queencount::solutions(6)?.nth(2).unwrap();
/// assert_eq!(third.to_string(), "4 1 5 2 6 3");
/// # Ok::<(), queencount::BoardSizeError>(())
/// ```
pub fn solutions(n: u32) -> Result<Solutions, BoardSizeError> {
    Ok(Solutions::new(BoardSize::new(n)?))
}

/// All solutions of a board in lexicographic order, found as they are asked for.
///
/// The memory is 4 KiB for each row. The first three solutions of the slowest board, N = 32, take about a second. How
/// many of the next ones have been found already is the lower bound of [`Iterator::size_hint`]; [`Iterator::nth`]
/// passes over solutions faster than [`Iterator::next`] finds them, and [`Solutions::pass`] on several threads.
///
/// ```
/// use queencount::{BoardSize, Solutions};
///
/// let first: Vec<String> = Solutions::new(BoardSize::new(6)?).take(3).map(|s| s.to_string()).collect();
/// assert_eq!(first, ["2 4 6 1 3 5", "3 6 2 5 1 4", "4 1 5 2 6 3"]);
/// assert_eq!(Solutions::new(BoardSize::new(8)?).count(), 92);
/// # Ok::<(), queencount::BoardSizeError>(())
/// ```
#[derive(Clone)]
pub struct Solutions {
    size: BoardSize,
    /// The level whose boards are next.
    depth: usize,
    /// `levels[r]` are boards with r queens, which come from boards of the level above that have been taken on.
    levels: Vec<Level>,
}

/// The number of boards that a level has room for.
const BATCH: usize = 128;

/// Boards in lexicographic order.
#[derive(Clone)]
struct Level {
    boards: [Board; BATCH],
    /// How many there are.
    len: usize,
    /// The first that has not been taken on.
    next: usize,
}

/// A board whose upper rows are filled.
#[derive(Clone, Copy)]
struct Board {
    /// The row below them.
    row: Row,
    /// The board of the level above that this one comes from.
    above: u8,
    /// The column of the queen that has been placed on that.
    column: u8,
}

/// With so many rows left a board is counted, to be passed over as a whole: that takes a millisecond.
const COUNTED_ROWS: usize = backtrack::ROWS_IN_ONE_GO as usize;

/// Fewer solutions are passed over by finding them: the board that is counted may lead to more.
const WORTH_COUNTING: u64 = 10_000;

impl Solutions {
    /// The solutions of the board of the given size.
    pub fn new(size: BoardSize) -> Self {
        let empty = Board { row: Row::first(size), above: 0, column: 0 };
        let mut levels = vec![Level { boards: [empty; BATCH], len: 0, next: 0 }; size.get() as usize + 1];
        levels[0].len = 1;
        Self { size, depth: 0, levels }
    }

    /// Passes over so many solutions, faster than they can be found, on so many threads; 0 stands for one for each
    /// core. Returns how many there were: fewer at the end.
    ///
    /// ```
    /// use queencount::Symmetry;
    ///
    /// let mut solutions = queencount::solutions(14)?;
    /// assert_eq!(solutions.pass(365_595, 2)?, 365_595);
    /// // The last is the mirror image of the first.
    /// let last = solutions.next().unwrap();
    /// assert_eq!(queencount::solutions(14)?.next(), Some(last.image(Symmetry::Mirror)));
    /// assert_eq!(solutions.pass(1, 2)?, 0);
    /// # Ok::<(), queencount::CountError>(())
    /// ```
    ///
    /// # Errors
    /// When the system grants no threads.
    pub fn pass(&mut self, solutions: u64, threads: usize) -> Result<u64, CountError> {
        let pool = count::pool(threads)?;
        let count_all =
            |boards: &[Board], rows| boards.par_iter().map(|board| backtrack::completions(board.row, rows)).collect();
        Ok(solutions - pool.install(|| self.pass_by(solutions, BATCH, count_all)))
    }

    /// Passes over so many solutions by counting so many boards at a time; how many there were too few.
    fn pass_by(&mut self, mut solutions: u64, at_a_time: usize, count: impl Fn(&[Board], u32) -> Vec<u64>) -> u64 {
        let rows = self.size.get() as usize;
        let mut counting = solutions >= WORTH_COUNTING;
        while solutions > 0 {
            let level = &mut self.levels[self.depth];
            let ahead = level.len - level.next;
            if self.depth == rows {
                let found = ahead.min(usize::try_from(solutions).unwrap_or(usize::MAX));
                level.next += found;
                solutions -= found as u64;
            } else if counting && self.depth == rows.saturating_sub(COUNTED_ROWS) {
                let boards = &level.boards[level.next..][..ahead.min(at_a_time)];
                for found in count(boards, (rows - self.depth) as u32) {
                    counting = found <= solutions;
                    if !counting {
                        // The rest is on this board, to be found.
                        break;
                    }
                    level.next += 1;
                    solutions -= found;
                }
                // To the other boards of the level, if there are any.
                if counting && level.next < level.len {
                    continue;
                }
            }
            if solutions > 0 && !self.step() {
                break;
            }
        }
        solutions
    }

    /// A step of the search: takes on boards of the level that is next, until the level below it is full, or goes back
    /// up from a level whose boards have all been taken on. From the first level there is no way up: the search ends.
    fn step(&mut self) -> bool {
        let rows = self.size.get() as usize - self.depth;
        let level = &mut self.levels[self.depth];
        if level.next == level.len {
            let above = self.depth.checked_sub(1);
            self.depth = above.unwrap_or(0);
            return above.is_some();
        }
        let [level, below] =
            self.levels.get_disjoint_mut([self.depth, self.depth + 1]).expect("a level below: no solution is taken on");
        let mut len = 0;
        while level.next < level.len && len <= BATCH - self.size.get() as usize {
            let above = level.boards[level.next].row;
            for queen in bits(above.open()) {
                let row = above.place(queen);
                below.boards[len] = Board { row, above: level.next as u8, column: queen.trailing_zeros() as u8 };
                // Only a board with a future stays: one with open squares in the next two rows, if there are any.
                len += usize::from(((row.open() != 0) | (rows < 2)) & ((row.open_below(1) != 0) | (rows < 3)));
            }
            level.next += 1;
        }
        (below.len, below.next) = (len, 0);
        self.depth += 1;
        true
    }

    /// The solution that a board of the last level is.
    fn solution(&self, mut board: usize) -> Solution {
        let mut columns = [0; BoardSize::MAX as usize];
        let rows = self.size.get() as usize;
        for (column, level) in columns[..rows].iter_mut().zip(&self.levels[1..]).rev() {
            let Board { above, column: queen, .. } = level.boards[board];
            *column = queen;
            board = above.into();
        }
        Solution::from_columns(columns[..rows].iter().copied())
    }
}

impl Iterator for Solutions {
    type Item = Solution;

    fn next(&mut self) -> Option<Solution> {
        loop {
            let level = &mut self.levels[self.size.get() as usize];
            if level.next < level.len {
                level.next += 1;
                let board = level.next - 1;
                return Some(self.solution(board));
            }
            if !self.step() {
                return None;
            }
        }
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        let last = &self.levels[self.size.get() as usize];
        (last.len - last.next, None)
    }

    fn nth(&mut self, solutions: usize) -> Option<Solution> {
        let count =
            |boards: &[Board], rows| boards.iter().map(|board| backtrack::completions(board.row, rows)).collect();
        self.pass_by(solutions as u64, 1, count);
        self.next()
    }
}

impl FusedIterator for Solutions {}

impl fmt::Debug for Solutions {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Solutions").field("size", &self.size).finish_non_exhaustive()
    }
}
