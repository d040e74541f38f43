//! Meters: what counting has done, and where the time goes.

use std::time::{Duration, Instant};

/// What a worker has done.
#[derive(Clone, Debug, Default)]
pub struct Meter {
    /// Pairs of lists that were joined.
    pub joins: u64,
    /// Half-boards that were made.
    pub half_boards: u64,
    /// Pairs of half-boards.
    pub pairs: u128,
    /// Blocks whose tables were made.
    pub blocks: u64,
    /// Lookups of a top in a block.
    pub lookups: u64,
    /// The time that steps took, if it is measured.
    pub times: [Duration; STEPS.len()],
    /// When the last step ended, if time is measured.
    pub since: Option<Instant>,
}

/// The steps of counting a column set.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    /// Quarter-boards are found.
    Find,
    /// Half-boards are made.
    Combine,
    /// Diagonals are ranked and the shape is chosen.
    Rank,
    /// Both lists are sorted.
    Sort,
    /// Tables of blocks are made.
    Blocks,
    /// Tops are looked up.
    LookUp,
    /// Short lists are joined as they lie.
    Direct,
}

/// All steps, in their order.
pub const STEPS: [Step; 7] =
    [Step::Find, Step::Combine, Step::Rank, Step::Sort, Step::Blocks, Step::LookUp, Step::Direct];

impl Meter {
    /// Notes that a step has ended.
    #[inline]
    pub fn end(&mut self, step: Step) {
        if let Some(since) = &mut self.since {
            let now = Instant::now();
            self.times[step as usize] += now - *since;
            *since = now;
        }
    }
}
