//! The interface between feeders and the driver of a device.

#![expect(unsafe_code, reason = "declares the launch of kernels")]

use self::Memory::*;
use crate::cancel::EngineError;

/// The possible group sizes, best first. The largest is best because a group takes so much local
/// memory that a processor has room for only one or two.
pub(super) const SIZES: [usize; 2] = [1024, 256];

/// The possible numbers of chunks, fastest first.
pub(super) const CHUNKS: [u32; 5] = [3, 4, 5, 6, 8];

#[derive(Clone, Copy, Debug)]
pub(super) struct GpuKernel {
    pub name: &'static str,
    /// The buffers that are passed after the integer arguments.
    pub memories: &'static [Memory],
}

pub(super) const PERMUTE: GpuKernel = kernel("permute", &[Permutation, Words]);
pub(super) const TALLY: GpuKernel = kernel("tally", &[Lists, Starts, Words, Counts]);
pub(super) const SCAN: GpuKernel = kernel("scan", &[Counts, Totals]);
pub(super) const FILE: GpuKernel = kernel(
    "file",
    &[Lists, Starts, Words, Counts, Offsets, Boards, Keys],
);

/// Returns the join kernel for one of the numbers in [`CHUNKS`].
pub(super) const fn join(chunks: u32) -> GpuKernel {
    let name = match chunks {
        3 => "join_3",
        4 => "join_4",
        5 => "join_5",
        6 => "join_6",
        8 => "join_8",
        _ => panic!("there is no kernel for this number of chunks"),
    };
    kernel(name, &[Items, Weights, Offsets, Counts, Boards, Keys, Sums])
}

const fn kernel(name: &'static str, memories: &'static [Memory]) -> GpuKernel {
    GpuKernel { name, memories }
}

/// Returns all kernels.
pub(super) fn kernels() -> impl Iterator<Item = GpuKernel> {
    [PERMUTE, TALLY, SCAN, FILE]
        .into_iter()
        .chain(CHUNKS.map(join))
}

/// A buffer of a queue.
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

/// What the driver failed to do, and its error.
#[derive(Clone, Debug, thiserror::Error)]
#[error("{doing}: {error}")]
pub(super) struct DriverFailure {
    pub doing: &'static str,
    pub error: String,
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

/// A driver that has compiled the kernels for a device.
pub(super) trait Driver: Send + Sync {
    fn create_queue(&self) -> DriverResult<Box<dyn Commands + '_>>;
}

/// A queue of commands for a device, which executes them in order, and its buffers, at most one for
/// each [`Memory`]. When it is dropped, it waits for the commands and releases everything.
///
/// # Errors
/// All methods can fail, possibly because of an earlier command.
///
/// # Panics
/// All methods panic if a buffer that they use has not been allocated.
pub(super) trait Commands: Send {
    /// Releases a buffer, if there is one, and allocates one of `bytes` bytes (at least one)
    /// instead. If this fails, there is no buffer.
    fn allocate(&mut self, memory: Memory, bytes: usize) -> DriverResult<()>;

    /// Copies bytes to the beginning of a buffer, which must be large enough.
    fn write(&mut self, memory: Memory, bytes: &[u8]) -> DriverResult<()>;

    /// Waits for all commands, then copies bytes from the beginning of a buffer, which must be
    /// large enough.
    fn read(&mut self, memory: Memory, bytes: &mut [u8]) -> DriverResult<()>;

    /// Launches a kernel with `groups` groups (at least one), each with `local` bytes of local
    /// memory.
    ///
    /// # Safety
    /// The numbers must match the kernel's parameters, and its buffers must be large enough.
    unsafe fn launch(
        &mut self,
        kernel: GpuKernel,
        groups: usize,
        local: usize,
        numbers: &[u32],
    ) -> DriverResult<()>;
}
