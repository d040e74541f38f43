//! `queencount devices`: what could count beside the CPU.

use queencount::Device;

use crate::cli::counting::Counting;
use crate::cli::exit::Failure;
use crate::cli::form::Form;
use crate::cli::numbers::bytes;
use crate::cli::output::{Output, Value};

/// Runs it.
pub fn run(counting: &Counting, output: &mut Output) -> Result<(), Failure> {
    if Device::all().is_empty() {
        let hint = if cfg!(feature = "gpu") { "no driver names one" } else { "this program is built without them" };
        counting.note(format_args!("no devices: {hint}"));
    }
    for device in Device::all() {
        let (index, name, kind) = (device.index(), device.name(), if device.is_cpu() { "cpu" } else { "gpu" });
        if output.form() == Form::Text {
            output.text(format_args!(
                "gpu:{index}  {name} ({kind})\n       {}\n       memory {}, shared by a group {}\n",
                device.interface(),
                bytes(device.memory()),
                bytes(device.local_memory()),
            ))?;
        } else {
            output.fields(&[
                ("device", Value::Number(index as u64)),
                ("name", Value::Text(name)),
                ("kind", Value::Word(kind)),
                ("interface", Value::Text(device.interface())),
                ("memory_bytes", Value::Number(device.memory())),
                ("group_memory_bytes", Value::Number(device.local_memory())),
            ])?;
        }
    }
    Ok(())
}
