//! The program `queencount`: parses, dispatches, returns the exit code. All else is in [`cli`].

mod cli;

use std::process::ExitCode;

#[global_allocator]
static ALLOCATOR: cli::memory::Allocator = cli::memory::Allocator;

fn main() -> ExitCode {
    cli::run(std::env::args_os())
}

#[cfg(all(test, unix))]
#[path = "../tests/promises/arguments.rs"]
mod promise;

#[cfg(all(test, unix))]
mod tests {
    #[test]
    fn words_that_fuzzers_have_found_are_understood_or_refused() {
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/corpus/arguments");
        let words: Vec<_> = std::fs::read_dir(folder)
            .unwrap()
            .map(|file| file.unwrap().path())
            .collect();
        assert!(!words.is_empty());
        words
            .iter()
            .for_each(|file| super::promise::holds(&std::fs::read(file).unwrap()));
    }
}
