//! What the program says beside its results: lines on standard error. The progress bar is hidden
//! while they are written.
//!
//! Results and notes may come while a bar is shown, from other threads than the one that draws it.
//! Without this they would begin after the bar, or be overwritten by it.

use std::fmt::Arguments;
use std::io::{Write, stderr};
use std::sync::{Mutex, MutexGuard, PoisonError};

use indicatif::ProgressBar;

/// The bar that is shown, if one is.
pub static BAR: Mutex<Option<ProgressBar>> = Mutex::new(None);

/// What is said beside results.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Verbosity {
    Errors,
    /// What a user should know.
    Notes,
    /// Everything.
    Details,
}

/// Says something on standard error, after the name of the program. A failure to write is ignored.
pub fn note(line: Arguments) {
    // In one piece, so that the lines of jobs that share a log do not mix.
    let line = in_one_line(&line.to_string());
    let _ = aside(|| stderr().write_all(format!("queencount: {line}\n").as_bytes()));
}

/// Text without what makes a terminal do something else than show it: names of files, sites and
/// hosts may hold an escape sequence, a newline that forges a line, or a mark that turns the
/// direction of writing.
pub fn in_one_line(text: &str) -> String {
    let acts = |c: char| {
        c.is_control()
            || matches!(c, '\u{61c}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}')
            || matches!(c, '\u{2060}'..='\u{206f}' | '\u{feff}')
    };
    text.chars()
        .map(|c| {
            if acts(c) {
                c.escape_default().to_string()
            } else {
                c.to_string()
            }
        })
        .collect()
}

/// Says something on standard error unless that would block: the end of the program does not wait,
/// nor for the bar.
#[cfg(unix)]
pub fn note_in_passing(line: &str) {
    if is_now(&stderr(), rustix::event::PollFlags::OUT) {
        let _ = stderr().write_all(format!("queencount: {line}\n").as_bytes());
    }
}

/// Whether the end of a pipe is in one of these states now.
#[cfg(unix)]
pub fn is_now(end: &impl std::os::fd::AsFd, states: rustix::event::PollFlags) -> bool {
    use rustix::event::{PollFd, Timespec, poll};
    let mut pipe = [PollFd::new(end, states)];
    poll(&mut pipe, Some(&Timespec::default())).is_ok() && pipe[0].revents().intersects(states)
}

/// Writes something while no bar is in the way. The bar comes back below it.
pub fn aside<T>(write: impl FnOnce() -> T) -> T {
    match bar().as_ref() {
        Some(bar) => bar.suspend(write),
        None => write(),
    }
}

/// The place of the bar, as soon as nothing is being written.
pub fn bar() -> MutexGuard<'static, Option<ProgressBar>> {
    BAR.lock().unwrap_or_else(PoisonError::into_inner)
}
