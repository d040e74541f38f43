//! Black-box tests of the command line. There is one file per promise, but only one binary, because
//! linking a test takes longer than running it.

mod child;
#[path = "../common/mod.rs"]
mod common;
#[cfg(unix)]
mod console;
mod devices;
mod fields;
#[cfg(unix)]
mod long_runs;
#[cfg(unix)]
mod manual;
#[cfg(target_os = "linux")]
mod memory;
mod pipes;
mod program;
#[cfg(unix)]
mod progress;
#[cfg(unix)]
mod records;
#[cfg(unix)]
mod signals;
#[cfg(unix)]
mod terminal;
