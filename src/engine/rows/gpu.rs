//! Units counted on a GPU: the same lists and the same pairs as on a CPU, by other loops.
//!
//! A CPU thread finds quarter-boards and feeds the device with them. All else happens there, for
//! many column sets at once: half-boards are made, sorted by key, and joined block by block.
//! Threads have queues of their own, so that the device works for one while others prepare.
//!
//! - `kernels.c` is what runs on the device, `host` what kernels and hosts agree on. Hosts are
//!   `cuda`, for NVIDIA's GPUs, and `opencl`, for all others.
//! - `feeder` has a `device` count a unit, in batches, by a `queue` of commands. It is fed with
//!   `quarters`, and a `layout`, which is the key, and the tables that fit it.
//!
//! Without the feature `gpu` there are no hosts, and so no devices.

#![cfg_attr(
    not(feature = "gpu"),
    allow(dead_code, reason = "there is no driver, and so no device")
)]

#[cfg(feature = "gpu")]
mod cuda;
mod device;
mod feeder;
mod host;
mod layout;
#[cfg(feature = "gpu")]
mod opencl;
mod quarters;
mod queue;
#[cfg(all(test, feature = "gpu"))]
mod tests;

use std::sync::LazyLock;

pub use self::device::{Device, DeviceDescription};
pub use self::feeder::Feeder;

/// All devices, and what keeps drivers from showing more.
static FOUND: LazyLock<(Vec<Device>, Vec<String>)> = LazyLock::new(found);

impl Device {
    /// All devices that this machine has, CPUs with a driver for kernels included; of more than 64
    /// the first. They stay the same as long as the program runs.
    ///
    /// ```
    /// for device in queencount::Device::all() {
    ///     println!("{device}: {}, {} MiB", device.description.name, device.description.memory >> 20);
    /// }
    /// ```
    pub fn all() -> &'static [Self] {
        &FOUND.0
    }

    /// What the drivers say that are there but cannot be used, so that their devices are not among
    /// [`Device::all`].
    pub fn failed_drivers() -> &'static [String] {
        &FOUND.1
    }
}

#[cfg(feature = "gpu")]
fn found() -> (Vec<Device>, Vec<String>) {
    let mut failures = Vec::new();
    let mut usable = |kind: &str, found: host::Driven<Vec<Device>>| {
        found.unwrap_or_else(|failure| {
            failures.push(format!("{kind} cannot be used: {}", failure.said));
            Vec::new()
        })
    };
    let mut devices = usable("NVIDIA's driver", cuda::devices());
    // NVIDIA's GPUs have a driver for OpenCL, too. It is asked where there is none for CUDA.
    let drivers = opencl::drivers(&host::SIZES, !devices.is_empty());
    for found in drivers.unwrap_or_else(|failure| vec![Err(failure)]) {
        devices.extend(usable("a driver for OpenCL", found));
    }
    // A choice of devices has a bit for each.
    devices.truncate(64);
    devices
        .iter_mut()
        .enumerate()
        .for_each(|(index, device)| device.index = index);
    (devices, failures)
}

#[cfg(not(feature = "gpu"))]
fn found() -> (Vec<Device>, Vec<String>) {
    Default::default()
}
