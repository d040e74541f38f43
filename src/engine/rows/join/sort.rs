//! Sorting by key: a counting sort, which leaves of a half-board what is still to be looked up.

use crate::engine::rows::compress::Compress;
use crate::engine::rows::lists::half::Half;
use crate::engine::rows::lists::word::Word;

/// Half-boards by the number of their marks, then by key.
#[derive(Clone, Debug, Default)]
pub struct Sorted<T> {
    rests: Vec<T>,
    /// Where each bin begins, and the last one ends.
    starts: Vec<u32>,
    /// The keys of the half-boards in their old order.
    keys: Vec<u16>,
}

/// The key of a half-board, and what it leaves.
#[derive(Clone, Debug)]
pub struct Split<M> {
    /// The places of the key's diagonals.
    pub key: M,
    /// The number of bits of the key.
    pub key_bits: u32,
    /// Those of the others.
    pub rest: M,
    /// Where the others go in a top.
    pub chunks: M,
}

/// What sorting leaves of a half-board.
pub trait Rest: Copy + Default {
    /// The rest of a word.
    fn of<V: Compress>(word: u64, split: &Split<V::Mask>) -> Self;
}

/// The entries of a top's chunks, each as the address in its table: times 64 bytes.
impl Rest for [u16; 4] {
    #[inline(always)]
    fn of<V: Compress>(word: u64, split: &Split<V::Mask>) -> Self {
        let entries = V::deposit(V::extract(word, split.rest), split.chunks);
        [entries as u16, (entries >> 16) as u16, (entries >> 32) as u16, (entries >> 48) as u16]
    }
}

/// The diagonals of a bottom, side by side.
impl Rest for u32 {
    #[inline(always)]
    fn of<V: Compress>(word: u64, split: &Split<V::Mask>) -> Self {
        V::extract(word, split.rest) as u32
    }
}

impl<T: Rest> Sorted<T> {
    /// Those with so many marks, and where each key begins among them.
    #[inline(always)]
    pub fn with_marks(&self, marks: usize, key_bits: u32) -> (&[T], &[u32]) {
        let bins = 1 << key_bits;
        (&self.rests, &self.starts[marks * bins..=(marks + 1) * bins])
    }

    /// Sorts half-boards. `order` says which key the extracted bits of a word mean.
    #[inline(always)]
    pub fn sort<V: Compress, W: Word>(&mut self, half: &Half<W>, split: &Split<V::Mask>, order: &[u16]) {
        let Self { rests, starts, keys } = self;
        let bins = 1 << split.key_bits;
        let order = &order[..bins];
        if rests.len() < half.len() {
            rests.resize(half.len(), T::default());
            keys.resize(half.len(), 0);
        }
        // `starts[bin + 2]` is first the length of a bin, then `starts[bin + 1]` its start, then its end.
        starts.clear();
        starts.resize(3 * bins + 2, 0);
        for marks in 0..3 {
            let lengths = &mut starts[marks * bins + 2..][..bins];
            for (word, kept) in half.with_marks(marks).iter().zip(&mut keys[half.places(marks)]) {
                // The remainder is the number itself, and spares a check of bounds.
                let key = order[V::extract(word.bits(), split.key) as usize % bins];
                lengths[key as usize % bins] += 1;
                *kept = key;
            }
        }
        let mut end = 0;
        for start in &mut starts[2..] {
            end += *start;
            *start = end;
        }
        let rests = &mut rests[..half.len()];
        for marks in 0..3 {
            let places = &mut starts[marks * bins + 1..][..bins];
            for (word, &key) in half.with_marks(marks).iter().zip(&keys[half.places(marks)]) {
                let place = &mut places[key as usize % bins];
                rests[*place as usize] = T::of::<V>(word.bits(), split);
                *place += 1;
            }
        }
    }
}
