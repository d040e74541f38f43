//! Units counted on a GPU: the same lists and the same pairs as on a CPU, by other loops.
//!
//! A CPU thread finds quarter-boards and feeds the device with them. All else happens there, for many column sets at
//! once: half-boards are made, sorted by key, and joined block by block. Threads have queues of their own, so that the
//! device works for one while others prepare.
//!
//! - `kernels.c` is what runs on the device, `host` what kernels and hosts agree on. Hosts are `cuda`, for NVIDIA's GPUs,
//!   and `opencl`, for all others; each has the functions of its driver in `api`.
//! - `device` is a device as its driver describes it, `shares` which memory each feeder has of it.
//! - A device is fed with `quarters`, and a `layout`, which is the key, and the tables that fit it.
//! - `feeder` has a device count a unit, in batches, by a `queue` of commands.
//!
//! Without the feature `gpu` there are no devices, and so no feeders.

#[cfg(feature = "gpu")]
mod cuda;
mod device;
#[cfg(feature = "gpu")]
mod feeder;
#[cfg(feature = "gpu")]
mod host;
#[cfg(feature = "gpu")]
mod layout;
#[cfg(feature = "gpu")]
mod opencl;
#[cfg(feature = "gpu")]
mod quarters;
#[cfg(feature = "gpu")]
mod queue;
#[cfg(feature = "gpu")]
mod shares;
#[cfg(all(test, feature = "gpu"))]
mod tests;

use std::sync::LazyLock;

pub use self::device::{Device, DeviceDescription};
#[cfg(feature = "gpu")]
pub use self::feeder::Feeder;
#[cfg(not(feature = "gpu"))]
pub use self::without::Feeder;

/// All devices, and what keeps drivers from showing more.
static FOUND: LazyLock<(Vec<Device>, Vec<String>)> = LazyLock::new(found);

impl Device {
    /// All devices that this machine has, CPUs with a driver for kernels included. They stay the same as long as the
    /// program runs.
    ///
    /// ```
    /// for device in queencount::Device::all() {
    ///     println!("{device}: {}, {} MiB", device.description.name, device.description.memory >> 20);
    /// }
    /// ```
    pub fn all() -> &'static [Self] {
        &FOUND.0
    }

    /// What the drivers say that are there but cannot be used, so that their devices are not among [`Device::all`].
    pub fn failed_drivers() -> &'static [String] {
        &FOUND.1
    }
}

#[cfg(feature = "gpu")]
fn found() -> (Vec<Device>, Vec<String>) {
    let cuda = cuda::devices();
    // NVIDIA's GPUs have a driver for OpenCL, too. It is asked where there is none for CUDA.
    let has_cuda = cuda.iter().any(Result::is_ok);
    let others = opencl::devices(&host::SIZES).into_iter();
    let others = others.filter(|found| !has_cuda || !found.as_ref().is_ok_and(|found| found.is_nvidia));
    let (mut devices, mut failures) = (Vec::new(), Vec::new());
    for found in cuda.into_iter().chain(others) {
        match found {
            Ok(found) => devices.push(Device::new(devices.len(), found)),
            Err(failure) => failures.push(failure.0),
        }
    }
    (devices, failures)
}

#[cfg(not(feature = "gpu"))]
fn found() -> (Vec<Device>, Vec<String>) {
    Default::default()
}

/// Without the feature nobody feeds a device.
#[cfg(not(feature = "gpu"))]
mod without {
    use super::device::Device;
    use crate::engine::rows::lists::quarter::QuarterBoards;
    use crate::engine::rows::theory::tiling::ColumnSet;
    use crate::stop::{Stop, Stopped};

    /// A feeder that there is never.
    pub enum Feeder {}

    impl Feeder {
        /// None.
        pub fn new(_device: &'static Device) -> Option<Self> {
            None
        }

        /// Nobody asks.
        pub fn has_failed(&self) -> bool {
            match *self {}
        }

        /// Nobody counts.
        pub fn count(
            &mut self,
            _sets: &[ColumnSet],
            _columns: impl Fn(ColumnSet) -> [u32; 4],
            _weights: [[u64; 3]; 3],
            _find: impl FnMut(usize, u32, &mut dyn FnMut(&QuarterBoards<u64>)) -> Result<(), Stopped>,
            _stop: &Stop,
        ) -> Result<Option<u128>, Stopped> {
            match *self {}
        }
    }
}
