//! Kernels: the inner loops of this engine, for the instruction sets that processors have.
//!
//! The files of this folder implement [`Compress`](super::compress::Compress) for the vectors of
//! [`meet`](crate::engine::meet::kernel), and compile the loops over it. To add a kernel, give both engines a file and
//! a line in the list of all kernels.

#[cfg(target_arch = "x86_64")]
mod avx2;
#[cfg(target_arch = "x86_64")]
mod avx512;
mod loops;
#[cfg(target_arch = "aarch64")]
mod neon;
mod portable;

use self::loops::Candidate;
pub use self::loops::{LoopWord, Loops};
use crate::engine::meet::kernel::Kernel;

/// The loops of all kernels.
const ALL: &[Candidate] = &[
    #[cfg(target_arch = "x86_64")]
    avx512::LOOPS,
    #[cfg(target_arch = "x86_64")]
    avx2::LOOPS,
    #[cfg(target_arch = "aarch64")]
    neon::LOOPS,
    portable::LOOPS,
];

/// The loops of a kernel.
///
/// # Panics
/// When this engine lacks a kernel that the other one has.
pub fn loops(kernel: Kernel) -> &'static dyn Loops {
    let entry = ALL.iter().find(|(name, _)| *name == kernel.name());
    entry.and_then(|(_, loops)| loops()).expect("both engines have the same kernels")
}
