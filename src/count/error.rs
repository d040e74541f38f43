//! What keeps a count from its result.

use crate::board::BoardSizeError;
use crate::stop::Stopped;
use crate::symmetry::ClassesError;

/// What keeps a count from its result.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum CountError {
    /// There is no such board.
    #[error(transparent)]
    Size(#[from] BoardSizeError),
    /// The count was stopped on request.
    #[error(transparent)]
    Stopped(#[from] Stopped),
    /// The number of solutions that was given cannot be right.
    #[error(transparent)]
    Classes(#[from] ClassesError),
    /// The system did not grant the threads.
    #[error("cannot start the threads: {0}")]
    Threads(#[source] Box<dyn std::error::Error + Send + Sync>),
    /// The sum passed 2^128, which no board of 32 rows can: a unit's count was wrong.
    #[error("the sum of the units passes 2^128: a count is wrong")]
    Overflow,
}
