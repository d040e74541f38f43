//! Devices, their drivers, and how feeders share the memory of a device.

use std::fmt;
#[cfg(feature = "gpu")]
use std::sync::LazyLock;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU64, Ordering};

#[cfg(feature = "gpu")]
use super::driver::{Driver, DriverFailure, DriverResult};

/// A device that counts units. It is displayed in the form that the `--device` option expects:
/// `gpu:`, followed by its index or, if it is a CPU with an OpenCL driver, by its full name.
pub struct Device {
    pub(super) index: usize,
    /// The driver's description of the device.
    pub description: DeviceDescription,
    pub(super) failure: OnceLock<String>,
    pub(super) units_declined: AtomicU64,
    /// The number of work-items in a group.
    #[cfg(feature = "gpu")]
    pub(super) group: usize,
    #[cfg(feature = "gpu")]
    driver: LazyLock<Compiled, Box<dyn FnOnce() -> Compiled + Send>>,
    /// The number of feeders that have a share of the memory.
    #[cfg(feature = "gpu")]
    feeders: AtomicU64,
}

#[cfg(feature = "gpu")]
type Compiled = DriverResult<Box<dyn Driver>>;

/// A driver's description of a device.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct DeviceDescription {
    /// The name of the device.
    pub name: String,
    /// The driver's programming interface and version.
    pub interface: String,
    /// Whether the device is a CPU with an OpenCL driver. Such a device is slower than the SIMD
    /// kernels.
    pub is_cpu: bool,
    /// The size of the device's memory in bytes.
    pub memory: u64,
    /// The local memory of a group of work-items, in bytes. More memory means fewer lookups.
    pub local_memory: u64,
}

impl Device {
    /// The number of threads needed to keep a device supplied with quarter-boards.
    pub(crate) const FEEDERS: usize = 8;

    /// Returns the device's index in [`Device::all`].
    pub fn index(&self) -> usize {
        self.index
    }

    /// Returns how the device failed, if it did. The text begins with [`Device::label`]. A device
    /// that has failed is never used again.
    pub fn failure(&self) -> Option<&str> {
        self.failure.get().map(String::as_str)
    }

    /// Returns how many units were counted on the CPU because the device had too little memory.
    pub fn units_declined(&self) -> u64 {
        self.units_declined.load(Ordering::Relaxed)
    }

    /// Returns the name of the device in messages, such as `gpu:0 (NVIDIA H100)`.
    pub fn label(&self) -> String {
        if self.description.is_cpu {
            self.to_string()
        } else {
            format!("{self} ({})", self.description.name)
        }
    }
}

#[cfg(feature = "gpu")]
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
            group,
            driver: LazyLock::new(Box::new(compile) as _),
            feeders: AtomicU64::new(0),
        }
    }

    /// Returns the driver. The first call compiles the kernels.
    pub(super) fn driver(&self) -> DriverResult<&dyn Driver> {
        self.driver.as_deref().map_err(Clone::clone)
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
        let limit = most_feeders(room);
        if self.failure.get().is_some() {
            return None;
        }
        self.feeders
            .fetch_update(Ordering::Relaxed, Ordering::Relaxed, |feeders| {
                (feeders < limit).then_some(feeders + 1)
            })
            .ok()?;
        Some((room / limit) as usize)
    }

    pub(super) fn return_share(&self) {
        self.feeders.fetch_sub(1, Ordering::Relaxed);
    }
}

impl fmt::Display for Device {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.description.is_cpu {
            write!(formatter, "gpu:{}", self.description.name)
        } else {
            write!(formatter, "gpu:{}", self.index)
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

/// The size, in bytes, of the half-boards that keep a large device busy, and of their
/// quarter-boards.
#[cfg(feature = "gpu")]
const SHARE: u64 = 1 << 30;

/// The smallest share, in bytes, that makes an additional feeder worthwhile.
#[cfg(feature = "gpu")]
const LEAST_SHARE: u64 = 64 << 20;

/// Returns how many feeders (at least one) can share `room` bytes of memory.
#[cfg(feature = "gpu")]
fn most_feeders(room: u64) -> u64 {
    (room / SHARE).max((room / LEAST_SHARE).clamp(1, Device::FEEDERS as u64))
}
