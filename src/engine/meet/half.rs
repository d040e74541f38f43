//! Half-boards: the pairs of a near and a far quarter-board that occupy complementary sets of rows and share no
//! diagonal.
//!
//! One AND of their signatures tests the latter. A signature holds only diagonals that reach the cut, but a diagonal
//! through both quarters does: it falls or rises by less than a half-board on its way from one quarter to the other,
//! and reaches the cut before it leaves the board.
//!
//! ```text
//!     near . . . . | . . . . far       a diagonal through both quarters, here "\", crosses below column
//!          . \ . . | . . . .           c + (h-1-r) <= (h-1) + (h-1) = N-2: within the board
//!          . . \ . | . . . .
//!          . . . \ | . . . .           (for odd N, the middle row in column c + (h-r) <= 2h-1 = N-2)
//!     -------------\---------- cut
//! ```

use std::ops::Range;

#[cfg(test)]
use super::fault;
use super::quarter::{Near, Quarter};

/// Half-boards on one set of columns, sorted by class.
#[derive(Clone, Debug, Default)]
pub struct Half {
    chunks: Vec<u32>,
    /// Class c is `chunks[starts[c]..starts[c + 1]]`.
    starts: Vec<u32>,
}

impl Half {
    /// Half-boards of so many classes, given as class and chunks.
    #[cfg(test)]
    pub fn of(classes: u32, boards: &[(u32, u32)]) -> Self {
        let mut half = Self { chunks: Vec::new(), starts: vec![0] };
        let mut boards = boards.to_vec();
        boards.sort_by_key(|(class, _)| *class);
        for class in 0..classes {
            let from = half.chunks.len();
            let rest = boards[from..].iter().take_while(|board| board.0 == class);
            half.chunks.extend(rest.map(|(_, chunks)| chunks));
            half.starts.push(half.chunks.len() as u32);
        }
        half
    }

    /// The number of half-boards.
    pub fn len(&self) -> usize {
        self.chunks.len()
    }

    /// The half-boards of a class.
    #[inline(always)]
    pub fn class(&self, class: usize) -> &[u32] {
        &self.chunks[self.starts[class] as usize..self.starts[class + 1] as usize]
    }

    /// Makes the half-boards of a near and a far quarter-board whose near one is in one of `runs`, in place of what was
    /// here. `append` appends those of some near ones: [`append`], or what a kernel has for it.
    #[inline(always)]
    pub fn combine(
        &mut self,
        [near, far]: [&Quarter; 2],
        runs: Range<u32>,
        append: impl Fn(&[Near], Far, &mut Vec<u32>),
    ) {
        self.chunks.clear();
        self.starts.clear();
        let all = far.runs as usize;
        for first in (0..far.starts.len() - 1).step_by(all) {
            let far =
                Far { chunks: &far.chunks, starts: &far.starts[first..=first + all], longest: far.longest as usize };
            for class in near.starts.windows(2) {
                self.starts.push(self.chunks.len() as u32);
                let mut nears = &near.near[class[0] as usize..class[1] as usize];
                if runs.len() < all {
                    let [start, end] =
                        [runs.start, runs.end].map(|bound| nears.partition_point(|near| near.run < bound));
                    nears = &nears[start..end];
                }
                // Some at a time, for room is made for all that they could yield.
                nears.chunks(64).for_each(|nears| append(nears, far, &mut self.chunks));
            }
        }
        self.starts.push(self.chunks.len() as u32);
        #[cfg(test)]
        {
            self.chunks = fault::kept(fault::Place::List, std::mem::take(&mut self.chunks));
        }
    }
}

/// Far quarter-boards of one class, by their runs.
#[derive(Clone, Copy)]
pub struct Far<'a> {
    chunks: &'a [u32],
    starts: &'a [u32],
    /// The length of the longest run.
    pub longest: usize,
}

impl<'a> Far<'a> {
    /// Those that stand on the rows that a near one leaves free.
    #[inline(always)]
    pub fn beside(self, near: &Near) -> &'a [u32] {
        let run = self.starts.len() - 2 - near.run as usize;
        &self.chunks[self.starts[run] as usize..self.starts[run + 1] as usize]
    }
}

/// Appends the half-boards made of the quarter-boards `nears` and those of `far` that stand on the other rows and share
/// no diagonal with them.
#[inline(always)]
pub fn append(nears: &[Near], far: Far, out: &mut Vec<u32>) {
    out.reserve(nears.len() * far.longest);
    for near in nears {
        let apart = far.beside(near).iter().filter(|&&far| near.chunks & far == 0);
        out.extend(apart.map(|&far| near.chunks | far));
    }
}

#[cfg(test)]
mod tests {
    use super::super::kernel::Kernel;
    use super::*;
    use crate::random::Random;

    /// A quarter-board with a class and two runs, of so many placements each; as a near and as a far one.
    fn quarters(random: &mut Random, lengths: [usize; 2], bits: u32) -> [Quarter; 2] {
        let mut word = || (0..bits).fold(0u32, |word, _| word | 1 << random.below(32));
        let chunks: Vec<u32> = (0..lengths[0] + lengths[1]).map(|_| word()).collect();
        let run = |place| u32::from(place >= lengths[0]);
        let near = chunks.iter().enumerate().map(|(place, &chunks)| Near { chunks, run: run(place) }).collect();
        let ends = [0, lengths[0] as u32, chunks.len() as u32];
        let longest = lengths[0].max(lengths[1]) as u32;
        let near = Quarter { runs: 2, near, starts: vec![0, ends[2]], ..Quarter::default() };
        [near, Quarter { runs: 2, chunks, starts: ends.to_vec(), longest, ..Quarter::default() }]
    }

    #[test]
    fn every_kernel_appends_the_far_quarters_that_share_no_diagonal_in_their_order() {
        let mut random = Random::new(8);
        let mut half = Half::default();
        for kernel in Kernel::available() {
            for bits in [0, 1, 3, 8] {
                for length in (0..=40).chain([63, 64, 65, 511, 512, 513]) {
                    let [near, _] = quarters(&mut random, [2, 3], bits);
                    let [_, far] = quarters(&mut random, [length, length / 2], bits);
                    for runs in [0..2, 0..1, 1..2, 1..1] {
                        kernel.combine(&mut half, [&near, &far], runs.clone());
                        let mut expected = Vec::new();
                        for &Near { chunks: one, run } in &near.near {
                            let (first, second) = far.chunks.split_at(length);
                            let others = if run == 0 { second } else { first };
                            if runs.contains(&run) {
                                expected
                                    .extend(others.iter().filter(|&other| one & other == 0).map(|other| one | other));
                            }
                        }
                        assert_eq!(half.starts, [0, expected.len() as u32]);
                        assert_eq!(half.chunks, expected, "{kernel:?}, {length} far ones, runs {runs:?}");
                    }
                }
            }
        }
    }
}
