//! The numbering of units: leads, cores, tiles.
//!
//! Section 8 of [the proof](super::super) defines it. A core comes from its number alone, without a list of cores in memory,
//! because placements of which queens attack each other have numbers, too:
//!
//! ```text
//!     lead 0                                  lead 1
//!     core 0         core 1         ...       core 0         ...
//!     tile 0 1 2 ... tile 0 1 2 ...           tile 0 1 2 ...
//!     unit 0 1 2 ...
//! ```

use std::ops::Range;

use super::core::{Core, CoreSymmetry, Images, OrderEight, Queen, attack, distance, weighs_main_diagonals};
use super::tiling::{Tile, Tiling};

/// The units of a board.
#[derive(Clone, Debug)]
pub struct Numbering {
    n: u32,
    /// The number of middle rows that are placed first.
    pub middle_rows: u32,
    /// The number of rows and of columns of a quarter.
    pub half: u32,
    /// The most subsets along a side of a tile.
    pub tile_side: u32,
    leads: Vec<Lead>,
    /// The placements of the other rows of the core, cores or not.
    cores_of_a_lead: u64,
    /// The tiles of a core, by its [`Images`], if some lead has these.
    tilings: [Option<Tiling>; 3],
    /// `starts[i]` is the first unit of lead i.
    starts: Vec<u64>,
    /// `work[i]` is the expected work before lead i.
    work: Vec<f64>,
}

/// What the number of a unit stands for: a tile of a core.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CoreTile {
    pub core: u64,
    pub tile: Tile,
}

impl Numbering {
    /// The units of a board whose `middle_rows` are placed first.
    pub fn new(n: u32, middle_rows: u32, tile_side: u32) -> Self {
        assert!(
            middle_rows % 2 == n % 2 && middle_rows + 2 <= n,
            "N = {n} cannot have {middle_rows} middle rows first"
        );
        let half = (n - middle_rows) / 2;
        let leads = Lead::all(n, middle_rows);
        let placed = leads[0].queens.len() as u32;
        let cores_of_a_lead = (placed..middle_rows).map(|row| u64::from(n - row)).product();
        let (mut tilings, mut starts, mut work) = ([const { None }; 3], vec![0], vec![0.0]);
        for lead in &leads {
            let images = lead.symmetry.images;
            let tiling = tilings[images as usize].get_or_insert_with(|| Tiling::new(half, tile_side, images));
            starts.push(starts[starts.len() - 1] + cores_of_a_lead * tiling.tiles().len() as u64);
            work.push(work[work.len() - 1] + lead.work * cores_of_a_lead as f64 * tiling.whole_work());
        }
        Self { n, middle_rows, half, tile_side, leads, cores_of_a_lead, tilings, starts, work }
    }

    pub fn units(&self) -> u64 {
        self.starts[self.leads.len()]
    }

    /// The unit of a number.
    pub fn unit(&self, unit: u64) -> CoreTile {
        assert!(unit < self.units(), "unit {unit} of {}", self.units());
        let lead = self.lead_of(unit);
        let tiles = self.tiling_of(lead).tiles();
        let within = unit - self.starts[lead];
        let core = lead as u64 * self.cores_of_a_lead + within / tiles.len() as u64;
        CoreTile { core, tile: tiles[(within % tiles.len() as u64) as usize] }
    }

    /// What divides the counts of some units: a power of two, because all weights are.
    pub fn divisor(&self, units: Range<u64>) -> u64 {
        assert!(units.start < units.end && units.end <= self.units(), "no such units: {units:?}");
        let leads = &self.leads[self.lead_of(units.start)..=self.lead_of(units.end - 1)];
        // A column set that has images is counted for two of them at least.
        let least = |lead: &Lead| if lead.symmetry.images == Images::None { 1 } else { 2 };
        leads.iter().map(|lead| lead.symmetry.weight * least(lead)).min().unwrap_or(1)
    }

    /// The share of the whole work that is expected before a unit.
    pub fn work_before(&self, unit: u64) -> f64 {
        let lead = self.lead_of(unit).min(self.leads.len() - 1);
        let tiling = self.tiling_of(lead);
        let within = unit - self.starts[lead];
        let tiles = tiling.tiles().len() as u64;
        let (cores, tile) = (within / tiles, (within % tiles) as usize);
        let before = self.leads[lead].work * (cores as f64 * tiling.whole_work() + tiling.work_before(tile));
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

    /// The tiles of a core that stands for these images.
    pub fn tiling(&self, images: Images) -> &Tiling {
        self.tilings[images as usize].as_ref().expect("some lead has these images")
    }

    /// The lead of a unit; behind the last unit, the number of leads.
    fn lead_of(&self, unit: u64) -> usize {
        self.starts.partition_point(|&start| start <= unit) - 1
    }

    fn tiling_of(&self, lead: usize) -> &Tiling {
        self.tiling(self.leads[lead].symmetry.images)
    }
}

/// The queens of a core on which symmetry depends: those of the two middle rows for even N, of the middle row and its
/// neighbours for odd N. There are a few thousand leads at most.
#[derive(Clone, Debug)]
struct Lead {
    queens: Vec<Queen>,
    /// What a core with these queens counts for.
    symmetry: CoreSymmetry,
    /// The expected work of a core, relative to others.
    work: f64,
}

impl Lead {
    /// All leads of a board, in order.
    fn all(n: u32, middle_rows: u32) -> Vec<Self> {
        let middle = n / 2;
        let lead = |queens: &[Queen], images, weight, order_eight| Self {
            queens: queens.to_vec(),
            symmetry: CoreSymmetry { images, weight, order_eight },
            work: lead_work(n, order_eight),
        };
        // Of odd N: with the queen beside the centre, S = 0 is all that is less than R, but she attacks the centre.
        let possible = |column: &u32| distance(n, *column) != 2;
        match (middle_rows, n % 2) {
            (0, _) if weighs_main_diagonals(middle) => vec![lead(&[], Images::All, 1, OrderEight::MainDiagonals)],
            (0, _) => vec![lead(&[], Images::All, 1, OrderEight::Unused)],
            (1, _) => {
                // From the centre to the left; on the right there are mirror images.
                let of_queen = |column: u32| match distance(n, column) {
                    0 => lead(&[(middle, column)], Images::All, 1, OrderEight::Unused),
                    // Two for the mirror, and two for the transposition.
                    reach => lead(&[(middle, column)], Images::Flip, 4, OrderEight::Reach(reach)),
                };
                (0..=middle).rev().filter(possible).map(of_queen).collect()
            }
            (_, 0) => {
                let of_pair = |([one, other], weight): ([Queen; 2], u64)| {
                    let reach = distance(n, one.1).max(distance(n, other.1));
                    lead(&[one, other], Images::None, weight, OrderEight::Reach(reach))
                };
                pairs(n, [middle - 1, middle]).map(of_pair).collect()
            }
            _ => {
                let of_pair = |([upper, lower], weight): ([Queen; 2], u64)| {
                    let of_queen = |column: u32| {
                        let queens = [upper, (middle, column), lower];
                        match distance(n, column) {
                            0 => lead(&queens, Images::None, weight, OrderEight::Unused),
                            reach => lead(&queens, Images::None, 2 * weight, OrderEight::Reach(reach)),
                        }
                    };
                    let peaceful = |column: &u32| ![upper, lower].iter().any(|&one| attack(one, (middle, *column)));
                    (0..n).filter(possible).filter(peaceful).map(of_queen).collect::<Vec<Self>>()
                };
                pairs(n, [middle - 1, middle + 1]).flat_map(of_pair).collect()
            }
        }
    }
}

/// The queens of two rows that the flip exchanges, the least of their images, and how many images differ.
fn pairs(n: u32, rows: [u32; 2]) -> impl Iterator<Item = ([Queen; 2], u64)> {
    let all = (0..n).flat_map(move |p| (0..n).map(move |q| (p, q)));
    all.filter_map(move |(p, q)| {
        let mut images = [(p, q), (n - 1 - p, n - 1 - q), (q, p), (n - 1 - q, n - 1 - p)];
        images.sort_unstable();
        let queens = [(rows[0], p), (rows[1], q)];
        let different = 1 + images.windows(2).filter(|pair| pair[0] != pair[1]).count() as u64;
        (images[0] == (p, q) && !attack(queens[0], queens[1])).then_some((queens, different))
    })
}

/// What a core is expected to cost, relative to others of its board: about the reach for N = 20 and 21, its square for 24.
fn lead_work(n: u32, order_eight: OrderEight) -> f64 {
    match order_eight {
        OrderEight::Reach(reach) => (f64::from(reach) / f64::from(n - 1)).powf(1.5),
        _ => 0.6,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    impl Numbering {
        /// The number of cores, counting placements that are none.
        pub fn cores(&self) -> u64 {
            self.leads.len() as u64 * self.cores_of_a_lead
        }

        /// The same units, of which each solution counts for so many times as many.
        pub fn heavier(mut self, times: u64) -> Self {
            self.leads.iter_mut().for_each(|lead| lead.symmetry.weight *= times);
            self
        }
    }

    #[test]
    fn what_divides_units_of_two_leads_divides_those_of_each() {
        let mut second_is_smaller = false;
        for numbering in [(9, 1), (10, 2), (9, 3)].map(|(n, middle_rows)| Numbering::new(n, middle_rows, 16)) {
            for &border in &numbering.starts[1..numbering.leads.len()] {
                let [before, after] = [border - 1, border].map(|unit| numbering.divisor(unit..unit + 1));
                assert_eq!(numbering.divisor(border - 1..border + 1), before.min(after), "unit {border}");
                second_is_smaller |= after < before;
            }
        }
        assert!(second_is_smaller);
    }
}
