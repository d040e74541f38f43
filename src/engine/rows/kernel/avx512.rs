//! The AVX-512 kernel. A bitset occupies one register, half-boards are appended by compressing
//! registers, and a single instruction (VPOPCNTDQ) counts the bits of each word.
#![allow(unsafe_code)]

use std::arch::x86_64::*;

use super::pext::{self, Pext};
use crate::engine::rows::vector::{
    Address, BLOCK, Bitset, Counter, PADDING, Reserved, Simd, Table, Vector, reserve,
};

evidence! {
    Avx512: is_x86_feature_detected!(
        "avx512f",
        "avx512bw",
        "avx512vl",
        "avx512vpopcntdq",
        "bmi1",
        "bmi2",
        "popcnt"
    )
}

/// A bitset, or numbers of set bits.
#[derive(Clone, Copy)]
pub(crate) struct Register(__m512i);

impl Simd for Avx512 {
    type Vector = Register;
    type Counter = Register;
    type Mask = Pext;
    const SHORT: usize = 12 * BLOCK;

    #[inline(always)]
    fn splat(self, word: u64) -> Register {
        // SAFETY: `self` is evidence of AVX-512.
        Register(unsafe { _mm512_set1_epi64(word as i64) })
    }

    #[inline(always)]
    fn load(self, bitset: &Bitset) -> Register {
        // SAFETY: `self` is evidence of AVX-512. A bitset has the size and the alignment of a
        // register.
        Register(unsafe { _mm512_load_si512(bitset.0.as_ptr().cast()) })
    }

    #[inline(always)]
    fn load_at(self, table: &Table, address: Address) -> Register {
        // SAFETY: `self` is evidence of AVX-512. Every `Address` is the offset of an entry of a
        // table, and an entry has the size and the alignment of a register.
        Register(unsafe { _mm512_load_si512(table.as_ptr().byte_add(address.bytes()).cast()) })
    }

    #[inline(always)]
    fn counter(self) -> Register {
        self.splat(0)
    }

    #[inline(always)]
    fn prefetch<T>(self, items: &[T], at: usize) {
        pext::prefetch(items, at);
    }

    /// Uses intrinsics, because in a plain loop, the compiler would gather one word from each of
    /// eight bitsets.
    #[inline(always)]
    fn exchange<const D: u32>(self, one: &mut Bitset, other: &mut Bitset, lower: u64) {
        let Register(a) = self.load(one);
        let Register(b) = self.load(other);
        let Register(lower) = self.splat(lower);
        // SAFETY: `self` is evidence of AVX-512.
        unsafe {
            let swap = _mm512_and_si512(_mm512_xor_si512(_mm512_srli_epi64::<D>(a), b), lower);
            Register(_mm512_xor_si512(a, _mm512_slli_epi64::<D>(swap))).store(one);
            Register(_mm512_xor_si512(b, swap)).store(other);
        }
    }

    #[inline(always)]
    fn mask(self, bits: u64) -> Pext {
        Pext::with_avx512(self, bits)
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

impl Vector for Register {
    #[inline(always)]
    fn store(self, bitset: &mut Bitset) {
        // SAFETY: `self` is evidence of AVX-512. A bitset has the size and the alignment of a
        // register.
        unsafe { _mm512_store_si512(bitset.0.as_mut_ptr().cast(), self.0) }
    }

    #[inline(always)]
    fn or(self, other: Self) -> Self {
        // SAFETY: `self` is evidence of AVX-512.
        Self(unsafe { _mm512_or_si512(self.0, other.0) })
    }

    #[inline(always)]
    fn or3(self, other: Self, third: Self) -> Self {
        // SAFETY: `self` is evidence of AVX-512.
        Self(unsafe { _mm512_ternarylogic_epi64::<0xfe>(self.0, other.0, third.0) })
    }

    #[inline(always)]
    fn is_full(self) -> bool {
        // SAFETY: `self` is evidence of AVX-512.
        unsafe { _mm512_cmpneq_epi64_mask(self.0, _mm512_set1_epi64(-1)) == 0 }
    }
}

impl Counter<Self> for Register {
    #[inline(always)]
    fn add(self, vector: Self) -> Self {
        // SAFETY: `self` is evidence of AVX-512, including VPOPCNTDQ.
        Self(unsafe { _mm512_add_epi64(self.0, _mm512_popcnt_epi64(vector.0)) })
    }

    #[inline(always)]
    fn sum(self) -> u64 {
        // SAFETY: `self` is evidence of AVX-512.
        unsafe { _mm512_reduce_add_epi64(self.0) as u64 }
    }
}

/// Registers of `N` words. In a mask of lanes, the lowest bits belong to the first lanes.
///
/// # Safety
/// `N` words must have the size of a register, and [`Words::join`] must return a number of at most
/// `N`.
unsafe trait Words<W, const N: usize>: Copy {
    /// Loads the first `N` words, or all words and zeros.
    fn load_words(self, words: &[W]) -> __m512i;
    /// Returns the numbers as words.
    fn numbers(self, numbers: &[u8; N]) -> __m512i;
    /// Moves the word whose number is in lane i of `from` to lane i.
    fn permute(self, words: __m512i, from: __m512i) -> __m512i;
    /// Among the lanes in the mask `live`, selects those in which the words have no bits in common.
    /// Returns the OR of both words in these lanes, followed by zeros, and the number of lanes.
    fn join(self, live: u32, ones: __m512i, others: __m512i) -> (__m512i, usize);
}

// SAFETY: 16 words of 32 bits have 512 bits. `join` counts the bits in a mask of 16 lanes.
unsafe impl Words<u32, 16> for Avx512 {
    #[inline(always)]
    fn load_words(self, words: &[u32]) -> __m512i {
        // SAFETY: `self` is evidence of AVX-512. The mask excludes the lanes beyond `words`.
        unsafe { _mm512_maskz_loadu_epi32(first(words.len()) as u16, words.as_ptr().cast()) }
    }

    #[inline(always)]
    fn numbers(self, numbers: &[u8; 16]) -> __m512i {
        // SAFETY: `self` is evidence of AVX-512. 16 bytes are loaded.
        unsafe { _mm512_cvtepu8_epi32(_mm_loadu_si128(numbers.as_ptr().cast())) }
    }

    #[inline(always)]
    fn permute(self, words: __m512i, from: __m512i) -> __m512i {
        // SAFETY: `self` is evidence of AVX-512.
        unsafe { _mm512_permutexvar_epi32(from, words) }
    }

    #[inline(always)]
    fn join(self, live: u32, ones: __m512i, others: __m512i) -> (__m512i, usize) {
        // SAFETY: `self` is evidence of AVX-512.
        unsafe {
            let apart = _mm512_mask_testn_epi32_mask(live as u16, ones, others);
            let joined = _mm512_maskz_compress_epi32(apart, _mm512_or_si512(ones, others));
            (joined, apart.count_ones() as usize)
        }
    }
}

// SAFETY: eight words of 64 bits have 512 bits. `join` counts the bits in a mask of eight lanes.
unsafe impl Words<u64, 8> for Avx512 {
    #[inline(always)]
    fn load_words(self, words: &[u64]) -> __m512i {
        // SAFETY: `self` is evidence of AVX-512. The mask excludes the lanes beyond `words`.
        unsafe { _mm512_maskz_loadu_epi64(first(words.len()) as u8, words.as_ptr().cast()) }
    }

    #[inline(always)]
    fn numbers(self, numbers: &[u8; 8]) -> __m512i {
        // SAFETY: `self` is evidence of AVX-512. Eight bytes are loaded.
        unsafe { _mm512_cvtepu8_epi64(_mm_loadl_epi64(numbers.as_ptr().cast())) }
    }

    #[inline(always)]
    fn permute(self, words: __m512i, from: __m512i) -> __m512i {
        // SAFETY: `self` is evidence of AVX-512.
        unsafe { _mm512_permutexvar_epi64(from, words) }
    }

    #[inline(always)]
    fn join(self, live: u32, ones: __m512i, others: __m512i) -> (__m512i, usize) {
        // SAFETY: `self` is evidence of AVX-512.
        unsafe {
            let apart = _mm512_mask_testn_epi64_mask(live as u8, ones, others);
            let joined = _mm512_maskz_compress_epi64(apart, _mm512_or_si512(ones, others));
            (joined, apart.count_ones() as usize)
        }
    }
}

/// Returns the mask of the first `lanes` lanes, or of all lanes of a register.
#[inline(always)]
fn first(lanes: usize) -> u32 {
    if lanes < 32 {
        (1 << lanes) - 1
    } else {
        u32::MAX
    }
}

/// Appends the OR of each pair of words that have no bits in common.
#[inline(always)]
fn append<W: Copy, const N: usize>(
    words: impl Words<W, N>,
    few: &[W],
    many: &[W],
    out: &mut Vec<W>,
) -> Reserved {
    if few.len().max(many.len()) <= N {
        append_short(words, few, many, out)
    } else {
        append_long(words, few, many, out)
    }
}

/// The number of registers that are combined at a time. Combining too many costs less than
/// mispredicting their number.
const STEPS: usize = 4;

/// Appends as [`append`] does. Each list must have at most `N` words. A register combines several
/// words of `few` with all words of `many`.
#[inline(always)]
fn append_short<W: Copy, const N: usize>(
    words: impl Words<W, N>,
    few: &[W],
    many: &[W],
    out: &mut Vec<W>,
) -> Reserved {
    // Each word of `few` takes a power of two of lanes.
    let share = many.len().next_power_of_two();
    let log = share.trailing_zeros() as usize;
    let [of_many, of_few] = &const { lanes::<N>() }[log];
    let others = words.permute(words.load_words(many), words.numbers(of_many));
    let few_words = words.load_words(few);
    let mut from = words.numbers(of_few);
    let step = words.numbers(&[(N / share) as u8; N]);
    // The lanes of `many`, repeated for each word of `few`.
    let held = first(many.len()) * EACH[log];
    const { assert!(N <= PADDING) };
    reserve(few, many, out)?;
    let mut length = out.len();
    let mut left = few.len() * share;
    loop {
        for _ in 0..STEPS {
            let ones = words.permute(few_words, from);
            let (joined, found) = words.join(held & first(left), ones, others);
            // SAFETY: `Words` is evidence of AVX-512. Each word of `few` appends at most `many.len()`
            // words, because `held` has as many lanes for it. So at most `few.len() * many.len()`
            // words precede this register, and the reserved memory holds a register more.
            unsafe { _mm512_storeu_si512(out.as_mut_ptr().add(length).cast(), joined) };
            length += found;
            // SAFETY: `Words` is evidence of AVX-512.
            from = unsafe { _mm512_add_epi32(from, step) };
            left = left.saturating_sub(N);
        }
        if left == 0 {
            break;
        }
    }
    // SAFETY: the memory is reserved, and the words up to `length` were written.
    unsafe { out.set_len(length) };
    Ok(())
}

/// The masks of every lane, of every second one, every fourth one and so on.
const EACH: [u32; 5] = [
    0xffff_ffff,
    0x5555_5555,
    0x1111_1111,
    0x0101_0101,
    0x0001_0001,
];

/// If each word of `few` takes 2^k lanes, returns at k which word of `many` and which word of `few`
/// each lane combines.
const fn lanes<const N: usize>() -> [[[u8; N]; 2]; 5] {
    let mut lanes = [[[0; N]; 2]; 5];
    let mut log = 0;
    while log < lanes.len() {
        let mut lane = 0;
        while lane < N {
            lanes[log][0][lane] = (lane % (1 << log)) as u8;
            lanes[log][1][lane] = (lane >> log) as u8;
            lane += 1;
        }
        log += 1;
    }
    lanes
}

/// Appends as [`append`] does.
#[inline(always)]
fn append_long<W: Copy, const N: usize>(
    words: impl Words<W, N>,
    few: &[W],
    many: &[W],
    out: &mut Vec<W>,
) -> Reserved {
    const { assert!(N <= PADDING) };
    reserve(few, many, out)?;
    let mut length = out.len();
    let (whole, rest) = many.as_chunks::<N>();
    let live = first(rest.len());
    let rest = words.load_words(rest);
    for &one in few {
        let ones = words.load_words(&[one; N]);
        for others in whole {
            let (joined, found) = words.join(u32::MAX, ones, words.load_words(others));
            // SAFETY: `Words` is evidence of AVX-512. Each word of `few` appends at most one word
            // for each word of `many` that it was joined with. So at most `few.len() * many.len()`
            // words precede this register, and the reserved memory holds a register more.
            unsafe { _mm512_storeu_si512(out.as_mut_ptr().add(length).cast(), joined) };
            length += found;
        }
        let (joined, found) = words.join(live, ones, rest);
        // SAFETY: `Words` is evidence of AVX-512, and there is as much room as above, because
        // `live` has only the lanes of the other words of `many`.
        unsafe { _mm512_storeu_si512(out.as_mut_ptr().add(length).cast(), joined) };
        length += found;
    }
    // SAFETY: the memory is reserved, and the words up to `length` were written.
    unsafe { out.set_len(length) };
    Ok(())
}
