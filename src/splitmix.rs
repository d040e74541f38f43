//! The random numbers for estimates and audits.
//!
//! Samples must be reproducible from a short seed, on every machine and in every version, but need
//! not be unpredictable. SplitMix64 (Steele, Lea and Flood, "Fast splittable pseudorandom number
//! generators", 2014) is short and passes BigCrush. Each draw has its own stream, so the result
//! does not depend on the thread that makes the draw.

/// SplitMix64: a stream of random numbers determined by a seed.
///
/// ```
/// use queencount::engine::SplitMix64;
///
/// assert_eq!(SplitMix64::new(7).next_u64(), SplitMix64::new(7).next_u64());
/// assert!(SplitMix64::new(7).below(6) < 6);
/// ```
#[derive(Clone, Debug)]
pub struct SplitMix64(u64);

impl SplitMix64 {
    /// Creates the stream with this seed.
    pub const fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// Creates the stream with this seed and this index.
    pub fn stream(seed: u64, index: u64) -> Self {
        // Scramble twice, so that neighbouring streams do not overlap, and so that seed 2 with
        // index 1 differs from seed 1 with index 2.
        let start = Self::new(seed).next_u64();
        Self::new(Self::new(start.wrapping_add(index)).next_u64())
    }

    /// Returns the next number. All 2^64 numbers are equally likely.
    pub fn next_u64(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// Returns a random number below `bound`. The probabilities of any two results differ by at
    /// most 2^-64.
    ///
    /// # Panics
    /// Panics if `bound` is 0.
    pub fn below(&mut self, bound: u64) -> u64 {
        assert!(bound > 0, "there is no number below 0");
        // Lemire, "Fast random integer generation in an interval", 2019.
        ((u128::from(self.next_u64()) * u128::from(bound)) >> 64) as u64
    }

    /// Returns a multiple of 2^-53 that is at least 0 and less than 1. All 2^53 results are equally
    /// likely.
    pub fn unit_interval(&mut self) -> f64 {
        (self.next_u64() >> 11) as f64 / (1u64 << 53) as f64
    }
}
