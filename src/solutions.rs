//! The solutions in lexicographic order.
//!
//! The search tries the open squares of each row from left to right. It cannot use symmetry,
//! because every image of a solution has its own place in the order.
//!
//! As in the [backtracking engine](backtrack), boards are processed in batches. The boards of a
//! batch are in lexicographic order. Each board extends one in the batch above, and stores the
//! index of that board. The columns of a solution are read by following these indices upwards.
//!
//! Skipped solutions are not found one by one: the completions of a partial board are only counted.

#![deny(clippy::cast_precision_loss, reason = "counts are exact")]

use std::iter::FusedIterator;
use std::sync::Mutex;

use rayon::ThreadPool;
use rayon::prelude::*;

use crate::board::{BoardSize, Row, Solution, bits};
use crate::cancel::{CancelToken, EngineError, NEVER};
use crate::choice::EngineChoice;
use crate::count::{self, CountError, Counter};
use crate::engine::backtrack;
use crate::parse::ParseError;

/// Iterates over all solutions of the `n` x `n` board in lexicographic order.
///
/// # Errors
/// Fails if `n` is 0 or more than 32.
///
/// ```
/// assert_eq!(queencount::solutions(6)?.nth(2).unwrap().to_string(), "4 1 5 2 6 3");
/// # Ok::<(), queencount::ParseError>(())
/// ```
pub fn solutions(n: u32) -> Result<Solutions, ParseError> {
    Ok(Solutions::new(BoardSize::new(n)?))
}

/// An iterator that finds the solutions of a board on demand, in lexicographic order.
///
/// It uses 4 KiB of memory per row. The slowest board is N = 32: finding its first three solutions
/// takes about a second.
///
/// [`Iterator::nth`] skips solutions faster than [`Iterator::next`] finds them. If the lower bound
/// of [`Iterator::size_hint`] is above 0, the next solution is available without a search.
///
/// ```
/// use queencount::{BoardSize, Solutions};
///
/// let size = BoardSize::new(8)?;
/// assert_eq!(Solutions::new(size).count(), 92);
/// assert_eq!(Solutions::fundamental(size).count(), 12);
/// # Ok::<(), queencount::ParseError>(())
/// ```
#[derive(Clone, Debug)]
#[must_use = "iterators are lazy"]
pub struct Solutions {
    size: BoardSize,
    /// The index of the current level.
    depth: usize,
    /// `levels[r]` contains the boards with r queens.
    levels: Vec<Level>,
    fundamental: bool,
}

const BATCH: usize = 128;

#[derive(Clone, Debug, Default)]
struct Level {
    /// The boards, of which the first `len` are in use.
    boards: Vec<PartialBoard>,
    len: usize,
    /// The index of the next board to be extended or, on the last level, returned.
    next: usize,
}

/// A board whose upper rows are filled.
#[derive(Clone, Copy, Debug, Default)]
struct PartialBoard {
    /// The first empty row.
    row: Row,
    /// The index, in the level above, of the board that this one extends.
    above: u8,
    /// The column of the queen that this board adds.
    column: u8,
}

/// The completions of boards with this many empty rows are counted, which takes a millisecond per
/// board.
const COUNTED_ROWS: usize = backtrack::ROWS_IN_ONE_GO as usize;

/// If fewer solutions than this are to be skipped, they are found rather than counted, because a
/// single board may have more completions than that.
const WORTH_COUNTING: u128 = 10_000;

/// The number of solutions skipped between two calls of `on_progress`. Skipping them takes less
/// than a second.
const SKIPPED_AT_A_TIME: u128 = 1 << 21;

/// From this N on, finding solutions is faster than counting them, because partial boards have few
/// completions. For N = 26, 27 and 28, finding 3 million solutions takes 67, 59 and 112 s of CPU
/// time; counting them takes 65, 62 and 135 s.
const FOUND_FASTER: u32 = 27;

impl Solutions {
    /// Creates an iterator over all solutions of a board.
    pub fn new(size: BoardSize) -> Self {
        let mut levels = vec![Level::default(); size.get() as usize + 1];
        levels[0].boards.push(PartialBoard {
            row: Row::first(size),
            ..PartialBoard::default()
        });
        levels[0].len = 1;
        Self {
            size,
            depth: 0,
            levels,
            fundamental: false,
        }
    }

    /// Creates an iterator over the fundamental solutions: the lexicographically smallest solution
    /// of each orbit. [`Solution::orbit_size`] returns the size of the orbit.
    pub fn fundamental(size: BoardSize) -> Self {
        let mut solutions = Self::new(size);
        solutions.fundamental = true;
        // If the first queen is in the right half, the mirror image is smaller.
        solutions.step();
        let level = &mut solutions.levels[1];
        let boards = &level.boards[..level.len];
        level.len =
            boards.partition_point(|board| u32::from(board.column) < size.get().div_ceil(2));
        solutions
    }

    /// Creates an iterator that starts at a solution.
    fn starting_at(size: BoardSize, solution: &Solution) -> Self {
        let mut solutions = Self::new(size);
        for &column in solution.columns() {
            let above = solutions.levels[solutions.depth].next as u8;
            solutions.step();
            let level = &mut solutions.levels[solutions.depth];
            level.next = level.boards[..level.len]
                .partition_point(|board| (board.above, board.column) < (above, column));
        }
        solutions
    }

    /// Returns the next solution, like [`Iterator::next`], unless `stop` is cancelled first.
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
    /// On `threads` threads (see [`Counter::threads`]), this takes about as long as counting the
    /// solutions by backtracking. A new iterator that skips more than half of the solutions
    /// searches from the other end. Skipping fundamental solutions takes longer.
    ///
    /// Calls `on_progress` about every second, possibly on other threads, with the finished
    /// fraction of the work.
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
    /// Fails if the threads cannot be started, or if `stop` is cancelled; the number of skipped
    /// solutions is then unknown.
    pub fn skip_ahead(
        &mut self,
        solutions: u128,
        threads: usize,
        stop: &CancelToken,
        on_progress: &(dyn Fn(f64) + Sync),
    ) -> Result<u128, CountError> {
        let is_new = self.depth == 0 && self.levels[0].next < self.levels[0].len;
        if is_new && !self.fundamental && self.is_worth_a_count(solutions) {
            let count_share = self.count_share(solutions);
            let counted = Mutex::new(0.0);
            let total = Counter::new()
                .threads(threads)
                .stop(stop)
                .on_task(&|task| {
                    let mut counted = counted.lock().expect("no thread panics with the lock");
                    *counted += task.work;
                    on_progress(count_share * *counted);
                })
                .count(&EngineChoice::Auto.engine(self.size))?;
            let on_progress = |skipped| on_progress(count_share + (1.0 - count_share) * skipped);
            let left = total.saturating_sub(solutions);
            if left == 0 {
                self.end();
                return Ok(total);
            }
            if left < solutions {
                self.skip_forward(left - 1, threads, stop, &on_progress)?;
                let last = self.try_next(stop)?.expect("no more than half are skipped");
                let [_, _, _, _, mirror_image, ..] = last.images();
                *self = Self::starting_at(self.size, &mirror_image);
                return Ok(solutions);
            }
            return self.skip_forward(solutions, threads, stop, &on_progress);
        }
        self.skip_forward(solutions, threads, stop, on_progress)
    }

    /// Returns whether counting all solutions would take less time than skipping this many.
    #[expect(clippy::cast_precision_loss, reason = "an estimate")]
    fn is_worth_a_count(&self, solutions: u128) -> bool {
        solutions >= WORTH_COUNTING && solutions as f64 > self.expected() / 64.0
    }

    /// Returns the fraction of the time that counting all solutions takes, if that comes first, and
    /// then this many are skipped from the nearer end.
    #[expect(clippy::cast_precision_loss, reason = "an estimate")]
    fn count_share(&self, solutions: u128) -> f64 {
        let all = self.expected();
        let skipped = (solutions as f64).min(all - solutions as f64).max(0.0);
        let count = all / 100.0;
        count / (count + skipped)
    }

    /// Returns the approximate number of solutions of the board, n! / 2.54^n. Skipping a solution
    /// takes more than a hundred times as long as counting one.
    fn expected(&self) -> f64 {
        (1..=self.size.get()).map(|n| f64::from(n) / 2.54).product()
    }

    #[expect(clippy::cast_precision_loss, reason = "a share")]
    fn skip_forward(
        &mut self,
        solutions: u128,
        threads: usize,
        stop: &CancelToken,
        on_progress: &dyn Fn(f64),
    ) -> Result<u128, CountError> {
        let pool = if self.fundamental || self.size.get() >= FOUND_FASTER {
            None
        } else {
            Some(count::pool(threads)?)
        };
        let mut skipped = 0;
        let mut at_end = false;
        while skipped < solutions && !at_end {
            if let Some(pool) = &pool {
                let step = SKIPPED_AT_A_TIME.min(solutions - skipped);
                let left = self.skip_by(step, Some(pool), stop)?;
                skipped += step - left;
                at_end = left > 0;
            } else {
                at_end = self.try_next(stop)?.is_none();
                skipped += u128::from(!at_end);
            }
            on_progress(skipped as f64 / solutions as f64);
        }
        Ok(skipped)
    }

    fn end(&mut self) {
        self.levels.fill(Level::default());
        self.depth = 0;
    }

    /// Skips solutions by counting the completions of boards, in parallel if a pool is given.
    /// Returns the number of solutions that were still to be skipped when the search ended.
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
                let count = |board: &PartialBoard| -> Result<u128, EngineError> {
                    stop.check()?;
                    Ok(backtrack::completions(board.row, rows_left).into())
                };
                let counts: Result<Vec<u128>, _> = match pool {
                    Some(pool) => pool.install(|| boards.par_iter().map(count).collect()),
                    None => boards.iter().take(1).map(count).collect(),
                };
                for found in counts? {
                    counting = found <= solutions;
                    if !counting {
                        // The next solution is among the completions of this board.
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

    /// Extends boards of the current level until the level below is full, then goes down. If no
    /// board is left, goes up instead. Returns `false` if there is no level above, which means that
    /// the search has ended.
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
                // Keep the board only if the next two rows, or as many as are left, each have an
                // open square.
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

    /// Returns the solution at this index in the last level.
    fn solution(&self, mut board: usize) -> Solution {
        let mut columns = [0; BoardSize::MAX as usize];
        let rows = self.size.get() as usize;
        for (column, level) in columns[..rows].iter_mut().zip(&self.levels[1..]).rev() {
            let partial = level.boards[board];
            *column = partial.column;
            board = partial.above.into();
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
