//! One count as every command makes it: by the chosen engine, on so many threads, watched and interruptible.
//!
//! The library counts; beside it one thread wakes ten times a second to look for signals and to draw the progress. It
//! sleeps on a channel that is closed when the count is done, so nobody waits for it.

use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::thread;
use std::time::{Duration, Instant};

use queencount::{BoardSize, CountError, Engine, EngineChoice, FanOut, Stop};

use super::arguments::Common;
use super::exit::{Failure, Reached};
use super::progress::{Display, Progress, Tally};
use super::signals;

/// How often signals and progress are looked at: soon enough for a person, seldom enough to cost nothing.
const GLANCE: Duration = Duration::from_millis(100);

/// How to count, whatever the board.
pub struct Counting {
    engine: EngineChoice,
    threads: usize,
    progress: Progress,
    verbose: bool,
    quiet: bool,
}

/// A finished count.
#[derive(Debug)]
pub struct Counted {
    /// The rows of the board.
    pub n: u32,
    /// The number of solutions.
    pub total: u128,
    /// The name of the engine.
    pub engine: &'static str,
    /// The number of units.
    pub units: u64,
    /// The number of threads that shared them.
    pub threads: usize,
    /// The time from the start to the result.
    pub elapsed: Duration,
}

impl Counting {
    /// As the options say.
    pub fn new(options: &Common) -> Self {
        let threads = if options.threads == 0 { num_cpus::get() } else { options.threads };
        let progress = Progress::new(options.progress, options.quiet);
        Self {
            engine: options.engine,
            threads,
            progress,
            verbose: options.verbose && !options.quiet,
            quiet: options.quiet,
        }
    }

    /// Counts the solutions of a board.
    pub fn count(&self, size: BoardSize) -> Result<Counted, Failure> {
        signals::check()?;
        let _signals = signals::Deferred::new();
        let start = Instant::now();
        let engine = self.engine.plan(size);
        let (name, units, threads, n) = (engine.name(), engine.units(), self.threads, size.get());
        if self.verbose {
            super::note(format_args!("N = {n}: engine {name}, units {units}, threads {threads}"));
        }
        let tally = Tally::new(engine.as_ref());
        match self.watched(engine.as_ref(), &tally, start)? {
            Ok(total) => Ok(Counted { n, total, engine: name, units, threads, elapsed: start.elapsed() }),
            Err(CountError::Stopped(_)) if signals::received().is_some() => {
                let reached = Reached { n, share: tally.sums().share(), elapsed: start.elapsed() };
                Err(Failure::Interrupted {
                    signal: signals::received().unwrap_or_default(),
                    reached: (!self.quiet).then_some(reached),
                })
            }
            Err(error) => Err(error.into()),
        }
    }

    /// Counts with a thread beside it that looks for signals and draws the progress.
    fn watched(&self, engine: &dyn Engine, tally: &Tally, start: Instant) -> Result<Result<u128, CountError>, Failure> {
        let stop = Stop::new();
        thread::scope(|scope| {
            let (done, finished) = mpsc::channel();
            let display = self.progress.display(start);
            thread::Builder::new()
                .name("watch".to_owned())
                .spawn_scoped(scope, || watch(finished, display, tally, &stop))
                .map_err(|error| Failure::System(format!("cannot start a thread: {error}")))?;
            let fan_out = FanOut::default().threads(self.threads).observer(tally).stop(&stop);
            let result = fan_out.count(engine, std::slice::from_ref(&(0..engine.units())));
            drop::<mpsc::Sender<()>>(done);
            Ok(result)
        })
    }
}

/// Looks for signals and draws the progress until the count is done.
fn watch(finished: Receiver<()>, mut display: Display, tally: &Tally, stop: &Stop) {
    while finished.recv_timeout(GLANCE) == Err(RecvTimeoutError::Timeout) {
        if signals::received().is_some() {
            stop.request();
            break;
        }
        display.show(tally);
    }
    display.clear();
}
