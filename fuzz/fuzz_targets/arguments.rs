//! Looks for words that break the promise of tests/promises/arguments.rs.

#![no_main]

use libfuzzer_sys::fuzz_target;

/// The modules of the program, which is no library.
#[allow(dead_code)]
#[path = "../../src"]
mod program {
    pub mod cli;
}

// The program has it at its root.
use program::cli;

#[path = "../../tests/promises/arguments.rs"]
mod promise;

fuzz_target!(|data: &[u8]| promise::holds(data));
