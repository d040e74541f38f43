//! A device is measured by itself, a device that fails ends the count, and counts made by the CPU
//! are never attributed to a device.
//!
//! With PoCL, any CPU is a device, so with the `gpu` feature these tests need no GPU. They fail if
//! there is no device.

use crate::program::{run, stdout, text};

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
    use crate::program::queencount;

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

    #[test]
    fn failing_device_is_reported_and_sets_exit_code() {
        let device = &device();
        let message = format!("{device} failed while compiling the kernels: CL_");
        for arguments in [
            &["count", "12"][..],
            &["count", "24", "--progress", "never"],
            &["estimate", "12", "--sample", "8"],
        ] {
            let arguments = [arguments, &["--device", device]].concat();
            // The driver cannot compile.
            let (output, error) =
                run_with(&arguments, "POCL_EXTRA_BUILD_FLAGS", "-include nowhere");
            assert_eq!(output.status.code(), Some(1), "{arguments:?}: {error}");
            assert!(
                output.stdout.is_empty() && error.contains(&message),
                "{output:?}"
            );
        }
    }

    #[test]
    fn record_of_device_is_continued_by_cpu() {
        let folder = tempfile::tempdir().unwrap();
        let record = folder.path().join("13.jsonl");
        let path = record.to_str().unwrap();
        for (device, shard) in [(&device()[..], "1/2"), ("cpu", "2/2")] {
            let run = [
                "run", "13", "-q", "-t", "1", "--record", path, "--shard", shard,
            ];
            stdout(&[&run[..], &["--device", device]].concat(), "");
            let record = std::fs::read_to_string(&record).unwrap();
            let last = record.lines().last().unwrap();
            let by_device = last.contains(r#""kernel":"gpu""#);
            assert_eq!(by_device, device != "cpu", "{record}");
        }
        assert_eq!(stdout(&["merge", path], ""), "73712\n");
    }

    #[test]
    fn unused_device_is_reported_once() {
        let device = &device();
        let output = run(&["count", "8", "9", "12", "--device", device], "");
        assert_eq!(text(&output.stdout), "92\n352\n14200\n");
        assert_eq!(
            text(&output.stderr),
            "queencount: devices need '--engine rows' and N >= 4: backtrack counts N = 8 on the \
             CPU\n"
        );
        assert_eq!(
            stdout(&["count", "8", "--device", device, "--engine", "rows"], ""),
            "92\n"
        );
        let output = run(&["count", "3", "--device", device, "--engine", "rows"], "");
        assert!(
            text(&output.stderr).contains("backtrack counts N = 3 on the CPU"),
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
        let output = run(&["count", "12", "--device", "gpu"], "");
        assert_eq!(output.status.code(), Some(2));
        let error = text(&output.stderr);
        let hint = format!(
            "is a CPU, which must be selected by its full name; use '{}'",
            device()
        );
        assert!(error.contains(&hint), "{error}");
    }
}
