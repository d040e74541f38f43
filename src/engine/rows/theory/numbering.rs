//! The numbering of units: leads, cores, tiles.
//!
//! A core's number is made of two parts. The **lead** is the queens on which symmetry depends: those of the two middle
//! rows for even N, of the middle row and its neighbours for odd N. There are a few thousand of them at most, and a
//! table says what each weighs. The other rows of the core, if any, take the columns that are left in every order; some
//! of these placements are no cores, because queens attack each other, and their units count nothing. So a core comes
//! from its number alone, without a list of cores in memory.
//!
//! Every core has the same tiles. A unit is a lead, a placement of the other rows and a tile:
//!
//! ```text
//!     lead 0                                  lead 1
//!     core 0         core 1         ...       core 0         ...
//!     tile 0 1 2 ... tile 0 1 2 ...           tile 0 1 2 ...
//!     unit 0 1 2 ...
//! ```

use super::core::{Core, Images, Multiplicity, Queen, attack, distance};
use super::subsets::{binomial, rank, unrank};

/// The units of a board.
#[derive(Clone, Debug)]
pub struct Numbering {
    n: u32,
    middle_rows: u32,
    /// The number of rows and of columns of a quarter.
    pub half: u32,
    /// The most subsets along a side of a tile.
    pub tile_side: u32,
    leads: Vec<Lead>,
    /// The placements of the other rows of the core, cores or not.
    cores_of_a_lead: u64,
    /// The tiles of a core, by its [`Images`].
    tilings: [Tiling; 3],
    /// `starts[i]` is the first unit of lead i.
    starts: Vec<u64>,
    /// `work[i]` is the expected work before lead i.
    work: Vec<f64>,
}

/// The queens of a core on which symmetry depends.
#[derive(Clone, Debug)]
struct Lead {
    queens: Vec<Queen>,
    symmetry: Multiplicity,
    /// The expected work of a core, relative to others.
    work: f64,
}

/// Some column sets of a core.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Tile {
    /// The number of queens of the top left quarter, and of the bottom right one.
    pub tier: u32,
    /// The first of the numbers of a, and of d.
    pub first: [u32; 2],
}

/// The column sets of the top: those left and those right of the middle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ColumnSet {
    /// The left columns of the top, as indices from the left border.
    pub a: u32,
    /// The right columns of the bottom, as indices from the right border.
    pub d: u32,
    /// For how many images it is counted.
    pub images: u64,
}

/// A unit, found from its number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Unit {
    /// The number of the core.
    pub core: u64,
    /// The tile.
    pub tile: Tile,
}

/// The tiles of a core.
#[derive(Clone, Debug)]
struct Tiling {
    tiles: Vec<Tile>,
    /// `work[i]` is the expected work before tile i.
    work: Vec<f64>,
}

impl Numbering {
    /// The units of a board whose `middle_rows` are placed first.
    ///
    /// # Panics
    /// When the number of middle rows has not the parity of `n`, or leaves no rows above.
    pub fn new(n: u32, middle_rows: u32, tile_side: u32) -> Self {
        assert!(
            middle_rows % 2 == n % 2 && middle_rows + 2 <= n,
            "N = {n} cannot have {middle_rows} middle rows first"
        );
        let half = (n - middle_rows) / 2;
        let leads = leads(n, middle_rows);
        let placed = leads[0].queens.len() as u32;
        let cores_of_a_lead = (placed..middle_rows).map(|row| u64::from(n - row)).product();
        let tilings = [Images::None, Images::Flip, Images::All].map(|images| Tiling::new(half, tile_side, images));
        let (mut starts, mut work) = (vec![0], vec![0.0]);
        for lead in &leads {
            let tiling = &tilings[lead.symmetry.images as usize];
            starts.push(starts[starts.len() - 1] + cores_of_a_lead * tiling.tiles.len() as u64);
            work.push(work[work.len() - 1] + lead.work * cores_of_a_lead as f64 * tiling.work[tiling.tiles.len()]);
        }
        Self { n, middle_rows, half, tile_side, leads, cores_of_a_lead, tilings, starts, work }
    }

    /// The number of middle rows that are placed first.
    pub fn middle_rows(&self) -> u32 {
        self.middle_rows
    }

    /// The number of cores, counting placements that are none.
    #[cfg(test)]
    pub fn cores(&self) -> u64 {
        self.leads.len() as u64 * self.cores_of_a_lead
    }

    /// The number of units.
    pub fn units(&self) -> u64 {
        self.starts[self.leads.len()]
    }

    /// The unit of a number.
    ///
    /// # Panics
    /// When there is no such unit.
    pub fn unit(&self, unit: u64) -> Unit {
        assert!(unit < self.units(), "unit {unit} of {}", self.units());
        let lead = self.starts.partition_point(|&start| start <= unit) - 1;
        let tiles = &self.tiling(lead).tiles;
        let within = unit - self.starts[lead];
        let core = lead as u64 * self.cores_of_a_lead + within / tiles.len() as u64;
        Unit { core, tile: tiles[(within % tiles.len() as u64) as usize] }
    }

    /// The share of the whole work that is expected before a unit.
    pub fn work_before(&self, unit: u64) -> f64 {
        let lead = (self.starts.partition_point(|&start| start <= unit) - 1).min(self.leads.len() - 1);
        let Tiling { tiles, work } = self.tiling(lead);
        let within = unit - self.starts[lead];
        let (cores, tile) = (within / tiles.len() as u64, (within % tiles.len() as u64) as usize);
        let before = self.leads[lead].work * (cores as f64 * work[tiles.len()] + work[tile]);
        (self.work[lead] + before) / self.work[self.leads.len()]
    }

    /// The core of a number. `None` if its queens attack each other, or all of its solutions are counted for others.
    pub fn core(&self, number: u64) -> Option<Core> {
        let Lead { queens, symmetry, .. } = &self.leads[(number / self.cores_of_a_lead) as usize];
        let mut queens = queens.clone();
        let mut order = number % self.cores_of_a_lead;
        for row in self.half..self.half + self.middle_rows {
            if queens.iter().any(|queen| queen.0 == row) {
                continue;
            }
            let free: Vec<u32> = (0..self.n).filter(|&column| queens.iter().all(|queen| queen.1 != column)).collect();
            let queen = (row, free[(order % free.len() as u64) as usize]);
            order /= free.len() as u64;
            if queens.iter().any(|&other| attack(other, queen)) {
                return None;
            }
            queens.push(queen);
        }
        Core::new(self.n, queens, *symmetry)
    }

    /// The column sets of a tile that are counted, in Z-order: however few quarter-boards fit into memory, sets that
    /// share one come close together.
    pub fn column_sets(&self, images: Images, tile: Tile) -> impl Iterator<Item = ColumnSet> + '_ {
        self.counted_pairs(images, tile).map(move |pair| self.set_of(tile.tier, pair))
    }

    /// The column set of a part of a unit: they are numbered from 0 in the order of [`Numbering::column_sets`].
    ///
    /// # Panics
    /// When there is no such part.
    pub fn column_set(&self, images: Images, tile: Tile, part: u64) -> ColumnSet {
        let pair = self.counted_pairs(images, tile).nth(part as usize);
        self.set_of(tile.tier, pair.unwrap_or_else(|| panic!("no such part of the unit: {part}")))
    }

    /// The number of column sets of a tile that are counted.
    pub fn sets(&self, images: Images, tile: Tile) -> u64 {
        self.counted_pairs(images, tile).count() as u64
    }

    /// The number of parts of a unit: of its column sets. A placement that is no core has one part, which counts
    /// nothing.
    pub fn parts(&self, unit: Unit) -> u64 {
        self.core(unit.core).map_or(1, |core| self.sets(core.symmetry.images, unit.tile))
    }

    /// The numbers of a and d of the column sets of a tile that are counted, and for how many images, in Z-order.
    fn counted_pairs(&self, images: Images, tile: Tile) -> impl Iterator<Item = (u32, u32, u64)> + '_ {
        let bits = self.tile_side.next_power_of_two().trailing_zeros();
        let subsets = binomial(self.half, tile.tier) as u32;
        (0..1u32 << (2 * bits)).filter_map(move |place| {
            let coordinate = |axis: u32| (0..bits).fold(0, |sum, bit| sum | (place >> (2 * bit + axis) & 1) << bit);
            let [row, column] = [coordinate(1), coordinate(0)];
            let (a, d) = (tile.first[0] + row, tile.first[1] + column);
            if row.max(column) >= self.tile_side || a.max(d) >= subsets {
                return None;
            }
            let counted = counted_for(images, self.half, tile.tier, a, d);
            (counted > 0).then_some((a, d, counted))
        })
    }

    /// The column set of these numbers of a and d.
    fn set_of(&self, tier: u32, (a, d, images): (u32, u32, u64)) -> ColumnSet {
        let subset = |number: u32| unrank(number.into(), tier, (1 << self.half) - 1);
        ColumnSet { a: subset(a), d: subset(d), images }
    }

    /// How many column sets of a core have the same `a` as this one, itself included, and how many the same `d`.
    pub fn alike(&self, images: Images, set: ColumnSet) -> [u64; 2] {
        let (half, tier) = (self.half, set.a.count_ones());
        let subsets = binomial(half, tier) as u32;
        let counted = |a: u32, d: u32| counted_for(images, half, tier, a, d) > 0;
        let [a, d] = [set.a, set.d].map(|subset| rank(subset, (1 << half) - 1));
        [(0..subsets).filter(|&d| counted(a, d)).count() as u64, (0..subsets).filter(|&a| counted(a, d)).count() as u64]
    }

    fn tiling(&self, lead: usize) -> &Tiling {
        &self.tilings[self.leads[lead].symmetry.images as usize]
    }
}

/// The leads of a board, in order.
fn leads(n: u32, middle_rows: u32) -> Vec<Lead> {
    let middle = n / 2;
    let lead = |queens: Vec<Queen>, images, weight, reach: Option<u32>| Lead {
        queens,
        symmetry: Multiplicity { images, weight, reach },
        work: lead_work(n, reach),
    };
    match (middle_rows, n % 2) {
        (0, _) => vec![lead(vec![], Images::All, 1, None)],
        (1, _) => {
            // From the centre to the left; on the right there are mirror images. With the queen beside the centre, S =
            // 0 is all that is less than R, but she attacks the centre.
            let centre = lead(vec![(middle, middle)], Images::All, 1, None);
            let others = (0..middle.saturating_sub(1)).rev();
            // Four for the mirror and the transposition, and two for the flip, one of whose images is counted.
            let others = others.map(|c| lead(vec![(middle, c)], Images::Flip, 8, Some(distance(n, c))));
            std::iter::once(centre).chain(others).collect()
        }
        (_, 0) => {
            let pairs = pairs(n, [middle - 1, middle]);
            let reach = |pair: [Queen; 2]| Some(pair.map(|queen| distance(n, queen.1)).into_iter().max().unwrap_or(0));
            pairs.map(|(pair, weight)| lead(pair.to_vec(), Images::None, weight, reach(pair))).collect()
        }
        _ => {
            let with_middle = |(pair, weight): ([Queen; 2], u64)| {
                let queens = (0..n).map(move |column| (middle, column));
                let peaceful = queens.filter(move |&queen| pair.iter().all(|&other| !attack(other, queen)));
                // See above for the queen beside the centre.
                let possible = peaceful.filter(move |queen| distance(n, queen.1) != 2);
                possible.map(move |queen| {
                    let queens = vec![pair[0], queen, pair[1]];
                    match distance(n, queen.1) {
                        0 => lead(queens, Images::None, weight, None),
                        reach => lead(queens, Images::None, 2 * weight, Some(reach)),
                    }
                })
            };
            pairs(n, [middle - 1, middle + 1]).flat_map(with_middle).collect()
        }
    }
}

/// The queens of two rows that the flip exchanges, the least of their images, and how many images differ.
fn pairs(n: u32, rows: [u32; 2]) -> impl Iterator<Item = ([Queen; 2], u64)> {
    let all = (0..n).flat_map(move |a| (0..n).map(move |b| (a, b)));
    all.filter_map(move |(a, b)| {
        let mut images = [(a, b), (n - 1 - a, n - 1 - b), (b, a), (n - 1 - b, n - 1 - a)];
        images.sort_unstable();
        let queens = [(rows[0], a), (rows[1], b)];
        let different = 1 + images.windows(2).filter(|pair| pair[0] != pair[1]).count() as u64;
        (images[0] == (a, b) && !attack(queens[0], queens[1])).then_some((queens, different))
    })
}

/// For how many images the column set with these numbers is counted; 0 if another one is counted for it.
fn counted_for(images: Images, half: u32, tier: u32, a: u32, d: u32) -> u64 {
    let subsets = binomial(half, tier) as u32;
    let middle = 2 * tier == half;
    match images {
        Images::None => 1,
        Images::Flip => u64::from(!middle || 2 * a < subsets),
        Images::All if a > d || middle && a + d >= subsets => 0,
        Images::All if a == d || middle && a + d == subsets - 1 => 2,
        Images::All => 4,
    }
}

impl Tiling {
    fn new(half: u32, side: u32, images: Images) -> Self {
        let tiers = if images == Images::None { half } else { half / 2 };
        let (mut tiles, mut work) = (Vec::new(), vec![0.0]);
        for tier in 0..=tiers {
            let subsets = binomial(half, tier) as u32;
            let along = |first: u32| first..(first + side).min(subsets);
            for a in (0..subsets).step_by(side as usize) {
                for d in (0..subsets).step_by(side as usize) {
                    let row = |a: u32| along(d).filter(|&d| counted_for(images, half, tier, a, d) > 0).count();
                    let counted: usize = along(a).map(row).sum();
                    if counted > 0 {
                        tiles.push(Tile { tier, first: [a, d] });
                        work.push(work[work.len() - 1] + counted as f64 * tier_work(half, tier));
                    }
                }
            }
        }
        Self { tiles, work }
    }
}

/// What a column set of a tier is expected to cost, relative to others of its core: measured for N = 20 (quarters of 10
/// rows) as 1, 0.64, 0.28, 0.09, 0.02 for 0, 2, 4, 6, 8 queens more on one side, for N = 27 (12 rows) as 1, 0.80, 0.31,
/// 0.14, 0.04, 0.01.
fn tier_work(half: u32, tier: u32) -> f64 {
    (-0.2 * f64::from(half.abs_diff(2 * tier)).powf(1.35)).exp()
}

/// What a core is expected to cost, relative to others of its board: measured as about the reach for N = 20 and 21, its
/// square for N = 24.
fn lead_work(n: u32, reach: Option<u32>) -> f64 {
    reach.map_or(0.6, |reach| (f64::from(reach) / f64::from(n - 1)).powf(1.5))
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::super::core::Diagonals;
    use super::*;

    /// Small boards with every number of middle rows up to five.
    fn numberings() -> impl Iterator<Item = Numbering> {
        let boards = (4..=10).flat_map(|n| (n % 2..n.min(7) - 1).step_by(2).map(move |middle_rows| (n, middle_rows)));
        boards.flat_map(|(n, middle_rows)| [1, 3, 16].map(|side| Numbering::new(n, middle_rows, side)))
    }

    #[test]
    fn the_units_of_a_core_have_every_column_set_that_is_counted_once() {
        for numbering in numberings() {
            for images in [Images::None, Images::Flip, Images::All] {
                let tiles = &numbering.tilings[images as usize].tiles;
                let mut seen = HashSet::new();
                let mut counted = 0;
                for set in tiles.iter().flat_map(|&tile| numbering.column_sets(images, tile)) {
                    assert!(seen.insert((set.a, set.d)), "{numbering:?}: {set:?} twice");
                    assert_eq!(set.a.count_ones(), set.d.count_ones());
                    counted += set.images;
                }
                let half = numbering.half;
                let all = binomial(2 * half, half);
                // The flip halves the sets, and its weight stands in the core's.
                assert_eq!(counted, if images == Images::Flip { all / 2 } else { all }, "{images:?}, {half}");
            }
        }
    }

    #[test]
    fn a_unit_is_found_from_its_number() {
        for numbering in numberings() {
            let mut expected = Vec::new();
            for core in 0..numbering.cores() {
                let lead = (core / numbering.cores_of_a_lead) as usize;
                expected.extend(numbering.tiling(lead).tiles.iter().map(|&tile| Unit { core, tile }));
            }
            assert!(expected.into_iter().eq((0..numbering.units()).map(|unit| numbering.unit(unit))));
        }
    }

    #[test]
    fn the_work_before_a_unit_grows_from_nothing_to_all() {
        for n in 4..=32 {
            let numbering = Numbering::new(n, if n < 24 { n % 2 } else { n % 2 + 2 }, 16);
            let units = numbering.units();
            assert_eq!((numbering.work_before(0), numbering.work_before(units)), (0.0, 1.0), "N = {n}");
            for start in (0..units).step_by((units / 100).max(2000) as usize) {
                let work: Vec<f64> =
                    (start..=units.min(start + 2000)).map(|unit| numbering.work_before(unit)).collect();
                assert!(work.is_sorted_by(|before, after| before < after), "N = {n}, from unit {start}");
            }
        }
    }

    #[test]
    fn the_diagonals_of_every_core_fit_into_a_word_and_a_join() {
        for n in 21..=32 {
            let numbering = Numbering::new(n, [0, 1, 0, 1, 2, 3, 4, 3, 4, 5, 6, 7, 8][n as usize - 20], 16);
            let step = (numbering.cores() / 500).max(1) as usize | 1;
            for core in (0..numbering.cores()).step_by(step).filter_map(|core| numbering.core(core)) {
                let diagonals: Diagonals = core.relevant();
                assert!(diagonals.count_ones() <= 64, "N = {n}, {:?}: {diagonals:b}", core.queens);
            }
        }
    }
}
