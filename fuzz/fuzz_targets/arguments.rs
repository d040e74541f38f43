//! Searches for arguments that the command line neither parses nor refuses with one line.

#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| queencount::cli::check_parsing(data));
