//! The program `queencount`: parses, dispatches, returns the exit code. All else is in [`cli`].

mod cli;

use std::process::ExitCode;

#[global_allocator]
static MEMORY: cli::memory::Memory = cli::memory::Memory;

fn main() -> ExitCode {
    cli::run(std::env::args_os())
}
