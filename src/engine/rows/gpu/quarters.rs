//! The quarter-boards that a device is fed with.

use std::collections::HashMap;
use std::collections::hash_map::Entry;

use super::host::{Granted, Refusal};
use super::layout::{Layout, Statistics};
use crate::cancel::EngineError;
use crate::engine::rows::lists::quarter::QuarterBoards;

/// The quarter-boards of some column sets, one after another, each once.
#[derive(Default)]
pub struct Quarters {
    pub words: Vec<u64>,
    pub starts: Vec<u32>,
    /// For each column set the lists of the top and of the bottom, as kernels read them.
    pub lists: Vec<[[u32; 5]; 2]>,
    /// The pairs of quarter-boards that these lists are chosen from: those on complementary row
    /// sets.
    pub pairs: Vec<[u64; 2]>,
    pub statistics: Statistics,
    /// Whether some are marked.
    pub marks: bool,
}

/// Where a quarter-board lies.
#[derive(Clone, Copy)]
struct Region {
    words: u32,
    starts: u32,
    row_sets: u32,
}

impl Quarters {
    /// Collects those of some column sets, which are given by the columns of their quarters.
    ///
    /// # Errors
    /// When the search is to stop, or they are too many for the numbers by which a device finds
    /// them.
    pub fn collect(
        columns: &[[u32; 4]],
        mut find: impl FnMut(usize, u32, &mut dyn FnMut(&QuarterBoards<u64>)) -> Result<(), EngineError>,
    ) -> Granted<Self> {
        let mut quarters = Self::default();
        // By quarter and columns.
        let mut regions: HashMap<(usize, u32), Region> = HashMap::new();
        for columns in columns {
            let mut of_set = Vec::new();
            for key in columns.iter().copied().enumerate() {
                of_set.push(match regions.entry(key) {
                    Entry::Occupied(known) => *known.get(),
                    Entry::Vacant(new) => {
                        let mut region = None;
                        find(key.0, key.1, &mut |found| {
                            region = quarters.add(key.0, found)
                        })?;
                        *new.insert(region.ok_or(Refusal::TooLarge)?)
                    }
                });
            }
            let sides = [[of_set[0], of_set[1]], [of_set[2], of_set[3]]];
            let list = |[left, right]: [Region; 2]| {
                [
                    left.words,
                    left.starts,
                    right.words,
                    right.starts,
                    left.row_sets,
                ]
            };
            quarters.lists.push(sides.map(list));
            quarters
                .pairs
                .push(sides.map(|[left, right]| quarters.pairs(left, right)));
        }
        Ok(quarters)
    }

    /// Adds those of a quarter, unless there are too many.
    fn add(&mut self, quarter: usize, found: &QuarterBoards<u64>) -> Option<Region> {
        let (words, starts) = found.filed();
        let [first_word, first_start] =
            [self.words.len(), self.starts.len()].map(|first| u32::try_from(first).ok());
        self.words.extend(words);
        self.starts.extend(starts);
        self.marks |= found.has_marks();
        self.statistics.add(quarter / 2, words, found.used);
        Some(Region {
            words: first_word?,
            starts: first_start?,
            row_sets: found.row_sets as u32,
        })
    }

    /// The best layout on a device whose groups have so much memory; `None` if there are too many
    /// diagonals, or more pairs for a list than kernels can number.
    pub fn layout(&self, local: u64) -> Option<Layout> {
        let has_numbers = self
            .pairs
            .as_flattened()
            .iter()
            .all(|&pairs| u32::try_from(pairs).is_ok());
        Layout::best(self.statistics.shared(), self.marks, local).filter(|_| has_numbers)
    }

    fn pairs(&self, left: Region, right: Region) -> u64 {
        let on = |region: Region, row_set: u32| -> u64 {
            let starts = &self.starts[region.starts as usize..];
            let bins = [row_set, region.row_sets + row_set].map(|bin| bin as usize);
            bins.map(|bin| u64::from(starts[bin + 1] - starts[bin]))
                .iter()
                .sum()
        };
        (0..left.row_sets)
            .map(|row_set| on(left, row_set) * on(right, left.row_sets - 1 - row_set))
            .sum()
    }
}
