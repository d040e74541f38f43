//! What feeders have of a device: a share of the memory that is free.

use std::sync::{Mutex, PoisonError};

/// The memory of a feeder, in bytes, where there is enough: room for the half-boards that keep a large device busy, and for
/// the quarter-boards that they are made of.
const SHARE: u64 = 1 << 30;

/// The feeders that a device has even if their shares are smaller: with one alone it would wait while quarter-boards are
/// found.
const FEEDERS: u64 = 8;

/// The least memory of a feeder that is worth having beside others.
const LEAST_SHARE: u64 = 64 << 20;

/// The shares of a device's feeders.
#[derive(Default)]
pub struct Shares(Mutex<InUse>);

#[derive(Default)]
struct InUse {
    shares: u64,
    /// How many there may be.
    most: u64,
    /// The bytes of each.
    bytes: u64,
}

/// What a feeder has. It becomes free when it is dropped.
pub struct Share<'a> {
    shares: &'a Shares,
    /// The bytes of memory that the feeder may take.
    pub bytes: u64,
}

impl Shares {
    /// One more share, if there is room for it. The first asks how many bytes are free.
    pub fn take<E>(&self, free: impl FnOnce() -> Result<u64, E>) -> Result<Option<Share<'_>>, E> {
        let mut taken = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if taken.shares == 0 {
            // The rest is for what else the machine shows and does with the device.
            let room = free()? / 16 * 15;
            taken.most = (room / SHARE).max(FEEDERS.min(room / LEAST_SHARE)).max(1);
            taken.bytes = room / taken.most;
        }
        let has_room = taken.shares < taken.most;
        taken.shares += u64::from(has_room);
        Ok(has_room.then(|| Share { shares: self, bytes: taken.bytes }))
    }
}

impl Drop for Share<'_> {
    fn drop(&mut self) {
        self.shares.0.lock().unwrap_or_else(PoisonError::into_inner).shares -= 1;
    }
}

#[cfg(test)]
mod tests {
    use std::convert::Infallible;

    use super::*;

    #[test]
    fn feeders_share_the_memory_that_is_free() {
        for (mebibytes, feeders) in [(0, 1), (100, 1), (200, 2), (2 << 10, 8), (8 << 10, 8), (16 << 10, 15)] {
            let (free, shares) = (mebibytes << 20, Shares::default());
            let take = || shares.take(|| Ok::<_, Infallible>(free)).unwrap();
            let mut taken: Vec<Share> = std::iter::from_fn(take).collect();
            assert_eq!(taken.len(), feeders, "{mebibytes} MiB");
            assert!(taken.iter().map(|share| share.bytes).sum::<u64>() <= free, "{mebibytes} MiB");
            let bytes = taken.pop().map(|share| share.bytes);
            assert_eq!(take().map(|share| share.bytes), bytes, "{mebibytes} MiB");
        }
    }
}
