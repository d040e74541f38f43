//! What a driver says about a device.

/// What a driver says about a device.
pub struct Description {
    /// The name that the driver gives to it.
    pub name: String,
    /// The interface, with the version of the driver.
    pub interface: String,
    /// Whether it is a CPU.
    pub is_cpu: bool,
    /// The bytes of its memory.
    pub memory: u64,
    /// The bytes of memory that a group of work-items shares.
    pub local_memory: u64,
    /// How many multiprocessors it has, and the clocks of each in a second at most.
    pub multiprocessors: u32,
    pub clock_rate: f64,
    /// Where it is plugged in, if the driver tells: the numbers of the bus and of the place on it.
    #[cfg(feature = "gpu")]
    pub slot: Option<(u32, u32)>,
    /// The work-items of a group.
    #[cfg(feature = "gpu")]
    pub group: usize,
}
