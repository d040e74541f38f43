//! SIMD kernels. A kernel consists of the inner loops of `lists` and `join`, compiled for an
//! instruction set. Its type is evidence that the CPU supports the instructions, and provides the
//! operations of `Simd` (`src/engine/rows/vector.rs`). CONTRIBUTING.md explains how to add one.
//!
//! The tests of `lists` and `join` compare each kernel with plain loops, and
//! `tests/implementations.rs` compares it with backtracking.

/// Defines the evidence that the CPU supports some target features. Inner loops are compiled for
/// these features.
#[cfg(any(target_arch = "aarch64", target_arch = "x86_64"))]
macro_rules! evidence {
    ($name:ident: $detected:ident!($($feature:tt),+)) => {
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub(super) struct $name(());

        impl $name {
            pub(super) fn detect() -> Option<Self> {
                ($(std::arch::$detected!($feature))&&+).then_some(Self(()))
            }

            /// Runs an inner loop.
            #[inline(always)]
            pub(super) fn run<L: $crate::engine::rows::vector::InnerLoop>(
                self,
                inner: L,
            ) -> L::Output {
                $(#[target_feature(enable = $feature)])+
                fn compiled<L: $crate::engine::rows::vector::InnerLoop>(
                    evidence: $name,
                    inner: L,
                ) -> L::Output {
                    inner.run(evidence)
                }
                // SAFETY: `self` is evidence that the CPU supports these target features.
                unsafe { compiled(self, inner) }
            }
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

#[cfg(any(target_arch = "aarch64", target_arch = "x86_64"))]
mod append;
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
use crate::parse::ParseError;

/// Lists the kernels, each with its module (which gives the kernel its name), its evidence, and the
/// condition for compiling it. Modules are declared above, because rustfmt does not format the
/// files of modules that a macro declares.
macro_rules! kernels {
    ($($module:ident: $evidence:ident if $compiled:meta;)+) => {
        $(
            #[cfg($compiled)]
            use self::$module::$evidence;
        )+

        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        enum Evidence {
            $(#[cfg($compiled)] $evidence($evidence),)+
        }

        /// Returns the names of all kernels, each with the kernel if the CPU supports it.
        fn all() -> impl Iterator<Item = (&'static str, Option<Kernel>)> {
            let all = [
                $(
                    #[cfg($compiled)]
                    (stringify!($module), $evidence::detect().map(Evidence::$evidence).map(Kernel)),
                )+
            ];
            all.into_iter()
        }

        impl Kernel {
            /// Returns the name, such as `portable`.
            pub fn name(self) -> &'static str {
                match self.0 {
                    $(#[cfg($compiled)] Evidence::$evidence(_) => stringify!($module),)+
                }
            }

            #[inline(always)]
            pub(super) fn run<L: InnerLoop>(self, inner: L) -> L::Output {
                match self.0 {
                    $(#[cfg($compiled)] Evidence::$evidence(evidence) => evidence.run(inner),)+
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
/// # Ok::<(), queencount::ParseError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Kernel(Evidence);

impl Kernel {
    /// Returns the kernels that the CPU supports, fastest first.
    pub fn available() -> Vec<Self> {
        all().filter_map(|(_, kernel)| kernel).collect()
    }

    /// Returns the names of all kernels, even those that the CPU does not support.
    pub fn names() -> impl Iterator<Item = &'static str> {
        all().map(|(name, _)| name)
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
    type Err = ParseError;

    fn from_str(name: &str) -> Result<Self, Self::Err> {
        let available = Self::available();
        let kernel = available.iter().find(|kernel| kernel.name() == name);
        kernel.copied().ok_or_else(|| {
            let names: Vec<&str> = available.iter().map(|kernel| kernel.name()).collect();
            let expected = format!(
                "a kernel that this CPU supports, one of {}",
                names.join(", ")
            );
            ParseError::new(expected, name)
        })
    }
}
