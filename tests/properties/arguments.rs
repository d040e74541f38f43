//! Any arguments, separated by zero bytes, are accepted or rejected with one printable line.

use std::ffi::OsString;
use std::os::unix::ffi::OsStringExt;

use queencount::cli::check_arguments;

pub(super) fn holds(data: &[u8]) {
    let words = data
        .split(|byte| *byte == 0)
        .map(|word| OsString::from_vec(word.to_vec()));
    if let Err(line) = check_arguments(std::iter::once("queencount".into()).chain(words)) {
        let is_printable = !line.is_empty() && !line.contains(char::is_control);
        assert!(is_printable, "{line:?}");
    }
}
