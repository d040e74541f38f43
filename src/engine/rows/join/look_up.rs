//! Looks up a group of the longer list in a block.

#![deny(clippy::cast_precision_loss, reason = "counts are exact")]

use super::shape::JoinShape;
use super::sort::{Addresses, Sorted};
use super::table::Block;
use crate::engine::rows::vector::{BLOCK, Counter, InnerLoop, Simd, Table, Vector};

/// For each key of a group, the position in the longer list where its half-boards start.
#[derive(Clone, Debug, Default)]
pub(super) struct KeyStarts {
    /// The keys that occur, followed by an entry for the end of the last one.
    keys: Vec<KeyStart>,
    /// The index in `keys` of each upper half's first key, followed by the index of the final
    /// entry.
    uppers: Vec<u32>,
}

#[derive(Clone, Copy, Debug, Default)]
struct KeyStart {
    /// The key without the group's diagonals.
    rest: u32,
    start: u32,
}

impl KeyStarts {
    pub(super) fn list(&mut self, longer: &Sorted<Addresses>, group: usize, shape: JoinShape) {
        let count = 1 << shape.rest();
        self.keys.resize(count + 1, KeyStart::default());
        self.uppers.clear();
        let mut listed = 0;
        let mut start = longer.start(shape.longer_bin(group, 0)) as u32;
        for rest in 0..count {
            if rest % (1 << shape.low()) == 0 {
                self.uppers.push(listed as u32);
            }
            let end = longer.start(shape.longer_bin(group, rest) + 1) as u32;
            // Always write the entry, but advance past it only if the key occurs. A branch would
            // often be mispredicted.
            self.keys[listed] = KeyStart {
                rest: rest as u32,
                start,
            };
            listed += usize::from(start < end);
            start = end;
        }
        self.uppers.push(listed as u32);
        self.keys[listed] = KeyStart { rest: 0, start };
    }
}

/// Counts the disjoint pairs between a group of the longer list and a block. Keys, and all keys with
/// the same upper half, are skipped if they conflict with the whole block.
pub(super) struct LookUp<'a> {
    pub block: &'a Block,
    pub longer: &'a Sorted<Addresses>,
    pub keys: &'a KeyStarts,
    pub shape: JoinShape,
}

impl InnerLoop for LookUp<'_> {
    type Output = u64;

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) -> u64 {
        match self.shape.chunks {
            3 => self.by_chunks::<S, 3>(simd),
            _ => self.by_chunks::<S, 4>(simd),
        }
    }
}

impl LookUp<'_> {
    #[inline(always)]
    fn by_chunks<S: Simd, const CHUNKS: usize>(self, simd: S) -> u64 {
        let [lower_table, upper_table, tables @ ..] = &*self.block.tables;
        let KeyStarts { keys, uppers } = self.keys;
        let low = self.shape.low();
        let mut ones = simd.counter();
        let mut lookups = 0;
        let mut alive = [0; 256];
        for (upper, bounds) in uppers.windows(2).enumerate() {
            let upper_conflicts = simd.load(&upper_table[upper % 256]);
            if upper_conflicts.is_full() {
                continue;
            }
            // First list the keys to visit, again without a branch.
            let mut noted = 0;
            for (i, key) in (bounds[0]..).zip(&keys[bounds[0] as usize..bounds[1] as usize]) {
                let lower = key.rest as usize % (1 << low);
                alive[noted % 256] = i;
                let conflicts = upper_conflicts.or(simd.load(&lower_table[lower % 256]));
                noted += usize::from(!conflicts.is_full());
            }
            for &i in &alive[..noted] {
                let KeyStart { rest, start } = keys[i as usize];
                let end = keys[i as usize + 1].start;
                let lower = rest as usize % (1 << low);
                let key_conflicts = upper_conflicts.or(simd.load(&lower_table[lower % 256]));
                let (fours, last) = self.longer.between(start, end).as_chunks();
                for &[a, b, c, d] in fours {
                    ones = ones.add_four([
                        conflicts::<S, CHUNKS>(simd, key_conflicts, tables, a),
                        conflicts::<S, CHUNKS>(simd, key_conflicts, tables, b),
                        conflicts::<S, CHUNKS>(simd, key_conflicts, tables, c),
                        conflicts::<S, CHUNKS>(simd, key_conflicts, tables, d),
                    ]);
                }
                for &addresses in last {
                    ones = ones.add(conflicts::<S, CHUNKS>(
                        simd,
                        key_conflicts,
                        tables,
                        addresses,
                    ));
                }
                lookups += u64::from(end - start);
            }
        }
        BLOCK as u64 * lookups - ones.sum()
    }
}

/// Returns the half-boards of a block that conflict with a half-board of the longer list. This is
/// not a closure, because a closure that is called more than once may not be inlined.
#[inline(always)]
fn conflicts<S: Simd, const CHUNKS: usize>(
    simd: S,
    of_key: S::Vector,
    tables: &[Table; 4],
    [a, b, c, d]: Addresses,
) -> S::Vector {
    let conflicts = of_key.or3(simd.load_at(&tables[0], a), simd.load_at(&tables[1], b));
    match CHUNKS {
        3 => conflicts.or(simd.load_at(&tables[2], c)),
        _ => conflicts.or3(simd.load_at(&tables[2], c), simd.load_at(&tables[3], d)),
    }
}
