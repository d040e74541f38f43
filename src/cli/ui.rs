//! Progress and messages on stderr.

pub mod progress;

use std::fmt::Arguments;
use std::io::{Write, stderr};

use super::flags::options::MessageOptions;
pub use progress::Bar;
use progress::{ProgressMode, ProgressState};

/// How much is printed besides results.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Verbosity {
    Errors,
    Notes,
    Details,
}

/// The messages and the progress that the options ask for.
#[derive(Clone)]
pub struct Ui {
    verbosity: Verbosity,
    progress: ProgressMode,
    pub bar: Bar,
}

impl Ui {
    pub fn new(options: MessageOptions) -> Self {
        let verbosity = if options.quiet {
            Verbosity::Errors
        } else if options.verbose {
            Verbosity::Details
        } else {
            Verbosity::Notes
        };
        Self {
            verbosity,
            progress: ProgressMode::new(options.progress, options.quiet),
            bar: Bar::default(),
        }
    }

    pub fn is_quiet(&self) -> bool {
        self.verbosity == Verbosity::Errors
    }

    /// Prints a line, also with `--quiet`.
    pub fn error(&self, line: Arguments) {
        self.bar.suspend(|| print_line(line));
    }

    /// Prints a line unless there is `--quiet`.
    pub fn note(&self, line: Arguments) {
        if self.verbosity >= Verbosity::Notes {
            self.error(line);
        }
    }

    /// Prints a line if there is `--verbose`.
    pub fn detail(&self, line: Arguments) {
        if self.verbosity == Verbosity::Details {
            self.error(line);
        }
    }

    /// Shows how far some work has come, if it is time to.
    pub fn show(&self, state: &ProgressState) {
        match self.progress {
            ProgressMode::Bar => self.bar.draw(state),
            ProgressMode::Lines(first) => {
                if let Some(line) = state.line_if_due(first) {
                    self.error(format_args!("{line}"));
                }
            }
            ProgressMode::None => {}
        }
    }
}

/// Prints a line on stderr, after the name of the program. A failure to write is ignored.
pub fn print_line(line: Arguments) {
    // In one piece, so that the lines of jobs that share a log do not mix.
    let line = escape_control_chars(&line.to_string());
    let _ = stderr().write_all(format!("queencount: {line}\n").as_bytes());
}

/// Prints a line on stderr unless that would block, because the program is exiting.
#[cfg(unix)]
pub fn try_print_line(line: Arguments) {
    if is_ready(&stderr(), rustix::event::PollFlags::OUT) {
        print_line(line);
    }
}

/// Escapes what would make a terminal do something else than show it: names of files, sites and
/// hosts may hold an escape sequence, a newline that forges a line, or a mark that changes the
/// direction of writing.
pub fn escape_control_chars(text: &str) -> String {
    let mut escaped = String::new();
    for c in text.chars() {
        if c.is_control()
            || matches!(c, '\u{61c}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}')
            || matches!(c, '\u{2060}'..='\u{206f}' | '\u{feff}')
        {
            escaped.extend(c.escape_default());
        } else {
            escaped.push(c);
        }
    }
    escaped
}

/// Returns whether a file is in one of these states now.
#[cfg(unix)]
pub fn is_ready(file: &impl std::os::fd::AsFd, states: rustix::event::PollFlags) -> bool {
    use rustix::event::{PollFd, Timespec, poll};
    let mut files = [PollFd::new(file, states)];
    poll(&mut files, Some(&Timespec::default())).is_ok() && files[0].revents().intersects(states)
}
