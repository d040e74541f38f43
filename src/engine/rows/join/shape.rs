//! The shape of a join: how many diagonals lists are sorted by, and how the others are looked up.
//!
//! Diagonals are ranked, the best to sort by first ([`key`](super::key)):
//!
//! ```text
//!     rank               0 .. g-1      g .. g+a-1      g+a .. s-1      s ..
//!                        group         alike           others          rest, in chunks
//!                        |------------------ key -----------------|
//!
//!     bin of a top       group from its highest bit on, which is rank g-1; then alike and others, from rank g on
//!     bin of a bottom    alike from its highest bit on, which is rank g; then the group, from rank g-1 down
//! ```
//!
//! | | tops | bottoms | what it saves |
//! |---|---|---|---|
//! | group | sorted by it | blocks are made anew for each value that tops have here, of the bottoms that do not conflict with it | every pair that conflicts here, for certain; but a bottom goes into several blocks |
//! | alike | sorted by it | sorted by it, so that those of a block have most of it alike | all tops that conflict with what a whole block has |
//! | others | sorted by them | as they come | what a block has to say about a key is looked up once for all tops that have it |
//! | rest | as they come | as they come | nothing: tops that are left are looked up, chunk by chunk |

/// How lists are sorted and looked up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct JoinShape {
    /// s: the number of diagonals of the key.
    pub key: u32,
    /// g: how many of them tell groups apart, the first.
    pub group: u32,
    /// a: how many of the next bottoms are sorted by.
    pub alike: u32,
    /// The number of the diagonals beside the key.
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
