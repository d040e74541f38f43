//! Counts the units of [queencount](https://docs.rs/queencount) again, so that a count and its
//! recount reveal a mistake in either one.
//!
//! This crate uses nothing of the library: it takes the size of the board, the numbers that
//! describe the plan, the index of a unit, and a function that says whether to stop. It finds out
//! by itself which solutions belong to the unit, with algorithms that are different from the
//! engine's, simple rather than fast. There is a module for each engine.
//!
//! ```
//! use queencount_recount::rows::Listing;
//!
//! // The units of the board of size 8 without middle rows, in tiles of 16 x 16 column sets.
//! let listing = Listing::new(8, 0, 16);
//! let counts = (0..listing.units()).map(|unit| listing.count(unit, &|| false));
//! assert_eq!(counts.sum::<Option<u128>>(), Some(92));
//! ```

#![deny(
    clippy::cast_possible_truncation,
    clippy::cast_precision_loss,
    clippy::cast_sign_loss,
    reason = "counts are exact"
)]

pub mod backtrack;
pub mod rotation;
pub mod rows;

/// A function that says whether to stop. A recount calls it many times per second, from any thread,
/// and returns `None` soon after it has returned `true`.
pub type Stop<'a> = &'a (dyn Fn() -> bool + Sync);

/// Returns `None` if the recount should stop.
fn proceed(stop: Stop) -> Option<()> {
    (!stop()).then_some(())
}

/// The row and the column of a queen.
pub type Square = (u32, u32);

/// Returns whether queens on these squares attack each other.
fn attack((row, column): Square, (other_row, other_column): Square) -> bool {
    let rows = row.abs_diff(other_row);
    let columns = column.abs_diff(other_column);
    rows == 0 || columns == 0 || rows == columns
}
