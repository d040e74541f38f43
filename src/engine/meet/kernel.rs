//! Kernels: the inner loops of this engine, for the instruction sets that processors have.
//!
//! The files of this folder compile the loops over the vectors of [`rows`](crate::engine::rows::kernel).

// First, because the kernels use its macro.
#[macro_use]
mod loops;

#[cfg(target_arch = "x86_64")]
mod avx2;
#[cfg(target_arch = "x86_64")]
mod avx512;
#[cfg(target_arch = "aarch64")]
mod neon;
mod portable;

use self::loops::Candidate;
pub use self::loops::Loops;
use crate::engine::rows::kernel::Kernel;

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

#[cfg(test)]
mod tests {
    use super::super::join::{Sides, Workspace};
    use super::super::lists::Half;
    use super::super::prepared::PreparedCore;
    use super::super::tuning::Tuning;
    use super::*;
    use crate::engine::Stop;
    use crate::engine::rows::join::bitset::BLOCK;

    #[test]
    fn a_block_is_passed_over_only_if_all_of_it_conflicts() {
        let core = &PreparedCore::all(20, Tuning::of(20))[0];
        let [top, bottom] = &core.filing.formats;
        let tops = Half::of(top.buckets(), false, &[(top.buckets() - 1, 0)]);
        let mut workspace = Workspace::default();
        for kernel in Kernel::available() {
            for place in 0..=BLOCK {
                let bottoms: Vec<_> =
                    (0..BLOCK).map(|other| (0, if other == place { 0 } else { u64::from(u32::MAX) })).collect();
                let bottoms = Half::of(bottom.buckets(), false, &bottoms);
                let sides = Sides { tops: &tops, bottoms: &bottoms, weights: [1; 4] };
                let pairs = loops(kernel).disjoint_pairs(&core.joins[0], sides, &mut workspace, &Stop::new());
                assert_eq!(pairs, u128::from(place < BLOCK), "{kernel:?}, place {place}");
            }
        }
    }
}
