//! `queencount devices`: lists the GPUs and other devices that can count.

use std::fmt;

use serde::Serialize;

use crate::Device;

use crate::cli::app::App;
use crate::cli::error::Result;
use crate::cli::flags::commands::DevicesArguments;
use crate::cli::numbers::bytes;
use crate::cli::output::Format;
use crate::cli::supervise::report_failed_drivers;

#[derive(Default, Serialize)]
struct DeviceReport {
    device: String,
    name: String,
    memory_bytes: u64,
    #[serde(skip)]
    is_cpu: bool,
    #[serde(skip)]
    interface: String,
}

pub(crate) fn run(args: &DevicesArguments) -> Result<()> {
    let mut app = App::new(&args.report.into())?;
    report_failed_drivers(&app.ui);
    let devices = Device::all();
    if let Some(absence) = Device::absence()
        && Device::failed_drivers().is_empty()
    {
        app.ui.note(format_args!("no devices found: {absence}"));
    }
    if app.output.format() == Format::Csv && devices.is_empty() {
        return app.output.header(&DeviceReport::default());
    }
    for device in devices {
        let description = &device.description;
        app.output.print(&DeviceReport {
            device: device.to_string(),
            name: description.name.clone(),
            memory_bytes: description.memory,
            is_cpu: description.is_cpu,
            interface: description.interface.clone(),
        })?;
    }
    Ok(())
}

impl fmt::Display for DeviceReport {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}  ", self.device)?;
        // The `--device` value for a CPU already includes the CPU's name.
        if self.is_cpu {
            write!(formatter, "(cpu)")?;
        } else {
            write!(formatter, "{} (gpu)", self.name)?;
        }
        writeln!(
            formatter,
            "\n       {}\n       memory {}",
            self.interface,
            bytes(self.memory_bytes)
        )
    }
}
