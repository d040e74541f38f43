//! The NEON kernel. A bitset takes four registers, a single instruction (CNT) counts the bits of
//! each byte, and narrow half-boards are appended by moving bytes (TBL). Wide half-boards are
//! appended as in the portable kernel, because a register holds only two of them. Bits are also
//! extracted as in that kernel, because NEON has no instruction for this.
#![allow(unsafe_code)]

use std::arch::aarch64::*;

use super::portable::Moves;
use crate::engine::rows::vector::{Bitset, Vector};

compile!(Quad, is_aarch64_feature_detected!("neon"));

/// The permutation `PACK[mask]` moves the bytes of the lanes selected by `mask` to the front.
static PACK: [[u8; 16]; 16] = pack!(u8, 4 lanes of 4);

/// In lane i, bits i and 4 are set. In the sum of the values of some lanes, the low four bits are
/// the mask of these lanes, and the higher bits are the number of lanes.
static LANE_BITS: [u32; 4] = [0x11, 0x12, 0x14, 0x18];

/// A bitset in four registers. Only `compile!` uses it, on CPUs with the required features, so its
/// methods are safe.
#[derive(Clone, Copy)]
struct Quad(uint64x2_t, uint64x2_t, uint64x2_t, uint64x2_t);

impl Vector for Quad {
    type Mask = Moves;

    #[inline(always)]
    fn splat(word: u64) -> Self {
        // SAFETY: see `Quad`.
        let register = unsafe { vdupq_n_u64(word) };
        Self(register, register, register, register)
    }

    #[inline(always)]
    fn load(bitset: &Bitset) -> Self {
        let words = bitset.0.as_ptr();
        // SAFETY: see `Quad`. Each register holds two of a bitset's eight words.
        unsafe {
            Self(
                vld1q_u64(words),
                vld1q_u64(words.add(2)),
                vld1q_u64(words.add(4)),
                vld1q_u64(words.add(6)),
            )
        }
    }

    #[inline(always)]
    fn store(self, bitset: &mut Bitset) {
        let words = bitset.0.as_mut_ptr();
        // SAFETY: see `Quad`. Each register holds two of a bitset's eight words.
        unsafe {
            vst1q_u64(words, self.0);
            vst1q_u64(words.add(2), self.1);
            vst1q_u64(words.add(4), self.2);
            vst1q_u64(words.add(6), self.3);
        }
    }

    #[inline(always)]
    fn or(self, other: Self) -> Self {
        let Self(a, b, c, d) = self;
        let Self(e, f, g, h) = other;
        // SAFETY: see `Quad`.
        unsafe {
            Self(
                vorrq_u64(a, e),
                vorrq_u64(b, f),
                vorrq_u64(c, g),
                vorrq_u64(d, h),
            )
        }
    }

    #[inline(always)]
    fn is_full(self) -> bool {
        // SAFETY: see `Quad`.
        unsafe {
            let common = vandq_u64(vandq_u64(self.0, self.1), vandq_u64(self.2, self.3));
            vminvq_u32(vreinterpretq_u32_u64(common)) == u32::MAX
        }
    }

    /// Adds up the counts of the four registers byte by byte (each sum is at most 32) before
    /// widening the sums to words. Therefore a single register of `counts` is enough.
    #[inline(always)]
    fn add_ones_to(self, counts: Self) -> Self {
        // SAFETY: see `Quad`.
        unsafe {
            let ones = |register| vcntq_u8(vreinterpretq_u8_u64(register));
            let bytes = vaddq_u8(
                vaddq_u8(ones(self.0), ones(self.1)),
                vaddq_u8(ones(self.2), ones(self.3)),
            );
            Self(
                vpadalq_u32(counts.0, vpaddlq_u16(vpaddlq_u8(bytes))),
                counts.1,
                counts.2,
                counts.3,
            )
        }
    }

    #[inline(always)]
    fn sum(self) -> u64 {
        // SAFETY: see `Quad`.
        unsafe { vaddvq_u64(self.0) + vaddvq_u64(self.1) + vaddvq_u64(self.2) + vaddvq_u64(self.3) }
    }

    #[inline(always)]
    fn append_narrow(few: &[u32], many: &[u32], out: &mut Vec<u32>) {
        append_by_registers!(few, many, out, 4, |one, others, place| {
            let ones = vdupq_n_u32(one);
            let others = vld1q_u32(others.as_ptr());
            let apart = vceqzq_u32(vandq_u32(others, ones));
            let lanes = vaddvq_u32(vandq_u32(apart, vld1q_u32(LANE_BITS.as_ptr()))) as usize;
            let pack = vld1q_u8(PACK[lanes % PACK.len()].as_ptr());
            let joined = vqtbl1q_u8(vreinterpretq_u8_u32(vorrq_u32(others, ones)), pack);
            vst1q_u8(place.cast(), joined);
            lanes >> 4
        })
    }
}
