//! Lists: the half-boards of a unit, made of quarter-boards.
//!
//! What is a list of signatures in [the proof](super) is here cut in two: half-boards are the pairs of a near and a far
//! quarter-board on the right columns and rows that share no diagonal. There are few quarter-boards, so they are found
//! once and kept. How they lie in memory is there for speed alone:
//!
//! - `format`: where the diagonals of a half-board lie in its words, and which decide its bucket.
//! - `filing`: a core with its formats and the numbers of its row sets.
//! - `quarter`: finds the placements on a quarter-board.
//! - `quarters`: keeps them, for all threads or for one.
//! - `half`: makes half-boards of them.
//! - `memory`: how much of all this is at hand at a time.

mod filing;
mod format;
mod half;
mod memory;
mod quarter;
mod quarters;

pub use self::filing::Filing;
pub use self::format::{Format, SORTED_CHUNKS};
pub use self::half::{Batch, Far, Half, append};
pub use self::memory::Limits;
pub use self::quarter::{Near, Quarter, Slice};
pub use self::quarters::{Own, Quarters};
