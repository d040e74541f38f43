//! Short lists: bottoms go into blocks as they lie, and the chunks of a top are the bytes of its word.

use super::sort::Top;
use super::table::{absent, transpose};
use crate::engine::rows::lists::half::Halves;
use crate::engine::rows::lists::word::Word;
use crate::engine::rows::vector::bitset::{Address, BLOCK, Bitset, EMPTY, Table};
use crate::engine::rows::vector::{InnerLoop, Vector};
use crate::stop::Stop;

/// The tops whose addresses are computed at a time: registers compute those of many, and lookups need not wait.
const TOPS: usize = 512;

/// The tables of the bytes of a block, and what they are made of.
#[derive(Clone, Debug)]
pub struct ByteTables {
    tables: Box<[Table; 4]>,
    tops: Box<[Top; TOPS]>,
    words: Box<[u32; BLOCK]>,
    bits: Box<[Bitset; 32]>,
}

impl Default for ByteTables {
    fn default() -> Self {
        // By way of the heap: arrays of this size would have their place on the stack first.
        Self {
            tables: vec![[EMPTY; 256]; 4].try_into().expect("4 tables"),
            tops: vec![Top::default(); TOPS].try_into().expect("some tops"),
            words: vec![0; BLOCK].try_into().expect("a block"),
            bits: vec![EMPTY; 32].try_into().expect("32 bits"),
        }
    }
}

/// The number of disjoint pairs of short lists, weighted. Of no meaning once `stop` has been requested.
pub struct Direct<'a, W> {
    pub halves: Halves<'a, W>,
    pub tables: &'a mut ByteTables,
    pub stop: &'a Stop,
}

impl<W: Word> InnerLoop for Direct<'_, W> {
    type Output = u128;

    #[inline(always)]
    fn run<V: Vector>(self) -> u128 {
        let Self { halves, tables: ByteTables { tables, tops: addresses, words, bits }, stop } = self;
        let used = (halves.tops.used.bits() & halves.bottoms.used.bits()) as u32;
        let mut total = 0;
        for marks in 0..3 {
            let weights = halves.weights.map(|by_bottom| by_bottom[marks]);
            if weights == [0; 3] {
                continue;
            }
            for bottoms in halves.bottoms.with_marks(marks).chunks(BLOCK) {
                if stop.requested() {
                    return 0;
                }
                for (word, bottom) in words.iter_mut().zip(bottoms) {
                    *word = bottom.bits() as u32;
                }
                transpose::<V>(&words[..bottoms.len()], bits);
                let (bytes, _) = bits.as_chunks();
                for ((table, byte), used) in tables.iter_mut().zip(bytes).zip(used.to_le_bytes()) {
                    tabulate_used::<V>(table, byte, used);
                }
                let absent = V::load(&absent(bottoms.len()));
                for (top, &weight) in weights.iter().enumerate().filter(|(_, weight)| **weight > 0) {
                    let tops = halves.tops.with_marks(top);
                    let ones = look_up(tables, used, absent, tops, addresses);
                    total += u128::from(weight * ((BLOCK * tops.len()) as u64 - ones.sum()));
                }
            }
        }
        total
    }
}

/// Makes the table of a byte: an entry for each subset of the diagonals that are used, of which the others are none.
#[inline(always)]
fn tabulate_used<V: Vector>(table: &mut Table, bitsets: &[Bitset; 8], used: u8) {
    table[0] = EMPTY;
    let mut made = 0u8;
    for (bit, bitset) in bitsets.iter().enumerate().filter(|(bit, _)| used >> bit & 1 == 1) {
        let (bit, bitset, mut subset) = (1u8 << bit, V::load(bitset), 0u8);
        loop {
            V::load(&table[usize::from(subset)]).or(bitset).store(&mut table[usize::from(subset | bit)]);
            // The next subset of those made.
            subset = subset.wrapping_sub(made) & made;
            if subset == 0 {
                break;
            }
        }
        made |= bit;
    }
}

/// The conflicts of all tops with the bottoms of a block, by the diagonals in `used`; those in `absent` conflict with
/// each.
#[inline(always)]
fn look_up<V: Vector, W: Word>(
    tables: &[Table; 4],
    used: u32,
    absent: V,
    tops: &[W],
    addresses: &mut [Top; TOPS],
) -> V {
    let mut ones = V::splat(0);
    for tops in tops.chunks(TOPS) {
        for (top, word) in addresses.iter_mut().zip(tops) {
            *top = Address::of_bytes(word.bits() as u32 & used);
        }
        for &[a, b, c, d] in &addresses[..tops.len()] {
            let conflicts = absent.or3(V::load_at(&tables[0], a), V::load_at(&tables[1], b));
            let conflicts = conflicts.or3(V::load_at(&tables[2], c), V::load_at(&tables[3], d));
            ones = conflicts.add_ones_to(ones);
        }
    }
    ones
}
