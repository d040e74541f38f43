//! `queencount devices`: what could count beside the CPU, and if asked, how fast.

use queencount::{BoardSize, CountError, Device, DeviceDescription, EngineChoice};

use crate::cli::counting::{Counting, Report};
use crate::cli::exit::OrExit;
use crate::cli::numbers::{bytes, quantity, rate, time};
use crate::cli::output::{Field, Form, Output, Value};
use crate::cli::watch::tell_failed_drivers;

/// The first board of a measurement: a small one, because it has the driver compile.
const FIRST: u32 = 12;

/// The least time of the board that is told, in seconds.
const LONG_ENOUGH: f64 = 0.5;

pub fn run(measure: bool, counting: &Counting, output: &mut Output) -> OrExit<()> {
    if output.form() == Form::Csv && Device::all().is_empty() {
        output.head(
            &fields(None, None)
                .iter()
                .map(|(name, _)| *name)
                .collect::<Vec<&str>>(),
        )?;
    }
    tell_failed_drivers();
    if Device::all().is_empty() && Device::failed_drivers().is_empty() {
        let hint = if cfg!(feature = "gpu") {
            "no driver names one"
        } else {
            "this program is built without them"
        };
        counting.watch.note(format_args!("no devices: {hint}"));
    }
    for device in Device::all() {
        let measured = measure.then(|| measured(device, counting)).transpose()?;
        write(device, measured.as_ref(), output)?;
    }
    Ok(())
}

/// Counts boards on a device until one takes long enough.
fn measured(device: &'static Device, counting: &Counting) -> OrExit<Report> {
    let mut counting = counting
        .by(EngineChoice::Rows)
        .on([device].into_iter().collect());
    counting.watch.require_device = true;
    let count = |n: u32| counting.count(BoardSize::new(n).map_err(CountError::from)?);
    let mut report = count(FIRST)?;
    while report.n == FIRST
        || report.elapsed.as_secs_f64() < LONG_ENOUGH && report.n < BoardSize::MAX
    {
        report = count(report.n + 1)?;
    }
    Ok(report)
}

fn write(device: &Device, measured: Option<&Report>, output: &mut Output) -> OrExit<()> {
    if output.form() != Form::Text {
        return output.fields(&fields(Some(device), measured));
    }
    let measured = measured.map(|report| {
        let (n, seconds, rate) = (
            report.n,
            time(report.elapsed.as_secs_f64()),
            rate(speed(report)),
        );
        let threads = quantity(report.threads as u64, "thread", "threads");
        format!("       {rate} solutions/s: N = {n} in {seconds}, fed by {threads}\n")
    });
    let DeviceDescription {
        name,
        interface,
        is_cpu,
        memory,
        local_memory,
        ..
    } = &device.description;
    output.text(format_args!(
        "{device}  {}({})\n       {interface}\n       memory {}, shared by a group {}\n{}",
        if *is_cpu {
            String::new()
        } else {
            format!("{name} ")
        },
        kind(device),
        bytes(*memory),
        bytes(*local_memory),
        measured.unwrap_or_default(),
    ))
}

fn kind(device: &Device) -> &'static str {
    if device.description.is_cpu {
        "cpu"
    } else {
        "gpu"
    }
}

fn speed(report: &Report) -> f64 {
    report.total as f64 / report.elapsed.as_secs_f64()
}

/// What programs are told of a device; without one it is the names of the fields that matter.
fn fields(device: Option<&Device>, measured: Option<&Report>) -> Vec<Field> {
    let of = |value: fn(&Device) -> Value| device.map_or(Value::Nothing, value);
    let by = |value: fn(&Report) -> Value| measured.map_or(Value::Nothing, value);
    vec![
        ("device", of(|device| Value::Text(device.to_string()))),
        (
            "name",
            of(|device| Value::Text(device.description.name.clone())),
        ),
        ("kind", of(|device| kind(device).into())),
        (
            "interface",
            of(|device| Value::Text(device.description.interface.clone())),
        ),
        (
            "memory_bytes",
            of(|device| Value::Number(device.description.memory)),
        ),
        (
            "group_memory_bytes",
            of(|device| Value::Number(device.description.local_memory)),
        ),
        (
            "solutions_per_second",
            by(|measured| Value::Real(speed(measured))),
        ),
        ("n", by(|measured| Value::Number(measured.n.into()))),
        ("seconds", by(|measured| Value::Seconds(measured.elapsed))),
        (
            "threads",
            by(|measured| Value::Number(measured.threads as u64)),
        ),
    ]
}
