//! The table as a chart: the time of each board on a logarithmic scale, from the blink of an eye to centuries.

use super::timing::{How, Timing};
use crate::cli::svg::Svg;

/// The size of the chart, and the rectangle in it that holds the points: left, top, right, bottom.
const SIZE: [f64; 2] = [760.0, 520.0];
const FRAME: [f64; 4] = [92.0, 70.0, 736.0, 468.0];

/// The times that people know, in seconds.
const TICKS: [(&str, f64); 10] = [
    ("1 µs", 1e-6),
    ("1 ms", 1e-3),
    ("1 s", 1.0),
    ("1 minute", 60.0),
    ("1 hour", 3600.0),
    ("1 day", 86_400.0),
    ("1 month", 2_629_746.0),
    ("1 year", 31_556_952.0),
    ("100 years", 3_155_695_200.0),
    ("10,000 years", 315_569_520_000.0),
];

const BLUE: &str = "#1f5fa8";
const GREY: &str = "#555";
const SMALL: &str = "font-size=\"13\" fill=\"#555\"";

/// The chart as the text of a file.
pub fn svg(table: &[Timing], threads: usize) -> String {
    let title = "How long it takes to count N queens";
    let mut svg = Svg::new(SIZE[0], SIZE[1], title);
    let [left, ..] = FRAME;
    svg.text([left, 32.0], "start", "font-size=\"20\"", title);
    let kernel =
        table.iter().rev().find_map(|timing| timing.kernel.as_ref()).map(|kernel| format!(", kernel {kernel}"));
    let version = env!("CARGO_PKG_VERSION");
    let machine = format!("queencount {version}, threads {threads}{}", kernel.unwrap_or_default());
    svg.text([left, 54.0], "start", SMALL, &machine);
    let scale = Scale::new(table);
    axes(&mut svg, &scale, table);
    curve(&mut svg, &scale, table);
    legend(&mut svg, table);
    svg.finish()
}

/// The times on the left, the boards below, and the frame.
fn axes(svg: &mut Svg, scale: &Scale, table: &[Timing]) {
    let [left, top, right, bottom] = FRAME;
    for (name, seconds) in TICKS {
        let y = scale.y(seconds);
        if (top..=bottom).contains(&y) {
            svg.add(format_args!("<path d=\"M{left} {y:.1}H{right}\" stroke=\"#ddd\"/>"));
            svg.text([left - 8.0, y + 4.5], "end", SMALL, name);
        }
    }
    for timing in table {
        svg.text([scale.x(timing.n), bottom + 20.0], "middle", SMALL, &timing.n.to_string());
    }
    svg.text([(left + right) / 2.0, bottom + 42.0], "middle", SMALL, "N");
    svg.add(format_args!("<path d=\"M{left} {top}V{bottom}H{right}\" fill=\"none\" stroke=\"{GREY}\"/>"));
}

/// The points, their intervals, and the lines between them.
fn curve(svg: &mut Svg, scale: &Scale, table: &[Timing]) {
    let [.., bottom] = FRAME;
    for pair in table.windows(2) {
        let [from, to] = [&pair[0], &pair[1]].map(|timing| [scale.x(timing.n), scale.y(timing.seconds)]);
        let dashes = if pair[1].how == How::Counted { "" } else { " stroke-dasharray=\"5 4\"" };
        svg.add(format_args!(
            "<path d=\"M{:.1} {:.1}L{:.1} {:.1}\" stroke=\"{BLUE}\" stroke-width=\"1.5\"{dashes}/>",
            from[0], from[1], to[0], to[1]
        ));
    }
    for timing in table {
        let x = scale.x(timing.n);
        if let Some(interval) = timing.interval {
            let [low, high] = interval.map(|seconds| scale.y(seconds).min(bottom));
            svg.add(format_args!("<path d=\"M{x:.1} {low:.1}V{high:.1}\" stroke=\"{BLUE}\" stroke-width=\"1.5\"/>"));
        }
        point(svg, timing.how, [x, scale.y(timing.seconds)]);
    }
}

/// What the points that the table has mean.
fn legend(svg: &mut Svg, table: &[Timing]) {
    let [left, top, ..] = FRAME;
    let meanings = [
        (How::Counted, "counted"),
        (How::Sampled, "projected from a sample of the units, with 95 % intervals"),
        (How::Extrapolated, "extrapolated from smaller boards"),
    ];
    svg.add(format_args!("<rect x=\"{}\" y=\"{top}\" width=\"430\" height=\"74\" fill=\"white\"/>", left + 8.0));
    let shown = meanings.iter().filter(|(how, _)| table.iter().any(|timing| timing.how == *how));
    for (line, (how, text)) in shown.enumerate() {
        let at = [left + 20.0, top + 16.0 + 22.0 * line as f64];
        point(svg, *how, at);
        svg.text([at[0] + 14.0, at[1] + 4.5], "start", SMALL, text);
    }
}

/// Filled where it was counted, hollow where it was not, and a diamond where nothing of the board was.
fn point(svg: &mut Svg, how: How, [x, y]: [f64; 2]) {
    let style = format!(
        "fill=\"{}\" stroke=\"{BLUE}\" stroke-width=\"1.5\"",
        match how {
            How::Counted => BLUE,
            _ => "white",
        }
    );
    match how {
        How::Extrapolated => svg.add(format_args!("<path d=\"M{x:.1} {:.1}l5 5-5 5-5-5z\" {style}/>", y - 5.0)),
        _ => svg.add(format_args!("<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"4.5\" {style}/>")),
    }
}

/// Where a board and a time are in the chart.
struct Scale {
    boards: [f64; 2],
    /// Of the times that are shown, the logarithms of the least and the greatest.
    powers: [f64; 2],
}

impl Scale {
    fn new(table: &[Timing]) -> Self {
        let ends = |values: &mut dyn Iterator<Item = f64>| {
            values.fold([f64::INFINITY, f64::NEG_INFINITY], |[low, high], value| [low.min(value), high.max(value)])
        };
        let [first, last] = ends(&mut table.iter().map(|timing| f64::from(timing.n)));
        let [least, most] = ends(&mut table.iter().map(|timing| timing.seconds.max(1e-7).log10()));
        Self { boards: [first - 0.5, last + 0.5], powers: [least - 0.5, most + 0.7] }
    }

    fn x(&self, n: u32) -> f64 {
        let [first, last] = self.boards;
        FRAME[0] + (f64::from(n) - first) / (last - first) * (FRAME[2] - FRAME[0])
    }

    fn y(&self, seconds: f64) -> f64 {
        let [least, most] = self.powers;
        let power = seconds.max(1e-9).log10();
        FRAME[3] - (power - least) / (most - least) * (FRAME[3] - FRAME[1])
    }
}
