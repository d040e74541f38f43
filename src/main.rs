//! The `queencount` program: a call to [`queencount::cli`].

use std::process::ExitCode;

fn main() -> ExitCode {
    queencount::cli::run(std::env::args_os())
}
