//! The lists that are joined: quarter-boards, found by a search, and the half-boards that are made of them.
//!
//! For speed alone; [`super::theory`] says why the count is right.

#[cfg(test)]
mod at_size;
pub mod half;
pub mod places;
pub mod quarter;
pub mod sizes;
pub mod store;
pub mod word;
