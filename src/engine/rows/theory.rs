//! Units and the weights of solutions, as defined in [the proof](super).

#[cfg(test)]
pub(super) mod at_size;
pub(super) mod core;
pub(super) mod numbering;
pub(super) mod subsets;
pub(super) mod tiling;
