//! Quarter-boards: placements of mutually non-attacking queens on some columns of a quarter. A list
//! has all that stand on the same columns, each as the diagonals that it occupies, filed by mark
//! and by the set of rows of its queens:
//!
//! ```text
//!     . Q . .      columns {1, 2}: one of the quarter-boards on the row set {0, 3}
//!     . . . .
//!     . . . .      Row sets are numbered in the order of their masks, and complements reverse it: of T row sets,
//!     . . Q .      set i of one quarter goes with set T-1-i of its neighbour.
//! ```

use std::collections::TryReserveError;

use super::word::{Places, Word};
use crate::board::bits;
use crate::cancel::{CancelToken, EngineError};
use crate::engine::rows::theory::core::{Core, diagonals, sides};
use crate::engine::rows::theory::subsets::{binomial, rank};

/// The most rows and columns of a quarter: half of those of the largest board.
const MAX: usize = 16;

/// The quarter-boards on a set of columns.
#[derive(Clone, Debug, Default)]
pub struct QuarterBoards<W> {
    words: Vec<W>,
    /// Where those on a row set begin: first of those without a mark, then of those with one.
    starts: Vec<u32>,
    /// The number of sets of as many rows as there are columns.
    pub row_sets: usize,
    /// The diagonals that some of them occupy.
    pub used: W,
}

impl<W: Word> QuarterBoards<W> {
    /// The marked or unmarked ones on a row set.
    #[inline(always)]
    pub fn on(&self, marked: bool, row_set: usize) -> &[W] {
        let bin = if marked { self.row_sets } else { 0 } + row_set;
        &self.words[self.starts[bin] as usize..self.starts[bin + 1] as usize]
    }

    /// All of them, and where those of each mark and row set begin and the last end.
    pub fn filed(&self) -> (&[W], &[u32]) {
        (&self.words, &self.starts)
    }

    pub fn has_marks(&self) -> bool {
        self.starts[self.row_sets] < self.starts[2 * self.row_sets]
    }

    pub fn len_on(&self, row_set: usize) -> usize {
        self.on(false, row_set).len() + self.on(true, row_set).len()
    }

    pub fn len(&self) -> usize {
        self.words.len()
    }

    pub fn bytes(&self) -> usize {
        self.words.capacity() * size_of::<W>() + self.starts.capacity() * size_of::<u32>()
    }
}

/// The numbers of all subsets of the rows among those of their size, by mask.
pub fn row_set_numbers(half: u32) -> Vec<u32> {
    (0..1 << half).map(rank).collect()
}

/// The memory of a search, kept for the next one.
#[derive(Clone, Debug, Default)]
pub struct Finder<W> {
    /// Quarter-boards with their bins.
    found: Vec<(u32, W)>,
}

impl<W: Word> Finder<W> {
    /// Finds the quarter-boards on some columns of a quarter, given as indices from the border.
    /// `numbers` are those of [`row_set_numbers`].
    pub fn find(
        &mut self,
        core: &Core,
        places: &Places,
        numbers: &[u32],
        quarter: usize,
        columns: u32,
        stop: &CancelToken,
    ) -> Result<QuarterBoards<W>, EngineError> {
        let (bottom, right) = sides(quarter);
        let row_sets = binomial(core.half, columns.count_ones()) as u32;
        let found = &mut self.found;
        found.clear();
        found.try_reserve(longest_list(core.half) as usize)?;
        let mut search = Descent {
            columns: [Column::default(); MAX],
            columns_used: 0,
            numbers,
            row_sets,
            found,
            stop,
        };
        let mut from_border = Vec::new();
        for (place, index) in bits(columns.into()).map(u64::trailing_zeros).enumerate() {
            let column = core.columns[usize::from(right)][index as usize];
            from_border.push(if right { core.n - 1 - column } else { column });
            let here = &mut search.columns[place];
            for (i, row) in core.rows(bottom).enumerate() {
                here.words[i] = places.word(diagonals(core.n, row, column));
                here.open |= (core.open[row as usize] >> column & 1) << i;
                here.marked |= (core.marked[row as usize] >> column & 1) << i;
            }
        }
        for (column, pair) in search.columns.iter_mut().zip(from_border.windows(2)) {
            column.step = pair[1] - pair[0];
        }
        search.columns_used = from_border.len();
        let empty = Placed {
            free: (1 << core.half) - 1,
            ..Placed::default()
        };
        if search.columns_used == 0 {
            search.keep(empty)
        } else {
            search.place(0, empty)
        }
        stop.check()?;
        Ok(self.file(row_sets as usize)?)
    }

    /// Files what has been found by mark and row set.
    fn file(&self, row_sets: usize) -> Result<QuarterBoards<W>, TryReserveError> {
        // `starts[bin + 2]` is first the length of a bin, then `starts[bin + 1]` its start, then
        // its end.
        let mut starts = vec![0; 2 * row_sets + 2];
        for &(bin, _) in &self.found {
            starts[bin as usize + 2] += 1;
        }
        for bin in 2..starts.len() {
            starts[bin] += starts[bin - 1];
        }
        let mut words = Vec::new();
        words.try_reserve_exact(self.found.len())?;
        words.resize(self.found.len(), W::default());
        let mut used = W::default();
        for &(bin, word) in &self.found {
            let place: &mut u32 = &mut starts[bin as usize + 1];
            words[*place as usize] = word;
            *place += 1;
            used = used | word;
        }
        starts.pop();
        Ok(QuarterBoards {
            words,
            starts,
            row_sets,
            used,
        })
    }
}

/// A column of a search.
#[derive(Clone, Copy, Default)]
struct Column<W> {
    /// The diagonals of a queen on each row.
    words: [W; MAX],
    open: u32,
    marked: u32,
    /// How far the next column is.
    step: u32,
}

/// The queens so far: the rows that are free, those of the next column that diagonals attack, and
/// the word and the mark.
#[derive(Clone, Copy, Default)]
struct Placed<W> {
    free: u32,
    up: u32,
    down: u32,
    word: W,
    marked: bool,
}

/// With so many columns left a search checks for a stop: about once in a millisecond.
const STOPPED_AT: usize = 5;

/// A search, column by column, from the border inwards.
struct Descent<'a, W> {
    columns: [Column<W>; MAX],
    columns_used: usize,
    numbers: &'a [u32],
    row_sets: u32,
    found: &'a mut Vec<(u32, W)>,
    stop: &'a CancelToken,
}

impl<W: Word> Descent<'_, W> {
    #[inline(always)]
    fn keep(&mut self, board: Placed<W>) {
        // The rows that are not free.
        let rows = self.numbers.len() - 1 - board.free as usize;
        let mark = if board.marked { self.row_sets } else { 0 };
        self.found.push((self.numbers[rows] + mark, board.word));
    }

    /// Fills the columns from `at` on, one at least.
    fn place(&mut self, at: usize, board: Placed<W>) {
        if at + STOPPED_AT == self.columns_used && self.stop.is_cancelled() {
            return;
        }
        let Column {
            open, marked, step, ..
        } = self.columns[at];
        for queen in bits((board.free & open & !(board.up | board.down)).into()) {
            let word = board.word | self.columns[at].words[queen.trailing_zeros() as usize];
            let queen = queen as u32;
            let next = Placed {
                free: board.free ^ queen,
                up: (board.up | queen) >> step,
                down: (board.down | queen) << step,
                word,
                marked: board.marked || marked & queen != 0,
            };
            // A call for each quarter-board takes 1.4 times the instructions.
            if at + 1 == self.columns_used {
                self.keep(next)
            } else {
                self.place(at + 1, next)
            }
        }
    }
}

/// The number of quarter-boards of `half` rows and columns, on any columns: counted up to 11 rows.
/// Above, there are about 9 times as many for each row.
pub fn quarter_boards(half: u32) -> u64 {
    QUARTERS[half.min(11) as usize] * 9u64.pow(half.saturating_sub(11))
}

/// The number of those on the set of columns that has most: at most 4 times the mean of all sets.
pub fn longest_list(half: u32) -> u64 {
    (quarter_boards(half) >> half) * 4
}

/// The numbers of ways to place 0 to h non-attacking queens on an h x h board, for h up to 11.
const QUARTERS: [u64; 12] = [
    1, 2, 5, 18, 87, 462, 2_635, 16_870, 118_969, 915_442, 7_535_369, 66_807_234,
];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::rows::theory::numbering::Numbering;

    impl<W: Word> QuarterBoards<W> {
        /// Quarter-boards on the only set of rows, given by their words: those without a mark, and
        /// those with one.
        pub fn of(words: &[Vec<W>; 2]) -> Self {
            let starts = vec![
                0,
                words[0].len() as u32,
                (words[0].len() + words[1].len()) as u32,
            ];
            let used = words
                .iter()
                .flatten()
                .fold(W::default(), |used, &word| used | word);
            Self {
                words: words.concat(),
                starts,
                row_sets: 1,
                used,
            }
        }
    }

    #[test]
    fn quarters_have_so_many_boards_and_no_columns_more_than_four_times_the_mean() {
        for half in 2..=9 {
            let core = Numbering::new(2 * half, 0, 16).core(0).unwrap();
            let (places, numbers) = (Places::new::<u64>(core.relevant()), row_set_numbers(half));
            let mut finder = Finder::<u64>::default();
            let mut length = |columns| {
                finder
                    .find(&core, &places, &numbers, 0, columns, &CancelToken::new())
                    .unwrap()
                    .len() as u64
            };
            let lengths: Vec<u64> = (0..1 << half).map(&mut length).collect();
            assert_eq!(
                lengths.iter().sum::<u64>(),
                quarter_boards(half),
                "{half} rows"
            );
            assert!(
                lengths.into_iter().max() <= Some(longest_list(half)),
                "{half} rows"
            );
        }
    }
}
