//! Extracts and deposits bits with the BMI2 instructions PEXT and PDEP. On Zen 1 and 2, they take
//! at least a cycle per bit.
#![allow(unsafe_code)]

use std::arch::x86_64::{_pdep_u64, _pext_u64};

use crate::engine::rows::vector::Mask;

/// A mask for kernels that require BMI2. Only these kernels use it, so its methods are safe.
#[derive(Clone, Copy)]
pub(super) struct Pext(u64);

impl Mask for Pext {
    #[inline(always)]
    fn new(mask: u64) -> Self {
        Self(mask)
    }

    #[inline(always)]
    fn extract(self, word: u64) -> u64 {
        // SAFETY: see `Pext`.
        unsafe { _pext_u64(word, self.0) }
    }

    #[inline(always)]
    fn deposit(self, word: u64) -> u64 {
        // SAFETY: see `Pext`.
        unsafe { _pdep_u64(word, self.0) }
    }
}
