//! The numbering of units: leads, cores, tiles.
//!
//! A core's number is made of two parts. The **lead** is the queens on which symmetry depends, and a table says what each
//! weighs. The other rows of the core, if any, take the columns that are left in every order; some
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

use std::ops::Range;

use super::core::{Core, Images, attack};
use super::lead::Lead;
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
    /// The number of the core.
    pub core: u64,
    /// The tile.
    pub tile: Tile,
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

    /// The number of units.
    pub fn units(&self) -> u64 {
        self.starts[self.leads.len()]
    }

    /// The unit of a number.
    ///
    /// # Panics
    /// When there is no such unit.
    pub fn unit(&self, unit: u64) -> CoreTile {
        assert!(unit < self.units(), "unit {unit} of {}", self.units());
        let lead = self.starts.partition_point(|&start| start <= unit) - 1;
        let tiles = self.tiling_of(lead).tiles();
        let within = unit - self.starts[lead];
        let core = lead as u64 * self.cores_of_a_lead + within / tiles.len() as u64;
        CoreTile { core, tile: tiles[(within % tiles.len() as u64) as usize] }
    }

    /// What divides the counts of some units: a power of two, because all weights are.
    ///
    /// # Panics
    /// When there are no such units.
    pub fn divisor(&self, units: Range<u64>) -> u64 {
        assert!(units.start < units.end && units.end <= self.units(), "no such units: {units:?}");
        let lead_of = |unit: u64| self.starts.partition_point(|&start| start <= unit) - 1;
        let leads = &self.leads[lead_of(units.start)..=lead_of(units.end - 1)];
        // A column set that has images is counted for two of them at least.
        let least = |lead: &Lead| if lead.symmetry.images == Images::None { 1 } else { 2 };
        leads.iter().map(|lead| lead.symmetry.weight * least(lead)).min().unwrap_or(1)
    }

    /// The share of the whole work that is expected before a unit.
    pub fn work_before(&self, unit: u64) -> f64 {
        let lead = (self.starts.partition_point(|&start| start <= unit) - 1).min(self.leads.len() - 1);
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
    ///
    /// # Panics
    /// When no lead of the board has such cores.
    pub fn tiling(&self, images: Images) -> &Tiling {
        self.tilings[images as usize].as_ref().expect("some lead has these images")
    }

    fn tiling_of(&self, lead: usize) -> &Tiling {
        self.tiling(self.leads[lead].symmetry.images)
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

    /// Small boards with every number of middle rows up to five.
    fn numberings() -> impl Iterator<Item = Numbering> {
        let boards = (4..=10).flat_map(|n| (n % 2..n.min(7) - 1).step_by(2).map(move |middle_rows| (n, middle_rows)));
        boards.flat_map(|(n, middle_rows)| [1, 3, 16].map(|side| Numbering::new(n, middle_rows, side)))
    }

    #[test]
    fn a_unit_is_found_from_its_number() {
        for numbering in numberings() {
            let mut expected = Vec::new();
            for core in 0..numbering.cores() {
                let lead = (core / numbering.cores_of_a_lead) as usize;
                expected.extend(numbering.tiling_of(lead).tiles().iter().map(|&tile| CoreTile { core, tile }));
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
    fn what_divides_units_of_two_leads_divides_those_of_each() {
        let mut second_is_smaller = false;
        for numbering in numberings() {
            for &border in &numbering.starts[1..numbering.leads.len()] {
                let [before, after] = [border - 1, border].map(|unit| numbering.divisor(unit..unit + 1));
                assert_eq!(numbering.divisor(border - 1..border + 1), before.min(after), "unit {border}");
                second_is_smaller |= after < before;
            }
        }
        assert!(second_is_smaller);
    }
}
