//! Filing: all that must be known of a core to make lists of its half-boards.

use std::collections::HashMap;
use std::sync::Arc;

use super::format::Format;
use crate::engine::meet::theory::Core;
use crate::engine::meet::tuning::Tuning;
use crate::engine::rows::theory::subsets;

/// A core, and how its quarter-boards and half-boards are filed.
#[derive(Clone, Debug)]
pub struct Filing {
    pub core: Core,
    /// The formats of the half-boards of the top and of the turned bottom.
    pub formats: [Format; 2],
    /// The numbers of the row sets of the top and of the turned bottom, by mask.
    pub row_sets: [Arc<[u32]>; 2],
}

impl Filing {
    /// The cores of the board with `n` rows, in the order of [`Core::all`].
    pub fn all(n: u32, tuning: Tuning) -> Vec<Self> {
        // Cores whose rows are the same share the numbers.
        let mut numbers: HashMap<u32, Arc<[u32]>> = HashMap::new();
        let mut row_sets = |rows| numbers.entry(rows).or_insert_with(|| subsets::ranks(rows).into()).clone();
        let filing = |core: Core| {
            let [top, bottom] = [core.top, core.bottom];
            let format = |these, those| Format::new(core.geometry, these, those, tuning);
            let formats = [format(top, bottom), format(bottom, top)];
            Self { row_sets: [top, bottom].map(|half| row_sets(half[0].rows)), formats, core }
        };
        Core::all(n).into_iter().map(filing).collect()
    }
}
