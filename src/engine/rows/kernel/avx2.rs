//! AVX2: half-boards are appended by moving lanes, bits picked out by an instruction.
#![allow(unsafe_code)]

use std::arch::x86_64::*;

use super::loops::compile;
use crate::engine::meet::kernel::avx2::{PACK, Pair};

compile!("avx2", Pair, is_x86_feature_detected!("avx2", "bmi1", "bmi2", "popcnt"));

impl Compress for Pair {
    type Mask = u64;

    #[inline(always)]
    fn mask(mask: u64) -> u64 {
        mask
    }

    #[inline(always)]
    fn extract(word: u64, mask: u64) -> u64 {
        // SAFETY: see `Pair`.
        unsafe { _pext_u64(word, mask) }
    }

    #[inline(always)]
    fn deposit(word: u64, mask: u64) -> u64 {
        // SAFETY: see `Pair`.
        unsafe { _pdep_u64(word, mask) }
    }

    #[inline(always)]
    fn append_narrow(few: &[u32], many: &[u32], out: &mut Vec<u32>) {
        const LANES: usize = 8;
        // A whole register is written for every part of one that counts.
        out.reserve(few.len() * many.len() + LANES);
        let mut length = out.len();
        let (whole, rest) = many.as_chunks::<LANES>();
        for &one in few {
            // SAFETY: see `Pair`.
            let ones = unsafe { _mm256_set1_epi32(one as i32) };
            for others in whole {
                // SAFETY: see `Pair`; eight words are read from an array of eight. For each of the few at most as many
                // half-boards are appended as there are many, so that the store ends within the places that have been
                // reserved.
                unsafe {
                    let others = _mm256_loadu_si256(others.as_ptr().cast());
                    let apart = _mm256_cmpeq_epi32(_mm256_and_si256(others, ones), _mm256_setzero_si256());
                    let apart = _mm256_movemask_ps(_mm256_castsi256_ps(apart)) as usize;
                    let pack = _mm256_loadu_si256(PACK[apart].as_ptr().cast());
                    let joined = _mm256_permutevar8x32_epi32(_mm256_or_si256(others, ones), pack);
                    _mm256_storeu_si256(out.as_mut_ptr().add(length).cast(), joined);
                    length += apart.count_ones() as usize;
                }
            }
            for &other in rest {
                // SAFETY: as above. The place is written in any case, and kept if the two are apart.
                unsafe { out.as_mut_ptr().add(length).write(other | one) };
                length += usize::from(other & one == 0);
            }
        }
        // SAFETY: the places up to `length` have been written, and `length` is within what was reserved.
        unsafe { out.set_len(length) };
    }

    #[inline(always)]
    fn append_wide(few: &[u64], many: &[u64], out: &mut Vec<u64>) {
        const LANES: usize = 4;
        out.reserve(few.len() * many.len() + LANES);
        let mut length = out.len();
        let (whole, rest) = many.as_chunks::<LANES>();
        for &one in few {
            // SAFETY: see `Pair`.
            let ones = unsafe { _mm256_set1_epi64x(one as i64) };
            for others in whole {
                // SAFETY: as in `append_narrow`; four words are read from an array of four.
                unsafe {
                    let others = _mm256_loadu_si256(others.as_ptr().cast());
                    let apart = _mm256_cmpeq_epi64(_mm256_and_si256(others, ones), _mm256_setzero_si256());
                    let apart = _mm256_castsi256_ps(apart);
                    // A lane of 64 bits is two of 32, which move together.
                    let pack = _mm256_loadu_si256(PACK[_mm256_movemask_ps(apart) as usize].as_ptr().cast());
                    let joined = _mm256_permutevar8x32_epi32(_mm256_or_si256(others, ones), pack);
                    _mm256_storeu_si256(out.as_mut_ptr().add(length).cast(), joined);
                    length += _mm256_movemask_pd(_mm256_castps_pd(apart)).count_ones() as usize;
                }
            }
            for &other in rest {
                // SAFETY: as in `append_narrow`.
                unsafe { out.as_mut_ptr().add(length).write(other | one) };
                length += usize::from(other & one == 0);
            }
        }
        // SAFETY: the places up to `length` have been written, and `length` is within what was reserved.
        unsafe { out.set_len(length) };
    }
}
