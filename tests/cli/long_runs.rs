//! No finished work is lost, whatever ends the program, and a total is exact or not printed.

use std::fs;
use std::io::{BufRead, BufReader, Read};
use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::time::Duration;

use queencount::record::{Entry, Plan};
use queencount::{BoardSize, EngineChoice};

use crate::common::child;
use crate::program::{Running, queencount, run, stdout, text};

/// Returns a command that uses the backtracking engine, whose units are few and the same in every
/// version, because these tests contain unit numbers.
pub(crate) fn program(arguments: &[&str]) -> Command {
    // These commands use the engine of their records.
    let of_records = ["audit", "merge", "publish", "status"]
        .iter()
        .any(|command| arguments.contains(command));
    let engine: &[&str] = if of_records {
        &[]
    } else {
        &["--engine", "backtrack"]
    };
    let (command, options) = arguments.split_at(1);
    queencount(&[command, engine, options].concat())
}

fn run_in(folder: &Path, arguments: &[&str]) -> Output {
    program(arguments).current_dir(folder).output().unwrap()
}

/// Returns the exit code, stdout and stderr of a command.
pub(crate) fn ends(folder: &Path, arguments: &[&str]) -> (i32, String, String) {
    let output = run_in(folder, arguments);
    (
        output.status.code().expect("no signal ends it"),
        text(&output.stdout),
        text(&output.stderr),
    )
}

/// Counts the lines of a record after the first.
fn entries(path: &Path) -> usize {
    fs::read_to_string(path).map_or(0, |text| text.matches('\n').count().saturating_sub(1))
}

#[test]
fn run_prints_total_and_records_every_unit() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let total = || "724\n".to_owned();
    assert_eq!(
        ends(folder, &["run", "10", "--record", "r"]),
        (0, total(), String::new())
    );
    let held = "queencount: resuming r: 36 units done, 0 left\n";
    assert_eq!(
        ends(folder, &["run", "10", "--record", "r"]),
        (0, total(), held.to_owned())
    );
    assert_eq!(
        ends(folder, &["run", "10", "--record", "r", "-q"]),
        (0, total(), String::new())
    );
    assert_eq!(ends(folder, &["merge", "r"]), (0, total(), String::new()));
}

#[test]
fn shards_in_any_order_merge_to_total() {
    for shards in [1, 2, 7, 100] {
        let folder = tempfile::tempdir().unwrap();
        let folder = folder.path();
        let mut records: Vec<String> = (1..=shards)
            .rev()
            .map(|part| format!("{part}.jsonl"))
            .collect();
        for (part, record) in (1..=shards).rev().zip(&records) {
            let shard = format!("{part}/{shards}");
            let (code, _, error) = ends(
                folder,
                &["run", "12", "-q", "--shard", &shard, "--record", record],
            );
            assert_eq!((code, error.as_str()), (0, ""), "{shard}");
        }
        // Merge some records twice, as two files and in two runs.
        assert_eq!(
            ends(
                folder,
                &["run", "12", "-q", "--shard", "1/2", "--record", "more"]
            )
            .0,
            0
        );
        records.extend(["more".into(), records[0].clone()]);
        let merge: Vec<&str> = ["merge"]
            .into_iter()
            .chain(records.iter().map(String::as_str))
            .collect();
        let (code, total, _) = ends(folder, &merge);
        assert_eq!((code, total.as_str()), (0, "14200\n"), "{shards} shards");
    }
}

#[test]
fn missing_units_are_listed_and_complete_total() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    for shard in ["1/3", "3/3"] {
        let record = format!("r{}", &shard[..1]);
        assert_eq!(
            ends(
                folder,
                &["run", "12", "-q", "--shard", shard, "--record", &record]
            )
            .0,
            0
        );
    }
    let (code, total, error) = ends(folder, &["merge", "r1", "r3"]);
    assert_eq!((code, total.as_str()), (4, ""));
    let (code, missing, _) = ends(folder, &["merge", "r1", "r3", "--missing"]);
    let missing = missing.trim_end();
    assert_eq!(code, 4);
    assert!(
        error.ends_with(&format!("units are missing: {missing}\n")),
        "{error}"
    );
    // The missing units are also listed as shards: for three shards, and for more.
    assert_eq!(
        ends(folder, &["merge", "r1", "r3", "--shards", "3"]),
        (4, "2\n".into(), error.clone())
    );
    let (code, shards, _) = ends(
        folder,
        &["merge", "r1", "r3", "--shards", "12", "--format", "json"],
    );
    assert!(
        code == 4 && shards.contains("\"total\":null,") && shards.contains("\"shards\":\"5-8\""),
        "{shards}"
    );
    assert_eq!(
        ends(
            folder,
            &["run", "12", "-q", "--units", missing, "--record", "rest"]
        )
        .0,
        0
    );
    assert_eq!(
        ends(folder, &["merge", "rest", "r3", "r1"]),
        (0, "14200\n".into(), String::new())
    );
    assert_eq!(
        ends(folder, &["merge", "rest", "r3", "r1", "--shards", "12"]),
        (0, String::new(), String::new())
    );
    let (code, json, _) = ends(folder, &["merge", "r1", "r3", "--format", "json"]);
    let json: serde_json::Value = serde_json::from_str(&json).unwrap();
    assert_eq!(
        (code, json["missing"].as_str(), json["total"].is_null()),
        (4, Some(missing), true)
    );
}

#[test]
fn long_list_of_missing_units_is_abbreviated() {
    let folder = tempfile::tempdir().unwrap();
    let odd: Vec<String> = (0..25).map(|unit| (2 * unit + 1).to_string()).collect();
    assert_eq!(
        ends(
            folder.path(),
            &[
                "run",
                "12",
                "-q",
                "--units",
                &odd.join(","),
                "--record",
                "r"
            ]
        )
        .0,
        0
    );
    let (code, _, error) = ends(folder.path(), &["merge", "r"]);
    let expected = "queencount: incomplete: 30 of 55 units are missing: 0,2,4,6,8,10,12,14,16,18,...; 'merge --missing' \
                    prints all\n";
    assert_eq!((code, error.as_str()), (4, expected));
    let (_, missing, _) = ends(folder.path(), &["merge", "r", "--missing"]);
    assert!(missing.ends_with(",48,50-54\n"), "{missing}");
}

#[test]
fn record_keeps_its_engine_if_another_is_faster() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let run = |arguments: &[&str]| {
        ends(
            folder,
            &[&["run", "14", "-t", "1", "--units"], arguments].concat(),
        )
    };
    assert_eq!(run(&["0", "--record", "old", "--engine", "backtrack"]).0, 0);
    assert_eq!(run(&["0", "--record", "new", "--engine", "auto"]).0, 0);
    let (code, _, error) = run(&["0-1", "--record", "old", "--engine", "auto", "-v"]);
    assert!(
        code == 0 && error.contains("N = 14: backtrack engine, "),
        "{error}"
    );

    let (code, _, error) = run(&["0-2", "--record", "old", "--engine", "rows"]);
    let reason = "another plan: the engine is backtrack, not rows; ";
    assert!(code == 3 && error.contains(reason), "{error}");
}

#[test]
fn record_of_unknown_engine_is_rejected() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let mut plan = Plan::new(
        EngineChoice::Rows
            .engine(BoardSize::new(8).unwrap())
            .as_ref(),
    );
    (plan.engine, plan.parameters) = ("meet".into(), "core 1".into());
    fs::write(folder.join("old"), plan.to_line()).unwrap();
    let advice = "use the version of the program that wrote this record";
    for arguments in [
        &["run", "8", "--record", "old", "--engine", "auto"][..],
        &["merge", "old"],
        &["audit", "old"],
    ] {
        let (code, _, error) = ends(folder, arguments);
        assert!(
            code == 3 && error.contains(advice),
            "{arguments:?}: {error}"
        );
    }
    assert_eq!(
        fs::read_to_string(folder.join("old")).unwrap(),
        plan.to_line()
    );
}

#[test]
fn invalid_units_are_rejected_as_usage_error() {
    let folder = tempfile::tempdir().unwrap();
    for units in ["0-21", "5-3", "0..3"] {
        let (code, out, error) = ends(
            folder.path(),
            &["run", "8", "--record", "r", "--units", units],
        );
        assert_eq!(
            (code, out.as_str(), error.matches('\n').count()),
            (2, "", 1),
            "{units}: {error}"
        );
        assert!(!folder.path().join("r").exists());
    }
    assert_eq!(ends(folder.path(), &["merge", "nowhere"]).0, 1);
}

/// Returns the message about the record `r` before the remaining units are counted.
#[cfg(unix)]
fn holds(done: u64, left: u64) -> String {
    let units = if done == 1 { "unit" } else { "units" };
    format!("queencount: resuming r: {done} {units} done, {left} left\n")
}

/// Returns a record with more solutions in the entry of one line, which has a matching checksum.
/// Line 0 is the plan.
pub(crate) fn forged(record: &str, line: usize, more: u128) -> String {
    let mut lines: Vec<String> = record.split_inclusive('\n').map(str::to_owned).collect();
    let plan = Plan::from_line(lines[0].trim_end().as_bytes()).unwrap();
    let mut entry = Entry::from_line(lines[line].trim_end().as_bytes(), &plan).unwrap();
    entry.count += more;
    lines[line] = entry.to_line(&plan);
    lines.concat()
}

#[test]
fn second_writer_of_record_is_rejected() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let mut first = program(&["run", "18", "--record", "r", "-t", "1"])
        .current_dir(folder)
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    crate::program::wait_until("record", || {
        folder.join("r").exists() && fs::read(folder.join("r")).unwrap().len() > 99
    });
    let (code, out, error) = ends(folder, &["run", "18", "--record", "r"]);
    assert_eq!((code, out.as_str()), (1, ""));
    assert_eq!(
        error,
        "queencount: r: another process is writing this record\n"
    );
    first.kill().unwrap();
    first.wait().unwrap();
}

/// Returns the complete lines of a record. Only a line that was not written completely may follow
/// them.
#[cfg(unix)]
fn whole_lines(record: &Path) -> Vec<u8> {
    let mut bytes = fs::read(record).unwrap_or_default();
    bytes.truncate(
        bytes
            .iter()
            .rposition(|byte| *byte == b'\n')
            .map_or(0, |last| last + 1),
    );
    bytes
}

/// Kills runs with a signal at random times, and checks the record that each leaves.
///
/// Saved lines stay unchanged, byte for byte; no unit is saved twice; and the next run reports the
/// number of saved and remaining units. A complete record is checked, and a new one is started.
#[cfg(unix)]
fn interrupted(how: nix::sys::signal::Signal, times: usize) {
    let mut random = queencount::SplitMix64::new(how as u64);
    let folder = tempfile::tempdir().unwrap();
    let record = folder.path().join("r");
    let merge = || -> Option<serde_json::Value> {
        let output = run_in(folder.path(), &["merge", "r", "--format", "json"]);
        assert!(
            [Some(0), Some(4)].contains(&output.status.code()),
            "{output:?}"
        );
        // Without a complete first line, the record is empty.
        (!output.stdout.is_empty()).then(|| serde_json::from_slice(&output.stdout).unwrap())
    };
    let (mut before, mut done, mut units, mut ended) = (Vec::new(), 0, 0, 0);
    while ended < times {
        let child = program(&["run", "14", "--record", "r", "-t", "2"])
            .current_dir(folder.path())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        std::thread::sleep(Duration::from_millis(1 + random.below(45)));
        crate::program::signal(&child, how);
        let output = child.wait_with_output().unwrap();
        let expected = [(15, 143), (2, 130)]
            .iter()
            .find(|(signal, _)| *signal == how as i32)
            .map(|(_, code)| *code);
        let status = output.status;
        // On a busy machine the signal may arrive before the program has installed its handlers.
        // Then the program has not done anything yet.
        let early = status.code().is_none() && whole_lines(&record) == before;
        assert!(
            status.success() || status.code() == expected || early,
            "{status:?}"
        );
        ended += usize::from(!status.success());
        let error = text(&output.stderr);
        // Before the program has read its record, it prints nothing else.
        if done > 0 && !error.is_empty() && error != "queencount: terminated\n" {
            let holds = holds(done, units - done);
            assert!(
                error.starts_with(&holds),
                "expected {holds:?}, found {error:?}"
            );
        }
        let after = whole_lines(&record);
        assert!(after.starts_with(&before), "what was finished is kept");
        before = after;
        let Some(merged) = record.exists().then(&merge).flatten() else {
            continue;
        };
        let number = |name: &str| merged[name].as_u64().unwrap();
        // With one line per unit, nothing was counted twice.
        assert_eq!(number("lines"), number("units_counted"), "{merged}");
        (done, units) = (number("units_counted"), number("units"));
        if merged["complete"] == true {
            assert_eq!(merged["total"], "365596");
            fs::remove_file(&record).unwrap();
            (before, done) = (Vec::new(), 0);
        }
    }
    let output = run_in(folder.path(), &["run", "14", "--record", "r", "-q"]);
    assert_eq!(
        (output.status.code(), text(&output.stdout).as_str()),
        (Some(0), "365596\n")
    );
    assert!(whole_lines(&record).starts_with(&before));
    let merged = merge().unwrap();
    assert_eq!(merged["lines"], 78);
}

#[cfg(unix)]
#[test]
fn killed_run_loses_no_finished_work() {
    let times = if crate::common::long() { 200 } else { 12 };
    interrupted(nix::sys::signal::Signal::SIGKILL, times);
}

#[cfg(unix)]
#[test]
fn terminated_run_saves_work_and_suggests_resume() {
    use nix::sys::signal::Signal;
    interrupted(Signal::SIGTERM, 4);
    let folder = tempfile::tempdir().unwrap();
    let mut run = program(&[
        "run",
        "20",
        "--record",
        "a record",
        "--shard",
        "1/2",
        "--progress",
        "always",
        "-t",
        "1",
    ]);
    let mut child = Running::start(run.current_dir(folder.path()).stderr(Stdio::piped()));
    let mut stderr = BufReader::new(child.stderr.take().unwrap());
    stderr.read_line(&mut String::new()).unwrap();
    crate::program::signal(&child, Signal::SIGINT);
    let mut error = String::new();
    stderr.read_to_string(&mut error).unwrap();
    assert_eq!(child.finish().status.code(), Some(130));
    assert!(
        error.contains(
            " run --engine backtrack 20 --record 'a record' --shard 1/2 --progress always -t 1\n"
        ),
        "{error}"
    );
}

/// Simulates a full disk with a limit on file sizes, which requires no privilege.
#[cfg(target_os = "linux")]
#[test]
fn full_disk_loses_only_unwritten_entries() {
    let folder = tempfile::tempdir().unwrap();
    let script = "trap '' XFSZ; ulimit -f 4; exec \"$0\" run 14 --engine backtrack --record r -q";
    let output = child::command("bash")
        .args(["-c", script, env!("CARGO_BIN_EXE_queencount")])
        .current_dir(folder.path())
        .output()
        .unwrap();
    assert_eq!(
        (output.status.code(), text(&output.stdout).as_str()),
        (Some(1), "")
    );
    assert!(
        text(&output.stderr).starts_with("queencount: r: "),
        "{}",
        text(&output.stderr)
    );
    let kept = entries(&folder.path().join("r"));
    assert!(
        kept > 10 && fs::read(folder.path().join("r")).unwrap().ends_with(b"\n"),
        "{kept}"
    );
    let (code, total, error) = ends(folder.path(), &["run", "14", "--record", "r"]);
    assert_eq!((code, total.as_str()), (0, "365596\n"));
    assert_eq!(error, holds(kept as u64, 78 - kept as u64));
}

/// Simulates a full disk with a file system of four pages that only this process can see.
#[cfg(target_os = "linux")]
#[test]
fn run_resumes_once_full_disk_has_space() {
    let folder = tempfile::tempdir().unwrap();
    let mount = "mount -t tmpfs -o size=16k tmpfs . && cd \"$PWD\"";
    let script = format!(
        "{mount} || exit 77
        head -c 12288 /dev/zero >ballast
        \"$0\" run 14 --engine backtrack --record r --quiet
        echo \"code $?, a whole last line: $(tail -c 1 r | wc -l), entries: $(grep -c first r)\"
        \"$0\" run 14 --engine backtrack --record r --quiet
        echo \"code $?\"
        rm ballast
        \"$0\" run 14 --engine backtrack --record r
        \"$0\" merge r --format json"
    );
    let mut unshare = child::command("unshare");
    unshare
        .args([
            "--user",
            "--map-root-user",
            "--mount",
            "bash",
            "-c",
            &script,
            env!("CARGO_BIN_EXE_queencount"),
        ])
        .current_dir(folder.path());
    let output = child::finish(&mut unshare);
    let Some(output) = output.ok().filter(|output| !output.stdout.is_empty()) else {
        // The test above runs everywhere. In the full test run, this one must run as well.
        assert!(!crate::common::long(), "no file system may be mounted here");
        return eprintln!("skipped: no file system may be mounted here");
    };
    let (output, errors) = (text(&output.stdout), text(&output.stderr));
    let lines: Vec<&str> = output.lines().collect();
    let kept: usize = lines[0]
        .strip_prefix("code 1, a whole last line: 1, entries: ")
        .expect(&output)
        .parse()
        .unwrap();
    assert!((1..78).contains(&kept), "{output}");
    // The disk is still full: no further entry is saved, and none is lost.
    assert_eq!(lines[1..3], ["code 1", "365596"], "{output}");
    assert!(
        lines[3].contains("\"total\":\"365596\",") && lines[3].contains("\"lines\":78,"),
        "{output}"
    );
    let full = "queencount: r: cannot be read or written: No space left on device (os error 28)\n";
    let resumed = holds(kept as u64, 78 - kept as u64);
    assert_eq!(errors, format!("{full}{full}{resumed}"));
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
        let mut run = program(&["run", "10", "--record", "r"]);
        fail_locks(run.current_dir(&folder), error);
        let output = run.output().unwrap();
        let (results, errors) = (text(&output.stdout), text(&output.stderr));
        let found = (output.status.code(), results.as_str(), errors.as_str());
        assert_eq!(found, ends, "error {error}");
    }
}

#[test]
fn plan_reports_heaviest_of_all_tasks() {
    for (name, choice, n) in [
        ("backtrack", EngineChoice::Backtrack, "11"),
        ("rows", EngineChoice::Rows, "14"),
    ] {
        let engine = choice.engine(BoardSize::new(n.parse().unwrap()).unwrap());
        let tasks = (0..engine.units()).step_by(engine.units_per_task() as usize);
        let works = tasks
            .map(|first| engine.work(first..engine.units().min(first + engine.units_per_task())));
        let plan: serde_json::Value = serde_json::from_str(&stdout(
            &["plan", n, "--engine", name, "--format", "json"],
            "",
        ))
        .unwrap();
        let found = plan["heaviest_task"].as_f64().unwrap();
        assert!(
            (found / works.fold(0.0, f64::max) - 1.0).abs() < 1e-9,
            "{plan}"
        );
    }
}

#[test]
fn plan_is_repeatable_and_shards_are_complete() {
    assert_eq!(stdout(&["plan", "15"], ""), stdout(&["plan", "15"], ""));
    let shards = stdout(&["plan", "15", "--shards", "9", "--format", "csv"], "");
    let mut end = 0;
    for line in shards.lines().skip(1) {
        let (first, last) = line.split(',').nth(1).unwrap().split_once('-').unwrap();
        assert_eq!(first.parse::<u64>().unwrap(), end);
        end = last.parse::<u64>().unwrap() + 1;
    }
    let shards = stdout(&["plan", "2", "--engine", "backtrack", "--shards", "3"], "");
    assert!(shards.contains("/3  units none  work "), "{shards}");
    assert!(stdout(&["plan", "15", "--format", "json"], "").contains(&format!("\"units\":{end},")));
    assert_eq!(run(&["plan", "0"], "").status.code(), Some(2));
}
