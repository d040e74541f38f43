//! Devices: what there is, what each has done, and what has failed.

use std::fmt;
use std::sync::{LazyLock, Mutex, OnceLock, PoisonError};

use super::description::DeviceDescription;
#[cfg(feature = "gpu")]
use super::host::{Driver, DriverFailure, Found, LazyDriver};
#[cfg(feature = "gpu")]
use super::shares::{Share, Shares};
use super::work::DeviceWork;

/// A device that counts units.
pub struct Device {
    index: usize,
    /// What its driver says about it.
    pub description: DeviceDescription,
    /// Why it is not used any more.
    failure: OnceLock<String>,
    work: Mutex<DeviceWork>,
    #[cfg(feature = "gpu")]
    driver: LazyDriver,
    #[cfg(feature = "gpu")]
    shares: Shares,
}

/// All devices.
#[cfg(feature = "gpu")]
fn found() -> Vec<Device> {
    let found = beside(super::cuda::devices(), super::opencl::devices(&super::host::SIZES));
    found.into_iter().enumerate().map(|(index, found)| Device::new(index, found)).collect()
}

/// Without the feature there are none.
#[cfg(not(feature = "gpu"))]
fn found() -> Vec<Device> {
    Vec::new()
}

/// Devices, and others that are not plugged in where one of the first is.
#[cfg(feature = "gpu")]
fn beside(mut devices: Vec<Found>, others: Vec<Found>) -> Vec<Found> {
    let slots: Vec<_> = devices.iter().filter_map(|(device, _)| device.slot).collect();
    devices.extend(others.into_iter().filter(|(other, _)| other.slot.is_none_or(|slot| !slots.contains(&slot))));
    devices
}

impl Device {
    /// What stands in the place of a kernel's name, in [`Engine::kernel`](crate::Engine::kernel) and in records, where
    /// devices count.
    pub const KERNEL: &str = "gpu";

    /// All devices that this machine has, CPUs with a driver for kernels included. They stay the same as long as the
    /// program runs.
    ///
    /// ```
    /// for device in queencount::Device::all() {
    ///     println!("{}: {}, {} MiB", device.index(), device.description.name, device.description.memory >> 20);
    /// }
    /// ```
    pub fn all() -> &'static [Self] {
        static ALL: LazyLock<Vec<Device>> = LazyLock::new(found);
        &ALL
    }

    /// Its number among [`Device::all`].
    pub fn index(&self) -> usize {
        self.index
    }

    /// Why it is not used any more: what its driver said when it failed. Units that it had in hand are counted on the
    /// CPU.
    pub fn failure(&self) -> Option<String> {
        self.failure.get().cloned()
    }

    /// What it has done since the program began.
    pub fn work(&self) -> DeviceWork {
        *self.work.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(feature = "gpu")]
impl Device {
    /// A device that has no feeders yet.
    pub(super) fn new(index: usize, (description, driver): Found) -> Self {
        let (failure, work, shares) = Default::default();
        Self { index, description, failure, work, driver, shares }
    }

    /// The clocks of all its multiprocessors in a second.
    pub(super) fn clocks_per_second(&self) -> f64 {
        f64::from(self.description.multiprocessors) * self.description.clock_rate
    }

    /// A share for one more feeder, if there is room and it has not failed.
    pub(super) fn share(&self) -> Result<Option<Share<'_>>, DriverFailure> {
        if self.failure.get().is_some() {
            return Ok(None);
        }
        self.shares.take(|| self.driver()?.free_memory())
    }

    /// Its driver, which compiles the kernels when it is first asked for.
    pub(super) fn driver(&self) -> Result<&dyn Driver, DriverFailure> {
        self.driver.as_deref().map_err(Clone::clone)
    }

    /// Remembers why it is not to be used any more.
    pub(super) fn fail(&self, failure: DriverFailure) {
        let _ = self.failure.set(failure.0);
    }

    /// Remembers what it has done.
    pub(super) fn add(&self, work: &DeviceWork) {
        self.work.lock().unwrap_or_else(PoisonError::into_inner).add(work);
    }
}

impl fmt::Debug for Device {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Device").field("index", &self.index).field("name", &self.description.name).finish()
    }
}

#[cfg(all(test, feature = "gpu"))]
mod tests {
    use super::*;

    #[test]
    fn a_gpu_that_two_drivers_offer_is_listed_once() {
        let fake = |&slot: &Option<(u32, u32)>| -> Found {
            let (name, interface, is_cpu, memory) = ("fake".to_owned(), "none".to_owned(), false, u64::MAX);
            let (local_memory, multiprocessors, clock_rate, group) = (0, 1, 1e9, 256);
            let description = DeviceDescription {
                name,
                interface,
                is_cpu,
                memory,
                local_memory,
                multiprocessors,
                clock_rate,
                slot,
                group,
            };
            (description, LazyDriver::new(Box::new(|| Err(DriverFailure("a fake has none".to_owned())))))
        };
        let fakes = |slots: &[Option<(u32, u32)>]| slots.iter().map(fake).collect();
        // Two parts of one GPU are two devices.
        let first = fakes(&[Some((1, 0)), Some((1, 0))]);
        let listed = beside(first, fakes(&[Some((1, 0)), Some((2, 0)), Some((1, 1)), None, None]));
        let slots: Vec<_> = listed.iter().map(|(device, _)| device.slot).collect();
        assert_eq!(slots, [Some((1, 0)), Some((1, 0)), Some((2, 0)), Some((1, 1)), None, None]);
    }
}
