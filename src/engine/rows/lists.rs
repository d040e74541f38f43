//! The lists to be joined: quarter-boards, found by a search, and half-boards, combined from
//! quarter-boards.

#[cfg(test)]
mod at_size;
pub mod cache;
pub mod half;
pub mod quarter;
pub mod word;
