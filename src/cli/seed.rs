//! The seed of random draws when the user has not chosen one.

use std::collections::hash_map::RandomState;
use std::hash::{BuildHasher, Hasher};

/// A seed that nobody can foresee. Results name it, so that the same draws can be made again.
pub fn unforeseen() -> u64 {
    RandomState::new().build_hasher().finish() >> 32
}
