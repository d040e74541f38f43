//! SIMD kernels. Each consists of the inner loops of `lists` and `join`, compiled for one
//! instruction set and its [`Vector`](super::vector::Vector). Only this file lists the kernels and
//! chooses one that the CPU supports. In the engines, only the kernels and `gpu` contain unsafe
//! code.
//!
//! CONTRIBUTING.md explains how to add a kernel. The tests of `lists` compare each kernel with a
//! plain loop, those of `join` compare it with brute force, and `tests/implementations.rs` compares
//! it with backtracking, unit by unit.

/// Compiles inner loops for a vector and its target features. The generated `is_available` returns
/// whether the CPU supports these features.
#[cfg(any(target_arch = "aarch64", target_arch = "x86_64"))]
macro_rules! compile {
    ($vector:ty, $detected:ident!($($feature:tt),+)) => {
        pub(super) fn is_available() -> bool {
            $(std::arch::$detected!($feature))&&+
        }

        /// Runs an inner loop. The CPU must support the target features.
        $(#[target_feature(enable = $feature)])+
        pub(super) fn run<L: $crate::engine::rows::vector::InnerLoop>(inner: L) -> L::Output {
            inner.run::<$vector>()
        }
    };
}

/// Builds a table indexed by mask. Each entry lists the items in the lanes that its mask selects.
/// Each lane has `$each` items.
#[cfg(any(target_arch = "aarch64", target_arch = "x86_64"))]
macro_rules! pack {
    ($item:ty, $lanes:literal lanes of $each:literal) => {{
        let mut pack = [[0; $lanes * $each]; 1 << $lanes];
        let mut mask = 0;
        while mask < pack.len() {
            let mut item = 0;
            let mut length = 0;
            while item < $lanes * $each {
                if mask >> (item / $each) & 1 == 1 {
                    pack[mask][length] = item as $item;
                    length += 1;
                }
                item += 1;
            }
            mask += 1;
        }
        pack
    }};
}

/// Appends the OR of each pair of words that have no bits in common. `$register` combines a word of
/// `$few` with `$lanes` words of `$many` in a register, writes the results to `$place`, and
/// evaluates to the number of results.
#[cfg(any(target_arch = "aarch64", target_arch = "x86_64"))]
macro_rules! append_by_registers {
    (
        $few:expr, $many:expr, $out:expr, $lanes:expr,
        |$one:ident, $others:ident, $place:ident| $register:expr
    ) => {{
        let few = $few;
        let many = $many;
        let out = $out;
        // A whole register is written each time, even if fewer words are kept.
        $crate::engine::rows::vector::make_room(out, few.len() * many.len() + $lanes);
        let mut length = out.len();
        let (whole, rest) = many.as_chunks::<{ $lanes }>();
        for &$one in few {
            for $others in whole {
                // SAFETY: each register is loaded from an array of the same size. For each word of
                // `few`, at most `many.len()` words are appended, so a register written here ends
                // within the reserved memory. Vectors are used only on CPUs that support their
                // instructions.
                unsafe {
                    let $place = out.as_mut_ptr().add(length);
                    length += $register;
                }
            }
            for &other in rest {
                // SAFETY: as above. Every OR is written, but `length` advances past it only if the
                // two words have no bits in common.
                unsafe { out.as_mut_ptr().add(length).write(other | $one) };
                length += usize::from(other & $one == 0);
            }
        }
        // SAFETY: the words up to `length` have been written, and `length` is within the reserved
        // memory.
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

/// The instruction sets for which the inner loops are compiled.
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

/// All kernels and their names, fastest first.
const ALL: &[(&str, Kernel)] = &[
    #[cfg(target_arch = "x86_64")]
    ("avx512", Kernel(InstructionSet::Avx512)),
    #[cfg(target_arch = "x86_64")]
    ("avx2", Kernel(InstructionSet::Avx2)),
    #[cfg(target_arch = "aarch64")]
    ("neon", Kernel(InstructionSet::Neon)),
    ("portable", Kernel(InstructionSet::Portable)),
];

/// A SIMD kernel: the inner loops of the `rows` engine, compiled for an instruction set that the
/// CPU supports.
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
    /// Returns the kernels that the CPU supports, fastest first.
    pub fn available() -> Vec<Self> {
        ALL.iter()
            .map(|&(_, kernel)| kernel)
            .filter(|kernel| kernel.is_available())
            .collect()
    }

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

    /// Returns the names of all kernels, even those that the CPU does not support.
    pub fn names() -> impl Iterator<Item = &'static str> {
        ALL.iter().map(|(name, _)| *name)
    }

    /// Returns the name: `avx512`, `avx2`, `neon` or `portable`.
    pub fn name(self) -> &'static str {
        ALL.iter()
            .find(|(_, kernel)| *kernel == self)
            .expect("ALL contains every kernel")
            .0
    }

    #[inline(always)]
    #[expect(
        unsafe_code,
        reason = "the compiler cannot check which features the CPU has"
    )]
    pub(super) fn run<L: InnerLoop>(self, inner: L) -> L::Output {
        #[cfg(test)]
        crate::engine::independent::enter();
        // SAFETY: this module never returns a kernel that the CPU does not support.
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
    /// Returns the fastest kernel that the CPU supports.
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
        let known = ALL.iter().find(|(known, _)| *known == name);
        if let Some((_, kernel)) = known
            && kernel.is_available()
        {
            return Ok(*kernel);
        }
        let names: Vec<&str> = Self::available().into_iter().map(Self::name).collect();
        let available = names.join(", ");
        Err(match known {
            Some(&(name, _)) => KernelError::Unavailable { name, available },
            None => KernelError::Unknown {
                found: name.to_owned(),
                available,
            },
        })
    }
}

/// The error if no available kernel has the given name.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum KernelError {
    /// No kernel has this name.
    #[error("expected a kernel, one of {available}, found {found:?}")]
    Unknown {
        /// The name that was given.
        found: String,
        /// The names of the available kernels.
        available: String,
    },
    /// The CPU does not support the kernel.
    #[error("this CPU does not support the {name} kernel; available: {available}")]
    Unavailable {
        /// The name that was given.
        name: &'static str,
        /// The names of the available kernels.
        available: String,
    },
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kernel_names_are_distinct() {
        let names: Vec<&str> = Kernel::names().collect();
        let available = Kernel::available();
        assert!(
            available
                .iter()
                .all(|kernel| names.contains(&kernel.name())),
            "{available:?} of {names:?}"
        );
        assert_eq!(names.last(), Some(&"portable"));
        for (index, &kernel) in available.iter().enumerate() {
            assert_eq!(kernel.name().parse(), Ok(kernel));
            assert!(
                available
                    .iter()
                    .enumerate()
                    .all(|(other, &it)| (kernel == it) == (index == other))
            );
        }
        let unknown: Result<Kernel, KernelError> = "Portable".parse();
        assert!(matches!(unknown, Err(KernelError::Unknown { found, .. }) if found == "Portable"));
    }
}
