//! Boards as text: in Unicode where the locale has it, otherwise in ASCII; in colours where the
//! terminal has them and nobody objects.
//!
//! ```text
//!   ┌───────────┐
//!   │ · ♛ · ╱ · │      a square is two columns wide, and so about as high as wide
//!   │ ╲ · ╱ ♛ · │
//! ```

use console::{Style, Term};
use queencount::Solution;
use unicode_width::UnicodeWidthStr;

use crate::cli::arguments::values;
use crate::cli::exit::OrExit;
use crate::cli::numbers::{columns, quantity};

#[derive(Clone, Copy)]
pub struct Glyphs<'a> {
    queen: &'a str,
    empty: &'a str,
    /// Along a row, a column, a diagonal that falls to the right, and one that rises.
    lines: [&'static str; 4],
    /// The corners of the frame, row by row.
    corners: [&'static str; 4],
    /// What stands before the number of images.
    times: &'static str,
}

const UNICODE: Glyphs<'_> = Glyphs {
    queen: "♛",
    empty: "·",
    lines: ["─", "│", "╲", "╱"],
    corners: ["┌", "┐", "└", "┘"],
    times: "×",
};

const ASCII: Glyphs<'_> = Glyphs {
    queen: "Q",
    empty: ".",
    lines: ["-", "|", "\\", "/"],
    corners: ["+", "+", "+", "+"],
    times: "x",
};

/// The space between two boards of a sheet.
const GAP: &str = "   ";

impl<'a> Glyphs<'a> {
    /// Those for a queen and an empty square, if they are given, and what the locale has.
    pub fn new(given: [&'a Option<String>; 2]) -> OrExit<Self> {
        let glyphs = if unicode() { UNICODE } else { ASCII };
        let [queen, empty] = values::glyphs(given, [glyphs.queen, glyphs.empty])?;
        Ok(Self {
            queen,
            empty,
            ..glyphs
        })
    }

    /// A solution, with the attacks of the queen of a row. The lowest column is called `first`.
    pub fn alone(&self, solution: &Solution, attacks: Option<usize>, first: usize) -> String {
        format!(
            "{}\n{}\n",
            self.board(solution, attacks).join("\n"),
            columns(solution, first)
        )
    }

    fn square_width(&self) -> usize {
        self.queen.width().max(self.empty.width())
    }

    /// The columns that a board of this size takes, without its frame.
    fn width(&self, size: usize) -> usize {
        (self.square_width() + 1) * size + 1
    }

    fn board(&self, solution: &Solution, attacks: Option<usize>) -> Vec<String> {
        let [along, down, ..] = self.lines;
        let size = solution.columns().len();
        let edge = along.repeat(self.width(size));
        let [upper_left, upper_right, lower_left, lower_right] = self.corners;
        let mut lines = vec![format!("{upper_left}{edge}{upper_right}")];
        for (row, &queen) in solution.columns().iter().enumerate() {
            let square = |column: usize| {
                let attack = attacks.and_then(|from| {
                    let attacker = usize::from(solution.columns()[from]);
                    let (right, below) = (
                        column as isize - attacker as isize,
                        row as isize - from as isize,
                    );
                    [below == 0, right == 0, below == right, below == -right]
                        .iter()
                        .position(|attacks| *attacks)
                });
                match attack {
                    _ if column == usize::from(queen) && attacks == Some(row) => {
                        (red().bold(), self.queen)
                    }
                    _ if column == usize::from(queen) => (Style::new().bold(), self.queen),
                    Some(line) => (red(), self.lines[line]),
                    None => (Style::new().dim(), self.empty),
                }
            };
            // The attack along a row passes between the squares, too.
            let between = if attacks == Some(row) {
                red().apply_to(along)
            } else {
                Style::new().apply_to(" ")
            };
            let padded = |column: usize| {
                let (style, glyph) = square(column);
                let pad = between
                    .to_string()
                    .repeat(self.square_width() - glyph.width());
                format!("{between}{}{pad}", style.apply_to(glyph))
            };
            let squares: String = (0..size).map(padded).collect();
            lines.push(format!("{down}{squares}{between}{down}"));
        }
        lines.push(format!("{lower_left}{edge}{lower_right}"));
        lines
    }

    /// As many boards side by side as the terminal has room for, each above its columns and its
    /// number of images.
    pub fn sheet(&self, solutions: &[Solution], first: usize) -> String {
        let caption = |solution: &Solution| {
            format!(
                "{}  {}{}",
                columns(solution, first),
                self.times,
                solution.orbit_size()
            )
        };
        let captions: Vec<String> = solutions.iter().map(caption).collect();
        let size = solutions
            .first()
            .map_or(0, |solution| solution.columns().len());
        let board_width = self.width(size) + 2;
        let width = captions
            .iter()
            .map(|caption| caption.chars().count())
            .fold(board_width, usize::max);
        let room = Term::stdout()
            .size_checked()
            .map_or(80, |(_, columns)| usize::from(columns));
        let across = ((room + GAP.len()) / (width + GAP.len())).max(1);
        let images: u32 = solutions.iter().map(Solution::orbit_size).sum();
        let (orbits, times) = (solutions.len(), self.times);
        let mut text = format!(
            "Fundamental solutions of {}: {orbits}; all images, {times} for each: {images}\n",
            quantity(size as u64, "queen", "queens")
        );
        for (solutions, captions) in solutions.chunks(across).zip(captions.chunks(across)) {
            let boards: Vec<Vec<String>> = solutions
                .iter()
                .map(|solution| self.board(solution, None))
                .collect();
            text += "\n";
            for line in 0..size + 2 {
                // Colours take no room, so the string is longer than the board is wide.
                let pad = " ".repeat(width - board_width) + GAP;
                let parts: Vec<&str> = boards.iter().map(|board| board[line].as_str()).collect();
                text += &(parts.join(&pad) + "\n");
            }
            let parts: Vec<String> = captions
                .iter()
                .map(|caption| format!("{caption:width$}"))
                .collect();
            text += parts.join(GAP).trim_end();
            text += "\n";
        }
        text
    }
}

/// Whether the locale, as the system's programs read it, writes in UTF-8. Windows has no such
/// variables, and does.
fn unicode() -> bool {
    let value = |name| std::env::var(name).ok().filter(|value| !value.is_empty());
    match ["LC_ALL", "LC_CTYPE", "LANG"].into_iter().find_map(value) {
        Some(locale) => ["utf-8", "utf8"]
            .iter()
            .any(|charset| locale.to_lowercase().contains(charset)),
        None => cfg!(windows),
    }
}

fn red() -> Style {
    Style::new().red()
}
