//! Half-boards: the pairs of a left and a right quarter-board on complementary row sets whose words have no common bit.
//! And lists of all that stand on the same columns.

use std::collections::TryReserveError;
use std::ops::Range;

use super::quarter::QuarterBoards;
use super::word::Word;
use crate::engine::rows::theory::core::Weights;
use crate::engine::rows::vector::{InnerLoop, Vector};

/// The half-boards on a column set, by the number of their marks.
#[derive(Clone, Debug, Default)]
pub struct HalfBoards<W> {
    words: Vec<W>,
    /// Where those with 0, 1, 2 marks begin, and where the last end.
    starts: [usize; 4],
    /// The diagonals that some of them may occupy.
    pub used: W,
}

impl<W: Word> HalfBoards<W> {
    /// The number of half-boards.
    pub fn len(&self) -> usize {
        self.words.len()
    }

    /// All half-boards, by the number of their marks.
    #[inline(always)]
    pub fn words(&self) -> &[W] {
        &self.words
    }

    /// All, by the number of their marks.
    pub fn lists(&self) -> [&[W]; 3] {
        [0, 1, 2].map(|marks| self.with_marks(marks))
    }

    /// Those with so many marks.
    #[inline(always)]
    pub fn with_marks(&self, marks: usize) -> &[W] {
        &self.words[self.starts[marks]..self.starts[marks + 1]]
    }
}

/// What can stand above the core and below it, on a column set.
#[derive(Clone, Copy)]
pub struct Halves<'a, W> {
    pub tops: &'a HalfBoards<W>,
    pub bottoms: &'a HalfBoards<W>,
    pub weights: Weights,
}

/// Makes the half-boards of two quarters, those whose left quarter is on one of the `row_sets`, in place of what
/// `half_boards` held.
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
        let Self { half_boards, quarters: [left, right], row_sets } = self;
        half_boards.words.clear();
        half_boards.used = left.used | right.used;
        let last = left.row_sets - 1;
        for (marks, marked) in [(0, [false, false]), (1, [true, false]), (1, [false, true]), (2, [true, true])] {
            if marked != [false, true] {
                half_boards.starts[marks] = half_boards.words.len();
            }
            if marked[0] && !left.has_marks() || marked[1] && !right.has_marks() {
                continue;
            }
            for row_set in row_sets.clone() {
                let (one, other) = (left.on(marked[0], row_set), right.on(marked[1], last - row_set));
                let (few, many) = if one.len() <= other.len() { (one, other) } else { (other, one) };
                // Some at a time, because room is made for all that they could yield.
                for few in few.chunks(64) {
                    // Kernels write whole registers.
                    half_boards.words.try_reserve(few.len() * many.len() + PADDING)?;
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

/// Cuts the row sets of two quarters into ranges that yield about so many half-boards at most.
pub fn parts<W: Word>([left, right]: [&QuarterBoards<W>; 2], most: usize) -> Vec<Range<usize>> {
    let last = left.row_sets - 1;
    if ((left.len() * right.longest) as f64 * SURVIVORS) < most as f64 {
        return std::iter::once(0..last + 1).collect();
    }
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
pub const SURVIVORS: f64 = 0.25;

#[cfg(test)]
mod tests {
    use super::super::places::Places;
    use super::super::quarter::{Finder, row_set_numbers};
    use super::*;
    use crate::engine::rows::kernel::Kernel;
    use crate::engine::rows::theory::numbering::Numbering;
    use crate::stop::Stop;

    impl<W: Word> HalfBoards<W> {
        /// Half-boards given by their words, for 0, 1 and 2 marks.
        pub fn of(words: &[Vec<W>; 3]) -> Self {
            let starts = std::array::from_fn(|marks| words[..marks].iter().map(Vec::len).sum());
            let used = words.iter().flatten().fold(W::default(), |used, &word| used | word);
            Self { words: words.concat(), starts, used }
        }
    }

    /// Holds the half-boards of all column sets of a core against those of pairs of quarter-boards, row set by row set.
    fn check<W: Word + Ord>(n: u32, middle_rows: u32) {
        let numbering = Numbering::new(n, middle_rows, 16);
        let core = numbering.core(0).unwrap();
        let (places, numbers) = (Places::new::<W>(core.relevant()), row_set_numbers(core.half));
        let mut finder = Finder::<W>::default();
        let mut find =
            |quarter: usize, columns| finder.find(&core, &places, &numbers, quarter, columns, &Stop::new()).unwrap();
        let all = (1u32 << core.half) - 1;
        for columns in 0..=all {
            let left = find(0, columns);
            // Any right columns that the other rows suffice for.
            let right = find(1, !columns.reverse_bits() >> (u32::BITS - core.half));
            let mut expected: [Vec<W>; 3] = Default::default();
            for row_set in 0..left.row_sets {
                for marks in [[false, false], [true, false], [false, true], [true, true]] {
                    for &one in left.on(marks[0], row_set) {
                        for &other in right.on(marks[1], right.row_sets - 1 - row_set) {
                            if one & other == W::default() {
                                expected[usize::from(marks[0]) + usize::from(marks[1])].push(one | other);
                            }
                        }
                    }
                }
            }
            expected.iter_mut().for_each(|words| words.sort_unstable());
            let mut half_boards = HalfBoards::default();
            for kernel in Kernel::available() {
                for most in [usize::MAX, 10] {
                    let mut made: [Vec<W>; 3] = Default::default();
                    for part in parts([&left, &right], most) {
                        let combine =
                            Combine { half_boards: &mut half_boards, quarters: [&left, &right], row_sets: part };
                        kernel.run(combine).unwrap();
                        (0..3).for_each(|marks| made[marks].extend(half_boards.with_marks(marks)));
                        assert!(half_boards.words().iter().all(|&word| word & half_boards.used == word));
                    }
                    made.iter_mut().for_each(|words| words.sort_unstable());
                    assert_eq!(made, expected, "N = {n}, {middle_rows} middle rows, {kernel:?}, columns {columns:b}");
                }
            }
        }
    }

    #[test]
    fn every_kernel_makes_the_half_boards_whose_quarters_share_no_diagonal() {
        for (n, middle_rows) in [(8, 0), (12, 0), (14, 0), (11, 1), (15, 1), (12, 2), (16, 2)] {
            check::<u32>(n, middle_rows);
            check::<u64>(n, middle_rows);
        }
    }
}
