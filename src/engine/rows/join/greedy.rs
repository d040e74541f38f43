//! Ranks diagonals one by one: the next one is shared by the most pairs of half-boards, among the
//! pairs that share none of those before. Diagonals are correlated, so this leaves fewer pairs to
//! look up than ranking each diagonal alone, but it takes much longer.

use super::sample::{Diagonal, Sample, sampled};
use crate::board::bits;
use crate::engine::rows::lists::word::Word;
use crate::engine::rows::vector::{BLOCK, Counter, EMPTY, InnerLoop, Simd, Vector};

/// Ranks up to `most` of the shared diagonals, from all pairs between two samples.
pub(super) struct Greedy<'a, W> {
    pub longer: &'a [W],
    pub shorter: &'a [W],
    pub shared: u64,
    pub most: usize,
    pub ranked: &'a mut Vec<Diagonal>,
}

impl<W: Word> InnerLoop for Greedy<'_, W> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) {
        let shorter = Sample::new(simd, self.shorter);
        // The more pairs are joined, the more a better ranking saves.
        let pairs = self.longer.len() as u64 * self.shorter.len() as u64;
        let length = (pairs >> 27).clamp(128, BLOCK as u64) as usize;
        let mut longer = [0; BLOCK];
        for (i, word) in longer[..length].iter_mut().enumerate() {
            *word = sampled(self.longer, i, length);
        }
        // For each half-board of the longer sample, those of the shorter one that share a ranked
        // diagonal with it, and their number.
        let mut conflicts = [EMPTY; BLOCK];
        let mut conflicting = [0; BLOCK];
        let mut pairs = (length * shorter.length) as u64;
        // The number of other pairs that share each diagonal, or more, because fewer diagonals were
        // ranked when it was counted. (M. Minoux, Accelerated greedy algorithms, 1978.)
        let mut gains = [u64::MAX; 64];
        let mut counted = 0u64;
        let mut left = self.shared;
        let mut occupying = [0; BLOCK];
        while left != 0 && self.ranked.len() < self.most {
            let mut position = left.trailing_zeros() as usize;
            for bit in bits(left) {
                let other = bit.trailing_zeros() as usize;
                if gains[other] > gains[position] {
                    position = other;
                }
            }
            // List the half-boards that occupy the diagonal, without a branch, which would often be
            // mispredicted.
            let mut listed = 0;
            for (i, word) in longer[..length].iter().enumerate() {
                occupying[listed] = i;
                listed += (word >> position & 1) as usize;
            }
            let bitset = simd.load(&shorter.bitsets[position]);
            if counted >> position & 1 == 0 {
                let mut ones = simd.counter();
                let mut before = 0;
                for &i in &occupying[..listed] {
                    ones = ones.add(simd.load(&conflicts[i]).or(bitset));
                    before += conflicting[i];
                }
                gains[position] = ones.sum() - before;
                counted |= 1 << position;
                continue;
            }
            for &i in &occupying[..listed] {
                let all = simd.load(&conflicts[i]).or(bitset);
                all.store(&mut conflicts[i]);
                conflicting[i] = simd.counter().add(all).sum();
            }
            self.ranked.push(Diagonal {
                position: position as u32,
                shorter: shorter.share(simd, position),
                both: gains[position] as f32 / pairs.max(1) as f32,
            });
            pairs -= gains[position];
            left &= !(1 << position);
            counted = 0;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::rows::join::tests::half_boards;
    use crate::engine::rows::kernel::Kernel;

    #[test]
    fn each_diagonal_is_shared_by_most_of_the_pairs_that_are_left() {
        let [longer, shorter] = half_boards::<u64>([[128, 0, 0], [100, 0, 0]], [2, 9, 9, 20], 5);
        let shared = longer.used & shorter.used;
        let mut conflicts: Vec<u64> = Vec::new();
        for one in longer.words() {
            conflicts.extend(shorter.words().iter().map(|other| one & other & shared));
        }
        for kernel in Kernel::available() {
            let mut ranked = Vec::new();
            kernel.run(Greedy {
                longer: longer.words(),
                shorter: shorter.words(),
                shared,
                most: 20,
                ranked: &mut ranked,
            });
            assert_eq!(ranked.len(), 20);
            let mut left = conflicts.clone();
            for diagonal in ranked {
                let sharing = |position: u32| {
                    left.iter()
                        .filter(|pair| *pair >> position & 1 == 1)
                        .count()
                };
                let most = (0..u64::BITS).map(sharing).max();
                assert_eq!(Some(sharing(diagonal.position)), most);
                assert_eq!(
                    diagonal.both,
                    sharing(diagonal.position) as f32 / left.len() as f32
                );
                left.retain(|pair| pair >> diagonal.position & 1 == 0);
            }
        }
    }
}
