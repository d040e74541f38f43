//! A counting sort. It keeps only those bits of each half-board that must still be looked up.
//!
//! Neighbours in a list share a quarter-board, so they often go into the same bin. If each bin had
//! a single counter, it would often have to be read right after being written. Therefore
//! half-boards alternate between two **streams** with separate counters.

use crate::engine::rows::lists::word::Word;
use crate::engine::rows::vector::{Address, InnerLoop, Mask, Reserved, Simd};

#[derive(Clone, Debug, Default)]
pub(super) struct Binning {
    /// The diagonals that determine the bin.
    sorted_by: u64,
    /// The bin for each pattern of the bits in `sorted_by`.
    of_pattern: Vec<u16>,
    /// The diagonals that are kept.
    kept: u64,
    /// The bits of [`Addresses`] to which the kept bits are moved.
    spread_to: u64,
}

impl Binning {
    /// Defines bins by the diagonals at `positions`. The first diagonal determines the lowest bit of
    /// a bin's number.
    pub(super) fn set(&mut self, positions: impl Iterator<Item = u32>, kept: u64, spread_to: u64) {
        let mut by_position: Vec<(u32, u16)> = positions.zip((0..).map(|bit| 1 << bit)).collect();
        by_position.sort_unstable();
        self.sorted_by = 0;
        self.of_pattern.clear();
        self.of_pattern.push(0);
        for (position, bit) in by_position {
            self.sorted_by |= 1 << position;
            for pattern in 0..self.of_pattern.len() {
                self.of_pattern.push(self.of_pattern[pattern] | bit);
            }
        }
        self.kept = kept;
        self.spread_to = spread_to;
    }
}

/// Returns where [`Mask::extract`] moves the bit at `position`.
pub(super) fn extracted_bit(mask: u64, position: u32) -> u32 {
    (mask & ((1 << position) - 1)).count_ones()
}

#[derive(Clone, Debug, Default)]
pub(super) struct Sorted<T> {
    /// The half-boards, followed by at least [`PADDING`] items to ignore.
    items: Vec<T>,
    /// A bin has a slot for each stream. The start of each slot, then the end of the last one;
    /// empty if there are no half-boards.
    starts: Vec<u32>,
    /// The bin of each half-board in the unsorted list, followed by at least [`AHEAD`] others.
    bins: Vec<u16>,
}

const STREAMS: usize = 2;

/// How many half-boards before it is written the place of a half-board is fetched into the cache. A
/// multiple of [`STREAMS`].
const AHEAD: usize = 16;

/// The size in bytes of a list from which this saves more time than it costs.
const FETCHED: usize = 64 << 10;

/// The number of half-boards that can be read at once, even at the end of a list.
pub(super) const PADDING: usize = 32;

impl<T: SortedItem> Sorted<T> {
    pub(super) fn is_empty(&self) -> bool {
        self.starts.is_empty()
    }

    /// Returns the start of a bin or, after the last bin, the end of the list.
    #[inline(always)]
    pub(super) fn start(&self, bin: usize) -> usize {
        self.starts[STREAMS * bin] as usize
    }

    #[inline(always)]
    pub(super) fn between(&self, start: u32, end: u32) -> &[T] {
        &self.items[start as usize..end as usize]
    }

    /// Returns the [`PADDING`] items from `start` on. Some may be left over from other lists.
    #[inline(always)]
    pub(super) fn padded(&self, start: usize) -> &[T] {
        &self.items[start..][..PADDING]
    }
}

fn lengthen<T: Copy + Default>(list: &mut Vec<T>, length: usize) -> Reserved {
    let missing = length.saturating_sub(list.len());
    list.try_reserve(missing)?;
    list.resize(list.len() + missing, T::default());
    Ok(())
}

/// A half-board in a sorted list.
pub(super) trait SortedItem: Copy + Default {
    /// Returns the `kept` bits of a word. For [`Addresses`], they are moved to `spread_to`.
    fn from_word<M: Mask>(word: u64, kept: M, spread_to: M) -> Self;
}

/// A half-board of the longer list: the address of a table entry for each chunk.
pub(super) type Addresses = [Address; 4];

impl SortedItem for Addresses {
    #[inline(always)]
    fn from_word<M: Mask>(word: u64, kept: M, spread_to: M) -> Self {
        Address::four(spread_to.deposit(kept.extract(word)))
    }
}

/// A half-board of the shorter list: the packed bits of the diagonals that do not affect its bin.
impl SortedItem for u32 {
    #[inline(always)]
    fn from_word<M: Mask>(word: u64, kept: M, _: M) -> Self {
        kept.extract(word) as u32
    }
}

pub(super) struct Sort<'a, W, T> {
    pub sorted: &'a mut Sorted<T>,
    pub list: &'a [W],
    pub by: &'a Binning,
}

impl<W: Word, T: SortedItem> InnerLoop for Sort<'_, W, T> {
    type Output = Reserved;

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) -> Self::Output {
        let Self { sorted, list, by } = self;
        sorted.starts.clear();
        if list.is_empty() {
            return Ok(());
        }
        lengthen(&mut sorted.items, list.len() + PADDING)?;
        lengthen(&mut sorted.bins, list.len() + AHEAD)?;
        let sorted_by = simd.mask(by.sorted_by);
        let kept = simd.mask(by.kept);
        let spread_to = simd.mask(by.spread_to);
        let of_pattern = &by.of_pattern[..];
        let items = &mut sorted.items[..list.len()];
        let bins = &mut sorted.bins[..list.len() + AHEAD];
        // Bins left over from other lists may be too high.
        bins[list.len()..].fill(0);
        let slots = STREAMS * of_pattern.len();
        // At first, `starts[slot + 2]` is the length of a slot. Later, `starts[slot + 1]` is the
        // start of the slot and, once the slot is filled, its end.
        let starts = &mut sorted.starts;
        starts.resize(slots + 2, 0);
        let (lengths, _) = starts[2..].as_chunks_mut::<STREAMS>();
        for_each(list, &mut bins[..list.len()], |stream, word, bin| {
            *bin = of_pattern[sorted_by.extract(word.to_u64()) as usize];
            lengths[usize::from(*bin)][stream] += 1;
        });
        let mut end = 0;
        for start in &mut starts[2..] {
            end += *start;
            *start = end;
        }
        let (nexts, _) = starts[1..=slots].as_chunks_mut::<STREAMS>();
        let fetched = size_of_val(items) >= FETCHED;
        let (pairs, last) = list.as_chunks::<STREAMS>();
        let (bins, _) = bins.as_chunks::<STREAMS>();
        for ((words, bins), ahead) in pairs.iter().zip(bins).zip(&bins[AHEAD / STREAMS..]) {
            if fetched {
                for stream in 0..STREAMS {
                    let next = nexts[usize::from(ahead[stream])][stream];
                    simd.prefetch(items, next as usize);
                }
            }
            for stream in 0..STREAMS {
                let item = T::from_word(words[stream].to_u64(), kept, spread_to);
                put(items, &mut nexts[usize::from(bins[stream])][stream], item);
            }
        }
        if let &[word] = last {
            let item = T::from_word(word.to_u64(), kept, spread_to);
            let [bin, _] = bins[pairs.len()];
            put(items, &mut nexts[usize::from(bin)][0], item);
        }
        Ok(())
    }
}

#[inline(always)]
fn put<T>(items: &mut [T], next: &mut u32, item: T) {
    // Write the counter before the item, because the compiler cannot rule out that they overlap.
    let position = *next;
    *next = position + 1;
    items[position as usize] = item;
}

/// Calls `act` for each half-board and its bin, alternating between streams.
#[inline(always)]
fn for_each<W: Word>(words: &[W], bins: &mut [u16], mut act: impl FnMut(usize, W, &mut u16)) {
    let (words, last_word) = words.as_chunks();
    let (bins, last_bin) = bins.as_chunks_mut();
    for (&[one, other], [one_bin, other_bin]) in words.iter().zip(bins) {
        act(0, one, one_bin);
        act(1, other, other_bin);
    }
    for (&word, bin) in last_word.iter().zip(last_bin) {
        act(0, word, bin);
    }
}
