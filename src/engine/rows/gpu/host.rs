//! What kernels, hosts and those who use them agree on.
//!
//! A host is what talks to one kind of drivers. It shows a [`Driver`] for each device, which makes [`Commands`].

#![expect(unsafe_code, reason = "a driver is code that Rust cannot check")]

use std::sync::LazyLock;

use dlopen2::Error;
use dlopen2::wrapper::{Container, WrapperApi};

use crate::stop::Stopped;

/// The work-items that a group may have: the more the better, because a group has most of a processor's memory to itself.
pub const SIZES: [usize; 2] = [1024, 256];

/// The numbers of tables with which kernels join, the fastest first: a top is looked up in each.
pub const CHUNKS: [u32; 3] = [3, 4, 5];

/// A kernel that runs on a device.
#[derive(Clone, Copy, Debug)]
pub struct GpuKernel {
    /// Its number among [`GpuKernel::NAMES`].
    pub number: usize,
    /// The memories that it works on, as it takes them: behind its numbers.
    pub memories: &'static [Memory],
}

impl GpuKernel {
    /// The names of all kernels, by number.
    pub const NAMES: [&str; 7] = ["permute", "tally", "scan", "file", "join_3", "join_4", "join_5"];

    /// Moves diagonals to their places.
    pub const PERMUTE: Self = Self { number: 0, memories: &[Memory::Permutation, Memory::Words] };

    /// Counts half-boards by bin.
    pub const TALLY: Self =
        Self { number: 1, memories: &[Memory::Lists, Memory::Starts, Memory::Words, Memory::Counts] };

    /// Says where bins begin.
    pub const SCAN: Self = Self { number: 2, memories: &[Memory::Counts, Memory::Totals] };

    /// Makes half-boards.
    pub const FILE: Self = {
        use Memory::*;
        Self { number: 3, memories: &[Lists, Starts, Words, Counts, Offsets, Boards, Keys] }
    };

    /// Joins them, with so many tables: one of [`CHUNKS`].
    pub fn join(chunks: u32) -> Self {
        use Memory::*;
        let number = 4 + (chunks - CHUNKS[0]) as usize;
        Self { number, memories: &[Items, Weights, Offsets, Counts, Boards, Keys, Sums] }
    }
}

/// The pieces of a device's memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Memory {
    /// The words of quarter-boards.
    Words,
    /// Where each bin of a quarter-board begins.
    Starts,
    /// Where diagonals go.
    Permutation,
    /// The lists of half-boards.
    Lists,
    /// Half-boards by list, bin and slice.
    Counts,
    /// Half-boards by list and marks.
    Totals,
    /// Where each list begins among the half-boards.
    Offsets,
    /// The half-boards.
    Boards,
    /// The keys of half-boards.
    Keys,
    /// Blocks to be joined.
    Items,
    /// What pairs count.
    Weights,
    /// What each block adds.
    Sums,
}

/// What a driver says that went wrong.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DriverFailure(pub String);

/// Why a device did not count.
#[derive(Debug)]
pub enum Refusal {
    /// It was to stop.
    Stopped(Stopped),
    /// The unit has more diagonals than tables take, or lists that a feeder has no memory for.
    TooLarge,
    /// The device has less memory left than the feeder may take.
    NoMemory,
    /// Its driver failed. It is not used any more.
    Failed(DriverFailure),
}

impl From<Stopped> for Refusal {
    fn from(stopped: Stopped) -> Self {
        Self::Stopped(stopped)
    }
}

impl From<DriverFailure> for Refusal {
    fn from(failure: DriverFailure) -> Self {
        Self::Failed(failure)
    }
}

/// A driver that compiles the kernels when it is first asked for.
pub type LazyDriver = LazyLock<Compiled, Box<dyn FnOnce() -> Compiled + Send>>;

/// A driver that has compiled the kernels, unless it has failed.
pub type Compiled = Result<Box<dyn Driver>, DriverFailure>;

/// What has a device work.
pub trait Driver: Send + Sync {
    /// The bytes of its memory that nobody has taken, as far as the driver tells.
    ///
    /// # Errors
    /// When the driver fails.
    fn free_memory(&self) -> Result<u64, DriverFailure>;

    /// A queue of commands with memory of its own, which it gives back when it is dropped.
    ///
    /// # Errors
    /// As those of [`Commands`].
    fn commands(&self) -> Result<Box<dyn Commands + '_>, Refusal>;
}

/// Commands that a device carries out one after another, and the memory that they work on. Any thread may give them, one
/// at a time.
///
/// # Errors
/// All methods fail when the driver fails, be it at an earlier command. [`Refusal::NoMemory`] is no failure: the device has
/// less memory left than a command takes, and goes on when memory has been taken back.
pub trait Commands: Send {
    /// Takes back what a memory has, and gives it so many bytes.
    fn allocate(&mut self, memory: Memory, bytes: usize) -> Result<(), Refusal>;

    /// Copies bytes to the begin of a memory.
    ///
    /// # Safety
    /// It has to have so many.
    unsafe fn write(&mut self, memory: Memory, bytes: &[u8]) -> Result<(), Refusal>;

    /// Waits for all commands, and copies bytes from the begin of a memory.
    ///
    /// # Safety
    /// It has to have so many.
    unsafe fn read(&mut self, memory: Memory, bytes: &mut [u8]) -> Result<(), Refusal>;

    /// Has a kernel carried out by so many groups, one or more, each with so many bytes of memory of its own if these are
    /// not zero.
    ///
    /// # Safety
    /// The numbers have to be those of the kernel, and its memories as large as it will use.
    unsafe fn launch(&mut self, kernel: GpuKernel, groups: usize, local: usize, numbers: &[u32])
    -> Result<(), Refusal>;
}

/// The library of a driver, by the first of these names that there is; `None` if there is none.
///
/// # Errors
/// When it lacks a function.
///
/// # Safety
/// A library of such a name has to have functions with these arguments.
pub unsafe fn library<T: WrapperApi>(names: &[&str]) -> Result<Option<Container<T>>, DriverFailure> {
    for name in names {
        // SAFETY: as promised by the caller.
        match unsafe { Container::load(name) } {
            Ok(library) => return Ok(Some(library)),
            Err(Error::OpeningLibraryError(_)) => {}
            Err(error) => return Err(DriverFailure(format!("{name} lacks a function: {error}"))),
        }
    }
    Ok(None)
}
