//! The lists that are joined: quarter-boards, found by a search, and the half-boards that are made
//! of them.

#[cfg(test)]
mod at_size;
pub mod half;
pub mod quarter;
pub mod store;
pub mod word;
