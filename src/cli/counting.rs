//! One count as every command makes it: with the chosen engine and number of threads, watched and interruptible.
//!
//! The library counts; beside it one thread wakes ten times a second to look for signals and to draw the progress. It
//! sleeps on a channel that is closed when the count is done, so nobody waits for it.

use std::fmt::Arguments;
use std::sync::OnceLock;
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::thread;
use std::time::{Duration, Instant};

use queencount::record::RecordError;
use queencount::{BoardSize, Classes, CountError, Engine, EngineChoice, FanOut, Resources, Stop, Turn, TurnSymmetric};

use super::arguments::{CommonOptions, NamedKernel};
use super::counted::Counted;
use super::exit::{Failure, Reached};
use super::notes::note;
use super::progress::{Display, Meter, Progress};
use super::{output, signals};

/// How often signals and progress are looked at: soon enough for a person, seldom enough to cost nothing.
const GLANCE: Duration = Duration::from_millis(100);

/// How to count, whatever the board.
pub struct Counting {
    engine: EngineChoice,
    resources: Resources,
    threads: usize,
    progress: Progress,
    verbose: bool,
    quiet: bool,
    /// Whether to give up when nobody reads standard output any more.
    while_read: bool,
    /// When to give up.
    until: Option<Instant>,
}

impl Counting {
    /// As the options say.
    pub fn new(options: &CommonOptions) -> Self {
        let threads = threads(options.threads);
        let progress = Progress::new(options.progress, options.quiet);
        let resources = Resources::default().kernel(options.kernel.unwrap_or_default()).memory(options.memory);
        Self {
            engine: options.engine,
            resources,
            threads,
            progress,
            verbose: options.verbose && !options.quiet,
            quiet: options.quiet,
            while_read: false,
            until: None,
        }
    }

    /// The same way to count, except for what is given.
    pub fn but(&self, engine: Option<EngineChoice>, kernel: Option<NamedKernel>, count: Option<u64>) -> Self {
        Self {
            engine: engine.unwrap_or(self.engine),
            resources: kernel.map_or(self.resources, |kernel| self.resources.kernel(kernel.unwrap_or_default())),
            threads: count.map_or(self.threads, threads),
            ..*self
        }
    }

    /// Gives up when nobody reads standard output any more.
    pub fn while_read(self) -> Self {
        Self { while_read: true, ..self }
    }

    /// Gives up at this time, with [`Failure::Late`].
    pub fn until(self, time: Instant) -> Self {
        Self { until: Some(time), ..self }
    }

    /// Which engine is asked for.
    pub fn engine(&self) -> EngineChoice {
        self.engine
    }

    /// The plan for a board.
    pub fn plan(&self, size: BoardSize) -> Box<dyn Engine> {
        self.engine.plan_with(size, self.resources)
    }

    /// What the engine may use.
    pub fn resources(&self) -> Resources {
        self.resources
    }

    /// The number of threads.
    pub fn threads(&self) -> usize {
        self.threads
    }

    /// Says something on standard error, unless nothing but errors is to be said.
    pub fn note(&self, line: Arguments) {
        if !self.quiet {
            note(line);
        }
    }

    /// Counts the solutions of a board.
    pub fn count(&self, size: BoardSize) -> Result<Counted, Failure> {
        self.count_with(self.plan(size).as_ref())
    }

    /// Counts all units of an engine.
    fn count_with(&self, engine: &dyn Engine) -> Result<Counted, Failure> {
        let start = Instant::now();
        let meter = Meter::new(engine);
        let total = self.watched(Some(&meter), start, |fan_out, _| {
            // Not before signals are looked at: who reads this may send one.
            self.say(engine);
            Ok(fan_out.observer(&meter).count(engine)?)
        })?;
        Ok(self.counted(engine, total, start))
    }

    /// Sorts the solutions of a board into classes. The number of solutions is given, or it is counted, and then the
    /// second result is that count.
    pub fn classes(&self, size: BoardSize, total: Option<u128>) -> Result<(Classes, Counted), Failure> {
        let start = Instant::now();
        let [half_turn, quarter_turn] =
            [Turn::Half, Turn::Quarter].map(|turn| self.count_with(&TurnSymmetric::new(size, turn)));
        let (half_turn, quarter_turn) = (half_turn?, quarter_turn?);
        let counted = match total {
            Some(total) => Counted { total, ..half_turn },
            None => self.count(size)?,
        };
        let classes = Classes::new(size, counted.total, half_turn.total, quarter_turn.total);
        let classes = classes.map_err(|error| match total {
            Some(_) => Failure::Usage(error.to_string()),
            None => Failure::Wrong(error.to_string()),
        })?;
        Ok((classes, Counted { elapsed: start.elapsed(), ..counted }))
    }

    /// Says how it is counted, to those who want to know.
    pub fn say(&self, engine: &dyn Engine) {
        if self.verbose {
            let (n, name, units, threads) = (engine.size(), engine.name(), engine.units(), self.threads);
            let kernel = engine.kernel().map(|kernel| format!(", kernel {kernel}")).unwrap_or_default();
            note(format_args!("N = {n}: engine {name}{kernel}, units {units}, threads {threads}"));
        }
    }

    /// What has been counted since `start`.
    pub fn counted(&self, engine: &dyn Engine, total: u128, start: Instant) -> Counted {
        Counted {
            n: engine.size().get(),
            total,
            engine: engine.name(),
            kernel: engine.kernel(),
            units: engine.units(),
            recorded: None,
            threads: self.threads,
            elapsed: start.elapsed(),
        }
    }

    /// Does some `work` that counts, with a thread beside it that looks for signals and, if there is a meter, shows the
    /// progress.
    pub fn watched<T>(
        &self,
        meter: Option<&Meter>,
        start: Instant,
        work: impl FnOnce(FanOut<'_>, &Stop) -> Result<T, RecordError>,
    ) -> Result<T, Failure> {
        signals::check()?;
        let _signals = signals::Deferred::new();
        let stop = Stop::new();
        let given_up = OnceLock::new();
        let give_up = || {
            if self.until.is_some_and(|time| Instant::now() >= time) {
                given_up.get_or_init(|| Failure::Late);
            } else if self.while_read && output::unread() {
                given_up.get_or_init(|| Failure::Unread);
            }
            given_up.get().is_some()
        };
        let result = thread::scope(|scope| {
            let (done, finished) = mpsc::channel();
            let display = self.progress.display(start);
            thread::Builder::new()
                .name("watch".to_owned())
                .spawn_scoped(scope, || watch(finished, display, meter, &stop, give_up))
                .map_err(|error| Failure::System(format!("cannot start a thread: {error}")))?;
            let result = work(FanOut::default().threads(self.threads).stop(&stop), &stop);
            drop::<mpsc::Sender<()>>(done);
            Ok::<_, Failure>(result)
        })?;
        result.map_err(|error| match (error, signals::received(), given_up.into_inner()) {
            (RecordError::Count(CountError::Stopped(_)), Some(signal), _) => {
                let reached =
                    |meter: &Meter| Reached { n: meter.board(), share: meter.sums().share(), elapsed: start.elapsed() };
                Failure::Interrupted { signal, reached: meter.filter(|_| !self.quiet).map(reached) }
            }
            (RecordError::Count(CountError::Stopped(_)), None, Some(failure)) => failure,
            (error, ..) => error.into(),
        })
    }
}

/// The number of threads that is meant: 0 stands for one for each CPU.
fn threads(count: u64) -> usize {
    if count == 0 { num_cpus::get() } else { count as usize }
}

/// Looks for signals and draws the progress until the count is done or given up.
fn watch(finished: Receiver<()>, mut display: Display, meter: Option<&Meter>, stop: &Stop, give_up: impl Fn() -> bool) {
    while finished.recv_timeout(GLANCE) == Err(RecvTimeoutError::Timeout) {
        if signals::received().is_some() || give_up() {
            stop.request();
            break;
        }
        if let Some(meter) = meter {
            display.show(meter);
        }
    }
    display.clear();
}
