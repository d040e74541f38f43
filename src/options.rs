//! The options of an engine.

use crate::devices::DeviceSet;
use crate::engine::rows::kernel::Kernel;

/// The options of an engine: its kernel, memory limit and devices. They do not affect the result of
/// a count.
///
/// ```
/// use queencount::{BoardSize, Counter, EngineChoice, EngineOptions, Kernel};
///
/// let kernel: Kernel = "portable".parse()?;
/// let options = EngineOptions::new().kernel(kernel).memory_per_thread(64 << 20);
/// let engine = EngineChoice::Rows.build(BoardSize::new(12)?, options);
/// assert_eq!(Counter::default().count(&engine)?, 14_200);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct EngineOptions {
    pub(crate) kernel: Option<Kernel>,
    pub(crate) memory_per_thread: Option<u64>,
    pub(crate) devices: DeviceSet,
}

impl EngineOptions {
    /// Returns the default options: the fastest kernel, [the default memory
    /// limit](crate::engine::rows::Rows::DEFAULT_MEMORY_PER_THREAD), and no devices.
    pub fn new() -> Self {
        Self::default()
    }

    /// Sets the kernel of the `rows` engine; `None` means the fastest kernel.
    #[must_use]
    pub fn kernel(mut self, kernel: impl Into<Option<Kernel>>) -> Self {
        self.kernel = kernel.into();
        self
    }

    /// Sets the approximate number of bytes that each thread may use; `None` means [the
    /// default](crate::engine::rows::Rows::DEFAULT_MEMORY_PER_THREAD).
    #[must_use]
    pub fn memory_per_thread(mut self, bytes: impl Into<Option<u64>>) -> Self {
        self.memory_per_thread = bytes.into();
        self
    }

    /// Sets the devices that count units of the `rows` engine.
    #[must_use]
    pub fn devices(mut self, devices: DeviceSet) -> Self {
        self.devices = devices;
        self
    }
}
