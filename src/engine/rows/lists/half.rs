//! Half-boards, made by combining quarter-boards.
//!
//! This is a faster version of `half_boards` in [`crate::plain::middle_rows`], which searches for
//! the half-boards of every column set. Here, a left and a right quarter-board are combined if they
//! occupy complementary row sets and share no diagonal. Many column sets share a list of
//! quarter-boards, so the work per column set is just a loop over pairs of words (`append` in
//! `vector.rs` and the kernels).
//!
//! A list contains all half-boards on a column set, or only those whose left quarter-board occupies
//! certain row sets.

use std::collections::TryReserveError;
use std::ops::Range;

use super::quarter::QuarterBoards;
use super::word::Word;
use crate::engine::rows::vector::{InnerLoop, Vector};

/// A list of half-boards on a column set, grouped by number of marks.
#[derive(Clone, Debug, Default)]
pub(crate) struct HalfBoards<W> {
    words: Vec<W>,
    /// The starts of the half-boards with 0, 1 and 2 marks, followed by the end of the list.
    starts: [usize; 4],
    /// The diagonals that half-boards in the list may occupy.
    pub used: W,
}

impl<W: Word> HalfBoards<W> {
    pub(crate) fn len(&self) -> usize {
        self.words.len()
    }

    /// Returns all half-boards, ordered by number of marks.
    #[inline(always)]
    pub(crate) fn words(&self) -> &[W] {
        &self.words
    }

    /// Returns the lists of half-boards with 0, 1 and 2 marks.
    pub(crate) fn lists(&self) -> [&[W]; 3] {
        [0, 1, 2].map(|marks| self.with_marks(marks))
    }

    #[inline(always)]
    pub(crate) fn with_marks(&self, marks: usize) -> &[W] {
        &self.words[self.starts[marks]..self.starts[marks + 1]]
    }
}

/// For each number of marks in a half-board, the ways in which its left and right quarter-boards
/// can be marked.
const MARKED: [&[[bool; 2]]; 3] = [
    &[[false, false]],
    &[[true, false], [false, true]],
    &[[true, true]],
];

/// Combines two lists of quarter-boards, using only the left quarter-boards on `row_sets`. The
/// results replace the contents of `half_boards`.
pub(crate) struct Combine<'a, W> {
    pub half_boards: &'a mut HalfBoards<W>,
    pub quarters: [&'a QuarterBoards<W>; 2],
    pub row_sets: Range<usize>,
}

impl<W: Word> InnerLoop for Combine<'_, W> {
    /// Fails if there is not enough memory.
    type Output = Result<(), TryReserveError>;

    #[inline(always)]
    fn run<V: Vector>(self) -> Self::Output {
        let Self {
            half_boards,
            quarters: [left, right],
            row_sets,
        } = self;
        half_boards.words.clear();
        half_boards.used = left.used | right.used;
        let last = left.row_sets - 1;
        for (marks, quarters) in MARKED.iter().enumerate() {
            half_boards.starts[marks] = half_boards.words.len();
            for &[left_marked, right_marked] in *quarters {
                if left_marked && !left.has_marks() || right_marked && !right.has_marks() {
                    continue;
                }
                for row_set in row_sets.clone() {
                    let one = left.on(left_marked, row_set);
                    let other = right.on(right_marked, last - row_set);
                    let (few, many) = if one.len() <= other.len() {
                        (one, other)
                    } else {
                        (other, one)
                    };
                    // Take only 64 words at a time, because memory is reserved for every pair,
                    // disjoint or not.
                    for few in few.chunks(64) {
                        // Leave room for a whole register at the end.
                        let room = few.len() * many.len() + PADDING;
                        if half_boards.words.capacity() - half_boards.words.len() < room {
                            half_boards.words.try_reserve(room)?;
                        }
                        W::append::<V>(few, many, &mut half_boards.words);
                    }
                }
            }
        }
        half_boards.starts[3] = half_boards.words.len();
        Ok(())
    }
}

/// The maximum number of words that a kernel writes at once.
const PADDING: usize = 64;

/// Splits the row sets of the left quarter into ranges. Each range is expected to yield no more
/// than about `most` half-boards.
pub(crate) fn row_set_ranges<'a, W: Word>(
    [left, right]: [&'a QuarterBoards<W>; 2],
    most: usize,
) -> impl Iterator<Item = Range<usize>> + Clone + 'a {
    let all = left.row_sets;
    let most = most as f64;
    // Usually, all row sets can be combined in one go.
    let in_one_go = ((left.len() * right.len()) as f64 * SURVIVORS) < most;
    let mut start = 0;
    std::iter::from_fn(move || {
        let first = start;
        let mut yielded = 0.0;
        if in_one_go {
            start = all;
        }
        while start < all {
            let pairs = left.len_on(start) * right.len_on(all - 1 - start);
            yielded += pairs as f64 * SURVIVORS;
            start += 1;
            if yielded >= most {
                break;
            }
        }
        (first < start).then_some(first..start)
    })
}

/// The assumed fraction of disjoint pairs among all pairs of quarter-boards on complementary row
/// sets. It affects only the sizes of ranges and batches.
pub(crate) const SURVIVORS: f64 = 0.25;

#[cfg(test)]
impl<W: Word> HalfBoards<W> {
    /// Creates a list of half-boards from the words with 0, 1 and 2 marks.
    pub(crate) fn of(words: &[Vec<W>; 3]) -> Self {
        let starts = std::array::from_fn(|marks| words[..marks].iter().map(Vec::len).sum());
        let used = words
            .iter()
            .flatten()
            .fold(W::default(), |used, &word| used | word);
        Self {
            words: words.concat(),
            starts,
            used,
        }
    }
}
