//! What is joined.

use crate::engine::rows::lists::half::HalfBoards;
use crate::engine::rows::theory::core::Weights;

/// What can stand above the core and below it, on a column set.
#[derive(Clone, Copy)]
pub struct Halves<'a, W> {
    pub tops: &'a HalfBoards<W>,
    pub bottoms: &'a HalfBoards<W>,
    pub weights: Weights,
}
