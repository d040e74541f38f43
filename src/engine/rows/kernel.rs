//! Kernels: the inner loops, for the instruction sets that processors have.
//!
//! The algorithm is written once, over a [`Vector`](super::join::vector::Vector) of 512 bits that also
//! [compresses](super::compress::Compress), in `lists` and `join`. A kernel says how such a vector is held and worked on,
//! and compiles the algorithm for its instruction set (`loops`). This file is the only place that knows which kernels
//! there are and which of them this processor can run. The kernels are the only code that is not safe.
//!
//! To add one:
//!
//! - a file in `kernel` implements `Vector` and `Compress`, and compiles the loops over it by `compile!`, with one list of
//!   the target features that it needs (`avx2` is the example);
//! - here, `ALL` lists it, next to its `mod`.
//!
//! No other code changes. The tests go through all kernels that the processor can run. The tests of `lists` hold each
//! kernel against a plain loop, the tests of `join` against brute force, and `tests/implementations.rs` against
//! backtracking, unit by unit. `cargo bench --bench kernels` says whether a kernel is worth having.

#[cfg(target_arch = "x86_64")]
mod avx2;
#[cfg(target_arch = "x86_64")]
mod avx512;
mod loops;
#[cfg(target_arch = "aarch64")]
mod neon;
mod portable;

use std::fmt;
use std::str::FromStr;

use self::loops::Candidate;
pub use self::loops::{LoopWord, Loops};

/// The kernels that this program has, the fastest first.
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
pub fn loops(kernel: Kernel) -> &'static dyn Loops {
    kernel.loops
}

/// The inner loops of the engine of middle rows, for an instruction set that this processor has.
///
/// ```
/// use queencount::Kernel;
///
/// let kernel: Kernel = "portable".parse()?;
/// assert_eq!(kernel.name(), "portable");
/// assert!(Kernel::available().contains(&Kernel::default()));
/// # Ok::<(), queencount::KernelError>(())
/// ```
#[derive(Clone, Copy)]
pub struct Kernel {
    name: &'static str,
    loops: &'static dyn Loops,
}

impl Kernel {
    /// The kernels that this processor can run, the fastest first.
    pub fn available() -> Vec<Self> {
        ALL.iter().filter_map(Self::detected).collect()
    }

    /// The kernel, if this processor can run it.
    fn detected((name, loops): &Candidate) -> Option<Self> {
        loops().map(|loops| Self { name, loops })
    }

    /// The names of all kernels of this program, whether this processor can run them or not.
    pub fn names() -> impl Iterator<Item = &'static str> {
        ALL.iter().map(|(name, _)| *name)
    }

    /// The name: `avx512`, `avx2`, `neon` or `portable`.
    pub fn name(self) -> &'static str {
        self.name
    }
}

impl Default for Kernel {
    /// The fastest kernel that this processor can run.
    fn default() -> Self {
        Self::available()[0]
    }
}

impl PartialEq for Kernel {
    fn eq(&self, other: &Self) -> bool {
        self.name() == other.name()
    }
}

impl Eq for Kernel {}

impl fmt::Debug for Kernel {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_tuple("Kernel").field(&self.name()).finish()
    }
}

impl FromStr for Kernel {
    type Err = KernelError;

    fn from_str(name: &str) -> Result<Self, Self::Err> {
        let available = || Self::available().into_iter().map(Self::name).collect::<Vec<_>>().join(", ");
        match ALL.iter().find(|(spelled, _)| *spelled == name) {
            None => Err(KernelError::Unknown { found: name.to_owned(), available: available() }),
            Some(candidate) => Self::detected(candidate)
                .ok_or_else(|| KernelError::Unavailable { name: candidate.0, available: available() }),
        }
    }
}

/// A name that no kernel has that can be used here.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum KernelError {
    /// There is no such kernel.
    #[error("expected a kernel, one of {available}, found {found:?}")]
    Unknown {
        /// What was given.
        found: String,
        /// What could have been.
        available: String,
    },
    /// The processor lacks the instructions.
    #[error("expected a kernel that this processor can run, one of {available}, found {name:?}")]
    Unavailable {
        /// What was given.
        name: &'static str,
        /// What could have been.
        available: String,
    },
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kernels_go_by_different_names() {
        let names: Vec<&str> = Kernel::names().collect();
        let available = Kernel::available();
        assert!(available.iter().all(|kernel| names.contains(&kernel.name())), "{available:?} of {names:?}");
        assert_eq!(names.last(), Some(&"portable"));
        for (place, &kernel) in available.iter().enumerate() {
            assert_eq!(kernel.name().parse(), Ok(kernel));
            assert!(available.iter().enumerate().all(|(other, &it)| (kernel == it) == (place == other)));
        }
        let unknown: Result<Kernel, KernelError> = "Portable".parse();
        assert!(matches!(unknown, Err(KernelError::Unknown { found, .. }) if found == "Portable"));
    }
}
