//! What the program says beside its results: lines on standard error, each with the name of the program before it.

use std::fmt::Arguments;
use std::io::{Write, stderr};

use super::aside::aside;

/// Says something on standard error. If nobody can read it, nothing is lost.
pub fn note(line: Arguments) {
    // In one piece, so that the lines of jobs that share a log do not mix.
    let _ = aside(|| stderr().write_all(format!("queencount: {line}\n").as_bytes()));
}
