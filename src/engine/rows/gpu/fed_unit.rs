//! What a device is fed with at a time.

use super::layout::Layout;
use super::quarters::Quarters;
use crate::engine::rows::theory::tiling::ColumnSet;

/// A unit, or some column sets of one, with the quarter-boards that its half-boards are made of.
pub struct FedUnit<'a> {
    pub sets: &'a [ColumnSet],
    /// The columns of the quarters of each set.
    pub columns: Vec<[u32; 4]>,
    /// What a pair counts, by the marks of its top and its bottom.
    pub weights: [[u64; 3]; 3],
    pub quarters: Quarters,
    pub layout: Layout,
}
