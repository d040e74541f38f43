//! The shape of a join: the diagonals that each list is sorted by, and the **bins** they determine.
//!
//! The diagonals that both lists may occupy are ranked, starting with those shared by the most
//! pairs ([`Ranking`](super::ranking::Ranking)). A half-board's **key** is the set of the diagonals
//! it occupies among the first s. Many pairs that share a diagonal of the key are never looked up.
//!
//! ```text
//!     rank                  0 .. g-1     g .. g+a-1     g+a .. s-1     s ..
//!                           group        alike          others         in chunks
//!                           |---------------- key ----------------|
//!                                        |---------- rest --------|
//!
//!     bin, longer list      group (rank g-1 highest), then rest (rank g highest): the whole key
//!     bin, shorter list     alike (rank g highest), then group (rank g-1 highest)
//! ```
//!
//! The orders differ because a group must be contiguous in the longer list, whereas a block should
//! hold half-boards that are alike.

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct JoinShape {
    /// s: the number of diagonals in the key.
    pub key: u32,
    /// g: the number of diagonals that tell groups apart. Pairs that share one are never looked up.
    pub group: u32,
    /// a: the number of further diagonals that the shorter list is sorted by, so that many keys
    /// conflict with a whole block.
    pub alike: u32,
    /// The number of diagonals outside the key.
    pub chunked: u32,
    /// The number of chunks: 3 or 4.
    pub chunks: u32,
}

impl JoinShape {
    /// Returns the rank of each bit of a bin, lowest bit first.
    pub(crate) fn longer_ranks(self) -> impl Iterator<Item = u32> + Clone {
        (self.group..self.key).rev().chain(0..self.group)
    }

    /// Returns the rank of each bit of a bin, lowest bit first.
    pub(crate) fn shorter_ranks(self) -> impl Iterator<Item = u32> + Clone {
        (0..self.group).chain((self.group..self.group + self.alike).rev())
    }

    pub(crate) fn longer_bin(self, group: usize, rest: usize) -> usize {
        group << self.rest() | rest
    }

    pub(crate) fn shorter_bin(self, alike: usize, of_group: usize) -> usize {
        alike << self.group | of_group
    }

    /// Returns the number of key diagonals after those of the group.
    pub(crate) fn rest(self) -> u32 {
        self.key - self.group
    }

    /// Returns how many diagonals are in the lower half of the rest of a key.
    pub(crate) fn low(self) -> u32 {
        self.rest() / 2
    }

    /// Returns the number of diagonals in each table of a block: for the lower and the upper half
    /// of the rest of a key, then for each chunk.
    pub(crate) fn widths(self) -> [u32; 6] {
        let mut widths = [self.low(), self.rest() - self.low(), 0, 0, 0, 0];
        for chunk in 0..self.chunks {
            widths[2 + chunk as usize] = (self.chunked + chunk) / self.chunks;
        }
        widths
    }

    /// Returns the bits of [`Addresses`](super::sort::Addresses) to which the chunks' diagonals are
    /// moved.
    pub(crate) fn address_bits(self) -> u64 {
        let [_, _, widths @ ..] = self.widths();
        (0..).zip(widths).fold(0, |all, (chunk, width)| {
            all | ((1 << width) - 1) << (16 * chunk + 6)
        })
    }
}
