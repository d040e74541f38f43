//! The random numbers of estimates and audits: SplitMix64, the same for the same seed on every machine and in every
//! version.
//!
//! A sample has to be reproducible from its seed, and to be told in a report; it need not be unpredictable. SplitMix64
//! (Steele, Lea and Flood, "Fast splittable pseudorandom number generators", 2014) is six lines, passes BigCrush, and
//! gives independent streams to the draws of a sample, so that a draw does not depend on which thread makes it.

/// A stream of random numbers, given by its seed.
#[derive(Clone, Debug)]
pub struct Random(u64);

impl Random {
    /// The stream with this seed.
    pub const fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// Stream number `index` of those that belong to `seed`.
    pub(crate) fn stream(seed: u64, index: u64) -> Self {
        // Scrambled, so that neighbouring indices do not start at neighbouring places of one sequence.
        let start = Self::new(seed).next();
        Self::new(start ^ Self::new(index).next())
    }

    /// The next number: any of the 2^64, equally likely.
    #[expect(clippy::should_implement_trait, reason = "a stream without an end is no iterator")]
    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// A number below `bound`, all equally likely but for `bound` in 2^64.
    ///
    /// # Panics
    /// When `bound` is 0.
    pub fn below(&mut self, bound: u64) -> u64 {
        assert!(bound > 0, "there is no number below 0");
        // The upper half of the product: Lemire's way to scale without a division.
        ((u128::from(self.next()) * u128::from(bound)) >> 64) as u64
    }

    /// A number from 0 up to, not including, 1.
    pub fn unit_interval(&mut self) -> f64 {
        // The 53 bits that a double holds.
        (self.next() >> 11) as f64 / (1u64 << 53) as f64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_stream_is_the_published_one() {
        // The first numbers of the reference implementation (https://prng.di.unimi.it/splitmix64.c) for the seed 1234567.
        let mut random = Random::new(1_234_567);
        let first: Vec<u64> = (0..5).map(|_| random.next()).collect();
        assert_eq!(
            first,
            [
                6_457_827_717_110_365_317,
                3_203_168_211_198_807_973,
                9_817_491_932_198_370_423,
                4_593_380_528_125_082_431,
                16_408_922_859_458_223_821
            ]
        );
    }
}
