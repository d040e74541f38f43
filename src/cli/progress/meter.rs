//! The meter of a count: how much of the work is finished, and what it has found.
//!
//! It measures the *work*, not the number of units, because units differ in cost. The engine says what it expects of
//! each.

use std::ops::Range;
use std::sync::Mutex;

use queencount::{Engine, Observer, Task};

/// The work of all units of a board, in parts: they are added as integers, so that no rounding gathers over millions of
/// tasks.
const WHOLE: f64 = (1_u64 << 53) as f64;

/// What the finished tasks of a count sum up to.
///
/// A task takes the lock for the time of two additions, which is nothing beside the time of the task.
pub struct Meter<'a> {
    engine: &'a dyn Engine,
    /// The work of all tasks that are to be done.
    whole: u64,
    sums: Mutex<Sums>,
}

/// The sums so far.
#[derive(Clone, Copy, Debug, Default)]
pub struct Sums {
    /// The work of all tasks that are to be done.
    pub(super) whole: u64,
    /// The work of those that are finished.
    pub(super) work: u64,
    /// The solutions that they have found.
    pub(super) solutions: u128,
}

impl<'a> Meter<'a> {
    /// All units are to be counted, and nothing is finished yet.
    pub fn new(engine: &'a dyn Engine) -> Self {
        Self::of(engine, std::iter::once(0..engine.units()))
    }

    /// These units are to be counted, and nothing is finished yet.
    pub fn of(engine: &'a dyn Engine, units: impl Iterator<Item = Range<u64>>) -> Self {
        let whole = units.map(|units| work(engine, &units)).sum();
        Self { engine, whole, sums: Mutex::default() }
    }

    /// The number of rows of the board.
    pub fn board(&self) -> u32 {
        self.engine.size().get()
    }

    /// The sums so far.
    pub fn sums(&self) -> Sums {
        Sums { whole: self.whole, ..*self.sums.lock().expect("nobody panics with the lock") }
    }
}

/// The expected work of some units.
fn work(engine: &dyn Engine, units: &Range<u64>) -> u64 {
    let before = |unit| (WHOLE * engine.work_before(unit)) as u64;
    before(units.end).saturating_sub(before(units.start))
}

impl Observer for Meter<'_> {
    fn counted(&self, task: &Task) {
        let work = work(self.engine, &task.units);
        let mut sums = self.sums.lock().expect("nobody panics with the lock");
        sums.work += work;
        sums.solutions += task.count;
    }
}

impl Sums {
    /// The share of the work that is done, from 0 to 1.
    pub fn share(self) -> f64 {
        (self.work as f64 / self.whole.max(1) as f64).clamp(0.0, 1.0)
    }
}
