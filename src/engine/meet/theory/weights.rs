//! Weights: how many solutions a pair of half-boards stands for. [The proof](super::super) says why.

/// What decides the weight of a pair.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Weights {
    /// Even N: the images of C, and which halves of the main diagonals are occupied.
    MainDiagonals,
    /// A queen in the centre: the images of C alone.
    Images,
    /// A cross: every solution stands for its eight images.
    Eight,
}

impl Weights {
    /// The weights of the pairs of a unit whose set C has the given number of different images, for two joins: of tops
    /// with bottoms, and of bottoms, in the place of tops, with tops.
    ///
    /// Where main diagonals matter, the first of both halves may occupy none, the near one, the far one, or both, in
    /// this order, and the second occupies none. Both joins are made. A pair that occupies none is found by both, and
    /// the first one counts it. Where they do not matter, either join counts all pairs.
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

    use super::super::core::{Core, Unit};
    use super::*;
    use crate::engine::meet::Meet;
    use crate::engine::rows::kernel::Kernel;
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
    fn main_diagonals(solution: &Solution) -> usize {
        let n = solution.columns().len();
        let top = solution.columns()[..n / 2].iter().map(|&column| usize::from(column)).enumerate();
        top.fold(0, |all, (row, column)| all | usize::from(row == column) | usize::from(row + column == n - 1) << 1)
    }

    /// The weight that a unit gives to a solution; 0 where the solution is none of its own.
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
        match [main_diagonals(solution), main_diagonals(&solution.image(Symmetry::HalfTurn))] {
            [0, 0] => down[0] + up[0],
            [top, 0] => down[top],
            [0, bottom] => up[bottom],
            _ => 0,
        }
    }

    fn check(n: u32) {
        let size = BoardSize::new(n).unwrap();
        let engine = Meet::new(size, Kernel::default(), Meet::MEMORY);
        let unit = |number| engine.unit(number);
        let units: Vec<(&Core, Unit)> =
            (0..engine.units()).map(unit).map(|(_, core, unit)| (&core.filing.core, unit)).collect();
        let mut counts = vec![0; units.len()];
        let mut weights = HashMap::new();
        for solution in Solutions::new(size) {
            let mut sum = 0;
            for ((core, unit), count) in units.iter().zip(&mut counts) {
                let weight = weight(core, unit, &solution);
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
