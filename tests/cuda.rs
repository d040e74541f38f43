//! The CUDA host does on NVIDIA's driver what it should, and survives when the driver fails. A stand-in for the driver
//! carries the kernels out, so that no GPU is needed (`tests/cuda/driver.c`).

use std::path::Path;
use std::process::{Command, Output};
use std::sync::OnceLock;

/// A folder with the stand-in.
fn stand_in() -> &'static Path {
    static FOLDER: OnceLock<&Path> = OnceLock::new();
    FOLDER.get_or_init(|| {
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR"));
        let build = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cuda/build");
        let status = Command::new(build).arg(folder).status().unwrap();
        assert!(status.success(), "the stand-in for the driver did not build");
        folder
    })
}

/// Runs the program with the stand-in and variables of the environment that it reads. Its output and the number of
/// launches: none where no driver has been loaded.
fn run(arguments: &str, variables: &[(&str, &str)]) -> (Output, u64) {
    let folder = tempfile::tempdir().unwrap();
    let log = folder.path().join("launches");
    let run = || {
        let mut command = Command::new(env!("CARGO_BIN_EXE_queencount"));
        command.args(arguments.split(' ')).env("LD_LIBRARY_PATH", stand_in()).env("CUDA_LOG", &log);
        command.envs(variables.iter().copied()).output().unwrap()
    };
    let mut output = run();
    // PoCL, which does what the stand-in is asked for, sometimes finds its own cache of kernels in disorder when several
    // threads use it, and aborts. That says nothing about this program.
    for _ in 0..4 {
        if !String::from_utf8_lossy(&output.stderr).contains("pocl_release_dlhandle_cache: Assertion") {
            break;
        }
        output = run();
    }
    let launches = std::fs::read_to_string(log).map_or(0, |log| log.trim().parse().unwrap());
    (output, launches)
}

/// Runs a count, which has to be right. What it says on standard error, and the number of launches.
fn count(n: u32, threads: u32, variables: &[(&str, &str)]) -> (String, u64) {
    let (output, launches) = run(&format!("{n} --device gpu:0 --threads {threads}"), variables);
    let [stdout, stderr] = [output.stdout, output.stderr].map(|text| String::from_utf8(text).unwrap());
    assert!(output.status.success(), "{variables:?}: {stderr}");
    let total = queencount::published(n).unwrap().to_string();
    assert_eq!(stdout.split_whitespace().last(), Some(&total[..]), "{variables:?}: {stderr}");
    (stderr, launches)
}

#[test]
fn the_device_is_listed_with_its_interface() {
    let (output, _) = run("devices --format json", &[]);
    let stdout = String::from_utf8(output.stdout).unwrap();
    let first = stdout.lines().next().unwrap();
    assert!(first.contains("stand-in 0") && first.contains("CUDA, driver 12.0"), "{stdout}");
    let (output, _) = run("devices --format json", &[("CUDA_FAILS", "cuInit:1:100")]);
    let stdout = String::from_utf8(output.stdout).unwrap();
    assert!(output.status.success() && !stdout.contains("CUDA"), "{stdout}");
}

#[test]
fn the_device_counts_what_is_published() {
    for n in [12, 14, 15] {
        let (stderr, launches) = count(n, 3, &[]);
        assert!(launches > 4 && !stderr.contains("CUDA_ERROR"), "{launches} launches: {stderr}");
    }
}

#[test]
fn whatever_fails_costs_the_device_and_no_solution() {
    // With errors from 700 on the device fails whatever is asked for next. So one thread alone says which call it was.
    for (threads, call, error) in [
        (2, "cuDevicePrimaryCtxRetain:1:2", "CUDA_ERROR_OUT_OF_MEMORY, out of memory"),
        (2, "cuModuleLoadData:1:218", "compiling the kernels failed: error 218"),
        (2, "cuModuleGetFunction:9:500", "error 500"),
        (2, "cuFuncSetAttribute:5:1", "CUDA_ERROR_INVALID_VALUE"),
        (2, "cuStreamCreate:2:2", "creating a queue failed: CUDA_ERROR_OUT_OF_MEMORY"),
        (2, "cuCtxSetCurrent:40:201", "CUDA_ERROR_INVALID_CONTEXT"),
        (2, "cuMemGetInfo_v2:1:201", "asking for free memory failed: CUDA_ERROR_INVALID_CONTEXT"),
        (2, "cuMemAlloc_v2:7:1", "reserving memory failed: CUDA_ERROR_INVALID_VALUE"),
        (1, "cuMemcpyHtoDAsync_v2:20:700", "writing to the device failed: CUDA_ERROR_ILLEGAL_ADDRESS"),
        (1, "cuMemcpyDtoHAsync_v2:5:700", "reading from the device failed: CUDA_ERROR_ILLEGAL_ADDRESS"),
        (1, "cuLaunchKernel:30:719", "starting a kernel failed: CUDA_ERROR_LAUNCH_FAILED"),
        (2, "cuStreamSynchronize:33:700", "CUDA_ERROR_ILLEGAL_ADDRESS, an illegal memory access was encountered"),
    ] {
        let (stderr, _) = count(13, threads, &[("CUDA_FAILS", call)]);
        assert!(stderr.contains("stand-in 0") && stderr.contains(error), "{call}: {stderr}");
    }
}

#[test]
fn a_device_counts_only_where_it_is_asked_for() {
    let (output, launches) = run("count 13", &[]);
    assert!(output.status.success() && launches == 0, "{launches} launches: {output:?}");
    let (output, launches) = run("count 13 --device auto --threads 2", &[]);
    assert!(output.status.success() && launches > 0, "{launches} launches: {output:?}");
}

#[test]
fn a_device_that_is_required_ends_the_count_when_it_fails() {
    let arguments = "count 14 --device gpu --threads 2 --require-device";
    let (output, _) = run(arguments, &[("CUDA_FAILS", "cuLaunchKernel:30:719")]);
    let stderr = String::from_utf8(output.stderr).unwrap();
    assert_eq!((output.status.code(), &output.stdout[..]), (Some(1), &b""[..]), "{stderr}");
    assert!(
        stderr.contains("expected gpu:0 (stand-in 0) to count, found that it fails: starting a kernel"),
        "{stderr}"
    );
    let (output, _) = run(arguments, &[]);
    assert!(output.status.success(), "{output:?}");
}

#[test]
fn a_device_without_memory_is_not_broken() {
    // An allocation fails once; others have taken memory that seemed to be free; nearly nothing is left.
    let scarce = [("CUDA_TOLD", "4096"), ("CUDA_MEMORY", "40")];
    for (variables, left) in [
        (&[("CUDA_FAILS", "cuMemAlloc_v2:7:2")][..], false),
        (&scarce, false),
        (&[("CUDA_TOLD", "4096"), ("CUDA_MEMORY", "0")], true),
    ] {
        let (stderr, launches) = count(15, 3, variables);
        assert!(!stderr.contains("is not used any more"), "{variables:?}: {stderr}");
        assert_eq!(stderr.contains(" had no room for "), left, "{variables:?}: {stderr}");
        assert_eq!(launches > 100, !left, "{variables:?}: {launches} launches, {stderr}");
    }
}

#[test]
fn threads_share_a_small_device_and_ask_for_no_more_than_it_has() {
    for mebibytes in ["32", "1024", "3072"] {
        let (stderr, launches) = count(15, 8, &[("CUDA_MEMORY", mebibytes)]);
        assert!(launches > 4 && !stderr.contains("CUDA_ERROR"), "{launches} launches in {mebibytes} MiB: {stderr}");
    }
}
