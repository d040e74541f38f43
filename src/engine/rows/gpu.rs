//! Counts units on a GPU. Lists and pairs are the same as on a CPU; only the loops differ.
//!
//! A CPU thread finds quarter-boards and uploads them to the device. The device then generates
//! half-boards for many column sets at a time, sorts them by key, and joins them block by block.
//! Each thread has its own queue, so the device can work for one thread while the others find
//! quarter-boards.
//!
//! The kernels are in `kernels.c`. Without the `gpu` feature, [`Feeder`] has no values.

#[cfg(not(feature = "gpu"))]
mod absent;
mod device;
#[cfg(feature = "gpu")]
mod feeder;
#[cfg(feature = "gpu")]
mod kernels;
#[cfg(feature = "gpu")]
mod layout;
#[cfg(feature = "gpu")]
mod opencl;
#[cfg(feature = "gpu")]
mod platforms;
#[cfg(feature = "gpu")]
mod quarters;
#[cfg(feature = "gpu")]
mod queue;
#[cfg(all(test, feature = "gpu"))]
mod tests;

use std::sync::LazyLock;

#[cfg(not(feature = "gpu"))]
pub(crate) use self::absent::Feeder;
use self::device::Found;
pub use self::device::{Device, DeviceDescription};
#[cfg(feature = "gpu")]
pub(crate) use self::feeder::Feeder;

static FOUND: LazyLock<Found> = LazyLock::new(find);

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
        &FOUND.devices
    }

    /// Returns the error messages of installed drivers that cannot be used. The devices of these
    /// drivers are not in [`Device::all`].
    pub fn failed_drivers() -> &'static [String] {
        &FOUND.failures
    }

    /// Returns why [`Device::all`] is empty, or `None` if it is not.
    ///
    /// ```
    /// use queencount::Device;
    ///
    /// assert_eq!(Device::absence().is_none(), !Device::all().is_empty());
    /// ```
    pub fn absence() -> Option<&'static str> {
        FOUND.devices.is_empty().then_some(&FOUND.absence)
    }
}

#[cfg(feature = "gpu")]
fn find() -> Found {
    let mut found = platforms::find(&kernels::SIZES);
    // A `DeviceSet` is a 64-bit mask.
    found.devices.truncate(64);
    for (index, device) in found.devices.iter_mut().enumerate() {
        device.index = index;
    }
    found
}

#[cfg(not(feature = "gpu"))]
fn find() -> Found {
    Found {
        absence: "this program was built without support for GPUs; \
                  'cargo install --path . --features gpu' adds it"
            .to_owned(),
        ..Found::default()
    }
}
