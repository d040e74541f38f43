//! SIGINT, SIGTERM and SIGHUP: the first asks a count to end, one that comes half a second later or
//! more ends the program at once. Schedulers and `timeout` send a signal to a process and then to
//! its group: that is one request, not two.
//!
//! A thread receives the signals, and sets a word that the [watch](super::watch) looks at ten times
//! a second. While nothing is watched (the program may be waiting for its standard input, or for
//! the reader of a list), nothing is lost by ending on the spot: then even the first signal does.
//!
//! A signal that is ignored when the program starts stays ignored: a shell starts background jobs
//! of a script like that, and so does `nohup`.

use std::io;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use signal_hook::consts::{SIGINT, SIGTERM};

use super::exit::{Exit, OrExit, SIGHUP};

static AT_ONCE: AtomicBool = AtomicBool::new(true);

/// The signal that has come, or 0.
static RECEIVED: AtomicUsize = AtomicUsize::new(0);

/// Takes over the handling of these signals.
pub fn install() -> OrExit<()> {
    // Where the system does not tell, the terminal may well be meant to go: the program ends at
    // once then.
    let heeded = [SIGINT, SIGTERM]
        .into_iter()
        .filter(|signal| !ignored(*signal).unwrap_or(false));
    let heeded = heeded.chain(
        [SIGHUP]
            .into_iter()
            .filter(|signal| ignored(*signal) == Some(false)),
    );
    hear(heeded.collect()).map_err(|error| Exit::System(format!("cannot handle signals: {error}")))
}

/// Whether a signal is ignored, where the system says so.
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
fn hear(heeded: Vec<i32>) -> io::Result<()> {
    use signal_hook::consts::SIGXFSZ;
    use signal_hook::iterator::Signals;
    // A file that may not grow any further is an error of writing, and no reason to die: a process
    // that handles the signal survives it. The flag is never read.
    static TOO_LARGE: AtomicBool = AtomicBool::new(false);
    signal_hook::flag::register(SIGXFSZ, &TOO_LARGE)?;
    let signals = Signals::new(heeded)?;
    // It needs next to no stack, and memory may be short.
    std::thread::Builder::new()
        .name("signals".to_owned())
        .stack_size(1 << 16)
        .spawn(move || obey(signals))
        .map(drop)
}

#[cfg(unix)]
fn obey(mut signals: signal_hook::iterator::Signals) {
    use std::time::{Duration, Instant};

    use super::notes::note_in_passing;
    /// What comes sooner after a signal belongs to it.
    const ONE_REQUEST: Duration = Duration::from_millis(500);
    let mut first: Option<Instant> = None;
    for signal in signals.forever() {
        match first {
            Some(first) if first.elapsed() < ONE_REQUEST => continue,
            None if !AT_ONCE.load(Ordering::SeqCst) => {
                first = Some(Instant::now());
                RECEIVED.store(signal as usize, Ordering::SeqCst);
                continue;
            }
            None => {
                let interrupted = Exit::Interrupted {
                    signal: signal as u8,
                    reached: None,
                };
                note_in_passing(&interrupted.line().unwrap_or_default());
            }
            Some(_) => {}
        }
        signal_hook::low_level::exit(128 + signal);
    }
}

/// Here the second signal ends the program at once, however soon it comes.
#[cfg(not(unix))]
fn hear(heeded: Vec<i32>) -> io::Result<()> {
    use signal_hook::flag;
    for signal in heeded {
        // In this order: the first signal finds `AT_ONCE` unset and sets it for the second.
        flag::register_conditional_shutdown(signal, 128 + signal, &AT_ONCE)?;
        flag::register(signal, &AT_ONCE)?;
        flag::register_usize(signal, &RECEIVED, signal as usize)?;
    }
    Ok(())
}

/// The number of the signal that has come, if one has.
pub fn received() -> Option<u8> {
    match RECEIVED.load(Ordering::SeqCst) {
        0 => None,
        signal => Some(signal as u8),
    }
}

pub fn check() -> OrExit<()> {
    match received() {
        None => Ok(()),
        Some(signal) => Err(Exit::Interrupted {
            signal,
            reached: None,
        }),
    }
}

/// While this lives, the first signal only asks for the end. May be nested: the outermost decides.
pub struct Deferred {
    outermost: bool,
}

impl Deferred {
    pub fn new() -> Self {
        Self {
            outermost: AT_ONCE.swap(false, Ordering::SeqCst),
        }
    }
}

impl Drop for Deferred {
    fn drop(&mut self) {
        if self.outermost {
            AT_ONCE.store(true, Ordering::SeqCst);
        }
    }
}
