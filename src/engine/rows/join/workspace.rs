//! What a join needs beside its lists.

use super::block::{Block, Keys};
use super::direct::ByteTables;
use super::key::Ranking;
use super::sort::{Bins, Sorted, Top};
use crate::engine::rows::profile::Profile;

/// The memory of a join, kept for the next one.
#[derive(Clone, Debug, Default)]
pub struct Workspace {
    pub tables: ByteTables,
    pub block: Block,
    pub ranking: Ranking,
    pub bins: Bins,
    /// The keys of the tops of a group, by marks.
    pub keys: [Keys; 3],
    pub tops: Sorted<Top>,
    /// Sorted bottoms, of which one word holds the diagonals and the key, and wide ones.
    pub narrow: Sorted<u32>,
    pub wide: Sorted<u64>,
    pub profile: Profile,
}
