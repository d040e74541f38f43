//! Counting in one call: [`count`], [`classes`], and [`Counter`] for those who want to choose.
//! `fan_out` does the work: the units of any engine over threads.

mod fan_out;

use std::time::{Duration, Instant};

pub use self::fan_out::{CountError, FanOut, Observer, Task};
pub(crate) use self::fan_out::{count_task, pool, tasks, threads_meant};
use crate::board::{BoardSize, BoardSizeError};
use crate::choice::{EngineChoice, Resources};
use crate::stop::Stop;
use crate::symmetry::{Classes, Turn, TurnSymmetric};

/// The number of ways to place `n` nonattacking queens on an `n` x `n` board (OEIS A000170).
///
/// It is counted on every CPU, by the engine that is fastest for `n`. The time grows about eightfold from `n` to
/// `n + 1`. [`Counter`] lets the caller choose the engine, the threads and more.
///
/// # Errors
/// When `n` is 0 or more than 32, or the system grants no threads.
///
/// ```
/// assert_eq!(queencount::count(8)?, 92);
/// # Ok::<(), queencount::CountError>(())
/// ```
pub fn count(n: u32) -> Result<u128, CountError> {
    Ok(Counter::new(n)?.count()?.total)
}

/// The solutions of the `n` x `n` board sorted by symmetry: the number of fundamental solutions (OEIS A002562), and what
/// it is made of.
///
/// It is counted on every CPU, and takes hardly longer than [`count`].
///
/// # Errors
/// When `n` is 0 or more than 32, or the system grants no threads.
///
/// ```
/// let classes = queencount::classes(8)?;
/// assert_eq!((classes.total(), classes.fundamental()), (92, 12));
/// # Ok::<(), queencount::CountError>(())
/// ```
pub fn classes(n: u32) -> Result<Classes, CountError> {
    Counter::new(n)?.classes()
}

/// A count in preparation: which board, by which engine, on how many threads, and who watches and stops it.
///
/// Each setting has a default, so a [`Counter::new`] can count at once.
///
/// ```
/// use queencount::{Counter, EngineChoice};
///
/// let count = Counter::new(10)?.engine(EngineChoice::Backtrack).threads(2).count()?;
/// assert_eq!(count.total, 724);
/// assert_eq!(count.engine, "backtrack");
/// # Ok::<(), queencount::CountError>(())
/// ```
#[derive(Clone, Copy)]
pub struct Counter<'a> {
    size: BoardSize,
    engine: EngineChoice,
    resources: Resources,
    fan_out: FanOut<'a>,
}

impl<'a> Counter<'a> {
    /// A count of the solutions of the board with `n` rows, by the fastest engine, on one thread for each CPU.
    ///
    /// # Errors
    /// When `n` is 0 or more than 32.
    pub fn new(n: u32) -> Result<Self, BoardSizeError> {
        Ok(Self {
            size: BoardSize::new(n)?,
            engine: EngineChoice::default(),
            resources: Resources::default(),
            fan_out: FanOut::default(),
        })
    }

    /// Counts with this engine. ([`FanOut`] counts with one of one's own.)
    pub fn engine(self, engine: EngineChoice) -> Self {
        Self { engine, ..self }
    }

    /// Lets the engine use these resources of the machine.
    pub fn resources(self, resources: Resources) -> Self {
        Self { resources, ..self }
    }

    /// Counts on this number of threads; 0 stands for one for each CPU.
    pub fn threads(self, threads: usize) -> Self {
        Self { fan_out: self.fan_out.threads(threads), ..self }
    }

    /// Shows each finished task to `observer`.
    pub fn observer(self, observer: &'a dyn Observer) -> Self {
        Self { fan_out: self.fan_out.observer(observer), ..self }
    }

    /// Ends the count early when `stop` is requested.
    pub fn stop(self, stop: &'a Stop) -> Self {
        Self { fan_out: self.fan_out.stop(stop), ..self }
    }

    /// Counts the solutions.
    ///
    /// # Errors
    /// When the count was stopped, the system grants no threads, or the sum passes 2^128.
    pub fn count(self) -> Result<Count, CountError> {
        let start = Instant::now();
        let engine = self.engine.plan_with(self.size, self.resources);
        Ok(Count {
            total: self.fan_out.count(engine.as_ref())?,
            engine: engine.name(),
            units: engine.units(),
            threads: self.fan_out.threads,
            elapsed: start.elapsed(),
        })
    }

    /// Makes three counts, one after another, and an observer sees them all: of the solutions, of the solutions that a
    /// half turn of the board leaves as they are, and of the solutions that a quarter turn leaves as they are.
    ///
    /// # Errors
    /// When the count was stopped, or the system grants no threads.
    pub fn classes(self) -> Result<Classes, CountError> {
        let total = self.count()?.total;
        let fixed_by = |turn| self.fan_out.count(&TurnSymmetric::new(self.size, turn));
        Ok(Classes::new(self.size, total, fixed_by(Turn::Half)?, fixed_by(Turn::Quarter)?)?)
    }
}

/// A finished count.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Count {
    /// The number of solutions.
    pub total: u128,
    /// The name of the engine that counted.
    pub engine: &'static str,
    /// The number of units that were counted.
    pub units: u64,
    /// The number of threads that shared them.
    pub threads: usize,
    /// The time from the start to the result, planning included.
    pub elapsed: Duration,
}
