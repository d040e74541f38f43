//! Running the built program as a user does: arguments and standard input in, output and exit code
//! out.

use std::io::Write;
use std::ops::{Deref, DerefMut};
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant};

use crate::common::child;

/// The program with these arguments, and nobody's terminal or settings.
pub fn queencount(arguments: &[&str]) -> Command {
    let mut command = child::command(env!("CARGO_BIN_EXE_queencount"));
    command.args(arguments).env("TERM", "xterm");
    command
}

/// Runs the program to its end with this standard input.
pub fn run(arguments: &[&str], input: impl AsRef<[u8]>) -> Output {
    let mut command = queencount(arguments);
    command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    let mut child = command.spawn().expect("the program starts");
    // A program that refuses its arguments does not read: a pipe closed early is no failure of the
    // test.
    let _ = child
        .stdin
        .take()
        .expect("a pipe")
        .write_all(input.as_ref());
    child.wait_with_output().expect("the program ends")
}

/// What the program writes, if all goes well and it has nothing to say beside.
#[track_caller]
pub fn stdout(arguments: &[&str], input: &str) -> String {
    let output = run(arguments, input);
    assert_eq!(text(&output.stderr), "", "standard error of {arguments:?}");
    assert_eq!(output.status.code(), Some(0), "exit code of {arguments:?}");
    text(&output.stdout)
}

/// A program that runs, and ends with the test at the latest: a failed one must not leave a count
/// of days behind.
pub struct Running(Option<Child>);

impl Running {
    /// Starts a program.
    pub fn start(command: &mut Command) -> Self {
        Self(Some(command.spawn().expect("the program starts")))
    }

    /// What it writes until it ends, and how it ends.
    pub fn finish(mut self) -> Output {
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
            // It may have ended by itself.
            let _ = child.kill();
            let _ = child.wait();
        }
    }
}

/// Bytes that have to be UTF-8.
#[track_caller]
pub fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).expect("UTF-8")
}

/// Sends a signal.
#[cfg(unix)]
pub fn signal(child: &Child, signal: nix::sys::signal::Signal) {
    let id = nix::unistd::Pid::from_raw(child.id() as i32);
    nix::sys::signal::kill(id, signal).expect("the program is there");
}

/// Waits until something is so, and not for ever.
#[track_caller]
pub fn wait_until(what: &str, mut so: impl FnMut() -> bool) {
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

/// Waits until the program has taken over the handling of signals.
#[cfg(unix)]
pub fn wait_for_handlers(child: &Child) {
    let status = format!("/proc/{}/status", child.id());
    if !std::path::Path::new(&status).exists() {
        return std::thread::sleep(Duration::from_secs(1));
    }
    wait_until("handler of SIGTERM", || {
        let status = std::fs::read_to_string(&status).expect("the program runs");
        let caught = status
            .lines()
            .find_map(|line| line.strip_prefix("SigCgt:"))
            .expect("a line about caught signals");
        u64::from_str_radix(caught.trim(), 16).expect("a mask") >> (nix::libc::SIGTERM - 1) & 1 == 1
    });
}
