//! Profiles: what counting has done, and where the time goes.

use std::time::{Duration, Instant};

/// What has been done to count some column sets, and the time of each step.
#[derive(Clone, Debug, Default)]
pub struct Profile {
    /// The lists of quarter-boards that were found, each on one set of columns.
    pub quarter_lists: u64,
    /// The half-boards that were made.
    pub half_boards: u64,
    /// The pairs of half-boards of the joined lists.
    pub pairs: u128,
    /// The blocks of 512 half-boards that tables were made for, where lists were sorted.
    pub blocks: u64,
    /// The lookups of a half-board in such a block.
    pub lookups: u64,
    /// The time of each [`Step`], in their order; nothing unless it is taken.
    times: [Duration; 7],
    /// When the last step ended. `None` if no time is taken.
    since: Option<Instant>,
}

/// The steps of counting a column set.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    /// Quarter-boards are found.
    Find,
    /// Half-boards are made.
    Combine,
    /// Diagonals are ranked, and the shape of the join is chosen.
    Rank,
    /// Both lists are sorted.
    Sort,
    /// The tables of blocks are made.
    Blocks,
    /// Half-boards are looked up in them.
    LookUp,
    /// Short lists are joined as they lie.
    Direct,
}

impl Profile {
    /// Takes the time of steps from now on.
    pub(super) fn start(&mut self) {
        self.since = Some(Instant::now());
    }

    /// Notes that a step has ended.
    pub(super) fn end(&mut self, step: Step) {
        if let Some(since) = &mut self.since {
            let now = Instant::now();
            self.times[step as usize] += now - *since;
            *since = now;
        }
    }

    /// The time of a step.
    pub fn time(&self, step: Step) -> Duration {
        self.times[step as usize]
    }
}
