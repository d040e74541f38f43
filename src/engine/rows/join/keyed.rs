//! Long lists: both sorted by the same key.

use super::bitset::BLOCK;
use super::block::{Block, Bottom, Cursor, Keys};
use super::key::Ranking;
use super::shape::Shape;
use super::sides::Sides;
use super::sort::{Sorted, Split, Top};
use super::steps::Steps;
use super::workspace::Workspace;
use crate::engine::Stop;
use crate::engine::rows::lists::word::Word;
use crate::engine::rows::meter::{Meter, Step};

/// The number of disjoint pairs, weighted. Of no meaning once `stop` has been requested.
pub fn disjoint_pairs<W: Word>(steps: impl Steps, sides: Sides<W>, workspace: &mut Workspace, stop: &Stop) -> u128 {
    let Workspace { block, ranking, bins, keys, tops, narrow, wide, meter, .. } = workspace;
    ranking.rank(steps, sides);
    let shape = ranking.best(sides.tops.len(), sides.bottoms.len());
    meter.end(Step::Rank);
    let mut join = Join { steps, sides, shape, ranking, bins, keys, block, tops, meter, stop };
    if shape.key + shape.rest <= u32::BITS { join.pairs(narrow, true) } else { join.pairs(wide, false) }
}

/// A join of two lists.
struct Join<'a, S, W> {
    steps: S,
    sides: Sides<'a, W>,
    shape: Shape,
    ranking: &'a Ranking,
    bins: &'a mut Vec<u16>,
    keys: &'a mut [Keys; 3],
    block: &'a mut Block,
    tops: &'a mut Sorted<Top>,
    meter: &'a mut Meter,
    stop: &'a Stop,
}

impl<S: Steps, W: Word> Join<'_, S, W> {
    /// Sorts and joins the lists.
    fn pairs<B: Bottom>(&mut self, bottoms: &mut Sorted<B>, narrow: bool) -> u128 {
        let shape = self.shape;
        self.sort(bottoms);
        self.meter.end(Step::Sort);
        // The bits of bottoms in the order of their ranks; those of the chunks in the order of their places.
        let open = self.ranking.open();
        let bit = |place: u32| if narrow { (open & ((1 << place) - 1)).count_ones() } else { place } as u8;
        let mut bits = [0; 64];
        let rest = self.ranking.rest(shape);
        let places = self.ranking.places(shape.key).chain((0..64).filter(|place| rest >> place & 1 == 1));
        bits.iter_mut().zip(places).for_each(|(to, place)| *to = bit(place));
        let bits = &bits[..(shape.key + shape.rest) as usize];
        let mut total = 0;
        for group in 0..1 << shape.group {
            for (marks, keys) in self.keys.iter_mut().enumerate() {
                if let Some(tops) = self.tops.with_marks(marks) {
                    keys.list(tops, group, shape);
                }
            }
            for marks in 0..3 {
                let weights = self.sides.weights.map(|by_bottom| by_bottom[marks]);
                let Some(bottoms) = bottoms.with_marks(marks).filter(|_| weights != [0; 3]) else { continue };
                let mut cursor = Cursor::new(group, shape);
                while self.steps.take_next(self.block, bottoms, &mut cursor, bits, shape) {
                    if self.stop.requested() {
                        return 0;
                    }
                    self.meter.blocks += 1;
                    self.meter.end(Step::Blocks);
                    total += self.pairs_of_block(weights);
                    self.meter.end(Step::LookUp);
                }
            }
        }
        total
    }

    /// The pairs of a group of tops and a block, weighted by the marks of the tops.
    fn pairs_of_block(&mut self, weights: [u64; 3]) -> u128 {
        let mut total = 0;
        for (marks, weight) in weights.into_iter().enumerate().filter(|(_, weight)| *weight > 0) {
            let Some(tops) = self.tops.with_marks(marks) else { continue };
            let [lookups, conflicts] = match self.shape.chunks {
                3 => self.steps.look_up::<3>(self.block, tops, &self.keys[marks], self.shape),
                _ => self.steps.look_up::<4>(self.block, tops, &self.keys[marks], self.shape),
            };
            self.meter.lookups += lookups;
            total += u128::from(weight * (BLOCK as u64 * lookups - conflicts));
        }
        total
    }

    /// Sorts tops by the key, and bottoms by what makes blocks alike.
    fn sort<B: Bottom>(&mut self, bottoms: &mut Sorted<B>) {
        let Self { steps, sides, shape, ranking, .. } = *self;
        // The group tells tops apart first, and bottoms of the same key last.
        let Shape { key, group, alike, .. } = shape;
        let of_top = |rank| if rank < group { key - group + rank } else { key - 1 - rank };
        let of_bottom = |rank| if rank < group { rank } else { group + alike - 1 - (rank - group) };
        let mut chunks = 0;
        for (chunk, width) in shape.widths().into_iter().enumerate() {
            chunks |= ((1u64 << width) - 1) << (16 * chunk + 6);
        }
        let sorted_by = fill_bins(self.bins, ranking.places(key), of_top);
        let split = Split { sorted_by, bins: self.bins, left: ranking.rest(shape), chunks };
        steps.sort(self.tops, sides.tops, &split);
        let sorted_by = fill_bins(self.bins, ranking.places(group + alike), of_bottom);
        let split = Split { sorted_by, bins: self.bins, left: ranking.open(), chunks: 0 };
        steps.sort(bottoms, sides.bottoms, &split);
    }
}

/// Fills in, for bits of a word at some places, the bin that they mean, and yields the places as a mask. `bit` is the
/// bit of the bin for the diagonal of a rank.
fn fill_bins(bins: &mut Vec<u16>, places: impl Iterator<Item = u32> + Clone, bit: impl Fn(u32) -> u32) -> u64 {
    // Extracted bits lie in the order of their places.
    let mut bits: [u16; 64] = [0; 64];
    for (rank, place) in (0..).zip(places.clone()) {
        bits[places.clone().filter(|&other| other < place).count()] = 1 << bit(rank);
    }
    bins.clear();
    bins.push(0);
    for bit in &bits[..places.clone().count()] {
        bins.extend_from_within(..);
        let half = bins.len() / 2;
        bins[half..].iter_mut().for_each(|bin| *bin |= bit);
    }
    places.fold(0, |mask, place| mask | 1 << place)
}
