//! The quarter-boards that are uploaded to a device.

use std::collections::HashMap;
use std::collections::hash_map::Entry;

use super::layout::{Layout, Statistics};
use crate::cancel::EngineError;
use crate::engine::rows::core_lists::{Context, CoreLists};
use crate::engine::rows::lists::quarter::QuarterBoards;
use crate::engine::rows::theory::core::Core;
use crate::engine::rows::theory::tiling::ColumnSet;

/// The lists of quarter-boards for some column sets, without duplicates.
#[derive(Default)]
pub(super) struct Quarters {
    pub words: Vec<u64>,
    pub starts: Vec<u32>,
    /// The lists of tops and bottoms for each column set, as described in `kernels.c`.
    pub lists: Vec<[[u32; 5]; 2]>,
    /// For the top and the bottom of each column set, the number of pairs of quarter-boards on
    /// complementary row sets.
    pub pairs: Vec<[u64; 2]>,
    pub statistics: Statistics,
    /// Whether any quarter-board has a mark.
    pub marks: bool,
}

#[derive(Clone, Copy)]
struct Region {
    words: u32,
    starts: u32,
    row_sets: u32,
}

impl Quarters {
    /// Collects the quarter-boards of a core's column sets, which `lists` finds.
    pub(super) fn collect(
        context: Context,
        core: &Core,
        sets: &[ColumnSet],
        lists: &mut CoreLists<u64>,
    ) -> Result<Self, EngineError> {
        let mut quarters = Self::default();
        let mut regions: HashMap<(usize, u32), Region> = HashMap::new();
        for set in sets {
            let mut of_set = Vec::new();
            for (quarter, columns) in set.quarters(core.half).into_iter().enumerate() {
                if let Entry::Vacant(new) = regions.entry((quarter, columns)) {
                    let found = lists.find(context, core, quarter, columns)?;
                    new.insert(quarters.add(quarter, found));
                }
                of_set.push(regions[&(quarter, columns)]);
            }
            let sides = [[of_set[0], of_set[1]], [of_set[2], of_set[3]]];
            quarters.lists.push(sides.map(|[left, right]| {
                [
                    left.words,
                    left.starts,
                    right.words,
                    right.starts,
                    left.row_sets,
                ]
            }));
            quarters
                .pairs
                .push(sides.map(|[left, right]| quarters.pairs(left, right)));
        }
        Ok(quarters)
    }

    fn add(&mut self, quarter: usize, found: &QuarterBoards<u64>) -> Region {
        let (words, starts) = found.words_and_starts();
        let region = Region {
            words: self.words.len() as u32,
            starts: self.starts.len() as u32,
            row_sets: found.row_sets as u32,
        };
        self.words.extend(words);
        self.starts.extend(starts);
        self.marks |= found.has_marks();
        self.statistics.add(quarter / 2, words, found.used);
        region
    }

    /// Returns the best layout for `local` bytes of local memory per group, or `None` if there are
    /// too many diagonals, or too many quarter-boards or pairs for 32-bit indices.
    pub(super) fn layout(&self, local: u64) -> Option<Layout> {
        let mut lengths = self.pairs.as_flattened().iter().copied();
        if lengths.any(|pairs| pairs > u32::MAX.into()) || self.words.len() > u32::MAX as usize {
            return None;
        }
        Layout::best(self.statistics.shared(), self.marks, local)
    }

    /// Counts the pairs of quarter-boards on complementary row sets.
    fn pairs(&self, left: Region, right: Region) -> u64 {
        let on = |region: Region, row_set: u32| -> u64 {
            let unmarked = region.starts as usize + row_set as usize;
            [unmarked, unmarked + region.row_sets as usize]
                .map(|bin| u64::from(self.starts[bin + 1] - self.starts[bin]))
                .iter()
                .sum()
        };
        (0..left.row_sets)
            .map(|row_set| on(left, row_set) * on(right, left.row_sets - 1 - row_set))
            .sum()
    }
}
