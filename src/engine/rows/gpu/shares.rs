//! What feeders have of a device: a share of the memory that is free.

use std::sync::PoisonError;

use super::device::Device;
use super::host::DriverFailure;

/// What the feeders of a device have of it.
#[derive(Default)]
pub struct Shares {
    feeders: u64,
    /// The bytes of each.
    bytes: u64,
    /// How many there may be.
    most: u64,
}

/// The memory of a feeder, in bytes: enough for the half-boards that keep a large device busy, and for the quarter-boards
/// that they are made of. A device has as many feeders as have room on it, at least one.
const SHARE: u64 = 1 << 30;

impl Device {
    /// A share for one more feeder, if there is room and it has not failed.
    pub(super) fn share(&'static self) -> Result<Option<Share>, DriverFailure> {
        let mut shares = self.shares.lock().unwrap_or_else(PoisonError::into_inner);
        if self.failure().is_some() {
            return Ok(None);
        }
        if shares.feeders == 0 {
            // The rest is for what else the machine shows and does with it.
            let room = self.driver.free_memory()? / 16 * 15;
            shares.most = (room / SHARE).max(1);
            shares.bytes = room / shares.most;
        }
        let has_room = shares.feeders < shares.most;
        shares.feeders += u64::from(has_room);
        // A share that is not given must not be taken back.
        Ok(has_room.then(|| Share { device: self, bytes: shares.bytes }))
    }
}

/// What a feeder has of a device. It becomes free when it is dropped.
pub struct Share {
    pub device: &'static Device,
    /// The bytes of memory that the feeder may take.
    pub bytes: u64,
}

impl Drop for Share {
    fn drop(&mut self) {
        self.device.shares.lock().unwrap_or_else(PoisonError::into_inner).feeders -= 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::rows::gpu::device::tests::Fake;

    #[test]
    fn feeders_share_the_memory_that_is_free() {
        for (mebibytes, feeders) in [(0, 1), (100, 1), (2000, 1), (2400, 2), (16 << 10, 15)] {
            let free = mebibytes << 20;
            let device: &Device = Box::leak(Box::new(Device::new(0, Box::new(Fake { slot: None, free }))));
            let mut shares: Vec<Share> = std::iter::from_fn(|| device.share().unwrap()).collect();
            assert_eq!(shares.len(), feeders, "{mebibytes} MiB");
            assert!(shares.iter().map(|share| share.bytes).sum::<u64>() <= free, "{mebibytes} MiB");
            shares.pop();
            assert!(device.share().unwrap().is_some(), "{mebibytes} MiB");
        }
    }
}
