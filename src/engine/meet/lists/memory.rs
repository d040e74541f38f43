//! Memory: what a thread may take decides how much of a unit is at hand at a time. No count depends on it.

use crate::engine::rows::lists::sizes::{largest, placements};

/// How much is kept or made at a time.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// Whether the quarter-boards of a tier are kept for all threads.
    pub keeps: bool,
    /// The number of rows that the slices of quarter-boards decide.
    pub slices: u32,
    /// About the most half-boards of a batch.
    pub batch: u64,
}

impl Limits {
    /// For quarter-boards of `half` rows, with about `memory` bytes for each thread.
    pub fn new(half: u32, memory: u64) -> Self {
        let keeps = placements(half) * BYTES_PER_KEPT <= SHARED * memory;
        // With a core a quarter-board may have a row less.
        let fits = |slices: &u32| (largest(half) >> slices) * BYTES_PER_PLACEMENT <= memory / 2;
        let slices = if keeps { 0 } else { (0..half).find(fits).unwrap_or(half - 1) };
        Self { keeps, slices, batch: (memory / 2 / BYTES_PER_HALF_BOARD).max(1 << 16) }
    }

    /// About the bytes that `threads` threads take while they count units of `cores` different cores.
    pub fn bytes(&self, half: u32, cores: usize, threads: usize) -> u64 {
        let (shared, own) = match self.keeps {
            true => (placements(half) * BYTES_PER_KEPT * cores as u64, 0),
            false => (0, (largest(half) >> self.slices) * BYTES_PER_PLACEMENT),
        };
        // Half-boards are a fraction of the pairs of quarter-boards on their columns, and at most a batch is made
        // at a time.
        let pairs = (placements(half) as f64 / f64::from(1 << half)).powi(2) / f64::from(1 << half) * 4.0;
        let batches = (pairs.min(self.batch as f64) as u64) * BYTES_PER_HALF_BOARD;
        shared + (own + batches + (1 << 20)) * threads as u64
    }
}

/// The bytes that a half-board of a batch takes: up to eight as a top, eight as a bottom, eight as a sorted bottom, and
/// all that twice, because vectors grow by doubling.
const BYTES_PER_HALF_BOARD: u64 = 48;

/// The bytes that a placement of a quarter-board takes that is kept for all threads.
const BYTES_PER_KEPT: u64 = 14;

/// The bytes that a placement takes in the four quarter-boards of a thread, and while one of them is found and sorted.
const BYTES_PER_PLACEMENT: u64 = 4 * 12 + 64;

/// Quarter-boards are kept for all threads if they take at most this many times what a thread may take. For N = 20 they
/// take 60 MB, for N = 22 1 GB.
const SHARED: u64 = 4;

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::super::filing::Filing;
    use super::super::quarter::{Finder, Slice};
    use super::super::quarters::Quarters;
    use super::*;
    use crate::engine::Stop;
    use crate::engine::meet::tuning::Tuning;

    #[test]
    fn no_columns_have_more_than_four_times_the_mean_of_placements() {
        for n in [12, 16, 18] {
            let filing = Arc::new(Filing::all(n, Tuning::of(n)).swap_remove(0));
            let quarters = Quarters::new(&filing, false);
            let (side, half) = (quarters.side(0), n / 2);
            let mut finder = Finder::default();
            let mut length = |columns| finder.find(side, columns, Slice::default(), &Stop::new()).len() as u64;
            assert!((0..1 << half).map(&mut length).max().unwrap() <= largest(half), "N = {n}");
        }
    }
}
