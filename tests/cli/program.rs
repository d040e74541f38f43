//! Runs the built program as a user would, with arguments and stdin, and returns its output and
//! exit code.

use std::io::{BufRead, BufReader, Write};
use std::ops::{Deref, DerefMut};
use std::path::Path;
use std::process::{Child, ChildStderr, Command, Output, Stdio};
use std::time::{Duration, Instant};

use crate::child;

/// Returns a command for the program with these arguments, independent of the user's terminal and
/// settings.
pub(crate) fn queencount(arguments: &[&str]) -> Command {
    let mut command = child::command(env!("CARGO_BIN_EXE_queencount"));
    command.args(arguments).env("TERM", "xterm");
    command
}

/// Returns the arguments in a line, separated by spaces.
pub(crate) fn arguments(line: &str) -> Vec<&str> {
    line.split(' ').collect()
}

/// Returns the search path, with the program's directory first.
#[cfg(unix)]
pub(crate) fn search_path() -> String {
    let program = std::path::Path::new(env!("CARGO_BIN_EXE_queencount"))
        .parent()
        .expect("a folder");
    format!(
        "{}:{}",
        program.display(),
        std::env::var("PATH").unwrap_or_default()
    )
}

/// Runs the program with this stdin until it exits.
pub(crate) fn run(arguments: &[&str], input: impl AsRef<[u8]>) -> Output {
    let mut child = Running::piped(queencount(arguments).stdin(Stdio::piped()));
    // A program that refuses its arguments does not read stdin, so a closed pipe is not an error
    // here.
    let _ = child
        .stdin
        .take()
        .expect("a pipe")
        .write_all(input.as_ref());
    child.finish()
}

/// Returns stdout of a program that must succeed and print nothing to stderr.
#[track_caller]
pub(crate) fn stdout(arguments: &[&str], input: &str) -> String {
    let output = run(arguments, input);
    assert_eq!(text(&output.stderr), "", "standard error of {arguments:?}");
    assert_eq!(output.status.code(), Some(0), "exit code of {arguments:?}");
    text(&output.stdout)
}

/// Returns a command that counts with the backtracking engine, whose units are few and the same in
/// every version.
pub(crate) fn backtracking(arguments: &[&str]) -> Command {
    let mut command = queencount(arguments);
    if arguments[0] == "run" {
        command.args(["--engine", "backtrack"]);
    }
    command
}

/// Returns the exit code, stdout and stderr of such a command.
pub(crate) fn ends(folder: &Path, arguments: &[&str]) -> (i32, String, String) {
    let output = backtracking(arguments).current_dir(folder).output();
    outcome(&output.unwrap())
}

/// Returns the exit code, stdout and stderr of shell commands, with the program on the path.
#[cfg(unix)]
pub(crate) fn shell(folder: &Path, script: &str) -> (i32, String, String) {
    let mut bash = child::command("bash");
    let script = bash.args(["-c", script]).current_dir(folder);
    outcome(&child::finish(script.env("PATH", search_path())).unwrap())
}

/// Returns a shell that becomes the program with the words and redirections of this line, after it
/// has run some commands.
#[cfg(unix)]
pub(crate) fn shell_line(before: &str, line: &str) -> Command {
    let mut shell = child::command("sh");
    shell
        .args(["-c", &format!("{before}exec \"$0\" {line}")])
        .arg(env!("CARGO_BIN_EXE_queencount"));
    shell
}

fn outcome(output: &Output) -> (i32, String, String) {
    let code = output.status.code().expect("no signal ends it");
    (code, text(&output.stdout), text(&output.stderr))
}

/// A running program. It is killed when dropped, so that a failed test does not leave a count of
/// days behind.
pub(crate) struct Running(Option<Child>);

impl Running {
    pub(crate) fn start(command: &mut Command) -> Self {
        Self(Some(command.spawn().expect("the program starts")))
    }

    /// Starts the program with stdout and stderr connected to pipes.
    pub(crate) fn piped(command: &mut Command) -> Self {
        Self::start(command.stdout(Stdio::piped()).stderr(Stdio::piped()))
    }

    /// Waits for the first line on stderr. Returns it, and the rest of stderr.
    pub(crate) fn first_line(&mut self) -> (String, BufReader<ChildStderr>) {
        let mut stderr = BufReader::new(self.stderr.take().expect("a pipe"));
        let mut line = String::new();
        stderr.read_line(&mut line).expect("a line");
        (line, stderr)
    }

    /// Waits for the program to exit. Returns its output and exit status.
    pub(crate) fn finish(mut self) -> Output {
        self.0
            .take()
            .expect("a program")
            .wait_with_output()
            .expect("the program ends")
    }
}

impl Deref for Running {
    type Target = Child;

    fn deref(&self) -> &Child {
        self.0.as_ref().expect("a program")
    }
}

impl DerefMut for Running {
    fn deref_mut(&mut self) -> &mut Child {
        self.0.as_mut().expect("a program")
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        if let Some(child) = &mut self.0 {
            // The program may have exited already.
            let _ = child.kill();
            let _ = child.wait();
        }
    }
}

/// Converts bytes that must be UTF-8.
#[track_caller]
pub(crate) fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).expect("UTF-8")
}

#[cfg(unix)]
pub(crate) fn signal(child: &Child, signal: nix::sys::signal::Signal) {
    let id = nix::unistd::Pid::from_raw(child.id() as i32);
    nix::sys::signal::kill(id, signal).expect("the program is there");
}

/// Waits until a condition holds, with a time limit.
#[track_caller]
pub(crate) fn wait_until(what: &str, mut so: impl FnMut() -> bool) {
    let start = Instant::now();
    while !so() {
        assert!(
            start.elapsed() < child::DEADLINE,
            "no {what} within {:?}",
            child::DEADLINE
        );
        std::thread::sleep(Duration::from_millis(5));
    }
}

/// Waits until the program has installed all its signal handlers.
#[cfg(unix)]
pub(crate) fn wait_for_handlers(child: &Child) {
    use nix::libc::{SIGHUP, SIGINT, SIGTERM};

    let status = format!("/proc/{}/status", child.id());
    if !std::path::Path::new(&status).exists() {
        return std::thread::sleep(Duration::from_secs(1));
    }
    wait_until("signal handlers", || {
        let status = std::fs::read_to_string(&status).expect("the program runs");
        let (_, caught) = status.split_once("SigCgt:").expect("caught signals");
        let mask = caught.split_whitespace().next().expect("a mask");
        let caught = u64::from_str_radix(mask, 16).expect("a mask");
        [SIGHUP, SIGINT, SIGTERM]
            .iter()
            .all(|signal| caught >> (signal - 1) & 1 == 1)
    });
}
