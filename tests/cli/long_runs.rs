//! No finished work is lost, whatever ends the program, and a total is exact or not printed.

use std::fs;
use std::io::Read;
use std::path::Path;
#[cfg(target_os = "linux")]
use std::process::Command;
use std::time::Duration;

use nix::sys::signal::Signal;

use crate::common::long;
use crate::program::{Running, backtracking, signal, text};

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
/// unchanged, byte for byte, and the next run reports the number of saved and remaining units. Each
/// unit is saved once in a complete record, after which a new one is started.
fn interrupted(how: Signal, times: usize) {
    const UNITS: u64 = 78;
    let mut random = queencount::engine::SplitMix64::new(how as u64);
    let folder = tempfile::tempdir().unwrap();
    let record = folder.path().join("r");
    let mut before = Vec::new();
    let mut ended = 0;
    loop {
        let mut run = backtracking(&["run", "14", "--record", "r", "-t", "2"]);
        let child = Running::piped(run.current_dir(folder.path()));
        if ended < times {
            std::thread::sleep(Duration::from_millis(1 + random.below(45)));
            signal(&child, how);
        }
        let output = child.finish();
        let after = whole_lines(&record);
        assert!(after.starts_with(&before), "what was finished is kept");
        let error = text(&output.stderr);
        let done = units_in(&before);
        // Before the program has read its record, it prints nothing else.
        if done > 0 && !error.is_empty() && !error.starts_with("queencount: terminated") {
            assert!(error.starts_with(&holds(done, UNITS - done)), "{error}");
        }
        if output.status.success() {
            assert_eq!(text(&output.stdout), "365596\n");
            assert_eq!(units_in(&after), UNITS);
            if ended == times {
                return;
            }
            fs::remove_file(&record).unwrap();
            before.clear();
            continue;
        }
        // On a busy machine the signal may arrive before the program has installed its handlers.
        // Then the program has not done anything yet.
        let is_expected = match output.status.code() {
            None => how == Signal::SIGKILL || after == before,
            Some(code) => code == 128 + how as i32,
        };
        assert!(is_expected, "{output:?}");
        ended += 1;
        before = after;
    }
}

/// Returns the number of entries. Each is of one unit.
fn units_in(record: &[u8]) -> u64 {
    let lines = record.split(|byte| *byte == b'\n');
    lines.filter(|line| line.starts_with(b"{\"first\"")).count() as u64
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
    use nix::libc::{EINVAL, EIO, ENOLCK, EOPNOTSUPP, EWOULDBLOCK};
    let note = "queencount: r cannot be locked here; make sure that nothing else writes to it\n";
    let locked = "queencount: r: another process is writing this record; wait until it ends, or \
                  choose another file with --record\n";
    for (error, ends) in [
        (ENOLCK, (Some(0), "724\n", note)),
        (EINVAL, (Some(0), "724\n", note)),
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
