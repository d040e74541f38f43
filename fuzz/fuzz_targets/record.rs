//! Searches for bytes that violate the property of tests/properties/record.rs.

#![no_main]

use libfuzzer_sys::fuzz_target;

#[path = "../../tests/properties/record.rs"]
mod record;

fuzz_target!(|data: &[u8]| record::holds(data));
