//! The promise: a device is measured as itself. What the CPU has counted in its place is never told as its work.
//!
//! PoCL makes a device of any CPU, so with the feature `gpu` these tests need no GPU, and fail where there is no device.

use serde_json::Value;

use crate::program::{run, stdout, text};

#[test]
fn devices_are_compared_on_boards_that_they_count() {
    for (arguments, found) in [
        (&["bench", "3", "--against-device", "cpu"][..], "at least 4 rows with --against-device, found N = 3"),
        (
            &["bench", "--engine", "backtrack", "--against-device", "cpu"],
            "expected the engine rows with --against-device",
        ),
        (&["bench", "--against-device", "tpu"], "expected auto, cpu, gpu, or gpu: and numbers such as gpu:0,1"),
    ] {
        let output = run(arguments, "");
        assert_eq!((output.status.code(), text(&output.stdout)), (Some(2), String::new()), "{arguments:?}");
        assert!(text(&output.stderr).contains(found), "{arguments:?}: {}", text(&output.stderr));
    }
}

#[test]
fn the_cpu_is_compared_with_itself_by_the_engine_of_devices() {
    let pair = ["bench", "8", "--seconds", "60", "-t", "1", "--device", "cpu", "--against-device", "cpu"];
    let line: Value = serde_json::from_str(&stdout(&[&pair[..], &["--format", "json"]].concat(), "")).unwrap();
    let kernel = queencount::Kernel::default().name();
    for way in ["first", "second"] {
        assert_eq!(line[way], format!("rows, {kernel}, threads 1"), "{line}");
    }
}

#[cfg(not(feature = "gpu"))]
#[test]
fn a_table_without_devices_has_its_header() {
    let header = "device,name,kind,interface,memory_bytes,group_memory_bytes,solutions_per_second,n,seconds,threads\n";
    assert_eq!(stdout(&["devices", "-q", "--format", "csv"], ""), header);
    assert_eq!(stdout(&["devices", "-q", "--format", "json"], ""), "");
}

#[cfg(feature = "gpu")]
mod with_devices {
    use super::*;
    use crate::program::queencount;

    fn json(arguments: &[&str]) -> Value {
        serde_json::from_str(&stdout(&[arguments, &["--format", "json", "-q"]].concat(), "")).unwrap()
    }

    #[test]
    fn a_device_is_measured_if_asked() {
        for (measure, measured) in [(&["devices"][..], false), (&["devices", "--measure", "-t", "2"], true)] {
            let lines = stdout(&[measure, &["--format", "json", "-q"]].concat(), "");
            assert!(!lines.is_empty(), "expected a device, found none: install an OpenCL driver, for example PoCL");
            for line in lines.lines().map(|line| serde_json::from_str::<Value>(line).unwrap()) {
                assert_eq!(line["solutions_per_second"].is_f64(), measured, "{line}");
                if measured {
                    let n = u32::try_from(line["n"].as_u64().unwrap()).unwrap();
                    let counted = line["solutions_per_second"].as_f64().unwrap() * line["seconds"].as_f64().unwrap();
                    let published = queencount::published(n).unwrap() as f64;
                    assert!((counted / published - 1.0).abs() < 1e-3, "{line}");
                    assert_eq!(line["threads"], 2, "{line}");
                }
            }
        }
    }

    #[test]
    fn a_device_and_the_cpu_take_turns() {
        let line = json(&["bench", "11", "--seconds", "60", "-t", "2", "--device", "gpu:0", "--against-device", "cpu"]);
        let kernel = queencount::Kernel::default().name();
        assert_eq!(line["first"], "rows, gpu:0, threads 2");
        assert_eq!(line["second"], format!("rows, {kernel}, threads 2"));
        assert!(line["pairs"].as_u64().unwrap() >= 1 && line["ratio"].as_f64().unwrap() > 0.0, "{line}");
    }

    #[test]
    fn a_device_that_is_named_has_its_own_price() {
        let priced = |device: &str| json(&["estimate", "13", "-t", "2", "--sample", "16", "--device", device]);
        let names = ["core_hours", "core_hours_low", "core_hours_high"];
        for (device, of_device) in [("cpu", false), ("gpu:0", true), ("auto", false)] {
            let estimate = priced(device);
            for name in names {
                let of = |name: &str| estimate[name].is_f64();
                assert_eq!((of(name), of(&name.replace("core", "device"))), (!of_device, of_device), "{estimate}");
            }
            assert_eq!(estimate["device"], if of_device { "gpu:0" } else { "cpu" }, "{estimate}");
        }
        let said = stdout(&["estimate", "13", "-t", "2", "--sample", "16", "--device", "gpu:0"], "");
        assert!(said.contains("\ndevice-seconds  ") && said.contains(" on gpu:0, fed by 2 threads"), "{said}");
        // A board that no device counts.
        assert!(json(&["estimate", "8", "--sample", "8", "--device", "gpu:0"])["core_hours"].is_f64());
    }

    /// Its driver cannot compile, so the CPU would count everything.
    #[test]
    fn a_driver_that_fails_is_told_and_decides_the_exit_code() {
        let broken = |arguments: &[&str]| {
            let mut program = queencount(&[arguments, &["--device", "gpu:0", "-t", "2"]].concat());
            program.env("POCL_EXTRA_BUILD_FLAGS", "-include nowhere").output().unwrap()
        };
        for measurement in [
            &["estimate", "12", "--sample", "8"][..],
            &["devices", "--measure"],
            &["bench", "12", "--against-device", "cpu", "--seconds", "5"],
            &["bench", "12", "--seconds", "5"],
        ] {
            let output = broken(measurement);
            let told = text(&output.stderr);
            assert_eq!(output.status.code(), Some(1), "{measurement:?}: {told}");
            assert!(told.contains(" to count, found that it fails: the driver cannot compile"), "{told}");
        }
        let output = broken(&["self-test", "-q"]);
        assert_eq!(output.status.code(), Some(3));
        assert!(text(&output.stderr).ends_with("the self-test found something wrong: gpu:0\n"));
        assert!(
            text(&output.stdout).lines().any(|line| line.starts_with("wrong    gpu:0 ") && line.contains(" fails: "))
        );
        // A count is right all the same.
        assert_eq!(text(&broken(&["count", "12"]).stdout), "14200\n");
    }
}
