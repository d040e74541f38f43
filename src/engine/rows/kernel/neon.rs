//! NEON: half-boards are appended by moving bytes (TBL). Bits are picked out as in the portable kernel, because no
//! instruction does it.
#![allow(unsafe_code)]

use std::arch::aarch64::*;

use super::loops::compile;
use super::portable::Moves;
use crate::engine::meet::kernel::neon::{LANE_BITS, PACK, Quad};
use crate::engine::rows::lists::word::append;

compile!("neon", Quad, is_aarch64_feature_detected!("neon"));

impl Compress for Quad {
    type Mask = Moves;

    #[inline(always)]
    fn mask(mask: u64) -> Moves {
        Moves::new(mask)
    }

    #[inline(always)]
    fn extract(word: u64, mask: Moves) -> u64 {
        mask.extract(word)
    }

    #[inline(always)]
    fn deposit(word: u64, mask: Moves) -> u64 {
        mask.deposit(word)
    }

    #[inline(always)]
    fn append_narrow(few: &[u32], many: &[u32], out: &mut Vec<u32>) {
        const LANES: usize = 4;
        // A whole register is written for every part of one that counts.
        out.reserve(few.len() * many.len() + LANES);
        let mut length = out.len();
        let (whole, rest) = many.as_chunks::<LANES>();
        for &one in few {
            for others in whole {
                // SAFETY: see `Quad`; four words are read from an array of four, as are the lane bits, and sixteen bytes
                // from an array of sixteen. For each of the few at most as many half-boards are appended as there are
                // many, so that the store ends within the places that have been reserved.
                unsafe {
                    let ones = vdupq_n_u32(one);
                    let others = vld1q_u32(others.as_ptr());
                    let apart = vceqzq_u32(vandq_u32(others, ones));
                    let lanes = vaddvq_u32(vandq_u32(apart, vld1q_u32(LANE_BITS.as_ptr()))) as usize;
                    let pack = vld1q_u8(PACK[lanes % (1 << LANES)].as_ptr());
                    let joined = vqtbl1q_u8(vreinterpretq_u8_u32(vorrq_u32(others, ones)), pack);
                    vst1q_u8(out.as_mut_ptr().add(length).cast(), joined);
                    length += lanes >> LANES;
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

    /// A register holds two wide words, which is no gain.
    #[inline(always)]
    fn append_wide(few: &[u64], many: &[u64], out: &mut Vec<u64>) {
        append(few, many, out);
    }
}
