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

/// What programs are told of a device.
const FIELDS: [&str; 10] = [
    "device",
    "name",
    "kind",
    "interface",
    "memory_bytes",
    "group_memory_bytes",
    "solutions_per_second",
    "n",
    "seconds",
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
    let values = [
        Value::Number(index as u64),
        Value::Text(name),
        Value::Word(kind),
        Value::Text(device.interface()),
        Value::Number(device.memory()),
        Value::Number(device.local_memory()),
        measured.map_or(Value::Nothing, |report| Value::Real(speed(report))),
        of(|report| Value::Number(report.n.into())),
        of(|report| Value::Seconds(report.elapsed)),
        of(|report| Value::Number(report.threads as u64)),
    ];
    output.fields(&FIELDS.into_iter().zip(values).collect::<Vec<_>>())
}
