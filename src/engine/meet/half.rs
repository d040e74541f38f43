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
