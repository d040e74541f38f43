//! Tiers: the units of all cores in a row, and how much of the work each is expected to take.
//!
//! The units of a core with the same number of queens in the near (left) quarter of the top are a **tier**. They lie
//! side by side in the numbering, need the same quarter-boards, and take about the same time.

use super::core::Core;

/// The tiers of a board, in the order of their units.
#[derive(Debug)]
pub struct Tiers {
    tiers: Vec<Tier>,
    units: u64,
    /// The work of all units, in a measure of its own.
    work: f64,
}

/// The units of a core with the same number of near queens on top.
#[derive(Clone, Copy, Debug)]
pub struct Tier {
    /// The number of the core.
    pub core: usize,
    /// The first unit of the core.
    pub start: u64,
    /// The first unit of the tier.
    first: u64,
    /// The work before the first unit.
    before: f64,
    /// The work of one unit.
    cost: f64,
}

impl Tiers {
    /// The tiers of the cores, one core after another.
    pub fn new<'a>(cores: impl IntoIterator<Item = &'a Core>) -> Self {
        let mut all = Self { tiers: Vec::new(), units: 0, work: 0.0 };
        for (number, core) in cores.into_iter().enumerate() {
            let start = all.units;
            for (near_queens, &units) in core.tiers().iter().enumerate() {
                let cost = cost(near_queens);
                all.tiers.push(Tier { core: number, start, first: all.units, before: all.work, cost });
                all.units += units;
                all.work += units as f64 * cost;
            }
        }
        all
    }

    /// The number of tiers.
    pub fn len(&self) -> usize {
        self.tiers.len()
    }

    /// The number of units.
    pub fn units(&self) -> u64 {
        self.units
    }

    /// The tier of a unit, and its number.
    pub fn find(&self, unit: u64) -> (usize, Tier) {
        let number = self.tiers.partition_point(|tier| tier.first <= unit) - 1;
        (number, self.tiers[number])
    }

    /// The share of the work, from 0 to 1, that the units before `unit` are expected to take.
    pub fn work_before(&self, unit: u64) -> f64 {
        let (_, tier) = self.find(unit);
        (tier.before + (unit - tier.first) as f64 * tier.cost) / self.work
    }
}

/// What a unit with the given number of near queens on top is expected to cost, in a measure of its own. (`queencount
/// estimate N` weighs units by this.)
fn cost(near_queens: usize) -> f64 {
    2.0 + near_queens as f64
}
