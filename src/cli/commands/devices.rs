//! `queencount devices`: what could count beside the CPU, and if asked, how fast.

use queencount::{BoardSize, CountError, Device, DeviceChoice, EngineChoice};

use crate::cli::arguments::commands::DevicesArguments;
use crate::cli::counting::{Counting, Report};
use crate::cli::exit::Exit;
use crate::cli::form::Form;
use crate::cli::numbers::{bytes, quantity, rate, time};
use crate::cli::output::{Output, Value};

/// The first board of a measurement: a small one, because it has the driver compile.
const FIRST: u32 = 12;

/// The least time of the board that is told, in seconds.
const LONG_ENOUGH: f64 = 0.5;

/// What programs are told of a device.
const FIELDS: [&str; 13] = [
    "device",
    "name",
    "kind",
    "interface",
    "memory_bytes",
    "group_memory_bytes",
    "multiprocessors",
    "clock_hz",
    "solutions_per_second",
    "n",
    "seconds",
    "expected_seconds",
    "threads",
];

/// Runs it.
pub fn run(arguments: &DevicesArguments, counting: &Counting, output: &mut Output) -> Result<(), Exit> {
    if output.form() == Form::Csv && Device::all().is_empty() {
        output.head(&FIELDS)?;
    }
    if Device::all().is_empty() {
        let hint = if cfg!(feature = "gpu") { "no driver names one" } else { "this program is built without them" };
        counting.note(format_args!("no devices: {hint}"));
    }
    for device in Device::all() {
        let measured = arguments.measure.then(|| measure(device, counting)).transpose()?;
        write(device, measured.as_ref(), output)?;
    }
    Ok(())
}

/// A board that a device has counted.
struct Measured {
    report: Report,
    /// The seconds that it should have taken the device, by the model.
    expected: f64,
}

/// Counts boards on a device until one takes long enough.
fn measure(device: &Device, counting: &Counting) -> Result<Measured, Exit> {
    let these = DeviceChoice::These(1 << device.index());
    let mut counting = counting.by(EngineChoice::Rows).on(these);
    counting.require_device = true;
    let count = |n: u32| {
        let before = device.work();
        let report = counting.count(BoardSize::new(n).map_err(CountError::from)?)?;
        Ok::<_, Exit>(Measured { report, expected: device.work().since(&before).expected.sum() })
    };
    let mut measured = count(FIRST)?;
    loop {
        measured = count(measured.report.n + 1)?;
        if measured.report.elapsed.as_secs_f64() > LONG_ENOUGH || measured.report.n == BoardSize::MAX {
            return Ok(measured);
        }
    }
}

fn write(device: &Device, measured: Option<&Measured>, output: &mut Output) -> Result<(), Exit> {
    let (index, name, kind) = (device.index(), device.name(), if device.is_cpu() { "cpu" } else { "gpu" });
    let speed = |report: &Report| report.total as f64 / report.elapsed.as_secs_f64();
    if output.form() == Form::Text {
        let measured = measured.map(|Measured { report, expected }| {
            let (n, seconds, rate) = (report.n, time(report.elapsed.as_secs_f64()), rate(speed(report)));
            let (threads, expected) = (quantity(report.threads as u64, "thread", "threads"), time(*expected));
            format!("       {rate} solutions/s: N = {n} in {seconds}, fed by {threads}; by the model {expected}\n")
        });
        return output.text(format_args!(
            "gpu:{index}  {name} ({kind})\n       {}\n       memory {}, shared by a group {}\n       {} at {:.0} MHz\n{}",
            device.interface(),
            bytes(device.memory()),
            bytes(device.local_memory()),
            quantity(device.multiprocessors().into(), "multiprocessor", "multiprocessors"),
            device.clock_rate() / 1e6,
            measured.unwrap_or_default(),
        ));
    }
    let of = |value: fn(&Report) -> Value| measured.map_or(Value::Nothing, |measured| value(&measured.report));
    let values = [
        Value::Number(index as u64),
        Value::Text(name),
        Value::Word(kind),
        Value::Text(device.interface()),
        Value::Number(device.memory()),
        Value::Number(device.local_memory()),
        Value::Number(device.multiprocessors().into()),
        Value::Real(device.clock_rate()),
        measured.map_or(Value::Nothing, |measured| Value::Real(speed(&measured.report))),
        of(|report| Value::Number(report.n.into())),
        of(|report| Value::Seconds(report.elapsed)),
        measured.map_or(Value::Nothing, |measured| Value::Real(measured.expected)),
        of(|report| Value::Number(report.threads as u64)),
    ];
    output.fields(&FIELDS.into_iter().zip(values).collect::<Vec<_>>())
}
