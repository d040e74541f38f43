//! Cancellation of long operations.

use std::collections::TryReserveError;
use std::fmt;
use std::sync::atomic::{AtomicBool, Ordering};

/// A token that cancels a count. It can be cancelled by any thread, by a signal handler or by a
/// condition such as a deadline.
///
/// ```
/// use std::time::{Duration, Instant};
///
/// use queencount::{BoardSize, CancelToken, CountError, Counter, EngineChoice, EngineError};
///
/// let engine = EngineChoice::Auto.engine(BoardSize::new(25)?);
/// let deadline = Instant::now() + Duration::from_millis(10);
/// let stop = CancelToken::with_condition(move || Instant::now() >= deadline);
/// let result = Counter::new().stop(&stop).count(&engine);
/// assert!(matches!(result, Err(CountError::Engine(EngineError::Cancelled))));
/// # Ok::<(), queencount::ParseError>(())
/// ```
#[derive(Debug, Default)]
pub struct CancelToken {
    cancelled: AtomicBool,
    condition: Option<Function<Box<dyn Fn() -> bool + Send + Sync>>>,
}

impl CancelToken {
    /// Creates a token that is not cancelled.
    pub const fn new() -> Self {
        Self {
            cancelled: AtomicBool::new(false),
            condition: None,
        }
    }

    /// Creates a token that is also cancelled while `condition` returns `true`. Every check of the
    /// token calls it, on any thread, so it should return quickly.
    pub fn with_condition(condition: impl Fn() -> bool + Send + Sync + 'static) -> Self {
        Self {
            condition: Some(Function(Box::new(condition))),
            ..Self::new()
        }
    }

    /// Cancels the token. Counts with this token stop within milliseconds.
    pub fn cancel(&self) {
        // `Relaxed` suffices, because threads share only the flag itself.
        self.cancelled.store(true, Ordering::Relaxed);
    }

    /// Returns whether the token was cancelled or its condition is met.
    pub fn is_cancelled(&self) -> bool {
        self.cancelled.load(Ordering::Relaxed)
            || self
                .condition
                .as_ref()
                .is_some_and(|condition| (condition.0)())
    }

    /// Returns [`EngineError::Cancelled`] if the token [is cancelled](Self::is_cancelled).
    pub fn check(&self) -> Result<(), EngineError> {
        if self.is_cancelled() {
            Err(EngineError::Cancelled)
        } else {
            Ok(())
        }
    }
}

/// A function that a type with a derived `Debug` calls.
#[derive(Clone, Copy)]
pub(crate) struct Function<F>(pub F);

impl<F> fmt::Debug for Function<F> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("..")
    }
}

pub(crate) static NEVER: CancelToken = CancelToken::new();

/// The reason why an engine stopped.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum EngineError {
    /// The [`CancelToken`] was cancelled.
    #[error("stopped before the count was complete")]
    Cancelled,
    /// There is not enough memory. Fewer threads, or a lower
    /// [limit](crate::EngineOptions::memory_per_thread), may help.
    #[error("out of memory")]
    OutOfMemory,
    /// A [device](crate::Device) failed, and the CPU was not allowed to count instead of it.
    #[error("{0}")]
    Device(&'static str),
}

impl From<TryReserveError> for EngineError {
    fn from(_: TryReserveError) -> Self {
        Self::OutOfMemory
    }
}
