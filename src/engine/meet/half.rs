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
    /// The other chunks of wide ones.
    more: Vec<u32>,
    /// Class c is `chunks[starts[c]..starts[c + 1]]`.
    starts: Vec<u32>,
}

impl Half {
    /// Half-boards of so many classes, given as class and chunks.
    #[cfg(test)]
    pub fn of(classes: u32, wide: bool, boards: &[(u32, u64)]) -> Self {
        let mut half = Self { starts: vec![0], ..Self::default() };
        for class in 0..classes {
            for (_, chunks) in boards.iter().filter(|board| board.0 == class) {
                half.chunks.push(*chunks as u32);
                half.more.extend(wide.then_some((chunks >> 32) as u32));
            }
            half.starts.push(half.chunks.len() as u32);
        }
        half
    }

    /// The number of half-boards.
    pub fn len(&self) -> usize {
        self.chunks.len()
    }

    /// The half-boards of a class: their chunks, and those from the fifth on of wide ones apart.
    #[inline(always)]
    pub fn class(&self, class: usize) -> [&[u32]; 2] {
        let class = self.starts[class] as usize..self.starts[class + 1] as usize;
        let more = if self.more.is_empty() { &[] } else { &self.more[class.clone()] };
        [&self.chunks[class], more]
    }

    /// Makes the half-boards of a near and a far quarter-board that a part of the near ones belong to, in place of what
    /// was here. `append` appends those of some near ones: [`append`], or what a kernel has for it.
    #[inline(always)]
    pub fn combine(&mut self, [near, far]: [&Quarter; 2], part: Part, append: impl Fn(&[Near], Far, &mut Vec<u32>)) {
        self.chunks.clear();
        self.more.clear();
        self.starts.clear();
        let all = far.runs as usize;
        let far_more: &[u32] = &far.more;
        for first in (0..far.starts.len() - 1).step_by(all) {
            let far =
                Far { chunks: &far.chunks, starts: &far.starts[first..=first + all], longest: far.longest as usize };
            for class in near.starts.windows(2) {
                self.starts.push(self.chunks.len() as u32);
                let class = part.of(class[0] as usize..class[1] as usize);
                if !near.more.is_empty() {
                    let mores = [&near.more[class.clone()], far_more];
                    append_wide(&near.near[class], far, mores, &mut self.chunks, &mut self.more);
                    continue;
                }
                // Some at a time, for room is made for all that they could yield.
                near.near[class].chunks(64).for_each(|nears| append(nears, far, &mut self.chunks));
            }
        }
        self.starts.push(self.chunks.len() as u32);
        #[cfg(test)]
        {
            self.chunks = fault::kept(fault::Place::List, std::mem::take(&mut self.chunks));
        }
    }
}

/// One of several parts of about the same size.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Part {
    /// Its number, from 0.
    pub number: u32,
    /// The number of parts.
    pub parts: u32,
}

impl Part {
    /// All of so many parts.
    pub fn all(parts: u32) -> impl Iterator<Item = Self> {
        (0..parts).map(move |number| Self { number, parts })
    }

    /// This part of a range.
    fn of(self, range: Range<usize>) -> Range<usize> {
        if self.parts == 1 {
            return range;
        }
        let bound = |number: u32| (range.len() as u64 * u64::from(number) / u64::from(self.parts)) as usize;
        range.start + bound(self.number)..range.start + bound(self.number + 1)
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

    #[inline(always)]
    fn places(self, near: &Near) -> Range<usize> {
        let run = self.starts.len() - 2 - near.run as usize;
        self.starts[run] as usize..self.starts[run + 1] as usize
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

/// [`append`] for wide ones, whose other chunks come apart.
#[inline(always)]
fn append_wide(
    nears: &[Near],
    far: Far,
    [near_mores, far_mores]: [&[u32]; 2],
    out: &mut Vec<u32>,
    out_more: &mut Vec<u32>,
) {
    for (near, near_more) in nears.iter().zip(near_mores) {
        for place in far.places(near) {
            let (chunks, more) = (far.chunks[place], far_mores[place]);
            if near.chunks & chunks == 0 && near_more & more == 0 {
                out.push(near.chunks | chunks);
                out_more.push(near_more | more);
            }
        }
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
    fn every_kernel_makes_the_half_boards_whose_quarters_share_no_diagonal_in_their_order() {
        let mut random = Random::new(8);
        let mut half = Half::default();
        for kernel in Kernel::available() {
            for (bits, wide) in [(0, false), (1, false), (3, false), (8, false), (1, true), (6, true)] {
                for length in (0..=40).chain([63, 64, 65, 511, 512, 513]) {
                    let [mut near, _] = quarters(&mut random, [2, 3], bits);
                    let [_, mut far] = quarters(&mut random, [length, length / 2], bits);
                    if wide {
                        near.more = near.near.iter().map(|_| 1 << random.below(32)).collect();
                        far.more = far.chunks.iter().map(|_| 1 << random.below(32)).collect();
                    }
                    let words = |chunks: u32, more: &[u32], place: usize| {
                        u64::from(chunks) | u64::from(more.get(place).copied().unwrap_or(0)) << 32
                    };
                    for parts in 1..=3 {
                        let mut made = Vec::new();
                        for part in Part::all(parts) {
                            kernel.combine(&mut half, [&near, &far], part);
                            assert_eq!(half.starts, [0, half.chunks.len() as u32]);
                            assert_eq!(half.more.len(), if wide { half.chunks.len() } else { 0 });
                            let [chunks, more] = half.class(0);
                            made.extend(chunks.iter().enumerate().map(|(place, &one)| words(one, more, place)));
                        }
                        let mut expected = Vec::new();
                        for (place, near_one) in near.near.iter().enumerate() {
                            let one = words(near_one.chunks, &near.more, place);
                            let run = far.starts[1 - near_one.run as usize] as usize
                                ..far.starts[2 - near_one.run as usize] as usize;
                            let others = run.map(|place| words(far.chunks[place], &far.more, place));
                            expected.extend(others.filter(|other| one & other == 0).map(|other| one | other));
                        }
                        assert_eq!(made, expected, "{kernel:?}, {length} far ones, {parts} parts, wide: {wide}");
                    }
                }
            }
        }
    }
}
