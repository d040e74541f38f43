//! A device: what its driver says about it, what has failed, and the share of its memory that each
//! feeder has.

use std::fmt;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{LazyLock, Mutex, OnceLock, PoisonError};

use super::host::{Compiled, Driven, Driver, DriverFailure, LazyDriver};

/// A device that counts units. It is shown as the option `--device` names it: a GPU by its number,
/// as `gpu:0`, and a CPU with a driver like a GPU's by its full name.
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
    /// How many feeders have a share of its memory, and the bytes of all shares that there may be.
    shares: Mutex<(u64, u64)>,
}

/// What a driver says about a device.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct DeviceDescription {
    /// The name that the driver gives to it.
    pub name: String,
    /// The interface that it is used by, with the version of the driver.
    pub interface: String,
    /// Whether it is the CPU, with a driver for kernels: good for tests, but slower than the
    /// kernels for CPUs.
    pub is_cpu: bool,
    /// The bytes of its memory.
    pub memory: u64,
    /// The bytes of memory that a group of its work-items shares. The more there are, the fewer
    /// lookups a pair takes.
    pub local_memory: u64,
}

impl Device {
    /// Its number among [`Device::all`].
    pub fn index(&self) -> usize {
        self.index
    }

    /// Why it is not used any more: what its driver said when it failed. Units that it had in hand
    /// are counted on the CPU.
    pub fn failure(&self) -> Option<String> {
        self.failure.get().cloned()
    }

    /// The units that it had no room for since the program began. The CPU has counted them.
    pub fn units_declined(&self) -> u64 {
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
        formatter
            .debug_struct("Device")
            .field("index", &self.index)
            .field("name", &self.description.name)
            .finish()
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
        Self {
            index,
            description,
            failure,
            left,
            group,
            driver,
            shares,
        }
    }

    /// Its driver, which compiles the kernels when it is first asked for.
    pub(super) fn driver(&self) -> Driven<&dyn Driver> {
        self.driver.as_deref().map_err(Clone::clone)
    }

    /// Remembers why it is not to be used any more.
    pub(super) fn fail(&self, failure: DriverFailure) {
        let _ = self.failure.set(failure.said);
    }

    /// The bytes of its memory that one more feeder may take, if there is room for it and the
    /// device has not failed. The first feeder asks how many are free.
    pub(super) fn take_share(&self) -> Driven<Option<usize>> {
        let (taken, room) = &mut *self.shares.lock().unwrap_or_else(PoisonError::into_inner);
        if self.failure.get().is_some() {
            return Ok(None);
        }
        if *taken == 0 {
            // The rest is for what else the machine shows and does with the device.
            *room = self.driver()?.free_memory()? / 16 * 15;
        }
        let (feeders, before) = (feeders(*room), *taken);
        *taken = feeders.min(before + 1);
        Ok((before < feeders).then_some((*room / feeders) as usize))
    }

    /// Takes a share back.
    pub(super) fn return_share(&self) {
        self.shares.lock().unwrap_or_else(PoisonError::into_inner).0 -= 1;
    }

    /// The most threads that feed a device where others are to count: enough to find quarter-boards
    /// for it.
    pub(crate) const FEEDERS: usize = 8;
}

/// The memory of a feeder, in bytes, where there is enough: room for the half-boards that keep a
/// large device busy, and for the quarter-boards that they are made of.
const SHARE: u64 = 1 << 30;

/// The least memory of a feeder that is worth having beside others.
const LEAST_SHARE: u64 = 64 << 20;

/// The feeders that have room in so many bytes, one or more.
fn feeders(room: u64) -> u64 {
    (room / SHARE).max((room / LEAST_SHARE).clamp(1, Device::FEEDERS as u64))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn feeders_share_the_memory_that_is_free() {
        for (mebibytes, expected) in [
            (0, 1),
            (93, 1),
            (187, 2),
            (1919, 8),
            (7 << 10, 8),
            (15 << 10, 15),
        ] {
            assert_eq!(feeders(mebibytes << 20), expected, "{mebibytes} MiB");
        }
    }
}
