//! Engine options.

use crate::devices::DeviceSet;
use crate::engine::rows::kernel::Kernel;

/// The kernel, the memory limit and the devices of an engine. They do not affect its counts.
///
/// ```
/// use queencount::{BoardSize, Counter, EngineChoice, EngineOptions};
///
/// let options = EngineOptions {
///     memory_per_thread: Some(64 << 20),
///     ..EngineOptions::default()
/// };
/// let engine = EngineChoice::Rows.build(BoardSize::new(12)?, options);
/// assert_eq!(Counter::new().count(&engine)?, 14_200);
/// # Ok::<(), queencount::CountError>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct EngineOptions {
    /// The kernel of the `rows` engine; `None` means the fastest kernel.
    pub kernel: Option<Kernel>,
    /// The approximate number of bytes that each thread may use; `None` means [the
    /// default](crate::engine::rows::Rows::DEFAULT_MEMORY_PER_THREAD).
    pub memory_per_thread: Option<u64>,
    /// The devices that count units of the `rows` engine.
    pub devices: DeviceSet,
}
