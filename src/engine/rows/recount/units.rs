//! What a unit is, by the text of [the proof](super::super), and by nothing else.
//!
//! The engine computes the tile of a unit and the column sets of a tile. Here all leads, all tiles
//! of a core and all column sets of a tile are listed, as in sections 4 and 8. Each column set is
//! compared with its images, and counted for them if it is the least.

use std::ops::Range;

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
    /// The places of a tile, in Z-order.
    places: Vec<(usize, usize)>,
}

/// The queens of a core on which symmetry depends.
struct Beginning {
    queens: Vec<(u32, u32)>,
    keeps: Keeps,
    /// How many of the images of these queens differ.
    images: u64,
}

/// Which of mirror and flip keep the queens of the core, so that they act on its column sets
/// instead.
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
    pub core: Vec<(u32, u32)>,
    /// The left columns of the top and the right columns of the bottom, as indices from the border.
    pub sets: [u32; 2],
    /// The columns of the top and of the bottom, as bits.
    pub columns: [u64; 2],
    /// How many of the images of the core differ, and how many of those of the column set beside
    /// it.
    pub images: [u64; 2],
}

/// Whether queens on two squares, each a row and a column, attack each other.
pub fn attack((row, column): (u32, u32), (other_row, other_column): (u32, u32)) -> bool {
    let (rows, columns) = (row.abs_diff(other_row), column.abs_diff(other_column));
    rows == 0 || columns == 0 || rows == columns
}

impl Listing {
    /// The units of a board whose `middle_rows` are placed first, in tiles of so many sets of
    /// columns on a side.
    pub fn new(n: u32, middle_rows: u32, tile_side: u32) -> Self {
        let half = (n - middle_rows) / 2;
        let of_size = |size: u32| {
            (0..1u32 << half)
                .filter(|set| set.count_ones() == size)
                .collect()
        };
        let sets: Vec<Vec<u32>> = (0..=half).map(of_size).collect();
        let (leads, tiles, tile_side) = (
            leads(n, middle_rows),
            Default::default(),
            tile_side as usize,
        );
        let places = z_order(tile_side.next_power_of_two());
        let mut listing = Self {
            n,
            middle_rows,
            sets,
            leads,
            tiles,
            tile_side,
            places,
        };
        for keeps in [Keeps::Neither, Keeps::Flip, Keeps::Both] {
            if listing
                .leads
                .iter()
                .any(|lead| lead.keeps as usize == keeps as usize)
            {
                listing.tiles[keeps as usize] = listing.tiles(keeps);
            }
        }
        listing
    }

    /// The parts of a unit, in their order; none if its queens attack each other.
    pub fn parts(&self, unit: u64) -> Vec<Part> {
        let mut left = unit;
        for lead in &self.leads {
            let tiles = &self.tiles[lead.keeps as usize];
            let units = self.orders(lead) * tiles.len() as u64;
            if left < units {
                let Some(core) = self.core(lead, left / tiles.len() as u64) else {
                    return Vec::new();
                };
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

    /// The core with a lead and an order of the other queens. From the upper row to the lower one,
    /// a queen takes one of the columns that are left: the one whose number is the remainder of the
    /// order. The quotient goes on to the next row. `None` if two queens attack each other.
    fn core(&self, lead: &Beginning, mut order: u64) -> Option<Vec<(u32, u32)>> {
        let mut core = lead.queens.clone();
        let first = (self.n - self.middle_rows) / 2;
        for row in first..first + self.middle_rows {
            if core.iter().all(|queen| queen.0 != row) {
                let left: Vec<u32> = (0..self.n)
                    .filter(|column| core.iter().all(|queen| queen.1 != *column))
                    .collect();
                core.push((row, left[(order % left.len() as u64) as usize]));
                order /= left.len() as u64;
            }
        }
        core.sort_unstable();
        let peaceful = |at: usize| core[..at].iter().all(|&above| !attack(above, core[at]));
        (0..core.len()).all(peaceful).then_some(core)
    }

    /// The parts of a tile.
    fn parts_of(&self, lead: &Beginning, core: &[(u32, u32)], tile: &Patch) -> Vec<Part> {
        let part = |(sets, images): ([u32; 2], u64)| Part {
            n: self.n,
            core: core.to_vec(),
            sets,
            columns: self.columns(core, sets),
            images: [lead.images, images],
        };
        self.sets_of(lead.keeps, tile)
            .into_iter()
            .map(part)
            .collect()
    }

    /// The column sets of a tile, in Z-order, and for how many images each is counted.
    fn sets_of(&self, keeps: Keeps, tile: &Patch) -> Vec<([u32; 2], u64)> {
        let inside = self
            .places
            .iter()
            .filter(|(a, d)| *a < tile.a.len() && *d < tile.d.len());
        let sets = &self.sets[tile.size];
        let pairs = inside.map(|(a, d)| [sets[tile.a.start + a], sets[tile.d.start + d]]);
        pairs
            .map(|pair| (pair, self.counted_for(keeps, pair)))
            .filter(|(_, images)| *images > 0)
            .collect()
    }

    /// The columns of the top and of the bottom.
    fn columns(&self, core: &[(u32, u32)], [a, d]: [u32; 2]) -> [u64; 2] {
        let free: Vec<u32> = (0..self.n)
            .filter(|column| core.iter().all(|queen| queen.1 != *column))
            .collect();
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
                    let counted = |a: usize| {
                        d.clone()
                            .any(|d| self.counted_for(keeps, [sets[a], sets[d]]) > 0)
                    };
                    if a.clone().any(counted) {
                        tiles.push(Patch {
                            size,
                            a: a.clone(),
                            d,
                        });
                    }
                }
            }
        }
        tiles
    }

    /// For how many images a column set is counted: the different ones if it is the least of them,
    /// otherwise none.
    fn counted_for(&self, keeps: Keeps, [a, d]: [u32; 2]) -> u64 {
        let not = |set: u32| (1 << (self.sets.len() - 1)) - 1 - set;
        let images = [[a, d], [not(a), not(d)], [not(d), not(a)], [d, a]];
        let images = match keeps {
            Keeps::Neither => &images[..1],
            Keeps::Flip => &images[..2],
            Keeps::Both => &images[..],
        };
        let order = |[a, d]: [u32; 2]| (a.count_ones(), a, d);
        if images.iter().any(|&image| order(image) < order([a, d])) {
            0
        } else {
            different(images.to_vec())
        }
    }
}

/// The leads of a board, in their order.
fn leads(n: u32, middle_rows: u32) -> Vec<Beginning> {
    let middle = n / 2;
    if middle_rows == 0 {
        return vec![Beginning {
            queens: Vec::new(),
            keeps: Keeps::Both,
            images: 1,
        }];
    }
    if middle_rows == 1 {
        let lead = |column: u32| match column == middle {
            true => Beginning {
                queens: vec![(middle, column)],
                keeps: Keeps::Both,
                images: 1,
            },
            false => Beginning {
                queens: vec![(middle, column)],
                keeps: Keeps::Flip,
                images: 2,
            },
        };
        return (0..=middle)
            .rev()
            .filter(|column| column + 1 != middle)
            .map(lead)
            .collect();
    }
    let rows = if n.is_multiple_of(2) {
        [middle - 1, middle]
    } else {
        [middle - 1, middle + 1]
    };
    let mut leads = Vec::new();
    for (p, q) in (0..n).flat_map(|p| (0..n).map(move |q| (p, q))) {
        let images = vec![
            (p, q),
            (n - 1 - p, n - 1 - q),
            (q, p),
            (n - 1 - q, n - 1 - p),
        ];
        let [upper, lower] = [(rows[0], p), (rows[1], q)];
        if images.iter().any(|&image| image < (p, q)) || attack(upper, lower) {
            continue;
        }
        let images = different(images);
        if n.is_multiple_of(2) {
            leads.push(Beginning {
                queens: vec![upper, lower],
                keeps: Keeps::Neither,
                images,
            });
            continue;
        }
        for queen in (0..n).map(|column| (middle, column)) {
            let beside_the_centre = queen.1.abs_diff(middle) == 1;
            if !beside_the_centre && !attack(upper, queen) && !attack(lower, queen) {
                leads.push(Beginning {
                    queens: vec![upper, queen, lower],
                    keeps: Keeps::Neither,
                    images,
                });
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

/// The places of a square in Z-order: first those of its upper left quadrant, then upper right,
/// lower left, lower right; and so within each quadrant.
fn z_order(side: usize) -> Vec<(usize, usize)> {
    if side == 1 {
        return vec![(0, 0)];
    }
    let half = side / 2;
    let quadrants = [(0, 0), (0, half), (half, 0), (half, half)];
    let within = |(row, column)| {
        z_order(half)
            .into_iter()
            .map(move |(r, c)| (row + r, column + c))
    };
    quadrants.into_iter().flat_map(within).collect()
}

#[cfg(test)]
pub mod tests {
    use super::*;
    use crate::board::BoardSize;
    use crate::choice::EngineOptions;
    use crate::engine::rows::Rows;
    use crate::engine::rows::theory::core::Images;

    impl Listing {
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
        pub fn units_of_core(&self, core: &[(u32, u32)]) -> Range<u64> {
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

        /// The units of each number of a core, and its queens; none if they attack each other.
        pub fn cores(&self) -> impl Iterator<Item = (Range<u64>, Option<Vec<(u32, u32)>>)> {
            let all = self
                .leads
                .iter()
                .flat_map(|lead| (0..self.orders(lead)).map(move |order| (lead, order)));
            all.scan(0, |end, (lead, order)| {
                let start = *end;
                *end += self.tiles[lead.keeps as usize].len() as u64;
                Some((start..*end, self.core(lead, order)))
            })
        }

        /// The column sets of all tiles of a core, by the images that they are counted for.
        pub fn sets_of_tiles(
            &self,
        ) -> impl Iterator<Item = (Images, impl Iterator<Item = Vec<([u32; 2], u64)>>)> {
            let kinds = [
                (Keeps::Neither, Images::None),
                (Keeps::Flip, Images::Flip),
                (Keeps::Both, Images::All),
            ];
            let tiles = kinds
                .into_iter()
                .map(|(keeps, images)| (keeps, images, &self.tiles[keeps as usize]));
            tiles
                .filter(|(.., tiles)| !tiles.is_empty())
                .map(move |(keeps, images, tiles)| {
                    (
                        images,
                        tiles.iter().map(move |tile| self.sets_of(keeps, tile)),
                    )
                })
        }
    }

    impl Part {
        /// For how much a pair of half-boards of these classes counts.
        pub fn whole_weight(&self, [top, bottom]: [usize; 2]) -> u64 {
            let [of_core, of_columns] = self.images;
            of_core * of_columns * self.weight(top, bottom)
        }
    }

    /// The boards up to N = `largest` with every number of middle rows that can be placed in at
    /// most so many ways.
    pub fn boards(largest: u32, placements: u64) -> impl Iterator<Item = (u32, u32)> {
        let all = (4..=largest).flat_map(|n| {
            (n % 2..n - 1)
                .step_by(2)
                .map(move |middle_rows| (n, middle_rows))
        });
        let ways = |n: u32, middle_rows: u32| {
            (0..middle_rows)
                .map(|row| u64::from(n - row))
                .product::<u64>()
        };
        all.filter(move |&(n, middle_rows)| ways(n, middle_rows) <= placements)
    }

    /// The listing of the plan of a board.
    pub fn planned(n: u32) -> Listing {
        let plan = Rows::new(BoardSize::new(n).unwrap(), EngineOptions::new());
        Listing::new(n, Rows::middle_rows(n), plan.numbering.tile_side)
    }
}
