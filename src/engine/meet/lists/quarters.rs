//! The quarter-boards of a tier of units: each is found when a unit first needs it, and kept for all threads if there
//! is memory for it.
//!
//! Threads that count neighbouring units need the same quarter-boards at the same time. If the second thread waited
//! while the first finds one, the two would go on in step, and wait for each other at every new set of columns. So the
//! second thread makes itself useful: it finds the next quarter-board that nobody has begun.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};

use super::filing::Filing;
use super::quarter::{Finder, Quarter, Side, Slice};
use crate::engine::meet::theory::{Unit, Weights};
use crate::engine::{Stop, Stopped};

/// The quarter-boards of a core, on four sides: near and far of the top, near and far of the turned bottom. Where top
/// and bottom are alike, the sides of the top serve for both.
pub struct Quarters {
    filing: Arc<Filing>,
    /// By the mask of their columns; none if they are not kept.
    kept: [Vec<Kept>; 4],
}

/// A quarter-board that is kept for all threads.
#[derive(Default)]
struct Kept {
    /// Whether a thread has begun to find it.
    begun: AtomicBool,
    quarter: OnceLock<Quarter>,
}

/// What a thread has of its own.
#[derive(Default)]
pub struct Own {
    /// The quarter-boards of each side that are not kept for all threads, with their columns and their slice.
    quarters: [Option<((u32, Slice), Quarter)>; 4],
    finder: Finder,
}

impl Own {
    /// Forgets all quarter-boards, because they belong to another core.
    pub fn forget(&mut self) {
        self.quarters = Default::default();
    }
}

impl Quarters {
    /// None yet; `keeps` says whether those that are found will be kept.
    pub fn new(filing: &Arc<Filing>, keeps: bool) -> Self {
        let sets = if keeps { 1 << filing.core.geometry.half } else { 0 };
        let kept = std::array::from_fn(|_| (0..sets).map(|_| Kept::default()).collect());
        Self { filing: Arc::clone(filing), kept }
    }

    /// The near and far quarters of the top and of the bottom of a unit, in these slices of the two.
    pub fn halves<'a>(
        &'a self,
        unit: &Unit,
        slices: [Slice; 2],
        own: &'a mut Own,
        stop: &Stop,
    ) -> Result<[[&'a Quarter; 2]; 2], Stopped> {
        let columns = [unit.top[0], unit.top[1], unit.bottom[0], unit.bottom[1]];
        for (side, &columns) in columns.iter().enumerate() {
            self.provide(side, columns, slices[side / 2], own, stop)?;
        }
        let own = &*own;
        let quarter = |side: usize| match self.kept(side).get(columns[side] as usize) {
            Some(kept) => kept.quarter.get(),
            None => own.quarters[side].as_ref().map(|(_, quarter)| quarter),
        };
        Ok([[0, 1], [2, 3]].map(|half| half.map(|side| quarter(side).expect("has been provided"))))
    }

    /// Sees to it that the quarter-board on the given columns at one of the four sides is there.
    fn provide(&self, side: usize, columns: u32, slice: Slice, own: &mut Own, stop: &Stop) -> Result<(), Stopped> {
        if let Some(kept) = self.kept(side).get(columns as usize) {
            if kept.quarter.get().is_none() {
                self.keep(side, columns, &mut own.finder);
            }
            return Ok(());
        }
        let slot = &mut own.quarters[side];
        if !matches!(slot, Some((of, _)) if *of == (columns, slice)) {
            // The old one makes room before the new one is found.
            *slot = None;
            let quarter = own.finder.find(self.side(side), columns, slice, stop);
            stop.check()?;
            *slot = Some(((columns, slice), quarter));
        }
        Ok(())
    }

    /// Finds a quarter-board that is kept. All threads use it, so it is found whole even after a stop has been
    /// requested: that takes milliseconds.
    #[cold]
    fn keep(&self, side: usize, columns: u32, finder: &mut Finder) {
        let (kept, side) = (self.kept(side), self.side(side));
        let mut find = |columns: u32| {
            let quarter = &kept[columns as usize].quarter;
            quarter.get_or_init(|| finder.find(side, columns, Slice::default(), &Stop::new()));
        };
        // Units go through the sets of columns upwards or downwards.
        let others = (columns..kept.len() as u32).chain((0..columns).rev());
        let alike = |set: &u32| set.count_ones() == columns.count_ones() && set & !side.squares.columns == 0;
        for other in others.filter(alike) {
            if kept[columns as usize].quarter.get().is_some() {
                return;
            }
            if !kept[other as usize].begun.swap(true, Ordering::Relaxed) {
                find(other);
            }
        }
        // All have been begun, and this one has not been found: the thread that began it is still at work, or has
        // panicked.
        find(columns);
    }

    fn kept(&self, side: usize) -> &[Kept] {
        &self.kept[self.like(side)]
    }

    /// What the quarter-boards on a side have in common.
    pub fn side(&self, side: usize) -> Side<'_> {
        let (half, quarter) = (self.like(side) / 2, self.like(side) % 2);
        let Filing { core, formats, row_sets } = &*self.filing;
        let squares = if half == 0 { &core.top } else { &core.bottom };
        Side { geometry: core.geometry, format: &formats[half], numbers: &row_sets[half], squares: &squares[quarter] }
    }

    /// The first side with the same quarter-boards.
    fn like(&self, side: usize) -> usize {
        if self.filing.core.weights == Weights::Eight { side } else { side % 2 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::meet::tuning::Tuning;

    #[test]
    fn a_thread_finds_the_others_while_the_one_it_needs_is_being_found() {
        let filing = Arc::new(Filing::all(12, Tuning::of(12)).swap_remove(0));
        for needed in [0b000_111, 0b101_010, 0b111_000] {
            let quarters = Quarters::new(&filing, true);
            // By a thread that never finishes.
            quarters.kept[0][needed as usize].begun.store(true, Ordering::Relaxed);
            quarters.keep(0, needed, &mut Finder::default());
            for (columns, kept) in (0u32..).zip(&quarters.kept[0]) {
                assert_eq!(kept.quarter.get().is_some(), columns.count_ones() == 3, "{needed:b}: {columns:b}");
            }
        }
    }
}
