//! The quarter-boards that a device is fed with.

use std::collections::HashMap;

use super::host::Refusal;
use super::layout::Statistics;
use crate::engine::rows::lists::quarter::QuarterBoards;
use crate::stop::Stopped;

/// The quarter-boards of some column sets, one after another, each once.
#[derive(Default)]
pub struct Quarters {
    pub words: Vec<u64>,
    pub starts: Vec<u32>,
    /// By quarter and columns.
    regions: HashMap<(usize, u32), Region>,
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
    /// Collects those of some column sets.
    ///
    /// # Errors
    /// When the search is to stop, or they are too many for the numbers by which a device finds them.
    pub fn collect(
        columns: &[[u32; 4]],
        mut find: impl FnMut(usize, u32, &mut dyn FnMut(&QuarterBoards<u64>)) -> Result<(), Stopped>,
    ) -> Result<Self, Refusal> {
        let mut quarters = Self::default();
        for columns in columns {
            for (quarter, &columns) in columns.iter().enumerate() {
                if !quarters.regions.contains_key(&(quarter, columns)) {
                    let mut added = Some(());
                    find(quarter, columns, &mut |found| added = quarters.add((quarter, columns), found))?;
                    added.ok_or(Refusal::TooLarge)?;
                }
            }
        }
        Ok(quarters)
    }

    /// Adds one, unless there are too many.
    fn add(&mut self, key: (usize, u32), quarter: &QuarterBoards<u64>) -> Option<()> {
        let (words, starts) = quarter.filed();
        let region = Region {
            words: u32::try_from(self.words.len()).ok()?,
            starts: u32::try_from(self.starts.len()).ok()?,
            row_sets: quarter.row_sets as u32,
        };
        self.regions.insert(key, region);
        self.words.extend(words);
        self.starts.extend(starts);
        self.marks |= quarter.has_marks();
        self.statistics.add(key.0 / 2, words, quarter.used);
        Some(())
    }

    /// The regions of the quarters of the top and of the bottom of a column set, left and right.
    fn sides(&self, columns: [u32; 4]) -> [[Region; 2]; 2] {
        let of = |quarter: usize| self.regions[&(quarter, columns[quarter])];
        [[of(0), of(1)], [of(2), of(3)]]
    }

    /// The lists of the top and of the bottom of a column set, as kernels read them.
    pub fn lists(&self, columns: [u32; 4]) -> [[u32; 5]; 2] {
        let list = |[left, right]: [Region; 2]| [left.words, left.starts, right.words, right.starts, left.row_sets];
        self.sides(columns).map(list)
    }

    /// The pairs of quarter-boards that the lists of the top and of the bottom of a column set are chosen from: those on
    /// complementary row sets.
    pub fn pairs(&self, columns: [u32; 4]) -> [u64; 2] {
        let on = |region: Region, row_set: u32| {
            let starts = &self.starts[region.starts as usize..];
            let [plain, marked] =
                [row_set, region.row_sets + row_set].map(|bin| starts[bin as usize + 1] - starts[bin as usize]);
            u64::from(plain) + u64::from(marked)
        };
        self.sides(columns).map(|[left, right]| {
            (0..left.row_sets).map(|row_set| on(left, row_set) * on(right, left.row_sets - 1 - row_set)).sum()
        })
    }
}
