//! Sorting: a counting sort, which leaves of a half-board what is still to be looked up.
//!
//! Neighbours in a list share a quarter-board, so they often go into the same bin, and a counter
//! that is written would be read at once. Therefore two streams are sorted side by side, the halves
//! of the list, with counters of their own.

use std::collections::TryReserveError;

use crate::engine::rows::lists::word::Word;
use crate::engine::rows::vector::{Address, InnerLoop, Mask, Vector};

/// The bins of a sort: how diagonals tell half-boards apart.
#[derive(Clone, Debug, Default)]
pub struct Bins {
    /// The places of the diagonals that tell bins apart.
    pub places: u64,
    /// The bin that the bits of a word at these places mean.
    pub bins: Vec<u16>,
}

impl Bins {
    /// Tells bins apart by the diagonals at some places: the first is the lowest bit of the number
    /// of a bin.
    pub fn tell_apart(&mut self, places: impl Iterator<Item = u32> + Clone) {
        self.places = places.clone().fold(0, |all, place| all | 1 << place);
        // Extracted bits lie in the order of their places.
        let mut bin_bits: [u16; 64] = [0; 64];
        for (bit, place) in places.enumerate() {
            bin_bits[(self.places & ((1 << place) - 1)).count_ones() as usize] = 1 << bit;
        }
        self.bins.clear();
        self.bins.push(0);
        for bit in &bin_bits[..self.places.count_ones() as usize] {
            self.bins.extend_from_within(..);
            let half = self.bins.len() / 2;
            self.bins[half..].iter_mut().for_each(|bin| *bin |= bit);
        }
    }
}

/// Half-boards by bin.
#[derive(Clone, Debug, Default)]
pub struct Sorted<T> {
    items: Vec<T>,
    /// Where each slot begins, and the last one ends; nothing if there are no half-boards. A bin
    /// has a slot for each stream.
    starts: Vec<u32>,
    /// The bins of the half-boards in their old order.
    bins: Vec<u16>,
}

/// The streams that are sorted side by side.
const STREAMS: usize = 2;

/// Room behind the items, so that they can be read so many at a time.
pub const PADDING: usize = 32;

/// What sorting leaves of a half-board.
pub trait SortedItem: Copy + Default {
    /// What is left of a word, given [`Sort::kept`] and [`Sort::chunks`].
    fn of<M: Mask>(word: u64, kept: M, chunks: M) -> Self;
}

/// A half-board that is looked up: the addresses of its chunks, each in a table of its own.
pub type Chunks = [Address; 4];

impl SortedItem for Chunks {
    #[inline(always)]
    fn of<M: Mask>(word: u64, kept: M, chunks: M) -> Self {
        Address::four(chunks.deposit(kept.extract(word)))
    }
}

/// A half-board of a block: its diagonals without those that it is sorted by, side by side.
impl SortedItem for u32 {
    #[inline(always)]
    fn of<M: Mask>(word: u64, kept: M, _: M) -> Self {
        kept.extract(word) as u32
    }
}

/// Sorted half-boards.
#[derive(Clone, Copy)]
pub struct Runs<'a, T> {
    /// All of them, and [`PADDING`].
    pub items: &'a [T],
    starts: &'a [u32],
}

impl<T> Runs<'_, T> {
    /// Where a bin begins. The last bin is followed by the end.
    #[inline(always)]
    pub fn start(&self, bin: usize) -> usize {
        self.starts[STREAMS * bin] as usize
    }
}

impl<T: SortedItem> Sorted<T> {
    /// The half-boards, if there are any.
    pub fn runs(&self) -> Option<Runs<'_, T>> {
        (!self.starts.is_empty()).then_some(Runs {
            items: &self.items,
            starts: &self.starts,
        })
    }

    /// Makes room for so many half-boards.
    fn make_room(&mut self, many: usize) -> Result<(), TryReserveError> {
        let items = (many + PADDING).saturating_sub(self.items.len());
        let bins = many.saturating_sub(self.bins.len());
        self.items.try_reserve(items)?;
        self.bins.try_reserve(bins)?;
        self.items.resize(self.items.len() + items, T::default());
        self.bins.resize(self.bins.len() + bins, 0);
        Ok(())
    }
}

/// Sorts half-boards, in place of what `sorted` held.
pub struct Sort<'a, W, T> {
    pub sorted: &'a mut Sorted<T>,
    pub list: &'a [W],
    /// The bins to sort by.
    pub by: &'a Bins,
    /// The places of the diagonals that are kept of a word.
    pub kept: u64,
    /// The bits that they move to, of [`Chunks`].
    pub chunks: u64,
}

impl<W: Word, T: SortedItem> InnerLoop for Sort<'_, W, T> {
    /// An error where there is no memory for them.
    type Output = Result<(), TryReserveError>;

    #[inline(always)]
    fn run<V: Vector>(self) -> Self::Output {
        let Self {
            sorted,
            list,
            by,
            kept,
            chunks,
        } = self;
        sorted.starts.clear();
        if list.is_empty() {
            return Ok(());
        }
        sorted.make_room(list.len())?;
        let Sorted {
            items,
            starts,
            bins,
        } = sorted;
        let [sorted_by, kept, chunks] = [by.places, kept, chunks].map(V::Mask::new);
        let (items, bins, slots) = (
            &mut items[..list.len()],
            &mut bins[..list.len()],
            STREAMS * by.bins.len(),
        );
        // `starts[slot + 2]` is first the length of a slot, then `starts[slot + 1]` its start, then
        // its end.
        starts.resize(slots + 2, 0);
        let (lengths, _) = starts[2..].as_chunks_mut::<STREAMS>();
        for_each(list, bins, |stream, word, bin| {
            *bin = by.bins[sorted_by.extract(word.to_u64()) as usize];
            lengths[usize::from(*bin)][stream] += 1;
        });
        let mut end = 0;
        for start in &mut starts[2..] {
            end += *start;
            *start = end;
        }
        let (places, _) = starts[1..=slots].as_chunks_mut::<STREAMS>();
        for_each(list, bins, |stream, word, bin| {
            // Written first, because for all that the compiler knows it lies where the half-board
            // goes.
            let next = &mut places[usize::from(*bin)][stream];
            let place = *next;
            *next = place + 1;
            items[place as usize] = T::of(word.to_u64(), kept, chunks);
        });
        Ok(())
    }
}

/// Goes through half-boards and their bins, stream beside stream.
#[inline(always)]
fn for_each<W: Word>(words: &[W], bins: &mut [u16], mut act: impl FnMut(usize, W, &mut u16)) {
    let each = words.len() / STREAMS;
    let (first, rest) = words.split_at(each);
    let (second, rest) = rest.split_at(each);
    let (first_bins, rest_bins) = bins.split_at_mut(each);
    let (second_bins, rest_bins) = rest_bins.split_at_mut(each);
    let streams = first
        .iter()
        .zip(first_bins)
        .zip(second.iter().zip(second_bins));
    for ((&one, one_bin), (&other, other_bin)) in streams {
        act(0, one, one_bin);
        act(1, other, other_bin);
    }
    for (&word, bin) in rest.iter().zip(rest_bins) {
        act(1, word, bin);
    }
}
