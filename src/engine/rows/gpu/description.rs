//! What a driver says about a device.

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
    /// The clocks of a multiprocessor in a second, at most.
    pub clock_rate: f64,
    /// Where it is plugged in, if the driver tells: the numbers of the bus and of the place on it.
    #[cfg(feature = "gpu")]
    pub(super) slot: Option<(u32, u32)>,
    /// The work-items of a group.
    #[cfg(feature = "gpu")]
    pub(super) group: usize,
}
