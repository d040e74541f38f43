//! Blocks: 512 half-boards of the shorter list, with the tables that those of the longer one are
//! looked up in.

use super::key::JoinShape;
use super::sort::{Chunks, PADDING, Runs};
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
    /// The half-boards without the group and what is alike, with room behind them to write
    /// [`PADDING`] at a time.
    words: Box<[u32; BLOCK + PADDING]>,
    /// By bit of a word, and by bit of what is alike, the half-boards that have it.
    bitsets: Box<[[Bitset; 32]; 2]>,
}

impl Default for Block {
    fn default() -> Self {
        Self {
            tables: boxed([EMPTY; 256]),
            key_tables: boxed([EMPTY; 256]),
            common: 0,
            words: boxed(0),
            bitsets: boxed([EMPTY; 32]),
        }
    }
}

/// What is left of the shorter list to be put into blocks: runs of half-boards that do not conflict
/// with a group. A run is the bins that are equal in what is alike, and in the diagonals of the
/// group from its lowest one on.
#[derive(Clone, Debug)]
pub struct Cursor {
    /// The next run, by what is alike and by diagonals of the group.
    alike: usize,
    of_group: usize,
    /// How many of it have been taken.
    taken: usize,
    /// The bins of a run.
    bins: usize,
    /// The diagonals of the group that runs differ in.
    free: usize,
}

impl Cursor {
    /// Before the first half-board that does not conflict with a group.
    pub fn new(group: usize, shape: JoinShape) -> Self {
        let bins = 1 << group.trailing_zeros().min(shape.group);
        Self {
            alike: 0,
            of_group: 0,
            taken: 0,
            bins,
            free: ((1 << shape.group) - bins) & !group,
        }
    }

    /// Copies the next half-boards to a block, as many as it holds, and tells by bit of what is
    /// alike which have it. Their number, and the value of what all have alike.
    #[inline(always)]
    fn take(
        &mut self,
        shorter: Runs<u32>,
        words: &mut [u32; BLOCK + PADDING],
        alike: &mut [Bitset],
        shape: JoinShape,
    ) -> (usize, usize) {
        for (bit, bitset) in alike.iter_mut().enumerate() {
            *bitset = Bitset([0u64.wrapping_sub((self.alike >> bit & 1) as u64); 8]);
        }
        let (mut length, mut common) = (0, usize::MAX);
        while self.alike < 1 << shape.alike {
            // The low bits of a bin are the group's.
            let bin = self.alike << shape.group | self.of_group;
            let (start, end) = (
                shorter.start(bin) + self.taken,
                shorter.start(bin + self.bins),
            );
            let fitting = (end - start).min(BLOCK - length);
            for at in (0..fitting).step_by(PADDING) {
                words[length + at..][..PADDING]
                    .copy_from_slice(&shorter.items[start + at..][..PADDING]);
            }
            length += fitting;
            if fitting > 0 {
                common &= self.alike;
            }
            if start + fitting < end {
                self.taken += fitting;
                break;
            }
            self.taken = 0;
            // The next subset of those that are free.
            self.of_group = self.of_group.wrapping_sub(self.free) & self.free;
            if self.of_group == 0 {
                // The next value differs in its lowest bits, up to the first that is not set.
                let (differ, from_here) = (self.alike.trailing_ones() as usize + 1, absent(length));
                for bitset in alike.iter_mut().take(differ) {
                    for word in 0..8 {
                        bitset.0[word] ^= from_here.0[word];
                    }
                }
                self.alike += 1;
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
        self.keys.resize(shape.keys() + 1, (0, 0));
        self.highs.clear();
        let mut listed = 0;
        for key in 0..shape.keys() {
            if key % (1 << shape.low()) == 0 {
                self.highs.push(listed as u32);
            }
            let (start, end) = (longer.start(first + key), longer.start(first + key + 1));
            // Written in any case, and kept if there are any: a branch would be predicted wrong too
            // often.
            self.keys[listed] = (key as u32, start as u32);
            listed += usize::from(start < end);
        }
        self.highs.push(listed as u32);
        // Where the last one ends.
        self.keys[listed] = (0, longer.start(first + shape.keys()) as u32);
    }
}

/// Takes the next half-boards into a block, and makes their tables. Whether there were any.
pub struct TakeNext<'a> {
    pub block: &'a mut Block,
    pub shorter: Runs<'a, u32>,
    pub cursor: &'a mut Cursor,
    /// The bitsets of the diagonals: of the key without the group, from its highest bit on, then of
    /// the chunks.
    pub block_bits: &'a [u8],
    pub shape: JoinShape,
}

impl InnerLoop for TakeNext<'_> {
    type Output = bool;

    #[inline(always)]
    fn run<V: Vector>(self) -> bool {
        let Self {
            block,
            shorter,
            cursor,
            block_bits,
            shape,
        } = self;
        let [of_words, alike] = &mut *block.bitsets;
        let (length, common) = cursor.take(
            shorter,
            &mut block.words,
            &mut alike[..shape.alike as usize],
            shape,
        );
        if length == 0 {
            return false;
        }
        // The alike are the highest bits of the key.
        block.common = common << (shape.key - shape.group - shape.alike);
        transpose::<V>(&block.words[..length], of_words);
        let bitsets = block.bitsets.as_flattened();
        let bitset = |&bit: &u8| &bitsets[usize::from(bit) % 64];
        let (key, mut left) = block_bits.split_at((shape.key - shape.group) as usize);
        for (table, width) in block
            .tables
            .iter_mut()
            .zip(shape.widths())
            .take(shape.chunks as usize)
        {
            let (chunk, others) = left.split_at(width as usize);
            tabulate::<V>(table, chunk.iter().map(bitset), &EMPTY);
            left = others;
        }
        let (high, low) = key.split_at(key.len() - shape.low() as usize);
        tabulate::<V>(
            &mut block.key_tables[0],
            low.iter().rev().map(bitset),
            &absent(length),
        );
        tabulate::<V>(
            &mut block.key_tables[1],
            high.iter().rev().map(bitset),
            &EMPTY,
        );
        true
    }
}

/// Looks up a group of the longer list in a block. The number of lookups, and of the conflicts that
/// they found with the 512 places of the block. Empty places conflict with all.
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
        let Self {
            block,
            longer,
            keys: Keys { keys, highs },
            shape,
        } = self;
        let (tables, key_tables) = (&*block.tables, &*block.key_tables);
        let low_bits = shape.low();
        let mut ones = V::splat(0);
        let mut lookups = 0;
        let mut alive = [0; 256];
        for (high, bounds) in highs.windows(2).enumerate() {
            // All of the block conflicts with these keys: by one diagonal that all of it has, which
            // is known without a table and where places are empty, too; or by several.
            if high << low_bits & block.common != 0 {
                continue;
            }
            let high_conflicts = V::load(&key_tables[1][high % 256]);
            if high_conflicts.is_full() {
                continue;
            }
            // The keys that do not conflict with all of the block are noted first, because a branch
            // on that would be predicted wrong too often.
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
