//! The interface between feeders and the [`Driver`] of a device.

#![expect(unsafe_code, reason = "calls to drivers")]

use std::collections::HashMap;
use std::ffi::CStr;

use self::Memory::*;
use crate::cancel::EngineError;

/// The possible group sizes, best first. The largest is best because a group takes so much local
/// memory that a processor has room for only one.
pub(super) const SIZES: [usize; 2] = [1024, 256];

/// The possible numbers of chunks, fastest first.
pub(super) const CHUNKS: [u32; 3] = [3, 4, 5];

#[derive(Clone, Copy)]
pub(super) struct GpuKernel {
    pub name: &'static CStr,
    /// The buffers that are passed after the integer arguments.
    pub memories: &'static [Memory],
}

pub(super) const PERMUTE: GpuKernel = kernel(c"permute", &[Permutation, Words]);
pub(super) const TALLY: GpuKernel = kernel(c"tally", &[Lists, Starts, Words, Counts]);
pub(super) const SCAN: GpuKernel = kernel(c"scan", &[Counts, Totals]);
pub(super) const FILE: GpuKernel = kernel(
    c"file",
    &[Lists, Starts, Words, Counts, Offsets, Boards, Keys],
);
/// The join kernels, one for each number in [`CHUNKS`].
pub(super) const JOINS: [GpuKernel; 3] = [join(c"join_3"), join(c"join_4"), join(c"join_5")];

const fn join(name: &'static CStr) -> GpuKernel {
    kernel(name, &[Items, Weights, Offsets, Counts, Boards, Keys, Sums])
}

const fn kernel(name: &'static CStr, memories: &'static [Memory]) -> GpuKernel {
    GpuKernel { name, memories }
}

pub(super) type Kernels = HashMap<&'static CStr, usize>;

pub(super) fn kernels(mut make: impl FnMut(&CStr) -> DriverResult<usize>) -> DriverResult<Kernels> {
    let all = [PERMUTE, TALLY, SCAN, FILE].into_iter().chain(JOINS);
    all.map(|kernel| Ok((kernel.name, make(kernel.name)?)))
        .collect()
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Memory {
    /// The quarter-boards.
    Words,
    /// The start of each bin of quarter-boards.
    Starts,
    /// The bit position of each diagonal.
    Permutation,
    /// The lists of half-boards to generate.
    Lists,
    /// The number of half-boards in each bin and slice of each list.
    Counts,
    /// Where the half-boards with 0, 1 and 2 marks start in each list, and the length of the list.
    Totals,
    /// Where each list starts in the array of half-boards.
    Offsets,
    Boards,
    Keys,
    /// The blocks to join.
    Items,
    Weights,
    /// The count of each block.
    Sums,
}

#[derive(Clone, Debug)]
pub(super) struct DriverFailure {
    pub message: String,
    /// Whether the driver ran out of memory and can still be used.
    pub lacks_memory: bool,
}

pub(super) type DriverResult<T> = Result<T, DriverFailure>;

pub(super) type DeviceResult<T> = Result<T, Refusal>;

#[derive(Debug)]
pub(super) enum Refusal {
    /// Counting was cancelled, or the CPU ran out of memory.
    EngineError(EngineError),
    /// The unit has too many diagonals for the tables, or its lists are too long for the memory.
    TooLarge,
    Driver(DriverFailure),
}

impl From<EngineError> for Refusal {
    fn from(stopped: EngineError) -> Self {
        Self::EngineError(stopped)
    }
}

impl From<DriverFailure> for Refusal {
    fn from(failure: DriverFailure) -> Self {
        Self::Driver(failure)
    }
}

pub(super) type Compiled = DriverResult<Box<dyn Driver>>;

/// The operations of a device. Queues and buffers are opaque handles, which only one thread may use
/// at a time. A queue executes its commands in order.
///
/// # Errors
/// All methods can fail, possibly because of an earlier command.
///
/// # Safety
/// Handles must have been created by this driver, and must not have been released.
pub(super) trait Driver: Send + Sync {
    /// Returns the size of the free device memory in bytes.
    fn free_memory(&self) -> DriverResult<u64>;

    fn create_queue(&self) -> DriverResult<usize>;

    /// Allocates a buffer of `bytes` bytes (at least one).
    fn allocate(&self, bytes: usize) -> DriverResult<usize>;

    /// Releases a buffer. No command may still be using the buffer.
    unsafe fn release(&self, memory: usize) -> DriverResult<()>;

    unsafe fn release_queue(&self, queue: usize) -> DriverResult<()>;

    /// Waits for all commands in a queue.
    unsafe fn finish(&self, queue: usize) -> DriverResult<()>;

    /// Copies bytes to the beginning of a buffer, which must be large enough.
    unsafe fn write(&self, queue: usize, memory: usize, bytes: &[u8]) -> DriverResult<()>;

    /// Waits for all commands, then copies bytes from the beginning of a buffer, which must be
    /// large enough.
    unsafe fn read(&self, queue: usize, memory: usize, bytes: &mut [u8]) -> DriverResult<()>;

    /// Launches a kernel, whose parameters must match the numbers and buffers.
    unsafe fn launch(&self, queue: usize, launch: Launch) -> DriverResult<()>;
}

pub(super) struct Launch<'a> {
    pub kernel: &'static CStr,
    /// The number of groups, at least one.
    pub groups: usize,
    /// The local memory per group in bytes.
    pub local: usize,
    pub numbers: &'a [u32],
    pub memories: &'a [usize],
}

/// Declares a driver's library: its file names, and its functions grouped by return type.
#[cfg(feature = "gpu")]
macro_rules! functions {
    ($names:expr; $($result:ty { $($name:ident($($arguments:tt)*);)* })*) => {
        use dlopen2::wrapper::WrapperApi;

        #[derive(WrapperApi)]
        pub(super) struct Api {
            $($($name: unsafe extern "C" fn($($arguments)*) -> $result,)*)*
        }

        static API: std::sync::LazyLock<super::host::Library<Api>> =
            // SAFETY: libraries with these names have functions with these signatures.
            std::sync::LazyLock::new(|| unsafe { super::host::load(&$names) });
    };
}
#[cfg(feature = "gpu")]
pub(super) use functions;

#[cfg(feature = "gpu")]
pub(super) type Library<T> = DriverResult<Option<dlopen2::wrapper::Container<T>>>;

/// Loads the first of these libraries that exists.
///
/// # Safety
/// Libraries with these names must have functions with these signatures.
#[cfg(feature = "gpu")]
pub(super) unsafe fn load<T: dlopen2::wrapper::WrapperApi>(names: &[&str]) -> Library<T> {
    for name in names {
        // SAFETY: guaranteed by the caller.
        match unsafe { dlopen2::wrapper::Container::load(name) } {
            Err(dlopen2::Error::OpeningLibraryError(_)) => {}
            library => {
                return library.map(Some).map_err(|error| DriverFailure {
                    message: format!("{name} lacks a function: {error}"),
                    lacks_memory: false,
                });
            }
        }
    }
    Ok(None)
}

#[cfg(feature = "gpu")]
pub(super) fn text(bytes: &[u8]) -> String {
    CStr::from_bytes_until_nul(bytes)
        .unwrap_or_default()
        .to_string_lossy()
        .trim()
        .to_owned()
}
