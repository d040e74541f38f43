//! Progress and messages on stderr.

pub(super) mod progress;

use std::fmt::Display;
use std::io::{Write, stderr};

use super::flags::options::MessageOptions;
use super::format::escape_control_chars;
pub(super) use progress::Bar;
use progress::{ProgressMode, ProgressState};

pub(super) struct Ui {
    options: MessageOptions,
    progress: ProgressMode,
    pub bar: Bar,
}

impl Ui {
    pub(super) fn new(options: MessageOptions) -> Self {
        Self {
            options,
            progress: ProgressMode::new(options.progress, options.quiet),
            bar: Bar::default(),
        }
    }

    pub(super) fn is_quiet(&self) -> bool {
        self.options.quiet
    }

    pub(super) fn error(&self, line: impl Display) {
        self.bar.suspend(|| print_line(line));
    }

    pub(super) fn note(&self, line: impl Display) {
        if !self.options.quiet {
            self.error(line);
        }
    }

    pub(super) fn detail(&self, line: impl Display) {
        if self.options.verbose {
            self.error(line);
        }
    }

    pub(super) fn show(&self, state: &ProgressState) {
        match self.progress {
            ProgressMode::Bar => self.bar.draw(state),
            ProgressMode::Lines(first) => {
                if let Some(line) = state.line_if_due(first) {
                    self.error(line);
                }
            }
            ProgressMode::None => {}
        }
    }
}

/// Prints one line on stderr, preceded by the program's name. Write errors are ignored.
pub(super) fn print_line(line: impl Display) {
    // Jobs may share a log, so the whole line is written at once.
    let line = escape_control_chars(&line.to_string());
    let _ = stderr().write_all(format!("queencount: {line}\n").as_bytes());
}

/// Prints one line on stderr, unless that would block.
#[cfg(unix)]
pub(super) fn try_print_line(line: impl Display) {
    if is_ready(&stderr(), rustix::event::PollFlags::OUT) {
        print_line(line);
    }
}

#[cfg(unix)]
pub(super) fn is_ready(file: &impl std::os::fd::AsFd, states: rustix::event::PollFlags) -> bool {
    use rustix::event::{PollFd, Timespec, poll};
    let mut files = [PollFd::new(file, states)];
    poll(&mut files, Some(&Timespec::default())).is_ok() && files[0].revents().intersects(states)
}
