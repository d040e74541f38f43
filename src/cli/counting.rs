//! One count as every command makes it: with the chosen engine and number of threads, watched and interruptible; and so
//! is all else that lasts.
//!
//! The library counts; beside it one thread wakes ten times a second to look for signals and to draw the progress. It
//! sleeps on a channel that is closed when the work is done, so nobody waits for it.

use std::fmt::Arguments;
use std::sync::mpsc::{self, RecvTimeoutError};
use std::sync::{Once, OnceLock};
use std::thread;
use std::time::{Duration, Instant};

use queencount::engine::rows::Rows;
use queencount::record::RecordError;
use queencount::{
    BoardSize, Classes, Device, DeviceChoice, Engine, EngineChoice, FanOut, Resources, Stop, Turn, TurnSymmetric,
    threads_meant,
};

use super::arguments::options::{CountingOptions, MachineOptions, SayOptions};
use super::device_watch::DeviceWatch;
use super::exit::Exit;
use super::notes::{Verbosity, note};
use super::numbers::quantity;
use super::output::{self, Field, Value};
use super::progress::{Gauge, Progress};
use super::signals;

/// How often signals and progress are looked at: soon enough for a person, seldom enough to cost nothing.
const GLANCE: Duration = Duration::from_millis(100);

/// How to count, whatever the board.
#[derive(Clone, Copy)]
pub struct Counting {
    /// Which engine is asked for.
    pub engine: EngineChoice,
    /// What the engine may use.
    pub resources: Resources,
    /// The number of threads.
    pub threads: usize,
    /// Whether to give up when a device fails. Otherwise the CPU counts its units.
    pub require_device: bool,
    /// Whether to give up when nobody reads standard output any more.
    while_read: bool,
    /// When to give up, with [`Exit::Late`].
    pub until: Option<Instant>,
    progress: Progress,
    verbosity: Verbosity,
}

impl Counting {
    /// As the options say.
    ///
    /// # Errors
    /// When they do not make sense together.
    pub fn new(how: &CountingOptions, say: SayOptions) -> Result<Self, Exit> {
        Self::by_engine(how.engine()?, &how.machine, say)
    }

    /// By this engine, and otherwise as the options say.
    ///
    /// # Errors
    /// When a device is required and none is there.
    pub fn by_engine(engine: EngineChoice, machine: &MachineOptions, say: SayOptions) -> Result<Self, Exit> {
        let asked = machine.threads.threads;
        let counting = Self {
            engine,
            resources: machine.resources()?,
            threads: threads(asked),
            require_device: machine.require_device,
            while_read: false,
            until: None,
            progress: Progress::new(say.progress, say.quiet.quiet),
            verbosity: say.verbosity(),
        };
        if (counting.threads as u64) < asked {
            let threads = counting.threads;
            counting.note(format_args!("counting on {threads} threads: {asked} would only get into each other's way"));
        }
        Ok(counting)
    }

    /// With standard output as the only place for the result: without a reader there is no need for it.
    pub fn while_read(self) -> Self {
        Self { while_read: true, ..self }
    }

    /// The same way to count, by this engine.
    pub fn by(&self, engine: EngineChoice) -> Self {
        Self { engine, ..*self }
    }

    /// The same way to count, on these devices.
    pub fn on(&self, devices: DeviceChoice) -> Self {
        Self { resources: Resources { devices, ..self.resources }, ..*self }
    }

    /// The plan for a board.
    pub fn plan(&self, size: BoardSize) -> Box<dyn Engine> {
        self.engine.engine_with(size, self.resources)
    }

    /// Says why a device that is asked for does not count the units of an engine: once, for any number of boards.
    ///
    /// # Errors
    /// When a device is required.
    pub fn check_devices(&self, engine: &dyn Engine) -> Result<(), Exit> {
        static TOLD: Once = Once::new();
        if self.devices() == DeviceChoice::Cpu || engine.kernel() == Some(Device::KERNEL) {
            return Ok(());
        }
        let (size, name) = (engine.size(), engine.name());
        let hint = if Rows::SIZES.contains(&size.get()) { "; '--engine rows' has units for devices" } else { "" };
        let does = format!("the engine {name} does, on the CPU{hint}");
        if self.require_device {
            return Err(Exit::Usage(format!("expected a device to count N = {size}, found that {does}")));
        }
        if self.devices() != DeviceChoice::Auto {
            let devices = self.devices();
            TOLD.call_once(|| self.note(format_args!("{devices} does not count N = {size}: {does}")));
        }
        Ok(())
    }

    /// The devices that are to count.
    pub fn devices(&self) -> DeviceChoice {
        self.resources.devices
    }

    /// What counts the units of an engine: the kernel of the CPU, or the devices by their numbers.
    pub fn kernel(&self, engine: &dyn Engine) -> Option<String> {
        engine.kernel().map(|kernel| match kernel {
            Device::KERNEL => self.devices().to_string(),
            kernel => kernel.to_owned(),
        })
    }

    /// Whether devices alone count the units of an engine.
    pub fn on_devices(&self, engine: &dyn Engine) -> bool {
        engine.kernel() == Some(Device::KERNEL) && self.devices() != DeviceChoice::Auto
    }

    /// Says something on standard error, unless nothing but errors is to be said.
    pub fn note(&self, line: Arguments) {
        if self.verbosity >= Verbosity::Notes {
            note(line);
        }
    }

    /// Counts the solutions of a board.
    pub fn count(&self, size: BoardSize) -> Result<Report, Exit> {
        let engine = self.plan(size);
        self.check_devices(engine.as_ref())?;
        self.count_all(engine.as_ref())
    }

    /// Counts all units of an engine.
    fn count_all(&self, engine: &dyn Engine) -> Result<Report, Exit> {
        let start = Instant::now();
        let gauge = Gauge::of_units(engine, std::iter::once(0..engine.units()));
        let total = self.watched(Some(&gauge), start, |fan_out, _| {
            // Not before signals are looked at: who reads this may send one.
            self.say(engine);
            Ok(fan_out.observer(&|task| gauge.add(task)).count(engine)?)
        })?;
        Ok(self.counted(engine, total, start))
    }

    /// Sorts the solutions of a board into classes. The number of solutions is given, or it is counted, and then the
    /// second result is that count.
    pub fn classes(&self, size: BoardSize, total: Option<u128>) -> Result<(Classes, Report), Exit> {
        let start = Instant::now();
        let [half_turn, quarter_turn] =
            [Turn::Half, Turn::Quarter].map(|turn| self.count_all(&TurnSymmetric::new(size, turn)));
        let (half_turn, quarter_turn) = (half_turn?, quarter_turn?);
        let counted = match total {
            Some(total) => Report { total, ..half_turn },
            None => self.count(size)?,
        };
        let classes = Classes::new(size, counted.total, half_turn.total, quarter_turn.total);
        let classes = classes.map_err(|error| match total {
            Some(_) => Exit::Usage(error.to_string()),
            None => Exit::Wrong(error.to_string()),
        })?;
        Ok((classes, Report { elapsed: start.elapsed(), ..counted }))
    }

    /// Says how solutions are searched for, to those who want to know; the first of them are skipped.
    pub fn say_search(&self, size: BoardSize, skipped: u128) {
        if self.verbosity == Verbosity::Details {
            let on = quantity(self.threads as u64, "thread", "threads");
            let skipped = if skipped > 0 { format!(", {skipped} skipped on {on}") } else { String::new() };
            note(format_args!("N = {size}: engine backtrack, one solution after another{skipped}"));
        }
    }

    /// Says how it is counted, to those who want to know.
    pub fn say(&self, engine: &dyn Engine) {
        if self.verbosity == Verbosity::Details {
            let (n, name, units, threads) = (engine.size(), engine.name(), engine.units(), self.threads);
            let kernel = engine.kernel().map(|kernel| format!(", kernel {kernel}")).unwrap_or_default();
            note(format_args!("N = {n}: engine {name}{kernel}, units {units}, threads {threads}"));
        }
    }

    /// What has been counted since `start`.
    pub fn counted(&self, engine: &dyn Engine, total: u128, start: Instant) -> Report {
        Report {
            n: engine.size().get(),
            total,
            engine: engine.name(),
            kernel: engine.kernel(),
            units: engine.units(),
            threads: self.threads,
            elapsed: start.elapsed(),
        }
    }

    /// Does some `work` that lasts, with a thread beside it that looks for signals and, if there is a gauge, shows the
    /// progress.
    pub fn watched<T>(
        &self,
        gauge: Option<&Gauge>,
        start: Instant,
        work: impl FnOnce(FanOut<'_>, &Stop) -> Result<T, RecordError>,
    ) -> Result<T, Exit> {
        if let Some(signal) = signals::received() {
            return Err(self.interrupted(signal, gauge, start));
        }
        let _signals = signals::Deferred::new();
        let ending = Ending::default();
        let mut devices = DeviceWatch::new(self.devices(), self.verbosity, self.require_device);
        let value = thread::scope(|scope| {
            let (ending, devices) = (&ending, &mut devices);
            let (done, finished) = mpsc::channel::<()>();
            let watch = move || {
                while finished.recv_timeout(GLANCE) == Err(RecvTimeoutError::Timeout) {
                    if let Some(failure) = self.reason(gauge, start).or_else(|| devices.look()) {
                        ending.end(failure);
                        break;
                    }
                    if let Some(gauge) = gauge {
                        self.progress.show(gauge, start.elapsed());
                    }
                }
                Progress::clear();
            };
            thread::Builder::new()
                .name("watch".to_owned())
                .spawn_scoped(scope, watch)
                .map_err(|error| Exit::System(format!("cannot start a thread: {error}")))?;
            let result = work(FanOut::default().threads(self.threads).stop(&ending.stop), &ending.stop);
            let value = result.map_err(|error| ending.end(error.into())).ok();
            drop(done);
            Ok::<_, Exit>(value)
        })?;
        let value = value.filter(|_| devices.end().map(|failure| ending.end(failure)).is_none());
        value.ok_or_else(|| ending.failure.into_inner().expect("whoever ends early says why"))
    }

    /// How far the work came that a signal ends.
    fn interrupted(&self, signal: u8, gauge: Option<&Gauge>, start: Instant) -> Exit {
        let gauge = gauge.filter(|_| self.verbosity >= Verbosity::Notes);
        Exit::Interrupted { signal, reached: gauge.map(|gauge| gauge.view(start.elapsed()).reached()) }
    }

    /// Why to end early, if there is a reason.
    fn reason(&self, gauge: Option<&Gauge>, start: Instant) -> Option<Exit> {
        if let Some(signal) = signals::received() {
            return Some(self.interrupted(signal, gauge, start));
        }
        if self.until.is_some_and(|time| Instant::now() >= time) {
            return Some(Exit::Late);
        }
        (self.while_read && output::unread()).then_some(Exit::Unread)
    }
}

/// A finished count.
#[derive(Debug)]
pub struct Report {
    /// The rows of the board.
    pub n: u32,
    /// The number of solutions.
    pub total: u128,
    /// The name of the engine.
    pub engine: &'static str,
    /// The kernel, if the engine has several.
    pub kernel: Option<&'static str>,
    /// The number of units.
    pub units: u64,
    /// The number of threads that shared them.
    pub threads: usize,
    /// The time from the start to the result.
    pub elapsed: Duration,
}

impl Report {
    /// The count as fields: the result first, then how it came about.
    pub fn fields(&self) -> Vec<Field> {
        vec![
            ("n", Value::Number(self.n.into())),
            ("total", Value::Count(self.total)),
            ("seconds", Value::Seconds(self.elapsed)),
            ("units", Value::Number(self.units)),
            ("threads", Value::Number(self.threads as u64)),
            ("engine", Value::Word(self.engine)),
            ("kernel", self.kernel.map_or(Value::Nothing, Value::Word)),
            ("version", Value::Word(env!("CARGO_PKG_VERSION"))),
        ]
    }
}

/// Why work ends early. The first reason counts: all others follow from it.
#[derive(Default)]
struct Ending {
    failure: OnceLock<Exit>,
    stop: Stop,
}

impl Ending {
    fn end(&self, failure: Exit) {
        let _ = self.failure.set(failure);
        self.stop.request();
    }
}

/// The number of threads that is meant: 0 stands for one for each CPU.
pub fn threads(count: u64) -> usize {
    threads_meant(usize::try_from(count).unwrap_or(usize::MAX))
}
