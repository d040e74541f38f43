//! The definitions of units and of the weights of solutions, as in [the proof](super).
//!
//! - `core`: the queens of the middle rows, the open squares, and the weights of pairs.
//! - `subsets` and `tiling`: the ranks of column sets, and the tiles into which they are divided.
//! - `numbering`: the core and the tile of a unit, computed from its index.

#[cfg(test)]
mod at_size;
pub(super) mod core;
pub(super) mod numbering;
pub(super) mod subsets;
pub(super) mod tiling;
