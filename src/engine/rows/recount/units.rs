//! The units, derived only from the text of [the proof](super::super).
//!
//! Unlike the engine, this module lists all leads, tiles and column sets, as in sections 4 and 8,
//! and compares each lead and each column set with its images.

use std::collections::BTreeMap;
use std::ops::Range;

pub(crate) struct Listing {
    n: u32,
    middle_rows: u32,
    /// The sets of a quarter's columns, indexed by size, as bitmasks in ascending order.
    sets: Vec<Vec<u32>>,
    leads: Vec<Beginning>,
    /// The tiles of a core, indexed by [`Beginning::keeping`].
    tiles: BTreeMap<usize, Vec<Patch>>,
    tile_side: usize,
    /// The positions in a whole tile, in Z-order.
    places: Vec<(usize, usize)>,
}

/// A lead: the queens that determine the symmetry of a core.
struct Beginning {
    queens: Vec<(u32, u32)>,
    /// How many of the four symmetries (identity, F, M and MF) leave the core unchanged: 1 (the
    /// identity), 2 (also F) or 4 (all of them).
    keeping: usize,
    /// The number of distinct images of these queens.
    images: u64,
}

/// A tile: a range of ranks for its sets `a`, and another for its sets `d`.
struct Patch {
    size: usize,
    a: Range<usize>,
    d: Range<usize>,
}

/// A part of a unit: a core and a column set.
pub(crate) struct Part {
    pub n: u32,
    pub core: Vec<(u32, u32)>,
    /// The left columns of the top and the right columns of the bottom, as bitmasks indexed from
    /// the border.
    pub sets: [u32; 2],
    /// The columns of the top and the bottom, as bitmasks.
    pub columns: [u64; 2],
    /// The number of distinct images of the core, and the number of distinct images of the column
    /// set under the reflections that leave the core unchanged.
    pub images: [u64; 2],
}

pub(crate) fn attack((row, column): (u32, u32), (other_row, other_column): (u32, u32)) -> bool {
    let rows = row.abs_diff(other_row);
    let columns = column.abs_diff(other_column);
    rows == 0 || columns == 0 || rows == columns
}

impl Listing {
    /// Lists the units of a board, with tiles of `tile_side` by `tile_side` column sets.
    pub(crate) fn new(n: u32, middle_rows: u32, tile_side: u32) -> Self {
        let half = (n - middle_rows) / 2;
        let mut sets = vec![Vec::new(); half as usize + 1];
        for set in 0..1u32 << half {
            sets[set.count_ones() as usize].push(set);
        }
        let tile_side = tile_side as usize;
        let places = z_order(tile_side.next_power_of_two());
        let mut listing = Self {
            n,
            middle_rows,
            sets,
            leads: leads(n, middle_rows),
            tiles: BTreeMap::new(),
            tile_side,
            places,
        };
        for lead in &listing.leads {
            if !listing.tiles.contains_key(&lead.keeping) {
                let tiles = listing.tiles(lead.keeping);
                listing.tiles.insert(lead.keeping, tiles);
            }
        }
        listing
    }

    /// Returns the parts of a unit in order. There are none if two of its queens attack each other.
    pub(crate) fn parts(&self, unit: u64) -> Vec<Part> {
        let mut left = unit;
        for lead in &self.leads {
            let units = self.units_of(lead);
            if left >= units {
                left -= units;
                continue;
            }
            let tiles = &self.tiles[&lead.keeping];
            let Some(core) = self.core(lead, left / tiles.len() as u64) else {
                return Vec::new();
            };
            let sets = self.sets_of(lead.keeping, &tiles[(left % tiles.len() as u64) as usize]);
            return sets
                .into_iter()
                .map(|(sets, images)| Part {
                    n: self.n,
                    sets,
                    columns: self.columns(&core, sets),
                    images: [lead.images, images],
                    core: core.clone(),
                })
                .collect();
        }
        panic!("no such unit: {unit}")
    }

    fn units_of(&self, lead: &Beginning) -> u64 {
        self.orders(lead) * self.tiles[&lead.keeping].len() as u64
    }

    /// Returns the number of ways to place a lead's other middle-row queens in free columns.
    fn orders(&self, lead: &Beginning) -> u64 {
        let columns = self.n - self.middle_rows + 1..=self.n - lead.queens.len() as u32;
        columns.map(u64::from).product()
    }

    fn free(&self, queens: &[(u32, u32)]) -> Vec<u32> {
        (0..self.n)
            .filter(|column| queens.iter().all(|queen| queen.1 != *column))
            .collect()
    }

    /// Adds placement number `order` of the other middle rows to a lead, and returns the core, or
    /// `None` if two of its queens attack each other.
    fn core(&self, lead: &Beginning, mut order: u64) -> Option<Vec<(u32, u32)>> {
        let mut core = lead.queens.clone();
        let first = (self.n - self.middle_rows) / 2;
        for row in first..first + self.middle_rows {
            if core.iter().all(|queen| queen.0 != row) {
                let free = self.free(&core);
                core.push((row, free[(order % free.len() as u64) as usize]));
                order /= free.len() as u64;
            }
        }
        core.sort_unstable();
        let is_peaceful =
            (0..core.len()).all(|at| core[..at].iter().all(|&above| !attack(above, core[at])));
        is_peaceful.then_some(core)
    }

    /// Returns a tile's counted column sets in Z-order, each with the number of its images.
    fn sets_of(&self, keeping: usize, tile: &Patch) -> Vec<([u32; 2], u64)> {
        let inside = self
            .places
            .iter()
            .filter(|(a, d)| *a < tile.a.len() && *d < tile.d.len());
        let sets = &self.sets[tile.size];
        let pairs = inside.map(|(a, d)| [sets[tile.a.start + a], sets[tile.d.start + d]]);
        pairs
            .map(|pair| (pair, self.counted_for(keeping, pair)))
            .filter(|(_, images)| *images > 0)
            .collect()
    }

    fn columns(&self, core: &[(u32, u32)], [a, d]: [u32; 2]) -> [u64; 2] {
        let free = self.free(core);
        let half = free.len() / 2;
        let mut columns = [0; 2];
        for (index, column) in free.iter().enumerate() {
            let is_bottom = if index < half {
                a >> index & 1 == 0
            } else {
                d >> (free.len() - 1 - index) & 1 == 1
            };
            columns[usize::from(is_bottom)] |= 1 << column;
        }
        columns
    }

    /// Returns the tiles with at least one counted column set.
    fn tiles(&self, keeping: usize) -> Vec<Patch> {
        let mut tiles = Vec::new();
        for (size, sets) in self.sets.iter().enumerate() {
            let cuts = (0..sets.len())
                .step_by(self.tile_side)
                .map(|start| start..sets.len().min(start + self.tile_side));
            for a in cuts.clone() {
                for d in cuts.clone() {
                    let is_counted = a.clone().any(|a| {
                        d.clone()
                            .any(|d| self.counted_for(keeping, [sets[a], sets[d]]) > 0)
                    });
                    if is_counted {
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

    /// Returns the number of distinct images of a column set, or 0 if one of them is smaller than
    /// the set.
    fn counted_for(&self, keeping: usize, [a, d]: [u32; 2]) -> u64 {
        let not = |set: u32| (1 << (self.sets.len() - 1)) - 1 - set;
        let images = [[a, d], [not(a), not(d)], [not(d), not(a)], [d, a]];
        distinct_if_least(&images.map(|[a, d]| (a.count_ones(), a, d))[..keeping])
    }
}

fn leads(n: u32, middle_rows: u32) -> Vec<Beginning> {
    let middle = n / 2;
    if middle_rows == 0 {
        return vec![Beginning {
            queens: Vec::new(),
            keeping: 4,
            images: 1,
        }];
    }
    if middle_rows == 1 {
        let columns = (0..=middle).rev().filter(|column| column + 1 != middle);
        let leads = columns.map(|column| Beginning {
            queens: vec![(middle, column)],
            keeping: if column == middle { 4 } else { 2 },
            images: if column == middle { 1 } else { 2 },
        });
        return leads.collect();
    }
    let rows = [middle - 1, middle + n % 2];
    let mut leads = Vec::new();
    for (p, q) in (0..n).flat_map(|p| (0..n).map(move |q| (p, q))) {
        let upper = (rows[0], p);
        let lower = (rows[1], q);
        let images = distinct_if_least(&[
            (p, q),
            (n - 1 - p, n - 1 - q),
            (q, p),
            (n - 1 - q, n - 1 - p),
        ]);
        if images == 0 || attack(upper, lower) {
            continue;
        }
        let placements = if n.is_multiple_of(2) {
            vec![vec![upper, lower]]
        } else {
            let squares = (0..n).map(|column| (middle, column));
            let queens = squares.filter(|&queen| {
                queen.1.abs_diff(middle) != 1 && !attack(upper, queen) && !attack(lower, queen)
            });
            queens.map(|queen| vec![upper, queen, lower]).collect()
        };
        leads.extend(placements.into_iter().map(|queens| Beginning {
            queens,
            keeping: 1,
            images,
        }));
    }
    leads
}

/// Returns the number of distinct images if the first is the smallest of them, and otherwise 0.
fn distinct_if_least<T: Ord>(images: &[T]) -> u64 {
    if images.iter().min() < images.first() {
        return 0;
    }
    (0..images.len())
        .filter(|&index| !images[..index].contains(&images[index]))
        .count() as u64
}

/// Returns the positions in a square in Z-order: first the upper left quadrant, then the upper
/// right, the lower left and the lower right, each itself in Z-order.
fn z_order(side: usize) -> Vec<(usize, usize)> {
    if side == 1 {
        return vec![(0, 0)];
    }
    let half = side / 2;
    let quadrants = [(0, 0), (0, half), (half, 0), (half, half)];
    let mut positions = Vec::new();
    for (row, column) in quadrants {
        positions.extend(z_order(half).iter().map(|(r, c)| (row + r, column + c)));
    }
    positions
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use crate::board::BoardSize;
    use crate::engine::rows::Rows;
    use crate::engine::rows::theory::numbering::Numbering;
    use crate::options::EngineOptions;

    impl Listing {
        pub(crate) fn units(&self) -> u64 {
            self.leads.iter().map(|lead| self.units_of(lead)).sum()
        }

        pub(crate) fn ends_of_leads(&self) -> Vec<u64> {
            let ends = self.leads.iter().scan(0, |end, lead| {
                *end += self.units_of(lead);
                Some(*end)
            });
            ends.collect()
        }

        /// Returns the range of a core's units, which is empty if the core is not counted.
        pub(crate) fn units_of_core(&self, core: &[(u32, u32)]) -> Range<u64> {
            let mut start = 0;
            for lead in &self.leads {
                if lead.queens.iter().all(|queen| core.contains(queen)) {
                    let mut taken = lead.queens.clone();
                    let mut order = 0;
                    let mut orders = 1;
                    for &queen in core.iter().filter(|queen| !lead.queens.contains(queen)) {
                        let free = self.free(&taken);
                        order += orders * free.partition_point(|column| *column < queen.1) as u64;
                        orders *= free.len() as u64;
                        taken.push(queen);
                    }
                    let tiles = self.tiles[&lead.keeping].len() as u64;
                    return start + order * tiles..start + (order + 1) * tiles;
                }
                start += self.units_of(lead);
            }
            0..0
        }

        /// Returns the units and the queens of each core, or `None` for the queens if two of them
        /// attack each other.
        pub(crate) fn cores(&self) -> impl Iterator<Item = (Range<u64>, Option<Vec<(u32, u32)>>)> {
            let all = self
                .leads
                .iter()
                .flat_map(|lead| (0..self.orders(lead)).map(move |order| (lead, order)));
            all.scan(0, |end, (lead, order)| {
                let start = *end;
                *end += self.tiles[&lead.keeping].len() as u64;
                Some((start..*end, self.core(lead, order)))
            })
        }

        /// Returns the column sets of all tiles, each with the number of its images, for each
        /// [`Beginning::keeping`].
        pub(crate) fn sets_of_tiles(
            &self,
        ) -> impl Iterator<Item = (usize, impl Iterator<Item = Vec<([u32; 2], u64)>>)> {
            self.tiles.iter().map(move |(&keeping, tiles)| {
                let sets = tiles.iter().map(move |tile| self.sets_of(keeping, tile));
                (keeping, sets)
            })
        }
    }

    impl Part {
        /// Returns [`Part::weight`], but accounts for all symmetries.
        pub(crate) fn whole_weight(&self, [top, bottom]: [usize; 2]) -> u64 {
            self.images.iter().product::<u64>() * self.weight(top, bottom)
        }
    }

    /// Returns all pairs of an N up to `largest` and a number of middle rows whose queens have at
    /// most `placements` choices of columns.
    pub(crate) fn boards(largest: u32, placements: u64) -> impl Iterator<Item = (u32, u32)> {
        let boards = (4..=largest).flat_map(|n| (n % 2..n - 1).step_by(2).map(move |k| (n, k)));
        boards.filter(move |&(n, middle_rows)| {
            let columns = n - middle_rows + 1..=n;
            columns.map(u64::from).product::<u64>() <= placements
        })
    }

    /// Returns the units of a board, as numbered by the engine and as listed by the recount.
    pub(crate) fn planned(n: u32) -> (Numbering, Listing) {
        let Rows { numbering, .. } = Rows::new(BoardSize::new(n).unwrap(), EngineOptions::new());
        let listing = Listing::new(n, numbering.middle_rows, numbering.tile_side);
        (numbering, listing)
    }
}
