//! Half-boards.

use std::ops::Range;

use super::quarter::{Near, Quarter};

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

/// Appends the half-boards made of the quarter-boards `nears` and those of `far` that stand on the other rows and share no
/// diagonal with them.
#[inline(always)]
pub fn append(nears: &[Near], far: Far, out: &mut Vec<u32>) {
    for near in nears {
        let apart = far.beside(near).iter().filter(|&&far| near.chunks & far == 0);
        out.extend(apart.map(|&far| near.chunks | far));
    }
}
