//! Lists of quarter-boards. A list contains the words of all quarter-boards on one set of columns,
//! grouped by mark and by row set.
//!
//! Row sets are ranked by their bitmasks. Taking complements reverses the order, so with T row
//! sets, set i of a quarter fits set T-1-i of its neighbour.

use std::collections::TryReserveError;

use super::word::{BitPositions, Word};
use crate::board::bits;
use crate::cancel::{CancelToken, EngineError};
use crate::engine::rows::theory::core::{Core, diagonals, sides};
use crate::engine::rows::theory::subsets::{binomial, rank};

const MAX: usize = 16;

#[derive(Default)]
pub(crate) struct QuarterBoards<W> {
    words: Vec<W>,
    /// The start of the unmarked quarter-boards on each row set, then the start of the marked ones
    /// on each row set, then the end of the list.
    starts: Vec<u32>,
    pub row_sets: usize,
    /// The OR of all words.
    pub used: W,
}

impl<W: Word> QuarterBoards<W> {
    #[inline(always)]
    pub(crate) fn on(&self, marked: bool, row_set: usize) -> &[W] {
        let bin = if marked { self.row_sets } else { 0 } + row_set;
        &self.words[self.starts[bin] as usize..self.starts[bin + 1] as usize]
    }

    /// Returns all words, the start of each group, and the end of the last group.
    #[cfg(feature = "gpu")]
    pub(crate) fn words_and_starts(&self) -> (&[W], &[u32]) {
        (&self.words, &self.starts)
    }

    pub(crate) fn has_marks(&self) -> bool {
        self.starts[self.row_sets] < self.starts[2 * self.row_sets]
    }

    pub(crate) fn len_on(&self, row_set: usize) -> usize {
        self.on(false, row_set).len() + self.on(true, row_set).len()
    }

    pub(crate) fn len(&self) -> usize {
        self.words.len()
    }

    pub(crate) fn bytes(&self) -> usize {
        self.words.capacity() * size_of::<W>() + self.starts.capacity() * size_of::<u32>()
    }
}

/// Finds quarter-boards, and reuses its memory for the next search.
#[derive(Default)]
pub(crate) struct Finder<W> {
    /// Quarter-boards, each with its bin: an index into [`QuarterBoards::starts`].
    found: Vec<(u32, W)>,
}

impl<W: Word> Finder<W> {
    /// Finds the quarter-boards on these columns, a bitmask indexed from the border.
    pub(crate) fn find(
        &mut self,
        core: &Core,
        positions: &BitPositions,
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
            row_sets,
            found,
            stop,
        };
        let used: Vec<u32> = bits(columns.into())
            .map(|index| core.columns[usize::from(right)][index.trailing_zeros() as usize])
            .collect();
        for (here, &column) in search.columns.iter_mut().zip(&used) {
            for (i, row) in core.rows(bottom).enumerate() {
                here.words[i] = positions.word(diagonals(core.n, row, column));
                here.open |= (core.open[row as usize] >> column & 1) << i;
                here.marked |= (core.marked[row as usize] >> column & 1) << i;
            }
        }
        for (here, pair) in search.columns.iter_mut().zip(used.windows(2)) {
            here.step = pair[0].abs_diff(pair[1]);
        }
        search.columns_used = used.len();
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
        Ok(self.group(row_sets as usize)?)
    }

    /// Sorts `found` by bin, with a counting sort.
    fn group(&self, row_sets: usize) -> Result<QuarterBoards<W>, TryReserveError> {
        // At first, `starts[bin + 2]` is the length of a bin. After summing, `starts[bin + 1]` is
        // the start of the bin. Filling the bin advances `starts[bin + 1]` to the start of the next
        // bin, so in the end each bin starts at `starts[bin]`.
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
            let next: &mut u32 = &mut starts[bin as usize + 1];
            words[*next as usize] = word;
            *next += 1;
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

#[derive(Clone, Copy, Default)]
struct Column<W> {
    /// For each row, the diagonals through its square in this column.
    words: [W; MAX],
    /// The rows with open squares, as a bitmask.
    open: u32,
    /// The rows in which a queen would be a mark, as a bitmask.
    marked: u32,
    /// The distance to the next column.
    step: u32,
}

/// The queens that a search has placed so far.
#[derive(Clone, Copy, Default)]
struct Placed<W> {
    /// The rows without a queen, as a bitmask.
    free: u32,
    /// The squares of the next column that are attacked along diagonals going up.
    up: u32,
    /// The squares of the next column that are attacked along diagonals going down.
    down: u32,
    word: W,
    marked: bool,
}

/// A search checks for cancellation when this many columns are left: about once per millisecond.
const STOPPED_AT: usize = 5;

/// A search that places queens column by column, from the border inwards.
struct Descent<'a, W> {
    columns: [Column<W>; MAX],
    columns_used: usize,
    row_sets: u32,
    found: &'a mut Vec<(u32, W)>,
    stop: &'a CancelToken,
}

impl<W: Word> Descent<'_, W> {
    #[inline(always)]
    fn keep(&mut self, board: Placed<W>) {
        let mark = if board.marked { self.row_sets } else { 0 };
        // The free rows are the complement of the row set.
        let bin = mark + self.row_sets - 1 - rank(board.free);
        self.found.push((bin, board.word));
    }

    /// Places queens in the columns from index `at` on.
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
            // Calling `place` for every quarter-board would take 1.4 times as many instructions.
            if at + 1 == self.columns_used {
                self.keep(next)
            } else {
                self.place(at + 1, next)
            }
        }
    }
}

/// Returns the total number of quarter-boards on all sets of columns. Beyond 11 rows, this is an
/// estimate that grows 9-fold with each row.
pub(crate) fn quarter_boards(half: u32) -> u64 {
    QUARTERS[half.min(11) as usize] * 9u64.pow(half.saturating_sub(11))
}

/// Returns an upper bound on the length of a list: 4 times the mean.
pub(crate) fn longest_list(half: u32) -> u64 {
    (quarter_boards(half) >> half) * 4
}

/// For each h, the number of ways to place 0 to h queens on an h x h board so that none attacks
/// another.
const QUARTERS: [u64; 12] = [
    1, 2, 5, 18, 87, 462, 2_635, 16_870, 118_969, 915_442, 7_535_369, 66_807_234,
];

#[cfg(test)]
impl<W: Word> QuarterBoards<W> {
    /// Creates a list of quarter-boards on a single row set, from unmarked words and marked words.
    pub(crate) fn from_words(words: &[Vec<W>; 2]) -> Self {
        let unmarked = words[0].len();
        let words = words.concat();
        Self {
            starts: vec![0, unmarked as u32, words.len() as u32],
            row_sets: 1,
            used: words.iter().fold(W::default(), |used, &word| used | word),
            words,
        }
    }
}
