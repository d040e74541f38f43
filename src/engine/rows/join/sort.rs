//! Sorting: a counting sort, which leaves of a half-board what is still to be looked up.
//!
//! Neighbours in a list share a quarter-board, so they often go into the same bin, and a counter that is written would
//! be read at once. Therefore two streams are sorted side by side, the halves of the list, with counters of their own.

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
    /// Tells bins apart by the diagonals at some places: the first is the lowest bit of the number of a bin.
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

/// Half-boards by the number of their marks, then by bin.
#[derive(Clone, Debug, Default)]
pub struct Sorted<T> {
    items: Vec<T>,
    /// Where each slot begins, and the last one ends. A bin has a slot for each stream.
    starts: Vec<u32>,
    /// The first slots of those with 0, 1, 2 marks, and the end.
    sections: [usize; 4],
    /// The bins of the half-boards in their old order.
    bins: Vec<u16>,
}

/// The streams that are sorted side by side.
const STREAMS: usize = 2;

/// Room behind the items, so that they can be read a register at a time.
pub const PADDING: usize = 16;

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

/// A half-board of a block: its diagonals, side by side.
impl SortedItem for u32 {
    #[inline(always)]
    fn of<M: Mask>(word: u64, kept: M, _: M) -> Self {
        kept.extract(word) as u32
    }
}

/// One with more diagonals: the word as it is.
impl SortedItem for u64 {
    #[inline(always)]
    fn of<M: Mask>(word: u64, _: M, _: M) -> Self {
        word
    }
}

/// Sorted half-boards with the same number of marks.
#[derive(Clone, Copy)]
pub struct Runs<'a, T> {
    /// All sorted half-boards, and [`PADDING`].
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
    /// Makes room for so many half-boards.
    ///
    /// # Errors
    /// When there is no memory for them.
    pub fn make_room(&mut self, many: usize) -> Result<(), TryReserveError> {
        let items = (many + PADDING).saturating_sub(self.items.len());
        let bins = many.saturating_sub(self.bins.len());
        self.items.try_reserve(items)?;
        self.bins.try_reserve(bins)?;
        self.items.resize(self.items.len() + items, T::default());
        self.bins.resize(self.bins.len() + bins, 0);
        Ok(())
    }

    /// Those with so many marks, if there are any.
    pub fn with_marks(&self, marks: usize) -> Option<Runs<'_, T>> {
        let [from, to] = [self.sections[marks], self.sections[marks + 1]];
        (from < to).then(|| Runs { items: &self.items, starts: &self.starts[from..=to] })
    }
}

/// Sorts half-boards, given by the number of their marks, in place of what `sorted` held.
pub struct Sort<'a, W, T> {
    /// It has [room](Sorted::make_room) for them.
    pub sorted: &'a mut Sorted<T>,
    pub lists: [&'a [W]; 3],
    /// The bins to sort by.
    pub by: &'a Bins,
    /// The places of the diagonals that are kept of a word.
    pub kept: u64,
    /// The bits that they move to, of [`Chunks`].
    pub chunks: u64,
}

impl<W: Word, T: SortedItem> InnerLoop for Sort<'_, W, T> {
    type Output = ();

    #[inline(always)]
    fn run<V: Vector>(self) {
        let Self { sorted: Sorted { items, starts, sections, bins }, lists, by, kept, chunks } = self;
        let [sorted_by, kept, chunks] = [by.places, kept, chunks].map(V::Mask::new);
        let ends = [0, 1, 2].map(|marks| lists[..=marks].iter().map(|list| list.len()).sum::<usize>());
        let slots = STREAMS * by.bins.len();
        for marks in 0..3 {
            sections[marks + 1] = sections[marks] + if lists[marks].is_empty() { 0 } else { slots };
        }
        // `starts[slot + 2]` is first the length of a slot, then `starts[slot + 1]` its start, then its end.
        starts.clear();
        starts.resize(sections[3] + 2, 0);
        for marks in (0..3).filter(|&marks| sections[marks] < sections[marks + 1]) {
            let (lengths, _) = starts[sections[marks] + 2..][..slots].as_chunks_mut::<STREAMS>();
            for_each(lists[marks], &mut bins[ends[marks] - lists[marks].len()..ends[marks]], |stream, word, bin| {
                *bin = by.bins[sorted_by.extract(word.to_u64()) as usize];
                lengths[usize::from(*bin)][stream] += 1;
            });
        }
        let mut end = 0;
        for start in &mut starts[2..] {
            end += *start;
            *start = end;
        }
        let items = &mut items[..ends[2]];
        for marks in (0..3).filter(|&marks| sections[marks] < sections[marks + 1]) {
            let (places, _) = starts[sections[marks] + 1..][..slots].as_chunks_mut::<STREAMS>();
            for_each(lists[marks], &mut bins[ends[marks] - lists[marks].len()..ends[marks]], |stream, word, bin| {
                // Written first, because for all that the compiler knows it lies where the half-board goes.
                let next = &mut places[usize::from(*bin)][stream];
                let place = *next;
                *next = place + 1;
                items[place as usize] = T::of(word.to_u64(), kept, chunks);
            });
        }
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
    let streams = first.iter().zip(first_bins).zip(second.iter().zip(second_bins));
    for ((&one, one_bin), (&other, other_bin)) in streams {
        act(0, one, one_bin);
        act(1, other, other_bin);
    }
    for (&word, bin) in rest.iter().zip(rest_bins) {
        act(1, word, bin);
    }
}
