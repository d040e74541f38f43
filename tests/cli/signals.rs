//! SIGINT and SIGTERM end a long count with a line about its progress, the exit code that the shell
//! expects, and only results on stdout. All other long operations end in the same way.

use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::process::Stdio;

use crate::pipes::folder_for_every_command;
use crate::program::{Running, arguments, queencount, shell_line, signal, text};
#[cfg(target_os = "linux")]
use nix::fcntl::{FcntlArg, fcntl};
use nix::sys::signal::Signal;
use queencount::record::{Entry, Plan};

/// The signals that end the program, with their exit codes and messages.
const SIGNALS: [(Signal, i32, &str); 3] = [
    (Signal::SIGHUP, 129, "stopped by SIGHUP"),
    (Signal::SIGINT, 130, "interrupted"),
    (Signal::SIGTERM, 143, "terminated"),
];

#[test]
fn signal_ends_program_waiting_for_input() {
    let inputs = [(&[][..], ""), (&["count"], ""), (&["count"], "8\n")];
    for ((arguments, input), (which, code, how)) in inputs.into_iter().zip(SIGNALS) {
        let mut child = Running::piped(queencount(arguments).stdin(Stdio::piped()));
        let mut questions = child.stdin.take().unwrap();
        questions.write_all(input.as_bytes()).unwrap();
        crate::program::wait_for_handlers(&child);
        if !input.is_empty() {
            // An answer shows that the program has finished the first request.
            let mut answer = [0; 3];
            child
                .stdout
                .as_mut()
                .unwrap()
                .read_exact(&mut answer)
                .unwrap();
        }
        signal(&child, which);
        let output = child.finish();
        assert_eq!(output.status.code(), Some(code), "{arguments:?} {input:?}");
        assert_eq!(
            text(&output.stderr),
            format!("queencount: {how}\n"),
            "{arguments:?} {input:?}"
        );
    }
}

#[test]
fn interrupted_checker_leaves_only_old_file() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("checker.in"), "32").unwrap();
    fs::write(folder.path().join("checker.out"), "old").unwrap();
    let mut child = Running::start(
        queencount(&["checker", "-v"])
            .current_dir(&folder)
            .stderr(Stdio::piped()),
    );
    // Once the engine has been printed, the count has started and the temporary file exists.
    child.first_line();
    assert_eq!(fs::read_dir(&folder).unwrap().count(), 3);
    signal(&child, Signal::SIGTERM);
    assert_eq!(child.finish().status.code(), Some(143));
    assert_eq!(
        fs::read_to_string(folder.path().join("checker.out")).unwrap(),
        "old"
    );
    assert_eq!(fs::read_dir(&folder).unwrap().count(), 2);
}

/// Signals that arrive together are one request: `timeout` and schedulers send a signal to a
/// process and then to its group.
#[test]
fn simultaneous_signals_count_as_one() {
    let folder = tempfile::tempdir().unwrap();
    let mut run = queencount(&arguments("run 24 --record r --progress always -t 1"));
    let mut child = Running::start(run.current_dir(&folder).stderr(Stdio::piped()));
    let (_, mut stderr) = child.first_line();
    // Both signals are pending when the program resumes.
    signal(&child, Signal::SIGSTOP);
    signal(&child, Signal::SIGTERM);
    signal(&child, Signal::SIGINT);
    signal(&child, Signal::SIGCONT);
    let mut error = String::new();
    stderr.read_to_string(&mut error).unwrap();
    assert!(
        [Some(130), Some(143)].contains(&child.finish().status.code()),
        "{error}"
    );
    assert!(
        error.contains("finished work is saved in r; resume with: "),
        "{error}"
    );
    assert!(error.contains("% done (N = 24)\n"), "{error}");
}

/// A program that waits for the other end of a pipe has no work to lose.
#[cfg(target_os = "linux")]
#[test]
fn signal_ends_program_waiting_for_pipe() {
    let folder = folder_for_every_command();
    let path = folder.path();
    let pipe = path.join("pipe");
    nix::unistd::mkfifo(&pipe, nix::sys::stat::Mode::S_IRWXU).unwrap();
    for (words, writes) in [
        ("checker --output pipe", true),
        ("draw 8 --svg pipe", true),
        ("draw 8 --unique --svg pipe", true),
        ("status r.jsonl --html pipe", true),
        ("checker --input pipe", false),
        ("run 8 --record new.jsonl --units @pipe", false),
        ("merge pipe", false),
        ("audit r.jsonl pipe", false),
    ] {
        let arguments = arguments(words);
        for (is_open, (which, code, how)) in [(false, SIGNALS[1]), (true, SIGNALS[2])] {
            // This end can be read and written, but nobody does so.
            let end = is_open.then(|| {
                fs::File::options()
                    .read(true)
                    .write(true)
                    .open(&pipe)
                    .unwrap()
            });
            if let Some(mut end) = end.as_ref().filter(|_| writes) {
                let capacity = fcntl(end, FcntlArg::F_GETPIPE_SZ).unwrap();
                end.write_all(&vec![0; capacity as usize]).unwrap();
            }
            let child = Running::piped(queencount(&arguments).current_dir(path));
            crate::program::wait_for_handlers(&child);
            let status = format!("/proc/{}/stat", child.id());
            crate::program::wait_until("wait for the pipe", || {
                fs::read_to_string(&status)
                    .expect("the program runs")
                    .contains(") S ")
            });
            signal(&child, which);
            let output = child.finish();
            // It may also have waited for its own threads, while it counted.
            let error = text(&output.stderr);
            assert_eq!(output.status.code(), Some(code), "{words}: {error}");
            assert!(
                error.starts_with(&format!("queencount: {how}")),
                "{words}, open: {is_open}: {error}"
            );
        }
    }
}

/// A program that cannot write its last message does not end after the first signal.
#[cfg(target_os = "linux")]
#[test]
fn second_signal_ends_program_immediately() {
    let (stderr, mut writer) = std::io::pipe().unwrap();
    let mut count = queencount(&["count", "24", "-v", "--progress", "never"]);
    let mut child = Running::start(count.stderr(writer.try_clone().unwrap()));
    // Once the engine has been printed, the count has started, and the pipe is empty.
    let mut stderr = BufReader::new(stderr);
    stderr.read_line(&mut String::new()).unwrap();
    let capacity = fcntl(&writer, FcntlArg::F_GETPIPE_SZ).unwrap();
    writer.write_all(&vec![0; capacity as usize]).unwrap();
    signal(&child, Signal::SIGINT);
    // A second signal counts half a second after the program has received the first one. On a busy
    // machine, this may be long after it was sent.
    std::thread::sleep(std::time::Duration::from_millis(600));
    assert!(child.try_wait().unwrap().is_none());
    crate::program::wait_until("end after a second signal", || {
        signal(&child, Signal::SIGTERM);
        child.try_wait().unwrap().is_some()
    });
    assert_eq!(child.finish().status.code(), Some(143));
}

#[test]
fn interrupted_list_reports_interruption() {
    let mut child = Running::piped(&mut queencount(&["list", "16"]));
    // The program waits for its reader.
    let mut first = [0; 16];
    child
        .stdout
        .as_mut()
        .unwrap()
        .read_exact(&mut first)
        .unwrap();
    let (which, code, how) = SIGNALS[1];
    signal(&child, which);
    // The remaining output is not read until the program has exited.
    let status = child.wait().unwrap();
    let mut error = String::new();
    child
        .stderr
        .as_mut()
        .unwrap()
        .read_to_string(&mut error)
        .unwrap();
    assert_eq!(
        (status.code(), error),
        (Some(code), format!("queencount: {how}\n"))
    );
}

/// Each of these commands would take at least minutes.
#[test]
fn long_work_shows_progress_and_ends_on_signal() {
    let commands = [
        // Three solutions are printed before the count.
        ("24", "N = 24"),
        ("count 32", "N = 32"),
        ("classes 32 --total 8", "N = 32"),
        // These lists skip solutions, count beyond the first quarter, and find fundamental
        // solutions.
        ("list 20 --skip 9000000000", "skipping solutions of N = 20"),
        (
            "list 20 --skip 30000000000 --limit 1",
            "skipping solutions of N = 20",
        ),
        (
            "list 20 --unique --skip 4000000000",
            "skipping solutions of N = 20",
        ),
        ("draw 20 --index 9000000000", "skipping solutions of N = 20"),
        // A complete count, a sample, and a board whose parts take seconds.
        ("estimate 20 --time 600", "N = 20"),
        ("estimate 27 --time 600", "N = 27"),
        ("estimate 32 --sample 100000", "N = 32"),
        ("self-test", "the self-test"),
        // Nothing is written to its stdin.
        ("merge -", "reading the records"),
    ];
    // Start all programs first, because the test waits for each of them.
    let started = commands.map(|(line, work)| {
        let mut command = queencount(&arguments(line));
        command.args(["--progress", "always"]);
        (line, work, Running::piped(command.stdin(Stdio::piped())))
    });
    let signals = SIGNALS.iter().cycle();
    for ((command, work, mut child), (which, code, how)) in started.into_iter().zip(signals) {
        let (line, mut stderr) = child.first_line();
        assert!(
            line.starts_with(&format!("queencount: {work}: ")),
            "{command}: {line:?}"
        );
        assert!(
            line.contains("% of the work, ") && !line.contains('\x1b'),
            "{command}: {line:?}"
        );
        // Only counts report solutions, and their rate.
        let is_count = ["24", "count", "classes"].contains(&arguments(command)[0]);
        assert_eq!(line.ends_with("/s\n"), is_count, "{line:?}");
        signal(&child, *which);
        let mut error = String::new();
        stderr.read_to_string(&mut error).unwrap();
        let output = child.finish();
        assert_eq!(output.status.code(), Some(*code), "{command}");
        assert!(
            error.starts_with(&format!("queencount: {how} after "))
                && error.matches('\n').count() == 1,
            "{error:?}"
        );
        assert!(
            error.ends_with(&format!("% done ({work})\n")),
            "{command}: {error:?}"
        );
        let results = if command == "24" { 3 } else { 0 };
        assert!(
            command == "self-test" || text(&output.stdout).lines().count() == results,
            "{command}"
        );
    }
}

#[cfg(target_os = "linux")]
#[test]
fn ignored_signal_stays_ignored() {
    for (ignored, other, code) in [
        (Signal::SIGINT, Signal::SIGTERM, 143),
        (Signal::SIGTERM, Signal::SIGINT, 130),
    ] {
        let trap = format!("trap '' {}; ", &ignored.as_str()[3..]);
        let mut shell = shell_line(&trap, "count 24 -v --progress always -t 1");
        let mut child = Running::piped(&mut shell);
        let (_, mut stderr) = child.first_line();
        signal(&child, ignored);
        let mut progress = String::new();
        stderr.read_line(&mut progress).unwrap();
        assert!(progress.contains("% of the work"), "{ignored}: {progress}");
        signal(&child, other);
        assert_eq!(child.wait().unwrap().code(), Some(code), "{other}");
    }
}

#[test]
fn interrupted_audit_reports_its_findings() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let line = "run 17 -q --engine rows --units 0-40 -t 1 --record r";
    let mut run = queencount(&arguments(line));
    assert!(run.current_dir(folder).status().unwrap().success());
    // The first task to be recounted is wrong, and the others take a long time.
    let record = fs::read_to_string(folder.join("r")).unwrap();
    let (plan, entries) = record.split_once('\n').unwrap();
    let (entry, others) = entries.split_once('\n').unwrap();
    let plan = Plan::from_line(plan.as_bytes()).unwrap();
    let mut entry = Entry::from_line(entry.as_bytes(), &plan).unwrap();
    entry.count += 8;
    let wrong = plan.to_line() + &entry.to_line(&plan) + others;
    fs::write(folder.join("r"), wrong).unwrap();
    let mut command = queencount(&["audit", "r", "--sample", "100%", "-t", "1"]);
    let mut audit = Running::piped(command.current_dir(folder));
    let mut stdout = BufReader::new(audit.stdout.take().unwrap());
    let mut wrong = String::new();
    stdout.read_line(&mut wrong).unwrap();
    signal(&audit, Signal::SIGINT);
    let output = audit.finish();
    let error = text(&output.stderr);
    assert_eq!(output.status.code(), Some(3), "{error}");
    assert!(wrong.starts_with("r line 2: unit 0: "), "{wrong}");
    assert!(error.contains("queencount: sed -i.bak 2d r\n"), "{error}");
    let last = error.lines().last().unwrap();
    let verdict = "; before that, the audit found 1 wrong line";
    assert!(
        last.contains("interrupted after ") && last.ends_with(verdict),
        "{error}"
    );
}
