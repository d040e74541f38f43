//! The numbering of units: leads, cores, tiles.
//!
//! Section 8 of [the proof](super::super) defines it. A core comes from its number alone, without a
//! list of cores in memory, because placements of which queens attack each other have numbers, too:
//!
//! ```text
//!     lead 0                                  lead 1
//!     core 0         core 1         ...       core 0         ...
//!     tile 0 1 2 ... tile 0 1 2 ...           tile 0 1 2 ...
//!     unit 0 1 2 ...
//! ```

use std::ops::Range;

use super::core::{
    Core, CoreSymmetry, Images, OrderEight, attack, distance, weighs_main_diagonals,
};
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
        let cores_of_a_lead = (placed..middle_rows)
            .map(|row| u64::from(n - row))
            .product();
        let (mut tilings, mut starts, mut work) = ([const { None }; 3], vec![0], vec![0.0]);
        for lead in &leads {
            let images = lead.symmetry.images;
            let tiling = tilings[images as usize]
                .get_or_insert_with(|| Tiling::new(half, tile_side, images));
            starts.push(starts[starts.len() - 1] + cores_of_a_lead * tiling.tiles().len() as u64);
            work.push(
                work[work.len() - 1] + lead.work * cores_of_a_lead as f64 * tiling.whole_work(),
            );
        }
        Self {
            n,
            middle_rows,
            half,
            tile_side,
            leads,
            cores_of_a_lead,
            tilings,
            starts,
            work,
        }
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
        CoreTile {
            core,
            tile: tiles[(within % tiles.len() as u64) as usize],
        }
    }

    /// What divides the counts of some units: a power of two, because all weights are.
    pub fn divisor(&self, units: Range<u64>) -> u64 {
        assert!(
            units.start < units.end && units.end <= self.units(),
            "no such units: {units:?}"
        );
        let leads = &self.leads[self.lead_of(units.start)..=self.lead_of(units.end - 1)];
        // A column set that has images is counted for two of them at least. No half-board of an odd
        // board is marked, so a pair counts twice unless a queen stands in the centre.
        let least = |lead: &Lead| {
            let has_images = lead.symmetry.images != Images::None;
            let twice = self.n % 2 == 1 && lead.symmetry.order_eight != OrderEight::Reach(0);
            lead.symmetry.weight << (u32::from(has_images) + u32::from(twice))
        };
        leads.iter().map(least).min().unwrap_or(1)
    }

    /// The share of the whole work that is expected before a unit.
    pub fn cumulative_work(&self, unit: u64) -> f64 {
        let lead = self.lead_of(unit).min(self.leads.len() - 1);
        let tiling = self.tiling_of(lead);
        let within = unit - self.starts[lead];
        let tiles = tiling.tiles().len() as u64;
        let (cores, tile) = (within / tiles, (within % tiles) as usize);
        let before = self.leads[lead].work
            * (cores as f64 * tiling.whole_work() + tiling.cumulative_work(tile));
        (self.work[lead] + before) / self.work[self.leads.len()]
    }

    /// The core of a number. `None` if its queens attack each other, or one of them stands on a
    /// closed square.
    pub fn core(&self, number: u64) -> Option<Core> {
        let Lead {
            queens, symmetry, ..
        } = &self.leads[(number / self.cores_of_a_lead) as usize];
        let mut queens = queens.clone();
        let mut order = number % self.cores_of_a_lead;
        for row in self.half..self.half + self.middle_rows {
            if queens.iter().any(|queen| queen.0 == row) {
                continue;
            }
            let free: Vec<u32> = (0..self.n)
                .filter(|&column| queens.iter().all(|queen| queen.1 != column))
                .collect();
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
        self.tilings[images as usize]
            .as_ref()
            .expect("some lead has these images")
    }

    /// The lead of a unit; behind the last unit, the number of leads.
    fn lead_of(&self, unit: u64) -> usize {
        self.starts.partition_point(|&start| start <= unit) - 1
    }

    fn tiling_of(&self, lead: usize) -> &Tiling {
        self.tiling(self.leads[lead].symmetry.images)
    }
}

/// The queens of a core on which symmetry depends: those of the two middle rows for even N, of the
/// middle row and its neighbours for odd N. There are a few thousand leads at most.
#[derive(Clone, Debug)]
struct Lead {
    queens: Vec<(u32, u32)>,
    /// What a core with these queens counts for.
    symmetry: CoreSymmetry,
    /// What a core is expected to cost, relative to others of the board.
    work: f64,
}

impl Lead {
    /// All leads of a board, in order.
    fn all(n: u32, middle_rows: u32) -> Vec<Self> {
        let half = (n - middle_rows) / 2;
        // The rows that the flip exchanges; and then the middle row of an odd board.
        let neighbours = (half..n - half).filter(|&row| (1..=2).contains(&distance(n, row)));
        let middle = (half..n - half).filter(|&row| distance(n, row) == 0);
        let mut placements = vec![Vec::new()];
        for row in neighbours.chain(middle) {
            let with_queen = |queens: Vec<(u32, u32)>| {
                let free = (0..n)
                    .filter(|&column| !queens.iter().any(|&queen| attack(queen, (row, column))));
                free.map(|column| [queens.as_slice(), &[(row, column)]].concat())
                    .collect::<Vec<_>>()
            };
            placements = placements
                .into_iter()
                .flat_map(with_queen)
                .filter(|queens| images(n, queens).is_some())
                .collect();
        }
        // A single queen goes from the centre to the left.
        if middle_rows == 1 {
            placements.reverse();
        }
        placements
            .into_iter()
            .filter_map(|queens| Self::new(n, queens))
            .collect()
    }

    /// The lead with these queens. `None` if others are counted for it, or if R = 1: then the
    /// centre alone has S < R, but a queen beside it attacks it.
    fn new(n: u32, queens: Vec<(u32, u32)>) -> Option<Self> {
        let weight = images(n, &queens)?;
        let of_middle_rows = queens.iter().filter(|queen| distance(n, queen.0) <= 1);
        let order_eight = match of_middle_rows.map(|queen| distance(n, queen.1)).max() {
            Some(2) => return None,
            Some(reach) => OrderEight::Reach(reach),
            None if weighs_main_diagonals(n / 2) => OrderEight::MainDiagonals,
            None => OrderEight::Unused,
        };
        let images = match (queens.len(), weight) {
            (0 | 1, 1) => Images::All,
            (1, _) => Images::Flip,
            _ => Images::None,
        };
        // About the reach for N = 20 and 21, its square for 24.
        let work = match order_eight {
            OrderEight::Reach(reach @ 1..) => (f64::from(reach) / f64::from(n - 1)).powf(1.5),
            _ => 0.6,
        };
        Some(Self {
            queens,
            symmetry: CoreSymmetry {
                images,
                weight,
                order_eight,
            },
            work,
        })
    }
}

/// How many images of a lead differ, by the queens of the two rows that the flip exchanges, or of
/// the only one. `None` if it is not the least of them.
fn images(n: u32, queens: &[(u32, u32)]) -> Option<u64> {
    let (p, q) = match queens {
        [] => return Some(1),
        [only] => (only.1, only.1),
        [upper, lower, ..] => (upper.1, lower.1),
    };
    let mut images = [
        (p, q),
        (n - 1 - p, n - 1 - q),
        (q, p),
        (n - 1 - q, n - 1 - p),
    ];
    images.sort_unstable();
    let different = 1 + images.windows(2).filter(|pair| pair[0] != pair[1]).count() as u64;
    (images[0] == (p, q)).then_some(different)
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
            self.leads
                .iter_mut()
                .for_each(|lead| lead.symmetry.weight *= times);
            self
        }
    }

    #[test]
    fn what_divides_units_of_two_leads_divides_those_of_each() {
        let mut second_is_smaller = false;
        for numbering in
            [(9, 1), (10, 2), (9, 3)].map(|(n, middle_rows)| Numbering::new(n, middle_rows, 16))
        {
            for &border in &numbering.starts[1..numbering.leads.len()] {
                let [before, after] =
                    [border - 1, border].map(|unit| numbering.divisor(unit..unit + 1));
                assert_eq!(
                    numbering.divisor(border - 1..border + 1),
                    before.min(after),
                    "unit {border}"
                );
                second_is_smaller |= after < before;
            }
        }
        assert!(second_is_smaller);
    }
}
