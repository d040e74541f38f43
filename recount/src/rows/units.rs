//! The units, derived only from the text of the proof (`src/engine/rows/README.md`).
//!
//! Unlike the engine, this module lists all leads, tiles and column sets, as in sections 4 and 8,
//! and compares each lead and each column set with its images.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use crate::{Square, attack};

/// The units of a board.
#[derive(Debug)]
pub struct Listing {
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
#[derive(Debug)]
struct Beginning {
    queens: Vec<Square>,
    /// How many of the four symmetries (identity, F, M and MF) leave the core unchanged: 1 (the
    /// identity), 2 (also F) or 4 (all of them).
    keeping: usize,
    /// The number of distinct images of these queens.
    images: u64,
}

/// A tile: a range of ranks for its sets `a`, and another for its sets `d`.
#[derive(Debug)]
struct Patch {
    size: usize,
    a: Range<usize>,
    d: Range<usize>,
}

/// A part of a unit: a core and a column set.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Part {
    /// The size of the board.
    pub n: u32,
    /// The queens of the middle rows, sorted by row.
    pub core: Vec<Square>,
    /// The left columns of the top and the right columns of the bottom, as bitmasks indexed from
    /// the border.
    pub sets: [u32; 2],
    /// The columns of the top and the bottom, as bitmasks.
    pub columns: [u64; 2],
    /// The number of distinct images of the core, and the number of distinct images of the column
    /// set under the reflections that leave the core unchanged.
    pub images: [u64; 2],
}

impl Listing {
    /// Lists the units of a board, with tiles of `tile_side` by `tile_side` column sets.
    ///
    /// # Panics
    /// Panics unless `middle_rows` is even or odd like `n` and less than `n`.
    pub fn new(n: u32, middle_rows: u32, tile_side: u32) -> Self {
        assert!(
            middle_rows % 2 == n % 2 && middle_rows < n,
            "N = {n} cannot have {middle_rows} middle rows"
        );
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
        let all: BTreeSet<usize> = listing.leads.iter().map(|lead| lead.keeping).collect();
        listing.tiles = all
            .into_iter()
            .map(|keeping| (keeping, listing.tiles(keeping)))
            .collect();
        listing
    }

    /// Returns the number of units.
    pub fn units(&self) -> u64 {
        self.leads.iter().map(|lead| self.units_of(lead)).sum()
    }

    /// Iterates over the cores, each with its units. The queens are `None` if two of them attack
    /// each other.
    pub fn cores(&self) -> impl Iterator<Item = (Range<u64>, Option<Vec<Square>>)> {
        let mut end = 0;
        self.leads
            .iter()
            .flat_map(|lead| (0..self.orders(lead)).map(move |order| (lead, order)))
            .map(move |(lead, order)| {
                let start = end;
                end += self.tiles[&lead.keeping].len() as u64;
                (start..end, self.core(lead, order))
            })
    }

    /// Returns the parts of a unit in order. There are none if two of its queens attack each other.
    ///
    /// # Panics
    /// Panics if `unit` is not below [`Listing::units`].
    pub fn parts(&self, unit: u64) -> Vec<Part> {
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
            let tile = &tiles[(left % tiles.len() as u64) as usize];
            return self
                .sets_of(lead.keeping, tile)
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

    fn free(&self, queens: &[Square]) -> Vec<u32> {
        (0..self.n)
            .filter(|column| queens.iter().all(|queen| queen.1 != *column))
            .collect()
    }

    /// Adds placement number `order` of the other middle rows to a lead, and returns the core, or
    /// `None` if two of its queens attack each other.
    fn core(&self, lead: &Beginning, mut order: u64) -> Option<Vec<Square>> {
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

    /// Iterates over a tile's counted column sets in Z-order, each with the number of its images.
    fn sets_of(&self, keeping: usize, tile: &Patch) -> impl Iterator<Item = ([u32; 2], u64)> {
        let sets = &self.sets[tile.size];
        self.places
            .iter()
            .filter(|(a, d)| *a < tile.a.len() && *d < tile.d.len())
            .map(|(a, d)| [sets[tile.a.start + a], sets[tile.d.start + d]])
            .map(move |pair| (pair, self.counted_for(keeping, pair)))
            .filter(|(_, images)| *images > 0)
    }

    fn columns(&self, core: &[Square], [a, d]: [u32; 2]) -> [u64; 2] {
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
                    let a = a.clone();
                    let tile = Patch { size, a, d };
                    if self.sets_of(keeping, &tile).next().is_some() {
                        tiles.push(tile);
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
