//! Probes: random parts of units, counted to estimate what all of them count and cost.
//!
//! Half-boards are made and joined for one column set, but a list of quarter-boards serves many: a
//! count finds it once for all that share it while it is kept. A probe counts one column set alone,
//! or right after another of its unit, when the lists are at hand. So before a probe counts, it
//! forgets each list with the chance that a count would have to find it for this column set.

use std::collections::BTreeMap;

use super::{Context, Worker};
use crate::cancel::EngineError;
use crate::engine::Probe;
use crate::engine::rows::theory::core::Images;
use crate::engine::rows::theory::numbering::CoreTile;
use crate::engine::rows::theory::tiling::ColumnSet;
use crate::splitmix::SplitMix64;

impl Worker {
    /// The count of a random column set of a unit, which stands for all of them.
    pub fn probe(
        &mut self,
        context: Context,
        unit: CoreTile,
        random: &mut SplitMix64,
    ) -> Result<Probe, EngineError> {
        let Some(images) = self.prepare(context, unit)? else {
            return Ok(Probe {
                count: 0,
                inverse_probability: 1.0,
            });
        };
        let sets: Vec<ColumnSet> = context
            .numbering
            .tiling(images)
            .column_sets(unit.tile)
            .collect();
        let set = sets[random.below(sets.len() as u64) as usize];
        self.forget_on_average(context, images, [set], random);
        Ok(Probe {
            count: self.count_set(context, set)?,
            inverse_probability: sets.len() as f64,
        })
    }

    /// The count of a whole unit by the device, if there is one and it can count it; otherwise that
    /// of a random column set, which stands for all of them.
    pub fn probe_on_device(
        &mut self,
        context: Context,
        unit: CoreTile,
        random: &mut SplitMix64,
    ) -> Result<Probe, EngineError> {
        if let Some(images) = self.prepare(context, unit)? {
            self.forget_on_average(
                context,
                images,
                context.numbering.tiling(images).column_sets(unit.tile),
                random,
            );
            if let Some(count) = self.count_on_device(context, unit, images)? {
                return Ok(Probe {
                    count,
                    inverse_probability: 1.0,
                });
            }
        }
        self.probe(context, unit, random)
    }

    /// Forgets each list of quarter-boards that these column sets need, with the chance that a
    /// count would have to find it for them.
    fn forget_on_average(
        &mut self,
        context: Context,
        images: Images,
        sets: impl IntoIterator<Item = ColumnSet>,
        random: &mut SplitMix64,
    ) {
        // By quarter and columns: how many of these column sets need the list, and how many of a
        // whole count.
        let mut needed: BTreeMap<(usize, u32), (u64, u64)> = BTreeMap::new();
        for set in sets {
            for (quarter, columns) in set.quarters(context.numbering.half).into_iter().enumerate() {
                let in_a_count = || (0, self.sharing(context, images, set)[quarter]);
                needed
                    .entry((quarter, columns))
                    .or_insert_with(in_a_count)
                    .0 += 1;
            }
        }
        for ((quarter, columns), (here, in_a_count)) in needed {
            if random.below(in_a_count) < here {
                self.narrow.quarters.forget(quarter, columns);
                self.wide.quarters.forget(quarter, columns);
            }
        }
    }

    /// How many column sets share each list of quarter-boards of this one in a count, by quarter.
    fn sharing(&self, context: Context, images: Images, set: ColumnSet) -> [u64; 4] {
        let [a, d] = context.numbering.tiling(images).sets_sharing(set);
        // Tiles follow each other along d. So the quarter-boards of `a` are done with before the
        // next come. Those of `d` come back with the next row of tiles, when others may have taken
        // their memory.
        let is_narrow = self.core.as_ref().is_some_and(|core| core.is_narrow);
        let keeps = if is_narrow {
            self.narrow.quarters.keeps_a_tier()
        } else {
            self.wide.quarters.keeps_a_tier()
        };
        let d = if keeps {
            d
        } else {
            d.min(context.numbering.tile_side.into())
        };
        [a, d, a, d]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::BoardSize;
    use crate::cancel::CancelToken;
    use crate::choice::EngineOptions;
    use crate::engine::Engine;
    use crate::engine::rows::Rows;
    use crate::engine::rows::kernel::Kernel;
    use crate::engine::rows::lists::quarter::{quarter_boards, row_set_numbers};
    use crate::engine::rows::profile::Profile;
    use crate::engine::rows::theory::numbering::Numbering;

    #[test]
    fn probes_are_expected_to_give_the_count() {
        for (n, middle_rows) in [(12, 0), (13, 1), (12, 2)] {
            let size = BoardSize::new(n).unwrap();
            let engine = Rows::with_middle_rows(size, middle_rows, EngineOptions::new());
            let counted = |unit| engine.count(unit, &CancelToken::new()).unwrap();
            let unit = (0..engine.units())
                .max_by_key(|&unit| counted(unit))
                .unwrap();
            let count = counted(unit) as f64;
            let mut random = SplitMix64::new(1);
            let mut probe = || {
                engine
                    .probe(unit, &mut random, &CancelToken::new())
                    .unwrap()
            };
            let drawn: Vec<f64> = (0..4000)
                .map(|_| probe())
                .map(|probe| probe.count as f64 * probe.inverse_probability)
                .collect();
            let mean = drawn.iter().sum::<f64>() / drawn.len() as f64;
            let variance = drawn
                .iter()
                .map(|estimate| (estimate - mean).powi(2))
                .sum::<f64>()
                / drawn.len() as f64;
            let error = (variance / drawn.len() as f64).sqrt();
            assert!(
                error < count / 10.0 && (mean - count).abs() < 5.0 * error,
                "{count} as {mean} +- {error}"
            );
        }
    }

    /// The lists of quarter-boards that one worker finds for a whole board, and those that probes
    /// of all units are expected to find.
    fn found(n: u32, middle_rows: u32, bytes: usize) -> (f64, f64) {
        let numbering = Numbering::new(n, middle_rows, 4);
        let (numbers, kernel, stop) = (
            row_set_numbers(numbering.half),
            Kernel::default(),
            CancelToken::new(),
        );
        let (numbering, row_set_numbers, most) = (&numbering, &numbers[..], usize::MAX);
        let context = Context {
            numbering,
            row_set_numbers,
            kernel,
            most,
            stop: &stop,
        };
        let units = || (0..numbering.units()).map(|unit| numbering.unit(unit));
        let mut worker = Worker::new(numbering.half, bytes, None);
        let total: u128 = units()
            .map(|unit| worker.count(context, unit).unwrap().0)
            .sum();
        assert_eq!(Some(total), crate::known::oeis_a000170(n));
        let counted = worker.workspace.profile.quarter_lists as f64;
        let (mut probed, mut random) = (0.0, SplitMix64::new(1));
        for unit in units() {
            for _ in 0..24 {
                // The first finds what is not at hand, the second what a count would find.
                worker.probe(context, unit, &mut random.clone()).unwrap();
                worker.workspace.profile = Profile::default();
                let probe = worker.probe(context, unit, &mut random).unwrap();
                let scale = probe.inverse_probability;
                probed += scale * worker.workspace.profile.quarter_lists as f64 / 24.0;
            }
        }
        (counted, probed)
    }

    #[test]
    fn probes_find_as_many_lists_as_a_count() {
        // Little memory has room for the quarter-boards of a row of tiles, but not for those of a
        // tier.
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
            let (counted, probed) = found(n, middle_rows, bytes);
            let error = probed / counted - 1.0;
            assert!(
                error.abs() < 0.1,
                "N = {n}, {middle_rows} middle rows, {bytes} bytes: {probed} for {counted}"
            );
        }
    }
}
