//! Sets of rows or columns as masks, numbered: the combinatorial number system.
//!
//! The k-subsets of a set, in the order of their masks, are numbered from 0. The number of a subset whose members,
//! counted within the set, are p1 < p2 < ... < pk is C(p1, 1) + C(p2, 2) + ... + C(pk, k) (D. H. Lehmer; Knuth, The Art
//! of Computer Programming, 7.2.1.3). Complements reverse the order.

/// `BINOMIAL[n][k]` for n, k < 33.
const BINOMIAL: [[u64; 33]; 33] = {
    let mut table = [[0; 33]; 33];
    let mut n = 0;
    while n < 33 {
        table[n][0] = 1;
        let mut k = 1;
        while k <= n {
            table[n][k] = table[n - 1][k - 1] + table[n - 1][k];
            k += 1;
        }
        n += 1;
    }
    table
};

/// The number of `k`-subsets of `n` things, for n and k up to 32.
#[inline(always)]
pub const fn binomial(n: u32, k: u32) -> u64 {
    BINOMIAL[n as usize][k as usize]
}

/// The number of `subset` among the subsets of `set` of its size.
pub fn rank(subset: u32, set: u32) -> u32 {
    let members = (0..u32::BITS).map(|place| 1 << place).filter(|member| subset & member != 0);
    let terms = (1..).zip(members).map(|(k, member): (u32, u32)| binomial((set & (member - 1)).count_ones(), k));
    terms.sum::<u64>() as u32
}

/// The subset of `set` with `k` members whose number is `rank`.
///
/// # Panics
/// When there is no such subset.
pub fn unrank(mut rank: u64, mut k: u32, mut set: u32) -> u32 {
    assert!(rank < binomial(set.count_ones(), k), "subset {rank} of {k} members of {set:b}");
    let mut subset = 0;
    while k > 0 {
        let member = 1 << set.ilog2();
        set ^= member;
        // The largest member is the last whose C(p, k) does not pass the rank.
        let before = binomial(set.count_ones(), k);
        if before <= rank {
            rank -= before;
            subset |= member;
            k -= 1;
        }
    }
    subset
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn subsets_are_numbered_in_the_order_of_their_masks_and_complements_reverse_it() {
        for set in [0u32, 0b1, 0b1011, 0b1111_1111, 0b1101_0110_1011] {
            for k in 0..=set.count_ones() {
                let total = binomial(set.count_ones(), k);
                let subsets: Vec<u32> = (0..=set).filter(|mask| mask & !set == 0 && mask.count_ones() == k).collect();
                assert_eq!(subsets.len() as u64, total);
                for (number, &subset) in subsets.iter().enumerate() {
                    assert_eq!(rank(subset, set) as usize, number);
                    assert_eq!(unrank(number as u64, k, set), subset);
                    assert_eq!(u64::from(rank(set ^ subset, set)), total - 1 - number as u64);
                }
            }
        }
    }

    proptest! {
        #[test]
        fn a_number_stands_for_one_subset_of_any_set(set: u32, one: u32, other: u32) {
            let (one, other) = (one & set, other & set);
            prop_assert_eq!(unrank(rank(one, set).into(), one.count_ones(), set), one);
            let total = binomial(set.count_ones(), one.count_ones());
            prop_assert_eq!(u64::from(rank(one, set)) + u64::from(rank(set ^ one, set)), total - 1);
            if one.count_ones() == other.count_ones() {
                prop_assert_eq!(rank(one, set).cmp(&rank(other, set)), one.cmp(&other));
            }
            if one != 0 {
                // The first and the last subset of this size.
                prop_assert_eq!(rank(unrank(0, one.count_ones(), set), set), 0);
                prop_assert_eq!(u64::from(rank(unrank(total - 1, one.count_ones(), set), set)), total - 1);
            }
        }
    }
}
