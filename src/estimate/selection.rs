//! The units from which a sample is drawn.

use std::ops::Range;

use crate::engine::Engine;

/// The units of some ranges. All fractions of work refer to these units.
pub(super) struct Selection<'a> {
    engine: &'a dyn Engine,
    /// The ranges that have work, each with the work of the ranges before it, as a fraction of the
    /// work of all units of the engine.
    ranges: Vec<(f64, Range<u64>)>,
    /// The work of all ranges, as a fraction of the work of all units of the engine.
    work: f64,
}

impl<'a> Selection<'a> {
    pub(super) fn new(engine: &'a dyn Engine, units: &[Range<u64>]) -> Self {
        let mut ranges = Vec::with_capacity(units.len());
        let mut before = 0.0;
        for range in units.iter().filter(|range| !range.is_empty()) {
            assert!(range.end <= engine.units(), "no such units: {range:?}");
            let work = engine.work(range.clone());
            if work > 0.0 {
                ranges.push((before, range.clone()));
                before += work;
            }
        }
        Self {
            engine,
            ranges,
            work: before,
        }
    }

    /// Returns whether these units have no work.
    pub(super) fn is_empty(&self) -> bool {
        self.ranges.is_empty()
    }

    pub(super) fn units(&self) -> Vec<Range<u64>> {
        self.ranges.iter().map(|(_, range)| range.clone()).collect()
    }

    /// Returns the fraction of the work that these units have.
    pub(super) fn share(&self, units: Range<u64>) -> f64 {
        self.engine.work(units) / self.work
    }

    /// Returns the unit that has this fraction of the work before it.
    pub(super) fn unit_at(&self, share: f64) -> u64 {
        let work = share * self.work;
        let index = self.ranges.partition_point(|(before, _)| *before <= work);
        let (before, range) = &self.ranges[index - 1];
        self.engine
            .unit_at(self.engine.cumulative_work(range.start) + (work - before))
            // The sums are rounded.
            .clamp(range.start, range.end - 1)
    }
}

#[cfg(test)]
#[expect(
    clippy::single_range_in_vec_init,
    reason = "a list of one range of units is what is meant"
)]
mod tests {
    use super::*;
    use crate::board::BoardSize;
    use crate::choice::EngineChoice;

    #[test]
    fn units_of_ranges_are_found_by_their_work() {
        let engine = EngineChoice::Backtrack.engine(BoardSize::new(12).unwrap());
        for ranges in [
            vec![0..engine.units()],
            vec![20..21],
            vec![40..45, 3..3, 5..7, 9..30],
        ] {
            let selection = Selection::new(&engine, &ranges);
            let mut before = 0.0;
            for unit in ranges.into_iter().flatten() {
                let share = selection.share(unit..unit + 1);
                assert_eq!(selection.unit_at(before + share / 2.0), unit);
                before += share;
            }
            assert!((before - 1.0).abs() < 1e-9, "{before}");
        }
        assert!(Selection::new(&engine, &[4..4]).is_empty());
    }
}
