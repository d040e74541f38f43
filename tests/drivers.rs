//! The OpenCL host makes the right calls to its driver, and survives when these calls fail. A
//! stand-in for the OpenCL library runs the kernels with PoCL, so no GPU is needed
//! (`tests/drivers`).

use std::path::Path;
use std::process::Output;
use std::sync::OnceLock;

mod common;

/// Returns the directory with the stand-in.
fn stand_in() -> &'static Path {
    static FOLDER: OnceLock<&Path> = OnceLock::new();
    FOLDER.get_or_init(|| {
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR"));
        let build = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/drivers/build");
        let status = common::child::command(build).arg(folder).status().unwrap();
        assert!(
            status.success(),
            "the stand-in for the library did not build"
        );
        folder
    })
}

/// Runs the program with the stand-in, which reports a GPU. `fails` lists the calls that fail.
fn run(arguments: &str, fails: &str) -> Output {
    let run = || {
        common::child::command(env!("CARGO_BIN_EXE_queencount"))
            .args(arguments.split(' '))
            .env("LD_LIBRARY_PATH", stand_in())
            .env("OPENCL_IS_GPU", "1")
            .env("OPENCL_FAILS", fails)
            .output()
            .unwrap()
    };
    let mut output = run();
    // PoCL, which the stand-in uses, sometimes finds its kernel cache corrupt when several threads
    // use it, and aborts. That is not an error of this program.
    for _ in 0..4 {
        if !String::from_utf8_lossy(&output.stderr)
            .contains("pocl_release_dlhandle_cache: Assertion")
        {
            break;
        }
        output = run();
    }
    output
}

/// Runs a count, which must be correct, and returns its stderr.
fn count(n: u32, options: &str, fails: &str) -> String {
    let output = run(&format!("{n} {options}"), fails);
    let [stdout, stderr] =
        [output.stdout, output.stderr].map(|text| String::from_utf8(text).unwrap());
    assert!(output.status.success(), "{fails}: {stderr}");
    let total = queencount::oeis_a000170(n).unwrap().to_string();
    assert_eq!(
        stdout.split_whitespace().last(),
        Some(&total[..]),
        "{fails}: {stderr}"
    );
    stderr
}

#[test]
fn stand_in_driver_gives_published_totals() {
    for n in [12, 14, 15] {
        let stderr = count(n, "--device gpu:0 --threads 3 --require-device", "");
        assert!(stderr.is_empty(), "{stderr}");
    }
}

/// Each call is given with the message when it fails. The message is empty if the failure does not
/// disable the device, or only means that there is no memory, so that counting continues.
#[test]
fn opencl_failures_are_reported_and_lose_no_solutions() {
    const FAILURES: [[&str; 2]; 20] = [
        [
            "clGetPlatformIDs:1:-6",
            "cannot be used: listing drivers failed: error -6 of OpenCL",
        ],
        [
            "clGetDeviceIDs:1:-5",
            "cannot be used: listing devices failed",
        ],
        [
            "clGetDeviceInfo:5:-5",
            "cannot be used: asking about a device failed",
        ],
        [
            "clCreateContext:1:-2",
            "creating a context failed: error -2",
        ],
        [
            "clCreateProgramWithSource:1:-6",
            "reading the kernels failed: error -6",
        ],
        [
            "clBuildProgram:1:-11",
            "compiling the kernels failed: error -11",
        ],
        [
            "clBuildProgram:1:-11 clGetProgramBuildInfo:1:-5",
            "reading what its compiler says failed: error -5",
        ],
        [
            "clCreateCommandQueue:1:-34",
            "creating a queue failed: error -34",
        ],
        ["clCreateCommandQueue:1:-6", ""],
        [
            "clCreateKernel:3:-46",
            "creating a kernel failed: error -46",
        ],
        ["clCreateBuffer:7:-30", "reserving memory failed: error -30"],
        ["clCreateBuffer:7:-61", ""],
        [
            "clSetKernelArg:50:-50",
            "preparing a kernel failed: error -50",
        ],
        [
            "clEnqueueWriteBuffer:20:-5",
            "writing to the device failed: error -5",
        ],
        [
            "clEnqueueReadBuffer:5:-36",
            "reading from the device failed: error -36",
        ],
        [
            "clEnqueueNDRangeKernel:7:-54",
            "starting a kernel failed: error -54",
        ],
        // A driver may allocate memory on first use.
        ["clEnqueueNDRangeKernel:7:-4", ""],
        ["clFinish:1:-5", "waiting for the device failed: error -5"],
        [
            "clReleaseMemObject:1:-38",
            "releasing memory failed: error -38",
        ],
        // This call is made at the end, when nothing remains to be counted.
        ["clReleaseCommandQueue:1:-36", ""],
    ];
    for [call, message] in FAILURES {
        let device = if message.starts_with("cannot be used") {
            "auto"
        } else {
            "gpu:0"
        };
        // If any later call would fail as well, only a run with a single thread shows which call
        // failed first.
        let stderr = count(12, &format!("--device {device} --threads 1"), call);
        assert!(
            if message.is_empty() {
                stderr.is_empty()
            } else {
                stderr.contains(message)
            },
            "{call}: {stderr}"
        );
        assert!(!stderr.contains("panicked"), "{call}: {stderr}");
    }
}

#[test]
fn unusable_driver_is_reported_and_not_replaced() {
    const BROKEN: &str = "clGetDeviceIDs:1:-6";
    let message = "an OpenCL driver cannot be used: listing devices failed: error -6 of OpenCL";
    for device in ["gpu", "gpu:0", "gpu:0 --require-device"] {
        let output = run(&format!("count 12 --device {device}"), BROKEN);
        let stderr = String::from_utf8_lossy(&output.stderr);
        assert!(output.stdout.is_empty(), "{device}: {stderr}");
        assert!(
            output.status.code() == Some(2) && stderr.contains(message),
            "{device}: {stderr}"
        );
    }
    let output = run("devices", BROKEN);
    assert!(
        output.status.success() && String::from_utf8_lossy(&output.stderr).contains(message),
        "{output:?}"
    );
}

#[test]
fn failed_required_device_ends_count() {
    let output = run(
        "count 14 --device gpu --threads 2 --require-device",
        "clEnqueueNDRangeKernel:30:-54",
    );
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert!(output.stdout.is_empty(), "{stderr}");
    let expected = ") failed: starting a kernel";
    assert!(
        output.status.code() == Some(1) && stderr.contains(expected),
        "{stderr}"
    );
}
