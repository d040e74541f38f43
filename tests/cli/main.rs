//! Black-box tests of the command line. There is one file per promise, but only one binary, because
//! linking a test takes longer than running it.

mod audits;
#[path = "../common/mod.rs"]
mod common;
#[cfg(unix)]
mod console;
mod devices;
#[cfg(unix)]
mod estimates;
mod fields;
mod files;
mod long_runs;
#[cfg(unix)]
mod manual;
#[cfg(target_os = "linux")]
mod memory;
mod options;
mod pipes;
mod program;
#[cfg(unix)]
mod progress;
mod publish;
mod records;
mod self_test;
#[cfg(unix)]
mod signals;
mod status;
mod sums;
#[cfg(unix)]
mod terminal;
