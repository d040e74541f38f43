//! AVX-512: half-boards are appended.
#![allow(unsafe_code)]

use std::arch::x86_64::*;

use crate::engine::meet::lists::{Far, Near};
use crate::engine::rows::kernel::avx512::Register;

compile!(
    "avx512",
    Register,
    is_x86_feature_detected!("avx512f", "avx512bw", "avx512vl", "avx512vpopcntdq", "bmi1", "bmi2", "popcnt")
);

/// Appends the half-boards that [`append`](crate::engine::meet::lists::append) appends, in the same order.
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
