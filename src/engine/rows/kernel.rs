//! SIMD kernels. A kernel consists of the inner loops of `lists` and `join`, compiled for an
//! instruction set and its [`Vector`](super::vector::Vector). CONTRIBUTING.md explains how to add
//! one.
//!
//! The tests of `lists` and `join` compare each kernel with plain loops, and
//! `tests/implementations.rs` compares it with backtracking.

/// Compiles inner loops for a vector and its target features. `is_available` returns whether the
/// CPU supports these features.
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

/// Builds a table with an entry for each mask: the items in the lanes that the mask selects. A lane
/// has `$each` items.
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

/// Appends the OR of each pair of words that have no bits in common. `$register` combines `$one`
/// with the `$lanes` words in `$others`, writes the results to `$place`, and returns their number.
#[cfg(any(target_arch = "aarch64", target_arch = "x86_64"))]
macro_rules! append_by_registers {
    (
        $few:expr, $many:expr, $out:expr, $lanes:expr,
        |$one:ident, $others:ident, $place:ident| $register:expr
    ) => {{
        let few = $few;
        let many = $many;
        let out = $out;
        // Each write stores a whole register, even if only some of its words are kept.
        $crate::engine::rows::vector::make_room(out, few.len() * many.len() + $lanes);
        let mut length = out.len();
        let (whole, rest) = many.as_chunks::<{ $lanes }>();
        for &$one in few {
            for $others in whole {
                // SAFETY: each register is loaded from an array of the same size. Each word of
                // `few` appends at most `many.len()` words, so a register written here ends within
                // the reserved memory. Vectors are used only on CPUs that support their
                // instructions.
                unsafe {
                    let $place = out.as_mut_ptr().add(length);
                    length += $register;
                }
            }
            for &other in rest {
                // SAFETY: as above.
                unsafe { out.as_mut_ptr().add(length).write(other | $one) };
                length += usize::from(other & $one == 0);
            }
        }
        // SAFETY: the words up to `length` were written to reserved memory.
        unsafe { out.set_len(length) };
    }};
}

#[cfg(target_arch = "x86_64")]
mod avx2;
#[cfg(target_arch = "x86_64")]
mod avx512;
#[cfg(target_arch = "aarch64")]
mod neon;
#[cfg(target_arch = "x86_64")]
mod pext;
mod portable;

use std::fmt;
use std::str::FromStr;

use super::vector::InnerLoop;

/// Lists the kernels, each with its module (which gives the kernel its name), its instruction set,
/// and the condition for compiling it. Modules are declared above, because rustfmt does not format
/// the files of modules that a macro declares.
macro_rules! kernels {
    ($($module:ident: $set:ident if $compiled:meta;)+) => {
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        enum InstructionSet {
            $(#[cfg($compiled)] $set,)+
        }

        const ALL: &[Kernel] = &[$(#[cfg($compiled)] Kernel(InstructionSet::$set),)+];

        impl Kernel {
            /// Returns the name, such as `portable`.
            pub fn name(self) -> &'static str {
                match self.0 {
                    $(#[cfg($compiled)] InstructionSet::$set => stringify!($module),)+
                }
            }

            fn is_available(self) -> bool {
                match self.0 {
                    $(#[cfg($compiled)] InstructionSet::$set => $module::is_available(),)+
                }
            }

            #[inline(always)]
            #[expect(
                unsafe_code,
                unused_unsafe,
                reason = "the compiler cannot check which features the CPU has"
            )]
            pub(super) fn run<L: InnerLoop>(self, inner: L) -> L::Output {
                match self.0 {
                    // SAFETY: this module never returns a kernel that the CPU does not support.
                    $(#[cfg($compiled)] InstructionSet::$set => unsafe { $module::run(inner) },)+
                }
            }
        }
    };
}

// The fastest kernel comes first.
kernels! {
    avx512: Avx512 if target_arch = "x86_64";
    avx2: Avx2 if target_arch = "x86_64";
    neon: Neon if target_arch = "aarch64";
    portable: Portable if all();
}

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
        let all = ALL.iter().copied();
        all.filter(|kernel| kernel.is_available()).collect()
    }

    /// Returns the names of all kernels, even those that the CPU does not support.
    pub fn names() -> impl Iterator<Item = &'static str> {
        ALL.iter().map(|kernel| kernel.name())
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
        let known = ALL.iter().find(|kernel| kernel.name() == name);
        if let Some(kernel) = known
            && kernel.is_available()
        {
            return Ok(*kernel);
        }
        let names: Vec<&str> = Self::available().into_iter().map(Self::name).collect();
        let available = names.join(", ");
        Err(match known {
            Some(kernel) => KernelError::Unavailable {
                name: kernel.name(),
                available,
            },
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
