//! Half-boards: the pairs of a left and a right quarter-board on complementary row sets whose words have no common bit.

use std::ops::Range;

use super::quarter::Quarter;
use super::word::Word;

/// Half-boards on one column set, by the number of their marks.
#[derive(Clone, Debug, Default)]
pub struct Half<W> {
    words: Vec<W>,
    /// Where those with 0, 1, 2 marks begin, and where the last end.
    starts: [usize; 4],
    /// The diagonals that some of them may occupy.
    pub used: W,
}

impl<W: Word> Half<W> {
    /// Half-boards given by their words, for 0, 1 and 2 marks.
    #[cfg(test)]
    pub fn of(words: &[Vec<W>; 3]) -> Self {
        let starts = std::array::from_fn(|marks| words[..marks].iter().map(Vec::len).sum());
        let used = words.iter().flatten().fold(W::default(), |used, &word| used | word);
        Self { words: words.concat(), starts, used }
    }

    /// The number of half-boards.
    pub fn len(&self) -> usize {
        self.words.len()
    }

    /// All half-boards, by the number of their marks.
    #[inline(always)]
    pub fn words(&self) -> &[W] {
        &self.words
    }

    /// The places of those with so many marks.
    #[inline(always)]
    pub fn places(&self, marks: usize) -> Range<usize> {
        self.starts[marks]..self.starts[marks + 1]
    }

    /// Those with so many marks.
    #[inline(always)]
    pub fn with_marks(&self, marks: usize) -> &[W] {
        &self.words[self.places(marks)]
    }

    /// Makes the half-boards of two quarters, those whose left quarter is on one of the `row_sets`, in place of what was
    /// here. `append` is [`super::word::append`], or what a kernel has for it.
    #[inline(always)]
    pub fn combine(
        &mut self,
        [left, right]: [&Quarter<W>; 2],
        row_sets: Range<usize>,
        append: impl Fn(&[W], &[W], &mut Vec<W>),
    ) {
        self.words.clear();
        self.used = left.used | right.used;
        let last = left.row_sets - 1;
        for (marks, marked) in [(0, [false, false]), (1, [true, false]), (1, [false, true]), (2, [true, true])] {
            if marked != [false, true] {
                self.starts[marks] = self.words.len();
            }
            if marked[0] && !left.has_marks() || marked[1] && !right.has_marks() {
                continue;
            }
            for row_set in row_sets.clone() {
                let (one, other) = (left.on(marked[0], row_set), right.on(marked[1], last - row_set));
                let (few, many) = if one.len() <= other.len() { (one, other) } else { (other, one) };
                // Some at a time, because room is made for all that they could yield.
                for few in few.chunks(64) {
                    append(few, many, &mut self.words);
                }
            }
        }
        self.starts[3] = self.words.len();
    }
}

/// Cuts the row sets of two quarters into ranges that yield about so many half-boards at most.
pub fn parts<W: Word>([left, right]: [&Quarter<W>; 2], most: usize) -> Vec<Range<usize>> {
    let last = left.row_sets - 1;
    let pairs = |row_set: usize| left.len_on(row_set) * right.len_on(last - row_set);
    let (mut parts, mut start, mut expected) = (Vec::new(), 0, 0.0);
    for row_set in 0..=last {
        expected += pairs(row_set) as f64 * SURVIVORS;
        if expected >= most as f64 {
            parts.push(start..row_set + 1);
            (start, expected) = (row_set + 1, 0.0);
        }
    }
    if start <= last {
        parts.push(start..last + 1);
    }
    parts
}

/// About the share of the pairs of quarter-boards with complementary row sets that share no diagonal: a guess, and only
/// for the size of parts.
const SURVIVORS: f64 = 0.25;
