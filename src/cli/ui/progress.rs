//! Progress on stderr: a bar on a terminal, otherwise a plain line from time to time.
//!
//! ```text
//!   N = 18  42.1% [=========>             ] 12.3 s, 17.1 s left, 280,123,456 found, 23,100,000/s
//! ```
//!
//! The progress of a count is the fraction of its *work* that is done, as estimated by the engine,
//! because units differ in cost.

use std::io::{IsTerminal, stderr};
use std::ops::Range;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use crate::clock::process_time;
use crate::estimate::Forecast;
use crate::{Backend, Counter, Engine, Task};
use clap::ValueEnum;
use console::Term;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use crate::cli::numbers::{digits, grouped, percent, time};

/// No progress is shown for work that ends sooner than this.
const DELAY: Duration = Duration::from_millis(500);

/// The time between plain lines.
pub(super) const LINE_INTERVAL: Duration = Duration::from_secs(30);

/// Less progress than this says too little about the rate.
const LEAST_FRACTION: f64 = 0.01;

/// After this time in seconds, the CPU time that the process has got says as much about the load of
/// the machine as the number of threads.
const FIRST: f64 = 60.0;

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
            When::Auto => Self::Lines(LINE_INTERVAL),
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

    pub(crate) fn draw(&self, view: &View) {
        if view.elapsed < DELAY || !is_foreground() {
            return;
        }
        // The holder of the lock may be blocked while writing.
        let Ok(mut bar) = self.0.try_lock() else {
            return;
        };
        /// The number of steps in the bar: more than any terminal can show.
        const STEPS: u64 = 1 << 20;
        let bar = bar.get_or_insert_with(|| {
            ProgressBar::with_draw_target(Some(STEPS), ProgressDrawTarget::stderr_with_hz(20))
        });
        let (_, width) = Term::stderr().size();
        if let Ok(style) = ProgressStyle::with_template(&view.template(width.into())) {
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

/// The progress of some work, as seen by the supervisor. The threads that do the work update it.
pub(crate) struct Progress {
    title: String,
    /// When the work began, or later by the time for which the process was stopped.
    start: Mutex<Instant>,
    done: Mutex<Done>,
}

/// What is done.
enum Done {
    /// A fraction of the work.
    Fraction(f64),
    /// Some units of a count.
    Units(Counted),
}

/// The finished part of a count. All work is a fraction of the work for the whole board.
struct Counted {
    whole: f64,
    /// The work that was done before the start.
    before: f64,
    /// The number of solutions that were found before the start.
    found_before: u128,
    /// The number of solutions found since.
    found: u128,
    forecast: Forecast,
    /// The number of threads that can run at the same time.
    threads: f64,
    /// Whether the time of a thread is its CPU time, rather than elapsed time.
    on_cpus: bool,
    /// When the threads began to count: the time since the start, and the time that they had spent.
    begun: Times,
    /// The largest fraction shown so far.
    shown: f64,
}

#[derive(Clone, Copy, Default)]
struct Times {
    elapsed: Duration,
    spent: Duration,
}

impl Progress {
    pub(crate) fn new(title: impl Into<String>) -> Self {
        Self::with(title.into(), Done::Fraction(0.0))
    }

    /// Creates the progress of counting units on this many threads, of which `counted` were counted
    /// before the start.
    pub(crate) fn with_units(
        title: String,
        engine: &dyn Engine,
        threads: usize,
        units: &[Range<u64>],
        counted: &[Range<u64>],
    ) -> Self {
        let on_cpus = engine.backend() != Some(Backend::Devices);
        let running = if on_cpus {
            threads.min(Counter::new().thread_count())
        } else {
            threads
        };
        let counted = Counted {
            whole: work_of(engine, units),
            before: work_of(engine, counted),
            found_before: 0,
            found: 0,
            forecast: Forecast::default(),
            threads: running as f64,
            on_cpus,
            begun: Times::default(),
            shown: 0.0,
        };
        Self::with(title, Done::Units(counted))
    }

    fn with(title: String, done: Done) -> Self {
        Self {
            title,
            start: Mutex::new(Instant::now()),
            done: Mutex::new(done),
        }
    }

    /// Sets the number of solutions that were found before the start.
    pub(crate) fn found_before(&self, solutions: u128) {
        if let Done::Units(counted) = &mut *self.lock() {
            counted.found_before = solutions;
        }
    }

    /// Sets the finished fraction of the work.
    pub(crate) fn reach(&self, fraction: f64) {
        *self.lock() = Done::Fraction(fraction);
    }

    /// Says that the threads begin to count, with this forecast.
    pub(crate) fn begin(&self, forecast: Forecast) {
        if let Done::Units(counted) = &mut *self.lock() {
            counted.forecast = forecast;
            counted.begun = counted.times(self.elapsed());
        }
    }

    /// Adds a finished task of a count.
    pub(crate) fn add(&self, task: &Task) {
        if let Done::Units(counted) = &mut *self.lock() {
            counted.found += task.count;
            counted.forecast.add(task.work, task.thread_time);
        }
    }

    /// Excludes a time, during which the process was stopped, from the elapsed time.
    pub(crate) fn exclude(&self, time: Duration) {
        *self.start.lock().expect("nothing panics with the lock") += time;
    }

    fn elapsed(&self) -> Duration {
        self.start
            .lock()
            .expect("nothing panics with the lock")
            .elapsed()
    }

    /// Describes the progress, for the error message of an interrupted run.
    pub(crate) fn reached(&self) -> String {
        let view = self.view();
        format!(
            " after {:.1} s, with {} done ({})",
            view.elapsed.as_secs_f64(),
            percent(view.fraction),
            view.title
        )
    }

    pub(crate) fn view(&self) -> View<'_> {
        let elapsed = self.elapsed();
        let (fraction, left, found) = match &mut *self.lock() {
            Done::Fraction(fraction) => {
                let left = elapsed.as_secs_f64() * (1.0 - *fraction) / *fraction;
                let left = (*fraction >= LEAST_FRACTION).then_some(left);
                (*fraction, left, None)
            }
            Done::Units(counted) => {
                let (fraction, left) = counted.at(counted.times(elapsed));
                // Forecasts change, but progress is not undone.
                counted.shown = counted.shown.max(fraction);
                let found = [counted.found_before, counted.found];
                (counted.shown, left, Some(found))
            }
        };
        View {
            title: &self.title,
            fraction,
            elapsed,
            left,
            found,
        }
    }

    fn lock(&self) -> MutexGuard<'_, Done> {
        self.done.lock().expect("no thread panics with the lock")
    }
}

pub(crate) fn work_of(engine: &dyn Engine, units: &[Range<u64>]) -> f64 {
    units.iter().map(|units| engine.work(units.clone())).sum()
}

impl Counted {
    fn times(&self, elapsed: Duration) -> Times {
        let spent = process_time().filter(|_| self.on_cpus);
        Times {
            elapsed,
            spent: spent.unwrap_or(elapsed.mul_f64(self.threads)),
        }
    }

    /// Returns the fraction of the work that is done, and the time left in seconds.
    ///
    /// A task may take hours, so the time spent on unfinished tasks counts as well.
    fn at(&self, now: Times) -> (f64, Option<f64>) {
        let finished = self.before + self.forecast.finished_work();
        let rest = (self.whole - finished).max(0.0);
        let mut done = finished;
        let mut left = None;
        if let Some(needed) = self.forecast.seconds(rest).filter(|needed| *needed > 0.0) {
            let elapsed = now.elapsed.saturating_sub(self.begun.elapsed).as_secs_f64();
            let spent = now.spent.saturating_sub(self.begun.spent).as_secs_f64();
            let on_rest = (spent - self.forecast.finished_seconds()).clamp(0.0, needed);
            done += rest * on_rest / needed;
            // How many threads run at the same time, if other programs use the CPUs too. At first,
            // all of them are expected to.
            let running = (self.threads * FIRST + spent) / (FIRST + elapsed);
            left = Some((needed - on_rest) / running);
        }
        let fraction = if self.whole > 0.0 {
            done / self.whole
        } else {
            0.0
        };
        (fraction.clamp(0.0, 1.0), left)
    }
}

pub(crate) struct View<'a> {
    title: &'a str,
    fraction: f64,
    pub elapsed: Duration,
    /// The time left in seconds.
    left: Option<f64>,
    /// The numbers of solutions found before and after the start, or `None` for work that is not a
    /// count.
    found: Option<[u128; 2]>,
}

impl View<'_> {
    pub(crate) fn line(&self) -> String {
        let [elapsed, left, found, rate] = self.details();
        format!(
            "{}: {} of the work, {elapsed} elapsed, {left}{found}{rate}",
            self.title,
            percent(self.fraction)
        )
    }

    /// Returns the most detailed template of the bar that fits a terminal of this width.
    fn template(&self, width: usize) -> String {
        let percent = percent(self.fraction);
        let [elapsed, left, found, rate] = self.details();
        // The placeholder is as long as the shortest bar. Some terminals wrap after the last
        // column.
        let bar = format!("{}  {percent} [{{wide_bar}}] {elapsed}, {left}", self.title);
        [bar.clone() + &found + &rate, bar.clone() + &found, bar]
            .map(|template| template + " ")
            .into_iter()
            .find(|template| template.len() <= width)
            .unwrap_or_else(|| format!("{percent} {left}"))
    }

    /// Returns the elapsed time, the time left, how many solutions have been found, and their rate.
    fn details(&self) -> [String; 4] {
        let elapsed = self.elapsed.as_secs_f64();
        let left = self.left.map_or("?".to_owned(), time) + " left";
        let [found, rate] = match self.found {
            Some([before, found]) => [
                format!(", {} found", grouped(before + found)),
                format!(", {}/s", digits(found as f64 / elapsed, 3)),
            ],
            None => [String::new(), String::new()],
        };
        [time(elapsed), left, found, rate]
    }
}

#[cfg(test)]
#[expect(
    clippy::single_range_in_vec_init,
    reason = "a list of one range of units is what is meant"
)]
mod tests {
    use crate::{BoardSize, EngineChoice};

    use super::*;

    /// The count below begins to count 7 s after the start, and the process has already used 3 s of
    /// CPU time.
    fn since_begin(elapsed: u64, spent: u64) -> Times {
        Times {
            elapsed: Duration::from_secs(7 + elapsed),
            spent: Duration::from_secs(3 + spent),
        }
    }

    /// Returns a count of 0.5 of the work on two threads, of which 0.1 is already done.
    fn counted() -> Counted {
        Counted {
            whole: 0.5,
            before: 0.1,
            found_before: 0,
            found: 0,
            forecast: Forecast::default(),
            threads: 2.0,
            on_cpus: true,
            begun: since_begin(0, 0),
            shown: 0.0,
        }
    }

    #[test]
    fn pauses_are_excluded_from_elapsed_time() {
        let progress = Progress::new("N = 8");
        std::thread::sleep(Duration::from_millis(20));
        progress.exclude(Duration::from_secs(3600));
        assert_eq!(progress.view().elapsed, Duration::ZERO);
    }

    #[test]
    fn time_left_depends_on_rate_load_and_unfinished_tasks() {
        let mut counted = counted();
        assert_eq!(counted.at(since_begin(1000, 2000)), (0.2, None));
        counted.forecast.add(0.1, Duration::from_secs(1000));
        for (elapsed, spent, fraction, left) in [
            // The rest, 0.3 of the work, takes 3000 s on one thread, and 1500 s on two.
            (500, 1000, 0.4, 1500.0),
            // Other programs have taken almost half of the time.
            (1060, 1000, 0.4, 3000.0),
            // Unfinished tasks have taken 600 s.
            (800, 1600, 0.52, 1200.0),
            // They take longer than expected.
            (5000, 10_000, 1.0, 0.0),
        ] {
            let found = counted.at(since_begin(elapsed, spent));
            assert!((found.0 - fraction).abs() < 1e-9, "{found:?}");
            let found = found.1.unwrap();
            assert!((found - left).abs() < 1e-6, "{found}, expected {left}");
        }
    }

    #[test]
    fn progress_sums_work_and_solutions_of_tasks() {
        let engine = EngineChoice::Backtrack.engine(BoardSize::new(10).unwrap());
        let all = engine.units();
        let progress =
            Progress::with_units("part of N = 10".to_owned(), &engine, 2, &[0..all], &[0..1]);
        let mut found = 0;
        for units in [1..all / 3, all / 3..all] {
            found += Counter::new()
                .threads(2)
                .on_task(&|task| progress.add(task))
                .count_units(&engine, std::slice::from_ref(&units))
                .unwrap();
            let view = progress.view();
            assert_eq!(view.found, Some([0, found]));
            assert!(view.fraction >= engine.cumulative_work(units.end) - 1e-9);
        }
        assert!((progress.view().fraction - 1.0).abs() < 1e-9);
        let nothing = Progress::with_units(String::new(), &engine, 2, &[], &[]);
        assert_eq!(nothing.view().fraction, 0.0);
    }

    #[test]
    fn narrow_bars_drop_details_first() {
        let view = View {
            title: "N = 18",
            fraction: 0.421,
            elapsed: Duration::from_secs(12),
            left: Some(16.0),
            found: Some([0, 280_123_456]),
        };
        let line = "N = 18: 42.1% of the work, 12.0 s elapsed, 16.0 s left, 280,123,456 found, \
                    23,300,000/s";
        assert_eq!(view.line(), line);
        let bar = "N = 18  42.1% [{wide_bar}] 12.0 s, 16.0 s left";
        let found = format!("{bar}, 280,123,456 found ");
        let all = found.trim_end().to_owned() + ", 23,300,000/s ";
        for (width, template) in [
            (300, all.clone()),
            (all.len(), all.clone()),
            (all.len() - 1, found.clone()),
            (found.len() - 1, format!("{bar} ")),
            (bar.len(), "42.1% 16.0 s left".to_owned()),
        ] {
            assert_eq!(view.template(width), template, "{width}");
        }
    }
}
