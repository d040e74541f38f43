//! The request to stop, which reaches whatever may last.

use std::collections::TryReserveError;
use std::sync::atomic::{AtomicBool, Ordering};

/// A request to stop counting, which any thread or signal handler may make.
///
/// ```
/// use queencount::{BoardSize, CountError, EngineChoice, FanOut, Stop};
///
/// let stop = Stop::new();
/// stop.request();
/// let engine = EngineChoice::Auto.engine(BoardSize::new(20)?);
/// assert!(matches!(FanOut::default().stop(&stop).count(engine.as_ref()), Err(CountError::Stopped)));
/// # Ok::<(), queencount::BoardSizeError>(())
/// ```
#[derive(Debug, Default)]
pub struct Stop(AtomicBool);

impl Stop {
    /// A request that has not been made.
    pub const fn new() -> Self {
        Self(AtomicBool::new(false))
    }

    /// Makes the request. Counting ends with [`Stopped`] within milliseconds.
    pub fn request(&self) {
        // Nothing but the flag itself passes between the threads.
        self.0.store(true, Ordering::Relaxed);
    }

    /// Whether the request has been made.
    pub fn requested(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }

    /// An error once the request has been made, for the question mark operator.
    ///
    /// # Errors
    /// [`Stopped::Requested`], when the request has been made.
    pub fn check(&self) -> Result<(), Stopped> {
        if self.requested() {
            Err(Stopped::Requested)
        } else {
            Ok(())
        }
    }
}

/// Counting ended before the result was complete.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Stopped {
    /// That was asked for.
    #[error("stopped before the count was complete")]
    Requested,
    /// The system has no memory for the next list.
    #[error("out of memory")]
    OutOfMemory,
}

impl From<TryReserveError> for Stopped {
    fn from(_: TryReserveError) -> Self {
        Self::OutOfMemory
    }
}
