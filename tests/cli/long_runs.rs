//! No finished work is lost, whatever ends the program, and a total is exact or not printed.

#![cfg(unix)]

use std::fs;
use std::io::Read;
use std::path::Path;
#[cfg(target_os = "linux")]
use std::process::Command;
use std::time::Duration;

use nix::sys::signal::Signal;

use crate::common::long;
use crate::program::{Running, arguments, backtracking, ends, signal, text};

#[test]
fn missing_units_are_listed_and_complete_total() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let quiet = (0, String::new(), String::new());
    assert_eq!(typed(folder, "run 12 -q --record r1 --shard 1/3"), quiet);
    assert_eq!(typed(folder, "run 12 -q --record r3 --shard 3/3"), quiet);
    let (code, missing, error) = typed(folder, "merge r1 r3 --missing");
    let missing = missing.trim_end();
    assert_eq!(code, 4);
    let expected = format!(
        "units are missing: {missing}; count them with \
         'queencount run 12 --engine backtrack --units SET --record FILE'\n"
    );
    assert!(error.ends_with(&expected), "{error}");
    // The missing units are also listed as shards: for three shards, and for more.
    let one_shard = (4, "2\n".into(), error);
    assert_eq!(typed(folder, "merge r1 r3 --shards 3"), one_shard);
    let (_, json, _) = typed(folder, "merge r1 r3 --shards 12 --format json");
    let fields = format!("\"total\":null,\"missing\":\"{missing}\"");
    assert!(
        json.contains(&fields) && json.contains("\"shards\":\"5-8\""),
        "{json}"
    );
    let rest = format!("run 12 -q --record rest --units {missing}");
    assert_eq!(typed(folder, &rest), quiet);
    let total = (0, "14200\n".into(), String::new());
    assert_eq!(typed(folder, "merge r1 r3 rest"), total);
    assert_eq!(typed(folder, "merge r1 r3 rest --shards 12"), quiet);
    // A resumed record is completed, and counts nothing twice.
    let (code, out, error) = typed(folder, "run 12 --record rest");
    assert_eq!((code, out.as_str()), (0, "14200\n"));
    let note = "queencount: resuming rest: 18 units done, 37 left\n";
    assert_eq!(error, note);
    assert_eq!(typed(folder, "run 12 -q --record rest"), total);
    // A long list is abbreviated.
    let odd: Vec<String> = (0..25).map(|unit| (2 * unit + 1).to_string()).collect();
    let odd = format!("run 12 -q --record odd --units {}", odd.join(","));
    assert_eq!(typed(folder, &odd), quiet);
    let expected = "queencount: incomplete: 30 of 55 units are missing: \
                    0,2,4,6,8,10,12,14,16,18,... ('queencount merge --missing' prints \
                    all); count them with \
                    'queencount run 12 --engine backtrack --units SET --record FILE'\n";
    assert_eq!(typed(folder, "merge odd").2, expected);
}

/// Returns how a command ends whose words are separated by spaces.
fn typed(folder: &Path, line: &str) -> (i32, String, String) {
    ends(folder, &arguments(line))
}

/// Returns the message about the record `r` before the remaining units are counted.
fn holds(done: u64, left: u64) -> String {
    let units = if done == 1 { "unit" } else { "units" };
    format!("queencount: resuming r: {done} {units} done, {left} left\n")
}

/// Returns the complete lines of a record. Only a line that was not written completely may follow
/// them.
fn whole_lines(record: &Path) -> Vec<u8> {
    fs::read(record)
        .unwrap_or_default()
        .split_inclusive(|byte| *byte == b'\n')
        .filter(|line| line.ends_with(b"\n"))
        .flatten()
        .copied()
        .collect()
}

/// Interrupts runs at random times, and checks the record that each leaves: saved lines stay
/// unchanged, byte for byte, no unit is saved twice, and the next run reports the number of saved
/// and remaining units. A complete record is checked, and a new one is started.
fn interrupted(how: Signal, times: usize) {
    let mut random = queencount::engine::SplitMix64::new(how as u64);
    let folder = tempfile::tempdir().unwrap();
    let record = folder.path().join("r");
    let (mut before, mut done, mut units, mut ended) = (Vec::new(), 0, 0, 0);
    while ended < times {
        let mut run = backtracking(&["run", "14", "--record", "r", "-t", "2"]);
        let child = Running::piped(run.current_dir(folder.path()));
        std::thread::sleep(Duration::from_millis(1 + random.below(45)));
        signal(&child, how);
        let output = child.finish();
        let after = whole_lines(&record);
        assert!(after.starts_with(&before), "what was finished is kept");
        // On a busy machine the signal may arrive before the program has installed its handlers.
        // Then the program has not done anything yet.
        let is_early = output.status.code().is_none() && after == before;
        let is_expected = match output.status.code() {
            None => how == Signal::SIGKILL || is_early,
            Some(code) => code == 0 || code == 128 + how as i32,
        };
        assert!(is_expected, "{output:?}");
        ended += usize::from(!output.status.success());
        let error = text(&output.stderr);
        // Before the program has read its record, it prints nothing else.
        if done > 0 && !error.is_empty() && !error.starts_with("queencount: terminated") {
            assert!(
                error.starts_with(&holds(done, units - done)),
                "{done} of {units}: {error}"
            );
        }
        before = after;
        if !before.is_empty() {
            let (code, json, error) = ends(folder.path(), &["merge", "r", "--format", "json"]);
            assert!(code == 0 || code == 4, "{error}");
            let merged: serde_json::Value = serde_json::from_str(&json).unwrap();
            // With one line per unit, nothing was counted twice.
            done = merged["units_counted"].as_u64().unwrap();
            let counts = before
                .split(|byte| *byte == b'\n')
                .filter(|line| line.starts_with(b"{\"first\""));
            assert_eq!(counts.count() as u64, done);
            units = merged["units"].as_u64().unwrap();
            if code == 0 {
                assert_eq!(merged["total"], "365596");
                fs::remove_file(&record).unwrap();
                (before, done) = (Vec::new(), 0);
            }
        }
    }
    let (code, total, _) = ends(folder.path(), &["run", "14", "--record", "r", "-q"]);
    assert_eq!((code, total.as_str()), (0, "365596\n"));
    assert!(whole_lines(&record).starts_with(&before));
}

#[test]
fn killed_run_loses_no_finished_work() {
    interrupted(Signal::SIGKILL, if long() { 200 } else { 12 });
}

#[test]
fn terminated_run_saves_work_and_suggests_resume() {
    interrupted(Signal::SIGTERM, 4);
    let folder = tempfile::tempdir().unwrap();
    let record = ["run", "20", "--record", "a record", "--shard", "1/2"];
    let mut run = backtracking(&[&record[..], &["--progress", "always", "-t", "1"]].concat());
    let mut child = Running::piped(run.current_dir(&folder));
    let (_, mut stderr) = child.first_line();
    signal(&child, Signal::SIGINT);
    let mut error = String::new();
    stderr.read_to_string(&mut error).unwrap();
    assert_eq!(child.finish().status.code(), Some(130));
    let command =
        " run 20 --record 'a record' --shard 1/2 --progress always -t 1 --engine backtrack\n";
    assert!(error.contains(command), "{error}");
}

/// Makes every lock of a file by this command fail with this error number.
#[cfg(target_os = "linux")]
fn fail_locks(command: &mut Command, error: i32) {
    use nix::libc::{self, sock_filter, sock_fprog};
    use std::os::unix::process::CommandExt;
    const LOAD: u16 = (libc::BPF_LD | libc::BPF_W | libc::BPF_ABS) as u16;
    const IF_EQUAL: u16 = (libc::BPF_JMP | libc::BPF_JEQ | libc::BPF_K) as u16;
    const RETURN: u16 = (libc::BPF_RET | libc::BPF_K) as u16;
    let step = |code, jf, k| sock_filter { code, jt: 0, jf, k };
    let mut filter = [
        // The number of the system call is the first field of the filter's input.
        step(LOAD, 0, 0),
        step(IF_EQUAL, 1, libc::SYS_flock as u32),
        step(RETURN, 0, libc::SECCOMP_RET_ERRNO | error as u32),
        step(RETURN, 0, libc::SECCOMP_RET_ALLOW),
    ];
    // SAFETY: the closure only makes system calls, which are allowed after a fork. They read the
    // filter, whose length is given.
    #[allow(unsafe_code)]
    unsafe {
        command.pre_exec(move || {
            let program = sock_fprog {
                len: filter.len() as u16,
                filter: filter.as_mut_ptr(),
            };
            nix::Error::result(libc::prctl(libc::PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0))?;
            let filtering = libc::SECCOMP_MODE_FILTER;
            nix::Error::result(libc::prctl(
                libc::PR_SET_SECCOMP,
                filtering,
                &raw const program,
            ))?;
            Ok(())
        })
    };
}

/// File systems refuse locks with different errors. Only `EWOULDBLOCK` means that another process
/// has the lock.
#[cfg(target_os = "linux")]
#[test]
fn run_continues_where_files_cannot_be_locked() {
    use nix::libc::{EINVAL, EIO, ENOLCK, ENOSYS, EOPNOTSUPP, EWOULDBLOCK};
    let note = "queencount: r cannot be locked here; make sure that nothing else writes to it\n";
    let locked = "queencount: r: another process is writing this record\n";
    for (error, ends) in [
        (ENOLCK, (Some(0), "724\n", note)),
        (EINVAL, (Some(0), "724\n", note)),
        (ENOSYS, (Some(0), "724\n", note)),
        (EOPNOTSUPP, (Some(0), "724\n", note)),
        (EIO, (Some(0), "724\n", note)),
        (EWOULDBLOCK, (Some(1), "", locked)),
    ] {
        let folder = tempfile::tempdir().unwrap();
        let mut run = backtracking(&["run", "10", "--record", "r"]);
        fail_locks(run.current_dir(&folder), error);
        let output = run.output().unwrap();
        let (results, errors) = (text(&output.stdout), text(&output.stderr));
        let found = (output.status.code(), results.as_str(), errors.as_str());
        assert_eq!(found, ends, "error {error}");
    }
}
