//! The shape of a join: how many diagonals are sorted by, and how the others are looked up.

/// How lists are sorted and looked up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct JoinShape {
    /// The number of diagonals of the key.
    pub key: u32,
    /// How many of them tell groups apart, the first.
    pub group: u32,
    /// How many more bottoms are sorted by.
    pub alike: u32,
    /// The number of the other diagonals.
    pub rest: u32,
    /// The number of chunks that these are looked up in, 3 or 4.
    pub chunks: u32,
}

impl JoinShape {
    /// The numbers of diagonals in the chunks: as equal as can be.
    pub fn widths(self) -> [u32; 4] {
        std::array::from_fn(|chunk| {
            if (chunk as u32) < self.chunks { (self.rest + self.chunks - 1 - chunk as u32) / self.chunks } else { 0 }
        })
    }

    /// The bits of a [`Top`](super::sort::Top) for the diagonals in chunks.
    pub fn addresses(self) -> u64 {
        let address = |(chunk, width): (usize, u32)| ((1 << width) - 1) << (16 * chunk + 6);
        self.widths().into_iter().enumerate().map(address).fold(0, |all, address: u64| all | address)
    }

    /// The number of keys, without the diagonals of the group.
    pub fn keys(self) -> usize {
        1 << (self.key - self.group)
    }

    /// The number of diagonals in the lower half of such a key.
    pub fn low(self) -> u32 {
        (self.key - self.group) / 2
    }
}
