//! `queencount devices`: what could count beside the CPU, and if asked, how fast.

use queencount::{BoardSize, CountError, Device, DeviceChoice, EngineChoice};

use crate::cli::arguments::commands::DevicesArguments;
use crate::cli::counting::Counting;
use crate::cli::exit::Exit;
use crate::cli::form::Form;
use crate::cli::numbers::{bytes, quantity, rate, time};
use crate::cli::output::{Output, Value};
use crate::cli::report::Report;

/// The first board of a measurement: a small one, because it has the driver compile.
const FIRST: u32 = 12;

/// The least time of the board that is told, in seconds.
const LONG_ENOUGH: f64 = 0.5;

/// Runs it.
pub fn run(arguments: &DevicesArguments, counting: &Counting, output: &mut Output) -> Result<(), Exit> {
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

/// Counts boards on a device until one takes long enough.
fn measure(device: &Device, counting: &Counting) -> Result<Report, Exit> {
    let these = DeviceChoice::These(1 << device.index());
    let counting = counting.but(Some(EngineChoice::Rows), None, None).on(these);
    let count = |n: u32| {
        let counted = counting.count(BoardSize::new(n).map_err(CountError::from)?)?;
        counting.devices_work()?;
        Ok::<_, Exit>(counted)
    };
    let mut counted = count(FIRST)?;
    loop {
        counted = count(counted.n + 1)?;
        if counted.elapsed.as_secs_f64() > LONG_ENOUGH || counted.n == BoardSize::MAX {
            return Ok(counted);
        }
    }
}

fn write(device: &Device, measured: Option<&Report>, output: &mut Output) -> Result<(), Exit> {
    let (index, name, kind) = (device.index(), device.name(), if device.is_cpu() { "cpu" } else { "gpu" });
    let speed = |counted: &Report| counted.total as f64 / counted.elapsed.as_secs_f64();
    if output.form() == Form::Text {
        let measured = measured.map(|counted| {
            let (n, seconds, rate) = (counted.n, time(counted.elapsed.as_secs_f64()), rate(speed(counted)));
            let threads = quantity(counted.threads as u64, "thread", "threads");
            format!("       {rate} solutions/s: N = {n} in {seconds}, fed by {threads}\n")
        });
        return output.text(format_args!(
            "gpu:{index}  {name} ({kind})\n       {}\n       memory {}, shared by a group {}\n{}",
            device.interface(),
            bytes(device.memory()),
            bytes(device.local_memory()),
            measured.unwrap_or_default(),
        ));
    }
    let of = |value: fn(&Report) -> Value| measured.map_or(Value::Nothing, value);
    output.fields(&[
        ("device", Value::Number(index as u64)),
        ("name", Value::Text(name)),
        ("kind", Value::Word(kind)),
        ("interface", Value::Text(device.interface())),
        ("memory_bytes", Value::Number(device.memory())),
        ("group_memory_bytes", Value::Number(device.local_memory())),
        ("solutions_per_second", measured.map_or(Value::Nothing, |counted| Value::Real(speed(counted)))),
        ("n", of(|counted| Value::Number(counted.n.into()))),
        ("seconds", of(|counted| Value::Seconds(counted.elapsed))),
        ("threads", of(|counted| Value::Number(counted.threads as u64))),
    ])
}
