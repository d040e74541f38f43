//! Any words are understood or refused: with one line that can be shown on a terminal, whatever
//! they were. A text that is asked for is not empty.

use std::ffi::OsString;
use std::os::unix::ffi::OsStringExt;

use crate::cli::arguments::{Parsed, parse};

pub fn holds(data: &[u8]) {
    // No argument holds the byte that ends it, so that byte stands between them.
    let words = data
        .split(|byte| *byte == 0)
        .map(|word| OsString::from_vec(word.to_vec()));
    let understood = match parse(std::iter::once("queencount".into()).chain(words)) {
        Ok(Parsed::Text(text)) => return assert!(!text.to_string().is_empty()),
        Ok(Parsed::Arguments(arguments)) => arguments.contest.board().map(drop),
        Err(failure) => Err(failure),
    };
    if let Err(failure) = understood {
        let line = failure.line().expect("a reason");
        assert!(
            !line.is_empty() && !line.contains(char::is_control),
            "{line:?}"
        );
    }
}
