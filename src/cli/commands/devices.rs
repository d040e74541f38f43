//! `queencount devices`: lists the GPUs and other devices that can count.

use crate::Device;
use serde::Serialize;

use crate::cli::app::App;
use crate::cli::error::Result;
use crate::cli::numbers::bytes;
use crate::cli::output::Format;
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

impl From<&Device> for DeviceRow {
    fn from(device: &Device) -> Self {
        let description = &device.description;
        Self {
            device: device.to_string(),
            name: description.name.clone(),
            kind: if description.is_cpu { "cpu" } else { "gpu" },
            interface: description.interface.clone(),
            memory_bytes: description.memory,
            group_memory_bytes: description.local_memory,
        }
    }
}

pub(crate) fn run(app: &mut App) -> Result<()> {
    report_failed_drivers(&app.ui);
    let devices: Vec<DeviceRow> = Device::all().iter().map(DeviceRow::from).collect();
    if devices.is_empty() && Device::failed_drivers().is_empty() {
        let why = if cfg!(feature = "gpu") {
            "the drivers list no devices"
        } else {
            "this program was built without GPU support"
        };
        app.ui.note(format_args!("no devices found: {why}"));
    }
    if app.output.format() == Format::Csv && devices.is_empty() {
        return app.output.header(&DeviceRow::default());
    }
    for row in devices {
        if app.output.format() == Format::Text {
            // The `--device` value for a CPU already includes the CPU's name.
            let name = if row.kind == "cpu" {
                String::new()
            } else {
                format!("{} ", row.name)
            };
            app.output.text(format_args!(
                "{}  {name}({})\n       {}\n       memory {}, {} per work group\n",
                row.device,
                row.kind,
                row.interface,
                bytes(row.memory_bytes),
                bytes(row.group_memory_bytes),
            ))?;
        } else {
            app.output.row(&row)?;
        }
    }
    Ok(())
}
