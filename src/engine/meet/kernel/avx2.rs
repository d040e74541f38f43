//! AVX2: half-boards are appended.
#![allow(unsafe_code)]

use std::arch::x86_64::*;

use crate::engine::meet::lists::{Far, Near};
use crate::engine::rows::kernel::avx2::{PACK, Pair};

compile!("avx2", Pair, is_x86_feature_detected!("avx2", "bmi1", "bmi2", "popcnt"));

const LANES: usize = 8;

/// Appends the half-boards that [`append`](crate::engine::meet::lists::append) appends, in the same order.
#[inline(always)]
fn append(nears: &[Near], far: Far, out: &mut Vec<u32>) {
    // A whole register is written for every part of one that counts.
    out.reserve(nears.len() * far.longest + LANES);
    let mut length = out.len();
    for near in nears {
        // SAFETY: see `Pair`.
        let broadcast = unsafe { _mm256_set1_epi32(near.chunks as i32) };
        let (whole, rest) = far.beside(near).as_chunks::<LANES>();
        for far in whole {
            // SAFETY: see `Pair`; eight signatures are read from an array of eight. Of each near quarter at most
            // `longest` half-boards are appended, so that the store ends within the places that have been reserved.
            unsafe {
                let far = _mm256_loadu_si256(far.as_ptr().cast());
                let apart = _mm256_cmpeq_epi32(_mm256_and_si256(far, broadcast), _mm256_setzero_si256());
                let mask = _mm256_movemask_ps(_mm256_castsi256_ps(apart)) as usize;
                let pack = _mm256_loadu_si256(PACK[mask].as_ptr().cast());
                let joined = _mm256_permutevar8x32_epi32(_mm256_or_si256(far, broadcast), pack);
                _mm256_storeu_si256(out.as_mut_ptr().add(length).cast(), joined);
                length += mask.count_ones() as usize;
            }
        }
        for far in rest {
            // SAFETY: as above. The place is written in any case, and kept if the two are apart.
            unsafe { out.as_mut_ptr().add(length).write(far | near.chunks) };
            length += usize::from(far & near.chunks == 0);
        }
    }
    // SAFETY: the places up to `length` have been written, and `length` is within what was reserved.
    unsafe { out.set_len(length) };
}
