//! The seed of random draws when the user has not chosen one.

use std::collections::hash_map::RandomState;
use std::hash::{BuildHasher, Hasher};

/// A seed that nobody can foresee. Results name it, so that the same draws can be made again.
pub fn unforeseen() -> u64 {
    RandomState::new().build_hasher().finish() >> 32
}

#[cfg(test)]
mod tests {
    use super::unforeseen;

    #[test]
    fn seeds_differ_and_are_short_enough_to_be_typed() {
        let seeds = [(); 8].map(|()| unforeseen());
        assert!(seeds.iter().all(|seed| *seed <= u32::MAX.into()), "{seeds:?}");
        assert!(seeds.iter().any(|seed| *seed != seeds[0]), "{seeds:?}");
    }
}
