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

use super::{Context, Prepared, Worker};
use crate::cancel::EngineError;
use crate::engine::Probe;
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
        let sets = self.prepare(context, unit)?;
        if sets.is_empty() {
            return Ok(Probe {
                count: 0,
                inverse_probability: 1.0,
            });
        }
        if on_device {
            self.remove_at_random(context, &sets, random);
            if let Some(count) = self.count_on_device(context, &sets)? {
                return Ok(Probe {
                    count,
                    inverse_probability: 1.0,
                });
            }
        }
        let set = sets[random.below(sets.len() as u64) as usize];
        self.remove_at_random(context, &[set], random);
        Ok(Probe {
            count: self.count_set(context, set)?,
            inverse_probability: sets.len() as f64,
        })
    }

    /// Removes from the cache each list that these column sets need, with the probability that a
    /// count would have to generate it for them.
    fn remove_at_random(&mut self, context: Context, sets: &[ColumnSet], random: &mut SplitMix64) {
        let Some(Prepared {
            core: Some(core),
            is_narrow,
            ..
        }) = &self.core
        else {
            return;
        };
        let tiling = context.numbering.tiling(core.symmetry.images);
        let keeps_a_tier = if *is_narrow {
            self.narrow.quarters.keeps_a_tier()
        } else {
            self.wide.quarters.keeps_a_tier()
        };
        // For each list: how many of these column sets need it, and how many column sets use it in
        // a full count before it is evicted.
        let mut needed: BTreeMap<(usize, u32), (u64, u64)> = BTreeMap::new();
        for &set in sets {
            let [a, mut d] = tiling.sets_sharing(set);
            // Tiles are counted row by row, along `d`. The lists for `a` are needed only for one
            // row of tiles. Those for `d` are used again for the next row, if they are still in the
            // cache.
            if !keeps_a_tier {
                d = d.min(context.numbering.tile_side.into());
            }
            let lists = set.quarters(core.half).into_iter().enumerate();
            for (list, in_a_count) in lists.zip([a, d, a, d]) {
                needed.entry(list).or_insert((0, in_a_count)).0 += 1;
            }
        }
        for ((quarter, columns), (here, in_a_count)) in needed {
            if random.below(in_a_count) < here {
                self.narrow.quarters.remove(quarter, columns);
                self.wide.quarters.remove(quarter, columns);
            }
        }
    }
}
