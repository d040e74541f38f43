//! A glyph: what a square of a drawn board shows.

use unicode_width::UnicodeWidthStr;

/// What a queen or an empty square is drawn with.
#[derive(Clone, Debug)]
pub struct Glyph(String);

impl Glyph {
    /// The columns of a terminal that a glyph may take.
    pub const WIDEST: usize = 8;

    /// A glyph, if the text can be one: it can be seen, and stays on its line.
    pub fn new(text: &str) -> Option<Self> {
        let fits = (1..=Self::WIDEST).contains(&text.width()) && !text.contains(char::is_control);
        fits.then(|| Self(text.to_owned()))
    }

    /// The text of the glyph.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}
