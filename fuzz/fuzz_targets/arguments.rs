//! Searches for arguments that violate the promise of tests/promises/arguments.rs.

#![no_main]

use libfuzzer_sys::fuzz_target;

#[path = "../../tests/promises/arguments.rs"]
mod arguments;

fuzz_target!(|data: &[u8]| arguments::holds(data));
