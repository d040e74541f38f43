//! Starts the programs that tests run, in the same environment wherever the tests run, and with a
//! time limit.

use std::ffi::OsStr;
use std::process::{Command, Output, Stdio};
use std::time::Duration;

/// The maximum time for a child. It is killed after this time, so that a test that hangs fails and
/// shows its output. Beside eight endless loops on two cores, a self-test takes more than ten
/// minutes.
pub(crate) const DEADLINE: Duration = Duration::from_secs(3600);

/// The variables that children need to find programs, libraries, devices and temporary directories.
const KEPT: [&str; 11] = [
    "PATH",
    "HOME",
    "TMPDIR",
    "SystemRoot",
    "LD_LIBRARY_PATH",
    "OCL_ICD_VENDORS",
    "POCL_CACHE_DIR",
    "XDG_CACHE_HOME",
    "CUDA_VISIBLE_DEVICES",
    "LLVM_PROFILE_FILE",
    "QUEENCOUNT_LONG",
];

/// Returns a command without stdin, with only the variables that it needs, with no signal ignored
/// or blocked, and with a time limit.
pub(crate) fn command(program: impl AsRef<OsStr>) -> Command {
    #[expect(clippy::disallowed_methods, reason = "the one place for it")]
    let mut command = Command::new(program);
    let kept = KEPT
        .into_iter()
        .filter_map(|name| Some((name, std::env::var_os(name)?)));
    command.stdin(Stdio::null()).env_clear().envs(kept);
    #[cfg(unix)]
    {
        use std::os::unix::process::CommandExt;
        // SAFETY: the closure only makes system calls, which are allowed after a fork.
        #[allow(unsafe_code)]
        unsafe {
            command.pre_exec(reset_signals)
        };
    }
    command
}

/// Undoes the signal settings that a child inherits from `nohup` or from a background job, and sets
/// an alarm, which the system keeps even if the test is killed.
#[cfg(unix)]
fn reset_signals() -> std::io::Result<()> {
    use nix::sys::signal::{SigHandler, SigSet, SigmaskHow, Signal, sigprocmask};
    for signal in [
        Signal::SIGHUP,
        Signal::SIGINT,
        Signal::SIGPIPE,
        Signal::SIGALRM,
        Signal::SIGTERM,
    ] {
        // SAFETY: the default action is not a handler, so it runs no code of this process.
        #[allow(unsafe_code)]
        unsafe { nix::sys::signal::signal(signal, SigHandler::SigDfl) }?;
    }
    sigprocmask(SigmaskHow::SIG_SETMASK, Some(&SigSet::empty()), None)?;
    nix::unistd::alarm::set(DEADLINE.as_secs() as u32);
    Ok(())
}

/// Runs a script until it exits. The time limit also applies to its commands, which keep its pipes
/// open.
#[cfg(unix)]
pub(crate) fn finish(script: &mut Command) -> std::io::Result<Output> {
    use nix::sys::signal::{Signal, killpg};
    use std::os::unix::process::CommandExt;
    use std::sync::mpsc::{RecvTimeoutError, channel};
    let shell = script
        .process_group(0)
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()?;
    let group = nix::unistd::Pid::from_raw(shell.id() as i32);
    let (ended, end) = channel::<()>();
    std::thread::spawn(move || {
        if end.recv_timeout(DEADLINE) == Err(RecvTimeoutError::Timeout) {
            // The group may have exited already.
            let _ = killpg(group, Signal::SIGKILL);
        }
    });
    let output = shell.wait_with_output();
    drop(ended);
    output
}
