//! What a kernel is to this engine: its loops, compiled for one instruction set.

use std::ops::Range;

use crate::engine::Stop;
use crate::engine::rows::join::{Sides, Workspace};
use crate::engine::rows::lists::half::Half;
use crate::engine::rows::lists::quarter::Quarter;
use crate::engine::rows::lists::word::Word;

/// A kernel's name, and a function that yields its loops if this processor can run it.
pub type Candidate = (&'static str, fn() -> Option<&'static dyn Loops>);

/// The inner loops of this engine, for one instruction set.
pub trait Loops: Sync {
    /// [`Half::combine`] for narrow words.
    fn combine_narrow(&self, half: &mut Half<u32>, quarters: [&Quarter<u32>; 2], row_sets: Range<usize>);
    /// [`Half::combine`] for wide words.
    fn combine_wide(&self, half: &mut Half<u64>, quarters: [&Quarter<u64>; 2], row_sets: Range<usize>);
    /// [`disjoint_pairs`](crate::engine::rows::join::disjoint_pairs) for narrow words.
    fn join_narrow(&self, sides: Sides<u32>, workspace: &mut Workspace, stop: &Stop) -> u128;
    /// [`disjoint_pairs`](crate::engine::rows::join::disjoint_pairs) for wide words.
    fn join_wide(&self, sides: Sides<u64>, workspace: &mut Workspace, stop: &Stop) -> u128;
}

/// A word with its loops.
pub trait LoopWord: Word {
    /// [`Half::combine`] by a kernel.
    fn combine(loops: &dyn Loops, half: &mut Half<Self>, quarters: [&Quarter<Self>; 2], row_sets: Range<usize>);
    /// [`disjoint_pairs`](crate::engine::rows::join::disjoint_pairs) by a kernel.
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

/// Compiles the loops over a `Compress` for the target features of a kernel.
#[cfg(any(target_arch = "aarch64", target_arch = "x86_64"))]
macro_rules! compile {
    ($name:literal, $vector:ty, $detected:ident!($($feature:tt),+)) => {
        use std::ops::Range;

        use super::loops::{Candidate, Loops};
        use crate::engine::Stop;
        use crate::engine::rows::compress::Compress;
        use crate::engine::rows::join::block::{Block, Bottom, Cursor, Keys};
        use crate::engine::rows::join::direct::{self, Tables};
        use crate::engine::rows::join::shape::Shape;
        use crate::engine::rows::join::sort::{Rest, Runs, Sorted, Split, Top};
        use crate::engine::rows::join::steps::{self, Steps};
        use crate::engine::rows::join::{self, Sides, Workspace};
        use crate::engine::rows::lists::half::Half;
        use crate::engine::rows::lists::quarter::Quarter;
        use crate::engine::rows::lists::word::Word;

        /// The loops of this kernel, for the list of all kernels.
        pub const LOOPS: Candidate = ($name, detect);

        /// Proof that the processor has the features: [`detect`] has asked it.
        #[derive(Clone, Copy)]
        struct Detected(());

        fn detect() -> Option<&'static dyn Loops> {
            let detected = $(std::arch::$detected!($feature))&&+;
            detected.then_some(&Detected(()))
        }

        impl Steps for Detected {
            fn count_bits(self, words: &[u32]) -> [u32; 32] {
                $(#[target_feature(enable = $feature)])+
                fn compiled(words: &[u32]) -> [u32; 32] {
                    steps::count_bits::<$vector>(words)
                }
                // SAFETY: `self` proves that the processor has the features; so do all others.
                unsafe { compiled(words) }
            }

            fn sort<W: Word, R: Rest>(self, sorted: &mut Sorted<R>, lists: [&[W]; 3], split: &Split) {
                $(#[target_feature(enable = $feature)])+
                fn compiled<W: Word, R: Rest>(sorted: &mut Sorted<R>, lists: [&[W]; 3], split: &Split) {
                    sorted.sort::<$vector, W>(lists, split);
                }
                // SAFETY: see above.
                unsafe { compiled(sorted, lists, split) }
            }

            fn take_next<B: Bottom>(
                self,
                block: &mut Block,
                bottoms: Runs<B>,
                cursor: &mut Cursor,
                bits: &[u8],
                shape: Shape,
            ) -> bool {
                $(#[target_feature(enable = $feature)])+
                fn compiled<B: Bottom>(
                    block: &mut Block,
                    bottoms: Runs<B>,
                    cursor: &mut Cursor,
                    bits: &[u8],
                    shape: Shape,
                ) -> bool {
                    block.take_next::<$vector, B>(bottoms, cursor, bits, shape)
                }
                // SAFETY: see above.
                unsafe { compiled(block, bottoms, cursor, bits, shape) }
            }

            fn look_up<const CHUNKS: usize>(
                self,
                block: &Block,
                tops: Runs<Top>,
                keys: &Keys,
                shape: Shape,
            ) -> [u64; 2] {
                $(#[target_feature(enable = $feature)])+
                fn compiled<const CHUNKS: usize>(
                    block: &Block,
                    tops: Runs<Top>,
                    keys: &Keys,
                    shape: Shape,
                ) -> [u64; 2] {
                    block.look_up::<$vector, CHUNKS>(tops, keys, shape)
                }
                // SAFETY: see above.
                unsafe { compiled::<CHUNKS>(block, tops, keys, shape) }
            }

            fn join_directly<W: Word>(self, sides: Sides<W>, tables: &mut Tables, stop: &Stop) -> u128 {
                $(#[target_feature(enable = $feature)])+
                fn compiled<W: Word>(sides: Sides<W>, tables: &mut Tables, stop: &Stop) -> u128 {
                    direct::disjoint_pairs::<$vector, W>(sides, tables, stop)
                }
                // SAFETY: see above.
                unsafe { compiled(sides, tables, stop) }
            }
        }

        impl Loops for Detected {
            compile!(@word combine_narrow, join_narrow, append_narrow, u32, $vector, $($feature),+);
            compile!(@word combine_wide, join_wide, append_wide, u64, $vector, $($feature),+);
        }
    };
    (@word $combine:ident, $join:ident, $append:ident, $word:ty, $vector:ty, $($feature:tt),+) => {
        fn $combine(
            &self,
            half: &mut Half<$word>,
            quarters: [&Quarter<$word>; 2],
            row_sets: Range<usize>,
        ) {
            $(#[target_feature(enable = $feature)])+
            fn compiled(
                half: &mut Half<$word>,
                quarters: [&Quarter<$word>; 2],
                row_sets: Range<usize>,
            ) {
                half.combine(quarters, row_sets, <$vector as Compress>::$append);
            }
            // SAFETY: see above.
            unsafe { compiled(half, quarters, row_sets) }
        }

        fn $join(&self, sides: Sides<$word>, workspace: &mut Workspace, stop: &Stop) -> u128 {
            join::disjoint_pairs(*self, sides, workspace, stop)
        }
    };
}
#[cfg(any(target_arch = "aarch64", target_arch = "x86_64"))]
pub(super) use compile;
