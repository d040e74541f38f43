//! What a kernel is to this engine: its loops, compiled for one instruction set.

use std::ops::Range;

use crate::engine::rows::inner::InstructionSet;
use crate::engine::rows::join::{Sides, Workspace, disjoint_pairs};
use crate::engine::rows::lists::half::{Combine, Half};
use crate::engine::rows::lists::quarter::Quarter;
use crate::engine::rows::lists::word::Word;
use crate::stop::Stop;

/// A kernel's name, and a function that yields its loops if this processor can run it.
pub type Candidate = (&'static str, fn() -> Option<&'static dyn Loops>);

/// The inner loops of this engine, for one instruction set.
pub trait Loops: Sync {
    /// [`Combine`] for narrow words.
    fn combine_narrow(&self, half: &mut Half<u32>, quarters: [&Quarter<u32>; 2], row_sets: Range<usize>);
    /// [`Combine`] for wide words.
    fn combine_wide(&self, half: &mut Half<u64>, quarters: [&Quarter<u64>; 2], row_sets: Range<usize>);
    /// [`disjoint_pairs`] for narrow words.
    fn join_narrow(&self, sides: Sides<u32>, workspace: &mut Workspace, stop: &Stop) -> u128;
    /// [`disjoint_pairs`] for wide words.
    fn join_wide(&self, sides: Sides<u64>, workspace: &mut Workspace, stop: &Stop) -> u128;
}

/// A word with its loops.
pub trait LoopWord: Word {
    /// [`Combine`] by a kernel.
    fn combine(loops: &dyn Loops, half: &mut Half<Self>, quarters: [&Quarter<Self>; 2], row_sets: Range<usize>);
    /// [`disjoint_pairs`] by a kernel.
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

impl<I: InstructionSet> Loops for I {
    fn combine_narrow(&self, half: &mut Half<u32>, quarters: [&Quarter<u32>; 2], row_sets: Range<usize>) {
        self.run(Combine { half, quarters, row_sets });
    }

    fn combine_wide(&self, half: &mut Half<u64>, quarters: [&Quarter<u64>; 2], row_sets: Range<usize>) {
        self.run(Combine { half, quarters, row_sets });
    }

    fn join_narrow(&self, sides: Sides<u32>, workspace: &mut Workspace, stop: &Stop) -> u128 {
        disjoint_pairs(*self, sides, workspace, stop)
    }

    fn join_wide(&self, sides: Sides<u64>, workspace: &mut Workspace, stop: &Stop) -> u128 {
        disjoint_pairs(*self, sides, workspace, stop)
    }
}

/// Compiles the inner loops over a `Compress` for the target features of a kernel.
#[cfg(any(target_arch = "aarch64", target_arch = "x86_64"))]
macro_rules! compile {
    ($name:literal, $vector:ty, $detected:ident!($($feature:tt),+)) => {
        use super::loops::{Candidate, Loops};
        use crate::engine::rows::compress::Compress;
        use crate::engine::rows::inner::{InnerLoop, InstructionSet};

        /// The loops of this kernel, for the list of all kernels.
        pub const LOOPS: Candidate = ($name, detect);

        /// Proof that the processor has the features: [`detect`] has asked it.
        #[derive(Clone, Copy)]
        struct Detected(());

        fn detect() -> Option<&'static dyn Loops> {
            let detected = $(std::arch::$detected!($feature))&&+;
            detected.then_some(&Detected(()))
        }

        impl InstructionSet for Detected {
            fn run<L: InnerLoop>(self, inner: L) -> L::Output {
                $(#[target_feature(enable = $feature)])+
                fn compiled<L: InnerLoop>(inner: L) -> L::Output {
                    inner.run::<$vector>()
                }
                // SAFETY: `self` proves that the processor has the features.
                unsafe { compiled(inner) }
            }
        }
    };
}
#[cfg(any(target_arch = "aarch64", target_arch = "x86_64"))]
pub(super) use compile;
