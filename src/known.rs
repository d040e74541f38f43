//! The published values of A000170, which are used only for verification. Engines must not use this
//! module.

/// The numbers of solutions for n = 0 to 27, from OEIS A000170.
///
/// Sources: n = 24 (Kise et al., 2004; Parberry, 2008), n = 25 (INRIA, 2005), n = 26 (TU Dresden
/// and MC#, both 2009), n = 27 (the Q27 project, 2016; Yao and Li, 2025).
const PUBLISHED: [u128; 28] = [
    1,
    1,
    0,
    0,
    2,
    10,
    4,
    40,
    92,
    352,
    724,
    2_680,
    14_200,
    73_712,
    365_596,
    2_279_184,
    14_772_512,
    95_815_104,
    666_090_624,
    4_968_057_848,
    39_029_188_884,
    314_666_222_712,
    2_691_008_701_644,
    24_233_937_684_440,
    227_514_171_973_736,
    2_207_893_435_808_352,
    22_317_699_616_364_044,
    234_907_967_154_122_528,
];

/// Returns the published number of solutions of the `n` x `n` board (OEIS A000170), or `None` if
/// `n` is above 27.
///
/// ```
/// assert_eq!(queencount::oeis_a000170(8), Some(92));
/// ```
pub fn oeis_a000170(n: u32) -> Option<u128> {
    PUBLISHED.get(n as usize).copied()
}
