//! The quarter-boards that a device is fed with.

use std::collections::HashMap;

use super::layout::Statistics;
use crate::engine::rows::lists::half::SURVIVORS;
use crate::engine::rows::lists::quarter::QuarterBoards;
use crate::stop::Stopped;

/// The quarter-boards of some column sets, one after another, each once.
#[derive(Default)]
pub struct Quarters {
    pub words: Vec<u64>,
    pub starts: Vec<u32>,
    /// By quarter and columns.
    places: HashMap<(usize, u32), Place>,
    pub statistics: Statistics,
    /// Whether some are marked.
    pub marks: bool,
}

/// Where a quarter-board lies.
#[derive(Clone, Copy)]
struct Place {
    words: u32,
    starts: u32,
    row_sets: u32,
}

impl Quarters {
    /// Collects those of some column sets.
    pub fn collect(
        columns: &[[u32; 4]],
        mut find: impl FnMut(usize, u32, &mut dyn FnMut(&QuarterBoards<u64>)) -> Result<(), Stopped>,
    ) -> Result<Self, Stopped> {
        let mut quarters = Self::default();
        for columns in columns {
            for (quarter, &columns) in columns.iter().enumerate() {
                if !quarters.places.contains_key(&(quarter, columns)) {
                    find(quarter, columns, &mut |found| quarters.add((quarter, columns), found))?;
                }
            }
        }
        Ok(quarters)
    }

    fn add(&mut self, key: (usize, u32), quarter: &QuarterBoards<u64>) {
        let (words, starts) = quarter.filed();
        let [at, starts_at] = [self.words.len(), self.starts.len()].map(|at| at as u32);
        self.places.insert(key, Place { words: at, starts: starts_at, row_sets: quarter.row_sets as u32 });
        self.words.extend(words);
        self.starts.extend(starts);
        self.marks |= quarter.has_marks();
        self.statistics.add(key.0 / 2, words, quarter.used);
    }

    /// The places of the four quarters of a column set.
    fn of(&self, columns: [u32; 4]) -> [Place; 4] {
        std::array::from_fn(|quarter| self.places[&(quarter, columns[quarter])])
    }

    /// The lists of the top and of the bottom of a column set, as kernels read them.
    pub fn lists(&self, columns: [u32; 4]) -> [[u32; 5]; 2] {
        let places = self.of(columns);
        [[0, 1], [2, 3]].map(|[left, right]| {
            let (left, right): (Place, Place) = (places[left], places[right]);
            [left.words, left.starts, right.words, right.starts, left.row_sets]
        })
    }

    /// About the number of half-boards of a column set.
    pub fn half_boards(&self, columns: &[u32; 4]) -> f64 {
        let places = self.of(*columns);
        let on = |place: Place, row_set: u32| {
            let starts = &self.starts[place.starts as usize..];
            let [plain, marked] =
                [row_set, place.row_sets + row_set].map(|bin| starts[bin as usize + 1] - starts[bin as usize]);
            f64::from(plain + marked)
        };
        let pairs = |left: Place, right: Place| {
            (0..left.row_sets).map(|row_set| on(left, row_set) * on(right, left.row_sets - 1 - row_set)).sum::<f64>()
        };
        SURVIVORS * (pairs(places[0], places[1]) + pairs(places[2], places[3]))
    }
}
