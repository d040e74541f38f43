//! What a kernel is: the loops of the engine, compiled for one instruction set.

use crate::engine::Stop;
use crate::engine::meet::join::{Join, Sides, Workspace};
use crate::engine::meet::lists::{Batch, Half, Quarter};

/// A kernel's name, and a function that yields its loops if this processor can run it.
pub type Candidate = (&'static str, fn() -> Option<&'static dyn Loops>);

/// The inner loops, for one instruction set.
pub trait Loops: Sync {
    /// Makes the half-boards of two quarter-boards: see [`Half::combine`].
    fn combine(&self, half: &mut Half, quarters: [&Quarter; 2], batch: Batch);

    /// Counts the disjoint pairs: see [`Join::disjoint_pairs`].
    fn disjoint_pairs(&self, join: &Join, sides: Sides, workspace: &mut Workspace, stop: &Stop) -> u128;
}

/// Compiles the loops over a `Vector` for a list of target features, as `LOOPS`. The processor is asked for what the
/// compiler may use, because it is the same list.
#[cfg(any(target_arch = "aarch64", target_arch = "x86_64"))]
macro_rules! compile {
    ($name:literal, $vector:ty, $detected:ident!($($feature:tt),+)) => {
        use super::loops::{Candidate, Loops};
        use crate::engine::Stop;
        use crate::engine::meet::join::{Join, Sides, Workspace};
        use crate::engine::meet::lists::{Batch, Half, Quarter};

        /// The loops of this kernel, for the list of all kernels.
        pub const LOOPS: Candidate = ($name, detect);

        /// Proof that the processor has the features: [`detect`] has asked it.
        struct Detected(());

        fn detect() -> Option<&'static dyn Loops> {
            let detected = $(std::arch::$detected!($feature))&&+;
            detected.then_some(&Detected(()))
        }

        impl Loops for Detected {
            fn combine(&self, half: &mut Half, quarters: [&Quarter; 2], batch: Batch) {
                $(#[target_feature(enable = $feature)])+
                fn compiled(half: &mut Half, quarters: [&Quarter; 2], batch: Batch) {
                    half.combine(quarters, batch, append);
                }
                // SAFETY: `self` proves that the processor has the features.
                unsafe { compiled(half, quarters, batch) }
            }

            fn disjoint_pairs(&self, join: &Join, sides: Sides, workspace: &mut Workspace, stop: &Stop) -> u128 {
                $(#[target_feature(enable = $feature)])+
                fn compiled(join: &Join, sides: Sides, workspace: &mut Workspace, stop: &Stop) -> u128 {
                    join.disjoint_pairs::<$vector>(sides, workspace, stop)
                }
                // SAFETY: `self` proves that the processor has the features.
                unsafe { compiled(join, sides, workspace, stop) }
            }
        }
    };
}
