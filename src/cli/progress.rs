//! The progress of what lasts, on standard error: of counts, and of other work with a measure.
//!
//! On a terminal it is one line that redraws itself and vanishes in the end. Elsewhere (a log file,
//! a batch job) it is a plain line now and then.
//!
//! ```text
//!   N = 18  42.1 % [=========>             ] 12s, 17s left, 280,123,456 found, 23.1 M/s
//! ```
//!
//! The gauge of a count measures the *work*, not the number of units, because units differ in cost.
//! The engine says what it expects of each.

use std::io::{IsTerminal, stderr};
use std::ops::Range;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use clap::ValueEnum;
use console::Term;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use queencount::{BoardSize, Engine, Task};

use super::notes::{BAR, bar, note};
use super::numbers::{clock, grouped, rate};

/// What is done sooner shows no progress.
const PATIENCE: Duration = Duration::from_millis(500);

const INTERVAL: Duration = Duration::from_secs(30);

/// The parts that the bar is made of: finer than any terminal shows.
const PARTS: u64 = 1 << 20;

/// When to show progress.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum When {
    /// A bar if standard error is a terminal, otherwise a plain line every 30 s; nothing with
    /// --quiet
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
        let draws = std::env::var_os("TERM")
            .map_or(cfg!(windows), |term| !term.is_empty() && term != "dumb");
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
                let mut next = gauge
                    .next_line
                    .lock()
                    .unwrap_or_else(PoisonError::into_inner);
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
    let bar = bar.get_or_insert_with(|| {
        ProgressBar::with_draw_target(Some(PARTS), ProgressDrawTarget::stderr_with_hz(20))
    });
    // In one piece: set one after the other, parts for different widths would share a line for a
    // moment.
    let line = if length == 0 {
        left
    } else {
        format!("{left} [{{bar:{length}}}] {right}")
    };
    if let Ok(style) = ProgressStyle::with_template(&line) {
        // Plain ASCII without colours, for every locale, terminal and taste.
        bar.set_style(style.progress_chars("=> "));
    }
    bar.set_position((view.share * PARTS as f64) as u64);
    bar.tick();
    clear_below();
}

/// Clears what stands below the bar, and leaves the cursor where the bar begins. A terminal that
/// becomes narrower wraps the bar: what it wraps stands below the cursor then, and goes with the
/// next one. The last column is free.
fn clear_below() {
    // A terminal that takes nothing shows no bar either.
    let _ = Term::stderr().write_str("\x1b[999C\x1b[J\r");
}

/// Tells how far some work has come, while it goes on.
pub struct Gauge {
    /// What the work is for, such as "N = 18".
    pub title: String,
    whole: u64,
    /// The part of it that was finished before the clock began to run.
    before: u64,
    /// The part that has been finished since, and the solutions that it has found, if it looks for
    /// any. A task takes the lock for the time of two additions, which is nothing beside the time
    /// of the task.
    done: Mutex<(u64, Option<u128>)>,
    /// After which time the next plain line is due, if one has been shown.
    next_line: Mutex<Option<Duration>>,
}

/// So many parts of the work of all units of a board, which are added as integers: so no rounding
/// gathers over millions of tasks.
fn parts(work: f64) -> u64 {
    ((1_u64 << 53) as f64 * work) as u64
}

impl Gauge {
    /// Nothing of this number of steps is done yet.
    pub fn of_steps(title: String, whole: u64) -> Self {
        Self {
            title,
            whole,
            before: 0,
            done: Mutex::new((0, None)),
            next_line: Mutex::new(None),
        }
    }

    /// No solution has been passed yet, of so many that are to be passed.
    pub fn of_solutions(size: BoardSize, whole: u128) -> Self {
        let whole = whole.try_into().unwrap_or(u64::MAX);
        Self {
            done: Mutex::new((0, Some(0))),
            ..Self::of_steps(format!("N = {size}"), whole)
        }
    }

    /// These units are to be counted, and nothing is finished yet.
    pub fn of_units(engine: &dyn Engine, units: impl Iterator<Item = Range<u64>>) -> Self {
        Self {
            whole: parts_of(engine, units),
            ..Self::of_solutions(engine.size(), 0)
        }
    }

    /// Some of the units are a part of the board with a name, and have been counted before.
    pub fn resumed(
        self,
        title: String,
        engine: &dyn Engine,
        counted: impl Iterator<Item = Range<u64>>,
    ) -> Self {
        Self {
            title,
            before: parts_of(engine, counted),
            ..self
        }
    }

    /// So many of the steps are done now.
    pub fn reach(&self, steps: u64) {
        let mut done = self.lock();
        *done = (steps, done.1.map(|_| steps.into()));
    }

    /// What there is to say after this time. The rest is taken to go on as in the time that has
    /// passed: before the first task is done, its length is unknown.
    pub fn view(&self, elapsed: Duration) -> View {
        let (work, solutions) = *self.lock();
        let done = self.before + work;
        let share = (done as f64 / self.whole.max(1) as f64).clamp(0.0, 1.0);
        let rest = self.whole.saturating_sub(done) as f64;
        let left = Duration::try_from_secs_f64(elapsed.as_secs_f64() * rest / work as f64)
            .ok()
            .filter(|_| work > 0);
        View {
            title: self.title.clone(),
            share,
            elapsed,
            left,
            solutions,
        }
    }

    pub fn add(&self, task: &Task) {
        let mut done = self.lock();
        *done = (
            done.0 + parts(task.work),
            done.1.map(|solutions| solutions + task.count),
        );
    }

    fn lock(&self) -> MutexGuard<'_, (u64, Option<u128>)> {
        self.done.lock().expect("no thread panics with the lock")
    }
}

/// The expected work of some units.
fn parts_of(engine: &dyn Engine, units: impl Iterator<Item = Range<u64>>) -> u64 {
    let before = |unit| parts(engine.cumulative_work(unit));
    units
        .map(|units| before(units.end).saturating_sub(before(units.start)))
        .sum()
}

/// What there is to say about work that is under way.
pub struct View {
    pub title: String,
    /// The share of the work that is done, from 0 to 1.
    pub share: f64,
    pub elapsed: Duration,
    pub left: Option<Duration>,
    /// The solutions that have been found, if any are looked for.
    pub solutions: Option<u128>,
}

impl View {
    pub fn line(&self) -> String {
        let Self { title, share, .. } = self;
        let [elapsed, left] = self.times();
        let parts: Vec<String> = [format!("{elapsed} elapsed"), left]
            .into_iter()
            .chain(self.found())
            .collect();
        format!(
            "{title}: {:.1} % of the work, {}",
            100.0 * share,
            parts.join(", ")
        )
    }

    /// How far work came that has ended.
    pub fn reached(&self) -> String {
        let (seconds, percent) = (self.elapsed.as_secs_f64(), 100.0 * self.share);
        format!(
            "after {seconds:.1} s, with {percent:.1} % of the work for {} done",
            self.title
        )
    }

    /// The text to the left and to the right of the bar, and the length of the bar, on a line of
    /// this width. On a short line the least important parts are left out first, and the bar itself
    /// last.
    pub fn around_the_bar(&self, width: usize) -> (String, String, usize) {
        const SHORTEST: usize = 8;
        const LONGEST: usize = 40;
        let percent = format!("{:.1} %", 100.0 * self.share);
        let named = format!("{}  {percent}", self.title);
        let parts: Vec<String> = [self.times().join(", ")]
            .into_iter()
            .chain(self.found())
            .collect();
        for shown in (1..=parts.len()).rev() {
            let message = parts[..shown].join(", ");
            for prefix in [&named, &percent] {
                // Everything here is ASCII: bytes are columns. The last column stays free: some
                // terminals wrap after it.
                let room = width.saturating_sub(prefix.len() + " [] ".len() + message.len() + 1);
                if room >= SHORTEST {
                    return (prefix.clone(), message, room.min(LONGEST));
                }
            }
        }
        (
            percent.chars().take(width.saturating_sub(1)).collect(),
            String::new(),
            0,
        )
    }

    fn times(&self) -> [String; 2] {
        let left = self.left.map_or_else(
            || "? left".to_owned(),
            |left| format!("{} left", clock(left)),
        );
        [clock(self.elapsed), left]
    }

    fn found(&self) -> Vec<String> {
        let said = |solutions: u128| {
            let per_second = solutions as f64 / self.elapsed.as_secs_f64();
            vec![
                format!("{} found", grouped(solutions)),
                format!("{}/s", rate(per_second)),
            ]
        };
        self.solutions.map(said).unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use queencount::{Counter, EngineChoice};

    use super::*;

    #[test]
    fn a_gauge_knows_the_work_that_is_done_and_what_it_has_found() {
        let engine = EngineChoice::Backtrack.engine(BoardSize::new(10).unwrap());
        let (engine, cut) = (engine.as_ref(), engine.units() / 3);
        let before = engine.cumulative_work(cut);
        let count = |gauge: &Gauge, units| {
            Counter::default()
                .threads(2)
                .on_task(&|task| gauge.add(task))
                .count_units(engine, &[units])
                .unwrap()
        };
        // What had been counted before counts as done, and not for the pace.
        let gauge = Gauge::of_units(engine, std::iter::once(0..engine.units()));
        let gauge = gauge.resumed("part of N = 10".to_owned(), engine, std::iter::once(0..1));
        let view = || gauge.view(Duration::from_secs(60));
        assert_eq!(
            (view().title.as_str(), view().solutions, view().left),
            ("part of N = 10", Some(0), None)
        );
        assert!((view().share - engine.cumulative_work(1)).abs() < 1e-9);
        let found = count(&gauge, 1..cut);
        let (work, left) = (
            before - engine.cumulative_work(1),
            view().left.unwrap().as_secs_f64(),
        );
        assert!(
            (view().share - before).abs() < 1e-9
                && (left - 60.0 * (1.0 - before) / work).abs() < 1e-6
        );
        let found = found + count(&gauge, cut..engine.units());
        assert!((view().share - 1.0).abs() < 1e-9 && view().solutions == Some(found));
        assert_eq!(
            Gauge::of_units(engine, std::iter::empty())
                .view(Duration::ZERO)
                .share,
            0.0
        );
    }

    fn view(title: &str, seconds: [u64; 2], solutions: Option<u128>) -> View {
        let [elapsed, left] = seconds.map(Duration::from_secs);
        View {
            title: title.to_owned(),
            share: 0.421,
            elapsed,
            left: Some(left),
            solutions,
        }
    }

    #[test]
    fn a_shorter_line_says_less_and_has_a_bar_as_long_as_there_is_room_for_one() {
        let view = view("N = 18", [12, 16], Some(280_123_456));
        for (width, left, right, bar) in [
            (
                300,
                "N = 18  42.1 %",
                "12s, 16s left, 280,123,456 found, 23.3 M/s",
                40,
            ),
            (
                69,
                "N = 18  42.1 %",
                "12s, 16s left, 280,123,456 found, 23.3 M/s",
                8,
            ),
            (
                61,
                "42.1 %",
                "12s, 16s left, 280,123,456 found, 23.3 M/s",
                8,
            ),
            (60, "N = 18  42.1 %", "12s, 16s left, 280,123,456 found", 9),
            (40, "N = 18  42.1 %", "12s, 16s left", 8),
            (32, "42.1 %", "12s, 16s left", 8),
            (31, "42.1 %", "", 0),
            (6, "42.1 ", "", 0),
        ] {
            assert_eq!(
                view.around_the_bar(width),
                (left.to_owned(), right.to_owned(), bar),
                "{width}"
            );
        }
        let line = "N = 18: 42.1 % of the work, 12s elapsed, 16s left, 280,123,456 found, 23.3 M/s";
        assert_eq!(view.line(), line);
        assert_eq!(
            view.reached(),
            "after 12.0 s, with 42.1 % of the work for N = 18 done"
        );
    }

    #[test]
    fn the_line_fits_every_terminal() {
        for solutions in [Some(234_907_967_154_122_528), None] {
            let view = view("N = 27", [12_345_678, 6_308_641_458], solutions);
            for width in 1..300 {
                let (left, right, bar) = view.around_the_bar(width);
                let around = if bar == 0 { 0 } else { " [] ".len() };
                assert!(
                    left.len() + around + bar + right.len() < width,
                    "{width}: {left:?} {right:?} {bar}"
                );
            }
        }
    }
}
