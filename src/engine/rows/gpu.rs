//! Counts units on a GPU. Lists and pairs are the same as on a CPU; only the loops differ.
//!
//! A CPU thread finds quarter-boards and uploads them to the device. The device then generates
//! half-boards for many column sets at a time, sorts them by key, and joins them block by block.
//! Each thread has its own queue, so the device can work for one thread while the others find
//! quarter-boards.
//!
//! The kernels are in `kernels.c`. `opencl` implements the interface in `driver`. Without the `gpu`
//! feature, there are no devices.

#![cfg_attr(
    not(feature = "gpu"),
    allow(dead_code, reason = "without a driver there is no device")
)]

mod device;
mod driver;
#[cfg(test)]
mod fake;
mod feeder;
mod layout;
#[cfg(feature = "gpu")]
mod opencl;
mod quarters;
mod queue;
#[cfg(all(test, feature = "gpu"))]
mod tests;

use std::sync::LazyLock;

pub use self::device::{Device, DeviceDescription};
pub(crate) use self::feeder::Feeder;

/// The results of [`Device::all`] and [`Device::failed_drivers`].
static FOUND: LazyLock<(Vec<Device>, Vec<String>)> = LazyLock::new(find_devices);

impl Device {
    /// Returns the devices of this machine (at most 64), including CPUs with an OpenCL driver.
    /// Every call returns the same list.
    ///
    /// ```
    /// for device in queencount::Device::all() {
    ///     let description = &device.description;
    ///     println!("{device}: {}, {} MiB", description.name, description.memory >> 20);
    /// }
    /// ```
    pub fn all() -> &'static [Self] {
        &FOUND.0
    }

    /// Returns the error messages of installed drivers that cannot be used. The devices of these
    /// drivers are not in [`Device::all`].
    pub fn failed_drivers() -> &'static [String] {
        &FOUND.1
    }
}

#[cfg(feature = "gpu")]
fn find_devices() -> (Vec<Device>, Vec<String>) {
    let mut failures = Vec::new();
    let mut devices = Vec::new();
    let drivers = opencl::drivers(&driver::SIZES);
    for found in drivers.unwrap_or_else(|failure| vec![Err(failure)]) {
        match found {
            Ok(found) => devices.extend(found),
            Err(failure) => failures.push(format!(
                "an OpenCL driver cannot be used: {}",
                failure.message
            )),
        }
    }
    // A `DeviceSet` is a 64-bit mask.
    devices.truncate(64);
    for (index, device) in devices.iter_mut().enumerate() {
        device.index = index;
    }
    (devices, failures)
}

#[cfg(not(feature = "gpu"))]
fn find_devices() -> (Vec<Device>, Vec<String>) {
    Default::default()
}
