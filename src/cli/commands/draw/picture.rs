//! Boards as SVG. The empty board and the queen are defined once, with squares of side 1, and then
//! placed and scaled.

#![allow(
    clippy::cast_possible_truncation,
    clippy::cast_precision_loss,
    clippy::cast_sign_loss,
    reason = "approximate"
)]

use crate::Solution;

use crate::cli::numbers::{columns, quantity};

/// The side lengths, in pixels, of a board that is drawn alone and of one on a sheet.
const ALONE: f64 = 480.0;
const SMALL: f64 = 160.0;

const MARGIN: f64 = 36.0;

const GAP: f64 = 28.0;
const CAPTION: f64 = 22.0;
const NARROWEST: f64 = 460.0;

/// The width of a digit, as a fraction of its height.
const DIGIT: f64 = 0.6;

const GREY: &str = "#555";

/// Draws a solution. Row and column numbers start at `first`.
pub(super) fn alone(solution: &Solution, first: usize) -> String {
    let size = solution.columns().len();
    let side = ALONE + 2.0 * MARGIN;
    let square = ALONE / size as f64;
    let height = (0.4 * square).min(14.0);
    let digits = format!("font-size=\"{height:.1}\" fill=\"{GREY}\"");
    let numbers = (0..size).map(|index| {
        let number = (index + first).to_string();
        let at = MARGIN + (index as f64 + 0.5) * square;
        text([at, MARGIN - 10.0], "middle", &digits, &number)
            + &text([MARGIN - 10.0, at + 5.0], "end", &digits, &number)
    });
    let columns = columns(solution, first);
    let content = numbers.collect::<String>()
        + &placed(solution, [MARGIN, MARGIN], ALONE)
        + &caption(&columns, [side / 2.0, MARGIN + ALONE + 23.0], ALONE);
    let title = format!("{}: {columns}", queens(size));
    page([side, side], &title, size, &content)
}

pub(super) fn sheet(solutions: &[Solution], first: usize) -> String {
    let size = solutions[0].columns().len();
    // A sheet has roughly the proportions of a landscape page.
    let across =
        ((solutions.len() as f64 * 4.0 / 3.0).sqrt().round() as usize).clamp(1, solutions.len());
    let down = solutions.len().div_ceil(across);
    let step = [SMALL + GAP, SMALL + CAPTION + GAP];
    let boards = across as f64 * step[0] - GAP;
    let width = boards.max(NARROWEST) + 2.0 * GAP;
    let corner = [(width - boards) / 2.0, 2.0 * GAP + 12.0];
    let height = corner[1] + down as f64 * step[1];
    let total: u32 = solutions.iter().map(Solution::orbit_size).sum();
    let number = match solutions.len() {
        1 => "fundamental solution".to_owned(),
        many => format!("{many} fundamental solutions"),
    };
    let title = format!("The {number} of {}, out of {total} in all", queens(size));
    let letters = ((width - 2.0 * GAP) / (title.len() as f64 * DIGIT)).min(20.0);
    let style = format!("font-size=\"{letters:.1}\"");
    let heading = text([width / 2.0, GAP + 12.0], "middle", &style, &title);
    let boards = solutions.iter().enumerate().map(|(index, solution)| {
        let [column, row] = [index % across, index / across].map(|index| index as f64);
        let corner = [corner[0] + column * step[0], corner[1] + row * step[1]];
        let columns = columns(solution, first);
        let text = format!("{columns}\u{2002}×{}", solution.orbit_size());
        let below = [corner[0] + SMALL / 2.0, corner[1] + SMALL + 17.0];
        placed(solution, corner, SMALL) + &caption(&text, below, SMALL)
    });
    let content = heading + &boards.collect::<String>();
    page([width, height], &title, size, &content)
}

/// Returns a page that has a title for screen readers, and defines the empty board and the queen.
fn page([width, height]: [f64; 2], title: &str, size: usize, content: &str) -> String {
    let mut dark = String::new();
    for row in 0..size {
        for column in (1 - row % 2..size).step_by(2) {
            dark += &format!("M{column} {row}h1v1h-1z");
        }
    }
    let stroke = 0.004 * size as f64;
    format!(
        include_str!("picture.svg"),
        width = width,
        height = height,
        title = title,
        dark = dark,
        size = size,
        grey = GREY,
        stroke = stroke,
        content = content,
    )
}

/// Draws a board with its upper left corner at (x, y).
fn placed(solution: &Solution, [x, y]: [f64; 2], side: f64) -> String {
    let columns = solution.columns();
    let scale = side / columns.len() as f64;
    let mut svg = format!(
        "<g transform=\"translate({x:.1} {y:.1}) scale({scale:.4})\"><use href=\"#board\"/>\n"
    );
    for (row, column) in columns.iter().enumerate() {
        svg += &format!("<use href=\"#queen\" x=\"{column}\" y=\"{row}\"/>\n");
    }
    svg + "</g>\n"
}

fn queens(size: usize) -> String {
    quantity(size as u64, "queen")
}

fn caption(line: &str, at: [f64; 2], width: f64) -> String {
    let letters = (width / (line.chars().count() as f64 * DIGIT)).min(16.0);
    let style = format!("font-size=\"{letters:.1}\" fill=\"{GREY}\"");
    text(at, "middle", &style, line)
}

fn text([x, y]: [f64; 2], anchor: &str, style: &str, text: &str) -> String {
    format!("<text x=\"{x:.1}\" y=\"{y:.1}\" text-anchor=\"{anchor}\" {style}>{text}</text>\n")
}
