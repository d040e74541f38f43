//! The CUDA and OpenCL hosts make the right calls to their drivers, and survive when these calls
//! fail. Stand-ins for the drivers' libraries run the kernels with PoCL, so no GPU is needed
//! (`tests/drivers`).

use std::path::Path;
use std::process::Output;
use std::sync::OnceLock;

mod common;

/// Returns the directory with the stand-ins.
fn stand_ins() -> &'static Path {
    static FOLDER: OnceLock<&Path> = OnceLock::new();
    FOLDER.get_or_init(|| {
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR"));
        let build = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/drivers/build");
        let status = common::child::command(build).arg(folder).status().unwrap();
        assert!(status.success(), "the stand-ins for drivers did not build");
        folder
    })
}

/// Environment variables that the stand-ins read.
type Variables<'a> = &'a [(&'a str, &'a str)];

/// Makes a stand-in report a GPU that is not from NVIDIA.
const GPU: (&str, &str) = ("OPENCL_VENDOR", "4098");

/// Runs the program with some stand-ins. Returns its output and the number of kernels launched by
/// CUDA, which is 0 if CUDA was not loaded.
fn run(hosts: &[&str], arguments: &str, variables: Variables) -> (Output, u64) {
    let folder = tempfile::tempdir().unwrap();
    let log = folder.path().join("launches");
    let paths = std::env::join_paths(hosts.iter().map(|host| stand_ins().join(host))).unwrap();
    let run = || {
        let mut command = common::child::command(env!("CARGO_BIN_EXE_queencount"));
        command
            .args(arguments.split(' '))
            .env("LD_LIBRARY_PATH", &paths)
            .env("CUDA_LOG", &log);
        command.envs(variables.iter().copied()).output().unwrap()
    };
    let mut output = run();
    // PoCL, which the stand-ins use, sometimes finds its kernel cache corrupt when several threads
    // use it, and aborts. That is not an error of this program.
    for _ in 0..4 {
        if !String::from_utf8_lossy(&output.stderr)
            .contains("pocl_release_dlhandle_cache: Assertion")
        {
            break;
        }
        output = run();
    }
    let launches = std::fs::read_to_string(log).map_or(0, |log| log.trim().parse().unwrap());
    (output, launches)
}

/// Runs a count, which must be correct. Returns its stderr and the number of kernels launched by
/// CUDA.
fn count(host: &str, n: u32, options: &str, variables: Variables) -> (String, u64) {
    let (output, launches) = run(&[host], &format!("{n} {options}"), variables);
    let [stdout, stderr] =
        [output.stdout, output.stderr].map(|text| String::from_utf8(text).unwrap());
    assert!(output.status.success(), "{variables:?}: {stderr}");
    let total = queencount::oeis_a000170(n).unwrap().to_string();
    assert_eq!(
        stdout.split_whitespace().last(),
        Some(&total[..]),
        "{variables:?}: {stderr}"
    );
    (stderr, launches)
}

/// Returns stderr and the exit code of a command that must fail without a result.
fn refused(host: &str, arguments: &str, variables: Variables) -> (String, Option<i32>) {
    let (output, _) = run(&[host], arguments, variables);
    assert_eq!(String::from_utf8_lossy(&output.stdout), "", "{arguments}");
    (
        String::from_utf8(output.stderr).unwrap(),
        output.status.code(),
    )
}

#[test]
fn nvidia_gpu_is_listed_once_by_cuda() {
    let names = |variables: Variables| {
        let (output, _) = run(&["cuda", "opencl"], "devices --format json", variables);
        assert!(output.status.success(), "{output:?}");
        String::from_utf8(output.stdout).unwrap()
    };
    for (vendor, devices) in [("4318", 1), ("4098", 2)] {
        let listed = names(&[("OPENCL_VENDOR", vendor)]);
        assert_eq!(listed.lines().count(), devices, "{listed}");
        assert!(
            listed.contains("\"device\":\"gpu:0\",\"name\":\"stand-in 0\""),
            "{listed}"
        );
        assert!(listed.contains("CUDA, driver 12.0"), "{listed}");
    }
    // Without a CUDA device, OpenCL is used.
    let listed = names(&[("OPENCL_VENDOR", "4318"), ("CUDA_FAILS", "cuInit:1:100")]);
    assert!(
        listed.lines().count() == 1 && !listed.contains("CUDA"),
        "{listed}"
    );
}

#[test]
fn stand_in_drivers_give_published_totals() {
    for n in [12, 14, 15] {
        let (stderr, launches) = count("cuda", n, "--device gpu:0 --threads 3", &[]);
        assert!(
            launches > 4 && stderr.is_empty(),
            "{launches} launches: {stderr}"
        );
        let (stderr, _) = count(
            "opencl",
            n,
            "--device gpu:0 --threads 3 --require-device",
            &[GPU],
        );
        assert!(stderr.is_empty(), "{stderr}");
    }
}

/// Tests calls of a host, each with the message when the call fails. The message is empty if the
/// failure does not disable the device, or only means that there is no memory, so that counting
/// continues.
fn check_failures(host: &str, variable: &str, failures: &[[&str; 2]]) {
    for &[call, message] in failures {
        let device = if message.starts_with("cannot be used") {
            "auto"
        } else {
            "gpu:0"
        };
        // If any later call would fail as well, only a run with a single thread shows which call
        // failed first.
        let (stderr, _) = count(
            host,
            12,
            &format!("--device {device} --threads 1"),
            &[GPU, (variable, call)],
        );
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
fn cuda_failures_are_reported_and_lose_no_solutions() {
    const FAILURES: [[&str; 2]; 26] = [
        [
            "cuInit:1:802",
            "cannot be used: initializing it failed: CUDA_ERROR_SYSTEM_NOT_READY",
        ],
        [
            "cuDriverGetVersion:1:1",
            "cannot be used: asking for its version failed",
        ],
        [
            "cuDeviceGetCount:1:1",
            "cannot be used: counting devices failed: CUDA_ERROR_INVALID_VALUE",
        ],
        ["cuDeviceGet:1:1", "cannot be used: finding a device failed"],
        [
            "cuDeviceGetName:1:1",
            "cannot be used: asking for a name failed",
        ],
        [
            "cuDeviceGetAttribute:2:1",
            "cannot be used: asking for an attribute failed",
        ],
        [
            "cuDeviceTotalMem_v2:1:1",
            "cannot be used: asking for memory failed",
        ],
        [
            "cuDevicePrimaryCtxSetFlags_v2:1:708",
            "preparing a context failed: error 708",
        ],
        ["cuDevicePrimaryCtxRetain:1:2", "CUDA_ERROR_OUT_OF_MEMORY"],
        [
            "cuModuleLoadDataEx:1:218",
            "compiling the kernels failed: error 218: ptxas fatal : a made-up",
        ],
        [
            "cuModuleGetFunction:3:500",
            "creating a kernel failed: error 500",
        ],
        [
            "cuFuncSetAttribute:5:1",
            "allowing a kernel all memory of a group failed: CUDA_ERROR_INVALID_VALUE",
        ],
        [
            "cuMemGetInfo_v2:1:201",
            "asking for free memory failed: CUDA_ERROR_INVALID_CONTEXT",
        ],
        [
            "cuCtxSetCurrent:41:201",
            "entering a context failed: CUDA_ERROR_INVALID_CONTEXT",
        ],
        [
            "cuStreamCreate:1:1",
            "creating a queue failed: CUDA_ERROR_INVALID_VALUE",
        ],
        ["cuStreamCreate:1:2", ""],
        [
            "cuMemAlloc_v2:7:1",
            "reserving memory failed: CUDA_ERROR_INVALID_VALUE",
        ],
        ["cuMemAlloc_v2:7:2", ""],
        [
            "cuMemFree_v2:1:1",
            "releasing memory failed: CUDA_ERROR_INVALID_VALUE",
        ],
        [
            "cuMemcpyHtoDAsync_v2:20:700",
            "writing to the device failed: CUDA_ERROR_ILLEGAL_ADDRESS",
        ],
        [
            "cuMemcpyDtoHAsync_v2:5:700",
            "reading from the device failed: CUDA_ERROR_ILLEGAL_ADDRESS",
        ],
        [
            "cuLaunchKernel:7:719",
            "starting a kernel failed: CUDA_ERROR_LAUNCH_FAILED",
        ],
        ["cuLaunchKernel:7:2", ""],
        // This call is made before a buffer grows. The buffer is released nevertheless.
        [
            "cuStreamSynchronize:15:1",
            "waiting for the device failed: CUDA_ERROR_INVALID_VALUE",
        ],
        ["cuStreamSynchronize:15:700", "CUDA_ERROR_ILLEGAL_ADDRESS"],
        // This call is made at the end, when nothing remains to be counted.
        ["cuStreamDestroy_v2:1:1", ""],
    ];
    check_failures("cuda", "CUDA_FAILS", &FAILURES);
}

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
    check_failures("opencl", "OPENCL_FAILS", &FAILURES);
}

/// If it were replaced, a CPU with an OpenCL driver would count instead of NVIDIA's GPU.
#[test]
fn unusable_driver_is_reported_and_not_replaced() {
    let message =
        "NVIDIA's driver cannot be used: initializing it failed: CUDA_ERROR_SYSTEM_NOT_READY";
    let broken = [("CUDA_FAILS", "cuInit:1:802")];
    let old = [("CUDA_VERSION", "11040")];
    for (variables, message) in [
        (broken, message),
        (
            old,
            "expected one for CUDA 12.0 or newer, found one for CUDA 11.4",
        ),
    ] {
        for device in ["gpu", "gpu:0", "gpu:0 --require-device"] {
            let (stderr, code) =
                refused("cuda", &format!("count 12 --device {device}"), &variables);
            assert!(
                code == Some(2) && stderr.contains(message),
                "{device}: {stderr}"
            );
        }
        let (stderr, _) = count("cuda", 12, "--device auto", &variables);
        assert!(stderr.contains(message), "{stderr}");
        let (output, _) = run(&["cuda"], "devices", &variables);
        assert!(
            output.status.success() && String::from_utf8_lossy(&output.stderr).contains(message),
            "{output:?}"
        );
    }
    // Without an error there is no device.
    let (stderr, code) = refused(
        "cuda",
        "count 12 --device gpu:0",
        &[("CUDA_FAILS", "cuInit:1:100")],
    );
    assert!(
        code == Some(2) && stderr.contains("is a CPU, which must be selected"),
        "{stderr}"
    );
}

#[test]
fn device_counts_only_when_requested() {
    let (_, launches) = count("cuda", 13, "--threads 2", &[]);
    assert_eq!(launches, 0);
    let (_, launches) = count("cuda", 13, "--device auto --threads 2", &[]);
    assert!(launches > 0);
}

#[test]
fn failed_required_device_ends_count() {
    let arguments = "count 14 --device gpu --threads 2 --require-device";
    let (stderr, code) = refused(
        "cuda",
        arguments,
        &[("CUDA_FAILS", "cuLaunchKernel:30:719")],
    );
    let expected = "gpu:0 (stand-in 0) failed: starting a kernel";
    assert!(code == Some(1) && stderr.contains(expected), "{stderr}");
}

#[test]
fn device_without_memory_is_not_disabled() {
    // Other programs have taken memory that seemed to be free, so almost none is left.
    let scarce = [("CUDA_TOLD", "4096"), ("CUDA_MEMORY", "40")];
    for (variables, left) in [
        (&scarce[..], false),
        (&[("CUDA_TOLD", "4096"), ("CUDA_MEMORY", "0")], true),
    ] {
        let (stderr, launches) = count("cuda", 15, "--device gpu:0 --threads 3", variables);
        assert!(
            !stderr.contains("failed and is disabled"),
            "{variables:?}: {stderr}"
        );
        assert_eq!(
            stderr.contains(" had too little memory for "),
            left,
            "{variables:?}: {stderr}"
        );
        assert_eq!(
            launches > 100,
            !left,
            "{variables:?}: {launches} launches, {stderr}"
        );
    }
}

#[test]
fn threads_share_memory_of_small_device() {
    for mebibytes in ["32", "1024", "3072"] {
        let (stderr, launches) = count(
            "cuda",
            15,
            "--device gpu:0 --threads 8",
            &[("CUDA_MEMORY", mebibytes)],
        );
        assert!(
            launches > 4 && stderr.is_empty(),
            "{launches} launches in {mebibytes} MiB: {stderr}"
        );
    }
}
