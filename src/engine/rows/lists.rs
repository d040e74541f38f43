//! The lists to join: quarter-boards, found by a search, and half-boards, combined from
//! quarter-boards.

#[cfg(test)]
mod at_size;
pub mod cache;
pub mod half;
pub mod quarter;
pub mod word;
