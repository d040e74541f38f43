//! Blocks: 512 half-boards of the shorter list, with the tables that those of the longer one are looked up in.

use std::ops::Range;

use super::key::JoinShape;
use super::sort::{Chunks, PADDING, Runs, SortedItem};
use super::table::{absent, tabulate, transpose};
use crate::engine::rows::vector::{BLOCK, Bitset, EMPTY, InnerLoop, Table, Vector, boxed};

/// A block of half-boards that do not conflict with the diagonals of a group.
#[derive(Clone, Debug)]
pub struct Block {
    /// The tables of the chunks.
    tables: Box<[Table; 4]>,
    /// Those of the lower and the higher half of the key.
    key_tables: Box<[Table; 2]>,
    /// The bits of the key that all of them have.
    common: usize,
    words: BlockWords,
    bitsets: WordBitsets,
}

/// The half-boards of a block, as narrow or as wide words, with room behind them to write a register at a time.
#[derive(Clone, Debug)]
pub struct BlockWords {
    narrow: Box<[u32; BLOCK + PADDING]>,
    wide: Box<[u64; BLOCK + PADDING]>,
}

/// By bit of the lower and the higher half of a word, the half-boards that have it.
pub type WordBitsets = Box<[[Bitset; 32]; 2]>;

impl Default for Block {
    fn default() -> Self {
        let words = BlockWords { narrow: boxed(0), wide: boxed(0) };
        Self {
            tables: boxed([EMPTY; 256]),
            key_tables: boxed([EMPTY; 256]),
            common: 0,
            words,
            bitsets: boxed([EMPTY; 32]),
        }
    }
}

/// A sorted half-board of the shorter list.
pub trait BlockWord: SortedItem {
    /// The bit that a diagonal has in these words; `place` is its bit in a list's words, `shared` has all bits there.
    fn bit(place: u32, shared: u64) -> u8;
    fn of_block(words: &mut BlockWords) -> &mut [Self; BLOCK + PADDING];
    /// Turns them: for each bit, those that have it.
    fn turn<V: Vector>(words: &mut BlockWords, length: usize, bitsets: &mut WordBitsets);
}

impl BlockWord for u32 {
    fn bit(place: u32, shared: u64) -> u8 {
        (shared & ((1 << place) - 1)).count_ones() as u8
    }

    #[inline(always)]
    fn of_block(words: &mut BlockWords) -> &mut [Self; BLOCK + PADDING] {
        &mut words.narrow
    }

    #[inline(always)]
    fn turn<V: Vector>(words: &mut BlockWords, length: usize, bitsets: &mut WordBitsets) {
        transpose::<V>(&words.narrow[..length], &mut bitsets[0]);
    }
}

impl BlockWord for u64 {
    fn bit(place: u32, _: u64) -> u8 {
        place as u8
    }

    #[inline(always)]
    fn of_block(words: &mut BlockWords) -> &mut [Self; BLOCK + PADDING] {
        &mut words.wide
    }

    #[inline(always)]
    fn turn<V: Vector>(words: &mut BlockWords, length: usize, bitsets: &mut WordBitsets) {
        for (shift, bitsets) in [0, 32].into_iter().zip(bitsets.iter_mut()) {
            for (half, word) in words.narrow.iter_mut().zip(words.wide.iter()) {
                *half = (word >> shift) as u32;
            }
            transpose::<V>(&words.narrow[..length], bitsets);
        }
    }
}

/// What is left of the shorter list to be put into blocks.
#[derive(Clone, Debug)]
pub struct Cursor {
    /// Runs of half-boards that do not conflict with a group, each with their value in the diagonals that are alike;
    /// the next run is the last one here.
    runs: Vec<(usize, Range<usize>)>,
}

impl Cursor {
    /// Before the first half-board that does not conflict with a group.
    pub fn new<B: SortedItem>(shorter: Runs<B>, group: usize, shape: JoinShape) -> Self {
        let mut runs: Vec<(usize, Range<usize>)> = Vec::new();
        for bin in (0..1 << (shape.alike + shape.group)).rev() {
            let (alike, run) = (bin >> shape.group, shorter.start(bin)..shorter.start(bin + 1));
            // The low bits of a bin are the group's.
            let conflicts = bin & group != 0;
            match runs.last_mut() {
                _ if conflicts || run.is_empty() => {}
                Some((value, next)) if *value == alike && next.start == run.end => next.start = run.start,
                _ => runs.push((alike, run)),
            }
        }
        Self { runs }
    }

    /// Copies the next half-boards to a block, as many as it holds. Their number, and the value of what all have alike.
    #[inline(always)]
    fn take<B: BlockWord>(&mut self, shorter: Runs<B>, block: &mut [B; BLOCK + PADDING]) -> (usize, usize) {
        let (mut length, mut common) = (0, usize::MAX);
        while length < BLOCK
            && let Some((alike, run)) = self.runs.last_mut()
        {
            let fitting = run.len().min(BLOCK - length);
            for at in (0..fitting).step_by(PADDING) {
                block[length + at..][..PADDING].copy_from_slice(&shorter.items[run.start + at..][..PADDING]);
            }
            (length, common, run.start) = (length + fitting, common & *alike, run.start + fitting);
            if run.start == run.end {
                self.runs.pop();
            }
        }
        (length, common)
    }
}

/// The half-boards of the longer list in a group, by key.
#[derive(Clone, Debug, Default)]
pub struct Keys {
    /// The keys that there are, without the diagonals of the group, and where each begins.
    keys: Vec<(u32, u32)>,
    /// Where those with each higher half begin, and the last end.
    highs: Vec<u32>,
}

impl Keys {
    pub fn list(&mut self, longer: Runs<Chunks>, group: usize, shape: JoinShape) {
        let first = group * shape.keys();
        self.keys.clear();
        self.highs.clear();
        for key in 0..shape.keys() {
            if key % (1 << shape.low()) == 0 {
                self.highs.push(self.keys.len() as u32);
            }
            let start = longer.start(first + key);
            if start < longer.start(first + key + 1) {
                self.keys.push((key as u32, start as u32));
            }
        }
        self.highs.push(self.keys.len() as u32);
        // Where the last one ends.
        self.keys.push((0, longer.start(first + shape.keys()) as u32));
    }
}

/// Takes the next half-boards into a block, and makes their tables. Whether there were any.
pub struct TakeNext<'a, B> {
    pub block: &'a mut Block,
    pub shorter: Runs<'a, B>,
    pub cursor: &'a mut Cursor,
    /// The bits of block words for the diagonals: of the group, of the key from its highest bit on, of the chunks.
    pub block_bits: &'a [u8],
    pub shape: JoinShape,
}

impl<B: BlockWord> InnerLoop for TakeNext<'_, B> {
    type Output = bool;

    #[inline(always)]
    fn run<V: Vector>(self) -> bool {
        let Self { block, shorter, cursor, block_bits, shape } = self;
        let (length, common) = cursor.take(shorter, B::of_block(&mut block.words));
        if length == 0 {
            return false;
        }
        // The alike are the highest bits of the key.
        block.common = common << (shape.key - shape.group - shape.alike);
        B::turn::<V>(&mut block.words, length, &mut block.bitsets);
        let bitsets = block.bitsets.as_flattened();
        let bitset = |&bit: &u8| &bitsets[usize::from(bit) % 64];
        let (key, mut left) = block_bits[shape.group as usize..].split_at((shape.key - shape.group) as usize);
        for (table, width) in block.tables.iter_mut().zip(shape.widths()).take(shape.chunks as usize) {
            let (chunk, others) = left.split_at(width as usize);
            tabulate::<V>(table, chunk.iter().map(bitset), &EMPTY);
            left = others;
        }
        let (high, low) = key.split_at(key.len() - shape.low() as usize);
        tabulate::<V>(&mut block.key_tables[0], low.iter().rev().map(bitset), &absent(length));
        tabulate::<V>(&mut block.key_tables[1], high.iter().rev().map(bitset), &EMPTY);
        true
    }
}

/// Looks up a group of the longer list in a block. The number of lookups, and of the conflicts that they found with the
/// 512 places of the block. Empty places conflict with all.
pub struct LookUp<'a, const CHUNKS: usize> {
    pub block: &'a Block,
    pub longer: Runs<'a, Chunks>,
    pub keys: &'a Keys,
    pub shape: JoinShape,
}

impl<const CHUNKS: usize> InnerLoop for LookUp<'_, CHUNKS> {
    type Output = [u64; 2];

    #[inline(always)]
    fn run<V: Vector>(self) -> [u64; 2] {
        let Self { block, longer, keys: Keys { keys, highs }, shape } = self;
        let (tables, key_tables) = (&*block.tables, &*block.key_tables);
        let low_bits = shape.low();
        let mut ones = V::splat(0);
        let mut lookups = 0;
        let mut alive = [0; 256];
        for (high, bounds) in highs.windows(2).enumerate() {
            // All of the block conflicts with these keys: by one diagonal that all of it has, which is known without a
            // table and where places are empty, too; or by several.
            if high << low_bits & block.common != 0 {
                continue;
            }
            let high_conflicts = V::load(&key_tables[1][high % 256]);
            if high_conflicts.is_full() {
                continue;
            }
            // The keys that do not conflict with all of the block are noted first, because a branch on that would be
            // predicted wrong too often.
            let mut noted = 0;
            for (i, &(key, _)) in (bounds[0]..).zip(&keys[bounds[0] as usize..bounds[1] as usize]) {
                let low = key as usize % (1 << low_bits);
                alive[noted % 256] = i;
                let conflicts = high_conflicts.or(V::load(&key_tables[0][low % 256]));
                noted += usize::from(!conflicts.is_full());
            }
            for &i in &alive[..noted] {
                let [(key, start), (_, end)] = [keys[i as usize], keys[i as usize + 1]];
                let low = key as usize % (1 << low_bits);
                let key_conflicts = high_conflicts.or(V::load(&key_tables[0][low % 256]));
                for &chunks in &longer.items[start as usize..end as usize] {
                    let of_chunk = |chunk: usize| V::load_at(&tables[chunk], chunks[chunk]);
                    let conflicts = key_conflicts.or3(of_chunk(0), of_chunk(1));
                    let conflicts = match CHUNKS {
                        3 => conflicts.or(of_chunk(2)),
                        _ => conflicts.or3(of_chunk(2), of_chunk(3)),
                    };
                    ones = conflicts.add_ones_to(ones);
                }
                lookups += u64::from(end - start);
            }
        }
        [lookups, ones.sum()]
    }
}
