//! Tuning: the sizes that are chosen by measurement. No count depends on them.

/// How half-boards lie in words, and how bottoms are sorted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Tuning {
    /// How many diagonals, at least, decide the bucket of a half-board: diagonals of the near (left) quarter, and of the
    /// far (right) one. The main diagonals come on top of these. Bottoms are sorted by as many diagonals, the ones that
    /// conflict with the bucket of a top: together at most 13.
    pub buckets: [u32; 2],
    /// How chunks lie in words.
    pub layout: Layout,
    /// How many bucket diagonals, near and far, divide the tops into groups that are joined one after another.
    pub grouped: [u32; 2],
}

/// How the chunks of half-boards lie in words.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Layout {
    /// Four chunks of up to eight diagonals, in 32 bits: fewer lookups, for long lists.
    Four,
    /// Five of seven or six, in 32 bits. They have 448 table entries instead of 1024, so the tables of a block take 0.4
    /// of the time; a lookup takes 1.04 to 1.08 times as long.
    Five,
    /// The given number of chunks, five to eight, of up to eight diagonals, in 64 bits.
    Wide(u32),
}

impl Layout {
    /// Where each chunk begins, and the last one ends.
    pub fn bounds(self) -> &'static [u32] {
        match self {
            Self::Four => &[0, 8, 16, 24, 32],
            Self::Five => &[0, 7, 14, 20, 26, 32],
            Self::Wide(chunks) => &[0, 8, 16, 24, 32, 40, 48, 56, 64][..=chunks as usize],
        }
    }
}

impl Tuning {
    /// The sizes for the board with `n` rows.
    ///
    /// They were measured with `queencount count N -t 1`, with `queencount run N --shard K/M -t 1` and, from N = 25 on,
    /// with `queencount estimate N --sample 12 -t 1`:
    ///
    /// - Bucket diagonals save pairs where lists fill many blocks.
    /// - Those of the far quarter cost more, because half-boards are made of the far quarter-boards of one bucket and
    ///   one row set, and these lists become short. With two of them N = 18 takes 1.5 times as long.
    /// - At N = 20 the best choice depends on the unit. With six near ones and no far one, units with five queens in
    ///   each quarter take 0.86 of the time, the others 1.2 times as long.
    /// - N = 24 takes 2.2 times as long with five and three diagonals, of which four and four sort the bottoms.
    pub fn of(n: u32) -> Self {
        let layout = match n {
            5 | 7 | 9 | 11 | 13 | 15 | 17 | 19 => Layout::Five,
            ..=25 | 27 => Layout::Four,
            26 | 28..=29 => Layout::Wide(5),
            _ => Layout::Wide(6),
        };
        let (buckets, grouped) = match n {
            ..=17 | 19 | 21 => ([0, 0], [0, 0]),
            18 => ([4, 0], [0, 0]),
            20 => ([4, 2], [1, 1]),
            22 => ([7, 3], [2, 2]),
            23 | 25 | 27 => ([7, 0], [2, 0]),
            _ => ([8, 5], [3, 2]),
        };
        Self { buckets, layout, grouped }
    }
}
