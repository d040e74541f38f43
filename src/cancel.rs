//! The request to stop, which reaches whatever may last.

use std::collections::TryReserveError;
use std::sync::atomic::{AtomicBool, Ordering};

/// A request to stop counting, which any thread or signal handler may make.
///
/// ```
/// use queencount::{BoardSize, CountError, EngineChoice, Counter, CancelToken};
///
/// let stop = CancelToken::new();
/// stop.cancel();
/// let engine = EngineChoice::Auto.engine(BoardSize::new(20)?);
/// assert!(matches!(Counter::default().stop(&stop).count(engine.as_ref()), Err(CountError::Cancelled)));
/// # Ok::<(), queencount::BoardSizeError>(())
/// ```
#[derive(Debug, Default)]
pub struct CancelToken(AtomicBool);

impl CancelToken {
    /// A request that has not been made.
    pub const fn new() -> Self {
        Self(AtomicBool::new(false))
    }

    /// Makes the request. Counting ends with [`EngineError`] within milliseconds.
    pub fn cancel(&self) {
        // Nothing but the flag itself passes between the threads.
        self.0.store(true, Ordering::Relaxed);
    }

    /// Whether the request has been made.
    pub fn is_cancelled(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }

    /// An error once the request has been made, for the question mark operator.
    ///
    /// # Errors
    /// [`EngineError::Cancelled`], when the request has been made.
    pub fn check(&self) -> Result<(), EngineError> {
        if self.is_cancelled() {
            Err(EngineError::Cancelled)
        } else {
            Ok(())
        }
    }
}

/// Counting ended before the result was complete.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum EngineError {
    /// That was asked for.
    #[error("stopped before the count was complete")]
    Cancelled,
    /// The system has no memory for the next list.
    #[error("out of memory")]
    OutOfMemory,
}

impl From<TryReserveError> for EngineError {
    fn from(_: TryReserveError) -> Self {
        Self::OutOfMemory
    }
}
