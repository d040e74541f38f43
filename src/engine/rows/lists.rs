//! Lists of quarter-boards, which are found by a search, and of half-boards, which are made by
//! combining quarter-boards.

#[cfg(test)]
mod at_size;
pub(super) mod cache;
pub(super) mod half;
pub(super) mod quarter;
pub(super) mod word;
