//! The progress of what lasts, on standard error: of counts, and of other work with a measure.
//!
//! On a terminal it is one line that redraws itself and vanishes in the end. Elsewhere (a log file, a batch job) it is
//! a plain line now and then.
//!
//! ```text
//!   N = 18  42.1 % [=========>             ] 12s, 17s left, 280,123,456 found, 23.1 M/s
//! ```

mod gauge;

use std::io::{IsTerminal, stderr};
use std::sync::PoisonError;
use std::time::Duration;

use clap::ValueEnum;
use console::Term;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use super::notes::{BAR, bar, note};
pub use gauge::Gauge;
use gauge::View;

/// What is done sooner shows no progress.
const PATIENCE: Duration = Duration::from_millis(500);

const INTERVAL: Duration = Duration::from_secs(30);

/// The parts that the bar is made of: finer than any terminal shows.
const PARTS: u64 = 1 << 20;

/// When to show progress.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum When {
    /// A bar if standard error is a terminal, otherwise a plain line every 30 s; nothing with --quiet
    #[default]
    Auto,
    /// The same as auto, but also with --quiet, and the first plain line comes after half a second
    Always,
    /// No progress
    Never,
}

#[derive(Clone, Copy, Debug)]
pub enum Progress {
    None,
    Bar,
    /// In plain lines, the first after this time.
    Lines(Duration),
}

impl Progress {
    pub fn new(when: When, quiet: bool) -> Self {
        // Windows has no such variable. Elsewhere a terminal without a name cannot be drawn on.
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

    /// Shows how far some work has come after this time, if it is time to.
    pub fn show(self, gauge: &Gauge, elapsed: Duration) {
        match self {
            Self::Bar if elapsed >= PATIENCE => draw(&gauge.view(elapsed)),
            Self::Lines(first) => {
                // The gauge knows when, because work may be watched piece by piece.
                let mut next = gauge.next_line.lock().unwrap_or_else(PoisonError::into_inner);
                if elapsed >= next.unwrap_or(first) {
                    note(format_args!("{}", gauge.view(elapsed).line()));
                    *next = Some(elapsed + INTERVAL);
                }
            }
            Self::None | Self::Bar => {}
        }
    }

    /// Leaves the terminal as if there had been no bar.
    pub fn clear() {
        if let Some(bar) = bar().take() {
            bar.finish_and_clear();
            clear_below();
        }
    }
}

fn draw(view: &View) {
    // Drawing must not wait while another thread's writing is blocked by its reader.
    let Ok(mut bar) = BAR.try_lock() else { return };
    // The terminal may have been resized. A pseudo-terminal may say that it has no columns at all.
    let width = match Term::stderr().size_checked() {
        Some((_, columns)) if columns > 0 => usize::from(columns),
        _ => 80,
    };
    let (left, right, length) = view.around_the_bar(width);
    let bar =
        bar.get_or_insert_with(|| ProgressBar::with_draw_target(Some(PARTS), ProgressDrawTarget::stderr_with_hz(20)));
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

/// Clears what stands below the bar, and leaves the cursor where the bar begins. A terminal that becomes narrower wraps
/// the bar: what it wraps stands below the cursor then, and goes with the next one. The last column is free.
fn clear_below() {
    // A terminal that takes nothing shows no bar either.
    let _ = Term::stderr().write_str("\x1b[999C\x1b[J\r");
}
