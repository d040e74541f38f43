//! The AVX2 kernel. A bitset takes two registers, and half-boards are appended by permuting lanes.
//! To count bits, registers are combined as in full adders. Only carries are counted, by looking up
//! half-bytes in a table.
#![allow(unsafe_code)]

use std::arch::x86_64::*;
use std::mem::transmute;

use super::append::{Lanes, append};
use super::pext::{self, Pext};
use crate::engine::rows::vector::{Bitset, Counter, Reserved, Simd, Vector};

evidence! {
    Avx2: is_x86_feature_detected!("avx2", "bmi1", "bmi2", "popcnt")
}

/// The permutation `PACK[mask]` moves the lanes selected by `mask` to the front.
static PACK: [[u32; 8]; 256] = pack!(u32, 8 lanes of 1);

/// A bitset in two registers.
#[derive(Clone, Copy)]
pub(crate) struct Pair(__m256i, __m256i);

impl Simd for Avx2 {
    type Vector = Pair;
    type Counter = Ones;
    type Mask = Pext;

    #[inline(always)]
    fn splat(self, word: u64) -> Pair {
        // SAFETY: `self` is evidence of AVX2.
        let register = unsafe { _mm256_set1_epi64x(word as i64) };
        Pair(register, register)
    }

    #[inline(always)]
    fn load(self, bitset: &Bitset) -> Pair {
        let words = bitset.0.as_ptr();
        // SAFETY: `self` is evidence of AVX2. A bitset has eight words and is aligned to 64 bytes,
        // so each half of it is four words, aligned to 32 bytes.
        unsafe {
            Pair(
                _mm256_load_si256(words.cast()),
                _mm256_load_si256(words.add(4).cast()),
            )
        }
    }

    #[inline(always)]
    fn counter(self) -> Ones {
        let Pair(zero, _) = self.splat(0);
        Ones {
            odd: zero,
            twos: zero,
            fours: zero,
            two: zero,
            eight: zero,
        }
    }

    #[inline(always)]
    fn prefetch<T>(self, items: &[T], at: usize) {
        pext::prefetch(items, at);
    }

    #[inline(always)]
    fn mask(self, bits: u64) -> Pext {
        Pext::with_avx2(self, bits)
    }

    #[inline(always)]
    fn append_narrow(self, few: &[u32], many: &[u32], out: &mut Vec<u32>) -> Reserved {
        append(self, few, many, out)
    }

    #[inline(always)]
    fn append_wide(self, few: &[u64], many: &[u64], out: &mut Vec<u64>) -> Reserved {
        append(self, few, many, out)
    }
}

impl Vector for Pair {
    #[inline(always)]
    fn store(self, bitset: &mut Bitset) {
        let words = bitset.0.as_mut_ptr();
        // SAFETY: `self` is evidence of AVX2. A bitset has eight words and is aligned to 64 bytes,
        // so each half of it is four words, aligned to 32 bytes.
        unsafe {
            _mm256_store_si256(words.cast(), self.0);
            _mm256_store_si256(words.add(4).cast(), self.1);
        }
    }

    #[inline(always)]
    fn or(self, other: Self) -> Self {
        // SAFETY: `self` is evidence of AVX2.
        unsafe {
            Self(
                _mm256_or_si256(self.0, other.0),
                _mm256_or_si256(self.1, other.1),
            )
        }
    }

    #[inline(always)]
    fn is_full(self) -> bool {
        // SAFETY: `self` is evidence of AVX2.
        unsafe { _mm256_testc_si256(_mm256_and_si256(self.0, self.1), _mm256_set1_epi64x(-1)) == 1 }
    }
}

/// A number of set bits.
#[derive(Clone, Copy)]
pub(crate) struct Ones {
    /// Bits that are worth one, two and four.
    odd: __m256i,
    twos: __m256i,
    fours: __m256i,
    /// Numbers of bits that are worth two and eight, in each word.
    two: __m256i,
    eight: __m256i,
}

impl Counter<Pair> for Ones {
    #[inline(always)]
    fn add(self, Pair(a, b): Pair) -> Self {
        // SAFETY: `self` is evidence of AVX2.
        unsafe {
            let (odd, carry) = full_add(self.odd, a, b);
            let two = _mm256_add_epi64(self.two, ones(carry));
            Self { odd, two, ..self }
        }
    }

    /// Adds the eight registers in a tree of full adders, so that bits are counted only once for all
    /// of them: the carries that are worth eight. (R. Seal and R. Harley; see [`ones`].)
    #[inline(always)]
    fn add_four(self, [a, b, c, d]: [Pair; 4]) -> Self {
        // SAFETY: `self` is evidence of AVX2.
        unsafe {
            let (odd, of_a) = full_add(self.odd, a.0, a.1);
            let (odd, of_b) = full_add(odd, b.0, b.1);
            let (twos, of_ab) = full_add(self.twos, of_a, of_b);
            let (odd, of_c) = full_add(odd, c.0, c.1);
            let (odd, of_d) = full_add(odd, d.0, d.1);
            let (twos, of_cd) = full_add(twos, of_c, of_d);
            let (fours, carry) = full_add(self.fours, of_ab, of_cd);
            let eight = _mm256_add_epi64(self.eight, ones(carry));
            Self {
                odd,
                twos,
                fours,
                eight,
                ..self
            }
        }
    }

    #[inline(always)]
    fn sum(self) -> u64 {
        // SAFETY: `self` is evidence of AVX2.
        unsafe {
            total(ones(self.odd))
                + 2 * (total(ones(self.twos)) + total(self.two))
                + 4 * total(ones(self.fours))
                + 8 * total(self.eight)
        }
    }
}

/// Adds three bits in each position. Returns the sums and the carries.
///
/// # Safety
/// The CPU must support AVX2.
#[inline]
#[target_feature(enable = "avx2")]
fn full_add(a: __m256i, b: __m256i, c: __m256i) -> (__m256i, __m256i) {
    let differ = _mm256_xor_si256(b, c);
    let carry = _mm256_or_si256(_mm256_and_si256(b, c), _mm256_and_si256(differ, a));
    (_mm256_xor_si256(differ, a), carry)
}

/// Returns the sum of the words of a register.
#[inline(always)]
fn total(register: __m256i) -> u64 {
    // SAFETY: a register has the size of four words, and every bit pattern is a word.
    let words = unsafe { transmute::<__m256i, [u64; 4]>(register) };
    words.iter().sum()
}

/// Returns the number of set bits in each word of a register. (W. Mula, N. Kurz, D. Lemire, Faster
/// Population Counts Using AVX2 Instructions, 2018.)
///
/// # Safety
/// The CPU must support AVX2.
#[inline]
#[target_feature(enable = "avx2")]
fn ones(register: __m256i) -> __m256i {
    let of_half_byte = _mm256_setr_epi8(
        0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4, 0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3,
        3, 4,
    );
    let half_byte = _mm256_set1_epi8(15);
    let low = _mm256_shuffle_epi8(of_half_byte, _mm256_and_si256(register, half_byte));
    let high = _mm256_shuffle_epi8(
        of_half_byte,
        _mm256_and_si256(_mm256_srli_epi64::<4>(register), half_byte),
    );
    _mm256_sad_epu8(_mm256_add_epi8(low, high), _mm256_setzero_si256())
}

// SAFETY: `join` counts the bits in a mask of eight lanes.
unsafe impl Lanes<u32, 8> for Avx2 {
    #[inline(always)]
    fn join(self, one: u32, others: &[u32; 8]) -> ([u32; 8], usize) {
        // SAFETY: `self` is evidence of AVX2. An array has the size of a register, and every bit
        // pattern is an array of words.
        unsafe {
            let ones = _mm256_set1_epi32(one as i32);
            let others = _mm256_loadu_si256(others.as_ptr().cast());
            let apart = _mm256_cmpeq_epi32(_mm256_and_si256(others, ones), _mm256_setzero_si256());
            let (joined, lanes) = pack(_mm256_or_si256(others, ones), apart);
            (transmute::<__m256i, [u32; 8]>(joined), lanes)
        }
    }
}

// SAFETY: `join` counts the bits in a mask of eight lanes, two for each word.
unsafe impl Lanes<u64, 4> for Avx2 {
    #[inline(always)]
    fn join(self, one: u64, others: &[u64; 4]) -> ([u64; 4], usize) {
        // SAFETY: `self` is evidence of AVX2. An array has the size of a register, and every bit
        // pattern is an array of words.
        unsafe {
            let ones = _mm256_set1_epi64x(one as i64);
            let others = _mm256_loadu_si256(others.as_ptr().cast());
            let apart = _mm256_cmpeq_epi64(_mm256_and_si256(others, ones), _mm256_setzero_si256());
            // A word is treated as two lanes of 32 bits that move together.
            let (joined, lanes) = pack(_mm256_or_si256(others, ones), apart);
            (transmute::<__m256i, [u64; 4]>(joined), lanes / 2)
        }
    }
}

/// Moves the lanes of 32 bits whose bits are set in `kept` to the front, and returns their number.
///
/// # Safety
/// The CPU must support AVX2 and POPCNT.
#[inline]
#[target_feature(enable = "avx2,popcnt")]
fn pack(register: __m256i, kept: __m256i) -> (__m256i, usize) {
    let lanes = _mm256_movemask_ps(_mm256_castsi256_ps(kept)) as usize;
    // SAFETY: a permutation has the size of a register.
    let pack = unsafe { _mm256_loadu_si256(PACK[lanes].as_ptr().cast()) };
    let joined = _mm256_permutevar8x32_epi32(register, pack);
    (joined, lanes.count_ones() as usize)
}
