//! The command line of queencount.
use std::process::ExitCode;

fn main() -> ExitCode {
    let n = std::env::args().nth(1).and_then(|n| n.parse().ok()).unwrap_or(8);
    match queencount::count(n) {
        Ok(total) => println!("{total}"),
        Err(error) => {
            eprintln!("{error}");
            return ExitCode::from(2);
        }
    }
    ExitCode::SUCCESS
}
