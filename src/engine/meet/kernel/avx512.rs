//! The AVX-512 kernel: a row is one register, popcounts are an instruction (VPOPCNTDQ), and half-boards are appended by
//! compressing registers.
#![allow(unsafe_code)]

use std::arch::x86_64::*;
use std::ops::Range;

use super::{Loops, Vector};
use crate::engine::Stop;
use crate::engine::meet::half::Half;
use crate::engine::meet::join::{Join, Row, Tables};
use crate::engine::meet::quarter::Quarter;

pub const NAME: &str = "avx512";

/// Proof that the processor has AVX-512 F, BW, VL and VPOPCNTDQ, BMI1, BMI2 and POPCNT: [`Avx512::detect`] has checked.
pub struct Avx512(());

impl Avx512 {
    /// The kernel, if this processor can run it.
    pub fn detect() -> Option<&'static dyn Loops> {
        let runs = is_x86_feature_detected!("avx512f")
            && is_x86_feature_detected!("avx512bw")
            && is_x86_feature_detected!("avx512vl")
            && is_x86_feature_detected!("avx512vpopcntdq")
            && is_x86_feature_detected!("bmi1")
            && is_x86_feature_detected!("bmi2")
            && is_x86_feature_detected!("popcnt");
        runs.then_some(&Self(()))
    }
}

impl Loops for Avx512 {
    fn name(&self) -> &'static str {
        NAME
    }

    fn combine(&self, half: &mut Half, quarters: [&Quarter; 2], runs: Range<u32>) {
        // SAFETY: `self` proves that the processor has the features.
        unsafe { combine(half, quarters, runs) }
    }

    fn disjoint_pairs(
        &self,
        join: &Join,
        tops: &Half,
        bottoms: &Half,
        weights: [u64; 4],
        tables: &mut Tables,
        stop: &Stop,
    ) -> u128 {
        // SAFETY: `self` proves that the processor has the features.
        unsafe { disjoint_pairs(join, tops, bottoms, weights, tables, stop) }
    }
}

#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vpopcntdq,bmi1,bmi2,popcnt")]
fn combine(half: &mut Half, quarters: [&Quarter; 2], runs: Range<u32>) {
    half.combine(quarters, runs, |near, far, out| append(near, far, out));
}

#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vpopcntdq,bmi1,bmi2,popcnt")]
fn disjoint_pairs(
    join: &Join,
    tops: &Half,
    bottoms: &Half,
    weights: [u64; 4],
    tables: &mut Tables,
    stop: &Stop,
) -> u128 {
    join.disjoint_pairs::<Register>(tops, bottoms, weights, tables, stop)
}

/// [`crate::engine::meet::half::append`], sixteen at a time.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vpopcntdq,bmi1,bmi2,popcnt")]
fn append(near: u32, far: &[u32], out: &mut Vec<u32>) {
    const LANES: usize = 16;
    // A whole register is written for every part of one that counts.
    out.reserve(far.len() + LANES);
    let near = _mm512_set1_epi32(near as i32);
    let mut length = out.len();
    let mut done = 0;
    while done < far.len() {
        let left = far.len() - done;
        let live = if left < LANES { (1 << left) - 1 } else { u16::MAX };
        // SAFETY: the mask keeps the load within `far`; at most `done` signatures have been appended, so that the store
        // ends within the reserved `far.len() + LANES` places.
        unsafe {
            let far = _mm512_maskz_loadu_epi32(live, far.as_ptr().add(done).cast());
            let apart = _mm512_mask_testn_epi32_mask(live, far, near);
            let joined = _mm512_maskz_compress_epi32(apart, _mm512_or_si512(far, near));
            _mm512_storeu_si512(out.as_mut_ptr().add(length).cast(), joined);
            length += apart.count_ones() as usize;
        }
        done += LANES;
    }
    // SAFETY: the places up to `length` have been written, and `length` is within what was reserved.
    unsafe { out.set_len(length) };
}

/// A row in a register. Made only in functions that have the features of [`Avx512`], which is what makes its methods
/// safe: they have no other requirement.
#[derive(Clone, Copy)]
struct Register(__m512i);

impl Vector for Register {
    #[inline(always)]
    fn splat(word: u64) -> Self {
        // SAFETY: see `Register`.
        Self(unsafe { _mm512_set1_epi64(word as i64) })
    }

    #[inline(always)]
    fn load(row: &Row) -> Self {
        // SAFETY: see `Register`; a row is 64 bytes at a multiple of 64.
        Self(unsafe { _mm512_load_si512(row.0.as_ptr().cast()) })
    }

    #[inline(always)]
    fn store(self, row: &mut Row) {
        // SAFETY: see `Register`; a row is 64 bytes at a multiple of 64.
        unsafe { _mm512_store_si512(row.0.as_mut_ptr().cast(), self.0) }
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
}
