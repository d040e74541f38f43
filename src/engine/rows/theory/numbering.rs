//! The numbering of units by lead, core and tile, as defined in section 8 of [the
//! proof](super::super).
//!
//! Placements in which queens attack each other also have indices. A core can therefore be computed
//! from its index without a list of cores.

use std::collections::BTreeSet;
use std::mem;
use std::ops::Range;
use std::sync::{Mutex, OnceLock, PoisonError};

use super::core::{
    Core, CoreSymmetry, Images, OrderEight, attack, distance, weighs_main_diagonals,
};
use super::tiling::{Tile, Tiling};
use super::work::Model;
use crate::board::bits;
use crate::splitmix::SplitMix64;

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
    model: Model,
    /// The numbers of consecutive cores that differ only in the first 0, 1, ... rows after the
    /// lead. The last one is the number of cores in a block.
    sizes: Vec<u64>,
    /// The expected work that precedes each block of cores, as far as computed at the first use.
    blocks: OnceLock<Vec<f64>>,
    /// The core whose work was computed last; a block's cores are not stored.
    last: Mutex<Option<CoreWork>>,
}

/// The expected work before a core, and the work of the core itself, as fractions of the total.
#[derive(Clone, Copy)]
struct CoreWork {
    core: u64,
    before: f64,
    work: f64,
}

/// The maximum number of blocks of cores whose work is stored, unless there are more leads. All
/// boards up to N = 28 have fewer cores than this.
const MOST_BLOCKS: u64 = 1 << 17;

/// How many cores of a block are sampled, if there are more.
const SAMPLE: u64 = 4;

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
        let model = Model::new(n, half);
        let mut starts = vec![0];
        for lead in &leads {
            let images = lead.symmetry.images;
            let tiling = tilings[images as usize]
                .get_or_insert_with(|| Tiling::new(half, tile_side, images, &model));
            starts.push(starts[starts.len() - 1] + cores_of_a_lead * tiling.tiles().len() as u64);
        }
        let mut sizes = vec![1];
        for row in placed..middle_rows {
            let size = sizes[sizes.len() - 1];
            if leads.len() as u64 * cores_of_a_lead / size > MOST_BLOCKS {
                sizes.push(size * u64::from(n - row));
            }
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
            model,
            sizes,
            blocks: OnceLock::new(),
            last: Mutex::default(),
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

    pub(crate) fn cumulative_work(&self, unit: u64) -> f64 {
        if unit == self.units() {
            return 1.0;
        }
        let (lead, core, tile) = self.locate(unit);
        let tiling = self.tiling_of(lead);
        let core = self.work_of_core(lead as u64 * self.cores_of_a_lead + core);
        core.before + core.work * (tiling.cumulative_work(tile) / tiling.whole_work())
    }

    /// Returns about how many bytes the expected work of cores takes up.
    pub(crate) fn memory(&self) -> u64 {
        self.cores() / self.sizes[self.sizes.len() - 1] * size_of::<f64>() as u64
    }

    pub(crate) fn cores(&self) -> u64 {
        self.leads.len() as u64 * self.cores_of_a_lead
    }

    fn work_of_core(&self, core: u64) -> CoreWork {
        let mut last = self.last.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(last) = *last
            && last.core == core
        {
            return last;
        }
        let block = self.sizes[self.sizes.len() - 1];
        let before = self
            .blocks
            .get_or_init(|| self.work_before(0..self.cores(), block));
        let whole = before[before.len() - 1];
        let at = (core / block) as usize;
        let mut of_core = CoreWork {
            core,
            before: before[at] / whole,
            work: (before[at + 1] - before[at]) / whole,
        };
        for sizes in self.sizes.windows(2).rev() {
            let first = core / sizes[1] * sizes[1];
            let before = self.work_before(first..first + sizes[1], sizes[0]);
            let whole = before[before.len() - 1];
            let at = ((core - first) / sizes[0]) as usize;
            of_core.before += of_core.work * (before[at] / whole);
            of_core.work *= (before[at + 1] - before[at]) / whole;
        }
        *last = Some(of_core);
        of_core
    }

    /// Divides cores into groups of `size`. Returns the expected work that precedes each group,
    /// then the total, on a scale of its own.
    fn work_before(&self, cores: Range<u64>, size: u64) -> Vec<f64> {
        let mut works: Vec<f64> = cores
            .step_by(size as usize)
            .map(|first| {
                let mut random = SplitMix64::stream(1, first);
                (0..size.min(SAMPLE))
                    .map(|number| match size {
                        ..=SAMPLE => first + number,
                        _ => first + random.below(size),
                    })
                    .map(|core| self.expected_work(core))
                    .sum()
            })
            .collect();
        let sum: f64 = works.iter().sum();
        // A group can have a core even if its sample has none.
        let least = match sum / works.len() as f64 {
            0.0 => 1.0,
            mean if size > SAMPLE => mean / SAMPLE as f64,
            _ => 0.0,
        };
        let mut before = 0.0;
        for work in &mut works {
            before += mem::replace(work, before) + least;
        }
        works.push(before);
        works
    }

    /// Returns the expected work of a core, relative to the other cores.
    fn expected_work(&self, core: u64) -> f64 {
        self.queens(core).map_or(0.0, |queens| {
            let CoreSymmetry {
                images,
                order_eight,
                ..
            } = self.lead(core).symmetry;
            self.model.core(&queens, order_eight) * self.tiling(images).whole_work()
        })
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
        let lead = self.lead(core);
        let mut queens = lead.queens.clone();
        let mut free = (1_u64 << self.n) - 1;
        for queen in &queens {
            free ^= 1 << queen.1;
        }
        let mut order = core % self.cores_of_a_lead;
        for row in self.half..self.half + self.middle_rows {
            if lead.queens.iter().any(|queen| queen.0 == row) {
                continue;
            }
            let columns = u64::from(free.count_ones());
            let column = bits(free).nth((order % columns) as usize)?;
            let queen = (row, column.trailing_zeros());
            order /= columns;
            free ^= column;
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
        let weight = weight(n, &queens)?;
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
        Some(Self {
            queens,
            symmetry: CoreSymmetry {
                images,
                weight,
                order_eight,
            },
        })
    }
}

/// Returns the number of distinct images of a lead, or `None` if the lead is not the smallest of
/// them. Images are compared by their first two queens.
fn weight(n: u32, queens: &[(u32, u32)]) -> Option<u64> {
    let (p, q) = match queens {
        [] => return Some(1),
        [only] => (only.1, only.1),
        [upper, lower, ..] => (upper.1, lower.1),
    };
    let orbit = BTreeSet::from([
        (p, q),
        (n - 1 - p, n - 1 - q),
        (q, p),
        (n - 1 - q, n - 1 - p),
    ]);
    (orbit.first() == Some(&(p, q))).then_some(orbit.len() as u64)
}

#[cfg(test)]
impl Numbering {
    pub(crate) fn units_of_core(&self, core: u64) -> Range<u64> {
        let lead = (core / self.cores_of_a_lead) as usize;
        let tiles = self.tiling_of(lead).tiles().len() as u64;
        let start = self.starts[lead] + core % self.cores_of_a_lead * tiles;
        start..start + tiles
    }
}
