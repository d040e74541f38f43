//! Quarter-boards: placements of mutually non-attacking queens on some columns of a quarter. And lists of all that stand
//! on the same columns.
//!
//! Of a quarter-board is kept which diagonals it occupies, on which set of rows it stands, and whether it is marked. A
//! list is filed by mark and row set:
//!
//! ```text
//!     . Q . .      columns {1, 2}: one of the quarter-boards on the row set {0, 3}
//!     . . . .
//!     . . . .      Row sets are numbered in the order of their masks, which complements turn round: what goes with row
//!     . . Q .      set i of one quarter is row set T-1-i of its neighbour, of T row sets in each.
//! ```

use std::collections::TryReserveError;

use super::places::Places;
use super::sizes::longest_list;
use super::word::Word;
use crate::board::bits;
use crate::engine::rows::theory::core::{Core, diagonals, sides};
use crate::engine::rows::theory::subsets::{binomial, rank};
use crate::stop::{Stop, Stopped};

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
    /// The most of them on a row set.
    pub longest: usize,
}

impl<W: Word> QuarterBoards<W> {
    /// The marked or unmarked ones on a row set.
    #[inline(always)]
    pub fn on(&self, marked: bool, row_set: usize) -> &[W] {
        let bin = if marked { self.row_sets } else { 0 } + row_set;
        &self.words[self.starts[bin] as usize..self.starts[bin + 1] as usize]
    }

    /// All of them, and where those of each mark and row set begin: first of those without a mark, then of those with one;
    /// and where the last end.
    #[cfg(any(test, feature = "gpu"))]
    pub fn filed(&self) -> (&[W], &[u32]) {
        (&self.words, &self.starts)
    }

    /// Whether one is marked.
    pub fn has_marks(&self) -> bool {
        self.starts[self.row_sets] < self.starts[2 * self.row_sets]
    }

    /// The number of those on a row set.
    pub fn len_on(&self, row_set: usize) -> usize {
        self.on(false, row_set).len() + self.on(true, row_set).len()
    }

    /// The number of quarter-boards.
    pub fn len(&self) -> usize {
        self.words.len()
    }

    /// The bytes that it takes.
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
    /// Finds the quarter-boards on some columns of a quarter, given as indices from the border. `numbers` are those of
    /// [`row_set_numbers`].
    ///
    /// # Errors
    /// When it was stopped, or there is no memory for them.
    pub fn find(
        &mut self,
        core: &Core,
        places: &Places,
        numbers: &[u32],
        quarter: usize,
        columns: u32,
        stop: &Stop,
    ) -> Result<QuarterBoards<W>, Stopped> {
        let (bottom, right) = sides(quarter);
        let row_sets = binomial(core.half, columns.count_ones()) as u32;
        self.found.clear();
        self.found.try_reserve(longest_list(core.half) as usize)?;
        let mut search =
            Search { columns: [Column::default(); MAX], last: 0, numbers, row_sets, found: &mut self.found, stop };
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
        search.last = from_border.len();
        let empty = Placed { free: (1 << core.half) - 1, ..Placed::default() };
        if search.last == 0 {
            search.keep(empty)
        } else {
            search.place(0, empty)
        }
        stop.check()?;
        Ok(self.file(row_sets as usize)?)
    }

    /// Files what has been found by mark and row set.
    fn file(&self, row_sets: usize) -> Result<QuarterBoards<W>, TryReserveError> {
        // `starts[bin + 2]` is first the length of a bin, then `starts[bin + 1]` its start, then its end.
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
        let mut boards = QuarterBoards { words, starts, row_sets, used, longest: 0 };
        boards.longest = (0..row_sets).map(|row_set| boards.len_on(row_set)).max().unwrap_or(0);
        Ok(boards)
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

/// The rows that are left, and those of the next column that diagonals attack.
#[derive(Clone, Copy, Default)]
struct Placed<W> {
    free: u32,
    up: u32,
    down: u32,
    word: W,
    marked: bool,
}

/// With so many columns left a search looks whether it is to stop: it goes on for a millisecond at most.
const STOPPED_AT: usize = 5;

/// A search column by column, from the border inwards.
struct Search<'a, W> {
    columns: [Column<W>; MAX],
    /// The number of columns.
    last: usize,
    numbers: &'a [u32],
    row_sets: u32,
    found: &'a mut Vec<(u32, W)>,
    stop: &'a Stop,
}

impl<W: Word> Search<'_, W> {
    /// Keeps a quarter-board.
    #[inline(always)]
    fn keep(&mut self, board: Placed<W>) {
        let rows = self.numbers.len() - 1 - board.free as usize;
        let mark = if board.marked { self.row_sets } else { 0 };
        self.found.push((self.numbers[rows] + mark, board.word));
    }

    /// Fills the columns from `at` on, one at least.
    fn place(&mut self, at: usize, board: Placed<W>) {
        if at + STOPPED_AT == self.last && self.stop.requested() {
            return;
        }
        let Column { open, marked, step, .. } = self.columns[at];
        for queen in bits((board.free & open & !(board.up | board.down)).into()) {
            let word = board.word | self.columns[at].words[queen.trailing_zeros() as usize];
            let queen = queen as u32;
            let below = Placed {
                free: board.free ^ queen,
                up: (board.up | queen) >> step,
                down: (board.down | queen) << step,
                word,
                marked: board.marked || marked & queen != 0,
            };
            // A call for each quarter-board takes 1.4 times the instructions.
            if at + 1 == self.last { self.keep(below) } else { self.place(at + 1, below) }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::rows::theory::core::attack;
    use crate::engine::rows::theory::numbering::Numbering;

    impl<W: Word> QuarterBoards<W> {
        /// Quarter-boards on the only set of rows, given by their words: those without a mark, and those with one.
        pub fn of(words: &[Vec<W>; 2]) -> Self {
            let starts = vec![0, words[0].len() as u32, (words[0].len() + words[1].len()) as u32];
            let used = words.iter().flatten().fold(W::default(), |used, &word| used | word);
            Self { words: words.concat(), starts, row_sets: 1, used, longest: words[0].len() + words[1].len() }
        }
    }

    /// The placements as mark, row set and word, found column by column with the rule of the game alone.
    fn placements(core: &Core, places: &Places, bottom: bool, columns: &[u32]) -> Vec<(bool, u32, u64)> {
        let mut boards: Vec<Vec<(u32, u32)>> = vec![vec![]];
        for &column in columns {
            let with_queen = |board: &Vec<(u32, u32)>| {
                let open = core.rows(bottom).filter(|&row| core.open[row as usize] >> column & 1 == 1);
                let free = open.filter(|&row| board.iter().all(|&(r, c)| r != row && !attack((r, c), (row, column))));
                free.map(|row| [board.as_slice(), &[(row, column)]].concat()).collect::<Vec<_>>()
            };
            boards = boards.iter().flat_map(with_queen).collect();
        }
        let first = core.rows(bottom).start;
        let filed = |board: &Vec<(u32, u32)>| {
            let marked = board.iter().any(|&(row, column)| core.marked[row as usize] >> column & 1 == 1);
            let rows = board.iter().fold(0, |rows, (row, _)| rows | 1 << (row - first));
            let occupied = board.iter().fold(0, |all, &(row, column)| all | diagonals(core.n, row, column));
            (marked, rank(rows), places.word::<u64>(occupied))
        };
        let mut found: Vec<_> = boards.iter().map(filed).collect();
        found.sort_unstable();
        found
    }

    #[test]
    fn every_placement_is_there_once_and_nothing_else() {
        for (n, middle_rows) in [(4, 0), (8, 0), (10, 0), (7, 1), (9, 1), (11, 3), (8, 2), (10, 2), (12, 4)] {
            let numbering = Numbering::new(n, middle_rows, 16);
            for core in (0..numbering.cores()).step_by(7).filter_map(|core| numbering.core(core)) {
                let (places, numbers) = (Places::new::<u64>(core.relevant()), row_set_numbers(core.half));
                let mut finder = Finder::<u64>::default();
                for (quarter, (bottom, right)) in [0, 1, 2, 3].map(|quarter| (quarter, sides(quarter))) {
                    for columns in 0u32..1 << core.half {
                        let chosen: Vec<u32> = bits(columns.into())
                            .map(|bit| core.columns[usize::from(right)][bit.trailing_zeros() as usize])
                            .collect();
                        let boards = finder.find(&core, &places, &numbers, quarter, columns, &Stop::new()).unwrap();
                        let mut found = Vec::new();
                        for marked in [false, true] {
                            for row_set in 0..boards.row_sets {
                                let words = boards.on(marked, row_set).iter();
                                found.extend(words.map(|&word| (marked, row_set as u32, word)));
                            }
                        }
                        found.sort_unstable();
                        let expected = placements(&core, &places, bottom, &chosen);
                        assert_eq!(found, expected, "N = {n}, {:?}, {quarter:?}, {columns:b}", core.queens);
                        assert_eq!(boards.has_marks(), expected.iter().any(|(marked, ..)| *marked));
                        let used = expected.iter().fold(0, |used, (.., word)| used | word);
                        assert_eq!(boards.used, used, "N = {n}, {:?}, {quarter:?}, {columns:b}", core.queens);
                    }
                }
            }
        }
    }
}
