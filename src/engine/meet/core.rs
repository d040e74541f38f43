//! Cores and units: how a board is divided, and for how much a part of it counts.
//!
//! **Even N.** The cut runs between the middle rows. A unit is a set C of columns for the top half, and the solutions
//! are divided by where their top half stands. The eight symmetries of the square are used up as follows (proofs in the
//! last paragraph):
//!
//! - C, its left-right mirror image, its complement and the mirror image of that have counts that are equal or can be
//!   had together, so one of the four makes a unit;
//! - the transpositions: only bottoms that occupy neither main diagonal are joined, and a top counts two for each main
//!   diagonal that it occupies.
//!
//! **Odd N.** There is a middle row and a middle column, and their queens form the **core**. Either one queen stands in
//! the centre, or one stands p squares beside it in the middle row and one q squares above or below it in the middle
//! column, and p differs from q, or they would share a diagonal:
//!
//! ```text
//!     . . . | . . .      N = 7, h = 3, p = 2, q = 1: rows 0 to 2 above, of which row h-q has its queen,
//!     . . . | . . .      and rows 4 to 6 below; the columns but for h-p and h are divided between them.
//!     . . . Q . . .
//!     - Q - + - - -      The eight images of such a solution have cores (+-p, +-q) and (+-q, +-p), so those
//!     . . . | . . .      with p > q, to the left and above, are counted, for eight each. A queen in the centre
//!     . . . | . . .      stays there: then C, its images and complements are four at a time, as for even N.
//!     . . . | . . .
//! ```
//!
//! A bottom half is turned by 180 degrees to look like a top half, so that there is only one kind of half-board. The
//! quarter at its near side is then what was the bottom right.
//!
//! **Proofs.** Let M be the left-right mirror, F the top-bottom one, and a solution's C the columns of its top queens.
//! M maps C to its mirror image, F to its complement. For even N, each main diagonal has an upper and a lower half; the
//! transposition across one main diagonal keeps that diagonal and exchanges the halves of the other. So as many
//! solutions have their queen of a main diagonal in its upper half as in its lower, independently for both: counting
//! solutions with empty lower halves for 2 to the number of occupied upper halves counts all. M maps this weighted set
//! to itself, so mirror images have equal counts; F maps to itself only its part with both diagonals empty, which can
//! so be counted once for C and its complement.

use std::collections::HashMap;
use std::sync::Arc;

use super::combinations::{binomial, rank, unrank};
use super::format::{Format, Layout};
use super::join::Join;
use super::order::Orders;
use super::quarter::Squares;
use super::signature::Geometry;

/// The queens of the middle row and column, for odd N, and all that follows from where they stand.
#[derive(Clone, Debug)]
pub struct Core {
    /// The quarters of the top half, and of the turned bottom half: near and far.
    pub top: [Squares; 2],
    pub bottom: [Squares; 2],
    /// The formats of the top and of the turned bottom half.
    pub formats: [Format; 2],
    /// The numbers of sets of rows of the top and of the turned bottom, by mask.
    pub runs: [Arc<[u32]>; 2],
    /// How the top is joined with the bottom, and the bottom with the top.
    pub joins: [Join; 2],
    pub weights: Weights,
    /// Odd N: the column of the queen in the middle row, and the row of the queen in the middle column.
    pub middle: Option<(u32, u32)>,
    /// The number of units with 0, 1, ... near columns on top.
    blocks: Vec<u64>,
}

/// For how much a pair counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Weights {
    /// Even N, no core: by the main diagonals that the top occupies.
    MainDiagonals,
    /// A queen in the centre: the number of images of C.
    Images,
    /// A core that has eight images.
    Eight,
}

/// A part of the solutions: which columns hold the queens of each quarter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Unit {
    /// The near and far columns of the top half.
    pub top: [u32; 2],
    /// The near and far columns of the turned bottom half.
    pub bottom: [u32; 2],
    /// How many of the sets C, its mirror image, its complement and their image differ: 2 or 4. 1 where they are not
    /// used.
    pub images: u32,
}

impl Core {
    /// The cores of a board. Their units, one after the other, are the units of the engine.
    pub fn all(n: u32, tuning: Tuning) -> Vec<Self> {
        let geometry = Geometry::new(n);
        let mut common = Common::default();
        let mut cores = vec![Self::symmetric(geometry, tuning, &mut common)];
        if geometry.is_odd() {
            let crosses = (1..=geometry.half).flat_map(|p| (1..p).map(move |q| (p, q)));
            let crosses = crosses.flat_map(|(p, q)| [false, true].map(|far| (p, q, far)));
            cores.extend(crosses.map(|(p, q, far)| Self::cross(geometry, tuning, p, q, far, &mut common)));
        }
        cores
    }

    /// Even N, or the queen in the centre.
    fn symmetric(geometry: Geometry, tuning: Tuning, common: &mut Common) -> Self {
        let half = geometry.half;
        let all = (1 << half) - 1;
        let closed = if geometry.is_odd() { geometry.lines(half, half) } else { 0 };
        let squares = [false, true].map(|far| Squares { rows: all, columns: all, closed, far });
        let runs = common.runs(all);
        let marks = if geometry.is_odd() { 0 } else { geometry.lines(half - 1, half - 1) };
        let format = Format::new(geometry, squares, squares, marks, tuning);
        let join = Join::new(geometry, &format, &format, marks != 0, tuning, &mut common.orders);
        let blocks = (0..=half / 2).map(|k| {
            let sets = binomial(half, k);
            if 2 * k == half { sets / 2 * (sets / 2 + 1) } else { sets * (sets + 1) / 2 }
        });
        Self {
            top: squares,
            bottom: squares,
            formats: [format.clone(), format],
            runs: [runs.clone(), runs],
            joins: [join.clone(), join],
            weights: if geometry.is_odd() { Weights::Images } else { Weights::MainDiagonals },
            middle: geometry.is_odd().then_some((half, half)),
            blocks: blocks.collect(),
        }
    }

    /// Odd N: a queen in the middle row, `p` squares from the centre, in its near half or in its `far` half; and one in
    /// the middle column, `q` squares above the centre. Of the units of both, those with fewer queens on the near
    /// side.
    fn cross(geometry: Geometry, tuning: Tuning, p: u32, q: u32, far: bool, common: &mut Common) -> Self {
        let half = geometry.half;
        let all = (1 << half) - 1;
        let taken = 1 << (half - p);
        let column = if far { half + p } else { half - p };
        let closed = geometry.lines(column, column) | geometry.lines(half + q, half - q);
        let squares = |rows, columns, closed, far| Squares { rows, columns, closed, far };
        let columns = [if far { all } else { all ^ taken }, if far { all ^ taken } else { all }];
        let rows = all ^ 1 << (half - q);
        let turned = geometry.turned_signature(closed);
        let top = [squares(rows, columns[0], closed, false), squares(rows, columns[1], closed, true)];
        let bottom = [squares(all, columns[1], turned, false), squares(all, columns[0], turned, true)];
        let formats = [Format::new(geometry, top, bottom, 0, tuning), Format::new(geometry, bottom, top, 0, tuning)];
        let joins = [
            Join::new(geometry, &formats[0], &formats[1], false, tuning, &mut common.orders),
            Join::new(geometry, &formats[1], &formats[0], false, tuning, &mut common.orders),
        ];
        // With k near queens on top there are as many, or one more, at the near side of the turned bottom; of both
        // mirror images, that with fewer near queens is taken. Near k and k + 1 against k' = h-1-k both times.
        let last = (2 * half).saturating_sub(3) / 4;
        let count = if far { half - 1 - last } else { last + 1 };
        let blocks =
            (0..count).map(|k| binomial(columns[0].count_ones(), k) * binomial(columns[1].count_ones(), half - 1 - k));
        let runs = [common.runs(rows), common.runs(all)];
        let middle = Some((column, half - q));
        Self { top, bottom, formats, runs, joins, weights: Weights::Eight, middle, blocks: blocks.collect() }
    }

    /// The number of units.
    pub fn units(&self) -> u64 {
        self.blocks.iter().sum()
    }

    /// The numbers of units with 0, 1, ... queens in the near quarter of the top.
    pub fn blocks(&self) -> &[u64] {
        &self.blocks
    }

    /// The unit of a number below [`Core::units`].
    pub fn unit(&self, mut number: u64) -> Unit {
        let mut k = 0;
        while number >= self.blocks[k as usize] {
            number -= self.blocks[k as usize];
            k += 1;
        }
        let [near, far] = self.top.map(|squares| squares.columns);
        if self.weights == Weights::Eight {
            let queens = self.top[0].rows.count_ones() - k;
            let fars = binomial(far.count_ones(), queens);
            let top = [unrank(number / fars, k, near), unrank(number % fars, queens, far)];
            return Unit { top, bottom: [far ^ top[1], near ^ top[0]], images: 1 };
        }
        // C is a set `a` of k near columns and the far columns outside of a set `d` of k; the complement is d (turned
        // to the near side) and the near columns outside of a. Turning exchanges a and d, mirroring (a, d) for
        // complements, which have k near columns if k is half of them. So a <= d, and there a's number and d's
        // pass together at most the last.
        let sets = binomial(near.count_ones(), k);
        let middle = 2 * k == near.count_ones();
        let mut a = 0;
        let length = |a: u64| if middle { sets - 2 * a } else { sets - a };
        while number >= length(a) {
            number -= length(a);
            a += 1;
        }
        let d = a + number;
        let images = if a == d || (middle && a + d == sets - 1) { 2 } else { 4 };
        let [a, d] = [a, d].map(|number| unrank(number, k, near));
        Unit { top: [a, near ^ d], bottom: [d, near ^ a], images }
    }
}

/// The tables that cores of a board have in common.
#[derive(Default)]
struct Common {
    runs: HashMap<u32, Arc<[u32]>>,
    orders: Orders,
}

impl Common {
    /// The numbers of the subsets of `rows`, by mask.
    fn runs(&mut self, rows: u32) -> Arc<[u32]> {
        let number = |subset| if subset & !rows == 0 { rank(subset, rows) } else { 0 };
        self.runs.entry(rows).or_insert_with(|| (0..=rows).map(number).collect()).clone()
    }
}

/// The sizes that are chosen by measurement.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Tuning {
    /// How many diagonals the class should have at least that the near and the far quarter decide, main diagonals not
    /// counted; by what conflicts with as many, bottoms are sorted: 13 at most.
    pub classes: [u32; 2],
    /// How chunks lie in words.
    pub layout: Layout,
    /// By how many of them tops are joined group by group.
    pub grouped: [u32; 2],
}

impl Tuning {
    /// The sizes for the board with `n` rows, measured with `queencount count N -t 1`, `queencount run N --shard K/M -t
    /// 1` and, from N = 25 on, `queencount estimate N --sample 12 -t 1`. Diagonals of the class save pairs where lists
    /// fill many blocks. The far quarter's cost more, for they make the runs short of which half-boards are made: with
    /// two of them N = 18 takes 1.5 times as long. So does N = 20 where both quarters have five queens, but not where
    /// the far one has more: with six and none it takes 0.86 of the time there and 1.2 times as long elsewhere. N = 24
    /// takes 2.2 times as long with five and three, sorted by four and four.
    pub fn of(n: u32) -> Self {
        let layout = match n {
            5 | 7 | 9 | 11 | 13 | 15 | 17 | 19 => Layout::Five,
            ..=25 | 27 => Layout::Four,
            26 | 28..=29 => Layout::Wide(5),
            _ => Layout::Wide(6),
        };
        let (classes, grouped) = match n {
            ..=17 | 19 | 21 => ([0, 0], [0, 0]),
            18 => ([4, 0], [0, 0]),
            20 => ([4, 2], [1, 1]),
            22 => ([7, 3], [2, 2]),
            23 | 25 | 27 => ([7, 0], [2, 0]),
            _ => ([8, 5], [3, 2]),
        };
        Self { classes, layout, grouped }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    fn cores(n: u32) -> Vec<Core> {
        Core::all(n, Tuning::of(n))
    }

    fn units(core: &Core) -> Vec<Unit> {
        (0..core.units()).map(|number| core.unit(number)).collect()
    }

    /// The columns of a half, of the board; those of a turned one come out mirrored.
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
            for core in cores(n) {
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
            let core = &cores(n)[0];
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
            let crosses = &cores(n)[1..];
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
            for core in &cores(n)[1..] {
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
            let cores = cores(n);
            let half = n / 2;
            // Burnside's lemma for mirror image and complement: fixed are the sets that are their mirror images, and
            // those that are the complements of theirs.
            let fixed = if half % 2 == 0 { binomial(half, half / 2) } else { 0 };
            let orbits = (binomial(2 * half, half) + fixed + (1 << half)) / 4;
            assert_eq!(cores[0].units(), orbits, "N = {n}");
            for pair in cores[1..].chunks(2) {
                assert_eq!(pair[0].units() + pair[1].units(), binomial(2 * half - 1, half - 1), "N = {n}");
            }
        }
    }
}
