//! Half-boards.

use std::ops::Range;

use super::quarter::Quarter;

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
    /// here. `append` appends those of one near quarter-board and some far ones: [`append`], or what a kernel has for it.
    #[inline(always)]
    pub fn combine(
        &mut self,
        [near, far]: [&Quarter; 2],
        runs: Range<u32>,
        append: impl Fn(u32, &[u32], &mut Vec<u32>),
    ) {
        self.chunks.clear();
        self.starts.clear();
        let all = far.runs as usize;
        for far_starts in (0..far.starts.len() - 1).step_by(all).map(|first| &far.starts[first..=first + all]) {
            for class in near.starts.windows(2) {
                self.starts.push(self.chunks.len() as u32);
                let mut class = class[0] as usize..class[1] as usize;
                if runs.len() < all {
                    let run = &near.run[class.clone()];
                    let [start, end] = [runs.start, runs.end].map(|bound| run.partition_point(|&run| run < bound));
                    class = class.start + start..class.start + end;
                }
                for (&one, &run) in near.chunks[class.clone()].iter().zip(&near.run[class]) {
                    let other = all - 1 - run as usize;
                    let others = &far.chunks[far_starts[other] as usize..far_starts[other + 1] as usize];
                    append(one, others, &mut self.chunks);
                }
            }
        }
        self.starts.push(self.chunks.len() as u32);
    }
}

/// Appends the half-boards made of the quarter-boards `near` and those of `far` that share no diagonal with it.
#[inline(always)]
pub fn append(near: u32, far: &[u32], out: &mut Vec<u32>) {
    out.extend(far.iter().filter(|&&far| near & far == 0).map(|&far| near | far));
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
        let run = std::iter::repeat_n(0, lengths[0]).chain(std::iter::repeat_n(1, lengths[1])).collect();
        let ends = [0, lengths[0] as u32, chunks.len() as u32];
        let near = Quarter { runs: 2, chunks: chunks.clone(), run, starts: vec![0, ends[2]] };
        [near, Quarter { runs: 2, chunks, run: Vec::new(), starts: ends.to_vec() }]
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
                        for (&one, &run) in near.chunks.iter().zip(&near.run) {
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
