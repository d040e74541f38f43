//! What is joined.

use crate::engine::rows::lists::half::Half;

/// What is joined.
#[derive(Clone, Copy)]
pub struct Sides<'a, W> {
    /// The half-boards of the top.
    pub tops: &'a Half<W>,
    /// The half-boards of the bottom.
    pub bottoms: &'a Half<W>,
    /// What a pair counts, by the number of marks of its top and of its bottom.
    pub weights: [[u64; 3]; 3],
}
