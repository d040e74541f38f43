//! A device is measured by itself, and counts made by the CPU are never attributed to a device.
//!
//! With PoCL, any CPU is a device, so with the `gpu` feature these tests need no GPU. They fail if
//! there is no device.

use crate::program::{run, stdout, text};

#[test]
fn invalid_device_options_are_rejected() {
    for (arguments, found) in [
        (
            &["count", "8", "--device", "tpu"][..],
            "expected auto, cpu, gpu, gpu: and numbers such as gpu:0,1, or gpu: and the full name of a device",
        ),
        (
            &["count", "8", "--engine", "backtrack", "--device", "auto"],
            "--device requires the rows engine, not backtrack",
        ),
        (
            &["count", "8", "--require-device"],
            "--require-device requires a device, but '--device cpu' selects none",
        ),
    ] {
        let output = run(arguments, "");
        assert_eq!(
            (output.status.code(), text(&output.stdout)),
            (Some(2), String::new()),
            "{arguments:?}"
        );
        assert!(
            text(&output.stderr).contains(found),
            "{arguments:?}: {}",
            text(&output.stderr)
        );
    }
}

#[cfg(not(feature = "gpu"))]
#[test]
fn empty_device_table_has_header() {
    assert_eq!(
        stdout(&["devices", "-q", "--format", "csv"], ""),
        "device,name,kind,interface,memory_bytes,group_memory_bytes\n"
    );
    assert_eq!(stdout(&["devices", "-q", "--format", "json"], ""), "");
}

#[cfg(feature = "gpu")]
mod with_devices {
    use std::io::{BufRead, BufReader, Read};
    use std::process::Command;

    use serde_json::Value;

    use super::*;
    use crate::program::queencount;
    #[cfg(unix)]
    use crate::program::{Running, signal};

    /// Returns the first device, in the form that the option accepts.
    fn device() -> String {
        queencount::Device::all()
            .first()
            .expect("a device: install an OpenCL driver, for example PoCL")
            .to_string()
    }

    /// Returns a command for a device whose driver cannot compile.
    fn broken(arguments: &[&str]) -> Command {
        let device = device();
        let mut program = queencount(&[arguments, &["--device", &device, "-t", "2"]].concat());
        program.env("POCL_EXTRA_BUILD_FLAGS", "-include nowhere");
        program
    }

    fn json(arguments: &[&str]) -> Value {
        serde_json::from_str(&stdout(
            &[arguments, &["--format", "json", "-q"]].concat(),
            "",
        ))
        .unwrap()
    }

    #[test]
    fn named_device_is_estimated_in_device_seconds() {
        let priced = |device: &str| {
            json(&[
                "estimate", "13", "-t", "2", "--sample", "16", "--device", device,
            ])
        };
        let names = ["core_seconds", "core_seconds_low", "core_seconds_high"];
        let named = &device()[..];
        for (device, of_device) in [("cpu", false), (named, true), ("auto", false)] {
            let estimate = priced(device);
            for name in names {
                let of = |name: &str| estimate[name].is_f64();
                assert_eq!(
                    (of(name), of(&name.replace("core", "device"))),
                    (!of_device, of_device),
                    "{estimate}"
                );
            }
            assert_eq!(
                estimate["device"],
                if of_device { named } else { "cpu" },
                "{estimate}"
            );
        }
        let output = stdout(
            &[
                "estimate", "13", "-t", "2", "--sample", "16", "--device", named,
            ],
            "",
        );
        let fed = format!(" on {named}, fed by 2 threads");
        assert!(
            output.contains("\ndevice-seconds  ") && output.contains(&fed),
            "{output}"
        );
        // No device counts this board.
        assert!(
            json(&["estimate", "8", "--sample", "8", "--device", named])["core_seconds"].is_f64()
        );
    }

    /// The driver cannot compile, so the CPU would count everything.
    #[test]
    fn failing_driver_is_reported_and_sets_exit_code() {
        let output_of = |arguments: &[&str]| broken(arguments).output().unwrap();
        for measurement in [
            &["count", "12", "--require-device"][..],
            &["estimate", "12", "--sample", "8"],
        ] {
            let output = output_of(measurement);
            let error = text(&output.stderr);
            assert_eq!(output.status.code(), Some(1), "{measurement:?}: {error}");
            assert!(
                error.contains(" failed: compiling the kernels failed"),
                "{error}"
            );
        }
        let output = output_of(&["self-test"]);
        let error = text(&output.stderr);
        assert!(
            output.status.code() == Some(3) && error.contains(" failed and is disabled: "),
            "{error}"
        );
        assert!(
            error.ends_with(&format!("queencount: the self-test failed: {}\n", device())),
            "{error}"
        );
        assert!(
            text(&output.stdout)
                .lines()
                .any(|line| line.starts_with("wrong    gpu:") && line.contains(" fails: "))
        );
        // The count is correct nevertheless.
        let output = output_of(&["count", "12"]);
        assert_eq!(text(&output.stdout), "14200\n");
        let error = text(&output.stderr);
        assert_eq!(
            error
                .matches(" failed and is disabled: compiling the kernels failed")
                .count(),
            1,
            "{error}"
        );
    }

    /// The CPU would count this board for hours.
    #[cfg(unix)]
    #[test]
    fn device_failure_is_reported_immediately() {
        let mut program = broken(&["count", "24", "--progress", "never"]);
        let mut child = Running::piped(&mut program);
        let mut stderr = BufReader::new(child.stderr.take().unwrap());
        let mut line = String::new();
        stderr.read_line(&mut line).unwrap();
        assert!(
            line.contains(" failed and is disabled: compiling the kernels failed")
                && line.ends_with("; falling back to the CPU\n"),
            "{line:?}"
        );
        signal(&child, nix::sys::signal::Signal::SIGINT);
        let mut rest = String::new();
        stderr.read_to_string(&mut rest).unwrap();
        assert!(
            rest.starts_with("queencount: interrupted after "),
            "{rest:?}"
        );
        assert_eq!(child.finish().status.code(), Some(130));
    }

    #[test]
    fn unused_device_is_reported_once() {
        let device = &device();
        let output = run(&["count", "8", "9", "12", "--device", device], "");
        assert_eq!(text(&output.stdout), "92\n352\n14200\n");
        let why =
            "the backtrack engine counts N = 8 on the CPU; to use devices, add '--engine rows'";
        assert_eq!(
            text(&output.stderr),
            format!("queencount: --device {device} is unused: {why}\n")
        );
        assert_eq!(
            stdout(&["count", "8", "--device", device, "--engine", "rows"], ""),
            "92\n"
        );
        let output = run(&["count", "3", "--device", device, "--engine", "rows"], "");
        assert!(
            text(&output.stderr).ends_with("the backtrack engine counts N = 3 on the CPU\n"),
            "{output:?}"
        );
        // If a device is required, the CPU must not take its place.
        let folder = tempfile::tempdir().unwrap();
        let record = folder.path().join("10.jsonl");
        let record = record.to_str().unwrap();
        for command in [
            &["count", "10"][..],
            &["estimate", "10"],
            &["run", "10", "--record", record],
        ] {
            let output = run(
                &[command, &["--device", device, "--require-device"]].concat(),
                "",
            );
            let error = text(&output.stderr);
            assert_eq!(
                (output.status.code(), text(&output.stdout)),
                (Some(2), String::new()),
                "{error}"
            );
            assert!(
                error.contains(
                    "no device can be used: the backtrack engine counts N = 10 on the CPU"
                ),
                "{error}"
            );
        }
    }

    #[test]
    fn cpu_device_is_selected_only_by_full_name() {
        if queencount::Device::all()
            .iter()
            .any(|device| !device.description.is_cpu)
        {
            return;
        }
        for word in ["gpu", "gpu:0"] {
            let output = run(&["count", "12", "--device", word], "");
            assert_eq!(
                (output.status.code(), text(&output.stdout)),
                (Some(2), String::new())
            );
            let error = text(&output.stderr);
            assert!(
                error.contains("is a CPU, which must be selected"),
                "{error}"
            );
            assert!(error.contains(&format!("use '{}'", device())), "{error}");
        }
        // Jobs of a cluster must fail here.
        let output = run(&["count", "12", "--device", "auto", "--require-device"], "");
        assert_eq!(
            (output.status.code(), text(&output.stdout)),
            (Some(2), String::new())
        );
        let error = text(&output.stderr);
        assert!(
            error.contains("--require-device requires a device, but '--device auto' selects none"),
            "{error}"
        );
    }
}
