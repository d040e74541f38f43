//! The program `queencount`: parses, dispatches, returns the exit code. All else is in [`cli`].

mod cli;

use std::process::ExitCode;

fn main() -> ExitCode {
    cli::run(std::env::args_os())
}
