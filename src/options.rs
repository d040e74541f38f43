//! Engine options.

use crate::devices::DeviceSet;
use crate::engine::rows::kernel::Kernel;

/// The kernel, the memory limit and the devices of an engine. They do not affect its counts.
///
/// ```
/// use queencount::{BoardSize, Counter, EngineChoice, EngineOptions};
///
/// let options = EngineOptions::new().memory_per_thread(64 << 20);
/// let engine = EngineChoice::Rows.build(BoardSize::new(12)?, options);
/// assert_eq!(Counter::new().count(&engine)?, 14_200);
/// # Ok::<(), queencount::CountError>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct EngineOptions {
    pub(crate) kernel: Option<Kernel>,
    pub(crate) memory_per_thread: Option<u64>,
    pub(crate) devices: DeviceSet,
}

impl EngineOptions {
    /// Creates the default options: the fastest kernel, the default memory limit, and no devices.
    pub fn new() -> Self {
        Self::default()
    }

    /// Sets the kernel of the `rows` engine; `None` means the fastest kernel.
    #[must_use]
    pub fn kernel(self, kernel: impl Into<Option<Kernel>>) -> Self {
        Self {
            kernel: kernel.into(),
            ..self
        }
    }

    /// Sets the approximate number of bytes that each thread may use; `None` means [the
    /// default](crate::engine::rows::Rows::DEFAULT_MEMORY_PER_THREAD).
    #[must_use]
    pub fn memory_per_thread(self, bytes: impl Into<Option<u64>>) -> Self {
        Self {
            memory_per_thread: bytes.into(),
            ..self
        }
    }

    /// Sets the devices that count units of the `rows` engine.
    #[must_use]
    pub fn devices(self, devices: DeviceSet) -> Self {
        Self { devices, ..self }
    }
}
