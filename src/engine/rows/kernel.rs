//! What an instruction set has to offer to this engine beside [`Vector`]: half-boards appended, and bits picked out.
//!
//! The files of this folder implement [`Compress`] for the vectors of [`crate::engine::meet::kernel`], and compile the
//! loops over it. To add a kernel, give both engines its file, and [`ALL`] its line.

use std::ops::Range;

use super::join::{self, Sides, Workspace};
use super::lists::half::Half;
use super::lists::quarter::Quarter;
use super::lists::word::Word;
use crate::engine::Stop;
use crate::engine::meet::join::Vector;
use crate::engine::meet::kernel::Kernel;

/// A [`Vector`] whose instruction set also compresses words and bits.
pub trait Compress: Vector {
    /// Some bits of a word, made ready.
    type Mask: Copy;

    /// Makes the bits of a mask ready.
    fn mask(mask: u64) -> Self::Mask;
    /// The bits of a word at a mask, side by side.
    fn extract(word: u64, mask: Self::Mask) -> u64;
    /// The lowest bits of a word, spread to the places of a mask.
    fn deposit(word: u64, mask: Self::Mask) -> u64;
    /// Appends what [`super::lists::word::append`] appends, in any order.
    fn append_narrow(few: &[u32], many: &[u32], out: &mut Vec<u32>);
    /// The same for wide words.
    fn append_wide(few: &[u64], many: &[u64], out: &mut Vec<u64>);
}

/// Compiles the loops over a [`Compress`] for the target features of a kernel.
#[cfg(any(target_arch = "aarch64", target_arch = "x86_64"))]
macro_rules! compile {
    ($name:literal, $vector:ty, $detected:ident!($($feature:tt),+)) => {
        /// The loops of this kernel, for [`super::ALL`].
        pub const LOOPS: super::Entry = ($name, detect);

        /// Proof that the processor has the features: [`detect`] has asked it.
        struct Detected(());

        fn detect() -> Option<&'static dyn super::Loops> {
            let detected = $(std::arch::$detected!($feature))&&+;
            detected.then_some(&Detected(()))
        }

        impl super::Loops for Detected {
            compile!(@word combine_narrow, join_narrow, append_narrow, u32, $vector, $($feature),+);
            compile!(@word combine_wide, join_wide, append_wide, u64, $vector, $($feature),+);
        }
    };
    (@word $combine:ident, $join:ident, $append:ident, $word:ty, $vector:ty, $($feature:tt),+) => {
        fn $combine(
            &self,
            half: &mut super::Half<$word>,
            quarters: [&super::Quarter<$word>; 2],
            row_sets: super::Range<usize>,
        ) {
            $(#[target_feature(enable = $feature)])+
            fn compiled(
                half: &mut super::Half<$word>,
                quarters: [&super::Quarter<$word>; 2],
                row_sets: super::Range<usize>,
            ) {
                half.combine(quarters, row_sets, <$vector as super::Compress>::$append);
            }
            // SAFETY: `self` proves that the processor has the features.
            unsafe { compiled(half, quarters, row_sets) }
        }

        fn $join(&self, sides: super::Sides<$word>, workspace: &mut super::Workspace, stop: &super::Stop) -> u128 {
            $(#[target_feature(enable = $feature)])+
            fn compiled(
                sides: super::Sides<$word>,
                workspace: &mut super::Workspace,
                stop: &super::Stop,
            ) -> u128 {
                super::join::disjoint_pairs::<$vector, $word>(sides, workspace, stop)
            }
            // SAFETY: `self` proves that the processor has the features.
            unsafe { compiled(sides, workspace, stop) }
        }
    };
}

#[cfg(target_arch = "x86_64")]
mod avx2;
#[cfg(target_arch = "x86_64")]
mod avx512;
#[cfg(target_arch = "aarch64")]
mod neon;
mod portable;

/// A kernel's name, and a function that yields its loops if this processor can run it.
type Entry = (&'static str, fn() -> Option<&'static dyn Loops>);

/// The loops of all kernels.
const ALL: &[Entry] = &[
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

/// The inner loops of this engine, for one instruction set.
pub trait Loops: Sync {
    /// [`Half::combine`] for narrow words.
    fn combine_narrow(&self, half: &mut Half<u32>, quarters: [&Quarter<u32>; 2], row_sets: Range<usize>);
    /// [`Half::combine`] for wide words.
    fn combine_wide(&self, half: &mut Half<u64>, quarters: [&Quarter<u64>; 2], row_sets: Range<usize>);
    /// [`join::disjoint_pairs`] for narrow words.
    fn join_narrow(&self, sides: Sides<u32>, workspace: &mut Workspace, stop: &Stop) -> u128;
    /// [`join::disjoint_pairs`] for wide words.
    fn join_wide(&self, sides: Sides<u64>, workspace: &mut Workspace, stop: &Stop) -> u128;
}

/// A word with its loops.
pub trait LoopWord: Word {
    /// [`Half::combine`] by a kernel.
    fn combine(loops: &dyn Loops, half: &mut Half<Self>, quarters: [&Quarter<Self>; 2], row_sets: Range<usize>);
    /// [`join::disjoint_pairs`] by a kernel.
    fn join(loops: &dyn Loops, sides: Sides<Self>, workspace: &mut Workspace, stop: &Stop) -> u128;
}

impl LoopWord for u32 {
    fn combine(loops: &dyn Loops, half: &mut Half<Self>, quarters: [&Quarter<Self>; 2], row_sets: Range<usize>) {
        loops.combine_narrow(half, quarters, row_sets);
    }

    fn join(loops: &dyn Loops, sides: Sides<Self>, workspace: &mut Workspace, stop: &Stop) -> u128 {
        loops.join_narrow(sides, workspace, stop)
    }
}

impl LoopWord for u64 {
    fn combine(loops: &dyn Loops, half: &mut Half<Self>, quarters: [&Quarter<Self>; 2], row_sets: Range<usize>) {
        loops.combine_wide(half, quarters, row_sets);
    }

    fn join(loops: &dyn Loops, sides: Sides<Self>, workspace: &mut Workspace, stop: &Stop) -> u128 {
        loops.join_wide(sides, workspace, stop)
    }
}
