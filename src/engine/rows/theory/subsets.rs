//! Sets of rows or columns as masks, numbered: the combinatorial number system.
//!
//! The sets of k things, in the order of their masks, are numbered from 0. The number of a set
//! whose members are p1 < p2 < ... < pk is C(p1, 1) + C(p2, 2) + ... + C(pk, k) (D. H. Lehmer;
//! Knuth, The Art of Computer Programming, 7.2.1.3). Complements reverse the order.

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

/// The number of a set among those of its size.
pub fn rank(set: u32) -> u32 {
    let members = (0..u32::BITS).filter(|place| set >> place & 1 == 1);
    members
        .zip(1..)
        .map(|(place, k)| binomial(place, k))
        .sum::<u64>() as u32
}

/// The set of `k` out of `n` things whose number is `rank`.
pub fn unrank(mut rank: u64, mut k: u32, n: u32) -> u32 {
    assert!(rank < binomial(n, k), "set {rank} of {k} out of {n}");
    let (mut set, mut place) = (0, n);
    while k > 0 {
        place -= 1;
        // The largest member is the last whose C(p, k) does not pass the rank.
        let before = binomial(place, k);
        if before <= rank {
            rank -= before;
            set |= 1 << place;
            k -= 1;
        }
    }
    set
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sets_are_numbered_in_the_order_of_their_masks_and_complements_reverse_it() {
        for (n, k) in [0, 1, 3, 8, 12, 16]
            .into_iter()
            .flat_map(|n| (0..=n).map(move |k| (n, k)))
        {
            let all = (1u32 << n) - 1;
            let sets: Vec<u32> = (0..=all).filter(|mask| mask.count_ones() == k).collect();
            assert_eq!(sets.len() as u64, binomial(n, k));
            for (number, &set) in sets.iter().enumerate() {
                assert_eq!(rank(set) as usize, number);
                assert_eq!(unrank(number as u64, k, n), set);
                assert_eq!(rank(all ^ set) as usize, sets.len() - 1 - number);
            }
        }
    }
}
