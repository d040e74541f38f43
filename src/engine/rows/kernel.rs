//! Kernels: the instruction sets that processors have, each with its
//! [`Vector`](super::vector::Vector), for which the inner loops of `lists` and `join` are compiled.
//! Only this file names the kernels and chooses one that this processor can run. The kernels are
//! the only code of a CPU that is not safe.
//!
//! CONTRIBUTING.md says how to add one. The tests of `lists` hold each against a plain loop, the
//! tests of `join` against brute force, and `tests/implementations.rs` against backtracking, unit
//! by unit.

/// Compiles inner loops over a vector for some target features, and asks the processor for the
/// same.
#[cfg(any(target_arch = "aarch64", target_arch = "x86_64"))]
macro_rules! compile {
    ($vector:ty, $detected:ident!($($feature:tt),+)) => {
        /// Whether this processor has the features.
        pub fn is_available() -> bool {
            $(std::arch::$detected!($feature))&&+
        }

        /// Runs an inner loop on a processor that has the features.
        $(#[target_feature(enable = $feature)])+
        pub fn run<L: $crate::engine::rows::vector::InnerLoop>(inner: L) -> L::Output {
            inner.run::<$vector>()
        }
    };
}

/// A table whose entry `mask` has the items of the lanes in `mask`, so many of each, at the front.
#[cfg(any(target_arch = "aarch64", target_arch = "x86_64"))]
macro_rules! pack {
    ($item:ty, $lanes:literal lanes of $each:literal) => {{
        let mut pack = [[0; $lanes * $each]; 1 << $lanes];
        let mut mask = 0;
        while mask < pack.len() {
            let (mut item, mut place) = (0, 0);
            while item < $lanes * $each {
                if mask >> (item / $each) & 1 == 1 {
                    pack[mask][place] = item as $item;
                    place += 1;
                }
                item += 1;
            }
            mask += 1;
        }
        pack
    }};
}

/// Appends the ORs of all pairs of words without a common bit, so many of the many at a time:
/// `$register` writes those of one word and a register of others to a place, and says how many they
/// are.
#[cfg(any(target_arch = "aarch64", target_arch = "x86_64"))]
macro_rules! append_by_registers {
    ($few:expr, $many:expr, $out:expr, $lanes:expr, |$one:ident, $others:ident, $place:ident| $register:expr) => {{
        let (few, many, out) = ($few, $many, $out);
        // A whole register is written for every part of one that counts.
        $crate::engine::rows::vector::make_room(out, few.len() * many.len() + $lanes);
        let mut length = out.len();
        let (whole, rest) = many.as_chunks::<{ $lanes }>();
        for &$one in few {
            for $others in whole {
                // SAFETY: a register of words is read from an array of as many. For each of the few
                // at most as many half-boards are appended as there are many, so that a register
                // written to this place ends within what has been reserved. That the processor has
                // the instructions, the type of the vector says.
                unsafe {
                    let $place = out.as_mut_ptr().add(length);
                    length += $register;
                }
            }
            for &other in rest {
                // SAFETY: as above. The place is written in any case, and kept if the two are
                // apart.
                unsafe { out.as_mut_ptr().add(length).write(other | $one) };
                length += usize::from(other & $one == 0);
            }
        }
        // SAFETY: the places up to `length` have been written, and `length` is within what was
        // reserved.
        unsafe { out.set_len(length) };
    }};
}

#[cfg(target_arch = "x86_64")]
mod avx2;
#[cfg(target_arch = "x86_64")]
mod avx512;
#[cfg(target_arch = "aarch64")]
mod neon;
mod portable;

use std::fmt;
use std::str::FromStr;

use super::vector::InnerLoop;

/// The instruction sets that inner loops are compiled for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum InstructionSet {
    #[cfg(target_arch = "x86_64")]
    Avx512,
    #[cfg(target_arch = "x86_64")]
    Avx2,
    #[cfg(target_arch = "aarch64")]
    Neon,
    Portable,
}

/// The kernels that this program has, with their names; the fastest first.
const ALL: &[(&str, Kernel)] = &[
    #[cfg(target_arch = "x86_64")]
    ("avx512", Kernel(InstructionSet::Avx512)),
    #[cfg(target_arch = "x86_64")]
    ("avx2", Kernel(InstructionSet::Avx2)),
    #[cfg(target_arch = "aarch64")]
    ("neon", Kernel(InstructionSet::Neon)),
    ("portable", Kernel(InstructionSet::Portable)),
];

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
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Kernel(InstructionSet);

impl Kernel {
    /// The kernels that this processor can run, the fastest first.
    pub fn available() -> Vec<Self> {
        ALL.iter()
            .map(|&(_, kernel)| kernel)
            .filter(|kernel| kernel.is_available())
            .collect()
    }

    /// Whether this processor can run it.
    fn is_available(self) -> bool {
        match self.0 {
            #[cfg(target_arch = "x86_64")]
            InstructionSet::Avx512 => avx512::is_available(),
            #[cfg(target_arch = "x86_64")]
            InstructionSet::Avx2 => avx2::is_available(),
            #[cfg(target_arch = "aarch64")]
            InstructionSet::Neon => neon::is_available(),
            InstructionSet::Portable => true,
        }
    }

    /// The names of all kernels of this program, whether this processor can run them or not.
    pub fn names() -> impl Iterator<Item = &'static str> {
        ALL.iter().map(|(name, _)| *name)
    }

    /// The name: `avx512`, `avx2`, `neon` or `portable`.
    pub fn name(self) -> &'static str {
        ALL.iter()
            .find(|(_, kernel)| *kernel == self)
            .expect("one of all")
            .0
    }

    /// Runs an inner loop.
    #[inline(always)]
    #[expect(
        unsafe_code,
        reason = "the compiler does not know what the processor has"
    )]
    pub(super) fn run<L: InnerLoop>(self, inner: L) -> L::Output {
        // SAFETY: nobody else has a kernel that is not available.
        match self.0 {
            #[cfg(target_arch = "x86_64")]
            InstructionSet::Avx512 => unsafe { avx512::run(inner) },
            #[cfg(target_arch = "x86_64")]
            InstructionSet::Avx2 => unsafe { avx2::run(inner) },
            #[cfg(target_arch = "aarch64")]
            InstructionSet::Neon => unsafe { neon::run(inner) },
            InstructionSet::Portable => portable::run(inner),
        }
    }
}

impl Default for Kernel {
    /// The fastest kernel that this processor can run.
    fn default() -> Self {
        Self::available()[0]
    }
}

impl fmt::Display for Kernel {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.pad(self.name())
    }
}

impl FromStr for Kernel {
    type Err = KernelError;

    fn from_str(name: &str) -> Result<Self, Self::Err> {
        let available = || {
            Self::available()
                .into_iter()
                .map(Self::name)
                .collect::<Vec<_>>()
                .join(", ")
        };
        match ALL.iter().find(|(spelled, _)| *spelled == name) {
            None => Err(KernelError::Unknown {
                found: name.to_owned(),
                available: available(),
            }),
            Some((_, kernel)) if kernel.is_available() => Ok(*kernel),
            Some((name, _)) => Err(KernelError::Unavailable {
                name,
                available: available(),
            }),
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
        assert!(
            available
                .iter()
                .all(|kernel| names.contains(&kernel.name())),
            "{available:?} of {names:?}"
        );
        assert_eq!(names.last(), Some(&"portable"));
        for (place, &kernel) in available.iter().enumerate() {
            assert_eq!(kernel.name().parse(), Ok(kernel));
            assert!(
                available
                    .iter()
                    .enumerate()
                    .all(|(other, &it)| (kernel == it) == (place == other))
            );
        }
        let unknown: Result<Kernel, KernelError> = "Portable".parse();
        assert!(matches!(unknown, Err(KernelError::Unknown { found, .. }) if found == "Portable"));
    }
}
