//! Lists of half-boards: all half-boards on a column set, or only those whose left quarter-board
//! occupies certain row sets.
//!
//! A left and a right quarter-board are combined if they occupy complementary row sets and share no
//! diagonal. Many column sets share a list of quarter-boards, so the work per column set is just a
//! loop over pairs of words (`append` in `vector.rs` and the kernels).

use std::ops::Range;

use super::quarter::QuarterBoards;
use super::word::Word;
use crate::engine::rows::vector::{InnerLoop, Reserved, Simd};

/// A list of half-boards, ordered by number of marks.
#[derive(Clone, Default)]
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

    #[inline(always)]
    pub(crate) fn words(&self) -> &[W] {
        &self.words
    }

    pub(crate) fn lists(&self) -> [&[W]; 3] {
        [0, 1, 2].map(|marks| self.with_marks(marks))
    }

    #[inline(always)]
    pub(crate) fn with_marks(&self, marks: usize) -> &[W] {
        &self.words[self.starts[marks]..self.starts[marks + 1]]
    }
}

/// For each number of marks in a half-board, the possible cases: whether the left quarter-board is
/// marked, and whether the right one is.
const MARKED: [&[[bool; 2]]; 3] = [
    &[[false, false]],
    &[[true, false], [false, true]],
    &[[true, true]],
];

/// Replaces the contents of `half_boards` with the left quarter-boards on `row_sets`, combined with
/// the right quarter-boards.
pub(crate) struct Combine<'a, W> {
    pub half_boards: &'a mut HalfBoards<W>,
    pub quarters: [&'a QuarterBoards<W>; 2],
    pub row_sets: Range<usize>,
}

impl<W: Word> InnerLoop for Combine<'_, W> {
    type Output = Reserved;

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) -> Self::Output {
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
                    // Memory is reserved for every pair, disjoint or not, so take only 64 words at
                    // a time. The first need no loop: whether there are any is hard to predict.
                    let (few, more) = few.split_at(few.len().min(64));
                    W::append(simd, few, many, &mut half_boards.words)?;
                    for few in more.chunks(64) {
                        W::append(simd, few, many, &mut half_boards.words)?;
                    }
                }
            }
        }
        half_boards.starts[3] = half_boards.words.len();
        Ok(())
    }
}

/// Splits the row sets of the left quarter into ranges that yield about `target` half-boards each.
pub(crate) fn row_set_ranges<'a, W: Word>(
    [left, right]: [&'a QuarterBoards<W>; 2],
    target: usize,
) -> impl Iterator<Item = Range<usize>> + Clone + 'a {
    let all = left.row_sets;
    let target = target as f64;
    let in_one_go = ((left.len() * right.len()) as f64 * SURVIVORS) < target;
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
            if yielded >= target {
                break;
            }
        }
        (first < start).then_some(first..start)
    })
}

/// The assumed fraction of disjoint pairs among the pairs of quarter-boards on complementary row
/// sets. It affects only the sizes of ranges and batches.
pub(crate) const SURVIVORS: f64 = 0.25;

#[cfg(test)]
impl<W: Word> HalfBoards<W> {
    pub(crate) fn from_words(words: &[Vec<W>; 3], used: W) -> Self {
        Self {
            words: words.concat(),
            starts: std::array::from_fn(|marks| words[..marks].iter().map(Vec::len).sum()),
            used,
        }
    }
}
