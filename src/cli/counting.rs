//! How every command counts: by the chosen engine, on the chosen threads and devices, under a
//! [`Watch`]; and the [`Report`] of a finished count.

use std::sync::Once;
use std::time::{Duration, Instant};

use queencount::engine::rows::Rows;
use queencount::{
    Backend, BoardSize, CancelToken, Classes, Counter, DeviceSet, Engine, EngineChoice,
    EngineOptions, Rotation, RotationSymmetric,
};

use super::arguments::options::{CountingOptions, MachineOptions, SayOptions};
use super::exit::{Exit, OrExit};
use super::numbers::quantity;
use super::output::{Field, Value};
use super::progress::Gauge;
use super::watch::Watch;

/// How to count, whatever the board.
#[derive(Clone, Copy)]
pub struct Counting {
    pub engine: EngineChoice,
    pub resources: EngineOptions,
    pub devices: DeviceSet,
    pub threads: usize,
    pub watch: Watch,
}

impl Counting {
    /// As the options say, if they make sense together.
    pub fn new(how: &CountingOptions, say: SayOptions) -> OrExit<Self> {
        Self::by_engine(how.engine()?, &how.machine, say)
    }

    /// By this engine, and otherwise as the options say.
    pub fn by_engine(
        engine: EngineChoice,
        machine: &MachineOptions,
        say: SayOptions,
    ) -> OrExit<Self> {
        let asked = machine.threads.threads as usize;
        let threads = Counter::default().threads(asked).thread_count();
        let watch = Watch::new(say, machine.require_device);
        if threads < asked {
            watch.note(format_args!(
                "counting on {threads} threads: {asked} would only get into each other's way"
            ));
        }
        let devices = machine.devices()?;
        Ok(Self {
            engine,
            resources: EngineOptions::new()
                .kernel(machine.kernel)
                .memory_per_thread(machine.memory)
                .devices(devices),
            devices,
            threads,
            watch,
        })
    }

    /// With standard output as the only place for the result: without a reader there is no need for
    /// it.
    pub fn while_read(mut self) -> Self {
        self.watch.while_read = true;
        self
    }

    pub fn by(&self, engine: EngineChoice) -> Self {
        Self { engine, ..*self }
    }

    pub fn on(&self, devices: DeviceSet) -> Self {
        Self {
            resources: self.resources.devices(devices),
            devices,
            ..*self
        }
    }

    pub fn engine_of(&self, size: BoardSize) -> Box<dyn Engine> {
        self.engine.build(size, self.resources)
    }

    pub fn count(&self, size: BoardSize) -> OrExit<Report> {
        let engine = self.engine_of(size);
        self.check_engine(engine.as_ref())?;
        self.count_all(engine.as_ref())
    }

    fn count_all(&self, engine: &dyn Engine) -> OrExit<Report> {
        let start = Instant::now();
        let gauge = Gauge::of_units(engine, std::iter::once(0..engine.units()));
        let total = self.watched(Some(&gauge), start, |counter, _| {
            // Not before signals are looked at: a reader of this line may send one.
            self.say(engine);
            Ok(counter.on_task(&|task| gauge.add(task)).count(engine)?)
        })?;
        Ok(Report::new(engine, total, self.threads, start))
    }

    /// Does some `work` that lasts, on the threads of the counter. If there is a gauge, it shows
    /// how far the work has come.
    pub fn watched<T>(
        &self,
        gauge: Option<&Gauge>,
        start: Instant,
        work: impl FnOnce(Counter<'_>, &CancelToken) -> OrExit<T>,
    ) -> OrExit<T> {
        let mut value = None;
        let counter = Counter::default().threads(self.threads);
        let work =
            |stop: &CancelToken| work(counter.stop(stop), stop).map(|done| value = Some(done));
        self.watch
            .over(self.devices, gauge, start, Box::new(work))?;
        Ok(value.expect("work that ends well has a value"))
    }

    /// Sorts the solutions of a board into classes. The number of solutions is given, or it is
    /// counted, and then the second result is that count.
    pub fn classes(&self, size: BoardSize, total: Option<u128>) -> OrExit<(Classes, Report)> {
        let start = Instant::now();
        let [half_turn, quarter_turn] = [Rotation::Half, Rotation::Quarter]
            .map(|turn| self.count_all(&RotationSymmetric::new(size, turn)));
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
        Ok((
            classes,
            Report {
                elapsed: start.elapsed(),
                ..counted
            },
        ))
    }

    /// Says why an engine does not count as was asked for: once, for any number of boards. Where a
    /// device is required, that is an error.
    pub fn check_engine(&self, engine: &dyn Engine) -> OrExit<()> {
        static TOLD: Once = Once::new();
        let (size, name) = (engine.size(), engine.name());
        let (least, small) = (Rows::SIZES.start(), !Rows::SIZES.contains(&size.get()));
        let hint = if small {
            ""
        } else {
            "; '--engine rows' has units for devices"
        };
        let does = format!("the engine {name} does, on the CPU{hint}");
        let on_cpu = !self.devices.is_empty() && engine.backend() != Some(Backend::Devices);
        if on_cpu && self.watch.require_device {
            return Err(Exit::Usage(format!(
                "expected a device to count N = {size}, found that {does}"
            )));
        }
        if on_cpu && self.devices.uses_all_threads() {
            let devices = self.devices;
            TOLD.call_once(|| {
                self.watch
                    .note(format_args!("{devices} does not count N = {size}: {does}"))
            });
        } else if small && self.engine == EngineChoice::Rows {
            let why = format!("the engine rows, and its kernels, count from N = {least} on");
            TOLD.call_once(|| {
                self.watch.note(format_args!(
                    "N = {size} is counted by the engine {name}: {why}"
                ))
            });
        }
        Ok(())
    }

    /// What counts the units of an engine: the kernel of the CPU, or the devices by their numbers.
    pub fn kernel(&self, engine: &dyn Engine) -> Option<String> {
        engine.backend().map(|backend| match backend {
            Backend::Devices => self.devices.to_string(),
            backend => backend.name().to_owned(),
        })
    }

    /// Whether devices alone count the units of an engine.
    pub fn on_devices(&self, engine: &dyn Engine) -> bool {
        engine.backend() == Some(Backend::Devices) && self.devices.uses_all_threads()
    }

    /// Says how solutions are searched for, to those who want to know; the first of them are
    /// skipped.
    pub fn say_search(&self, size: BoardSize, skipped: u128) {
        let on = quantity(self.threads as u64, "thread", "threads");
        let skipped = if skipped > 0 {
            format!(", {skipped} skipped on {on}")
        } else {
            String::new()
        };
        self.watch.detail(format_args!(
            "N = {size}: engine backtrack, one solution after another{skipped}"
        ));
    }

    /// Says how it is counted, to those who want to know.
    pub fn say(&self, engine: &dyn Engine) {
        let (n, name, units, threads) =
            (engine.size(), engine.name(), engine.units(), self.threads);
        let kernel = engine
            .kernel()
            .map(|kernel| format!(", kernel {kernel}"))
            .unwrap_or_default();
        self.watch.detail(format_args!(
            "N = {n}: engine {name}{kernel}, units {units}, threads {threads}"
        ));
    }
}

/// A finished count, and how it came about.
#[derive(Debug)]
pub struct Report {
    pub n: u32,
    pub total: u128,
    pub engine: &'static str,
    pub kernel: Option<&'static str>,
    pub units: u64,
    pub threads: usize,
    pub elapsed: Duration,
}

impl Report {
    pub fn new(engine: &dyn Engine, total: u128, threads: usize, start: Instant) -> Self {
        let (n, units, elapsed) = (engine.size().get(), engine.units(), start.elapsed());
        Self {
            n,
            total,
            engine: engine.name(),
            kernel: engine.kernel(),
            units,
            threads,
            elapsed,
        }
    }

    /// The count as fields: the result first, then how it came about.
    pub fn fields(&self) -> Vec<Field> {
        vec![
            ("n", Value::Number(self.n.into())),
            ("total", Value::Count(self.total)),
            ("seconds", Value::Seconds(self.elapsed)),
            ("units", Value::Number(self.units)),
            ("threads", Value::Number(self.threads as u64)),
            ("engine", self.engine.into()),
            ("kernel", self.kernel.map_or(Value::Nothing, Value::from)),
            ("version", env!("CARGO_PKG_VERSION").into()),
        ]
    }
}
