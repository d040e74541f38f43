//! Bits picked out of words by instructions of x86 processors (BMI2). Zen 1 and 2 have them, but take a cycle or more for
//! each bit.
#![allow(unsafe_code)]

use std::arch::x86_64::{_pdep_u64, _pext_u64};

use crate::engine::rows::vector::Mask;

/// A mask. Only kernels with BMI2 use it, in functions that have these features, which is what makes its methods safe:
/// they have no other requirement.
#[derive(Clone, Copy)]
pub struct Pext(u64);

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
