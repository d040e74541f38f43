//! Tests start programs in the same environment, wherever the tests themselves run.

use std::os::unix::process::ExitStatusExt;
use std::time::Duration;

use nix::sys::signal::{SigHandler, SigSet, Signal, signal};

use crate::common::child;
use crate::program::text;

/// The signals that `nohup` and scripts ignore.
const SIGNALS: [Signal; 4] = [
    Signal::SIGHUP,
    Signal::SIGINT,
    Signal::SIGPIPE,
    Signal::SIGTERM,
];

/// Other tests start their children in the same way, so this test does not disturb them.
#[test]
#[allow(unsafe_code)]
fn children_inherit_no_ignored_or_blocked_signals() {
    let blocked = SigSet::from_iter(SIGNALS);
    blocked.thread_block().unwrap();
    // SAFETY: ignoring a signal installs no handler that could run code of this process.
    let before = SIGNALS.map(|which| unsafe { signal(which, SigHandler::SigIgn).unwrap() });
    let mut shell = child::command("grep");
    let output = shell.args(["^Sig[BI]", "/proc/self/status"]).output();
    for (which, action) in SIGNALS.into_iter().zip(before) {
        // SAFETY: the previous actions are not handlers of this process either.
        unsafe { signal(which, action) }.unwrap();
    }
    blocked.thread_unblock().unwrap();
    let status = text(&output.unwrap().stdout);
    let masks: Vec<u64> = status
        .lines()
        .map(|line| u64::from_str_radix(line.split('\t').nth(1).expect("a mask"), 16).unwrap())
        .collect();
    assert_eq!(masks.len(), 2, "{status}");
    for which in SIGNALS {
        let bit = 1 << (which as u32 - 1);
        assert!(
            masks.iter().all(|mask| mask & bit == 0),
            "{which}: {status}"
        );
    }
}

#[test]
fn children_inherit_only_required_variables() {
    let output = child::command("env").output().unwrap();
    for line in text(&output.stdout).lines() {
        let (name, _) = line.split_once('=').expect("a variable");
        assert!(child::KEPT.contains(&name), "{line}");
    }
    // The test process itself has other variables.
    assert!(std::env::vars().any(|(name, _)| !child::KEPT.contains(&name.as_str())));
}

#[test]
fn child_is_killed_at_its_deadline() {
    let mut sleep = child::command_within("sleep", Duration::from_secs(1));
    let status = sleep.arg("600").status().unwrap();
    assert_eq!(status.signal(), Some(Signal::SIGALRM as i32));
}

#[test]
fn script_is_killed_with_all_its_commands() {
    let mut script = child::command("sh");
    script.args(["-c", "sleep 600 | sleep 600; echo ended"]);
    let output = child::finish_within(&mut script, Duration::from_secs(1)).unwrap();
    assert_eq!(output.status.signal(), Some(Signal::SIGKILL as i32));
    assert_eq!(text(&output.stdout), "");
}
