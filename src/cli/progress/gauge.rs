//! Gauges: how much of some work is finished, and what it has found.
//!
//! The gauge of a count measures the *work*, not the number of units, because units differ in cost. The engine says what
//! it expects of each.

use std::ops::Range;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use queencount::{BoardSize, Engine, Observer, Task};

/// Something that tells how far some work has come, while it goes on.
pub trait Gauge: Sync {
    /// What the work is for, such as "N = 18".
    fn title(&self) -> String;

    /// The sums so far.
    fn sums(&self) -> Sums;
}

/// The work of all units of a board, in parts: they are added as integers, so that no rounding gathers over millions of
/// tasks.
const WHOLE: f64 = (1_u64 << 53) as f64;

/// What the finished tasks of a count sum up to.
///
/// A task takes the lock for the time of two additions, which is nothing beside the time of the task.
pub struct CountGauge<'a> {
    engine: &'a dyn Engine,
    title: String,
    /// The work of all units that are asked for.
    whole: u64,
    /// The work of those that had been counted before this count began.
    before: u64,
    /// The work of the tasks that this count has finished, and the solutions that they have found.
    sums: Mutex<(u64, u128)>,
}

/// The sums so far.
#[derive(Clone, Copy, Debug, Default)]
pub struct Sums {
    /// The work that is asked for.
    pub(super) whole: u64,
    /// The part of it that was finished before the clock began to run.
    pub(super) before: u64,
    /// The part that has been finished since.
    pub(super) work: u64,
    /// The solutions that it has found, if it looks for any.
    pub(super) solutions: Option<u128>,
}

impl<'a> CountGauge<'a> {
    /// All units are to be counted, and nothing is finished yet.
    pub fn new(engine: &'a dyn Engine) -> Self {
        Self::of(engine, std::iter::once(0..engine.units()))
    }

    /// These units are to be counted, and nothing is finished yet.
    pub fn of(engine: &'a dyn Engine, units: impl Iterator<Item = Range<u64>>) -> Self {
        let whole = units.map(|units| work(engine, &units)).sum();
        Self { engine, title: board(engine.size()), whole, before: 0, sums: Mutex::default() }
    }

    /// Some of the units are a part of the board with a name, and have been counted before.
    pub fn resumed(self, title: String, counted: impl Iterator<Item = Range<u64>>) -> Self {
        let before = counted.map(|units| work(self.engine, &units)).sum();
        Self { title, before, ..self }
    }
}

impl Gauge for CountGauge<'_> {
    fn title(&self) -> String {
        self.title.clone()
    }

    fn sums(&self) -> Sums {
        let (work, solutions) = *self.sums.lock().expect("nobody panics with the lock");
        Sums { whole: self.whole, before: self.before, work, solutions: Some(solutions) }
    }
}

/// How a board is named.
fn board(size: BoardSize) -> String {
    format!("N = {size}")
}

/// The expected work of some units.
fn work(engine: &dyn Engine, units: &Range<u64>) -> u64 {
    let before = |unit| (WHOLE * engine.work_before(unit)) as u64;
    before(units.end).saturating_sub(before(units.start))
}

impl Observer for CountGauge<'_> {
    fn counted(&self, task: &Task) {
        let work = work(self.engine, &task.units);
        let mut sums = self.sums.lock().expect("nobody panics with the lock");
        sums.0 += work;
        sums.1 += task.count;
    }
}

impl Sums {
    /// The share of the work that is done, from 0 to 1.
    pub fn share(self) -> f64 {
        ((self.before + self.work) as f64 / self.whole.max(1) as f64).clamp(0.0, 1.0)
    }

    /// The time that the rest takes if it goes on as in the time that has passed. Before the first task is done, nobody
    /// knows.
    pub fn left(self, passed: Duration) -> Option<Duration> {
        let rest = self.whole.saturating_sub(self.before + self.work) as f64;
        Duration::try_from_secs_f64(passed.as_secs_f64() * rest / self.work as f64).ok().filter(|_| self.work > 0)
    }
}

/// The gauge of work that is done step by step: how many of the steps are done.
pub struct Steps {
    title: String,
    whole: u64,
    done: AtomicU64,
    /// Whether each step is a solution.
    solutions: bool,
}

impl Steps {
    /// Nothing of this number of steps is done yet.
    pub fn new(title: String, whole: u64) -> Self {
        Self { title, whole, done: AtomicU64::new(0), solutions: false }
    }

    /// No solution has been passed yet, of so many that are to be passed.
    pub fn of_solutions(size: BoardSize, whole: u128) -> Self {
        let whole = whole.try_into().unwrap_or(u64::MAX);
        Self { solutions: true, ..Self::new(board(size), whole) }
    }

    /// So many of them are done now.
    pub fn reach(&self, done: u64) {
        self.done.store(done, Ordering::Relaxed);
    }
}

impl Gauge for Steps {
    fn title(&self) -> String {
        self.title.clone()
    }

    fn sums(&self) -> Sums {
        let done = self.done.load(Ordering::Relaxed);
        Sums { whole: self.whole, before: 0, work: done, solutions: self.solutions.then(|| done.into()) }
    }
}

#[cfg(test)]
mod tests {
    use queencount::{EngineChoice, FanOut};

    use super::*;

    #[test]
    fn a_meter_knows_the_work_that_is_done_and_what_it_has_found() {
        let engine = EngineChoice::Backtrack.plan(BoardSize::new(10).unwrap());
        let (engine, cut) = (engine.as_ref(), engine.units() / 3);
        let count =
            |gauge: &CountGauge, units| FanOut::default().threads(2).observer(gauge).count_units(engine, &[units]);
        let gauge = CountGauge::new(engine);
        assert_eq!((gauge.title(), gauge.sums().share(), gauge.sums().solutions), ("N = 10".to_owned(), 0.0, Some(0)));
        let some = count(&gauge, 0..cut).unwrap();
        assert!((gauge.sums().share() - engine.work_before(cut)).abs() < 1e-9, "{:?}", gauge.sums());
        assert_eq!(gauge.sums().solutions, Some(some));
        count(&gauge, cut..engine.units()).unwrap();
        assert!((gauge.sums().share() - 1.0).abs() < 1e-9, "{:?}", gauge.sums());
        assert_eq!(gauge.sums().solutions, Some(724));

        let part = CountGauge::of(engine, [0..1, cut..engine.units()].into_iter());
        count(&part, cut..engine.units()).unwrap();
        let rest = 1.0 - engine.work_before(cut);
        let share = rest / (rest + engine.work_before(1));
        assert!((part.sums().share() - share).abs() < 1e-9, "{:?}", part.sums());
    }

    #[test]
    fn what_had_been_counted_before_counts_as_done_and_not_for_the_pace() {
        let engine = EngineChoice::Backtrack.plan(BoardSize::new(10).unwrap());
        let (engine, cut) = (engine.as_ref(), engine.units() / 3);
        let title = "shard 1/2 of N = 10".to_owned();
        let gauge = CountGauge::new(engine).resumed(title.clone(), std::iter::once(0..cut));
        let before = engine.work_before(cut);
        assert_eq!(gauge.title(), title);
        assert!((gauge.sums().share() - before).abs() < 1e-9, "{:?}", gauge.sums());
        assert_eq!(gauge.sums().left(Duration::from_secs(60)), None);
        let half = cut + (engine.units() - cut) / 2;
        let next = cut..half;
        let found = FanOut::default().threads(2).observer(&gauge).count_units(engine, &[next]).unwrap();
        assert_eq!(gauge.sums().solutions, Some(found));
        let done = engine.work_before(half);
        assert!((gauge.sums().share() - done).abs() < 1e-9, "{:?}", gauge.sums());
        let left = gauge.sums().left(Duration::from_secs(60)).unwrap().as_secs_f64();
        assert!((left - 60.0 * (1.0 - done) / (done - before)).abs() < 1e-6, "{left}");
    }

    #[test]
    fn nothing_to_do_is_not_done() {
        let engine = EngineChoice::Backtrack.plan(BoardSize::new(10).unwrap());
        assert_eq!(CountGauge::of(engine.as_ref(), std::iter::empty()).sums().share(), 0.0);
    }

    #[test]
    fn steps_are_counted_and_are_solutions_where_they_are_said_to_be() {
        let steps = Steps::new("the self-test".to_owned(), 200);
        steps.reach(50);
        let sums = steps.sums();
        assert_eq!((steps.title(), sums.share(), sums.solutions), ("the self-test".to_owned(), 0.25, None));
        let size = BoardSize::new(8).unwrap();
        let solutions = Steps::of_solutions(size, 92);
        solutions.reach(46);
        let sums = solutions.sums();
        assert_eq!((solutions.title(), sums.share(), sums.solutions), ("N = 8".to_owned(), 0.5, Some(46)));
        assert_eq!(Steps::of_solutions(size, u128::MAX).sums().share(), 0.0);
    }
}
