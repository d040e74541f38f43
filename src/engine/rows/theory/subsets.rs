//! The ranks of sets of rows or columns in the combinatorial number system. Sets are bitmasks.
//!
//! Sets of the same size are ranked by bitmask. The rank of a set with elements p1 < p2 < ... < pk
//! is C(p1, 1) + C(p2, 2) + ... + C(pk, k).

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

/// Returns C(n, k), for n and k up to 32.
#[inline(always)]
pub(crate) const fn binomial(n: u32, k: u32) -> u64 {
    BINOMIAL[n as usize][k as usize]
}

/// The ranks of the sets of elements below 14, indexed by bitmask.
static RANKS: [u16; 1 << 14] = {
    let mut ranks = [0; 1 << 14];
    let mut set = 1;
    while set < ranks.len() {
        let largest = set.ilog2();
        let before = ranks[set ^ 1 << largest];
        ranks[set] = before + binomial(largest, set.count_ones()) as u16;
        set += 1;
    }
    ranks
};

/// Returns the rank of a set of elements below 14.
#[inline(always)]
pub(crate) fn rank(set: u32) -> u32 {
    RANKS[set as usize].into()
}

/// Returns the set of `k` out of `n` elements with this rank.
pub(crate) fn unrank(mut rank: u64, mut k: u32, n: u32) -> u32 {
    assert!(rank < binomial(n, k), "set {rank} of {k} out of {n}");
    let mut set = 0;
    let mut element = n;
    while k > 0 {
        element -= 1;
        // The largest element is the largest p with C(p, k) <= rank.
        let before = binomial(element, k);
        if before <= rank {
            rank -= before;
            set |= 1 << element;
            k -= 1;
        }
    }
    set
}
