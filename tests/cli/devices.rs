//! A device is measured by itself, a device that fails ends the count, and counts made by the CPU
//! are never attributed to a device.
//!
//! With PoCL, any CPU is a device, so with the `gpu` feature these tests need no GPU. They fail if
//! there is no device.

use crate::program::{run, stdout, text};

#[test]
fn invalid_device_options_are_rejected() {
    for (arguments, found) in [
        (
            &["count", "8", "--device", "tpu"][..],
            "--device: expected cpu, auto, gpu, gpu:0,1 (by number) or gpu:NAME (by full name), \
             found \"tpu\"",
        ),
        (
            &["count", "8", "--engine", "backtrack", "--device", "auto"],
            "--device requires the rows engine, not backtrack",
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
fn build_without_devices_names_the_feature() {
    const WHY: &str = "this program was built without support for GPUs; \
                       'cargo install --path . --features gpu' adds it";
    for device in ["gpu", "gpu:0", "gpu:a name"] {
        let output = run(&["count", "12", "--device", device], "");
        assert_eq!(output.status.code(), Some(2));
        assert!(text(&output.stderr).contains(WHY), "{output:?}");
    }
    assert_eq!(stdout(&["count", "12", "--device", "auto"], ""), "14200\n");
    let output = run(&["devices", "--format", "csv"], "");
    assert_eq!(text(&output.stdout), "device,name,memory_bytes\n");
    assert!(text(&output.stderr).contains(WHY), "{output:?}");
}

#[cfg(feature = "gpu")]
mod with_devices {
    use std::process::Output;

    use serde_json::Value;

    use super::*;
    use crate::program::{Running, queencount, wait_until};

    /// Returns the first device, in the form that the option accepts.
    fn device() -> String {
        queencount::Device::all()
            .first()
            .expect("a device: install an OpenCL driver, for example PoCL")
            .to_string()
    }

    /// Runs the program with an environment variable. Returns its output and stderr.
    fn run_with(arguments: &[&str], variable: &str, value: &str) -> (Output, String) {
        let output = queencount(arguments).env(variable, value).output().unwrap();
        let error = text(&output.stderr);
        (output, error)
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn missing_devices_are_explained() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().to_str().unwrap();
        std::fs::write(folder.path().join("libOpenCL.so.1"), "").unwrap();
        for (variable, value, why) in [
            (
                "LD_LIBRARY_PATH",
                path,
                "no OpenCL library can be loaded; it comes with",
            ),
            (
                "OCL_ICD_VENDORS",
                path,
                "the OpenCL library finds no driver; install",
            ),
            (
                "POCL_DEVICES",
                "",
                "the OpenCL drivers list no device that can run the kernels \
                 (Portable Computing Language)",
            ),
        ] {
            let (output, error) = run_with(&["devices"], variable, value);
            assert!(
                output.status.success() && output.stdout.is_empty(),
                "{output:?}"
            );
            assert!(error.contains(why), "{variable}: {error}");
            for device in ["gpu", "gpu:0", "gpu:a name"] {
                let arguments = ["count", "12", "--device", device];
                let (output, error) = run_with(&arguments, variable, value);
                assert!(
                    output.status.code() == Some(2) && output.stdout.is_empty(),
                    "{output:?}"
                );
                assert!(
                    error.contains(&format!("no GPU can be used: {why}")),
                    "{error}"
                );
            }
            let arguments = ["count", "12", "--device", "auto"];
            let (output, error) = run_with(&arguments, variable, value);
            assert_eq!(
                (text(&output.stdout), error),
                ("14200\n".to_owned(), String::new())
            );
        }
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
        let named = &device()[..];
        let estimate = ["estimate", "13", "-t", "2", "--sample", "16", "--device"];
        for (device, of_device) in [("cpu", false), (named, true), ("auto", false)] {
            let estimate = json(&[&estimate[..], &[device]].concat());
            assert_eq!(
                estimate["device"],
                if of_device { named } else { "cpu" },
                "{estimate}"
            );
        }
        let output = stdout(&[&estimate[..], &[named]].concat(), "");
        let fed = format!(" on {named}, fed by 2 threads");
        assert!(
            output.contains("\ndevice-seconds  ") && output.contains(&fed),
            "{output}"
        );
        // No device counts this board.
        let estimate = json(&["estimate", "8", "--sample", "8", "--device", named]);
        assert_eq!(estimate["device"], "cpu");
    }

    /// Runs the program with a driver that cannot compile.
    fn run_broken(arguments: &[&str], device: &str) -> (Output, String) {
        let arguments = [arguments, &["--device", device]].concat();
        run_with(&arguments, "POCL_EXTRA_BUILD_FLAGS", "-include nowhere")
    }

    #[test]
    fn failing_device_is_reported_and_sets_exit_code() {
        let device = &device();
        let message = format!("{device} failed while compiling the kernels: CL_");
        for arguments in [
            &["count", "12"][..],
            &["count", "24", "--progress", "never"],
            &["estimate", "12", "--sample", "8"],
        ] {
            let (output, error) = run_broken(arguments, device);
            assert_eq!(output.status.code(), Some(1), "{arguments:?}: {error}");
            assert!(
                output.stdout.is_empty() && error.contains(&message),
                "{output:?}"
            );
        }
        let (output, error) = run_broken(&["self-test", "--progress", "never"], device);
        let report = text(&output.stdout);
        assert_eq!(output.status.code(), Some(3), "{error}");
        assert_eq!(
            error,
            format!("queencount: the self-test failed: {device}\n")
        );
        let mut lines = report.lines().filter(|line| line.starts_with("wrong "));
        assert!(lines.next().unwrap().contains(&message), "{report}");
        assert_eq!(lines.next(), None);
    }

    #[test]
    fn killed_count_on_device_is_resumed_exactly() {
        let folder = tempfile::tempdir().unwrap();
        let record = folder.path().join("16.jsonl");
        let path = record.to_str().unwrap();
        let device = &device();
        let [mut on_device, mut on_cpu, mut to_end] = [device, "cpu", device].map(|device| {
            queencount(&["run", "16", "-t", "2", "--device", device, "--record", path])
        });
        let mut child = Running::piped(&mut on_device);
        wait_until("tasks on record", || {
            std::fs::read_to_string(&record).is_ok_and(|record| record.lines().count() > 9)
        });
        child.kill().unwrap();
        assert_eq!(child.finish().stdout, b"");
        // The CPU continues, and then the device.
        let mut child = Running::piped(&mut on_cpu);
        wait_until("tasks by the CPU on record", || {
            std::fs::read_to_string(&record).is_ok_and(|record| {
                record
                    .lines()
                    .filter(|line| !line.contains(r#""kernel":"gpu""#))
                    .count()
                    > 9
            })
        });
        child.kill().unwrap();
        child.finish();
        let output = to_end.output().unwrap();
        assert_eq!(text(&output.stdout), "14772512\n", "{output:?}");
        assert_eq!(stdout(&["merge", path], ""), "14772512\n");
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
    }
}
