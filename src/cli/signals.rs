//! SIGINT, SIGTERM and SIGHUP: the first signal cancels the work; a second one, at least half a
//! second later, ends the program. Schedulers and `timeout` send a signal to a process and then to
//! its group, but both signals are meant as one request.
//!
//! A thread receives the signals and stores them for [`supervise`](super::supervise), which checks
//! for them ten times per second. When nothing is supervised (the program may be waiting for its
//! input, or for the reader of a list), exiting loses nothing, so the first signal ends the
//! program.
//!
//! A signal that is ignored when the program starts stays ignored: this is how `nohup` works, and
//! how scripts start background jobs.

use std::io;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use signal_hook::consts::{SIGINT, SIGTERM};

use super::error::{Error, Result, SIGHUP};

/// Whether the first signal ends the program immediately.
static IMMEDIATE: AtomicBool = AtomicBool::new(true);

/// The signal that was received, or 0.
static RECEIVED: AtomicUsize = AtomicUsize::new(0);

/// Whether the process was stopped and has since resumed.
static RESUMED: AtomicBool = AtomicBool::new(false);

pub(super) fn install() -> Result<()> {
    // If the system does not report whether SIGHUP is ignored, keep the default action.
    let heeded = [SIGINT, SIGTERM]
        .into_iter()
        .filter(|signal| !ignored(*signal).unwrap_or(false));
    let heeded = heeded.chain(
        [SIGHUP]
            .into_iter()
            .filter(|signal| ignored(*signal) == Some(false)),
    );
    handle(heeded.collect())
        .map_err(|error| Error::System(format!("cannot handle signals: {error}")))
}

/// Returns whether a signal is ignored, if the system reports it.
fn ignored(signal: i32) -> Option<bool> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let mask = status
        .lines()
        .find_map(|line| line.strip_prefix("SigIgn:"))?;
    u64::from_str_radix(mask.trim(), 16)
        .ok()
        .map(|mask| mask >> (signal - 1) & 1 == 1)
}

#[cfg(unix)]
fn handle(heeded: Vec<i32>) -> io::Result<()> {
    use signal_hook::consts::{SIGCONT, SIGXFSZ};
    use signal_hook::iterator::Signals;
    // Handle this signal, so that exceeding the maximum file size causes a write error instead of
    // ending the program. The flag is never read.
    static TOO_LARGE: AtomicBool = AtomicBool::new(false);
    signal_hook::flag::register(SIGXFSZ, &TOO_LARGE)?;
    signal_hook::flag::register(SIGCONT, &RESUMED)?;
    let signals = Signals::new(heeded)?;
    // Memory may be scarce, and the thread needs only a small stack.
    std::thread::Builder::new()
        .name("signals".to_owned())
        .stack_size(1 << 16)
        .spawn(move || receive(signals))
        .map(drop)
}

#[cfg(unix)]
fn receive(mut signals: signal_hook::iterator::Signals) {
    use std::time::{Duration, Instant};

    use super::ui::try_print_line;
    /// The time after the first signal during which further signals count as the same request.
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
            None => {
                let progress = None;
                try_print_line(format_args!("{}", Error::Interrupted { signal, progress }));
            }
            Some(_) => {}
        }
        signal_hook::low_level::exit(128 + signal);
    }
}

/// Makes the second signal end the program immediately, no matter how soon it arrives.
#[cfg(not(unix))]
fn handle(heeded: Vec<i32>) -> io::Result<()> {
    use signal_hook::flag;
    for signal in heeded {
        // The order of these calls matters: the first signal finds `IMMEDIATE` unset, and sets it
        // for the second.
        flag::register_conditional_shutdown(signal, 128 + signal, &IMMEDIATE)?;
        flag::register(signal, &IMMEDIATE)?;
        flag::register_usize(signal, &RECEIVED, signal as usize)?;
    }
    Ok(())
}

pub(super) fn received() -> Option<i32> {
    match RECEIVED.load(Ordering::SeqCst) {
        0 => None,
        signal => Some(signal as i32),
    }
}

/// Returns whether the process was stopped and has resumed since the last call.
pub(super) fn take_resumed() -> bool {
    RESUMED.swap(false, Ordering::SeqCst)
}

/// Fails if a signal was received.
pub(super) fn check() -> Result<()> {
    match received() {
        None => Ok(()),
        Some(signal) => Err(Error::Interrupted {
            signal,
            progress: None,
        }),
    }
}

/// While this value exists, the first signal is stored instead of ending the program. If such
/// values are nested, signals are stored until the outermost value is dropped.
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
