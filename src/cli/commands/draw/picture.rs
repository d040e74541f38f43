//! Boards as SVG. The empty board and the queen are defined once, with squares of side 1, and then
//! placed and scaled as needed.

use crate::Solution;

use crate::cli::numbers::{columns, quantity};

/// The side lengths, in pixels, of a single board and of a board on a sheet.
const ALONE: f64 = 480.0;
const SMALL: f64 = 160.0;

/// The space around a single board, for its row and column numbers.
const MARGIN: f64 = 36.0;

/// The space between the boards of a sheet, and the height of their captions.
const GAP: f64 = 28.0;
const CAPTION: f64 = 22.0;

/// The minimum width of a sheet, so that its title fits.
const NARROWEST: f64 = 460.0;

/// The width of a digit, as a fraction of its height.
const DIGIT: f64 = 0.6;

const GREY: &str = "#555";
const RED: &str = "#c0392b";

/// Draws a solution. If `attacks` is a row, also draws lines from the queen in this row to all
/// squares that it attacks. Row and column numbers start at `first`.
pub(super) fn alone(solution: &Solution, attacks: Option<usize>, first: usize) -> String {
    let size = solution.columns().len();
    let side = ALONE + 2.0 * MARGIN;
    let square = ALONE / size as f64;
    let digits = format!(
        "font-size=\"{:.1}\" fill=\"{GREY}\"",
        (0.4 * square).min(14.0)
    );
    let numbers = (0..size).map(|index| {
        let number = (index + first).to_string();
        let at = MARGIN + (index as f64 + 0.5) * square;
        text([at, MARGIN - 10.0], "middle", &digits, &number)
            + &text([MARGIN - 10.0, at + 5.0], "end", &digits, &number)
    });
    let content = numbers.collect::<String>()
        + &placed(solution, [MARGIN, MARGIN], ALONE, attacks)
        + &caption(
            &columns(solution, first),
            [side / 2.0, MARGIN + ALONE + 23.0],
            ALONE,
        );
    page(
        [side, side],
        &format!("{}: {}", queens(size), columns(solution, first)),
        size,
        &content,
    )
}

/// Draws a sheet with one solution from every orbit.
pub(super) fn sheet(solutions: &[Solution], first: usize) -> String {
    let size = solutions
        .first()
        .map_or(0, |solution| solution.columns().len());
    // A sheet has roughly the proportions of a landscape page.
    let across = ((solutions.len() as f64 * 4.0 / 3.0).sqrt().round() as usize)
        .clamp(1, solutions.len().max(1));
    let down = solutions.len().div_ceil(across);
    let step = [SMALL + GAP, SMALL + CAPTION + GAP];
    let boards = across as f64 * step[0] - GAP;
    let width = boards.max(NARROWEST) + 2.0 * GAP;
    let corner = [(width - boards) / 2.0, 2.0 * GAP + 12.0];
    let height = corner[1] + down as f64 * step[1];
    let images: u32 = solutions.iter().map(Solution::orbit_size).sum();
    let title = match solutions.len() {
        1 => format!(
            "The fundamental solution of {}, out of {images} in all",
            queens(size)
        ),
        many => format!(
            "The {many} fundamental solutions of {}, out of {images} in all",
            queens(size)
        ),
    };
    let letters = ((width - 2.0 * GAP) / (title.len() as f64 * DIGIT)).min(20.0);
    let heading = text(
        [width / 2.0, GAP + 12.0],
        "middle",
        &format!("font-size=\"{letters:.1}\""),
        &title,
    );
    let boards = solutions.iter().enumerate().map(|(index, solution)| {
        let [column, row] = [index % across, index / across].map(|index| index as f64);
        let corner = [corner[0] + column * step[0], corner[1] + row * step[1]];
        let text = format!(
            "{}\u{2002}×{}",
            columns(solution, first),
            solution.orbit_size()
        );
        placed(solution, corner, SMALL, None)
            + &caption(
                &text,
                [corner[0] + SMALL / 2.0, corner[1] + SMALL + 17.0],
                SMALL,
            )
    });
    page(
        [width, height],
        &title,
        size,
        &(heading + &boards.collect::<String>()),
    )
}

/// Returns a white page of this size, in pixels, with a title for screen readers. The page begins
/// with definitions of the empty board and of the queen, which is a crown in the square from (0, 0)
/// to (1, 1).
fn page([width, height]: [f64; 2], title: &str, size: usize, content: &str) -> String {
    let dark: String = (0..size)
        .flat_map(|row| {
            (0..size)
                .filter(move |column| (row + column) % 2 == 1)
                .map(move |column| (row, column))
        })
        .map(|(row, column)| format!("M{column} {row}h1v1h-1z"))
        .collect();
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

/// Draws a solution on a board of this side length, with its upper left corner at (x, y).
fn placed(solution: &Solution, [x, y]: [f64; 2], side: f64, attacks: Option<usize>) -> String {
    let columns = solution.columns();
    let scale = side / columns.len() as f64;
    let mut svg = format!(
        "<g transform=\"translate({x:.1} {y:.1}) scale({scale:.4})\"><use href=\"#board\"/>\n"
    );
    if let Some(row) = attacks {
        let column = columns[row];
        let size = columns.len() as f64;
        let x = f64::from(column) + 0.5;
        let y = row as f64 + 0.5;
        let lines = format!("M0 {y}H{size}M{x} 0V{size}");
        // Each line is long enough for any diagonal, and is clipped at the edge of the board.
        let left = x - size;
        let up = y - size;
        let down = y + size;
        let twice = 2.0 * size;
        let diagonals = format!("M{left} {up}l{twice} {twice}M{left} {down}l{twice} -{twice}");
        let style = format!("stroke=\"{RED}\" stroke-width=\".08\" clip-path=\"url(#edge)\"");
        svg += &format!("<path d=\"{lines}{diagonals}\" {style}/>\n");
        svg += &format!(
            "<rect x=\"{column}\" y=\"{row}\" width=\"1\" height=\"1\" fill=\"#f6d5d0\"/>\n"
        );
    }
    for (row, column) in columns.iter().enumerate() {
        let colour = if attacks == Some(row) { RED } else { "black" };
        svg += &format!("<use href=\"#queen\" x=\"{column}\" y=\"{row}\" fill=\"{colour}\"/>\n");
    }
    svg + "</g>\n"
}

fn queens(size: usize) -> String {
    quantity(size as u64, "queen", "queens")
}

/// Returns text that is centred on a point and small enough to fit this width.
fn caption(line: &str, at: [f64; 2], width: f64) -> String {
    let letters = (width / (line.chars().count() as f64 * DIGIT)).min(16.0);
    text(
        at,
        "middle",
        &format!("font-size=\"{letters:.1}\" fill=\"{GREY}\""),
        line,
    )
}

/// Returns text whose `anchor` (`middle` or `end`) is at (x, y).
fn text([x, y]: [f64; 2], anchor: &str, style: &str, text: &str) -> String {
    format!("<text x=\"{x:.1}\" y=\"{y:.1}\" text-anchor=\"{anchor}\" {style}>{text}</text>\n")
}
