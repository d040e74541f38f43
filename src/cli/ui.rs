//! Progress and messages on stderr.

pub(super) mod progress;

use std::fmt::Display;
use std::io::{Write, stderr};
use std::time::Duration;

use super::flags::options::MessageOptions;
use super::format::escape_control_chars;
pub(super) use progress::Bar;
use progress::{LINE_INTERVAL, Progress, ProgressMode};

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

    pub(super) fn shows_progress(&self) -> bool {
        !matches!(self.progress, ProgressMode::None)
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

    /// Draws the bar, or prints a line if one is due. `next_line` is the elapsed time at which that
    /// is the case, or `None` before the first line.
    pub(super) fn show(&self, progress: &Progress, next_line: &mut Option<Duration>) {
        match self.progress {
            ProgressMode::Bar => self.bar.draw(&progress.view()),
            ProgressMode::Lines(first) => {
                let view = progress.view();
                if view.elapsed >= next_line.unwrap_or(first) {
                    *next_line = Some(view.elapsed + LINE_INTERVAL);
                    self.error(view.line());
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

#[cfg(unix)]
pub(super) fn is_ready(file: &impl std::os::fd::AsFd, states: rustix::event::PollFlags) -> bool {
    use rustix::event::{PollFd, Timespec, poll};
    let mut files = [PollFd::new(file, states)];
    poll(&mut files, Some(&Timespec::default())).is_ok() && files[0].revents().intersects(states)
}
