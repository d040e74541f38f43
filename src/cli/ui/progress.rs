//! Progress on stderr: a bar on a terminal, otherwise a plain line from time to time.
//!
//! ```text
//!   N = 18  42.1% [=========>             ] 12s, 17s left, 280,123,456 found, 23.1 M/s
//! ```
//!
//! The progress of a count is the fraction of its *work* that is done, as estimated by the engine,
//! because units differ in cost.

use std::io::{IsTerminal, stderr};
use std::ops::Range;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use crate::{BoardSize, Engine, Task};
use clap::ValueEnum;
use console::Term;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use crate::cli::numbers::{clock, grouped, rate};

/// No progress is shown for work that ends sooner than this.
const DELAY: Duration = Duration::from_millis(500);

const INTERVAL: Duration = Duration::from_secs(30);

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum When {
    /// In a terminal, show a bar; otherwise, print a line every 30 s; with --quiet, show nothing
    #[default]
    Auto,
    /// Show progress even with --quiet, and print the first line after half a second
    Always,
    /// Show no progress
    Never,
}

#[derive(Clone, Copy, Debug)]
pub(crate) enum ProgressMode {
    None,
    Bar,
    /// Plain lines, the first one after this time.
    Lines(Duration),
}

impl ProgressMode {
    pub(crate) fn new(when: When, quiet: bool) -> Self {
        // If `TERM` is not set, draw a bar only on Windows, which does not set it.
        let draws = std::env::var_os("TERM")
            .map_or(cfg!(windows), |term| !term.is_empty() && term != "dumb");
        match when {
            When::Never => Self::None,
            When::Auto if quiet => Self::None,
            _ if stderr().is_terminal() && draws => Self::Bar,
            When::Auto => Self::Lines(INTERVAL),
            When::Always => Self::Lines(DELAY),
        }
    }
}

#[derive(Clone, Default)]
pub(crate) struct Bar(Arc<Mutex<Option<ProgressBar>>>);

impl Bar {
    pub(crate) fn suspend<T>(&self, write: impl FnOnce() -> T) -> T {
        match &*self.lock() {
            Some(bar) => bar.suspend(write),
            None => write(),
        }
    }

    fn lock(&self) -> MutexGuard<'_, Option<ProgressBar>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(crate) fn draw(&self, state: &ProgressState) {
        let view = state.view();
        if view.elapsed < DELAY || !is_foreground() {
            return;
        }
        // The holder of the lock may be blocked while writing.
        let Ok(mut bar) = self.0.try_lock() else {
            return;
        };
        // Pseudo-terminals may report a width of zero.
        let width = match Term::stderr().size_checked() {
            Some((_, columns)) if columns > 0 => usize::from(columns),
            _ => 80,
        };
        /// The number of steps in the bar: more than any terminal can show.
        const STEPS: u64 = 1 << 20;
        let bar = bar.get_or_insert_with(|| {
            ProgressBar::with_draw_target(Some(STEPS), ProgressDrawTarget::stderr_with_hz(20))
        });
        if let Ok(style) = ProgressStyle::with_template(&view.template(width)) {
            // ASCII without colours works in every locale and terminal.
            bar.set_style(style.progress_chars("=> "));
        }
        bar.set_position((view.fraction * STEPS as f64) as u64);
        bar.tick();
        clear_below();
    }

    pub(crate) fn clear(&self) {
        if let Some(bar) = self.lock().take() {
            bar.finish_and_clear();
            clear_below();
        }
    }
}

/// Clears everything below the bar, because the bar wraps when the terminal becomes narrower. The
/// cursor returns to the start of the bar.
fn clear_below() {
    let _ = Term::stderr().write_str("\x1b[999C\x1b[J\r");
}

/// Returns `true` if this job is in the foreground or if stderr is not its controlling terminal.
fn is_foreground() -> bool {
    #[cfg(unix)]
    if let Ok(foreground) = rustix::termios::tcgetpgrp(stderr()) {
        return foreground == rustix::process::getpgrp();
    }
    true
}

pub(crate) struct ProgressState {
    title: String,
    start: Instant,
    /// All the work, in the same unit as `before` and `Done::work`.
    whole: u64,
    /// The work that was done before the start.
    before: u64,
    /// Each task locks this only once.
    done: Mutex<Done>,
}

#[derive(Default)]
struct Done {
    work: u64,
    /// The number of solutions found so far, or `None` for work that is not a search for solutions.
    solutions: Option<u128>,
    /// The total time for which the process was stopped.
    paused: Duration,
    /// When the next plain line is due, or `None` before the first one.
    next_line: Option<Duration>,
}

/// Converts a fraction of the work to fixed point, so that sums over millions of tasks do not
/// drift.
fn fixed_point(work: f64) -> u64 {
    ((1_u64 << 53) as f64 * work) as u64
}

impl ProgressState {
    pub(crate) fn of_steps(title: String, whole: u64) -> Self {
        Self {
            title,
            start: Instant::now(),
            whole,
            before: 0,
            done: Mutex::default(),
        }
    }

    /// Creates the state for skipping `whole` solutions.
    pub(crate) fn of_solutions(size: BoardSize, whole: u128) -> Self {
        let state = Self::of_steps(format!("N = {size}"), whole.try_into().unwrap_or(u64::MAX));
        state.lock().solutions = Some(0);
        state
    }

    pub(crate) fn of_units(engine: &dyn Engine, units: impl Iterator<Item = Range<u64>>) -> Self {
        Self {
            whole: work_of(engine, units),
            ..Self::of_solutions(engine.size(), 0)
        }
    }

    /// Sets the title, and the units that were counted before the start.
    pub(crate) fn resumed(
        self,
        title: String,
        engine: &dyn Engine,
        counted: impl Iterator<Item = Range<u64>>,
    ) -> Self {
        Self {
            title,
            before: work_of(engine, counted),
            ..self
        }
    }

    pub(crate) fn reach(&self, steps: u64) {
        let mut done = self.lock();
        done.work = steps;
        done.solutions = done.solutions.map(|_| steps.into());
    }

    pub(crate) fn add(&self, task: &Task) {
        let mut done = self.lock();
        done.work += fixed_point(task.work);
        done.solutions = done.solutions.map(|solutions| solutions + task.count);
    }

    /// Excludes `time`, during which the process was stopped, from the elapsed time.
    pub(crate) fn add_pause(&self, time: Duration) {
        self.lock().paused += time;
    }

    /// Describes the progress, for the error message of an interrupted run.
    pub(crate) fn reached(&self) -> String {
        let view = self.view();
        format!(
            " after {:.1} s, with {} of the work for {} done",
            view.elapsed.as_secs_f64(),
            view.percent(),
            view.title
        )
    }

    /// Returns a plain line if one is due. The first line is due after `first`.
    pub(crate) fn line_if_due(&self, first: Duration) -> Option<String> {
        let view = self.view();
        let mut done = self.lock();
        if view.elapsed < done.next_line.unwrap_or(first) {
            return None;
        }
        done.next_line = Some(view.elapsed + INTERVAL);
        Some(view.line())
    }

    fn view(&self) -> View<'_> {
        let done = self.lock();
        self.view_at(&done, self.start.elapsed().saturating_sub(done.paused))
    }

    /// Returns the progress, given the elapsed time. The time left is based on the average rate,
    /// which is unknown until the first task is finished.
    fn view_at(&self, done: &Done, elapsed: Duration) -> View<'_> {
        let finished = self.before + done.work;
        let rest = self.whole.saturating_sub(finished) as f64;
        let left = Duration::try_from_secs_f64(elapsed.as_secs_f64() * rest / done.work as f64);
        View {
            title: &self.title,
            fraction: (finished as f64 / self.whole.max(1) as f64).clamp(0.0, 1.0),
            elapsed,
            left: left.ok().filter(|_| done.work > 0),
            solutions: done.solutions,
        }
    }

    fn lock(&self) -> MutexGuard<'_, Done> {
        self.done.lock().expect("no thread panics with the lock")
    }
}

/// Returns the expected work of these units, in fixed point.
fn work_of(engine: &dyn Engine, units: impl Iterator<Item = Range<u64>>) -> u64 {
    let up_to = |unit| fixed_point(engine.cumulative_work(unit));
    units
        .map(|units| up_to(units.end).saturating_sub(up_to(units.start)))
        .sum()
}

struct View<'a> {
    title: &'a str,
    fraction: f64,
    elapsed: Duration,
    left: Option<Duration>,
    solutions: Option<u128>,
}

impl View<'_> {
    fn percent(&self) -> String {
        format!("{:.1}%", 100.0 * self.fraction)
    }

    fn left(&self) -> String {
        match self.left {
            Some(left) => format!("{} left", clock(left)),
            None => "? left".to_owned(),
        }
    }

    fn line(&self) -> String {
        let mut line = format!(
            "{}: {} of the work, {} elapsed, {}",
            self.title,
            self.percent(),
            clock(self.elapsed),
            self.left()
        );
        if let Some(solutions) = self.solutions {
            line += &format!(", {} found, {}", grouped(solutions), self.rate(solutions));
        }
        line
    }

    fn rate(&self, solutions: u128) -> String {
        format!("{}/s", rate(solutions as f64 / self.elapsed.as_secs_f64()))
    }

    /// Returns the most detailed template of the bar that fits a terminal of this width. A very
    /// narrow terminal shows no bar.
    fn template(&self, width: usize) -> String {
        const SHORTEST: usize = 8;
        const LONGEST: usize = 40;
        let percent = self.percent();
        let left = self.left();
        let times = format!("{}, {left}", clock(self.elapsed));
        let mut messages = vec![left.clone(), times.clone()];
        if let Some(solutions) = self.solutions {
            let found = format!("{times}, {} found", grouped(solutions));
            messages.push(found.clone());
            messages.push(format!("{found}, {}", self.rate(solutions)));
        }
        for message in messages.iter().rev() {
            for prefix in [&format!("{}  {percent}", self.title), &percent] {
                // Some terminals wrap after the last column.
                let others = prefix.len() + " [] ".len() + message.len() + 1;
                let bar = width.saturating_sub(others).min(LONGEST);
                if bar >= SHORTEST {
                    return format!("{prefix} [{{bar:{bar}}}] {message}");
                }
            }
        }
        let without_bar = format!("{percent} {left}");
        if without_bar.len() < width {
            return without_bar;
        }
        percent.chars().take(width.saturating_sub(1)).collect()
    }
}

#[cfg(test)]
mod tests {
    use std::iter::once;

    use crate::{Counter, EngineChoice};

    use super::*;

    #[test]
    fn progress_sums_work_and_solutions_of_tasks() {
        let engine = EngineChoice::Backtrack.engine(BoardSize::new(10).unwrap());
        let engine = engine.as_ref();
        let cut = engine.units() / 3;
        let before = engine.cumulative_work(cut);
        // Earlier counts contribute to the progress, but not to the rate.
        let state = ProgressState::of_units(engine, once(0..engine.units()));
        let state = state.resumed("part of N = 10".to_owned(), engine, once(0..1));
        let count = |units| {
            Counter::default()
                .threads(2)
                .on_task(&|task| state.add(task))
                .count_units(engine, &[units])
                .unwrap()
        };
        let view = || state.view_at(&state.lock(), Duration::from_secs(60));
        assert_eq!(view().title, "part of N = 10");
        assert_eq!(view().solutions, Some(0));
        assert_eq!(view().left, None);
        assert!((view().fraction - engine.cumulative_work(1)).abs() < 1e-9);
        let found = count(1..cut);
        let work = before - engine.cumulative_work(1);
        let left = view().left.unwrap().as_secs_f64();
        assert!((view().fraction - before).abs() < 1e-9);
        assert!((left - 60.0 * (1.0 - before) / work).abs() < 1e-6);
        let found = found + count(cut..engine.units());
        assert!((view().fraction - 1.0).abs() < 1e-9);
        assert_eq!(view().solutions, Some(found));
        let nothing = ProgressState::of_units(engine, std::iter::empty());
        assert_eq!(nothing.view().fraction, 0.0);
    }

    #[test]
    fn pauses_are_excluded_from_elapsed_time() {
        let state = ProgressState::of_steps("N = 8".to_owned(), 10);
        std::thread::sleep(Duration::from_millis(20));
        state.add_pause(Duration::from_secs(3600));
        assert_eq!(state.view().elapsed, Duration::ZERO);
    }

    fn view(title: &str, elapsed: u64, left: u64, solutions: Option<u128>) -> View<'_> {
        View {
            title,
            fraction: 0.421,
            elapsed: Duration::from_secs(elapsed),
            left: Some(Duration::from_secs(left)),
            solutions,
        }
    }

    #[test]
    fn narrow_bars_drop_details_first() {
        let view = view("N = 18", 12, 16, Some(280_123_456));
        for (width, template) in [
            (
                300,
                "N = 18  42.1% [{bar:40}] 12s, 16s left, 280,123,456 found, 23.3 M/s",
            ),
            (
                68,
                "N = 18  42.1% [{bar:8}] 12s, 16s left, 280,123,456 found, 23.3 M/s",
            ),
            (
                60,
                "42.1% [{bar:8}] 12s, 16s left, 280,123,456 found, 23.3 M/s",
            ),
            (
                59,
                "N = 18  42.1% [{bar:9}] 12s, 16s left, 280,123,456 found",
            ),
            (39, "N = 18  42.1% [{bar:8}] 12s, 16s left"),
            (31, "42.1% [{bar:8}] 12s, 16s left"),
            (30, "42.1% [{bar:12}] 16s left"),
            (25, "42.1% 16s left"),
            (14, "42.1%"),
            (5, "42.1"),
        ] {
            assert_eq!(view.template(width), template, "{width}");
        }
        let line = "N = 18: 42.1% of the work, 12s elapsed, 16s left, 280,123,456 found, 23.3 M/s";
        assert_eq!(view.line(), line);
    }

    #[test]
    fn bars_fit_every_terminal_width() {
        for solutions in [Some(234_907_967_154_122_528), None] {
            let view = view("N = 27", 12_345_678, 6_308_641_458, solutions);
            for width in 1..300 {
                let template = view.template(width);
                let shown = match template.split_once("{bar:") {
                    Some((left, rest)) => {
                        let (bar, right) = rest.split_once('}').unwrap();
                        left.len() + bar.parse::<usize>().unwrap() + right.len()
                    }
                    None => template.len(),
                };
                assert!(shown < width, "{width}: {template}");
            }
        }
    }
}
