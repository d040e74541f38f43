//! Tests that the mean of many probes approximates a count and its cost.

#![expect(
    clippy::cast_possible_truncation,
    clippy::cast_precision_loss,
    reason = "statistics"
)]

use super::*;
use crate::cancel::CancelToken;
use crate::engine::Engine;
use crate::engine::rows::Rows;
use crate::engine::rows::lists::quarter::quarter_boards;
use crate::engine::rows::tests::rows;
use crate::engine::rows::theory::numbering::Numbering;

impl Worker {
    /// Caches the lists that this column set needs, and returns how many were not cached.
    fn find_lists(&mut self, context: Context, set: ColumnSet) -> u32 {
        let Some(Prepared {
            core: Some(core),
            is_narrow: true,
            ..
        }) = &self.core
        else {
            panic!("the board is small");
        };
        let mut found = 0;
        for (quarter, columns) in set.quarters(core.half).into_iter().enumerate() {
            found += u32::from(!self.narrow.quarters.touch(quarter, columns));
            self.narrow.find(context, core, quarter, columns).unwrap();
        }
        found
    }
}

/// Returns the number of lists that a worker generates when it counts a whole board, and an
/// estimate of this number from probes of all units.
fn lists_found(n: u32, middle_rows: u32, memory: u64) -> (f64, f64) {
    let engine = Rows {
        numbering: Numbering::new(n, middle_rows, 4),
        ..rows(n, middle_rows)
    };
    let stop = CancelToken::new();
    let context = engine.context(&stop);
    let [mut counting, mut probing] =
        [(); 2].map(|()| Worker::new(engine.numbering.half, memory, None));
    let mut counted = 0;
    let mut probed = 0.0;
    let mut random = SplitMix64::new(1);
    for unit in (0..engine.units()).map(|unit| engine.numbering.unit(unit)) {
        let sets = counting.prepare(context, unit).unwrap();
        for &set in &sets {
            counted += counting.find_lists(context, set);
        }
        if probing.prepare(context, unit).unwrap().is_empty() {
            continue;
        }
        for _ in 0..24 {
            let set = sets[random.below(sets.len() as u64) as usize];
            // Now the cache has all lists, so the probe generates only those that a count would
            // have to generate.
            probing.find_lists(context, set);
            probing.remove_at_random(context, &[set], &mut random);
            let found = probing.find_lists(context, set);
            probed += sets.len() as f64 * f64::from(found) / 24.0;
        }
    }
    (f64::from(counted), probed)
}

#[test]
fn probes_find_as_many_lists_as_full_count() {
    // A small cache can hold the quarter-boards for a row of tiles, but not those for a tier.
    for (n, middle_rows, share) in [
        (12, 0, 1),
        (13, 1, 1),
        (12, 2, 1),
        (12, 0, 8),
        (13, 1, 8),
        (15, 1, 4),
        (15, 1, 24),
    ] {
        let memory = 2 * 4 * 8 * quarter_boards((n - middle_rows) / 2) / share;
        let (counted, probed) = lists_found(n, middle_rows, memory);
        let error = probed / counted - 1.0;
        assert!(
            error.abs() < 0.1,
            "N = {n}, {middle_rows} middle rows, {memory} bytes: {probed} for {counted}"
        );
    }
}
