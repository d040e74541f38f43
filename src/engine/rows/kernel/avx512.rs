//! The AVX-512 kernel. A bitset occupies one register, half-boards are appended by compressing
//! registers, and a single instruction (VPOPCNTDQ) counts the bits of each word.
#![allow(unsafe_code)]

use std::arch::x86_64::*;

use super::pext::Pext;
use crate::engine::rows::vector::{Address, Bitset, Table, Vector, make_room};

compile!(
    Register,
    is_x86_feature_detected!(
        "avx512f",
        "avx512bw",
        "avx512vl",
        "avx512vpopcntdq",
        "bmi1",
        "bmi2",
        "popcnt"
    )
);

/// A bitset in a register. Only `compile!` uses it, on CPUs with the required features, so its
/// methods are safe.
#[derive(Clone, Copy)]
struct Register(__m512i);

/// Appends words of one width, using the intrinsics for this width.
macro_rules! append {
    (
        $few:expr, $many:expr, $out:expr, $word:ty as $signed:ty, $mask:ty:
        $lanes:expr, $splat:ident, $load:ident, $apart:ident, $compress:ident, $permute:ident,
        $below:ident, $shift:ident
    ) => {{
        const LANES: usize = size_of::<Bitset>() / size_of::<$word>();

        /// Appends words. `many` must have at most `SHARE` words. A register then combines several
        /// words of `few` with all words of `many`.
        #[inline(always)]
        fn append_short<const SHARE: usize>(few: &[$word], many: &[$word], out: &mut Vec<$word>) {
            make_room(out, few.len() * many.len() + LANES);
            let mut length = out.len();
            // SAFETY: see `Register`. The masks keep loads within `few` and `many`. Each word of
            // `few` appends at most `many.len()` words, so every store ends within the reserved
            // memory, and all words up to `length` are written.
            unsafe {
                let lane = $lanes;
                let of_many = _mm512_and_si512(lane, $splat(SHARE as $signed - 1));
                let of_few = $shift(lane, $splat(SHARE.trailing_zeros() as $signed));
                let others = $permute(
                    of_many,
                    $load(first(many.len()) as $mask, many.as_ptr().cast()),
                );
                let held = $below(of_many, $splat(many.len() as $signed));
                for few in few.chunks(LANES / SHARE) {
                    let ones = $permute(
                        of_few,
                        $load(first(few.len()) as $mask, few.as_ptr().cast()),
                    );
                    let apart = $apart(held & first(few.len() * SHARE) as $mask, ones, others);
                    let joined = $compress(apart, _mm512_or_si512(ones, others));
                    _mm512_storeu_si512(out.as_mut_ptr().add(length).cast(), joined);
                    length += apart.count_ones() as usize;
                }
                out.set_len(length);
            }
        }

        let few: &[$word] = $few;
        let many: &[$word] = $many;
        let out: &mut Vec<$word> = $out;
        if many.is_empty() {
            return;
        } else if many.len() <= LANES / 4 {
            return append_short::<{ LANES / 4 }>(few, many, out);
        } else if many.len() <= LANES / 2 {
            return append_short::<{ LANES / 2 }>(few, many, out);
        }
        make_room(out, few.len() * many.len() + LANES);
        let mut length = out.len();
        let (whole, rest) = many.as_chunks::<LANES>();
        let live = first(rest.len()) as $mask;
        // SAFETY: see `Register`. The mask keeps the load within `rest`.
        let rest = unsafe { $load(live, rest.as_ptr().cast()) };
        for &one in few {
            // SAFETY: see `Register`.
            let one = unsafe { $splat(one as $signed) };
            let mut append = |live: $mask, others: __m512i| {
                // SAFETY: see `Register`. As above, every store ends within the reserved memory.
                unsafe {
                    let apart = $apart(live, others, one);
                    let joined = $compress(apart, _mm512_or_si512(others, one));
                    _mm512_storeu_si512(out.as_mut_ptr().add(length).cast(), joined);
                    length += apart.count_ones() as usize;
                }
            };
            for others in whole {
                // SAFETY: each register is loaded from an array of the same size.
                append(<$mask>::MAX, unsafe {
                    _mm512_loadu_si512(others.as_ptr().cast())
                });
            }
            append(live, rest);
        }
        // SAFETY: the words up to `length` were written to reserved memory.
        unsafe { out.set_len(length) };
    }};
}

/// Returns the mask of the first `lanes` lanes.
#[inline(always)]
fn first(lanes: usize) -> u32 {
    ((1u64 << lanes) - 1) as u32
}

impl Vector for Register {
    type Mask = Pext;

    #[inline(always)]
    fn splat(word: u64) -> Self {
        // SAFETY: see `Register`.
        Self(unsafe { _mm512_set1_epi64(word as i64) })
    }

    #[inline(always)]
    fn load(bitset: &Bitset) -> Self {
        // SAFETY: see `Register`. Bitsets are aligned.
        Self(unsafe { _mm512_load_si512(bitset.0.as_ptr().cast()) })
    }

    #[inline(always)]
    fn load_at(table: &Table, address: Address) -> Self {
        // SAFETY: see `Register`. Every `Address` is the offset of a table entry.
        Self(unsafe { _mm512_load_si512(table.as_ptr().byte_add(address.bytes()).cast()) })
    }

    #[inline(always)]
    fn store(self, bitset: &mut Bitset) {
        // SAFETY: see `Register`. Bitsets are aligned.
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

    /// Uses intrinsics, because in a plain loop, the compiler would gather one word from each of
    /// eight bitsets.
    #[inline(always)]
    fn exchange<const D: u32>(one: &mut Bitset, other: &mut Bitset, lower: u64) {
        let Self(a) = Self::load(one);
        let Self(b) = Self::load(other);
        let Self(lower) = Self::splat(lower);
        // SAFETY: see `Register`.
        unsafe {
            let swap = _mm512_and_si512(_mm512_xor_si512(_mm512_srli_epi64::<D>(a), b), lower);
            Self(_mm512_xor_si512(a, _mm512_slli_epi64::<D>(swap))).store(one);
            Self(_mm512_xor_si512(b, swap)).store(other);
        }
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
        append!(few, many, out, u32 as i32, u16:
            _mm512_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15),
            _mm512_set1_epi32, _mm512_maskz_loadu_epi32, _mm512_mask_testn_epi32_mask,
            _mm512_maskz_compress_epi32, _mm512_permutexvar_epi32,
            _mm512_cmplt_epu32_mask, _mm512_srlv_epi32)
    }

    #[inline(always)]
    fn append_wide(few: &[u64], many: &[u64], out: &mut Vec<u64>) {
        append!(few, many, out, u64 as i64, u8:
            _mm512_setr_epi64(0, 1, 2, 3, 4, 5, 6, 7), _mm512_set1_epi64,
            _mm512_maskz_loadu_epi64, _mm512_mask_testn_epi64_mask, _mm512_maskz_compress_epi64,
            _mm512_permutexvar_epi64, _mm512_cmplt_epu64_mask, _mm512_srlv_epi64)
    }
}
