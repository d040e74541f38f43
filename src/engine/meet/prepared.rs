//! Prepared cores: what counting the units of a core takes beside memory, found once for the whole board.

use std::sync::Arc;

use super::join::{Join, Orders};
use super::lists::Filing;
use super::tuning::Tuning;

/// A core with the formats of its half-boards and the two ways to join them.
#[derive(Clone, Debug)]
pub struct PreparedCore {
    /// The core, and how its half-boards are filed.
    pub filing: Arc<Filing>,
    /// How tops are looked up among the bottoms, and bottoms among the tops.
    pub joins: [Join; 2],
}

impl PreparedCore {
    /// The cores of the board with `n` rows. Their units, one after another, are the units of the engine.
    pub fn all(n: u32, tuning: Tuning) -> Vec<Self> {
        let mut orders = Orders::default();
        let prepared = |filing: Filing| {
            let [top, bottom] = &filing.formats;
            let geometry = filing.core.geometry;
            let mut join = |tops, bottoms| Join::new(geometry, tops, bottoms, tuning, &mut orders);
            let joins = [join(top, bottom), join(bottom, top)];
            Self { joins, filing: Arc::new(filing) }
        };
        Filing::all(n, tuning).into_iter().map(prepared).collect()
    }
}
