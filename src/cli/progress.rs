//! The progress of a count on standard error, for runs that last.
//!
//! On a terminal it is one line that redraws itself and vanishes in the end; elsewhere (a log file, a batch job) a
//! plain line now and then. What it calls percent is the share of the *work*: units differ in cost, and the engine
//! knows what it expects of each.
//!
//! ```text
//!   N = 18  42.1 % [=========>             ] 12s, 17s left, 280,123,456 found, 23.1 M/s
//! ```

use std::io::{IsTerminal, stderr};
use std::ops::Range;
use std::sync::Mutex;
use std::time::{Duration, Instant};

use console::Term;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use queencount::{Engine, Observer, Task};

/// A count that is done sooner shows no progress.
const PATIENCE: Duration = Duration::from_millis(500);

/// The time between two plain lines.
const INTERVAL: Duration = Duration::from_secs(30);

/// The whole work, in the parts that are added up: integers, so that no rounding gathers over millions of tasks.
const WHOLE: f64 = (1_u64 << 53) as f64;

/// When to show progress.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum When {
    /// A bar if standard error is a terminal, otherwise a plain line every 30 s; nothing with --quiet
    Auto,
    /// As auto, but also with --quiet, and the first plain line comes after half a second
    Always,
    /// Not at all
    Never,
}

/// What the finished tasks of a count sum up to.
///
/// Every task takes the lock for the time of two additions, which is nothing beside the task, however many there are.
pub struct Tally<'a> {
    engine: &'a dyn Engine,
    /// The work of all tasks that are to be done.
    whole: u64,
    sums: Mutex<Sums>,
}

/// The sums so far.
#[derive(Clone, Copy, Debug, Default)]
pub struct Sums {
    whole: u64,
    work: u64,
    solutions: u128,
}

impl<'a> Tally<'a> {
    /// All units are to be counted, and nothing is finished yet.
    pub fn new(engine: &'a dyn Engine) -> Self {
        Self::of(engine, std::iter::once(0..engine.units()))
    }

    /// These units are to be counted, and nothing is finished yet.
    pub fn of(engine: &'a dyn Engine, units: impl Iterator<Item = Range<u64>>) -> Self {
        let whole = units.map(|units| work(engine, &units)).sum();
        Self { engine, whole, sums: Mutex::default() }
    }

    /// The number of rows of the board.
    pub fn board(&self) -> u32 {
        self.engine.size().get()
    }

    /// The sums so far.
    pub fn sums(&self) -> Sums {
        Sums { whole: self.whole, ..*self.sums.lock().expect("nobody panics with the lock") }
    }
}

/// The expected work of some units.
fn work(engine: &dyn Engine, units: &Range<u64>) -> u64 {
    let before = |unit| (WHOLE * engine.work_before(unit)) as u64;
    before(units.end).saturating_sub(before(units.start))
}

impl Observer for Tally<'_> {
    fn counted(&self, task: &Task) {
        let work = work(self.engine, &task.units);
        let mut sums = self.sums.lock().expect("nobody panics with the lock");
        sums.work += work;
        sums.solutions += task.count;
    }
}

impl Sums {
    /// The share of the work that is done, from 0 to 1.
    pub fn share(self) -> f64 {
        (self.work as f64 / self.whole.max(1) as f64).clamp(0.0, 1.0)
    }
}

/// Whether and where progress is shown.
#[derive(Clone, Copy, Debug)]
pub enum Progress {
    /// Not at all.
    None,
    /// As a bar on a terminal.
    Bar,
    /// In plain lines, the first after so long.
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

    /// The display of a count that began at `start`.
    pub fn display(self, start: Instant) -> Display {
        let next = match self {
            Self::None => None,
            Self::Bar => Some(PATIENCE),
            Self::Lines(first) => Some(first),
        };
        Display { progress: self, start, next, bar: None }
    }
}

/// The progress of one count.
pub struct Display {
    progress: Progress,
    start: Instant,
    /// When to show it next.
    next: Option<Duration>,
    /// The bar, once it has appeared.
    bar: Option<ProgressBar>,
}

impl Display {
    /// Shows the progress, if it is time to.
    pub fn show(&mut self, tally: &Tally) {
        let elapsed = self.start.elapsed();
        if self.next.is_none_or(|next| elapsed < next) {
            return;
        }
        let n = tally.board();
        let view = View::new(n, tally.sums(), elapsed);
        if let Progress::Lines(_) = self.progress {
            super::note(format_args!("{}", view.line()));
            self.next = Some(elapsed + INTERVAL);
        } else {
            self.draw(&view);
        }
    }

    /// Leaves the terminal as if there had been no bar.
    pub fn clear(&mut self) {
        if let Some(bar) = self.bar.take() {
            bar.finish_and_clear();
        }
    }

    fn draw(&mut self, view: &View) {
        // The terminal may have been resized. A pseudo-terminal may say that it has no columns at all.
        let width = match Term::stderr().size_checked() {
            Some((_, columns)) if columns > 0 => usize::from(columns),
            _ => 80,
        };
        let (left, right, length) = view.around_the_bar(width);
        let bar = self.bar.get_or_insert_with(|| {
            ProgressBar::with_draw_target(Some(WHOLE as u64), ProgressDrawTarget::stderr_with_hz(20))
        });
        // In one piece: set one after the other, parts for different widths would share a line for a moment.
        let line = if length == 0 { left } else { format!("{left} [{{bar:{length}}}] {right}") };
        if let Ok(style) = ProgressStyle::with_template(&line) {
            // Plain ASCII without colours, for every locale, terminal and taste.
            bar.set_style(style.progress_chars("=> "));
        }
        bar.set_position((view.share * WHOLE) as u64);
        bar.tick();
    }
}

/// What there is to say about a count that is under way.
struct View {
    n: u32,
    share: f64,
    elapsed: Duration,
    left: Option<Duration>,
    solutions: u128,
    rate: f64,
}

impl View {
    fn new(n: u32, sums: Sums, elapsed: Duration) -> Self {
        let (share, seconds) = (sums.share(), elapsed.as_secs_f64());
        // Before the first task is done, nobody knows.
        let left = Duration::try_from_secs_f64(seconds * (1.0 - share) / share).ok().filter(|_| share > 0.0);
        Self { n, share, elapsed, left, solutions: sums.solutions, rate: sums.solutions as f64 / seconds }
    }

    /// The plain line.
    fn line(&self) -> String {
        let Self { n, share, .. } = self;
        let [elapsed, left, found, rate] = self.parts();
        format!("N = {n}: {:.1} % of the work, {elapsed} elapsed, {left}, {found}, {rate}", 100.0 * share)
    }

    /// What stands to the left and to the right of the bar, and how long the bar is, on a line of this width. Where
    /// that is too short, the least important parts go first, and the bar itself last.
    fn around_the_bar(&self, width: usize) -> (String, String, usize) {
        const SHORTEST: usize = 8;
        const LONGEST: usize = 40;
        let percent = format!("{:.1} %", 100.0 * self.share);
        let named = format!("N = {}  {percent}", self.n);
        let [elapsed, left, found, rate] = self.parts();
        let elapsed_and_left = format!("{elapsed}, {left}");
        for (prefix, parts) in [
            (&named, vec![&elapsed_and_left, &found, &rate]),
            (&named, vec![&elapsed_and_left, &found]),
            (&percent, vec![&elapsed_and_left, &found]),
            (&percent, vec![&elapsed_and_left]),
            (&percent, vec![&left]),
        ] {
            let message = parts.into_iter().map(String::as_str).collect::<Vec<&str>>().join(", ");
            // Everything here is ASCII: bytes are columns. The last column stays free: some terminals wrap after it.
            let room = width.saturating_sub(prefix.len() + " [] ".len() + message.len() + 1);
            if room >= SHORTEST {
                return (prefix.clone(), message, room.min(LONGEST));
            }
        }
        (percent.chars().take(width.saturating_sub(1)).collect(), String::new(), 0)
    }

    fn parts(&self) -> [String; 4] {
        [
            short(self.elapsed),
            self.left.map_or_else(|| "? left".to_owned(), |left| format!("{} left", short(left))),
            format!("{} found", grouped(self.solutions)),
            format!("{}/s", metric(self.rate)),
        ]
    }
}

/// A time in its two largest units.
fn short(time: Duration) -> String {
    let seconds = time.as_secs();
    let (minutes, hours, days) = (seconds / 60, seconds / 3600, seconds / 86400);
    match seconds {
        0..60 => format!("{seconds}s"),
        60..3600 => format!("{minutes}m{:02}s", seconds % 60),
        3600..86400 => format!("{hours}h{:02}m", minutes % 60),
        _ => format!("{}d{:02}h", grouped(days.into()), hours % 24),
    }
}

/// A number with its thousands separated.
pub fn grouped(number: u128) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (place, digit) in digits.chars().enumerate() {
        if place > 0 && (digits.len() - place).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// A rate to three digits, in thousands, millions, ...
pub fn metric(rate: f64) -> String {
    let mut rate = rate;
    for prefix in ["", " k", " M", " G"] {
        if rate < 999.5 {
            let places = if rate < 9.995 { 2 } else { usize::from(rate < 99.95) };
            return format!("{rate:.places$}{prefix}");
        }
        rate /= 1000.0;
    }
    format!("{rate:.1} T")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_and_times_are_short() {
        assert_eq!([0, 999, 1000, 1234567].map(grouped), ["0", "999", "1,000", "1,234,567"]);
        assert_eq!(
            [0.0, 9.99, 99.9, 999.4, 999.6, 23.1e6, 1.5e13].map(metric),
            ["0.00", "9.99", "99.9", "999", "1.00 k", "23.1 M", "15.0 T"]
        );
        let times = [0, 59, 60, 3599, 3600, 86399, 86400, 90_000_000].map(|s| short(Duration::from_secs(s)));
        assert_eq!(times, ["0s", "59s", "1m00s", "59m59s", "1h00m", "23h59m", "1d00h", "1,041d16h"]);
    }

    #[test]
    fn the_line_fits_every_terminal() {
        let sums = Sums { whole: 1 << 53, work: 1 << 44, solutions: 234_907_967_154_122_528 };
        let view = View::new(27, sums, Duration::from_secs(12_345_678));
        for width in 1..300 {
            let (left, right, bar) = view.around_the_bar(width);
            let around = if bar == 0 { 0 } else { " [] ".len() };
            assert!(left.len() + around + bar + right.len() < width, "{width}: {left:?} {right:?} {bar}");
        }
        assert_eq!(view.around_the_bar(40), ("0.2 %".to_owned(), "73,016d16h left".to_owned(), 15));
    }
}
