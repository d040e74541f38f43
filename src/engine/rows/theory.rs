//! The mathematics of the engine: what is counted, and why it sums to the number of solutions.
//!
//! Nothing here knows the lists, joins and kernels that count. [The proof](super) is
//! told in one place; these files are its numbers:
//!
//! - `core`: the queens of the middle rows, the squares that they leave, and the weights of pairs.
//! - `subsets`: sets of columns or rows as masks, numbered.
//! - `lead`, `tiling` and `numbering`: cores and tiles, and units from their numbers.

#[cfg(test)]
mod at_size;
pub mod core;
#[cfg(test)]
mod definition;
mod lead;
pub mod numbering;
pub mod subsets;
pub mod tiling;
