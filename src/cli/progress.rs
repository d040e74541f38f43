//! The progress of what lasts, on standard error: of counts, and of other work with a measure.
//!
//! On a terminal it is one line that redraws itself and vanishes in the end. Elsewhere (a log file, a batch job) it is
//! a plain line now and then.
//!
//! ```text
//!   N = 18  42.1 % [=========>             ] 12s, 17s left, 280,123,456 found, 23.1 M/s
//! ```

mod meter;
mod view;

use std::io::{IsTerminal, stderr};
use std::time::{Duration, Instant};

use clap::ValueEnum;
use console::Term;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use super::aside::{bar, bar_if_free};
use super::notes::note;
pub use meter::{Gauge, Meter, Steps};
use view::View;

/// What is done sooner shows no progress.
const PATIENCE: Duration = Duration::from_millis(500);

/// The time between two plain lines.
const INTERVAL: Duration = Duration::from_secs(30);

/// The parts that the bar is made of: finer than any terminal shows.
const PARTS: u64 = 1 << 20;

/// When to show progress.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum When {
    /// A bar if standard error is a terminal, otherwise a plain line every 30 s; nothing with --quiet
    Auto,
    /// The same as auto, but also with --quiet, and the first plain line comes after half a second
    Always,
    /// No progress
    Never,
}

/// Whether and where progress is shown.
#[derive(Clone, Copy, Debug)]
pub enum Progress {
    /// Not at all.
    None,
    /// As a bar on a terminal.
    Bar,
    /// In plain lines, the first after this time.
    Lines(Duration),
}

impl Progress {
    /// As the options say.
    pub fn new(when: When, quiet: bool) -> Self {
        let terminal = stderr().is_terminal() && std::env::var_os("TERM").is_none_or(|term| term != "dumb");
        match when {
            When::Never => Self::None,
            When::Auto if quiet => Self::None,
            _ if terminal => Self::Bar,
            When::Auto => Self::Lines(INTERVAL),
            When::Always => Self::Lines(PATIENCE),
        }
    }

    /// The display of work that began at `start`, or of the next piece of it.
    pub fn display(self, start: Instant) -> Display {
        Display { progress: self, start, next: self.next_after(start.elapsed()) }
    }

    /// When to show it next. Plain lines keep their distance also where each is shown by another display.
    fn next_after(self, elapsed: Duration) -> Option<Duration> {
        match self {
            Self::None => None,
            Self::Bar => Some(PATIENCE),
            Self::Lines(first) => {
                let passed = elapsed.checked_sub(first).map_or(0, |since| 1 + since.as_secs() / INTERVAL.as_secs());
                Some(first + INTERVAL * passed as u32)
            }
        }
    }
}

/// The progress of one piece of work.
pub struct Display {
    progress: Progress,
    start: Instant,
    /// When to show it next.
    next: Option<Duration>,
}

impl Display {
    /// Shows the progress, if it is time to.
    pub fn show(&mut self, gauge: &dyn Gauge) {
        let elapsed = self.start.elapsed();
        if self.next.is_none_or(|next| elapsed < next) {
            return;
        }
        let view = View::new(gauge.title(), gauge.sums(), elapsed);
        if let Progress::Lines(_) = self.progress {
            note(format_args!("{}", view.line()));
            self.next = self.progress.next_after(elapsed);
        } else {
            Self::draw(&view);
        }
    }

    /// Leaves the terminal as if there had been no bar.
    pub fn clear(self) {
        if let Some(bar) = bar().take() {
            bar.finish_and_clear();
            clear_below();
        }
    }

    fn draw(view: &View) {
        let Some(mut bar) = bar_if_free() else { return };
        // The terminal may have been resized. A pseudo-terminal may say that it has no columns at all.
        let width = match Term::stderr().size_checked() {
            Some((_, columns)) if columns > 0 => usize::from(columns),
            _ => 80,
        };
        let (left, right, length) = view.around_the_bar(width);
        let bar = bar
            .get_or_insert_with(|| ProgressBar::with_draw_target(Some(PARTS), ProgressDrawTarget::stderr_with_hz(20)));
        // In one piece: set one after the other, parts for different widths would share a line for a moment.
        let line = if length == 0 { left } else { format!("{left} [{{bar:{length}}}] {right}") };
        if let Ok(style) = ProgressStyle::with_template(&line) {
            // Plain ASCII without colours, for every locale, terminal and taste.
            bar.set_style(style.progress_chars("=> "));
        }
        bar.set_position((view.share * PARTS as f64) as u64);
        bar.tick();
        clear_below();
    }
}

/// Clears what stands below the bar, and leaves the cursor where the bar begins. A terminal that becomes narrower wraps
/// the bar: what it wraps stands below the cursor then, and goes with the next one. The last column is free.
fn clear_below() {
    // A terminal that takes nothing shows no bar either.
    let _ = Term::stderr().write_str("\x1b[999C\x1b[J\r");
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plain_lines_keep_their_distance_from_piece_to_piece() {
        for (first, elapsed, next) in [(30, 0, 30), (30, 29, 30), (30, 30, 60), (30, 61, 90), (1, 0, 1), (1, 40, 61)] {
            let [first, elapsed, next] = [first, elapsed, next].map(Duration::from_secs);
            assert_eq!(Progress::Lines(first).next_after(elapsed), Some(next), "{first:?}, {elapsed:?}");
        }
    }
}
