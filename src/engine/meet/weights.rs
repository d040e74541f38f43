//! Weights: how many solutions a pair of half-boards stands for.
//!
//! The board has eight symmetries g, and the engine does not look at all eight images of a solution. It counts some
//! solutions s with a weight m(s), others not at all, m(s) = 0. The sum of the weights is the number of solutions if
//! the images of each solution weigh eight together:
//!
//! ```text
//!     sum over g of m(g(s)) = 8 for every s    =>    8 * sum over s of m(s) = sum over s, g of m(g(s)) = 8 * Q(N)
//! ```
//!
//! for each g only changes the order in which the solutions are met. That some solutions are their own images plays no
//! part.
//!
//! Four of the symmetries (none, mirror image, top-bottom image, half-turn) move the set C of a solution's top columns
//! among its images, of which so many differ as a unit's `images` says. One of these makes the unit, and 4 / `images`
//! of the four symmetries lead to it: with the weight `images` they weigh four. The other four are the transpositions
//! of these, and weigh four likewise.
//!
//! - **Even N.** A transposition keeps one main diagonal and exchanges the halves of the other. So where a solution
//!   occupies both, the two queens stand in one half of the board for four of its images, and in different halves for
//!   the other four: the former weigh twice as much, the latter nothing. Where it occupies one or none, so do all
//!   images, and nothing changes. Two joins are made, one for tops that occupy main diagonals and one for bottoms;
//!   where there are none, the former counts.
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
    use std::collections::HashMap;

    use super::super::Meet;
    use super::super::core::{Core, Unit};
    use super::super::kernel::Kernel;
    use super::*;
    use crate::engine::{Engine, Stop};
    use crate::{BoardSize, Solution, Solutions, Symmetry};

    /// The columns of the queens of the top rows; one in the middle column is part of the core, not of a half.
    fn top(solution: &Solution) -> [u32; 2] {
        let n = solution.columns().len();
        let columns = solution.columns()[..n / 2].iter().map(|&column| usize::from(column));
        columns.fold([0, 0], |[near, far], column| match column {
            middle if n % 2 == 1 && middle == n / 2 => [near, far],
            _ if column < n / 2 => [near | 1 << column, far],
            _ => [near, far | 1 << (n - 1 - column)],
        })
    }

    /// The main diagonals that the top occupies: 1 for the near one, 2 for the far one.
    fn marks(solution: &Solution) -> usize {
        let n = solution.columns().len();
        let top = solution.columns()[..n / 2].iter().map(|&column| usize::from(column)).enumerate();
        top.fold(0, |marks, (row, column)| marks | usize::from(row == column) | usize::from(row + column == n - 1) << 1)
    }

    /// The weight of a solution among those of a unit of a core.
    fn weight(core: &Core, unit: &Unit, solution: &Solution) -> u64 {
        let columns = solution.columns();
        let middle = columns.len() / 2;
        let queen = columns.iter().position(|&column| usize::from(column) == middle).expect("a queen in every column");
        if core.middle.is_some_and(|at| at != (columns[middle].into(), queen as u32)) || top(solution) != unit.top {
            return 0;
        }
        let [down, up] = core.weights.of_pairs(unit.images);
        if core.weights != Weights::MainDiagonals {
            return down[0];
        }
        match [marks(solution), marks(&solution.image(Symmetry::HalfTurn))] {
            [0, 0] => down[0] + up[0],
            [top, 0] => down[top],
            [0, bottom] => up[bottom],
            _ => 0,
        }
    }

    fn check(n: u32) {
        let size = BoardSize::new(n).unwrap();
        let engine = Meet::new(size, Kernel::default(), Meet::MEMORY);
        let units: Vec<(usize, Unit)> = (0..engine.units()).map(|unit| engine.unit(unit)).collect();
        let mut counts = vec![0; units.len()];
        let mut weights = HashMap::new();
        for solution in Solutions::new(size) {
            let mut sum = 0;
            for ((core, unit), count) in units.iter().zip(&mut counts) {
                let weight = weight(&engine.cores[*core], unit, &solution);
                assert!(weight == 0 || 8 % weight == 0, "N = {n}, {solution}: {weight}");
                *count += u128::from(weight);
                sum += weight;
            }
            weights.insert(solution, sum);
        }
        for solution in weights.keys() {
            assert_eq!(solution.images().iter().map(|image| weights[image]).sum::<u64>(), 8, "N = {n}, {solution}");
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
