//! Probes: random parts of units, counted to estimate the counts and the costs of all units.
//!
//! A list of quarter-boards is shared by many column sets, and a count generates it only once if it
//! stays in the cache. A probe counts a single column set, whose lists may have been cached by an
//! earlier probe of the same unit. To make the cost representative, the probe first removes each
//! list from the cache with the probability that a count would have to generate it for this column
//! set.

use std::collections::BTreeMap;

use super::{Context, Worker};
use crate::cancel::EngineError;
use crate::engine::Probe;
use crate::engine::rows::theory::core::Images;
use crate::engine::rows::theory::numbering::CoreTile;
use crate::engine::rows::theory::tiling::ColumnSet;
use crate::splitmix::SplitMix64;

impl Worker {
    /// Counts the whole unit on the device if `on_device` is set and this is possible; otherwise,
    /// counts a random column set on the CPU.
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_precision_loss,
        reason = "a random sample"
    )]
    pub(crate) fn probe(
        &mut self,
        context: Context,
        unit: CoreTile,
        random: &mut SplitMix64,
        on_device: bool,
    ) -> Result<Probe, EngineError> {
        let mut probe = Probe {
            count: 0,
            inverse_probability: 1.0,
        };
        let Some(images) = self.prepare(context, unit)? else {
            return Ok(probe);
        };
        let tiling = context.numbering.tiling(images);
        let sets: Vec<ColumnSet> = tiling.column_sets(unit.tile).collect();
        if on_device {
            self.remove_at_random(context, images, &sets, random);
            if let Some(count) = self.count_on_device(context, unit, images)? {
                probe.count = count;
                return Ok(probe);
            }
        }
        let set = sets[random.below(sets.len() as u64) as usize];
        self.remove_at_random(context, images, &[set], random);
        probe.count = self.count_set(context, set)?;
        probe.inverse_probability = sets.len() as f64;
        Ok(probe)
    }

    /// Removes from the cache each list that these column sets need, with the probability that a
    /// count would have to generate it for them.
    fn remove_at_random(
        &mut self,
        context: Context,
        images: Images,
        sets: &[ColumnSet],
        random: &mut SplitMix64,
    ) {
        // For each list: how many of these column sets need it, and how many column sets share it
        // in a count.
        let mut needed: BTreeMap<(usize, u32), (u64, u64)> = BTreeMap::new();
        for &set in sets {
            for (quarter, columns) in set.quarters(context.numbering.half).into_iter().enumerate() {
                needed
                    .entry((quarter, columns))
                    .or_insert_with(|| (0, self.sharing(context, images, set)[quarter]))
                    .0 += 1;
            }
        }
        for ((quarter, columns), (here, in_a_count)) in needed {
            if random.below(in_a_count) < here {
                self.narrow.quarters.remove(quarter, columns);
                self.wide.quarters.remove(quarter, columns);
            }
        }
    }

    /// Returns, for each of the four lists, how many column sets can use it before a count has to
    /// generate it again.
    fn sharing(&self, context: Context, images: Images, set: ColumnSet) -> [u64; 4] {
        let [a, mut d] = context.numbering.tiling(images).sets_sharing(set);
        // Tiles are counted row by row, along `d`. The lists for `a` are needed only for one row of
        // tiles. Those for `d` are used again for the next row, if they are still in the cache.
        let is_narrow = self.core.as_ref().is_some_and(|core| core.is_narrow);
        let keeps = if is_narrow {
            self.narrow.quarters.keeps_a_tier()
        } else {
            self.wide.quarters.keeps_a_tier()
        };
        if !keeps {
            d = d.min(context.numbering.tile_side.into());
        }
        [a, d, a, d]
    }
}

#[cfg(test)]
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_precision_loss,
    reason = "statistics"
)]
mod tests {
    use super::*;
    use crate::cancel::CancelToken;
    use crate::engine::Engine;
    use crate::engine::rows::Rows;
    use crate::engine::rows::lists::quarter::quarter_boards;
    use crate::engine::rows::tests::{largest_unit, rows};
    use crate::engine::rows::theory::numbering::Numbering;

    #[test]
    fn mean_of_probes_approximates_count() {
        const PROBES: u32 = 4000;
        for (n, middle_rows) in [(12, 0), (13, 1), (12, 2)] {
            let engine = rows(n, middle_rows);
            let unit = largest_unit(&engine);
            let count = engine.count_unit(unit) as f64;
            let mut random = SplitMix64::new(1);
            let mut sum = 0.0;
            let mut squares = 0.0;
            for _ in 0..PROBES {
                let probe = engine
                    .probe(unit, &mut random, &CancelToken::new())
                    .unwrap();
                let estimate = probe.count as f64 * probe.inverse_probability;
                sum += estimate;
                squares += estimate * estimate;
            }
            let probes = f64::from(PROBES);
            let mean = sum / probes;
            let error = ((squares / probes - mean * mean) / probes).sqrt();
            assert!(
                error < count / 10.0 && (mean - count).abs() < 5.0 * error,
                "{count} as {mean} +- {error}"
            );
        }
    }

    fn found_by(worker: &Worker) -> u64 {
        worker.narrow.lists_found + worker.wide.lists_found
    }

    /// Returns the number of lists that a worker generates when it counts a whole board, and an
    /// estimate of this number from probes of all units.
    fn lists_found(n: u32, middle_rows: u32, bytes: usize) -> (f64, f64) {
        let engine = Rows {
            numbering: Numbering::new(n, middle_rows, 4),
            ..rows(n, middle_rows)
        };
        let stop = CancelToken::new();
        let context = engine.context(&stop);
        let units = (0..engine.units()).map(|unit| engine.numbering.unit(unit));
        let mut worker = Worker::new(engine.numbering.half, bytes, None);
        let counts = units
            .clone()
            .map(|unit| worker.count(context, unit).unwrap().0);
        assert_eq!(Some(counts.sum()), crate::known::oeis_a000170(n));
        let counted = found_by(&worker) as f64;
        let mut probed = 0.0;
        let mut random = SplitMix64::new(1);
        for unit in units {
            for _ in 0..24 {
                // The first probe fills the cache, so the second one generates only the lists that
                // a count would have to generate.
                worker
                    .probe(context, unit, &mut random.clone(), false)
                    .unwrap();
                let before = found_by(&worker);
                let probe = worker.probe(context, unit, &mut random, false).unwrap();
                let found = (found_by(&worker) - before) as f64;
                probed += probe.inverse_probability * found / 24.0;
            }
        }
        (counted, probed)
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
            let bytes = 4 * 8 * quarter_boards((n - middle_rows) / 2) as usize / share;
            let (counted, probed) = lists_found(n, middle_rows, bytes);
            let error = probed / counted - 1.0;
            assert!(
                error.abs() < 0.1,
                "N = {n}, {middle_rows} middle rows, {bytes} bytes: {probed} for {counted}"
            );
        }
    }
}
