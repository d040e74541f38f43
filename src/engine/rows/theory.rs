//! The numbers of [the proof](super): what is counted, and for how much.
//!
//! - `core`: the queens of the middle rows, the squares that they leave, and the weights of pairs.
//! - `subsets` and `tiling`: column sets numbered, and cut into tiles.
//! - `numbering`: a core and a tile from the number of a unit.

#[cfg(test)]
mod at_size;
pub mod core;
pub mod numbering;
pub mod subsets;
pub mod tiling;
