//! Cores and their units: the parts that the solutions of a board are divided into.
//!
//! The **core** is the queens that stand on the middle row and the middle column. Even boards have neither; their core
//! is empty. On odd boards it is one queen in the centre, or a **cross**: two queens, p squares beside the centre and q
//! squares above it.
//!
//! ```text
//!     . . . | . . .      N = 7, h = 3, p = 2, q = 1: rows 0 to 2 above, of which row h-q has its queen,
//!     . . . | . . .      and rows 4 to 6 below. The columns but for h-p and h are divided between them.
//!     . . . Q . . .
//!     - Q - + - - -
//!     . . . | . . .
//!     . . . | . . .
//!     . . . | . . .
//! ```
//!
//! A **unit** is a core and a set C of columns for the queens above the middle. Which cores and sets are counted for
//! the others is [the proof](super::super); here it becomes numbers.

use super::signature::Geometry;
use super::squares::Squares;
use super::weights::Weights;
use crate::engine::rows::theory::subsets::{binomial, unrank};

/// The queens of the middle row and column, and what follows from where they stand.
#[derive(Clone, Debug)]
pub struct Core {
    /// The measures of the board.
    pub geometry: Geometry,
    /// The near (left) and the far (right) quarter of the top half.
    pub top: [Squares; 2],
    /// The near and the far quarter of the bottom half, which has been turned by 180 degrees: the near one is what was
    /// the bottom right.
    pub bottom: [Squares; 2],
    /// For how much a pair of half-boards counts.
    pub weights: Weights,
    /// Odd N: the column of the queen in the middle row, and the row of the queen in the middle column.
    pub middle: Option<(u32, u32)>,
    /// The number of units of each tier.
    tiers: Vec<u64>,
}

/// A part of the solutions: which columns hold the queens of each quarter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Unit {
    /// The near and far columns of the top half, each counted from its border.
    pub top: [u32; 2],
    /// The near and far columns of the turned bottom half.
    pub bottom: [u32; 2],
    /// How many of the four sets C, its mirror image, its complement and the mirror image of that differ: 2 or 4. 1 for
    /// a cross, which does not use them.
    pub images: u32,
}

impl Core {
    /// The cores of the board with `n` rows that have units. These are, one core after another, the units of the
    /// engine: first the empty core or the queen in the centre, then the crosses by p, q, and near before far.
    pub fn all(n: u32) -> Vec<Self> {
        let geometry = Geometry::new(n);
        let mut cores = vec![Self::symmetric(geometry)];
        if geometry.is_odd() {
            let crosses = (1..=geometry.half).flat_map(|p| (1..p).map(move |q| (p, q)));
            let crosses = crosses.flat_map(|(p, q)| [false, true].map(|far| (p, q, far)));
            cores.extend(crosses.map(|(p, q, far)| Self::cross(geometry, p, q, far)));
        }
        cores
    }

    /// The empty core, or the queen in the centre: the mirror images leave them as they are.
    fn symmetric(geometry: Geometry) -> Self {
        let half = geometry.half;
        let all = (1 << half) - 1;
        let closed = if geometry.is_odd() { geometry.lines(half, half) } else { 0 };
        let squares = [false, true].map(|far| Squares { rows: all, columns: all, closed, far });
        // The pairs (a, d) of `Core::symmetric_unit`.
        let pairs = |k| {
            let sets = binomial(half, k);
            if 2 * k == half { sets / 2 * (sets / 2 + 1) } else { sets * (sets + 1) / 2 }
        };
        Self {
            geometry,
            top: squares,
            bottom: squares,
            weights: if geometry.is_odd() { Weights::Images } else { Weights::MainDiagonals },
            middle: geometry.is_odd().then_some((half, half)),
            tiers: (0..=half / 2).map(pairs).collect(),
        }
    }

    /// A queen in the middle row, `p` squares beside the centre, in its near half or in its `far` half; and one in the
    /// middle column, `q` squares above the centre.
    ///
    /// A near cross and the far one are mirror images, and so are their solutions. Each is counted on the side where
    /// fewer of the quarters' queens are near, which is never undecided:
    ///
    /// ```text
    ///                               top: near, far   turned bottom: near, far   near - far
    ///     near cross, k near on top      k, h-1-k             k+1, h-1-k         4k - 2h + 3
    ///     far cross, k near on top       k, h-1-k             k,   h-k           4k - 2h + 1
    /// ```
    fn cross(geometry: Geometry, p: u32, q: u32, far: bool) -> Self {
        let half = geometry.half;
        let all: u32 = (1 << half) - 1;
        let taken = 1 << (half - p);
        let column = if far { half + p } else { half - p };
        let closed = geometry.lines(column, column) | geometry.lines(half + q, half - q);
        let turned = geometry.turned_signature(closed);
        let [near_columns, far_columns] = if far { [all, all ^ taken] } else { [all ^ taken, all] };
        let rows = all ^ 1 << (half - q);
        let quarters = |rows, columns: [u32; 2], closed| {
            [false, true].map(|far| Squares { rows, columns: columns[usize::from(far)], closed, far })
        };
        // One tier for each k with near < far.
        let tiers = if far { half.div_ceil(2) } else { half / 2 };
        let sets = |k| binomial(near_columns.count_ones(), k) * binomial(far_columns.count_ones(), half - 1 - k);
        Self {
            geometry,
            top: quarters(rows, [near_columns, far_columns], closed),
            bottom: quarters(all, [far_columns, near_columns], turned),
            weights: Weights::Eight,
            middle: Some((column, half - q)),
            tiers: (0..tiers).map(sets).collect(),
        }
    }

    /// The number of units of each tier. Tier k has those with k queens in the near quarter of the top.
    pub fn tiers(&self) -> &[u64] {
        &self.tiers
    }

    /// The unit of a number below the sum of [`Core::tiers`]: they are numbered tier by tier.
    pub fn unit(&self, mut number: u64) -> Unit {
        let mut k = 0;
        while number >= self.tiers[k as usize] {
            number -= self.tiers[k as usize];
            k += 1;
        }
        if self.weights == Weights::Eight { self.cross_unit(k, number) } else { self.symmetric_unit(k, number) }
    }

    /// The unit of a number in tier `k` of a cross: the sets of near columns in their order, and for each all sets of
    /// far columns.
    fn cross_unit(&self, k: u32, number: u64) -> Unit {
        let [near, far] = self.top.map(|squares| squares.columns);
        let queens = self.top[0].rows.count_ones() - k;
        let fars = binomial(far.count_ones(), queens);
        let top = [unrank(number / fars, k, near), unrank(number % fars, queens, far)];
        Unit { top, bottom: [far ^ top[1], near ^ top[0]], images: 1 }
    }

    /// The unit of a number in tier `k` of the empty core or the queen in the centre.
    ///
    /// The top has a set A of k near columns, and all far columns but for a set D of k. The turned bottom has D near,
    /// and all far columns but for A. So C is a pair of k-sets, and so are its images, where ~ is the complement in a
    /// quarter:
    ///
    /// ```text
    ///     C                       (A, D)
    ///     its mirror image        (~D, ~A)
    ///     its complement          (~A, ~D)
    ///     the mirror of that      (D, A)
    /// ```
    ///
    /// Let a and d be the numbers of A and D among the S sets of k columns. Where 2k < h, only (A, D) and (D, A) are
    /// pairs of k-sets, and the one with a <= d is the unit. Where 2k = h, all four are. Complements reverse the order,
    /// so ~A has the number S-1-a, and the one with a <= d and a + d <= S-1 is the unit. Pairs go by a, then by d.
    fn symmetric_unit(&self, k: u32, mut number: u64) -> Unit {
        let all = self.top[0].columns;
        let sets = binomial(self.geometry.half, k);
        let middle = 2 * k == self.geometry.half;
        let length = |a: u64| if middle { sets - 2 * a } else { sets - a };
        let mut a = 0;
        while number >= length(a) {
            number -= length(a);
            a += 1;
        }
        let d = a + number;
        let images = if a == d || (middle && a + d == sets - 1) { 2 } else { 4 };
        let [a, d] = [a, d].map(|number| unrank(number, k, all));
        Unit { top: [a, all ^ d], bottom: [d, all ^ a], images }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    /// The number of units.
    fn number(core: &Core) -> u64 {
        core.tiers().iter().sum()
    }

    fn units(core: &Core) -> Vec<Unit> {
        (0..number(core)).map(|number| core.unit(number)).collect()
    }

    /// The columns of a half-board as columns of the board. A turned half-board comes out mirrored.
    fn columns(n: u32, [near, far]: [u32; 2]) -> u32 {
        near | mirrored(n, far)
    }

    fn mirrored(n: u32, columns: u32) -> u32 {
        (0..n).filter(|column| columns >> column & 1 == 1).fold(0, |set, column| set | 1 << (n - 1 - column))
    }

    /// The columns that are divided between top and bottom.
    fn divided(n: u32, core: &Core) -> u32 {
        let all = ((1u64 << n) - 1) as u32;
        core.middle.map_or(all, |(column, _)| all & !(1 << column | 1 << (n / 2)))
    }

    fn subsets(n: u32, of: u32, k: u32) -> HashSet<u32> {
        (0..1u32 << n).filter(|set| set & !of == 0 && set.count_ones() == k).collect()
    }

    #[test]
    fn the_bottom_has_the_columns_that_the_top_has_not() {
        for n in 4..=14 {
            for core in Core::all(n) {
                for unit in units(&core) {
                    let (top, bottom) = (columns(n, unit.top), mirrored(n, columns(n, unit.bottom)));
                    assert_eq!((top & bottom, top | bottom), (0, divided(n, &core)), "N = {n}, {unit:?}");
                    for (half, quarters) in [(unit.top, core.top), (unit.bottom, core.bottom)] {
                        assert!(half.iter().zip(&quarters).all(|(set, squares)| set & !squares.columns == 0));
                        assert_eq!(half[0].count_ones() + half[1].count_ones(), quarters[0].rows.count_ones());
                    }
                }
            }
        }
    }

    #[test]
    fn the_images_of_units_are_all_column_sets_once() {
        for n in 4..=13 {
            let core = &Core::all(n)[0];
            let all = divided(n, core);
            let mut seen = HashSet::new();
            for unit in units(core) {
                let top = columns(n, unit.top);
                let images = HashSet::from([top, mirrored(n, top), all ^ top, mirrored(n, all ^ top)]);
                assert_eq!(images.len(), unit.images as usize, "N = {n}, {unit:?}");
                for image in images {
                    assert!(seen.insert(image), "N = {n}: {image:b} is the image of two units");
                }
            }
            assert_eq!(seen, subsets(n, all, n / 2), "N = {n}");
        }
    }

    #[test]
    fn the_units_of_a_cross_and_of_its_mirror_image_are_all_column_sets_once() {
        for n in [5, 7, 9, 11, 13] {
            let half = n / 2;
            let crosses = &Core::all(n)[1..];
            assert_eq!(crosses.len() as u32, half * (half - 1));
            let mut places = HashSet::new();
            for pair in crosses.chunks(2) {
                let [(column, row), (far, far_row)] = [&pair[0], &pair[1]].map(|core| core.middle.unwrap());
                assert_eq!((far, far_row), (n - 1 - column, row));
                let (p, q) = (half - column, half - row);
                assert!(0 < q && q < p && p <= half && places.insert((p, q)), "N = {n}, p = {p}, q = {q}");
                let mut seen = HashSet::new();
                let near = units(&pair[0]).into_iter().map(|unit| columns(n, unit.top));
                let far = units(&pair[1]).into_iter().map(|unit| mirrored(n, columns(n, unit.top)));
                for top in near.chain(far) {
                    assert!(seen.insert(top), "N = {n}, p = {p}, q = {q}: {top:b} twice");
                }
                assert_eq!(seen, subsets(n, divided(n, &pair[0]), half - 1), "N = {n}, p = {p}, q = {q}");
            }
        }
    }

    #[test]
    fn of_both_mirror_images_of_a_cross_that_with_fewer_near_queens_is_a_unit() {
        for n in [5, 7, 9, 11, 13, 15] {
            for core in &Core::all(n)[1..] {
                for unit in units(core) {
                    let [near, far] = [0, 1].map(|side| unit.top[side].count_ones() + unit.bottom[side].count_ones());
                    assert!(near <= far, "N = {n}, {unit:?}");
                }
            }
        }
    }

    #[test]
    fn the_units_of_every_board_are_as_many_as_they_should() {
        for n in 4..=32 {
            let cores = Core::all(n);
            let half = n / 2;
            // Burnside's lemma for mirror image and complement: fixed are the sets that are their mirror images, and
            // those that are the complements of theirs.
            let fixed = if half % 2 == 0 { binomial(half, half / 2) } else { 0 };
            let orbits = (binomial(2 * half, half) + fixed + (1 << half)) / 4;
            assert_eq!(number(&cores[0]), orbits, "N = {n}");
            for pair in cores[1..].chunks(2) {
                assert_eq!(number(&pair[0]) + number(&pair[1]), binomial(2 * half - 1, half - 1), "N = {n}");
            }
        }
    }
}
