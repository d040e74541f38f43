//! A device: what its driver says about it, what has failed, and the share of its memory that each feeder has.

use std::fmt;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{LazyLock, Mutex, OnceLock, PoisonError};

use super::host::{Compiled, Driven, Driver, DriverFailure, LazyDriver};

/// A device that counts units. It is shown as the option `--device` names it: a GPU by its number, as `gpu:0`, and a CPU
/// with a driver like a GPU's by its full name.
pub struct Device {
    pub(super) index: usize,
    /// What its driver says about it.
    pub description: DeviceDescription,
    /// Why it is not used any more.
    failure: OnceLock<String>,
    /// The units that it had no room for.
    pub(super) left: AtomicU64,
    /// The work-items of a group.
    pub(super) group: usize,
    driver: LazyDriver,
    shares: Shares,
}

/// What a driver says about a device.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct DeviceDescription {
    /// The name that the driver gives to it.
    pub name: String,
    /// The interface that it is used by, with the version of the driver.
    pub interface: String,
    /// Whether it is the CPU, with a driver for kernels: good for tests, but slower than the kernels for CPUs.
    pub is_cpu: bool,
    /// The bytes of its memory.
    pub memory: u64,
    /// The bytes of memory that a group of its work-items shares. The more there are, the fewer lookups a pair takes.
    pub local_memory: u64,
}

impl Device {
    /// What stands in the place of a kernel's name, in [`Engine::kernel`](crate::Engine::kernel) and in records, where
    /// devices count.
    pub const KERNEL: &str = "gpu";

    /// Its number among [`Device::all`].
    pub fn index(&self) -> usize {
        self.index
    }

    /// Why it is not used any more: what its driver said when it failed. Units that it had in hand are counted on the
    /// CPU.
    pub fn failure(&self) -> Option<String> {
        self.failure.get().cloned()
    }

    /// The units that it had no room for since the program began. The CPU has counted them.
    pub fn units_left(&self) -> u64 {
        self.left.load(Ordering::Relaxed)
    }
}

impl fmt::Display for Device {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.description.is_cpu {
            true => write!(formatter, "gpu:{}", self.description.name),
            false => write!(formatter, "gpu:{}", self.index),
        }
    }
}

impl fmt::Debug for Device {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Device").field("index", &self.index).field("name", &self.description.name).finish()
    }
}

impl Device {
    /// A device as a host finds it, whose groups have so many work-items.
    pub(super) fn new(
        description: DeviceDescription,
        group: usize,
        compile: impl FnOnce() -> Compiled + Send + 'static,
    ) -> Self {
        let (index, failure, left, shares) = Default::default();
        let driver = LazyLock::new(Box::new(compile) as _);
        Self { index, description, failure, left, group, driver, shares }
    }

    /// Its driver, which compiles the kernels when it is first asked for.
    pub(super) fn driver(&self) -> Driven<&dyn Driver> {
        self.driver.as_deref().map_err(Clone::clone)
    }

    /// Remembers why it is not to be used any more.
    pub(super) fn fail(&self, failure: DriverFailure) {
        let _ = self.failure.set(failure.said);
    }

    /// A share of its memory for one more feeder, if there is room and it has not failed.
    pub(super) fn share(&self) -> Driven<Option<Share<'_>>> {
        if self.failure.get().is_some() {
            return Ok(None);
        }
        self.shares.take(|| self.driver()?.free_memory())
    }
}

/// The memory of a feeder, in bytes, where there is enough: room for the half-boards that keep a large device busy, and for
/// the quarter-boards that they are made of.
const SHARE: u64 = 1 << 30;

/// The feeders that a device has even if their shares are smaller: with one alone it would wait while quarter-boards are
/// found.
const FEEDERS: u64 = 8;

/// The least memory of a feeder that is worth having beside others.
const LEAST_SHARE: u64 = 64 << 20;

/// The shares of a device's feeders: how many are in use, and the bytes of all that there may be.
#[derive(Default)]
struct Shares(Mutex<(u64, u64)>);

/// What a feeder has. It becomes free when it is dropped.
pub struct Share<'a> {
    shares: &'a Shares,
    /// The bytes of memory that the feeder may take.
    pub bytes: usize,
}

impl Shares {
    /// One more share, if there is room for it. The first asks how many bytes are free.
    fn take<E>(&self, free: impl FnOnce() -> Result<u64, E>) -> Result<Option<Share<'_>>, E> {
        let (taken, room) = &mut *self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if *taken == 0 {
            // The rest is for what else the machine shows and does with the device.
            *room = free()? / 16 * 15;
        }
        let most = (*room / SHARE).max(FEEDERS.min(*room / LEAST_SHARE)).max(1);
        let has_room = *taken < most;
        *taken += u64::from(has_room);
        Ok(has_room.then(|| Share { shares: self, bytes: (*room / most) as usize }))
    }
}

impl Drop for Share<'_> {
    fn drop(&mut self) {
        self.shares.0.lock().unwrap_or_else(PoisonError::into_inner).0 -= 1;
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
            assert!(taken.iter().map(|share| share.bytes as u64).sum::<u64>() <= free, "{mebibytes} MiB");
            let bytes = taken.pop().map(|share| share.bytes);
            assert_eq!(take().map(|share| share.bytes), bytes, "{mebibytes} MiB");
        }
    }
}
