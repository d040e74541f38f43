//! Pictures as SVG: text, written by hand, that any browser shows and any printer prints.
//!
//! A picture is a white page, and every element says its own coordinates in pixels.

use std::fmt::{Arguments, Write};

use crate::cli::markup::escaped;

/// A picture in the making.
pub struct Svg(String);

impl Svg {
    /// A white page of this size. Those who cannot see it are told the title.
    pub fn new(width: f64, height: f64, title: &str) -> Self {
        let mut svg = Self(String::new());
        svg.add(format_args!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" \
             viewBox=\"0 0 {width} {height}\" font-family=\"Helvetica, Arial, sans-serif\" role=\"img\">"
        ));
        svg.add(format_args!("<title>{}</title>", escaped(title)));
        svg.add(format_args!("<rect width=\"{width}\" height=\"{height}\" fill=\"white\"/>"));
        svg
    }

    /// Adds an element, or a part of one, on a line of its own.
    pub fn add(&mut self, element: Arguments<'_>) {
        writeln!(self.0, "{element}").expect("memory takes what is written");
    }

    /// Adds a text whose first, middle or last letter (`anchor` is `start`, `middle` or `end`) stands at this place.
    pub fn text(&mut self, [x, y]: [f64; 2], anchor: &str, style: &str, text: &str) {
        let text = escaped(text);
        self.add(format_args!("<text x=\"{x:.1}\" y=\"{y:.1}\" text-anchor=\"{anchor}\" {style}>{text}</text>"));
    }

    /// The finished picture.
    pub fn finish(mut self) -> String {
        self.add(format_args!("</svg>"));
        self.0
    }
}
