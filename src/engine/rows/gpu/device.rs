//! Devices.

use std::fmt;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU64, Ordering};

#[cfg(feature = "gpu")]
use super::opencl::{DriverFailure, OpenCl};

/// A device that counts units. It is displayed in the form that the `--device` option expects:
/// `gpu:`, followed by its index or, if it is a CPU with an OpenCL driver, by its full name.
pub struct Device {
    pub(super) index: usize,
    /// The driver's description of the device.
    pub description: DeviceDescription,
    failure: OnceLock<String>,
    pub(super) units_declined: AtomicU64,
    #[cfg(feature = "gpu")]
    pub(super) opencl: OpenCl,
}

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
    pub(super) fn new(description: DeviceDescription, opencl: OpenCl) -> Self {
        Self {
            index: 0,
            description,
            failure: OnceLock::new(),
            units_declined: AtomicU64::new(0),
            opencl,
        }
    }

    /// Disables the device. Only the first failure is kept.
    pub(super) fn fail(&self, failure: &DriverFailure) {
        let _ = self
            .failure
            .set(format!("{} failed while {failure}", self.label()));
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

/// What the drivers list.
#[derive(Default)]
pub(super) struct Found {
    pub devices: Vec<Device>,
    /// The error messages of drivers that cannot be used.
    pub failures: Vec<String>,
    /// Why there are no devices.
    pub absence: String,
}
