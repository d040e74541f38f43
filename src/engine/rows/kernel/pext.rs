//! What the kernels for x86-64 share. Bits are extracted and deposited with the BMI2 instructions
//! PEXT and PDEP. On Zen 1 and 2, they take at least a cycle per bit.
#![allow(unsafe_code)]

use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch, _pdep_u64, _pext_u64};

use super::{Avx2, Avx512};
use crate::engine::rows::vector::Mask;

/// A mask, and evidence that the CPU supports BMI2, because it is made from such evidence.
#[derive(Clone, Copy)]
pub(crate) struct Pext(u64);

impl Pext {
    #[inline(always)]
    pub(super) fn with_avx2(_: Avx2, bits: u64) -> Self {
        Self(bits)
    }

    #[inline(always)]
    pub(super) fn with_avx512(_: Avx512, bits: u64) -> Self {
        Self(bits)
    }
}

impl Mask for Pext {
    #[inline(always)]
    fn extract(self, word: u64) -> u64 {
        // SAFETY: the evidence from which `self` was made includes BMI2, and so PEXT.
        unsafe { _pext_u64(word, self.0) }
    }

    #[inline(always)]
    fn deposit(self, word: u64) -> u64 {
        // SAFETY: the evidence from which `self` was made includes BMI2, and so PDEP.
        unsafe { _pdep_u64(word, self.0) }
    }
}

/// Fetches the cache line of an item.
#[inline(always)]
pub(super) fn prefetch<T>(items: &[T], at: usize) {
    // SAFETY: a prefetch accesses no memory, so any address will do. All CPUs of x86-64 support it.
    unsafe { _mm_prefetch::<_MM_HINT_T0>(items.as_ptr().wrapping_add(at).cast()) }
}
