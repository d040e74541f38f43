//! Searches for bytes that violate the promise of tests/promises/record.rs.

#![no_main]

use libfuzzer_sys::fuzz_target;

#[path = "../../tests/promises/record.rs"]
mod promise;

fuzz_target!(|data: &[u8]| promise::holds(data));
