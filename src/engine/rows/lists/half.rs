//! Half-boards: pairs of a left and a right quarter-board on complementary row sets whose words
//! have no common bit. A list has those on a column set, or a piece of them: those of some row sets
//! of the left quarter.

use std::collections::TryReserveError;
use std::ops::Range;

use super::quarter::QuarterBoards;
use super::word::Word;
use crate::engine::rows::vector::{InnerLoop, Vector};

/// A list of half-boards on a column set, by the number of their marks.
#[derive(Clone, Debug, Default)]
pub struct HalfBoards<W> {
    words: Vec<W>,
    /// Where those with 0, 1, 2 marks begin, and where the last end.
    starts: [usize; 4],
    /// The diagonals that some of them may occupy.
    pub used: W,
}

impl<W: Word> HalfBoards<W> {
    pub fn len(&self) -> usize {
        self.words.len()
    }

    /// All, one number of marks after another.
    #[inline(always)]
    pub fn words(&self) -> &[W] {
        &self.words
    }

    pub fn lists(&self) -> [&[W]; 3] {
        [0, 1, 2].map(|marks| self.with_marks(marks))
    }

    #[inline(always)]
    pub fn with_marks(&self, marks: usize) -> &[W] {
        &self.words[self.starts[marks]..self.starts[marks + 1]]
    }
}

/// Replaces `half_boards` by those of two quarters whose left quarter-board stands on one of the
/// `row_sets`.
pub struct Combine<'a, W> {
    pub half_boards: &'a mut HalfBoards<W>,
    pub quarters: [&'a QuarterBoards<W>; 2],
    pub row_sets: Range<usize>,
}

impl<W: Word> InnerLoop for Combine<'_, W> {
    /// An error where there is no memory for them.
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
        for (marks, marked) in [
            (0, [false, false]),
            (1, [true, false]),
            (1, [false, true]),
            (2, [true, true]),
        ] {
            if marked != [false, true] {
                half_boards.starts[marks] = half_boards.words.len();
            }
            if marked[0] && !left.has_marks() || marked[1] && !right.has_marks() {
                continue;
            }
            for row_set in row_sets.clone() {
                let (one, other) = (
                    left.on(marked[0], row_set),
                    right.on(marked[1], last - row_set),
                );
                let (few, many) = if one.len() <= other.len() {
                    (one, other)
                } else {
                    (other, one)
                };
                // 64 at a time, because room is made for all that they could yield.
                for few in few.chunks(64) {
                    // Kernels write whole registers.
                    let room = few.len() * many.len() + PADDING;
                    // Asked first, because mostly there is room.
                    if half_boards.words.capacity() - half_boards.words.len() < room {
                        half_boards.words.try_reserve(room)?;
                    }
                    W::append::<V>(few, many, &mut half_boards.words);
                }
            }
        }
        half_boards.starts[3] = half_boards.words.len();
        Ok(())
    }
}

/// No kernel writes more words than these at a time.
const PADDING: usize = 64;

/// Cuts the row sets of a left and a right quarter into ranges that yield about so many half-boards
/// at most.
pub fn row_set_ranges<'a, W: Word>(
    [left, right]: [&'a QuarterBoards<W>; 2],
    most: usize,
) -> impl Iterator<Item = Range<usize>> + Clone + 'a {
    let expected = |pairs: usize| pairs as f64 * SURVIVORS;
    let (all, most) = (left.row_sets, most as f64);
    // Mostly even the pairs of any row sets, complementary or not, are not too many.
    let in_one_go = expected(left.len() * right.len()) < most;
    let mut start = 0;
    std::iter::from_fn(move || {
        let (first, mut yielded) = (start, 0.0);
        if in_one_go {
            start = all;
        }
        while start < all {
            yielded += expected(left.len_on(start) * right.len_on(all - 1 - start));
            start += 1;
            if yielded >= most {
                break;
            }
        }
        (first < start).then_some(first..start)
    })
}

/// About the share of the pairs of quarter-boards with complementary row sets that share no
/// diagonal: a guess, and only for the size of ranges.
pub const SURVIVORS: f64 = 0.25;

#[cfg(test)]
impl<W: Word> HalfBoards<W> {
    /// Half-boards given by their words, for 0, 1 and 2 marks.
    pub fn of(words: &[Vec<W>; 3]) -> Self {
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
