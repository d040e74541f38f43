//! The progress of what lasts, on standard error: of counts, and of other work with a measure.
//!
//! On a terminal it is one line that redraws itself and vanishes in the end. Elsewhere (a log file, a batch job) it is
//! a plain line now and then.
//!
//! ```text
//!   N = 18  42.1 % [=========>             ] 12s, 17s left, 280,123,456 found, 23.1 M/s
//! ```

mod gauge;
mod view;

use std::io::{IsTerminal, stderr};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use clap::ValueEnum;
use console::Term;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use super::notes::{bar, bar_if_free, note};
pub use gauge::Gauge;
use view::View;

/// What is done sooner shows no progress.
const PATIENCE: Duration = Duration::from_millis(500);

/// The time between two plain lines.
const INTERVAL: Duration = Duration::from_secs(30);

/// The last plain line: when its work began, and when the next line is due. Work may be watched piece by piece, and a line
/// that falls due between two pieces is for the next one to show.
static LAST: Mutex<Option<(Instant, Duration)>> = Mutex::new(None);

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
        // Windows has no such variable. Elsewhere a terminal without a name is one that nobody knows how to draw on.
        let draws = std::env::var_os("TERM").map_or(cfg!(windows), |term| !term.is_empty() && term != "dumb");
        let terminal = stderr().is_terminal() && draws;
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
        let last = LAST.lock().unwrap_or_else(PoisonError::into_inner).filter(|(begun, _)| *begun == start);
        let next = match self {
            Self::None => None,
            Self::Bar => Some(PATIENCE),
            Self::Lines(first) => Some(last.map_or(first, |(_, next)| next)),
        };
        Display { progress: self, start, next }
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
    pub fn show(&mut self, gauge: &Gauge) {
        let elapsed = self.start.elapsed();
        let Some(next) = self.next.filter(|next| elapsed >= *next) else { return };
        let view = gauge.view(elapsed);
        if let Progress::Lines(_) = self.progress {
            note(format_args!("{}", view.line()));
            let next = due_after(next, elapsed);
            *LAST.lock().unwrap_or_else(PoisonError::into_inner) = Some((self.start, next));
            self.next = Some(next);
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

/// When the line is due that follows one that was due at `next` and has been shown after `elapsed`: lines keep their
/// distance, however late one is shown.
fn due_after(next: Duration, elapsed: Duration) -> Duration {
    let passed = elapsed.saturating_sub(next).as_secs() / INTERVAL.as_secs();
    next + INTERVAL * (1 + passed as u32)
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
    fn plain_lines_keep_their_distance() {
        for (due, elapsed, next) in [(30, 30, 60), (30, 59, 60), (30, 61, 90), (1, 1, 31), (1, 40, 61)] {
            let [due, elapsed, next] = [due, elapsed, next].map(Duration::from_secs);
            assert_eq!(due_after(due, elapsed), next, "{due:?}, {elapsed:?}");
        }
    }

    #[test]
    fn a_line_that_falls_due_between_two_pieces_is_shown_by_the_next_one_and_only_once() {
        let gauge = Gauge::of_steps("some work".to_owned(), 10);
        let ago = |seconds| Instant::now().checked_sub(Duration::from_secs(seconds)).unwrap();
        let (start, other) = (ago(40), ago(40));
        let progress = Progress::Lines(PATIENCE);
        // Nobody has looked at the first piece while it lasted.
        let _first = progress.display(start);
        let mut second = progress.display(start);
        assert_eq!(second.next, Some(PATIENCE));
        second.show(&gauge);
        let next = Some(PATIENCE + 2 * INTERVAL);
        assert_eq!(second.next, next);
        assert_eq!(progress.display(start).next, next);
        assert_eq!(progress.display(other).next, Some(PATIENCE));
    }
}
