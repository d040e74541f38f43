//! The former names of some functions of [`ui`](super::ui).

use std::fmt::Arguments;
use std::sync::OnceLock;

pub use super::ui::{Ui, escape_control_chars as in_one_line, print_line};

pub static UI: OnceLock<Ui> = OnceLock::new();

pub fn note(line: Arguments) {
    match UI.get() {
        Some(ui) => ui.error(line),
        None => print_line(line),
    }
}
