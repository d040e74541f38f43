//! NEON: half-boards are appended.
#![allow(unsafe_code)]

use std::arch::aarch64::*;

use crate::engine::meet::lists::{Far, Near};
use crate::engine::rows::kernel::neon::{LANE_BITS, PACK, Quad};

compile!("neon", Quad, is_aarch64_feature_detected!("neon"));

const LANES: usize = 4;

/// Appends the half-boards that [`append`](crate::engine::meet::lists::append) appends, in the same order.
#[inline(always)]
fn append(nears: &[Near], far: Far, out: &mut Vec<u32>) {
    // A whole register is written for every part of one that counts.
    out.reserve(nears.len() * far.longest + LANES);
    let mut length = out.len();
    for near in nears {
        let (whole, rest) = far.beside(near).as_chunks::<LANES>();
        for far in whole {
            // SAFETY: see `Quad`; four signatures are read from an array of four, as are the bits of lanes, and
            // sixteen bytes from an array of sixteen. Of each near quarter at most `longest` half-boards are
            // appended, so that the store ends within the places that have been reserved.
            unsafe {
                let broadcast = vdupq_n_u32(near.chunks);
                let far = vld1q_u32(far.as_ptr());
                let apart = vceqzq_u32(vandq_u32(far, broadcast));
                let apart = vaddvq_u32(vandq_u32(apart, vld1q_u32(LANE_BITS.as_ptr()))) as usize;
                let pack = vld1q_u8(PACK[apart % (1 << LANES)].as_ptr());
                let joined = vqtbl1q_u8(vreinterpretq_u8_u32(vorrq_u32(far, broadcast)), pack);
                vst1q_u8(out.as_mut_ptr().add(length).cast(), joined);
                length += apart >> LANES;
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
