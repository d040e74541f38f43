//! Looks for files that break the promise of tests/promises/merge.rs.

#![no_main]

use libfuzzer_sys::fuzz_target;

#[path = "../../tests/promises/merge.rs"]
mod promise;

fuzz_target!(|data: &[u8]| promise::holds(data));
