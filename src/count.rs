//! Counting in one call: [`count`] and [`classes`]. `fan_out` does the work: the units of any engine over threads.

mod fan_out;

#[doc(hidden)]
pub use self::fan_out::threads_meant;
pub use self::fan_out::{CountError, FanOut, Task};
pub(crate) use self::fan_out::{count_task, pool, tasks};
use crate::board::BoardSize;
use crate::choice::EngineChoice;
use crate::symmetry::{Classes, Turn, TurnSymmetric};

/// The number of ways to place `n` nonattacking queens on an `n` x `n` board (OEIS A000170).
///
/// It is counted on every CPU, by the engine that is fastest for `n`. The time grows about eightfold from `n` to
/// `n + 1`. With [`FanOut`] the caller chooses the engine, the threads and more.
///
/// # Errors
/// When `n` is 0 or more than 32, or the system grants no threads.
///
/// ```
/// assert_eq!(queencount::count(8)?, 92);
/// # Ok::<(), queencount::CountError>(())
/// ```
pub fn count(n: u32) -> Result<u128, CountError> {
    FanOut::default().count(EngineChoice::Auto.engine(BoardSize::new(n)?).as_ref())
}

/// The solutions of the `n` x `n` board sorted by symmetry: the number of fundamental solutions (OEIS A002562), and what
/// it is made of.
///
/// These are three counts: of the solutions, and of those that [a half turn and a quarter turn](TurnSymmetric) leave as
/// they are. They are made on every CPU, and take hardly longer than [`count`].
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
    let (size, total) = (BoardSize::new(n)?, count(n)?);
    let fixed_by = |turn| FanOut::default().count(&TurnSymmetric::new(size, turn));
    Ok(Classes::new(size, total, fixed_by(Turn::Half)?, fixed_by(Turn::Quarter)?)?)
}
