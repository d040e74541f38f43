//! Devices: what there is, and what has failed.

use std::fmt;
use std::sync::{Mutex, OnceLock, PoisonError};

use super::driver;
use super::host::Failure;

/// A device that counts units.
pub struct Device {
    index: usize,
    pub(super) driver: driver::Device,
    /// Why it is not used any more.
    failure: Mutex<Option<Failure>>,
}

static ALL: OnceLock<Vec<Device>> = OnceLock::new();

impl Device {
    /// All devices that this machine has, CPUs with a driver for kernels included. They stay the same as long as the
    /// program runs.
    ///
    /// ```
    /// for device in queencount::Device::all() {
    ///     println!("{}: {}, {} MiB", device.index(), device.name(), device.memory() >> 20);
    /// }
    /// ```
    pub fn all() -> &'static [Self] {
        ALL.get_or_init(|| {
            let fitting = driver::Device::all().into_iter().filter(driver::Device::fits).enumerate();
            fitting.map(|(index, driver)| Self { index, driver, failure: Mutex::default() }).collect()
        })
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
        format!("OpenCL, driver {}", self.driver.driver())
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

    /// Remembers why it is not to be used any more.
    pub(super) fn fail(&self, failure: Failure) {
        self.failure.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(failure);
    }
}

impl fmt::Debug for Device {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Device").field("index", &self.index).field("name", &self.name()).finish()
    }
}
