//! Column sets, and the tiles into which they are divided.
//!
//! The ranks of `a` and `d` are the coordinates of a column set in a square. Tiles divide the
//! square of each tier into smaller squares, clipped at its border. Neighbouring column sets in a
//! tile share lists of quarter-boards.

use super::core::Images;
use super::subsets::{binomial, rank, unrank};
use super::work::Model;

#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Tile {
    pub tier: u32,
    /// The smallest ranks of `a` and `d`.
    pub first: [u32; 2],
}

/// The columns that a top occupies; a bottom occupies the others.
#[derive(Clone, Copy)]
pub(crate) struct ColumnSet {
    /// The left columns of the top, as a bitmask indexed from the left border.
    pub a: u32,
    /// The right columns of the bottom, as a bitmask indexed from the right border.
    pub d: u32,
    /// How many images the column set stands for, itself included.
    pub multiplicity: u64,
}

impl ColumnSet {
    /// Returns the columns of the queens in each quarter, as bitmasks indexed from the border.
    pub(crate) fn quarters(self, half: u32) -> [u32; 4] {
        let all = (1 << half) - 1;
        [self.a, all ^ self.d, all ^ self.a, self.d]
    }
}

pub(crate) struct Tiling {
    half: u32,
    /// The maximum number of subsets along a side of a tile.
    side: u32,
    images: Images,
    tiles: Vec<Tile>,
    /// The expected work before each tile, then the total. The scale is the same for all cores.
    work: Vec<f64>,
}

impl Tiling {
    pub(super) fn new(half: u32, side: u32, images: Images, model: &Model) -> Self {
        let mut tiling = Self {
            half,
            side,
            images,
            tiles: vec![],
            work: vec![0.0],
        };
        let last_tier = if images == Images::None {
            half
        } else {
            half / 2
        };
        for tier in 0..=last_tier {
            let subsets = tiling.subsets(tier);
            let cost = model.tier(tier);
            let along = |first: u32| first..(first + side).min(subsets);
            for a in (0..subsets).step_by(side as usize) {
                for d in (0..subsets).step_by(side as usize) {
                    let counted: Vec<f64> = along(a)
                        .flat_map(|a| along(d).map(move |d| (a, d)))
                        .filter(|&(a, d)| tiling.counted_for(tier, a, d) > 0)
                        .map(|(a, d)| cost(a, d))
                        .collect();
                    if !counted.is_empty() {
                        tiling.tiles.push(Tile {
                            tier,
                            first: [a, d],
                        });
                        let work = tiling.whole_work() + counted.iter().sum::<f64>();
                        tiling.work.push(work);
                    }
                }
            }
        }
        tiling
    }

    pub(crate) fn tiles(&self) -> &[Tile] {
        &self.tiles
    }

    pub(crate) fn cumulative_work(&self, tile: usize) -> f64 {
        self.work[tile]
    }

    pub(crate) fn whole_work(&self) -> f64 {
        self.work[self.work.len() - 1]
    }

    /// Returns the counted column sets of a tile, in Z-order. Sets that share a list of
    /// quarter-boards are close together in this order, so lists are reused even if only a few fit
    /// into memory.
    pub(crate) fn column_sets(&self, tile: Tile) -> impl Iterator<Item = ColumnSet> + '_ {
        let bits = self.side.next_power_of_two().trailing_zeros();
        let subsets = self.subsets(tile.tier);
        (0..1u32 << (2 * bits)).filter_map(move |index| {
            let coordinate = |axis: u32| {
                (0..bits).fold(0, |sum, bit| sum | (index >> (2 * bit + axis) & 1) << bit)
            };
            let row = coordinate(1);
            let column = coordinate(0);
            let a = tile.first[0] + row;
            let d = tile.first[1] + column;
            if row.max(column) >= self.side || a.max(d) >= subsets {
                return None;
            }
            let multiplicity = self.counted_for(tile.tier, a, d);
            (multiplicity > 0).then(|| ColumnSet {
                a: unrank(a.into(), tile.tier, self.half),
                d: unrank(d.into(), tile.tier, self.half),
                multiplicity,
            })
        })
    }

    /// Returns the number of counted column sets with the same `a` as this one, and the number with
    /// the same `d`.
    pub(crate) fn sets_sharing(&self, set: ColumnSet) -> [u64; 2] {
        let tier = set.a.count_ones();
        let a = rank(set.a);
        let d = rank(set.d);
        let mut sharing = [0, 0];
        for other in 0..self.subsets(tier) {
            sharing[0] += u64::from(self.counted_for(tier, a, other) > 0);
            sharing[1] += u64::from(self.counted_for(tier, other, d) > 0);
        }
        sharing
    }

    /// Returns the number of images that the column set with these ranks stands for, or 0 if a
    /// different column set is counted in its place.
    fn counted_for(&self, tier: u32, a: u32, d: u32) -> u64 {
        let subsets = self.subsets(tier);
        let middle = 2 * tier == self.half;
        match self.images {
            Images::None => 1,
            Images::Flip if middle && 2 * a >= subsets => 0,
            Images::Flip => 2,
            Images::All if a > d || middle && a + d >= subsets => 0,
            Images::All if a == d || middle && a + d == subsets - 1 => 2,
            Images::All => 4,
        }
    }

    fn subsets(&self, tier: u32) -> u32 {
        binomial(self.half, tier) as u32
    }
}
