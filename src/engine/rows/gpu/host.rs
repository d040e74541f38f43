//! What kernels, hosts and those who use them agree on. A host is what talks to one kind of
//! drivers: it shows a [`Driver`] for each device.

#![expect(unsafe_code, reason = "a driver is code that Rust cannot check")]

use std::collections::HashMap;
use std::ffi::CStr;
use std::sync::LazyLock;

use self::Memory::{
    Boards, Counts, Items, Keys, Lists, Offsets, Permutation, Starts, Sums, Totals, Weights, Words,
};
use crate::cancel::EngineError;

/// The work-items that a group may have: the more the better, because a group has most of a
/// processor's memory to itself.
pub const SIZES: [usize; 2] = [1024, 256];

/// The numbers of tables with which kernels join, the fastest first: a half-board is looked up in
/// each.
pub const CHUNKS: [u32; 3] = [3, 4, 5];

/// A kernel that runs on a device.
#[derive(Clone, Copy, Debug)]
pub struct GpuKernel {
    pub name: &'static CStr,
    /// The memories that it works on, as it takes them: behind its numbers.
    pub memories: &'static [Memory],
}

// Moves diagonals to their places; counts half-boards by bin; says where bins begin; makes
// half-boards; joins them, with the tables of `CHUNKS`.
pub const PERMUTE: GpuKernel = GpuKernel {
    name: c"permute",
    memories: &[Permutation, Words],
};
pub const TALLY: GpuKernel = GpuKernel {
    name: c"tally",
    memories: &[Lists, Starts, Words, Counts],
};
pub const SCAN: GpuKernel = GpuKernel {
    name: c"scan",
    memories: &[Counts, Totals],
};
pub const FILE: GpuKernel = GpuKernel {
    name: c"file",
    memories: &[Lists, Starts, Words, Counts, Offsets, Boards, Keys],
};
pub const JOINS: [GpuKernel; 3] = [join(c"join_3"), join(c"join_4"), join(c"join_5")];

const fn join(name: &'static CStr) -> GpuKernel {
    GpuKernel {
        name,
        memories: &[Items, Weights, Offsets, Counts, Boards, Keys, Sums],
    }
}

/// The kernels by name, as a driver makes them.
pub type Kernels = HashMap<&'static CStr, usize>;

pub fn kernels(mut make: impl FnMut(&CStr) -> Driven<usize>) -> Driven<Kernels> {
    let all = [PERMUTE, TALLY, SCAN, FILE].into_iter().chain(JOINS);
    all.map(|kernel| Ok((kernel.name, make(kernel.name)?)))
        .collect()
}

/// The pieces of a device's memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Memory {
    Words,       // of quarter-boards
    Starts,      // where each bin of a quarter-board begins
    Permutation, // where diagonals go
    Lists,       // of half-boards
    Counts,      // half-boards by list, bin and slice
    Totals,      // half-boards by list and marks
    Offsets,     // where each list begins among the half-boards
    Boards,      // the half-boards
    Keys,        // of half-boards
    Items,       // blocks to be joined
    Weights,     // what pairs count
    Sums,        // what each block adds
}

/// What a driver says that went wrong.
#[derive(Clone, Debug)]
pub struct DriverFailure {
    pub said: String,
    /// Whether it has no memory left for what it was asked. Then it is not broken.
    pub lacks_memory: bool,
}

/// What a driver has done, unless it failed; and what a device has for a count, unless it did not
/// count.
pub type Driven<T> = Result<T, DriverFailure>;
pub type Granted<T> = Result<T, Refusal>;

/// Why a device did not count.
#[derive(Debug)]
pub enum Refusal {
    /// It was to stop.
    EngineError(EngineError),
    /// The unit has more diagonals than tables take, or lists that a feeder has no memory for.
    TooLarge,
    /// The device has less memory left than the feeder may take.
    NoMemory,
    /// Its driver failed. It is not used any more.
    Failed(DriverFailure),
}

impl From<EngineError> for Refusal {
    fn from(stopped: EngineError) -> Self {
        Self::EngineError(stopped)
    }
}

impl From<DriverFailure> for Refusal {
    fn from(failure: DriverFailure) -> Self {
        if failure.lacks_memory {
            Self::NoMemory
        } else {
            Self::Failed(failure)
        }
    }
}

/// A driver that has compiled the kernels, unless it has failed; and one that will when it is first
/// used.
pub type Compiled = Driven<Box<dyn Driver>>;
pub type LazyDriver = LazyLock<Compiled, Box<dyn FnOnce() -> Compiled + Send>>;

/// What has a device work. Queues and memories are handles, which only the driver can follow. Any
/// thread may use a handle, one at a time. A queue carries commands out one after another.
///
/// # Errors
/// All methods fail when the driver fails, be it at an earlier command.
///
/// # Safety
/// Handles have to be those that this driver has made, and that have not been released.
pub trait Driver: Send + Sync {
    /// The bytes of its memory that nobody has taken, as far as the driver tells.
    fn free_memory(&self) -> Driven<u64>;

    /// Makes a queue.
    fn create_queue(&self) -> Driven<usize>;

    /// Reserves so many bytes, one or more.
    fn allocate(&self, bytes: usize) -> Driven<usize>;

    /// Releases a memory on which no command works any more.
    unsafe fn release(&self, memory: usize) -> Driven<()>;

    /// Releases a queue.
    unsafe fn release_queue(&self, queue: usize);

    /// Waits for all commands of a queue.
    unsafe fn finish(&self, queue: usize) -> Driven<()>;

    /// Copies bytes to the begin of a memory, which has to have so many.
    unsafe fn write(&self, queue: usize, memory: usize, bytes: &[u8]) -> Driven<()>;

    /// Waits for all commands, and copies bytes from the begin of a memory, which has to have so
    /// many.
    unsafe fn read(&self, queue: usize, memory: usize, bytes: &mut [u8]) -> Driven<()>;

    /// Has a kernel carried out. What it is given has to be what it takes.
    unsafe fn launch(&self, queue: usize, launch: Launch) -> Driven<()>;
}

/// A kernel, and what it is given.
#[derive(Clone, Copy)]
pub struct Launch<'a> {
    pub kernel: &'static CStr,
    /// How many groups carry it out, one or more.
    pub groups: usize,
    /// The bytes of memory that each group has to itself; zero for a kernel that takes none.
    pub local: usize,
    pub numbers: &'a [u32],
    pub memories: &'a [usize],
}

/// Declares the names of a driver's library, and its functions, each as in the library's header.
#[cfg(feature = "gpu")]
macro_rules! functions {
    ($names:expr; $($name:ident($($arguments:tt)*) -> $result:ident;)*) => {
        use dlopen2::wrapper::WrapperApi;

        #[derive(WrapperApi)]
        pub struct Api {
            $($name: unsafe extern "C" fn($($arguments)*) -> $result,)*
        }

        /// The functions, if there is such a library.
        static API: std::sync::LazyLock<$crate::engine::rows::gpu::host::Library<Api>> =
            // SAFETY: the library of these names has functions with these arguments.
            std::sync::LazyLock::new(|| unsafe { $crate::engine::rows::gpu::host::load(&$names) });
    };
}
#[cfg(feature = "gpu")]
pub(super) use functions;

/// A library, if it is there; or the function that it lacks.
#[cfg(feature = "gpu")]
pub type Library<T> = Driven<Option<dlopen2::wrapper::Container<T>>>;

/// Loads a library, at run time, by the first of these names that there is.
///
/// # Safety
/// A library of such a name has to have functions with these arguments.
#[cfg(feature = "gpu")]
pub unsafe fn load<T: dlopen2::wrapper::WrapperApi>(names: &[&str]) -> Library<T> {
    for name in names {
        // SAFETY: as promised by the caller.
        match unsafe { dlopen2::wrapper::Container::load(name) } {
            Err(dlopen2::Error::OpeningLibraryError(_)) => {}
            library => {
                let lacks = |error| format!("{name} lacks a function: {error}");
                return library.map(Some).map_err(|error| DriverFailure {
                    said: lacks(error),
                    lacks_memory: false,
                });
            }
        }
    }
    Ok(None)
}
