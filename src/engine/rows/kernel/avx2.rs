//! The AVX2 kernel. A bitset takes two registers, and half-boards are appended by permuting lanes.
//! To count bits, registers are combined as in full adders. Each step counts only the carries, by
//! looking up half-bytes in a table.
#![allow(unsafe_code)]

use std::arch::x86_64::*;

use super::pext::Pext;
use crate::engine::rows::vector::{Bitset, Vector};

compile!(
    Pair,
    is_x86_feature_detected!("avx2", "bmi1", "bmi2", "popcnt")
);

/// The permutation `PACK[mask]` moves the lanes selected by `mask` to the front.
static PACK: [[u32; 8]; 256] = pack!(u32, 8 lanes of 1);

/// A bitset in two registers. Only `compile!` uses it, on CPUs with the required features, so its
/// methods are safe.
#[derive(Clone, Copy)]
struct Pair(__m256i, __m256i);

/// Returns the number of set bits in each word of a register. (W. Mula, N. Kurz, D. Lemire, Faster
/// Population Counts Using AVX2 Instructions, 2018.)
#[inline(always)]
fn ones(register: __m256i) -> __m256i {
    // SAFETY: see `Pair`.
    unsafe {
        let of_half_byte = _mm256_setr_epi8(
            0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4, 0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2,
            3, 3, 4,
        );
        let half_byte = _mm256_set1_epi8(15);
        let low = _mm256_shuffle_epi8(of_half_byte, _mm256_and_si256(register, half_byte));
        let high = _mm256_shuffle_epi8(
            of_half_byte,
            _mm256_and_si256(_mm256_srli_epi64::<4>(register), half_byte),
        );
        _mm256_sad_epu8(_mm256_add_epi8(low, high), _mm256_setzero_si256())
    }
}

/// Appends words of one width, using the intrinsics for this width.
macro_rules! append {
    ($few:expr, $many:expr, $out:expr, $word:ty as $signed:ty: $splat:ident, $equal:ident) => {
        append_by_registers!(
            $few,
            $many,
            $out,
            size_of::<__m256i>() / size_of::<$word>(),
            |one, others, place| {
                let ones = $splat(one as $signed);
                let others = _mm256_loadu_si256(others.as_ptr().cast());
                let apart = $equal(_mm256_and_si256(others, ones), _mm256_setzero_si256());
                // A lane of 64 bits is treated as two lanes of 32 bits that move together.
                let apart = _mm256_movemask_ps(_mm256_castsi256_ps(apart)) as usize;
                let pack = _mm256_loadu_si256(PACK[apart].as_ptr().cast());
                let joined = _mm256_permutevar8x32_epi32(_mm256_or_si256(others, ones), pack);
                _mm256_storeu_si256(place.cast(), joined);
                apart.count_ones() as usize * size_of::<u32>() / size_of::<$word>()
            }
        )
    };
}

impl Vector for Pair {
    type Mask = Pext;

    #[inline(always)]
    fn splat(word: u64) -> Self {
        // SAFETY: see `Pair`.
        let register = unsafe { _mm256_set1_epi64x(word as i64) };
        Self(register, register)
    }

    #[inline(always)]
    fn load(bitset: &Bitset) -> Self {
        let words = bitset.0.as_ptr();
        // SAFETY: see `Pair`. Bitsets are aligned.
        unsafe {
            Self(
                _mm256_load_si256(words.cast()),
                _mm256_load_si256(words.add(4).cast()),
            )
        }
    }

    #[inline(always)]
    fn store(self, bitset: &mut Bitset) {
        let words = bitset.0.as_mut_ptr();
        // SAFETY: see `Pair`. Bitsets are aligned.
        unsafe {
            _mm256_store_si256(words.cast(), self.0);
            _mm256_store_si256(words.add(4).cast(), self.1);
        }
    }

    #[inline(always)]
    fn or(self, other: Self) -> Self {
        // SAFETY: see `Pair`.
        unsafe {
            Self(
                _mm256_or_si256(self.0, other.0),
                _mm256_or_si256(self.1, other.1),
            )
        }
    }

    #[inline(always)]
    fn is_full(self) -> bool {
        // SAFETY: see `Pair`.
        unsafe { _mm256_testc_si256(_mm256_and_si256(self.0, self.1), _mm256_set1_epi64x(-1)) == 1 }
    }

    /// Adds both registers and the first half of `counts` bit by bit, as full adders do. The sum
    /// bits replace the first half of `counts`. The second half counts the carries, which are worth
    /// two each.
    #[inline(always)]
    fn add_ones_to(self, counts: Self) -> Self {
        let Self(a, b) = self;
        let Self(odd, twos) = counts;
        // SAFETY: see `Pair`.
        unsafe {
            let differ = _mm256_xor_si256(a, b);
            let carry = _mm256_or_si256(_mm256_and_si256(a, b), _mm256_and_si256(differ, odd));
            Self(
                _mm256_xor_si256(differ, odd),
                _mm256_add_epi64(twos, ones(carry)),
            )
        }
    }

    #[inline(always)]
    fn sum(self) -> u64 {
        let Self(odd, twos) = self;
        // SAFETY: a register has 32 bytes, the same as four words, and all bit patterns are valid.
        let words = |register| unsafe { std::mem::transmute::<__m256i, [u64; 4]>(register) };
        words(ones(odd)).iter().sum::<u64>() + 2 * words(twos).iter().sum::<u64>()
    }

    #[inline(always)]
    fn append_narrow(few: &[u32], many: &[u32], out: &mut Vec<u32>) {
        append!(few, many, out, u32 as i32: _mm256_set1_epi32, _mm256_cmpeq_epi32)
    }

    #[inline(always)]
    fn append_wide(few: &[u64], many: &[u64], out: &mut Vec<u64>) {
        append!(few, many, out, u64 as i64: _mm256_set1_epi64x, _mm256_cmpeq_epi64)
    }
}
