//! A device: what its driver says about it, and what has failed.

use std::fmt;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU64, Ordering};

#[cfg(feature = "gpu")]
use super::host::{Driver, DriverFailure, LazyDriver};
#[cfg(feature = "gpu")]
use super::shares::{Share, Shares};

/// A device that counts units. It is shown as the option `--device` names it: a GPU by its number, as `gpu:0`, and a CPU
/// with a driver like a GPU's by its full name.
pub struct Device {
    index: usize,
    /// What its driver says about it.
    pub description: DeviceDescription,
    /// Why it is not used any more.
    failure: OnceLock<String>,
    /// The units that it had no room for.
    left: AtomicU64,
    /// The work-items of a group.
    #[cfg(feature = "gpu")]
    pub(super) group: usize,
    #[cfg(feature = "gpu")]
    driver: LazyDriver,
    #[cfg(feature = "gpu")]
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
    /// How many multiprocessors it has: each works on groups of its own.
    pub multiprocessors: u32,
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

/// A device as a host finds it.
#[cfg(feature = "gpu")]
pub struct Found {
    pub description: DeviceDescription,
    /// The work-items of a group.
    pub group: usize,
    /// Whether NVIDIA makes it.
    pub is_nvidia: bool,
    pub driver: LazyDriver,
}

#[cfg(feature = "gpu")]
impl Device {
    /// A device that has no feeders yet.
    pub(super) fn new(index: usize, found: Found) -> Self {
        let Found { description, group, driver, .. } = found;
        let (failure, left, shares) = Default::default();
        Self { index, description, failure, left, group, driver, shares }
    }

    /// Its driver, which compiles the kernels when it is first asked for.
    pub(super) fn driver(&self) -> Result<&dyn Driver, DriverFailure> {
        self.driver.as_deref().map_err(Clone::clone)
    }

    /// Remembers why it is not to be used any more.
    pub(super) fn fail(&self, failure: DriverFailure) {
        let _ = self.failure.set(failure.0);
    }

    /// Remembers that a unit is left to the CPU.
    pub(super) fn leave(&self) {
        self.left.fetch_add(1, Ordering::Relaxed);
    }

    /// A share of its memory for one more feeder, if there is room and it has not failed.
    pub(super) fn share(&self) -> Result<Option<Share<'_>>, DriverFailure> {
        if self.failure.get().is_some() {
            return Ok(None);
        }
        self.shares.take(|| self.driver()?.free_memory())
    }
}
