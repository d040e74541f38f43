//! Boards as text, in Unicode or ASCII. A square is two characters wide, which makes it about as
//! wide as tall.

use console::Style;
use unicode_width::UnicodeWidthStr;

use crate::Solution;

use crate::cli::commands::list::script::Squares;
use crate::cli::error::Result;
use crate::cli::flags::commands::DrawnOptions;
use crate::cli::numbers::columns;

pub(super) struct Glyphs<'a> {
    squares: Squares<'a>,
    /// The symbols for horizontal and vertical lines.
    lines: [&'static str; 2],
    corners: [&'static str; 4],
}

impl<'a> Glyphs<'a> {
    pub(super) fn new(drawn: &'a DrawnOptions) -> Result<Self> {
        Ok(if unicode() {
            Self {
                squares: Squares::new(drawn, "♛", "·")?,
                lines: ["─", "│"],
                corners: ["┌", "┐", "└", "┘"],
            }
        } else {
            Self {
                squares: Squares::new(drawn, "Q", ".")?,
                lines: ["-", "|"],
                corners: ["+"; 4],
            }
        })
    }

    /// Draws a solution. Column numbers start at `first`.
    pub(super) fn board(&self, solution: &Solution, first: usize) -> String {
        let [along, down] = self.lines;
        let [upper_left, upper_right, lower_left, lower_right] = self.corners;
        let size = solution.columns().len();
        let edge = along.repeat((self.squares.width + 1) * size + 1);
        let mut text = format!("{upper_left}{edge}{upper_right}\n");
        for &queen in solution.columns() {
            text += down;
            for column in 0..size {
                let (style, glyph) = match column == usize::from(queen) {
                    true => (Style::new().bold(), self.squares.queen),
                    false => (Style::new().dim(), self.squares.empty),
                };
                let pad = " ".repeat(self.squares.width - glyph.width());
                text += &format!(" {}{pad}", style.apply_to(glyph));
            }
            text += &format!(" {down}\n");
        }
        let columns = columns(solution, first);
        text + &format!("{lower_left}{edge}{lower_right}\n{columns}\n")
    }
}

/// Returns whether the locale uses UTF-8. Windows has no locale variables, but supports UTF-8.
fn unicode() -> bool {
    for name in ["LC_ALL", "LC_CTYPE", "LANG"] {
        match std::env::var(name) {
            Ok(locale) if !locale.is_empty() => {
                let locale = locale.to_lowercase();
                return locale.contains("utf-8") || locale.contains("utf8");
            }
            _ => {}
        }
    }
    cfg!(windows)
}
