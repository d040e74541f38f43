//! What feeders have of a device: a share of the memory that is free.

/// The memory of a feeder, in bytes: enough for the half-boards that keep a large device busy, and for the quarter-boards
/// that they are made of. A device has as many feeders as have room on it, at least one.
const SHARE: u64 = 1 << 30;

/// The shares of a device's feeders.
#[derive(Default)]
pub struct Shares {
    taken: u64,
    /// How many there may be.
    most: u64,
    /// The bytes of each.
    bytes: u64,
}

impl Shares {
    /// The bytes of one more share, if there is room for it. The first asks how many are free.
    pub fn take<E>(&mut self, free: impl FnOnce() -> Result<u64, E>) -> Result<Option<u64>, E> {
        if self.taken == 0 {
            // The rest is for what else the machine shows and does with the device.
            let room = free()? / 16 * 15;
            self.most = (room / SHARE).max(1);
            self.bytes = room / self.most;
        }
        let has_room = self.taken < self.most;
        self.taken += u64::from(has_room);
        Ok(has_room.then_some(self.bytes))
    }

    /// Takes a share back.
    pub fn give_back(&mut self) {
        self.taken -= 1;
    }
}

#[cfg(test)]
mod tests {
    use std::convert::Infallible;

    use super::*;

    #[test]
    fn feeders_share_the_memory_that_is_free() {
        for (mebibytes, feeders) in [(0, 1), (100, 1), (2000, 1), (2400, 2), (16 << 10, 15)] {
            let (free, mut shares) = (mebibytes << 20, Shares::default());
            let mut take = |free: u64| shares.take(|| Ok::<_, Infallible>(free)).unwrap();
            let taken: Vec<u64> = std::iter::from_fn(|| take(free)).collect();
            assert_eq!(taken.len(), feeders, "{mebibytes} MiB");
            assert!(taken.iter().sum::<u64>() <= free, "{mebibytes} MiB");
            shares.give_back();
            let again = shares.take(|| Ok::<_, Infallible>(free)).unwrap();
            assert_eq!(again, Some(taken[0]), "{mebibytes} MiB");
        }
    }
}
