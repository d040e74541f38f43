//! Black-box tests of the command line. There is one file per promise, but only one binary, because
//! linking a test takes longer than running it.

mod audits;
mod bad_input;
#[cfg(unix)]
mod campaign;
#[cfg(target_os = "linux")]
mod children;
#[path = "../common/mod.rs"]
mod common;
mod contest_forms;
mod devices;
#[cfg(unix)]
mod draw;
#[cfg(unix)]
mod estimates;
mod fields;
mod files;
mod lists;
mod long_runs;
#[cfg(unix)]
mod manual;
#[cfg(target_os = "linux")]
mod memory;
mod options;
mod pipes;
mod printed_forms;
mod program;
#[cfg(unix)]
mod progress;
mod publish;
#[cfg(unix)]
mod readme;
mod repair;
mod self_test;
#[cfg(unix)]
mod signals;
mod status;
mod sums;
#[cfg(unix)]
mod terminal;
mod threads;
