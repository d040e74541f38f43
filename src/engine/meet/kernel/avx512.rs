//! The AVX-512 kernel: a bitset is one register, popcounts are an instruction (VPOPCNTDQ), and half-boards are appended
//! by compressing registers.
#![allow(unsafe_code)]

use std::arch::x86_64::*;

use crate::engine::meet::join::{Bitset, Vector};
use crate::engine::meet::lists::{Far, Near};

compile!(
    "avx512",
    Register,
    is_x86_feature_detected!("avx512f", "avx512bw", "avx512vl", "avx512vpopcntdq", "bmi1", "bmi2", "popcnt")
);

/// A bitset in a register. Only `compile` uses it, in functions that have its features, which is what makes its methods
/// safe: they have no other requirement.
#[derive(Clone, Copy)]
pub struct Register(pub __m512i);

impl Vector for Register {
    #[inline(always)]
    fn splat(word: u64) -> Self {
        // SAFETY: see `Register`.
        Self(unsafe { _mm512_set1_epi64(word as i64) })
    }

    #[inline(always)]
    fn load(bitset: &Bitset) -> Self {
        // SAFETY: see `Register`; a bitset is 64 bytes at a multiple of 64.
        Self(unsafe { _mm512_load_si512(bitset.0.as_ptr().cast()) })
    }

    #[inline(always)]
    fn store(self, bitset: &mut Bitset) {
        // SAFETY: see `Register`; a bitset is 64 bytes at a multiple of 64.
        unsafe { _mm512_store_si512(bitset.0.as_mut_ptr().cast(), self.0) }
    }

    #[inline(always)]
    fn or(self, other: Self) -> Self {
        // SAFETY: see `Register`.
        Self(unsafe { _mm512_or_si512(self.0, other.0) })
    }

    #[inline(always)]
    fn and(self, other: Self) -> Self {
        // SAFETY: see `Register`.
        Self(unsafe { _mm512_and_si512(self.0, other.0) })
    }

    #[inline(always)]
    fn xor(self, other: Self) -> Self {
        // SAFETY: see `Register`.
        Self(unsafe { _mm512_xor_si512(self.0, other.0) })
    }

    #[inline(always)]
    fn shift_left<const D: u32>(self) -> Self {
        // SAFETY: see `Register`.
        Self(unsafe { _mm512_slli_epi64::<D>(self.0) })
    }

    #[inline(always)]
    fn shift_right<const D: u32>(self) -> Self {
        // SAFETY: see `Register`.
        Self(unsafe { _mm512_srli_epi64::<D>(self.0) })
    }

    #[inline(always)]
    fn is_full(self) -> bool {
        // SAFETY: see `Register`.
        unsafe { _mm512_cmpneq_epi64_mask(self.0, _mm512_set1_epi64(-1)) == 0 }
    }

    #[inline(always)]
    fn add_ones_to(self, counts: Self) -> Self {
        // SAFETY: see `Register`.
        Self(unsafe { _mm512_add_epi64(counts.0, _mm512_popcnt_epi64(self.0)) })
    }

    #[inline(always)]
    fn sum(self) -> u64 {
        // SAFETY: see `Register`.
        unsafe { _mm512_reduce_add_epi64(self.0) as u64 }
    }

    #[inline(always)]
    fn append(nears: &[Near], far: Far, out: &mut Vec<u32>) {
        const LANES: usize = 16;
        // A whole register is written for every part of one that counts.
        out.reserve(nears.len() * far.longest + LANES);
        let mut length = out.len();
        for near in nears {
            // SAFETY: see `Register`.
            let broadcast = unsafe { _mm512_set1_epi32(near.chunks as i32) };
            let far = far.beside(near);
            let mut done = 0;
            while done < far.len() {
                let left = far.len() - done;
                let live = if left < LANES { (1 << left) - 1 } else { u16::MAX };
                // SAFETY: see `Register`; the mask keeps the load within `far`. Of each near quarter at most `longest`
                // half-boards are appended, so that the store ends within the places that have been reserved.
                unsafe {
                    let far = _mm512_maskz_loadu_epi32(live, far.as_ptr().add(done).cast());
                    let apart = _mm512_mask_testn_epi32_mask(live, far, broadcast);
                    let joined = _mm512_maskz_compress_epi32(apart, _mm512_or_si512(far, broadcast));
                    _mm512_storeu_si512(out.as_mut_ptr().add(length).cast(), joined);
                    length += apart.count_ones() as usize;
                }
                done += LANES;
            }
        }
        // SAFETY: the places up to `length` have been written, and `length` is within what was reserved.
        unsafe { out.set_len(length) };
    }
}
