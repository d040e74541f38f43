//! The NEON kernel. A bitset takes four registers, a single instruction (CNT) counts the bits of
//! each byte, and narrow half-boards are appended by moving bytes (TBL). Wide half-boards are
//! appended as in the portable kernel, because a register holds only two of them. Bits are also
//! extracted as in that kernel, because NEON has no instruction for this.
#![allow(unsafe_code)]

use std::arch::aarch64::*;
use std::arch::asm;
use std::mem::transmute;

use super::append::{Lanes, append};
use super::portable::Moves;
use crate::engine::rows::vector::{Bitset, Counter, Reserved, Simd, Vector};

evidence! {
    Neon: is_aarch64_feature_detected!("neon")
}

/// The permutation `PACK[mask]` moves the bytes of the lanes selected by `mask` to the front.
static PACK: [[u8; 16]; 16] = pack!(u8, 4 lanes of 4);

/// In lane i, bits i and 4 are set. In the sum of the values of some lanes, the low four bits are
/// the mask of these lanes, and the higher bits are the number of lanes.
static LANE_BITS: [u32; 4] = [0x11, 0x12, 0x14, 0x18];

/// A bitset in four registers.
#[derive(Clone, Copy)]
pub(crate) struct Quad(uint64x2_t, uint64x2_t, uint64x2_t, uint64x2_t);

impl Simd for Neon {
    type Vector = Quad;
    type Counter = Words;
    type Mask = Moves;

    #[inline(always)]
    fn splat(self, word: u64) -> Quad {
        // SAFETY: `self` is evidence of NEON.
        let register = unsafe { vdupq_n_u64(word) };
        Quad(register, register, register, register)
    }

    #[inline(always)]
    fn load(self, bitset: &Bitset) -> Quad {
        let words = bitset.0.as_ptr();
        // SAFETY: `self` is evidence of NEON. Each register holds two of a bitset's eight words.
        unsafe {
            Quad(
                vld1q_u64(words),
                vld1q_u64(words.add(2)),
                vld1q_u64(words.add(4)),
                vld1q_u64(words.add(6)),
            )
        }
    }

    #[inline(always)]
    fn counter(self) -> Words {
        // SAFETY: `self` is evidence of NEON.
        Words(unsafe { vdupq_n_u64(0) })
    }

    #[inline(always)]
    fn prefetch<T>(self, items: &[T], at: usize) {
        let item = items.as_ptr().wrapping_add(at);
        // SAFETY: a prefetch accesses no memory, so any address will do.
        unsafe {
            asm!(
                "prfm pstl1keep, [{}]",
                in(reg) item,
                options(nostack, preserves_flags, readonly)
            );
        }
    }

    #[inline(always)]
    fn mask(self, bits: u64) -> Moves {
        Moves::new(bits)
    }

    #[inline(always)]
    fn append_narrow(self, few: &[u32], many: &[u32], out: &mut Vec<u32>) -> Reserved {
        append(self, few, many, out)
    }
}

impl Vector for Quad {
    #[inline(always)]
    fn store(self, bitset: &mut Bitset) {
        let words = bitset.0.as_mut_ptr();
        // SAFETY: `self` is evidence of NEON. Each register holds two of a bitset's eight words.
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
        // SAFETY: `self` is evidence of NEON.
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
        // SAFETY: `self` is evidence of NEON.
        unsafe {
            let common = vandq_u64(vandq_u64(self.0, self.1), vandq_u64(self.2, self.3));
            vminvq_u32(vreinterpretq_u32_u64(common)) == u32::MAX
        }
    }
}

/// Numbers of set bits.
#[derive(Clone, Copy)]
pub(crate) struct Words(uint64x2_t);

impl Counter<Quad> for Words {
    #[inline(always)]
    fn add(self, quad: Quad) -> Self {
        // SAFETY: `self` is evidence of NEON.
        unsafe { add_bytes(self, ones(quad)) }
    }

    /// Adds up the counts of the four vectors byte by byte (each sum is at most 128) before widening
    /// the sums to words.
    #[inline(always)]
    fn add_four(self, [a, b, c, d]: [Quad; 4]) -> Self {
        // SAFETY: `self` is evidence of NEON.
        unsafe {
            let ab = vaddq_u8(ones(a), ones(b));
            let cd = vaddq_u8(ones(c), ones(d));
            add_bytes(self, vaddq_u8(ab, cd))
        }
    }

    #[inline(always)]
    fn sum(self) -> u64 {
        // SAFETY: `self` is evidence of NEON.
        unsafe { vaddvq_u64(self.0) }
    }
}

/// Returns, in each byte, the number of set bits in this byte of the four registers.
///
/// # Safety
/// The CPU must support NEON.
#[inline]
#[target_feature(enable = "neon")]
fn ones(Quad(a, b, c, d): Quad) -> uint8x16_t {
    let a = vcntq_u8(vreinterpretq_u8_u64(a));
    let b = vcntq_u8(vreinterpretq_u8_u64(b));
    let c = vcntq_u8(vreinterpretq_u8_u64(c));
    let d = vcntq_u8(vreinterpretq_u8_u64(d));
    vaddq_u8(vaddq_u8(a, b), vaddq_u8(c, d))
}

/// # Safety
/// The CPU must support NEON.
#[inline]
#[target_feature(enable = "neon")]
fn add_bytes(Words(words): Words, bytes: uint8x16_t) -> Words {
    Words(vpadalq_u32(words, vpaddlq_u16(vpaddlq_u8(bytes))))
}

// SAFETY: `join` counts the bits in a mask of four lanes.
unsafe impl Lanes<u32, 4> for Neon {
    #[inline(always)]
    fn join(self, one: u32, others: &[u32; 4]) -> ([u32; 4], usize) {
        // SAFETY: `self` is evidence of NEON. An array has the size of a register, and every bit
        // pattern is an array of words.
        unsafe {
            let ones = vdupq_n_u32(one);
            let others = vld1q_u32(others.as_ptr());
            let apart = vceqzq_u32(vandq_u32(others, ones));
            let lanes = vaddvq_u32(vandq_u32(apart, vld1q_u32(LANE_BITS.as_ptr()))) as usize;
            let pack = vld1q_u8(PACK[lanes % PACK.len()].as_ptr());
            let joined = vqtbl1q_u8(vreinterpretq_u8_u32(vorrq_u32(others, ones)), pack);
            (transmute::<uint8x16_t, [u32; 4]>(joined), lanes >> 4)
        }
    }
}
