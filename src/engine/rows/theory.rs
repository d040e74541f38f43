//! The units and the weights of solutions, as defined in [the proof](super).
//!
//! - `core`: the queens of the middle rows, the open squares, and the weights of pairs.
//! - `subsets` and `tiling`: rank column sets and divide them into tiles.
//! - `numbering`: computes the core and the tile of a unit from its index.

#[cfg(test)]
mod at_size;
pub(super) mod core;
pub(super) mod numbering;
pub(super) mod subsets;
pub(super) mod tiling;
