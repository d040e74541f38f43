//! The kernel for every processor, in safe code. The others are tested against it.

use super::loops::{Candidate, Loops};
use crate::engine::Stop;
use crate::engine::meet::join::{Join, Sides, Workspace};
use crate::engine::meet::lists::{Batch, Half, Quarter, append};
use crate::engine::rows::join::bitset::Bitset;

/// These loops, for the list of all kernels. Every processor can run them.
pub const LOOPS: Candidate = ("portable", || Some(&Portable));

struct Portable;

impl Loops for Portable {
    fn combine(&self, half: &mut Half, quarters: [&Quarter; 2], batch: Batch) {
        half.combine(quarters, batch, append);
    }

    fn disjoint_pairs(&self, join: &Join, sides: Sides, workspace: &mut Workspace, stop: &Stop) -> u128 {
        join.disjoint_pairs::<Bitset>(sides, workspace, stop)
    }
}
