//! Counting in one call: [`count`], [`classes`], and [`Counter`] for those who want to choose.
//!
//! - `fan_out`: the units of any engine over threads, which does the work.
//! - `error`: what keeps a count from its result.

mod error;
mod fan_out;

use std::time::{Duration, Instant};

pub use self::error::CountError;
pub use self::fan_out::{FanOut, Observer, Task};
pub(crate) use self::fan_out::{pool, threads_meant};
use crate::board::{BoardSize, BoardSizeError};
use crate::choice::{EngineChoice, Resources};
use crate::engine::Engine;
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
    /// The engine that the caller has made; otherwise one is chosen.
    own: Option<&'a dyn Engine>,
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
            own: None,
            engine: EngineChoice::default(),
            resources: Resources::default(),
            fan_out: FanOut::default(),
        })
    }

    /// A count of the solutions that an engine of one's own counts, on one thread for each CPU.
    ///
    /// ```
    /// use queencount::engine::backtrack::Backtrack;
    /// use queencount::{BoardSize, Counter};
    ///
    /// let fine = Backtrack::with_first_rows(BoardSize::new(10)?, 4);
    /// let count = Counter::with_engine(&fine).threads(2).count()?;
    /// assert_eq!((count.total, count.engine), (724, "backtrack"));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn with_engine(engine: &'a dyn Engine) -> Self {
        Self {
            size: engine.size(),
            own: Some(engine),
            engine: EngineChoice::default(),
            resources: Resources::default(),
            fan_out: FanOut::default(),
        }
    }

    /// Counts with this engine, instead of one given before.
    pub fn engine(self, engine: EngineChoice) -> Self {
        Self { own: None, engine, ..self }
    }

    /// Lets an engine that is chosen use these resources of the machine. An engine of one's own has its own.
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
    ///
    /// # Panics
    /// When an engine of one's own says 0 for [`Engine::units_per_task`].
    pub fn count(self) -> Result<Count, CountError> {
        let start = Instant::now();
        let chosen;
        let engine = match self.own {
            Some(engine) => engine,
            None => {
                chosen = self.engine.plan_with(self.size, self.resources);
                chosen.as_ref()
            }
        };
        let total = self.fan_out.count(engine)?;
        Ok(Count {
            total,
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
        self.classes_from_total(self.count()?.total)
    }

    /// The same for a board whose number of solutions, `total`, is known. This takes seconds instead of days.
    ///
    /// ```
    /// use queencount::Counter;
    ///
    /// let classes = Counter::new(20)?.classes_from_total(39_029_188_884)?;
    /// assert_eq!(classes.fundamental(), 4_878_666_808);
    /// assert!(Counter::new(20)?.classes_from_total(39_029_188_885).is_err());
    /// # Ok::<(), queencount::CountError>(())
    /// ```
    ///
    /// # Errors
    /// When `total` cannot be right (see [`Classes::new`]), the count was stopped, or the system grants no threads.
    pub fn classes_from_total(self, total: u128) -> Result<Classes, CountError> {
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
