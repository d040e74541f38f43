//! Half-boards: the pairs of a near (left) and a far (right) quarter-board that occupy complementary sets of rows and
//! share no diagonal.
//!
//! One AND of their signatures tells whether they share a diagonal. A signature holds only diagonals that reach the
//! cut, but every diagonal through both quarters does: it falls or rises by less than a half-board on its way from one
//! quarter to the other, and reaches the cut before it leaves the board.
//!
//! ```text
//!     near . . . . | . . . . far       a diagonal through both quarters, here "\", crosses below column
//!          . \ . . | . . . .           c + (h-1-r) <= (h-1) + (h-1) = N-2: within the board
//!          . . \ . | . . . .
//!          . . . \ | . . . .           (for odd N, the middle row in column c + (h-r) <= 2h-1 = N-2)
//!     -------------\---------- cut
//! ```

use std::ops::Range;

use super::quarter::{Near, Quarter};
#[cfg(test)]
use crate::engine::meet::fault;

/// Half-boards on one set of columns, sorted by bucket.
#[derive(Clone, Debug, Default)]
pub struct Half {
    chunks: Vec<u32>,
    /// The other chunks of wide ones.
    more: Vec<u32>,
    /// Bucket b is `chunks[starts[b]..starts[b + 1]]`.
    starts: Vec<u32>,
}

impl Half {
    /// Half-boards of this number of buckets, given as bucket and chunks.
    #[cfg(test)]
    pub fn of(buckets: u32, wide: bool, boards: &[(u32, u64)]) -> Self {
        let mut half = Self { starts: vec![0], ..Self::default() };
        for bucket in 0..buckets {
            for (_, chunks) in boards.iter().filter(|board| board.0 == bucket) {
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

    /// The half-boards of a bucket: their chunks, or the first four and the others of wide ones.
    #[inline(always)]
    pub fn bucket(&self, bucket: usize) -> [&[u32]; 2] {
        let bucket = self.starts[bucket] as usize..self.starts[bucket + 1] as usize;
        let more = if self.more.is_empty() { &[] } else { &self.more[bucket.clone()] };
        [&self.chunks[bucket], more]
    }

    /// Makes the half-boards of a near and a far quarter-board whose near placements are in the batch, in place of what
    /// was here. `append` appends the half-boards of some near placements: [`append`], or what a kernel has for it.
    #[inline(always)]
    pub fn combine(&mut self, [near, far]: [&Quarter; 2], batch: Batch, append: impl Fn(&[Near], Far, &mut Vec<u32>)) {
        self.chunks.clear();
        self.more.clear();
        self.starts.clear();
        let row_sets = far.row_sets as usize;
        let far_more: &[u32] = &far.more;
        for first in (0..far.starts.len() - 1).step_by(row_sets) {
            let starts = &far.starts[first..=first + row_sets];
            let far = Far { chunks: &far.chunks, starts, longest: far.longest as usize };
            for bounds in near.starts.windows(2) {
                self.starts.push(self.chunks.len() as u32);
                let members = batch.of(bounds[0] as usize..bounds[1] as usize);
                if !near.more.is_empty() {
                    let mores = [&near.more[members.clone()], far_more];
                    append_wide(&near.near[members], far, mores, &mut self.chunks, &mut self.more);
                    continue;
                }
                // Some at a time, because room is made for all that they could yield.
                near.near[members].chunks(64).for_each(|nears| append(nears, far, &mut self.chunks));
            }
        }
        self.starts.push(self.chunks.len() as u32);
        #[cfg(test)]
        {
            self.chunks = fault::kept(fault::Site::Half, std::mem::take(&mut self.chunks));
        }
    }
}

/// One of several batches of about the same size, in which half-boards are made where they take too much memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Batch {
    /// Its number, from 0.
    pub number: u32,
    /// The number of batches.
    pub batches: u32,
}

impl Batch {
    /// All of the given number of batches.
    pub fn all(batches: u32) -> impl Iterator<Item = Self> {
        (0..batches).map(move |number| Self { number, batches })
    }

    /// The part of a range of near placements that is in the batch.
    fn of(self, range: Range<usize>) -> Range<usize> {
        if self.batches == 1 {
            return range;
        }
        let bound = |number: u32| (range.len() as u64 * u64::from(number) / u64::from(self.batches)) as usize;
        range.start + bound(self.number)..range.start + bound(self.number + 1)
    }
}

/// The placements on a far quarter-board that are in one bucket, by their row sets.
#[derive(Clone, Copy)]
pub struct Far<'a> {
    chunks: &'a [u32],
    starts: &'a [u32],
    /// The most of a row set.
    pub longest: usize,
}

impl<'a> Far<'a> {
    /// Those that occupy the rows that a near one leaves free.
    #[inline(always)]
    pub fn beside(self, near: &Near) -> &'a [u32] {
        &self.chunks[self.places(near)]
    }

    #[inline(always)]
    fn places(self, near: &Near) -> Range<usize> {
        let row_set = self.starts.len() - 2 - near.row_set as usize;
        self.starts[row_set] as usize..self.starts[row_set + 1] as usize
    }
}

/// Appends the half-boards that the placements `nears` make with placements of `far`, which occupy the other rows and
/// share no diagonal with them.
#[inline(always)]
pub fn append(nears: &[Near], far: Far, out: &mut Vec<u32>) {
    out.reserve(nears.len() * far.longest);
    for near in nears {
        let apart = far.beside(near).iter().filter(|&&far| near.chunks & far == 0);
        out.extend(apart.map(|&far| near.chunks | far));
    }
}

/// [`append`] for wide half-boards, whose other chunks lie in lists of their own.
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
    use super::*;
    use crate::engine::meet::kernel::loops;
    use crate::engine::rows::kernel::Kernel;
    use crate::random::Random;

    /// A quarter-board with a bucket and two row sets, of these `lengths`; as a near and as a far one.
    fn quarters(random: &mut Random, lengths: [usize; 2], bits: u32) -> [Quarter; 2] {
        let mut word = || (0..bits).fold(0u32, |word, _| word | 1 << random.below(32));
        let chunks: Vec<u32> = (0..lengths[0] + lengths[1]).map(|_| word()).collect();
        let row_set = |place| u32::from(place >= lengths[0]);
        let near = chunks.iter().enumerate().map(|(place, &chunks)| Near { chunks, row_set: row_set(place) }).collect();
        let ends = [0, lengths[0] as u32, chunks.len() as u32];
        let longest = lengths[0].max(lengths[1]) as u32;
        let near = Quarter { row_sets: 2, near, starts: vec![0, ends[2]], ..Quarter::default() };
        [near, Quarter { row_sets: 2, chunks, starts: ends.to_vec(), longest, ..Quarter::default() }]
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
                    for batches in 1..=3 {
                        let mut made = Vec::new();
                        for batch in Batch::all(batches) {
                            loops(kernel).combine(&mut half, [&near, &far], batch);
                            assert_eq!(half.starts, [0, half.chunks.len() as u32]);
                            assert_eq!(half.more.len(), if wide { half.chunks.len() } else { 0 });
                            let [chunks, more] = half.bucket(0);
                            made.extend(chunks.iter().enumerate().map(|(place, &one)| words(one, more, place)));
                        }
                        let mut expected = Vec::new();
                        for (place, near_one) in near.near.iter().enumerate() {
                            let one = words(near_one.chunks, &near.more, place);
                            let beside = far.starts[1 - near_one.row_set as usize] as usize
                                ..far.starts[2 - near_one.row_set as usize] as usize;
                            let others = beside.map(|place| words(far.chunks[place], &far.more, place));
                            expected.extend(others.filter(|other| one & other == 0).map(|other| one | other));
                        }
                        assert_eq!(made, expected, "{kernel:?}, {length} far ones, {batches} batches, wide: {wide}");
                    }
                }
            }
        }
    }
}
