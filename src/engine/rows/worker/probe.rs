//! Probes: random parts of units, counted to estimate the counts and the costs of all units.
//!
//! A list of quarter-boards is shared by many column sets, and a count generates it only once if it
//! stays in the cache. A probe counts a single column set, whose lists may have been cached by an
//! earlier probe of the same unit. To make the cost representative, the probe first removes each
//! list from the cache with the probability that a count would have to generate it for this column
//! set.

#[cfg(test)]
mod tests;

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
        let sets: Vec<ColumnSet> = context
            .numbering
            .tiling(images)
            .column_sets(unit.tile)
            .collect();
        if on_device {
            self.remove_at_random(context, images, &sets, random);
            if let Some(count) = self.count_on_device(context, &sets)? {
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
        // For each list: how many of these column sets need it, and how many column sets use it in
        // a full count before it is evicted.
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
