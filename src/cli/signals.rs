//! SIGINT, SIGTERM and SIGHUP: the first signal cancels the work; a second one, at least half a
//! second later, ends the program. Schedulers and `timeout` signal a process and then its group,
//! but the two signals count as one request.
//!
//! A thread stores the first signal for [`supervise`](super::supervise). If nothing is supervised,
//! the first signal ends the program, because no work would be lost.
//!
//! If a signal is ignored when the program starts, it stays ignored, as `nohup` and background jobs
//! require.

use std::io;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use signal_hook::consts::{SIGINT, SIGTERM};

use super::error::{Error, Result, SIGHUP};

/// Whether the first signal ends the program.
static IMMEDIATE: AtomicBool = AtomicBool::new(true);

/// The signal that was received, or 0.
static RECEIVED: AtomicUsize = AtomicUsize::new(0);

/// Whether the process was stopped and has since resumed.
static RESUMED: AtomicBool = AtomicBool::new(false);

pub(super) fn install() -> Result<()> {
    let mut heeded = vec![SIGINT, SIGTERM, SIGHUP];
    // If it is unknown whether SIGHUP is ignored, keep the default action.
    heeded.retain(|&signal| !is_ignored(signal).unwrap_or(signal == SIGHUP));
    handle(heeded).map_err(|error| Error::System(format!("cannot handle signals: {error}")))
}

/// Returns whether a signal is ignored, or `None` if the system does not say.
fn is_ignored(signal: i32) -> Option<bool> {
    let mask = std::fs::read_to_string("/proc/self/status")
        .ok()?
        .lines()
        .find_map(|line| line.strip_prefix("SigIgn:"))
        .and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok())?;
    Some(mask >> (signal - 1) & 1 == 1)
}

#[cfg(unix)]
fn handle(heeded: Vec<i32>) -> io::Result<()> {
    use signal_hook::consts::{SIGCONT, SIGXFSZ};
    use signal_hook::iterator::Signals;
    // Exceeding the maximum file size causes a write error only if this signal is handled.
    static UNREAD: AtomicBool = AtomicBool::new(false);
    signal_hook::flag::register(SIGXFSZ, &UNREAD)?;
    signal_hook::flag::register(SIGCONT, &RESUMED)?;
    let signals = Signals::new(heeded)?;
    // Use a small stack, because memory may be scarce.
    std::thread::Builder::new()
        .name("signals".to_owned())
        .stack_size(1 << 16)
        .spawn(move || receive(signals))
        .map(drop)
}

#[cfg(unix)]
fn receive(mut signals: signal_hook::iterator::Signals) {
    use std::time::{Duration, Instant};

    use super::ui::{is_ready, print_line};
    use rustix::event::PollFlags;
    /// Signals within this time after the first one are part of the same request.
    const ONE_REQUEST: Duration = Duration::from_millis(500);
    let mut first: Option<Instant> = None;
    for signal in signals.forever() {
        match first {
            Some(first) if first.elapsed() < ONE_REQUEST => continue,
            None if !IMMEDIATE.load(Ordering::SeqCst) => {
                first = Some(Instant::now());
                RECEIVED.store(signal as usize, Ordering::SeqCst);
                continue;
            }
            // Printing must not block.
            None if is_ready(&io::stderr(), PollFlags::OUT) => print_line(Error::Interrupted {
                signal,
                progress: String::new(),
            }),
            _ => {}
        }
        signal_hook::low_level::exit(128 + signal);
    }
}

/// Makes the second signal end the program, however soon it arrives.
#[cfg(not(unix))]
fn handle(heeded: Vec<i32>) -> io::Result<()> {
    use signal_hook::flag;
    for signal in heeded {
        // In this order, the first signal finds `IMMEDIATE` unset, and sets it for the second.
        flag::register_conditional_shutdown(signal, 128 + signal, &IMMEDIATE)?;
        flag::register(signal, &IMMEDIATE)?;
        flag::register_usize(signal, &RECEIVED, signal as usize)?;
    }
    Ok(())
}

/// Returns whether the process was stopped and has resumed since the last call.
pub(super) fn take_resumed() -> bool {
    RESUMED.swap(false, Ordering::SeqCst)
}

/// Fails if a signal was received. `progress` returns how far the work has got.
pub(super) fn check(progress: impl FnOnce() -> String) -> Result<()> {
    match RECEIVED.load(Ordering::SeqCst) {
        0 => Ok(()),
        signal => Err(Error::Interrupted {
            signal: signal as i32,
            progress: progress(),
        }),
    }
}

/// While this value exists, the first signal is stored instead of ending the program. Values can be
/// nested.
pub(super) struct Deferred {
    outermost: bool,
}

impl Deferred {
    pub(super) fn new() -> Self {
        Self {
            outermost: IMMEDIATE.swap(false, Ordering::SeqCst),
        }
    }
}

impl Drop for Deferred {
    fn drop(&mut self) {
        if self.outermost {
            IMMEDIATE.store(true, Ordering::SeqCst);
        }
    }
}
