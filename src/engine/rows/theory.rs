//! Units and the weights of solutions, as defined in [the proof](super).

pub(super) mod core;
#[cfg(test)]
pub(super) mod large;
pub(super) mod numbering;
pub(super) mod subsets;
pub(super) mod tiling;
mod work;
