//! The numbering of units by lead, core and tile, as defined in section 8 of [the
//! proof](super::super).
//!
//! Placements in which queens attack each other also have indices. A core can therefore be computed
//! from its index without a list of cores.

use std::collections::BTreeSet;
use std::ops::Range;

use super::core::{
    Core, CoreSymmetry, Images, OrderEight, attack, distance, weighs_main_diagonals,
};
use super::tiling::{Tile, Tiling};

pub(crate) struct Numbering {
    n: u32,
    pub middle_rows: u32,
    pub half: u32,
    pub tile_side: u32,
    leads: Vec<Lead>,
    /// The number of cores per lead, including those whose queens attack each other.
    cores_of_a_lead: u64,
    /// The tiles of a core, indexed by [`Images`].
    tilings: [Option<Tiling>; 3],
    /// The first unit of each lead, followed by the number of units.
    starts: Vec<u64>,
    /// The expected work that precedes each lead, followed by the total.
    work: Vec<f64>,
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct CoreTile {
    pub core: u64,
    pub tile: Tile,
}

impl Numbering {
    pub(crate) fn new(n: u32, middle_rows: u32, tile_side: u32) -> Self {
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
        let mut tilings = [const { None }; 3];
        let mut starts = vec![0];
        let mut work = vec![0.0];
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

    pub(crate) fn units(&self) -> u64 {
        self.starts[self.leads.len()]
    }

    pub(crate) fn unit(&self, unit: u64) -> CoreTile {
        assert!(unit < self.units(), "unit {unit} of {}", self.units());
        let (lead, core, tile) = self.locate(unit);
        CoreTile {
            core: lead as u64 * self.cores_of_a_lead + core,
            tile: self.tiling_of(lead).tiles()[tile],
        }
    }

    pub(crate) fn divisor(&self, units: Range<u64>) -> u64 {
        assert!(
            units.start < units.end && units.end <= self.units(),
            "no such units: {units:?}"
        );
        let leads = &self.leads[self.locate(units.start).0..=self.locate(units.end - 1).0];
        // If a column set also stands for other images, its solutions are counted at least twice.
        // On odd boards, half-boards have no marks, so each pair is counted twice, or once if there
        // is a queen in the centre. These factors and the weights of leads are powers of two, so
        // the smallest of their products divides the others.
        leads
            .iter()
            .map(|lead| {
                let has_images = lead.symmetry.images != Images::None;
                let twice = self.n % 2 == 1 && lead.symmetry.order_eight != OrderEight::Reach(0);
                lead.symmetry.weight << (u32::from(has_images) + u32::from(twice))
            })
            .min()
            .unwrap_or(1)
    }

    pub(crate) fn cumulative_work(&self, unit: u64) -> f64 {
        let (lead, cores, tile) = self.locate(unit);
        let tiling = self.tiling_of(lead);
        let work = cores as f64 * tiling.whole_work() + tiling.cumulative_work(tile);
        (self.work[lead] + self.leads[lead].work * work) / self.work[self.leads.len()]
    }

    /// Returns a core, or `None` if its queens attack each other or one is on a closed square.
    pub(crate) fn core(&self, index: u64) -> Option<Core> {
        Core::new(self.n, &self.queens(index)?, self.lead(index).symmetry)
    }

    fn lead(&self, core: u64) -> &Lead {
        &self.leads[(core / self.cores_of_a_lead) as usize]
    }

    /// Returns the queens of a core, or `None` if two of them attack each other.
    pub(crate) fn queens(&self, core: u64) -> Option<Vec<(u32, u32)>> {
        let mut queens = self.lead(core).queens.clone();
        let mut order = core % self.cores_of_a_lead;
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
        Some(queens)
    }

    pub(crate) fn tiling(&self, images: Images) -> &Tiling {
        self.tilings[images as usize]
            .as_ref()
            .expect("some lead has these images")
    }

    /// Returns the indices of a unit's lead, of the core among the lead's cores, and of the tile.
    /// If `unit` is the number of units, returns the end of the last lead.
    fn locate(&self, unit: u64) -> (usize, u64, usize) {
        let lead = self.starts.partition_point(|&start| start <= unit) - 1;
        let lead = lead.min(self.leads.len() - 1);
        let within = unit - self.starts[lead];
        let tiles = self.tiling_of(lead).tiles().len() as u64;
        (lead, within / tiles, (within % tiles) as usize)
    }

    fn tiling_of(&self, lead: usize) -> &Tiling {
        self.tiling(self.leads[lead].symmetry.images)
    }
}

/// The queens of a core that determine its symmetry. There are at most a few thousand leads.
struct Lead {
    queens: Vec<(u32, u32)>,
    symmetry: CoreSymmetry,
    /// The expected cost of each core, relative to the other cores of the board.
    work: f64,
}

impl Lead {
    fn all(n: u32, middle_rows: u32) -> Vec<Self> {
        let half = (n - middle_rows) / 2;
        // First the two rows that the flip exchanges, then the middle row of an odd board.
        let neighbours = (half..n - half).filter(|&row| (1..=2).contains(&distance(n, row)));
        let middle = (half..n - half).filter(|&row| distance(n, row) == 0);
        let mut placements = vec![Vec::new()];
        for row in neighbours.chain(middle) {
            let mut longer = Vec::new();
            for queens in placements {
                for square in (0..n).map(|column| (row, column)) {
                    if queens.iter().all(|&queen| !attack(queen, square)) {
                        longer.push([queens.as_slice(), &[square]].concat());
                    }
                }
            }
            placements = longer;
        }
        // With only one middle row, leads are ordered from the centre to the left.
        if middle_rows == 1 {
            placements.reverse();
        }
        placements
            .into_iter()
            .filter_map(|queens| Self::new(n, queens))
            .collect()
    }

    /// Creates a lead. Returns `None` if a different lead is counted in its place, or if R = 1,
    /// which leaves nothing to count.
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
        // For N = 20 and 21, the work is roughly proportional to R; for N = 24, to its square.
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

/// Returns the number of distinct images of a lead, or `None` if the lead is not the smallest of
/// them. Images are compared by their first two queens.
fn images(n: u32, queens: &[(u32, u32)]) -> Option<u64> {
    let (p, q) = match queens {
        [] => return Some(1),
        [only] => (only.1, only.1),
        [upper, lower, ..] => (upper.1, lower.1),
    };
    let images = BTreeSet::from([
        (p, q),
        (n - 1 - p, n - 1 - q),
        (q, p),
        (n - 1 - q, n - 1 - p),
    ]);
    (images.first() == Some(&(p, q))).then_some(images.len() as u64)
}

#[cfg(test)]
mod tests {
    use super::*;

    impl Numbering {
        pub(crate) fn cores(&self) -> u64 {
            self.leads.len() as u64 * self.cores_of_a_lead
        }

        pub(crate) fn heavier(mut self, times: u64) -> Self {
            self.leads
                .iter_mut()
                .for_each(|lead| lead.symmetry.weight *= times);
            self
        }

        pub(crate) fn ends_of_leads(&self) -> impl Iterator<Item = u64> {
            self.starts[1..].iter().copied()
        }

        pub(crate) fn units_of_core(&self, core: u64) -> Range<u64> {
            let lead = (core / self.cores_of_a_lead) as usize;
            let tiles = self.tiling_of(lead).tiles().len() as u64;
            let start = self.starts[lead] + core % self.cores_of_a_lead * tiles;
            start..start + tiles
        }
    }

    #[test]
    fn divisor_across_two_leads_divides_both() {
        let mut second_is_smaller = false;
        for (n, middle_rows) in [(9, 1), (10, 2), (9, 3)] {
            let numbering = Numbering::new(n, middle_rows, 16);
            for &border in &numbering.starts[1..numbering.leads.len()] {
                let before = numbering.divisor(border - 1..border);
                let after = numbering.divisor(border..border + 1);
                let of_both = numbering.divisor(border - 1..border + 1);
                assert_eq!(of_both, before.min(after), "unit {border}");
                second_is_smaller |= after < before;
            }
        }
        assert!(second_is_smaller);
    }
}
