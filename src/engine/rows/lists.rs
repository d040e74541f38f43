//! Lists of quarter-boards, which are found by a search, and of half-boards, which are made by
//! combining quarter-boards.

pub(super) mod cache;
pub(super) mod half;
#[cfg(test)]
mod large;
pub(super) mod quarter;
pub(super) mod word;
