//! The lists to join: quarter-boards, found by a search, and half-boards, combined from
//! quarter-boards.

#[cfg(test)]
mod at_size;
pub(super) mod cache;
pub(super) mod half;
pub(super) mod quarter;
pub(super) mod word;
