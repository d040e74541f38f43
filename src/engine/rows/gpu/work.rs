//! What a device has done: counted, not measured.

/// What a device has done since the program began, and the time that it should have taken.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct DeviceWork {
    /// The half-boards that it has made.
    pub half_boards: u64,
    /// The blocks of bottoms, of 1024 or 512, that it has made tables for.
    pub blocks: u64,
    /// The keys whose tops it has looked up, each in a block.
    pub keys: u64,
    /// The tops that it has looked up, each in a block.
    pub lookups: u64,
    /// The units that it had no room for, which the CPU has counted.
    pub left: u64,
    /// The time that all this should have taken it, by a model of what machine code takes (`docs/gpu.md`).
    pub expected: DeviceTime,
}

/// What parts of the work take a device, in seconds.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct DeviceTime {
    /// Making half-boards.
    pub half_boards: f64,
    /// Making the tables of blocks.
    pub blocks: f64,
    /// Going from key to key.
    pub keys: f64,
    /// Looking up.
    pub lookups: f64,
}

impl DeviceTime {
    /// All of it.
    pub fn sum(&self) -> f64 {
        self.half_boards + self.blocks + self.keys + self.lookups
    }
}

impl DeviceWork {
    /// What has been done since so much had been done.
    #[must_use]
    pub fn since(&self, earlier: &Self) -> Self {
        let (now, then) = (&self.expected, &earlier.expected);
        Self {
            half_boards: self.half_boards - earlier.half_boards,
            blocks: self.blocks - earlier.blocks,
            keys: self.keys - earlier.keys,
            lookups: self.lookups - earlier.lookups,
            left: self.left - earlier.left,
            expected: DeviceTime {
                half_boards: now.half_boards - then.half_boards,
                blocks: now.blocks - then.blocks,
                keys: now.keys - then.keys,
                lookups: now.lookups - then.lookups,
            },
        }
    }

    /// Adds what has been done beside it.
    #[cfg(feature = "gpu")]
    pub(super) fn add(&mut self, other: &Self) {
        let (sum, more) = (&mut self.expected, &other.expected);
        self.half_boards += other.half_boards;
        self.blocks += other.blocks;
        self.keys += other.keys;
        self.lookups += other.lookups;
        self.left += other.left;
        sum.half_boards += more.half_boards;
        sum.blocks += more.blocks;
        sum.keys += more.keys;
        sum.lookups += more.lookups;
    }
}
