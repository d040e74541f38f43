//! Long lists: both sorted by the same key.

use super::key::Shape;
use super::sides::Sides;
use super::sort::Split;
use super::workspace::{Tables, Workspace};
use crate::engine::Stop;
use crate::engine::meet::join::{BLOCK, EMPTY};
use crate::engine::meet::join::{absent, tabulate, transpose};
use crate::engine::rows::compress::Compress;
use crate::engine::rows::lists::word::Word;

/// The number of disjoint pairs, weighted. Of no meaning once `stop` has been requested.
#[inline(always)]
pub fn disjoint_pairs<V: Compress, W: Word>(sides: Sides<W>, workspace: &mut Workspace, stop: &Stop) -> u128 {
    let Workspace { words, bits, ranking, tops, bottoms, order, .. } = workspace;
    ranking.rank::<V, W>(sides, words, bits);
    let shape = ranking.best(sides.tops.len(), sides.bottoms.len());
    let entry = ((1u64 << shape.width) - 1) << 6;
    let split = Split {
        key: V::mask(ranking.key(shape).fold(0, |key, place| key | 1 << place)),
        key_bits: shape.key,
        rest: V::mask(ranking.rest(shape)),
        chunks: V::mask((0..4).fold(0, |chunks, chunk| chunks | entry << (16 * chunk))),
    };
    order_keys(ranking.key(shape), shape, order);
    tops.sort::<V, W>(sides.tops, &split, order);
    bottoms.sort::<V, W>(sides.bottoms, &split, order);
    match shape.chunks {
        3 => join::<V, W, 3>(sides, workspace, shape, stop),
        _ => join::<V, W, 4>(sides, workspace, shape, stop),
    }
}

/// By the bits of a word at the places of the key: the key. Its lowest bits are the group, the best diagonals; then the
/// best of the others is the highest bit.
fn order_keys(places: impl Iterator<Item = u32> + Clone, shape: Shape, order: &mut Vec<u16>) {
    let bit = |rank: u32| if rank < shape.group { rank } else { shape.key - 1 - (rank - shape.group) };
    // Extracted bits lie in the order of their places.
    let mut bits: [u16; 64] = [0; 64];
    for (rank, place) in (0..).zip(places.clone()) {
        bits[places.clone().filter(|&other| other < place).count()] = 1 << bit(rank);
    }
    order.clear();
    order.push(0);
    for bit in &bits[..shape.key as usize] {
        order.extend_from_within(..);
        let half = order.len() / 2;
        order[half..].iter_mut().for_each(|key| *key |= bit);
    }
}

/// Joins the sorted lists.
#[inline(always)]
fn join<V: Compress, W: Word, const CHUNKS: usize>(
    sides: Sides<W>,
    workspace: &mut Workspace,
    shape: Shape,
    stop: &Stop,
) -> u128 {
    let Workspace { tables, key_tables, words, bits, tops, bottoms, .. } = workspace;
    let ([words, keys], [rest_bits, key_bits]) = (&mut **words, &mut **bits);
    let Shape { key: bits_of_key, group: group_bits, rest, width, .. } = shape;
    // The key is looked up in two halves, the group in the lower one.
    let low_bits = (bits_of_key / 2).max(group_bits);
    let (lows, highs) = (1usize << low_bits, 1usize << (bits_of_key - low_bits));
    key_tables[0].resize(lows, EMPTY);
    key_tables[1].resize(highs, EMPTY);
    let mut total = 0;
    for marks in 0..3 {
        let weights = sides.weights.map(|by_bottom| by_bottom[marks]);
        let (bottoms, starts) = bottoms.with_marks(marks, bits_of_key);
        if weights == [0; 3] || starts.first() == starts.last() {
            continue;
        }
        for group in 0..1usize << group_bits {
            let (mut key, mut from) = (0, starts[0] as usize);
            loop {
                // A block of bottoms that do not conflict with the group.
                let (mut length, mut common) = (0, usize::MAX << group_bits);
                while key < lows * highs && length < BLOCK {
                    let end = starts[key + 1] as usize;
                    if from < end && key & group == 0 {
                        let taken = (end - from).min(BLOCK - length);
                        words[length..length + taken].copy_from_slice(&bottoms[from..from + taken]);
                        keys[length..length + taken].fill(key as u32);
                        (length, from, common) = (length + taken, from + taken, common & key);
                    } else {
                        from = end;
                    }
                    if from == end {
                        key += 1;
                    }
                }
                if length == 0 {
                    break;
                }
                if stop.requested() {
                    return 0;
                }
                transpose::<V>(&words[..length], rest_bits);
                transpose::<V>(&keys[..length], key_bits);
                for (chunk, table) in tables.iter_mut().enumerate().take(CHUNKS) {
                    let end = |chunks: usize| (chunks * width as usize).min(rest as usize);
                    tabulate::<V>(table, &rest_bits[end(chunk)..end(chunk + 1)], &EMPTY);
                }
                tabulate::<V>(&mut key_tables[0], &key_bits[..low_bits as usize], &absent(length));
                tabulate::<V>(&mut key_tables[1], &key_bits[low_bits as usize..bits_of_key as usize], &EMPTY);
                for (top, &weight) in weights.iter().enumerate().filter(|(_, weight)| **weight > 0) {
                    let (tops, starts) = tops.with_marks(top, bits_of_key);
                    let mut ones = V::splat(0);
                    let mut looked_up = 0;
                    for high in (0..highs).filter(|high| high << low_bits & common == 0) {
                        let conflicts_high = V::load(&key_tables[1][high]);
                        if conflicts_high.is_full() {
                            continue;
                        }
                        for low in (group..lows).step_by(1 << group_bits) {
                            let key = high << low_bits | low;
                            let alike = starts[key] as usize..starts[key + 1] as usize;
                            if key & common != 0 || alike.is_empty() {
                                continue;
                            }
                            let conflicts = conflicts_high.or(V::load(&key_tables[0][low]));
                            if !conflicts.is_full() {
                                let alike = &tops[alike];
                                ones = look_up::<V, CHUNKS>(tables, conflicts, alike, ones);
                                looked_up += alike.len();
                            }
                        }
                    }
                    total += u128::from(weight * ((BLOCK * looked_up) as u64 - ones.sum()));
                }
            }
        }
    }
    total
}

/// Adds the conflicts of each of `tops` to the words of `ones`; bottoms in `conflicts` are in conflict with each.
#[inline(always)]
fn look_up<V: Compress, const CHUNKS: usize>(tables: &Tables, conflicts: V, tops: &[[u16; 4]], mut ones: V) -> V {
    for top in tops {
        let mut conflicts = conflicts;
        for (table, &entry) in tables.iter().zip(top).take(CHUNKS) {
            // An address of 256 entries of 64 bytes: the mask spares a check of bounds.
            conflicts = conflicts.or(V::load(&table[usize::from(entry & 0x3fc0) >> 6]));
        }
        ones = conflicts.add_ones_to(ones);
    }
    ones
}
