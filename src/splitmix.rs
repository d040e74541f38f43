//! The random numbers of estimates and audits. SplitMix64 returns the same numbers for the same
//! seed on every machine and in every version.
//!
//! A sample must be reproducible from a short seed, but need not be unpredictable. SplitMix64
//! (Steele, Lea and Flood, "Fast splittable pseudorandom number generators", 2014) has six lines,
//! passes BigCrush, and gives each draw of a sample its own stream. Therefore a draw does not
//! depend on the thread that makes it.

/// SplitMix64: a stream of random numbers determined by a seed.
///
/// ```
/// use queencount::SplitMix64;
///
/// let mut one = SplitMix64::new(7);
/// let mut other = SplitMix64::new(7);
/// assert_eq!(one.next_u64(), other.next_u64());
/// assert!(one.below(6) < 6);
/// assert!((0.0..1.0).contains(&one.unit_interval()));
/// ```
#[derive(Clone, Debug)]
pub struct SplitMix64(u64);

impl SplitMix64 {
    /// Creates the stream with this seed.
    pub const fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// Creates stream number `index` of `seed`. Each draw of a sample has its own stream.
    pub fn stream(seed: u64, index: u64) -> Self {
        // Scramble twice, so that neighbouring indices do not start at neighbouring positions of
        // one sequence, and stream 1 of seed 2 differs from stream 2 of seed 1.
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

    /// Returns a number below `bound`. The probabilities of these numbers differ by at most 2^-64.
    ///
    /// # Panics
    /// Panics if `bound` is 0.
    pub fn below(&mut self, bound: u64) -> u64 {
        assert!(bound > 0, "there is no number below 0");
        // The upper half of the product scales without a division (Lemire, "Fast random integer
        // generation in an interval", 2019).
        ((u128::from(self.next_u64()) * u128::from(bound)) >> 64) as u64
    }

    /// Returns a number from 0 inclusive to 1 exclusive: one of the 2^53 multiples of 2^-53, all
    /// equally likely.
    pub fn unit_interval(&mut self) -> f64 {
        // A double holds 53 bits.
        (self.next_u64() >> 11) as f64 / (1u64 << 53) as f64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The first numbers of the reference implementation (https://prng.di.unimi.it/splitmix64.c)
    /// for the seed 1234567.
    const PUBLISHED: [u64; 3] = [
        6_457_827_717_110_365_317,
        3_203_168_211_198_807_973,
        9_817_491_932_198_370_423,
    ];

    #[test]
    fn the_stream_is_the_published_one() {
        let random = SplitMix64::new(1_234_567);
        let mut stream = random.clone();
        assert_eq!(PUBLISHED.map(|_| stream.next_u64()), PUBLISHED);
        // 6457827717110365317 / 2^64 = 0.35007...
        for (bound, expected) in [
            (1, 0),
            (2, 0),
            (3, 1),
            (6, 2),
            (1000, 350),
            (u64::MAX, PUBLISHED[0] - 1),
        ] {
            assert_eq!(random.clone().below(bound), expected, "{bound}");
        }
        assert_eq!(
            random.clone().unit_interval(),
            (PUBLISHED[0] >> 11) as f64 / 2_f64.powi(53)
        );
    }

    #[test]
    #[should_panic(expected = "there is no number below 0")]
    fn there_is_no_number_below_0() {
        SplitMix64::new(1).below(0);
    }

    #[test]
    fn streams_of_neighbours_do_not_overlap() {
        // Without scrambling, the second number of a stream would be the first of another. If both
        // were scrambled in the same way, seeds and indices could be exchanged.
        let mut seen = std::collections::HashSet::new();
        for (seed, index) in (0..20).flat_map(|seed| (0..100).map(move |index| (seed, index))) {
            let mut random = SplitMix64::stream(seed, index);
            assert!(
                (0..5).all(|_| seen.insert(random.next_u64())),
                "seed {seed}, stream {index}"
            );
        }
        // The numbers never change, so that reported samples can be reproduced.
        assert_eq!(
            [(1, 0), (1, 1), (7, 5)]
                .map(|(seed, index)| SplitMix64::stream(seed, index).next_u64()),
            STREAMS
        );
    }

    /// The first numbers of streams 0 and 1 of seed 1, and of stream 5 of seed 7.
    const STREAMS: [u64; 3] = [
        12_793_040_940_332_582_595,
        15_354_349_423_939_954_581,
        13_983_899_997_059_994_106,
    ];
}
