//! Devices: what there is, and what has failed.

use std::fmt;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, OnceLock, PoisonError};

use super::host::{Driver, Failure};

/// A device that counts units.
pub struct Device {
    index: usize,
    pub(super) driver: Box<dyn Driver>,
    /// The feeders that it has.
    feeders: AtomicU64,
    /// Why it is not used any more.
    failure: Mutex<Option<Failure>>,
}

/// The drivers of all devices.
#[cfg(feature = "gpu")]
fn drivers() -> Vec<Box<dyn Driver>> {
    let cuda: Vec<Box<dyn Driver>> = super::cuda::devices().into_iter().map(|driver| Box::new(driver) as _).collect();
    let opencl = super::opencl::devices(&super::host::SIZES).into_iter().map(|driver| Box::new(driver) as _);
    beside(cuda, opencl)
}

/// Without the feature there are none.
#[cfg(not(feature = "gpu"))]
fn drivers() -> Vec<Box<dyn Driver>> {
    Vec::new()
}

/// Devices, and others that are not plugged in where one of the first is.
#[cfg(feature = "gpu")]
fn beside(mut devices: Vec<Box<dyn Driver>>, others: impl Iterator<Item = Box<dyn Driver>>) -> Vec<Box<dyn Driver>> {
    let slots: Vec<_> = devices.iter().filter_map(|device| device.slot()).collect();
    devices.extend(others.filter(|other| other.slot().is_none_or(|slot| !slots.contains(&slot))));
    devices
}

/// The memory of a feeder, in bytes: enough for the half-boards that keep a large device busy, and for the quarter-boards
/// that they are made of. A device has as many feeders as have room on it, at least one.
const SHARE: u64 = 1 << 30;

static ALL: OnceLock<Vec<Device>> = OnceLock::new();

impl Device {
    /// What stands in the place of a kernel's name, in [`Engine::kernel`](crate::Engine::kernel) and in records, where
    /// devices count.
    pub const KERNEL: &str = "gpu";

    /// All devices that this machine has, CPUs with a driver for kernels included. They stay the same as long as the
    /// program runs.
    ///
    /// ```
    /// for device in queencount::Device::all() {
    ///     println!("{}: {}, {} MiB", device.index(), device.name(), device.memory() >> 20);
    /// }
    /// ```
    pub fn all() -> &'static [Self] {
        ALL.get_or_init(|| drivers().into_iter().enumerate().map(|(index, driver)| Self::new(index, driver)).collect())
    }

    /// A device that has no feeders yet.
    pub(super) fn new(index: usize, driver: Box<dyn Driver>) -> Self {
        Self { index, driver, feeders: AtomicU64::new(0), failure: Mutex::default() }
    }

    /// The devices that have failed since the program began. No driver is loaded for it.
    pub fn failed() -> impl Iterator<Item = &'static Self> {
        ALL.get().into_iter().flatten().filter(|device| device.failure().is_some())
    }

    /// Its number among [`Device::all`].
    pub fn index(&self) -> usize {
        self.index
    }

    /// The name that its driver gives to it.
    pub fn name(&self) -> String {
        self.driver.name()
    }

    /// The interface that it is used by, with the version of the driver.
    pub fn interface(&self) -> String {
        self.driver.interface()
    }

    /// Its memory, in bytes.
    pub fn memory(&self) -> u64 {
        self.driver.memory()
    }

    /// The memory that a group of its work-items shares, in bytes. The more there is, the fewer lookups a pair takes.
    pub fn local_memory(&self) -> u64 {
        self.driver.local_memory()
    }

    /// Whether it is the CPU, with a driver for kernels: good for tests, but slower than the kernels for CPUs.
    pub fn is_cpu(&self) -> bool {
        self.driver.is_cpu()
    }

    /// Why it is not used any more: what its driver said when it failed. Units that it had in hand are counted on the
    /// CPU.
    pub fn failure(&self) -> Option<String> {
        self.failure.lock().unwrap_or_else(PoisonError::into_inner).as_ref().map(ToString::to_string)
    }

    /// A place for one more feeder, if there is room.
    pub(super) fn place(&'static self) -> Option<Place> {
        // The rest is for what else the machine shows and does with it.
        let room = self.memory() / 8 * 7;
        let most = (room / SHARE).max(1);
        let one_more = |feeders: u64| (feeders < most).then_some(feeders + 1);
        self.feeders.fetch_update(Ordering::Relaxed, Ordering::Relaxed, one_more).ok()?;
        Some(Place { device: self, share: room / most })
    }

    /// Remembers why it is not to be used any more.
    pub(super) fn fail(&self, failure: Failure) {
        self.failure.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(failure);
    }
}

/// The place of a feeder on a device. It becomes free when it is dropped.
pub struct Place {
    pub device: &'static Device,
    /// The bytes of memory that the feeder may take.
    pub share: u64,
}

impl Drop for Place {
    fn drop(&mut self) {
        self.device.feeders.fetch_sub(1, Ordering::Relaxed);
    }
}

impl fmt::Debug for Device {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Device").field("index", &self.index).field("name", &self.name()).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::rows::gpu::host::{Commands, Slot};

    /// A device that cannot count.
    struct Fake {
        slot: Option<Slot>,
        memory: u64,
    }

    impl Driver for Fake {
        fn name(&self) -> String {
            "fake".to_owned()
        }

        fn interface(&self) -> String {
            "none".to_owned()
        }

        fn is_cpu(&self) -> bool {
            false
        }

        fn slot(&self) -> Option<Slot> {
            self.slot
        }

        fn memory(&self) -> u64 {
            self.memory
        }

        fn local_memory(&self) -> u64 {
            0
        }

        fn size(&self) -> usize {
            0
        }

        fn commands(&self) -> Result<Box<dyn Commands + '_>, Failure> {
            Err(Failure("a fake has no commands".to_owned()))
        }
    }

    #[cfg(feature = "gpu")]
    #[test]
    fn a_gpu_that_two_drivers_offer_is_listed_once() {
        let fakes = |slots: &[Option<Slot>]| -> Vec<Box<dyn Driver>> {
            slots.iter().map(|&slot| Box::new(Fake { slot, memory: 0 }) as _).collect()
        };
        // Two parts of one GPU are two devices.
        let first = fakes(&[Some((1, 0)), Some((1, 0))]);
        let listed = beside(first, fakes(&[Some((1, 0)), Some((2, 0)), Some((1, 1)), None, None]).into_iter());
        let slots: Vec<_> = listed.iter().map(|driver| driver.slot()).collect();
        assert_eq!(slots, [Some((1, 0)), Some((1, 0)), Some((2, 0)), Some((1, 1)), None, None]);
    }

    #[test]
    fn feeders_share_the_memory_of_a_device() {
        for (mebibytes, feeders) in [(0, 1), (100, 1), (2000, 1), (2400, 2), (16 << 10, 14)] {
            let memory = mebibytes << 20;
            let device: &Device = Box::leak(Box::new(Device::new(0, Box::new(Fake { slot: None, memory }))));
            let mut places: Vec<Place> = std::iter::from_fn(|| device.place()).collect();
            assert_eq!(places.len(), feeders, "{mebibytes} MiB");
            assert!(places.iter().map(|place| place.share).sum::<u64>() <= memory, "{mebibytes} MiB");
            places.pop();
            assert!(device.place().is_some(), "{mebibytes} MiB");
        }
    }
}
