//! Cancellation of long operations.

use std::collections::TryReserveError;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

/// A token that cancels a count. It can be cancelled by any thread, by a signal handler or by a
/// deadline.
///
/// ```
/// use queencount::{BoardSize, CancelToken, CountError, Counter, EngineChoice};
///
/// let engine = EngineChoice::Auto.engine(BoardSize::new(25)?);
/// let stop = CancelToken::new();
/// stop.cancel(); // usually called by another thread
/// let result = Counter::default().stop(&stop).count(&engine);
/// assert!(matches!(result, Err(CountError::Cancelled)));
/// # Ok::<(), queencount::BoardSizeError>(())
/// ```
#[derive(Debug, Default)]
pub struct CancelToken {
    cancelled: AtomicBool,
    deadline: Option<Instant>,
    /// The number of checks left until the token cancels itself, or 0 if it never does.
    #[cfg(test)]
    checks_left: std::sync::atomic::AtomicU64,
}

impl CancelToken {
    /// Creates a token that is not cancelled.
    pub const fn new() -> Self {
        Self {
            cancelled: AtomicBool::new(false),
            deadline: None,
            #[cfg(test)]
            checks_left: std::sync::atomic::AtomicU64::new(0),
        }
    }

    /// Creates a token that is cancelled no later than `deadline`.
    pub const fn with_deadline(deadline: Instant) -> Self {
        Self {
            deadline: Some(deadline),
            ..Self::new()
        }
    }

    /// Cancels the token. Counts with this token stop within milliseconds.
    pub fn cancel(&self) {
        // `Relaxed` suffices, because threads share only the flag itself.
        self.cancelled.store(true, Ordering::Relaxed);
    }

    /// Returns whether the token was cancelled or its deadline has passed.
    pub fn is_cancelled(&self) -> bool {
        #[cfg(test)]
        self.count_check();
        self.cancelled.load(Ordering::Relaxed)
            || self
                .deadline
                .is_some_and(|deadline| Instant::now() >= deadline)
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

pub(crate) static NEVER: CancelToken = CancelToken::new();

/// The reason why an engine stopped.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum EngineError {
    /// The [`CancelToken`] was cancelled.
    #[error("stopped before the count was complete")]
    Cancelled,
    /// There is not enough memory.
    #[error("out of memory")]
    OutOfMemory,
}

impl From<TryReserveError> for EngineError {
    fn from(_: TryReserveError) -> Self {
        Self::OutOfMemory
    }
}

#[cfg(test)]
impl CancelToken {
    /// Creates a token that cancels itself at its `check`-th check.
    pub(crate) fn at_check(check: u64) -> Self {
        Self {
            checks_left: check.into(),
            ..Self::new()
        }
    }

    pub(crate) fn checks_left(&self) -> u64 {
        self.checks_left.load(Ordering::Relaxed)
    }

    fn count_check(&self) {
        let before = self
            .checks_left
            .fetch_update(Ordering::Relaxed, Ordering::Relaxed, |left| {
                left.checked_sub(1)
            });
        if before == Ok(1) {
            self.cancel();
        }
    }
}
