//! Short lists: bottoms go into blocks as they lie, and the five chunks of a top are where narrow words have them.

use super::bitset::{BLOCK, Bitset, EMPTY};
use super::sides::Sides;
use super::table::{absent, tabulate, transpose};
use crate::engine::Stop;
use crate::engine::rows::compress::Compress;
use crate::engine::rows::inner::InnerLoop;
use crate::engine::rows::lists::places::{CHUNKS, widths};
use crate::engine::rows::lists::word::Word;

/// The tables of the five chunks of a block, and what they are made of.
#[derive(Clone, Debug)]
pub struct Tables {
    tables: Box<[[Bitset; 128]; 5]>,
    words: Box<[u32; BLOCK]>,
    bits: Box<[Bitset; 32]>,
}

impl Default for Tables {
    fn default() -> Self {
        // By way of the heap: arrays of this size would have their place on the stack first.
        Self {
            tables: vec![[EMPTY; 128]; 5].try_into().expect("5 tables"),
            words: vec![0; BLOCK].try_into().expect("a block"),
            bits: vec![EMPTY; 32].try_into().expect("32 bits"),
        }
    }
}

/// The number of disjoint pairs of short lists, weighted. Of no meaning once `stop` has been requested.
pub struct Direct<'a, W> {
    pub sides: Sides<'a, W>,
    pub tables: &'a mut Tables,
    pub stop: &'a Stop,
}

impl<W: Word> InnerLoop for Direct<'_, W> {
    type Output = u128;

    #[inline(always)]
    fn run<V: Compress>(self) -> u128 {
        let Self { sides, tables: Tables { tables, words, bits }, stop } = self;
        let widths = widths(sides.diagonals);
        let mut total = 0;
        for marks in 0..3 {
            let weights = sides.weights.map(|by_bottom| by_bottom[marks]);
            if weights == [0; 3] {
                continue;
            }
            for bottoms in sides.bottoms.with_marks(marks).chunks(BLOCK) {
                if stop.requested() {
                    return 0;
                }
                for (word, bottom) in words.iter_mut().zip(bottoms) {
                    *word = bottom.bits() as u32;
                }
                transpose::<V>(&words[..bottoms.len()], bits);
                for ((table, width), first) in tables.iter_mut().zip(widths).zip(CHUNKS) {
                    tabulate::<V>(table, &bits[first as usize..(first + width) as usize], &EMPTY);
                }
                let absent = V::load(&absent(bottoms.len()));
                for (top, &weight) in weights.iter().enumerate().filter(|(_, weight)| **weight > 0) {
                    let tops = sides.tops.with_marks(top);
                    let ones = look_up(tables, absent, tops);
                    total += u128::from(weight * ((BLOCK * tops.len()) as u64 - ones.sum()));
                }
            }
        }
        total
    }
}

/// The conflicts of all tops with the bottoms of a block; those in `absent` conflict with each.
#[inline(always)]
fn look_up<V: Compress, W: Word>(tables: &[[Bitset; 128]; 5], absent: V, tops: &[W]) -> V {
    let [a, b, c, d, e] = tables;
    let mut ones = V::splat(0);
    for &top in tops {
        let top = top.bits() as u32;
        let conflicts = absent
            .or(V::load(&a[entry::<7>(top << 6)]))
            .or(V::load(&b[entry::<7>(top >> 1)]))
            .or(V::load(&c[entry::<6>(top >> 8)]))
            .or(V::load(&d[entry::<6>(top >> 14)]))
            .or(V::load(&e[entry::<6>(top >> 20)]));
        ones = conflicts.add_ones_to(ones);
    }
    ones
}

/// The chunk of so many bits that begins at bit 6: an entry takes 64 bytes, so its address needs a shift and a mask,
/// which is 0.9 of the time of a chunk that is shifted once more. It is at most a byte, so no bounds are checked.
#[inline(always)]
fn entry<const BITS: u32>(shifted: u32) -> usize {
    ((shifted & ((1 << BITS) - 1) << 6) >> 6) as usize
}
