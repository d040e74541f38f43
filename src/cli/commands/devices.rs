//! `queencount devices`: lists the GPUs and other devices that can count.

use super::prelude::*;
use crate::cli::supervise::report_failed_drivers;

#[derive(Default, Serialize)]
struct DeviceRow {
    device: String,
    name: String,
    kind: &'static str,
    interface: String,
    memory_bytes: u64,
    group_memory_bytes: u64,
}

pub(crate) fn run(app: &mut App) -> Result<()> {
    report_failed_drivers(&app.ui);
    let devices = Device::all();
    if let Some(absence) = Device::absence()
        && Device::failed_drivers().is_empty()
    {
        app.ui.note(format_args!("no devices found: {absence}"));
    }
    if app.output.format() == Format::Csv && devices.is_empty() {
        return app.output.header(&DeviceRow::default());
    }
    for device in devices {
        let description = &device.description;
        // The `--device` value for a CPU already includes the CPU's name.
        let (kind, name) = match description.is_cpu {
            true => ("cpu", String::new()),
            false => ("gpu", format!("{} ", description.name)),
        };
        let text = format!(
            "{device}  {name}({kind})\n       {}\n       memory {}, {} per work group\n",
            description.interface,
            bytes(description.memory),
            bytes(description.local_memory),
        );
        let row = DeviceRow {
            device: device.to_string(),
            name: description.name.clone(),
            kind,
            interface: description.interface.clone(),
            memory_bytes: description.memory,
            group_memory_bytes: description.local_memory,
        };
        app.output.result(text, &row)?;
    }
    Ok(())
}
