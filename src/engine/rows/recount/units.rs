//! What a unit is, by the text of [the proof](super::super), and by nothing else.
//!
//! The engine computes the tile of a unit and the column sets of a tile. Here they are listed, as sections 4 and 8 say:
//! all leads, all tiles of a core, all column sets of a tile. A column set is counted for its images if it is the least
//! of them, and that is asked of each column set.

use std::ops::Range;

/// A row and the column of her queen.
type RowColumn = (u32, u32);

/// The units of a board.
pub struct Listing {
    n: u32,
    middle_rows: u32,
    /// The sets of columns of a quarter, by size: each size in the order of masks.
    sets: Vec<Vec<u32>>,
    leads: Vec<Beginning>,
    /// The tiles of a core, by what the symmetries keep.
    tiles: [Vec<Patch>; 3],
    tile_side: usize,
}

/// The queens of a core on which symmetry depends.
struct Beginning {
    queens: Vec<RowColumn>,
    keeps: Keeps,
    /// How many of the images of these queens differ.
    images: u64,
}

/// Which of mirror and flip keep the queens of the core, so that they act on its column sets instead.
#[derive(Clone, Copy)]
enum Keeps {
    Neither,
    Flip,
    Both,
}

/// A tile: some neighbouring sets of columns a of a size, and some of d, by their numbers.
struct Patch {
    size: usize,
    a: Range<usize>,
    d: Range<usize>,
}

/// A part of a unit: a column set of a core, and for how much it counts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Part {
    /// The number of rows of the board.
    pub n: u32,
    /// The queens of the core.
    pub core: Vec<RowColumn>,
    /// The left columns of the top and the right columns of the bottom, as indices from the border.
    pub sets: [u32; 2],
    /// The columns of the top and of the bottom, as bits.
    pub columns: [u64; 2],
    /// How many of the images of the core differ, and how many of those of the column set beside it.
    pub images: [u64; 2],
}

/// Whether queens on two squares attack each other.
pub fn attack((row, column): RowColumn, (other_row, other_column): RowColumn) -> bool {
    let (rows, columns) = (row.abs_diff(other_row), column.abs_diff(other_column));
    rows == 0 || columns == 0 || rows == columns
}

impl Listing {
    /// The units of a board whose `middle_rows` are placed first, in tiles of so many sets of columns on a side.
    pub fn new(n: u32, middle_rows: u32, tile_side: u32) -> Self {
        let half = (n - middle_rows) / 2;
        let of_size = |size: u32| (0..1u32 << half).filter(|set| set.count_ones() == size).collect();
        let sets: Vec<Vec<u32>> = (0..=half).map(of_size).collect();
        let (leads, tiles, tile_side) = (leads(n, middle_rows), Default::default(), tile_side as usize);
        let mut listing = Self { n, middle_rows, sets, leads, tiles, tile_side };
        for keeps in [Keeps::Neither, Keeps::Flip, Keeps::Both] {
            if listing.leads.iter().any(|lead| lead.keeps as usize == keeps as usize) {
                listing.tiles[keeps as usize] = listing.tiles(keeps);
            }
        }
        listing
    }

    /// The parts of a unit, in their order; none if its queens attack each other.
    ///
    /// # Panics
    /// When there is no such unit.
    pub fn parts(&self, unit: u64) -> Vec<Part> {
        let mut left = unit;
        for lead in &self.leads {
            let tiles = &self.tiles[lead.keeps as usize];
            let units = self.orders(lead) * tiles.len() as u64;
            if left < units {
                let Some(core) = self.core(lead, left / tiles.len() as u64) else { return Vec::new() };
                return self.parts_of(lead, &core, &tiles[(left % tiles.len() as u64) as usize]);
            }
            left -= units;
        }
        panic!("no such unit: {unit}")
    }

    /// In how many orders the queens of the other middle rows take the columns that are left.
    fn orders(&self, lead: &Beginning) -> u64 {
        let columns = self.n - self.middle_rows + 1..=self.n - lead.queens.len() as u32;
        columns.map(u64::from).product()
    }

    /// The core with a lead and an order of the other queens. From the upper row to the lower one, a queen takes one of
    /// the columns that are left: the remainder of the order says which, and what is left of the order goes on to the next
    /// row. `None` if two queens attack each other.
    fn core(&self, lead: &Beginning, mut order: u64) -> Option<Vec<RowColumn>> {
        let mut core = lead.queens.clone();
        let first = (self.n - self.middle_rows) / 2;
        for row in first..first + self.middle_rows {
            if core.iter().all(|queen| queen.0 != row) {
                let left: Vec<u32> = (0..self.n).filter(|column| core.iter().all(|queen| queen.1 != *column)).collect();
                core.push((row, left[(order % left.len() as u64) as usize]));
                order /= left.len() as u64;
            }
        }
        core.sort_unstable();
        let peaceful = |at: usize| core[..at].iter().all(|&above| !attack(above, core[at]));
        (0..core.len()).all(peaceful).then_some(core)
    }

    /// The parts of a tile, quarter by quarter.
    fn parts_of(&self, lead: &Beginning, core: &[RowColumn], tile: &Patch) -> Vec<Part> {
        let places = by_quarters(self.tile_side.next_power_of_two());
        let inside = places.into_iter().filter(|(a, d)| *a < tile.a.len() && *d < tile.d.len());
        let sets = inside.map(|(a, d)| {
            let sets = &self.sets[tile.size];
            [sets[tile.a.start + a], sets[tile.d.start + d]]
        });
        let part = |sets: [u32; 2]| {
            let images = self.counted_for(lead.keeps, sets);
            (images > 0).then(|| Part {
                n: self.n,
                core: core.to_vec(),
                sets,
                columns: self.columns(core, sets),
                images: [lead.images, images],
            })
        };
        sets.filter_map(part).collect()
    }

    /// The columns of the top and of the bottom.
    fn columns(&self, core: &[RowColumn], [a, d]: [u32; 2]) -> [u64; 2] {
        let free: Vec<u32> = (0..self.n).filter(|column| core.iter().all(|queen| queen.1 != *column)).collect();
        let half = free.len() / 2;
        let on_top = |index: usize| match index < half {
            true => a >> index & 1 == 1,
            false => d >> (free.len() - 1 - index) & 1 == 0,
        };
        let columns = |top: bool| {
            let chosen = (0..free.len()).filter(|&index| on_top(index) == top);
            chosen.fold(0, |all, index| all | 1 << free[index])
        };
        [columns(true), columns(false)]
    }

    /// The tiles that have a column set which is counted.
    fn tiles(&self, keeps: Keeps) -> Vec<Patch> {
        let mut tiles = Vec::new();
        for (size, sets) in self.sets.iter().enumerate() {
            let cut = |start: usize| start..sets.len().min(start + self.tile_side);
            let cuts = (0..sets.len()).step_by(self.tile_side).map(cut);
            for a in cuts.clone() {
                for d in cuts.clone() {
                    let counted = |a: usize| d.clone().any(|d| self.counted_for(keeps, [sets[a], sets[d]]) > 0);
                    if a.clone().any(counted) {
                        tiles.push(Patch { size, a: a.clone(), d });
                    }
                }
            }
        }
        tiles
    }

    /// For how many images a column set is counted: the different ones if it is the least of them, otherwise none.
    fn counted_for(&self, keeps: Keeps, [a, d]: [u32; 2]) -> u64 {
        let not = |set: u32| (1 << (self.sets.len() - 1)) - 1 - set;
        let images = match keeps {
            Keeps::Neither => vec![[a, d]],
            Keeps::Flip => vec![[a, d], [not(a), not(d)]],
            Keeps::Both => vec![[a, d], [not(a), not(d)], [not(d), not(a)], [d, a]],
        };
        let order = |[a, d]: [u32; 2]| (a.count_ones(), a, d);
        if images.iter().any(|&image| order(image) < order([a, d])) { 0 } else { different(images) }
    }
}

/// The leads of a board, in their order.
fn leads(n: u32, middle_rows: u32) -> Vec<Beginning> {
    let middle = n / 2;
    if middle_rows == 0 {
        return vec![Beginning { queens: Vec::new(), keeps: Keeps::Both, images: 1 }];
    }
    if middle_rows == 1 {
        let lead = |column: u32| match column == middle {
            true => Beginning { queens: vec![(middle, column)], keeps: Keeps::Both, images: 1 },
            false => Beginning { queens: vec![(middle, column)], keeps: Keeps::Flip, images: 2 },
        };
        return (0..=middle).rev().filter(|column| column + 1 != middle).map(lead).collect();
    }
    let rows = if n.is_multiple_of(2) { [middle - 1, middle] } else { [middle - 1, middle + 1] };
    let mut leads = Vec::new();
    for (a, b) in (0..n).flat_map(|a| (0..n).map(move |b| (a, b))) {
        let images = vec![(a, b), (n - 1 - a, n - 1 - b), (b, a), (n - 1 - b, n - 1 - a)];
        let [upper, lower] = [(rows[0], a), (rows[1], b)];
        if images.iter().any(|&image| image < (a, b)) || attack(upper, lower) {
            continue;
        }
        let images = different(images);
        if n.is_multiple_of(2) {
            leads.push(Beginning { queens: vec![upper, lower], keeps: Keeps::Neither, images });
            continue;
        }
        for queen in (0..n).map(|column| (middle, column)) {
            let beside_the_centre = queen.1.abs_diff(middle) == 1;
            if !beside_the_centre && !attack(upper, queen) && !attack(lower, queen) {
                leads.push(Beginning { queens: vec![upper, queen, lower], keeps: Keeps::Neither, images });
            }
        }
    }
    leads
}

/// How many things differ.
fn different<T: Ord>(mut things: Vec<T>) -> u64 {
    things.sort_unstable();
    things.dedup();
    things.len() as u64
}

/// The places of a square, its upper left quarter first, then the upper right one, the lower left and the lower right
/// one; and so within each quarter.
fn by_quarters(side: usize) -> Vec<(usize, usize)> {
    if side == 1 {
        return vec![(0, 0)];
    }
    let half = side / 2;
    let quarters = [(0, 0), (0, half), (half, 0), (half, half)];
    let within = |(row, column)| by_quarters(half).into_iter().map(move |(r, c)| (row + r, column + c));
    quarters.into_iter().flat_map(within).collect()
}

#[cfg(test)]
pub mod tests {
    use std::collections::HashSet;

    use super::*;
    use crate::engine::rows::Rows;
    use crate::engine::rows::kernel::Kernel;
    use crate::random::Random;
    use crate::{BoardSize, Solution};

    impl Listing {
        /// The number of units.
        pub fn units(&self) -> u64 {
            self.leads.iter().map(|lead| self.units_of(lead)).sum()
        }

        /// The units behind the last of each lead.
        pub fn ends_of_leads(&self) -> Vec<u64> {
            let behind = self.leads.iter().scan(0, |end, lead| {
                *end += self.units_of(lead);
                Some(*end)
            });
            behind.collect()
        }

        fn units_of(&self, lead: &Beginning) -> u64 {
            self.orders(lead) * self.tiles[lead.keeps as usize].len() as u64
        }

        /// The units of a core; none if the core is counted for another one.
        pub fn units_of_core(&self, core: &[RowColumn]) -> Range<u64> {
            let mut start = 0;
            for lead in &self.leads {
                if lead.queens.iter().all(|queen| core.contains(queen)) {
                    let (mut taken, mut order, mut orders) = (lead.queens.clone(), 0, 1);
                    for &queen in core.iter().filter(|queen| !lead.queens.contains(queen)) {
                        let left = |column: &u32| taken.iter().all(|queen| queen.1 != *column);
                        order += orders * (0..queen.1).filter(left).count() as u64;
                        orders *= (0..self.n).filter(left).count() as u64;
                        taken.push(queen);
                    }
                    let tiles = self.tiles[lead.keeps as usize].len() as u64;
                    return start + order * tiles..start + (order + 1) * tiles;
                }
                start += self.units_of(lead);
            }
            0..0
        }

        /// The unit that has a solution, and the part of it; `None` if the solution is counted for by others.
        pub fn holder(&self, queens: &[RowColumn]) -> Option<(u64, Part)> {
            let half = self.sets.len() - 1;
            let units = self.units_of_core(&queens[half..queens.len() - half]);
            let top = queens[..half].iter().fold(0, |top, queen| top | 1 << queen.1);
            // Which of its sets are those of the solution is seen from any part of the core.
            let left_over: Vec<u32> =
                (0..self.n).filter(|column| queens[half..queens.len() - half].iter().all(|q| q.1 != *column)).collect();
            let on_top = |column: &u32| top >> column & 1 == 1;
            let (left, right) = left_over.split_at(half);
            let a = (0..half).filter(|&i| on_top(&left[i])).fold(0, |a, i| a | 1 << i);
            let d = (0..half).filter(|&i| !on_top(&right[half - 1 - i])).fold(0, |d, i| d | 1 << i);
            let has = |sets: &Vec<u32>, numbers: &Range<usize>, set: u32| sets[numbers.clone()].contains(&set);
            let tiles = self.tiles.iter().find(|tiles| tiles.len() as u64 == units.end - units.start)?;
            let tile = tiles.iter().position(|tile| {
                let sets = &self.sets[tile.size];
                has(sets, &tile.a, a) && has(sets, &tile.d, d)
            });
            let unit = units.start + tile? as u64;
            let part = self.parts(unit).into_iter().find(|part| part.columns[0] == top)?;
            Some((unit, part))
        }
    }

    impl Part {
        /// The classes of the halves of a solution.
        pub fn classes(&self, queens: &[RowColumn]) -> [usize; 2] {
            let half = (queens.len() - self.core.len()) / 2;
            [self.class(&queens[..half]), self.class(&queens[queens.len() - half..])]
        }

        /// For how much a pair of half-boards of these classes counts.
        pub fn whole_weight(&self, [top, bottom]: [usize; 2]) -> u64 {
            let [of_core, of_columns] = self.images;
            of_core * of_columns * self.weight(top, bottom)
        }
    }

    /// The boards up to N = `largest` with every number of middle rows that can be placed in at most so many ways.
    pub fn boards(largest: u32, placements: u64) -> impl Iterator<Item = (u32, u32)> {
        let all = (4..=largest).flat_map(|n| (n % 2..n - 1).step_by(2).map(move |middle_rows| (n, middle_rows)));
        let ways = |n: u32, middle_rows: u32| (0..middle_rows).map(|row| u64::from(n - row)).product::<u64>();
        all.filter(move |&(n, middle_rows)| ways(n, middle_rows) <= placements)
    }

    /// The listing of the plan of a board.
    pub fn planned(n: u32) -> Listing {
        let plan = Rows::new(BoardSize::new(n).unwrap(), Kernel::default(), Rows::MEMORY);
        Listing::new(n, Rows::middle_rows(n), plan.numbering.tile_side)
    }

    #[test]
    fn every_column_set_of_a_core_is_in_one_tile_and_images_make_up_for_those_that_are_not_counted() {
        let plans = (4..=32).map(planned);
        let others = [(8, 0, 3), (9, 1, 5), (24, 2, 32), (25, 1, 32), (24, 0, 32), (21, 1, 7)];
        let mut done = HashSet::new();
        for listing in plans.chain(others.map(|(n, middle_rows, side)| Listing::new(n, middle_rows, side))) {
            let half = listing.sets.len() - 1;
            for (keeps, tiles) in [Keeps::Neither, Keeps::Flip, Keeps::Both].into_iter().zip(&listing.tiles) {
                // Plans with quarters of as many rows have the same tiles.
                if tiles.is_empty() || !done.insert((half, listing.tile_side, keeps as usize)) {
                    continue;
                }
                let (mut seen, mut images) = (vec![false; 1 << (2 * half)], 0);
                for tile in tiles {
                    let sets = &listing.sets[tile.size];
                    assert!(tile.a.len() <= listing.tile_side && tile.d.len() <= listing.tile_side);
                    for &a in &sets[tile.a.clone()] {
                        for &d in &sets[tile.d.clone()] {
                            let seen = &mut seen[(a << half | d) as usize];
                            assert!(!*seen && a.count_ones() == d.count_ones(), "N = {}: {a:b}, {d:b}", listing.n);
                            *seen = true;
                            images += listing.counted_for(keeps, [a, d]);
                        }
                    }
                }
                // C(2h, h), one factor after the other.
                let all = (1..=half as u64).fold(1, |all, i| all * (half as u64 + i) / i);
                assert_eq!(images, all, "N = {}", listing.n);
            }
        }
    }

    #[test]
    fn places_of_a_square_come_quarter_by_quarter() {
        assert_eq!(by_quarters(2), [(0, 0), (0, 1), (1, 0), (1, 1)]);
        for side in [1, 4, 16, 32] {
            let places = by_quarters(side);
            assert_eq!(places.len(), side * side);
            assert_eq!(places.iter().collect::<HashSet<_>>().len(), side * side);
            assert!(places.iter().all(|&(row, column)| row < side && column < side));
            // A quarter of them are in each quarter, whatever its size.
            for (number, quarter) in places.chunks((side * side / 4).max(1)).enumerate().filter(|_| side > 1) {
                let corner = (number / 2 * side / 2, number % 2 * side / 2);
                assert_eq!(quarter[0], corner);
                assert!(quarter.iter().all(|&(row, column)| row - corner.0 < side / 2 && column - corner.1 < side / 2));
            }
        }
    }

    #[test]
    fn every_core_has_one_number_and_images_make_up_for_those_that_have_none() {
        for (n, middle_rows) in boards(11, 1 << 17).filter(|(_, middle_rows)| *middle_rows > 0) {
            let listing = Listing::new(n, middle_rows, 16);
            let (mut seen, mut counted) = (HashSet::new(), 0);
            for lead in &listing.leads {
                for core in (0..listing.orders(lead)).filter_map(|order| listing.core(lead, order)) {
                    assert!(seen.insert(core), "N = {n}, {middle_rows} middle rows");
                    counted += lead.images;
                }
            }
            // The queens of the middle row of an odd board beside the centre have no solution of their own to count.
            let rows = (n - middle_rows) / 2..(n + middle_rows) / 2;
            let mut cores: Vec<Vec<RowColumn>> = vec![vec![]];
            for row in rows {
                let with = |core: &Vec<RowColumn>| {
                    let free = (0..n).filter(|&column| {
                        let beside_the_centre = n % 2 == 1 && row == n / 2 && column.abs_diff(n / 2) == 1;
                        !beside_the_centre && core.iter().all(|&queen| !attack(queen, (row, column)))
                    });
                    free.map(|column| [core.as_slice(), &[(row, column)]].concat()).collect::<Vec<_>>()
                };
                cores = cores.iter().flat_map(with).collect();
            }
            assert_eq!(counted, cores.len() as u64, "N = {n}, {middle_rows} middle rows");
            for core in &cores {
                let units = listing.units_of_core(core);
                assert_eq!(units.is_empty(), !seen.contains(core), "{core:?}");
            }
        }
    }

    /// A random solution: rows whose queens attack each other exchange their columns until none does (least conflicts).
    pub fn random_solution(n: u32, random: &mut Random) -> Solution {
        loop {
            let mut columns: Vec<u32> = (0..n).collect();
            for row in (1..n as usize).rev() {
                columns.swap(row, random.below(row as u64 + 1) as usize);
            }
            let attacks = |columns: &[u32], row: usize| {
                let attacked = |other: &usize| row.abs_diff(*other) as u32 == columns[row].abs_diff(columns[*other]);
                (0..columns.len()).filter(|other| *other != row).filter(attacked).count()
            };
            for _ in 0..200 {
                let restless: Vec<usize> = (0..n as usize).filter(|&row| attacks(&columns, row) > 0).collect();
                if restless.is_empty() {
                    let columns: Vec<u8> = columns.iter().map(|&column| column as u8).collect();
                    return Solution::new(&columns).expect("no two queens attack each other");
                }
                let row = restless[random.below(restless.len() as u64) as usize];
                let with = |other: usize| {
                    let mut exchanged = columns.clone();
                    exchanged.swap(row, other);
                    attacks(&exchanged, row) + attacks(&exchanged, other)
                };
                let draw = random.below(n.into()) as usize;
                let best = (0..n as usize).map(|other| (other + draw) % n as usize).min_by_key(|&other| with(other));
                columns.swap(row, best.unwrap_or(row));
            }
        }
    }

    #[test]
    fn the_weights_of_the_images_of_random_solutions_of_large_boards_sum_to_eight() {
        for n in 18..=32 {
            let (listing, mut random) = (planned(n), Random::new(n.into()));
            for _ in 0..if n == 28 { 20 } else { 4 } {
                let solution = random_solution(n, &mut random);
                let weight = |image: &Solution| {
                    let queens = queens(image);
                    listing.holder(&queens).map_or(0, |(_, part)| part.whole_weight(part.classes(&queens)))
                };
                let weights = solution.images().each_ref().map(weight);
                assert_eq!(weights.iter().sum::<u64>(), 8, "N = {n}, {solution}: {weights:?}");
            }
        }
    }

    /// The queens of a solution, row by row.
    pub fn queens(solution: &Solution) -> Vec<RowColumn> {
        (0..).zip(solution.columns().iter().map(|&column| column.into())).collect()
    }
}
