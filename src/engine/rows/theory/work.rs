//! The expected cost of cores and of column sets, which determines shards and progress, but no
//! count.
//!
//! The time of a join depends on the lengths of its lists. These are estimated as if queens were
//! independent: a queen has as many choices as her column has open squares, and two queens are the
//! more likely to share a diagonal the closer their columns are. The constants were fitted to
//! measurements (`docs/experiments.md`).

use std::cmp::Ordering;

use super::core::{OrderEight, distance};
use super::subsets::{binomial, unrank};

pub(crate) struct Model {
    n: u32,
    half: u32,
    /// The factor for a column, indexed by the number of its open squares in a half.
    factors: Vec<f64>,
    /// How much each pair of columns in a half reduces the cost if they are close together.
    crowding: f64,
}

impl Model {
    pub(crate) fn new(n: u32, half: u32) -> Self {
        // The cost grows with the square root of the open squares in a column, and with this power
        // of the probability that no two queens share a diagonal. The longer the lists, the larger
        // is the share of the time that is spent on pairs of half-boards.
        let growth = match n {
            21 => 0.7,
            22 | 26 => 0.78,
            _ => 0.5,
        };
        let open = (0..=half).map(|open| f64::from(open) / f64::from(half));
        Self {
            n,
            half,
            factors: open.map(|open| open.sqrt() / 2.0).collect(),
            crowding: 6.0 * growth / f64::from(half),
        }
    }

    /// Returns the expected cost of a core, relative to the other cores of the board, or 0 if a
    /// queen is on a closed square.
    pub(crate) fn core(&self, queens: &[(u32, u32)], order_eight: OrderEight) -> f64 {
        let n = self.n;
        let is_closed = |square| order_eight.compare(n, square) == Ordering::Greater;
        if queens.iter().any(|&queen| is_closed(queen)) {
            return 0.0;
        }
        // Only the middle columns have closed squares, in the same rows.
        let closed = (0..n)
            .filter(|&row| is_closed((row, n / 2)))
            .fold(0_u64, |rows, row| rows | 1 << row);
        let top = (1 << self.half) - 1;
        let mut work = 1.0;
        for column in 0..n {
            if queens.iter().any(|queen| queen.1 == column) {
                continue;
            }
            let mut taken = if distance(n, column) <= 1 { closed } else { 0 };
            for &(row, of_queen) in queens {
                let apart = column.abs_diff(of_queen);
                taken |= 1 << (row + apart) | (1 << row) >> apart;
            }
            let [in_top, in_bottom] = [top, top << (n - self.half)]
                .map(|rows: u64| self.factors[(rows & !taken).count_ones() as usize]);
            work *= in_top + in_bottom;
        }
        work
    }

    /// Returns a function of the ranks of a column set in this tier: its expected cost, relative to
    /// the others of the core.
    pub(crate) fn tier(&self, tier: u32) -> impl Fn(u32, u32) -> f64 {
        let half = f64::from(self.half);
        let near = |distance: f64| (-distance / half).exp();
        let from_centre = |column: u32| near(half - f64::from(column) - 0.5);
        // For each subset of the columns of a quarter: the sum over the pairs of columns in the
        // same half-board, which decreases with their distance; and the sum over the columns in the
        // subset. The product of two sums of the latter kind is the sum over the pairs of a left
        // and a right column.
        let mut subsets: Vec<(f64, f64)> = Vec::new();
        for rank in 0..binomial(self.half, tier) {
            let set = unrank(rank, tier, self.half);
            let mut crowded = 0.0;
            let mut near_centre = 0.0;
            for column in 0..self.half {
                if set >> column & 1 == 1 {
                    near_centre += from_centre(column);
                }
                for other in 0..column {
                    // Both columns are in the set, or both are in its complement.
                    if (set >> column ^ set >> other) & 1 == 0 {
                        crowded += near(f64::from(column - other));
                    }
                }
            }
            subsets.push((crowded, near_centre));
        }
        let all: f64 = (0..self.half).map(from_centre).sum();
        let crowding = self.crowding;
        move |a, d| {
            let [(in_a, a), (in_d, d)] = [a, d].map(|rank| subsets[rank as usize]);
            let top = a * (all - d);
            let bottom = (all - a) * d;
            (-crowding * (in_a + in_d + top + bottom)).exp()
        }
    }
}
