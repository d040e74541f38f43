//! The mathematics of the engine: what is counted, and why it sums to the number of solutions.
//!
//! Nothing here is there for speed, and nothing here knows the lists, joins and kernels that count. [The proof](super)
//! is told in one place; these files are its numbers:
//!
//! - `signature`: the diagonals that cross the cut, as bits of a word.
//! - `squares`: where the queens of a quarter-board may stand.
//! - `core`: the queens of the middle row and column, and the units.
//! - `tiers`: the units of all cores, one after another.
//! - `weights`: how many solutions a pair stands for.
//! - `recount`: the units once more, by plain backtracking.

mod core;
mod recount;
mod signature;
mod squares;
mod tiers;
mod weights;

pub use self::core::{Core, Unit};
pub use self::recount::recount;
pub use self::signature::{Geometry, Signature};
pub use self::squares::Squares;
pub use self::tiers::Tiers;
pub use self::weights::Weights;
