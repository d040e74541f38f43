//! SIGINT and SIGTERM: the first asks a count to end, the second ends the program at once.
//!
//! A signal handler may do almost nothing, so it sets two words that [`counting`](super::counting) looks at ten times a
//! second. While nothing is being counted nobody looks (the program may be waiting for its standard input), and nothing
//! is lost by ending on the spot: then even the first signal does.

use std::io;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use signal_hook::consts::{SIGINT, SIGTERM};
use signal_hook::flag;

use super::exit::Failure;

/// Whether a signal ends the program at once.
static AT_ONCE: AtomicBool = AtomicBool::new(true);

/// The signal that has come, or 0.
static RECEIVED: AtomicUsize = AtomicUsize::new(0);

/// Takes over the handling of both signals.
pub fn install() -> Result<(), Failure> {
    let install = || -> io::Result<()> {
        for signal in [SIGINT, SIGTERM] {
            // In this order: the first signal finds `AT_ONCE` unset and sets it for the second.
            flag::register_conditional_shutdown(signal, 128 + signal, &AT_ONCE)?;
            flag::register(signal, &AT_ONCE)?;
            flag::register_usize(signal, &RECEIVED, signal as usize)?;
        }
        Ok(())
    };
    install().map_err(|error| Failure::System(format!("cannot handle signals: {error}")))
}

/// The number of the signal that has come, if one has.
pub fn received() -> Option<u8> {
    match RECEIVED.load(Ordering::SeqCst) {
        0 => None,
        signal => Some(signal as u8),
    }
}

/// Fails if a signal has come.
pub fn check() -> Result<(), Failure> {
    match received() {
        None => Ok(()),
        Some(signal) => Err(Failure::Interrupted { signal, reached: None }),
    }
}

/// While this lives, the first signal only asks for the end. May be nested: the outermost decides.
pub struct Deferred {
    outermost: bool,
}

impl Deferred {
    /// Signals are looked at from now on.
    pub fn new() -> Self {
        Self { outermost: AT_ONCE.swap(false, Ordering::SeqCst) }
    }
}

impl Drop for Deferred {
    fn drop(&mut self) {
        if self.outermost {
            AT_ONCE.store(true, Ordering::SeqCst);
        }
    }
}
