//! `queencount devices`: what could count beside the CPU, and if asked, how fast.

use queencount::{BoardSize, CountError, Device, DeviceChoice, EngineChoice};

use crate::cli::counting::{Counting, Report};
use crate::cli::exit::Exit;
use crate::cli::numbers::{bytes, quantity, rate, time};
use crate::cli::output::{Field, Form, Output, Value};

/// The first board of a measurement: a small one, because it has the driver compile.
const FIRST: u32 = 12;

/// The least time of the board that is told, in seconds.
const LONG_ENOUGH: f64 = 0.5;

pub fn run(measure: bool, counting: &Counting, output: &mut Output) -> Result<(), Exit> {
    if output.form() == Form::Csv && Device::all().is_empty() {
        output.head(&fields(None, None).iter().map(|(name, _)| *name).collect::<Vec<&str>>())?;
    }
    if Device::all().is_empty() {
        let hint = if cfg!(feature = "gpu") { "no driver names one" } else { "this program is built without them" };
        counting.note(format_args!("no devices: {hint}"));
    }
    for device in Device::all() {
        let measured = measure.then(|| measured(device, counting)).transpose()?;
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
fn measured(device: &Device, counting: &Counting) -> Result<Measured, Exit> {
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
    if output.form() != Form::Text {
        return output.fields(&fields(Some(device), measured));
    }
    let measured = measured.map(|Measured { report, expected }| {
        let (n, seconds, rate) = (report.n, time(report.elapsed.as_secs_f64()), rate(speed(report)));
        let (threads, expected) = (quantity(report.threads as u64, "thread", "threads"), time(*expected));
        format!("       {rate} solutions/s: N = {n} in {seconds}, fed by {threads}; by the model {expected}\n")
    });
    output.text(format_args!(
        "gpu:{}  {} ({})\n       {}\n       memory {}, shared by a group {}\n       {} at {:.0} MHz\n{}",
        device.index(),
        device.description.name,
        kind(device),
        device.description.interface,
        bytes(device.description.memory),
        bytes(device.description.local_memory),
        quantity(device.description.multiprocessors.into(), "multiprocessor", "multiprocessors"),
        device.description.clock_rate / 1e6,
        measured.unwrap_or_default(),
    ))
}

fn kind(device: &Device) -> &'static str {
    if device.description.is_cpu { "cpu" } else { "gpu" }
}

fn speed(report: &Report) -> f64 {
    report.total as f64 / report.elapsed.as_secs_f64()
}

/// What programs are told of a device; without one it is the names of the fields that matter.
fn fields(device: Option<&Device>, measured: Option<&Measured>) -> Vec<Field> {
    let of = |value: fn(&Device) -> Value| device.map_or(Value::Nothing, value);
    let by = |value: fn(&Measured) -> Value| measured.map_or(Value::Nothing, value);
    vec![
        ("device", of(|device| Value::Number(device.index() as u64))),
        ("name", of(|device| Value::Text(device.description.name.clone()))),
        ("kind", of(|device| Value::Word(kind(device)))),
        ("interface", of(|device| Value::Text(device.description.interface.clone()))),
        ("memory_bytes", of(|device| Value::Number(device.description.memory))),
        ("group_memory_bytes", of(|device| Value::Number(device.description.local_memory))),
        ("multiprocessors", of(|device| Value::Number(device.description.multiprocessors.into()))),
        ("clock_hz", of(|device| Value::Real(device.description.clock_rate))),
        ("solutions_per_second", by(|measured| Value::Real(speed(&measured.report)))),
        ("n", by(|measured| Value::Number(measured.report.n.into()))),
        ("seconds", by(|measured| Value::Seconds(measured.report.elapsed))),
        ("expected_seconds", by(|measured| Value::Real(measured.expected))),
        ("threads", by(|measured| Value::Number(measured.report.threads as u64))),
    ]
}
