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
    /// The symbols for lines along rows, columns, falling diagonals and rising diagonals.
    lines: [&'static str; 4],
    corners: [&'static str; 4],
}

impl<'a> Glyphs<'a> {
    pub(super) fn new(drawn: &'a DrawnOptions) -> Result<Self> {
        Ok(if unicode() {
            Self {
                squares: Squares::new(drawn, "♛", "·")?,
                lines: ["─", "│", "╲", "╱"],
                corners: ["┌", "┐", "└", "┘"],
            }
        } else {
            Self {
                squares: Squares::new(drawn, "Q", ".")?,
                lines: ["-", "|", "\\", "/"],
                corners: ["+"; 4],
            }
        })
    }

    /// Draws a solution and the lines of attack of the queen in row `attacks`, if any. Column
    /// numbers start at `first`.
    pub(super) fn board(
        &self,
        solution: &Solution,
        attacks: Option<usize>,
        first: usize,
    ) -> String {
        let [along, down, ..] = self.lines;
        let size = solution.columns().len();
        let edge = along.repeat((self.squares.width + 1) * size + 1);
        let [upper_left, upper_right, lower_left, lower_right] = self.corners;
        let mut text = format!("{upper_left}{edge}{upper_right}\n");
        for row in 0..size {
            let between = match attacks {
                Some(from) if from == row => red().apply_to(along).to_string(),
                _ => " ".to_owned(),
            };
            text += down;
            for column in 0..size {
                let (style, glyph) = self.square(solution, attacks, row, column);
                let pad = between.repeat(self.squares.width - glyph.width());
                text += &format!("{between}{}{pad}", style.apply_to(glyph));
            }
            text += &format!("{between}{down}\n");
        }
        let columns = columns(solution, first);
        text + &format!("{lower_left}{edge}{lower_right}\n{columns}\n")
    }

    fn square(
        &self,
        solution: &Solution,
        attacks: Option<usize>,
        row: usize,
        column: usize,
    ) -> (Style, &str) {
        let columns = solution.columns();
        if column == usize::from(columns[row]) {
            let style = match attacks {
                Some(from) if from == row => red(),
                _ => Style::new(),
            };
            return (style.bold(), self.squares.queen);
        }
        let line = attacks.and_then(|from| {
            let right = column as isize - isize::from(columns[from]);
            let below = row as isize - from as isize;
            [below == 0, right == 0, below == right, below == -right]
                .iter()
                .position(|attacks| *attacks)
        });
        match line {
            Some(line) => (red(), self.lines[line]),
            None => (Style::new().dim(), self.squares.empty),
        }
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

fn red() -> Style {
    Style::new().red()
}
