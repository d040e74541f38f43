//! Searches for arguments that violate the property of tests/properties/arguments.rs.

#![no_main]

use libfuzzer_sys::fuzz_target;

#[path = "../../tests/properties/arguments.rs"]
mod arguments;

fuzz_target!(|data: &[u8]| arguments::holds(data));
