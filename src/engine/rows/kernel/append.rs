//! Appends half-boards register by register.
#![allow(unsafe_code)]

use std::ops::{BitAnd, BitOr};

use crate::engine::rows::vector::{PADDING, Reserved, reserve};

/// Registers of `N` words.
///
/// # Safety
/// [`Lanes::join`] must return a number of at most `N`.
pub(super) unsafe trait Lanes<W, const N: usize>: Copy {
    /// Returns the OR of `one` with each of `others` that has no bits in common with it, followed by
    /// any words, and how many there are.
    fn join(self, one: W, others: &[W; N]) -> ([W; N], usize);
}

/// Appends the OR of each pair of words that have no bits in common.
#[inline(always)]
pub(super) fn append<W, const N: usize>(
    lanes: impl Lanes<W, N>,
    few: &[W],
    many: &[W],
    out: &mut Vec<W>,
) -> Reserved
where
    W: Copy + Default + PartialEq + BitAnd<Output = W> + BitOr<Output = W>,
{
    // Each write stores a whole register, even if only some of its words are kept.
    const { assert!(N <= PADDING) };
    reserve(few, many, out)?;
    let mut length = out.len();
    let (whole, rest) = many.as_chunks::<N>();
    for &one in few {
        for others in whole {
            let (joined, found) = lanes.join(one, others);
            // SAFETY: each word of `few` appends at most one word for each word of `many` that it
            // was joined with, because `found` is at most `N`. So at most `few.len() * many.len()`
            // words precede the last write, and the reserved memory holds `N` words more.
            unsafe { out.as_mut_ptr().add(length).cast::<[W; N]>().write(joined) };
            length += found;
        }
        for &other in rest {
            // SAFETY: likewise, fewer than `few.len() * many.len()` words precede this one.
            unsafe { out.as_mut_ptr().add(length).write(other | one) };
            length += usize::from(other & one == W::default());
        }
    }
    // SAFETY: the memory is reserved, and the words up to `length` were written.
    unsafe { out.set_len(length) };
    Ok(())
}
