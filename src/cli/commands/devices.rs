//! `queencount devices`: lists the GPUs and other devices that can count.

use indicatif::HumanBytes;
use serde::Serialize;

use crate::Device;

use crate::cli::app::App;
use crate::cli::error::Result;
use crate::cli::flags::commands::DevicesArguments;
use crate::cli::output::Format;

#[derive(Serialize)]
struct DeviceReport<'a> {
    device: String,
    name: &'a str,
    memory_bytes: u64,
}

pub(crate) fn run(args: &DevicesArguments) -> Result<()> {
    let app = App::reporting(args.report)?;
    for failure in Device::failed_drivers() {
        app.ui.error(failure);
    }
    let devices = Device::all();
    if let Some(absence) = Device::absence()
        && Device::failed_drivers().is_empty()
    {
        app.ui.note(format_args!("no devices found: {absence}"));
    }
    if app.output.format() == Format::Csv && devices.is_empty() {
        return app.output.text("device,name,memory_bytes\n");
    }
    for device in devices {
        let description = &device.description;
        let report = DeviceReport {
            device: device.to_string(),
            name: &description.name,
            memory_bytes: description.memory,
        };
        // The `--device` value for a CPU already includes the CPU's name.
        let name = match description.is_cpu {
            true => "(cpu)".to_owned(),
            false => format!("{} (gpu)", description.name),
        };
        let text = format!(
            "{}  {name}\n       {}\n       memory {}\n",
            report.device,
            description.interface,
            HumanBytes(description.memory)
        );
        app.output.print(&report, text)?;
    }
    Ok(())
}
