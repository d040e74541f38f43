//! SIGINT and SIGTERM: the first asks a count to end, the second ends the program at once.
//!
//! A signal handler may do almost nothing, so it sets two words that [`counting`](super::counting) looks at ten times a
//! second. While nothing is being counted nobody looks (the program may be waiting for its standard input), and nothing
//! is lost by ending on the spot: then even the first signal does.
//!
//! A signal that is ignored when the program starts stays ignored: a shell starts the jobs in the background of a script
//! like that, and so does a script that has said `trap '' INT`.

use std::io;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use signal_hook::consts::{SIGINT, SIGTERM};
use signal_hook::flag;

use super::exit::Exit;

/// Whether a signal ends the program at once.
static AT_ONCE: AtomicBool = AtomicBool::new(true);

/// The signal that has come, or 0.
static RECEIVED: AtomicUsize = AtomicUsize::new(0);

/// Takes over the handling of these signals.
pub fn install() -> Result<(), Exit> {
    let install = || -> io::Result<()> {
        for signal in [SIGINT, SIGTERM].into_iter().filter(|&signal| !ignored(signal)) {
            // In this order: the first signal finds `AT_ONCE` unset and sets it for the second.
            flag::register_conditional_shutdown(signal, 128 + signal, &AT_ONCE)?;
            flag::register(signal, &AT_ONCE)?;
            flag::register_usize(signal, &RECEIVED, signal as usize)?;
        }
        survive_large_files()
    };
    install().map_err(|error| Exit::System(format!("cannot handle signals: {error}")))
}

/// Whether a signal is ignored, where the system tells.
fn ignored(signal: i32) -> bool {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:")).unwrap_or_default();
    u64::from_str_radix(mask.trim(), 16).is_ok_and(|mask| mask >> (signal - 1) & 1 == 1)
}

/// A file that may not grow any further is an error of writing, and no reason to die of SIGXFSZ.
#[cfg(unix)]
fn survive_large_files() -> io::Result<()> {
    // Whoever handles the signal survives it, whatever the handler does. Nobody looks at this flag.
    static TOO_LARGE: AtomicBool = AtomicBool::new(false);
    flag::register(signal_hook::consts::SIGXFSZ, &TOO_LARGE).map(drop)
}

/// Here there is no such signal.
#[cfg(not(unix))]
fn survive_large_files() -> io::Result<()> {
    Ok(())
}

/// The number of the signal that has come, if one has.
pub fn received() -> Option<u8> {
    match RECEIVED.load(Ordering::SeqCst) {
        0 => None,
        signal => Some(signal as u8),
    }
}

/// Fails if a signal has come.
pub fn check() -> Result<(), Exit> {
    match received() {
        None => Ok(()),
        Some(signal) => Err(Exit::Interrupted { signal, reached: None }),
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
