//! The driver of a device, and how feeders share the device's memory.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{LazyLock, OnceLock};

use super::device::{Device, DeviceDescription};
use super::driver::{Driver, DriverFailure, DriverResult};

pub(super) struct Host {
    /// The number of work-items in a group.
    pub(super) group: usize,
    driver: LazyLock<Compiled, Box<dyn FnOnce() -> Compiled + Send>>,
    /// The number of feeders that have a share of the memory.
    feeders: AtomicU64,
}

type Compiled = DriverResult<Box<dyn Driver>>;

impl Device {
    pub(super) fn new(
        description: DeviceDescription,
        group: usize,
        compile: impl FnOnce() -> Compiled + Send + 'static,
    ) -> Self {
        Self {
            index: 0,
            description,
            failure: OnceLock::new(),
            units_declined: AtomicU64::new(0),
            host: Host {
                group,
                driver: LazyLock::new(Box::new(compile) as _),
                feeders: AtomicU64::new(0),
            },
        }
    }

    /// Returns the driver. The first call compiles the kernels.
    pub(super) fn driver(&self) -> DriverResult<&dyn Driver> {
        self.host.driver.as_deref().map_err(Clone::clone)
    }

    /// Disables the device. Only the first failure is kept.
    pub(super) fn fail(&self, failure: &DriverFailure) {
        let _ = self
            .failure
            .set(format!("{} failed while {failure}", self.label()));
    }

    /// Returns how many bytes of memory an additional feeder may use, or `None` if the device has
    /// enough feeders or has failed.
    pub(super) fn take_share(&self) -> Option<usize> {
        // Leave some memory for the screen and for other programs.
        let room = self.description.memory / 16 * 15;
        let most = most_feeders(room);
        if self.failure.get().is_some() {
            return None;
        }
        self.host
            .feeders
            .fetch_update(Ordering::Relaxed, Ordering::Relaxed, |feeders| {
                (feeders < most).then_some(feeders + 1)
            })
            .ok()?;
        Some((room / most) as usize)
    }

    pub(super) fn return_share(&self) {
        self.host.feeders.fetch_sub(1, Ordering::Relaxed);
    }
}

/// The size, in bytes, of the half-boards that keep a large device busy, and of their
/// quarter-boards.
const SHARE: u64 = 1 << 30;

/// The smallest share, in bytes, that makes an additional feeder worthwhile.
const LEAST_SHARE: u64 = 64 << 20;

/// Returns how many feeders (at least one) can share `room` bytes of memory.
fn most_feeders(room: u64) -> u64 {
    (room / SHARE).max((room / LEAST_SHARE).clamp(1, Device::FEEDERS as u64))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn free_memory_determines_number_of_feeders() {
        for (mebibytes, expected) in [
            (0, 1),
            (93, 1),
            (187, 2),
            (1919, 8),
            (7 << 10, 8),
            (15 << 10, 15),
        ] {
            assert_eq!(most_feeders(mebibytes << 20), expected, "{mebibytes} MiB");
        }
    }
}
