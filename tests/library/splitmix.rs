//! The random numbers are the published ones, and are the same in every version.

use queencount::engine::SplitMix64;

/// The first numbers of the reference implementation (https://prng.di.unimi.it/splitmix64.c)
/// for the seed 1234567.
const PUBLISHED: [u64; 3] = [
    6_457_827_717_110_365_317,
    3_203_168_211_198_807_973,
    9_817_491_932_198_370_423,
];

#[test]
fn stream_matches_published_numbers() {
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

/// Samples can be reproduced from their reported seeds, so streams must not change.
#[test]
fn streams_are_same_in_every_version() {
    assert_eq!(
        [(1, 0), (1, 1), (7, 5)].map(|(seed, index)| SplitMix64::stream(seed, index).next_u64()),
        STREAMS
    );
}

/// The first numbers of streams 0 and 1 of seed 1, and of stream 5 of seed 7.
const STREAMS: [u64; 3] = [
    12_793_040_940_332_582_595,
    15_354_349_423_939_954_581,
    13_983_899_997_059_994_106,
];
