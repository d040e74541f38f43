//! The AVX-512 kernel: a bitset is one register, popcounts are an instruction (VPOPCNTDQ), half-boards are appended by
//! compressing registers, and bits picked out by an instruction.
#![allow(unsafe_code)]

use std::arch::x86_64::*;

use super::bmi2::Pext;
use super::compile::compile;
use crate::engine::rows::vector::Vector;
use crate::engine::rows::vector::bitset::{Address, Bitset, Table};

compile!(
    Register,
    is_x86_feature_detected!("avx512f", "avx512bw", "avx512vl", "avx512vpopcntdq", "bmi1", "bmi2", "popcnt")
);

/// A bitset in a register. Only `compile` uses it, in functions that have its features, which is what makes its methods
/// safe: they have no other requirement.
#[derive(Clone, Copy)]
struct Register(__m512i);

impl Vector for Register {
    type Mask = Pext;

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
    fn load_at(table: &Table, address: Address) -> Self {
        // SAFETY: see `Register`; every address is that of a bitset of the table.
        Self(unsafe { _mm512_load_si512(table.as_ptr().byte_add(address.bytes()).cast()) })
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
    fn or3(self, other: Self, third: Self) -> Self {
        // SAFETY: see `Register`.
        Self(unsafe { _mm512_ternarylogic_epi64::<0xfe>(self.0, other.0, third.0) })
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
    fn append_narrow(few: &[u32], many: &[u32], out: &mut Vec<u32>) {
        const LANES: usize = 16;
        match many.len() {
            0 => return,
            1..=4 => return append_narrow_short::<4>(few, many, out),
            5..=8 => return append_narrow_short::<8>(few, many, out),
            _ => {}
        }
        out.reserve(few.len() * many.len() + LANES);
        let mut length = out.len();
        let (whole, rest) = many.as_chunks::<LANES>();
        let live = first(rest.len()) as u16;
        // SAFETY: as in `append_narrow_short`.
        let rest = unsafe { _mm512_maskz_loadu_epi32(live, rest.as_ptr().cast()) };
        for &one in few {
            // SAFETY: see `Register`.
            let one = unsafe { _mm512_set1_epi32(one as i32) };
            let mut append = |live: u16, others: __m512i| {
                // SAFETY: as in `append_narrow_short`.
                unsafe {
                    let apart = _mm512_mask_testn_epi32_mask(live, others, one);
                    let joined = _mm512_maskz_compress_epi32(apart, _mm512_or_si512(others, one));
                    _mm512_storeu_si512(out.as_mut_ptr().add(length).cast(), joined);
                    length += apart.count_ones() as usize;
                }
            };
            for others in whole {
                // SAFETY: sixteen words are read from an array of sixteen.
                append(u16::MAX, unsafe { _mm512_loadu_si512(others.as_ptr().cast()) });
            }
            append(live, rest);
        }
        // SAFETY: the places up to `length` have been written, and `length` is within what was reserved.
        unsafe { out.set_len(length) };
    }

    #[inline(always)]
    fn append_wide(few: &[u64], many: &[u64], out: &mut Vec<u64>) {
        const LANES: usize = 8;
        match many.len() {
            0 => return,
            1..=2 => return append_wide_short::<2>(few, many, out),
            3..=4 => return append_wide_short::<4>(few, many, out),
            _ => {}
        }
        out.reserve(few.len() * many.len() + LANES);
        let mut length = out.len();
        let (whole, rest) = many.as_chunks::<LANES>();
        let live = first(rest.len()) as u8;
        // SAFETY: as in `append_narrow_short`.
        let rest = unsafe { _mm512_maskz_loadu_epi64(live, rest.as_ptr().cast()) };
        for &one in few {
            // SAFETY: see `Register`.
            let one = unsafe { _mm512_set1_epi64(one as i64) };
            let mut append = |live: u8, others: __m512i| {
                // SAFETY: as in `append_narrow_short`.
                unsafe {
                    let apart = _mm512_mask_testn_epi64_mask(live, others, one);
                    let joined = _mm512_maskz_compress_epi64(apart, _mm512_or_si512(others, one));
                    _mm512_storeu_si512(out.as_mut_ptr().add(length).cast(), joined);
                    length += apart.count_ones() as usize;
                }
            };
            for others in whole {
                // SAFETY: eight words are read from an array of eight.
                append(u8::MAX, unsafe { _mm512_loadu_si512(others.as_ptr().cast()) });
            }
            append(live, rest);
        }
        // SAFETY: the places up to `length` have been written, and `length` is within what was reserved.
        unsafe { out.set_len(length) };
    }
}

/// The first lanes, so many, as a mask.
#[inline(always)]
fn first(lanes: usize) -> u32 {
    ((1u64 << lanes) - 1) as u32
}

/// [`Vector::append_narrow`] for lists of up to `SHARE` words: a register takes several of the few.
#[inline(always)]
fn append_narrow_short<const SHARE: usize>(few: &[u32], many: &[u32], out: &mut Vec<u32>) {
    const LANES: usize = 16;
    // A whole register is written for every part of one that counts.
    out.reserve(few.len() * many.len() + LANES);
    let mut length = out.len();
    // SAFETY: see `Register`; masks keep the loads within `few` and `many`, of which the latter has no more than
    // `SHARE` words. For each of the few at most as many half-boards are appended as there are many, so that every
    // store ends within the places that have been reserved.
    unsafe {
        let lane = _mm512_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
        let of_many = _mm512_and_si512(lane, _mm512_set1_epi32(SHARE as i32 - 1));
        let of_few = _mm512_srlv_epi32(lane, _mm512_set1_epi32(SHARE.trailing_zeros() as i32));
        let others = _mm512_maskz_loadu_epi32(first(many.len()) as u16, many.as_ptr().cast());
        let others = _mm512_permutexvar_epi32(of_many, others);
        let held = _mm512_cmplt_epu32_mask(of_many, _mm512_set1_epi32(many.len() as i32));
        for few in few.chunks(LANES / SHARE) {
            let ones = _mm512_maskz_loadu_epi32(first(few.len()) as u16, few.as_ptr().cast());
            let ones = _mm512_permutexvar_epi32(of_few, ones);
            let apart = _mm512_mask_testn_epi32_mask(held & first(few.len() * SHARE) as u16, ones, others);
            let joined = _mm512_maskz_compress_epi32(apart, _mm512_or_si512(ones, others));
            _mm512_storeu_si512(out.as_mut_ptr().add(length).cast(), joined);
            length += apart.count_ones() as usize;
        }
        // The places up to `length` have been written, and `length` is within what was reserved.
        out.set_len(length);
    }
}

/// [`append_narrow_short`] for wide words.
#[inline(always)]
fn append_wide_short<const SHARE: usize>(few: &[u64], many: &[u64], out: &mut Vec<u64>) {
    const LANES: usize = 8;
    out.reserve(few.len() * many.len() + LANES);
    let mut length = out.len();
    // SAFETY: as in `append_narrow_short`.
    unsafe {
        let lane = _mm512_setr_epi64(0, 1, 2, 3, 4, 5, 6, 7);
        let of_many = _mm512_and_si512(lane, _mm512_set1_epi64(SHARE as i64 - 1));
        let of_few = _mm512_srlv_epi64(lane, _mm512_set1_epi64(SHARE.trailing_zeros().into()));
        let others = _mm512_maskz_loadu_epi64(first(many.len()) as u8, many.as_ptr().cast());
        let others = _mm512_permutexvar_epi64(of_many, others);
        let held = _mm512_cmplt_epu64_mask(of_many, _mm512_set1_epi64(many.len() as i64));
        for few in few.chunks(LANES / SHARE) {
            let ones = _mm512_maskz_loadu_epi64(first(few.len()) as u8, few.as_ptr().cast());
            let ones = _mm512_permutexvar_epi64(of_few, ones);
            let apart = _mm512_mask_testn_epi64_mask(held & first(few.len() * SHARE) as u8, ones, others);
            let joined = _mm512_maskz_compress_epi64(apart, _mm512_or_si512(ones, others));
            _mm512_storeu_si512(out.as_mut_ptr().add(length).cast(), joined);
            length += apart.count_ones() as usize;
        }
        out.set_len(length);
    }
}
