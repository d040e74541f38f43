//! The solutions, one at a time, in lexicographic order.
//!
//! A search that tries the open squares of each row from left to right finds the solutions in
//! lexicographic order. It cannot use symmetry: for N = 6, the third solution is the mirror image
//! of the second, and a search of half the board would not find it.
//!
//! As in the backtracking engine, boards are processed in batches, because a search that went up or
//! down one row after every queen would spend most of its time on mispredicted branches. The boards
//! of a batch stay in lexicographic order from row to row. Each board stores the index of the board
//! that it extends in the batch above. The columns of a solution are read by following these
//! indices upwards.
//!
//! A solution far ahead is reached without finding every solution before it: if all completions of
//! a partial board are to be skipped, they are only counted. A solution with known columns is
//! reached directly, by skipping all earlier boards on each level.

#![deny(clippy::cast_precision_loss, reason = "counts are exact")]

use std::fmt;
use std::iter::FusedIterator;

use rayon::ThreadPool;
use rayon::prelude::*;

use crate::board::{BoardSize, BoardSizeError, Row, Solution, bits};
use crate::cancel::{CancelToken, EngineError, NEVER};
use crate::choice::EngineChoice;
use crate::count::{self, CountError, Counter};
use crate::engine::backtrack;
use crate::symmetry::Symmetry;

/// Iterates over all solutions of the `n` x `n` board in lexicographic order.
///
/// # Errors
/// Fails if `n` is 0 or more than 32.
///
/// ```
/// assert_eq!(queencount::solutions(6)?.nth(2).unwrap().to_string(), "4 1 5 2 6 3");
/// # Ok::<(), queencount::BoardSizeError>(())
/// ```
pub fn solutions(n: u32) -> Result<Solutions, BoardSizeError> {
    Ok(Solutions::new(BoardSize::new(n)?))
}

/// An iterator that finds the solutions of a board on demand, in lexicographic order.
///
/// It uses 4 KiB of memory per row. N = 32 is the slowest board: finding its first three solutions
/// takes about a second.
///
/// [`Iterator::nth`] skips solutions faster than [`Iterator::next`] finds them, and
/// [`Solutions::skip_ahead`] skips on several threads. If the lower bound of
/// [`Iterator::size_hint`] is above 0, the next solution is available without a search.
///
/// ```
/// use queencount::{BoardSize, Solutions};
///
/// let first = Solutions::new(BoardSize::new(6)?).take(3).map(|s| s.to_string());
/// assert_eq!(first.collect::<Vec<_>>(), ["2 4 6 1 3 5", "3 6 2 5 1 4", "4 1 5 2 6 3"]);
/// assert_eq!(Solutions::new(BoardSize::new(8)?).count(), 92);
/// # Ok::<(), queencount::BoardSizeError>(())
/// ```
#[derive(Clone)]
pub struct Solutions {
    size: BoardSize,
    /// The current level of the search.
    depth: usize,
    /// `levels[r]` contains boards with r queens.
    levels: Vec<Level>,
    fundamental: bool,
}

const BATCH: usize = 128;

/// Boards in lexicographic order.
#[derive(Clone, Default)]
struct Level {
    /// The boards of the level; empty before the search reaches the level, and after the search
    /// ends.
    boards: Vec<PartialBoard>,
    len: usize,
    /// The index of the next board to be extended or, on the last level, returned.
    next: usize,
}

/// A board whose upper rows are filled.
#[derive(Clone, Copy, Default)]
struct PartialBoard {
    /// The first empty row.
    row: Row,
    /// The index, in the level above, of the board that this one extends.
    above: u8,
    /// The column of the queen that this board adds.
    column: u8,
}

/// A board with this many empty rows can be skipped as a whole, because counting its completions
/// takes only a millisecond.
const COUNTED_ROWS: usize = backtrack::ROWS_IN_ONE_GO as usize;

/// If fewer solutions than this are to be skipped, they are found rather than counted, because a
/// single board may have more completions than that.
const WORTH_COUNTING: u128 = 10_000;

/// The number of solutions skipped between two calls of `on_progress`. Skipping them takes less
/// than a second.
const SKIPPED_AT_A_TIME: u128 = 1 << 21;

/// From this N on, finding solutions is faster than counting them, because the boards that are
/// counted have few solutions each. Finding 3 million solutions takes 67 s of CPU time for N = 26
/// (counting them takes 65 s), 59 s for N = 27 (62 s), and 112 s for N = 28 (135 s).
const FOUND_FASTER: u32 = 27;

impl Solutions {
    /// Creates an iterator over all solutions of a board.
    pub fn new(size: BoardSize) -> Self {
        let mut levels = vec![Level::default(); size.get() as usize + 1];
        let empty = PartialBoard {
            row: Row::first(size),
            ..PartialBoard::default()
        };
        levels[0] = Level {
            boards: vec![empty],
            len: 1,
            next: 0,
        };
        Self {
            size,
            depth: 0,
            levels,
            fundamental: false,
        }
    }

    /// Creates an iterator over the fundamental solutions: the lexicographically smallest solution
    /// of each orbit (see [`Solution::is_representative`]). [`Solution::orbit_size`] returns the
    /// number of solutions that a fundamental solution represents.
    ///
    /// ```
    /// use queencount::{BoardSize, Solutions};
    ///
    /// let size = BoardSize::new(8)?;
    /// assert_eq!(Solutions::fundamental(size).count(), 12);
    /// let third = Solutions::fundamental(size).nth(2).unwrap();
    /// assert_eq!(third.to_string(), "2 4 6 8 3 1 7 5");
    /// # Ok::<(), queencount::BoardSizeError>(())
    /// ```
    pub fn fundamental(size: BoardSize) -> Self {
        let mut solutions = Self::new(size);
        solutions.fundamental = true;
        // If the first queen is in the right half, the mirror image is smaller.
        solutions.step();
        let level = &mut solutions.levels[1];
        let boards = &level.boards[..level.len];
        level.len =
            boards.partition_point(|board| u32::from(board.column) < size.get().div_ceil(2));
        // No further boards will be added to this level.
        level.boards.truncate(level.len);
        level.boards.shrink_to_fit();
        solutions
    }

    /// Creates an iterator that starts at the first solution not less than `columns`. `columns`
    /// gives the column (numbered from 0) of the queen in each row, from the top down; it may end
    /// before the last row.
    ///
    /// # Panics
    /// Panics if there are more columns than rows.
    pub fn starting_at(size: BoardSize, columns: &[u8]) -> Self {
        assert!(
            columns.len() <= size.get() as usize,
            "{} columns for N = {size}",
            columns.len()
        );
        let mut solutions = Self::new(size);
        for &column in columns {
            let above = solutions.levels[solutions.depth].next as u8;
            if !solutions.step() {
                break;
            }
            let level = &mut solutions.levels[solutions.depth];
            let boards = &level.boards[..level.len];
            level.next =
                boards.partition_point(|board| (board.above, board.column) < (above, column));
            if boards
                .get(level.next)
                .is_none_or(|board| (board.above, board.column) != (above, column))
            {
                // No solution begins with these columns, so the iterator starts at the next greater
                // solution.
                break;
            }
        }
        solutions
    }

    /// Returns the next solution, like [`Iterator::next`], unless `stop` is cancelled first. On
    /// large boards, the next solution may take a long time to find.
    ///
    /// # Errors
    /// Fails if `stop` is cancelled; the search can then be resumed.
    pub fn try_next(&mut self, stop: &CancelToken) -> Result<Option<Solution>, EngineError> {
        let last = self.size.get() as usize;
        loop {
            while self.levels[last].next < self.levels[last].len {
                let board = self.levels[last].next;
                self.levels[last].next += 1;
                let solution = self.solution(board);
                if !self.fundamental || solution.is_representative() {
                    return Ok(Some(solution));
                }
            }
            stop.check()?;
            if !self.step() {
                return Ok(None);
            }
        }
    }

    /// Skips this many solutions, or all if fewer are left, and returns the number skipped.
    ///
    /// On `threads` threads (see [`Counter::threads`](crate::Counter::threads)), this takes about
    /// as long as counting the solutions by backtracking. If an iterator that has not been used yet
    /// is to skip more than half of the solutions, it searches from the other end, because the last
    /// solutions are the mirror images of the first ones. Fundamental solutions are found rather
    /// than counted, which takes longer.
    ///
    /// `on_progress` is called from time to time with the number of solutions skipped so far.
    ///
    /// ```
    /// use queencount::{BoardSize, CancelToken, Solutions};
    ///
    /// let mut solutions = Solutions::new(BoardSize::new(14)?);
    /// solutions.skip_ahead(365_594, 0, &CancelToken::new(), &|_| ())?;
    /// assert_eq!(solutions.count(), 2);
    /// # Ok::<(), queencount::CountError>(())
    /// ```
    ///
    /// # Errors
    /// Fails if the threads cannot be started, or if `stop` is cancelled. After a cancellation, the
    /// number of skipped solutions is unknown.
    pub fn skip_ahead(
        &mut self,
        solutions: u128,
        threads: usize,
        stop: &CancelToken,
        on_progress: &dyn Fn(u128),
    ) -> Result<u128, CountError> {
        if self.is_new() && !self.fundamental && self.is_worth_a_count(solutions) {
            let engine = EngineChoice::Auto.engine(self.size);
            let total = Counter::default()
                .threads(threads)
                .stop(stop)
                .count(&engine)?;
            let left = total.saturating_sub(solutions);
            if left == 0 {
                self.end();
                return Ok(total);
            }
            if left < solutions {
                self.skip_forward(left - 1, threads, stop, &|skipped| {
                    on_progress(solutions - (left - 1) + skipped);
                })?;
                let last = self.try_next(stop)?.expect("no more than half are skipped");
                *self = Self::starting_at(self.size, last.image(Symmetry::Mirror).columns());
                return Ok(solutions);
            }
        }
        self.skip_forward(solutions, threads, stop, on_progress)
    }

    fn is_new(&self) -> bool {
        self.depth == 0 && self.levels[0].next < self.levels[0].len
    }

    /// Returns whether counting all solutions would take less time than skipping this many. Per
    /// solution, skipping takes more than a hundred times as long as a full count. The board has
    /// about n! / 2.54^n solutions.
    #[expect(clippy::cast_precision_loss, reason = "an estimate")]
    fn is_worth_a_count(&self, solutions: u128) -> bool {
        let expected: f64 = (1..=self.size.get()).map(|n| f64::from(n) / 2.54).product();
        solutions >= WORTH_COUNTING && solutions as f64 > expected / 64.0
    }

    fn skip_forward(
        &mut self,
        solutions: u128,
        threads: usize,
        stop: &CancelToken,
        on_progress: &dyn Fn(u128),
    ) -> Result<u128, CountError> {
        let is_found = self.fundamental || self.size.get() >= FOUND_FASTER;
        let pool = if is_found {
            None
        } else {
            Some(count::pool(threads)?)
        };
        let mut skipped = 0;
        while skipped < solutions {
            let asked = if is_found {
                1
            } else {
                SKIPPED_AT_A_TIME.min(solutions - skipped)
            };
            let passed = match &pool {
                None => u128::from(self.try_next(stop)?.is_some()),
                Some(pool) => asked - self.skip_by(asked, Some(pool), stop)?,
            };
            skipped += passed;
            on_progress(skipped);
            if passed < asked {
                break;
            }
        }
        Ok(skipped)
    }

    fn end(&mut self) {
        self.levels.fill(Level::default());
        self.depth = 0;
    }

    /// Skips solutions by counting the completions of boards, in parallel if a thread pool is
    /// given. Returns the number of solutions that could not be skipped because the search ended.
    fn skip_by(
        &mut self,
        mut solutions: u128,
        pool: Option<&ThreadPool>,
        stop: &CancelToken,
    ) -> Result<u128, EngineError> {
        let rows = self.size.get() as usize;
        let mut counting = solutions >= WORTH_COUNTING;
        while solutions > 0 {
            stop.check()?;
            let level = &mut self.levels[self.depth];
            let ahead = level.len - level.next;
            if self.depth == rows {
                let found = ahead.min(usize::try_from(solutions).unwrap_or(usize::MAX));
                level.next += found;
                solutions -= found as u128;
            } else if counting && self.depth == rows.saturating_sub(COUNTED_ROWS) {
                let boards = &level.boards[level.next..level.len];
                let rows_left = COUNTED_ROWS.min(rows) as u32;
                let count = |board: &PartialBoard| -> Result<u64, EngineError> {
                    stop.check()?;
                    Ok(backtrack::completions(board.row, rows_left))
                };
                let counted = match pool {
                    Some(pool) => pool.install(|| {
                        boards
                            .par_iter()
                            .map(count)
                            .collect::<Result<Vec<u64>, _>>()
                    })?,
                    None => boards.iter().take(1).map(count).collect::<Result<_, _>>()?,
                };
                for found in counted {
                    let found = u128::from(found);
                    counting = found <= solutions;
                    if !counting {
                        // The last solutions to be skipped are among the completions of this board.
                        break;
                    }
                    level.next += 1;
                    solutions -= found;
                }
                if counting && level.next < level.len {
                    continue;
                }
            }
            if solutions > 0 && !self.step() {
                break;
            }
        }
        Ok(solutions)
    }

    /// Performs one step of the search. If the current level has further boards, extends them by a
    /// queen until the level below is full, and goes down to that level; otherwise goes up. Returns
    /// `false` at the end of the search, when there is no level above.
    fn step(&mut self) -> bool {
        let rows = self.size.get() as usize - self.depth;
        let level = &mut self.levels[self.depth];
        if level.next == level.len {
            let Some(above) = self.depth.checked_sub(1) else {
                self.end();
                return false;
            };
            self.depth = above;
            return true;
        }
        let [level, below] = self
            .levels
            .get_disjoint_mut([self.depth, self.depth + 1])
            .expect("a level below, because no queen is added to a solution");
        below.boards.resize(BATCH, PartialBoard::default());
        let boards: &mut [PartialBoard; BATCH] = below
            .boards
            .as_mut_slice()
            .try_into()
            .expect("room for a batch");
        let mut len = 0;
        while level.next < level.len && len <= BATCH - self.size.get() as usize {
            let above = level.boards[level.next].row;
            for queen in bits(above.open()) {
                let row = above.place(queen);
                boards[len] = PartialBoard {
                    row,
                    above: level.next as u8,
                    column: queen.trailing_zeros() as u8,
                };
                // Keep the board only if each of the next two rows has an open square; rows beyond
                // the end of the board are not checked.
                len += usize::from(
                    ((row.open() != 0) | (rows < 2)) & ((row.open_below(1) != 0) | (rows < 3)),
                );
            }
            level.next += 1;
        }
        below.len = len;
        below.next = 0;
        self.depth += 1;
        true
    }

    /// Returns the solution that this board on the last level represents.
    fn solution(&self, mut board: usize) -> Solution {
        let mut columns = [0; BoardSize::MAX as usize];
        let rows = self.size.get() as usize;
        for (column, level) in columns[..rows].iter_mut().zip(&self.levels[1..]).rev() {
            let PartialBoard {
                above,
                column: queen,
                ..
            } = level.boards[board];
            *column = queen;
            board = above.into();
        }
        Solution::from_columns(columns[..rows].iter().copied())
    }
}

impl Iterator for Solutions {
    type Item = Solution;

    fn next(&mut self) -> Option<Solution> {
        self.try_next(&NEVER).expect("nobody cancels this")
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        let last = &self.levels[self.size.get() as usize];
        let found = if self.fundamental {
            let mut boards = last.next..last.len;
            usize::from(boards.any(|board| self.solution(board).is_representative()))
        } else {
            last.len - last.next
        };
        (found, None)
    }

    fn nth(&mut self, solutions: usize) -> Option<Solution> {
        if self.fundamental {
            for _ in 0..solutions {
                self.next()?;
            }
        } else {
            self.skip_by(solutions as u128, None, &NEVER)
                .expect("nobody cancels this");
        }
        self.next()
    }
}

impl FusedIterator for Solutions {}

impl fmt::Debug for Solutions {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("Solutions")
            .field("size", &self.size)
            .finish_non_exhaustive()
    }
}
