//! The definitions of units and of the weights of solutions, as in [the proof](super).
//!
//! - `core`: the queens of the middle rows, the open squares, and the weights of pairs.
//! - `subsets` and `tiling`: rank column sets and divide them into tiles.
//! - `numbering`: computes a unit's core and tile from its index.

#[cfg(test)]
mod at_size;
pub(super) mod core;
pub(super) mod numbering;
pub(super) mod subsets;
pub(super) mod tiling;
