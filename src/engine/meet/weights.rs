//! Weights: how many solutions a pair of half-boards stands for.
//!
//! The board has eight symmetries g, and the engine does not look at all eight images of a solution. It counts some
//! solutions s with a weight m(s), others not at all, m(s) = 0. The sum of the weights is the number of solutions if the
//! images of each solution weigh eight together:
//!
//! ```text
//!     sum over g of m(g(s)) = 8 for every s    =>    8 * sum over s of m(s) = sum over s, g of m(g(s)) = 8 * Q(N)
//! ```
//!
//! for each g only changes the order in which the solutions are met. That some solutions are their own images plays no
//! part.
//!
//! Four of the symmetries (none, mirror image, top-bottom image, half-turn) move the set C of a solution's top columns
//! among its images, of which so many differ as a unit's `images` says. One of these makes the unit, and 4 / `images` of
//! the four symmetries lead to it: with the weight `images` they weigh four. The other four are the transpositions of
//! these, and weigh four likewise.
//!
//! - **Even N.** A transposition keeps one main diagonal and exchanges the halves of the other. So where a solution
//!   occupies both, the two queens stand in one half of the board for four of its images, and in different halves for
//!   the other four: the former weigh twice as much, the latter nothing. Where it occupies one or none, so do all
//!   images, and nothing changes. Two joins are made, one for tops that occupy main diagonals and one for bottoms; where
//!   there are none, the former counts.
//! - **Odd N, a queen in the centre.** The weight is `images`, without a look at diagonals.
//! - **Odd N, another core.** The eight images have eight different cores, one of which has units: it weighs eight.
//!
//! The tests hold the identity against every solution of small boards, and the weights of a unit's solutions against
//! its count.

use super::core::Weights;

impl Weights {
    /// The weights of the pairs of a unit: of its tops with its bottoms, and of its bottoms, in the place of tops, with
    /// its tops. Each by the main diagonals that the former of both occupies (none, near, far, both); the latter
    /// occupies none. Without main diagonals, one of the two joins counts all pairs.
    pub fn of_pairs(self, images: u32) -> [[u64; 4]; 2] {
        let images = u64::from(images);
        match self {
            Self::MainDiagonals => [[images, images, images, 2 * images], [0, images, images, 2 * images]],
            Self::Images => [[images; 4]; 2],
            Self::Eight => [[8; 4]; 2],
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::Meet;
    use super::super::core::{Core, Unit};
    use super::super::kernel::Kernel;
    use super::*;
    use crate::engine::{Engine, Stop};
    use crate::{BoardSize, Solutions};

    /// A board: the column of the queen of each row.
    type Queens = Vec<u32>;

    fn solutions(n: u32) -> impl Iterator<Item = Queens> {
        let solutions = Solutions::new(BoardSize::new(n).unwrap());
        solutions.map(|solution| solution.columns().iter().map(|&column| column.into()).collect())
    }

    /// The eight images, one for each symmetry, whether they differ or not.
    fn images(queens: &Queens) -> Vec<Queens> {
        let n = queens.len() as u32;
        let mirrored = |queens: &Queens| queens.iter().map(|&column| n - 1 - column).collect::<Queens>();
        let flipped = |queens: &Queens| queens.iter().rev().copied().collect::<Queens>();
        let transposed = |queens: &Queens| {
            (0..n).map(|row| queens.iter().position(|&column| column == row).unwrap() as u32).collect::<Queens>()
        };
        let turned: Vec<Queens> = vec![queens.clone(), transposed(queens)];
        let turned: Vec<Queens> = turned.into_iter().flat_map(|board| [mirrored(&board), board]).collect();
        turned.into_iter().flat_map(|board| [flipped(&board), board]).collect()
    }

    /// The columns of the queens of some rows, as near and far columns of a top.
    fn halves(n: u32, queens: &[u32]) -> [u32; 2] {
        queens.iter().fold([0, 0], |[near, far], &column| match column {
            near_one if column < n / 2 => [near | 1 << near_one, far],
            far_one => [near, far | 1 << (n - 1 - far_one)],
        })
    }

    /// The main diagonals that the top occupies, and those that the bottom does, turned: 1 for the near one, 2 for the
    /// far one.
    fn main_diagonals(queens: &Queens) -> [usize; 2] {
        let n = queens.len();
        let marks = |queens: &[u32], turned: bool| {
            let on = |row: usize, column: usize| usize::from(row == column) | usize::from(row + column == n - 1) << 1;
            let rows = queens.iter().enumerate();
            rows.fold(0, |marks, (row, &column)| {
                let column = column as usize;
                marks | if turned { on(n - 1 - (row + n.div_ceil(2)), n - 1 - column) } else { on(row, column) }
            })
        };
        [marks(&queens[..n / 2], false), marks(&queens[n.div_ceil(2)..], true)]
    }

    /// The weight of a solution among those of a unit of a core.
    fn weight(core: &Core, unit: &Unit, queens: &Queens) -> u64 {
        let n = queens.len() as u32;
        let half = n / 2;
        let middle = queens.iter().position(|&column| column == half).unwrap() as u32;
        if core.middle.is_some_and(|at| at != (queens[half as usize], middle)) {
            return 0;
        }
        // A queen of the middle column is part of the core, not of the unit.
        let top: Vec<u32> =
            queens[..half as usize].iter().copied().filter(|&column| n.is_multiple_of(2) || column != half).collect();
        if halves(n, &top) != unit.top {
            return 0;
        }
        let [down, up] = core.weights.of_pairs(unit.images);
        match (core.weights, main_diagonals(queens)) {
            (Weights::MainDiagonals, [top, 0]) => down[top] + if top == 0 { up[0] } else { 0 },
            (Weights::MainDiagonals, [0, bottom]) => up[bottom],
            (Weights::MainDiagonals, _) => 0,
            _ => down[0],
        }
    }

    fn check(n: u32) {
        let engine = Meet::new(BoardSize::new(n).unwrap(), Kernel::default(), Meet::MEMORY);
        let units: Vec<(usize, Unit)> = (0..engine.units()).map(|unit| engine.unit(unit)).collect();
        let mut counts = vec![0; units.len()];
        let mut weights = std::collections::HashMap::new();
        for queens in solutions(n) {
            let mut sum = 0;
            for ((core, unit), count) in units.iter().zip(&mut counts) {
                let weight = weight(&engine.cores[*core], unit, &queens);
                assert!(weight == 0 || 8 % weight == 0, "N = {n}, {queens:?}: {weight}");
                *count += u128::from(weight);
                sum += weight;
            }
            weights.insert(queens, sum);
        }
        for queens in weights.keys() {
            let sum: u64 = images(queens).iter().map(|image| weights[image]).sum();
            assert_eq!(sum, 8, "N = {n}, {queens:?}");
        }
        for (unit, count) in counts.into_iter().enumerate() {
            assert_eq!(engine.count(unit as u64, &Stop::new()), Ok(count), "N = {n}, unit {unit}");
        }
    }

    #[test]
    fn the_images_of_every_solution_weigh_eight_and_units_count_their_weights() {
        for n in 4..=10 {
            check(n);
        }
    }
}
