//! What the values of options may be, and what is said of others.

use std::ops::RangeInclusive;

use clap::builder::{OsStringValueParser, PossibleValue, PossibleValuesParser, TypedValueParser};
use queencount::{BoardSize, EngineChoice, Kernel};

use crate::cli::boards::BoardRange;
use crate::cli::glyph::Glyph;

/// What a value should have been.
#[derive(Clone, Debug, thiserror::Error)]
#[error("expected {0}")]
pub struct Expected(String);

/// One board.
pub fn board() -> impl TypedValueParser<Value = BoardSize> {
    OsStringValueParser::new().try_map(|word| word.to_string_lossy().parse::<BoardSize>())
}

/// One board, or a range of them.
pub fn boards() -> impl TypedValueParser<Value = BoardRange> {
    OsStringValueParser::new().try_map(|word| word.to_string_lossy().parse::<BoardRange>())
}

/// The engines that can be chosen: their names, and what the help says about them.
const ENGINES: [(&str, EngineChoice, &str); 3] = [
    ("auto", EngineChoice::Auto, "The fastest one for the board"),
    ("backtrack", EngineChoice::Backtrack, "Places queens row by row; the reference"),
    ("rows", EngineChoice::Rows, "Counts pairs of half-boards beside some middle rows; backtracks for N = 1 to 3"),
];

/// The name of an engine.
pub fn engine() -> impl TypedValueParser<Value = EngineChoice> {
    PossibleValuesParser::new(ENGINES.map(|(name, _, help)| PossibleValue::new(name).help(help))).try_map(|chosen| {
        let choice = ENGINES.iter().find(|(name, ..)| *name == chosen).map(|(_, choice, _)| *choice);
        choice.ok_or_else(|| Expected("the name of an engine".to_owned()))
    })
}

/// The name of a kernel.
pub fn kernel() -> impl TypedValueParser<Value = Kernel> {
    let names = std::iter::once("auto").chain(Kernel::names());
    PossibleValuesParser::new(names).try_map(|chosen| match chosen.as_str() {
        "auto" => Ok(Kernel::default()),
        name => name.parse(),
    })
}

/// A size of memory, in bytes.
pub fn memory(text: &str) -> Result<u64, Expected> {
    let (digits, shift) = match text.as_bytes().last() {
        Some(b'K') => (&text[..text.len() - 1], 10),
        Some(b'M') => (&text[..text.len() - 1], 20),
        Some(b'G') => (&text[..text.len() - 1], 30),
        _ => (text, 0),
    };
    let digits_alone = digits.bytes().all(|byte| byte.is_ascii_digit());
    let bytes = digits.parse::<u64>().ok().and_then(|number| number.checked_mul(1 << shift));
    match bytes.filter(|_| digits_alone) {
        Some(bytes) if bytes >= 1 << 20 => Ok(bytes),
        _ => Err(Expected("a size of at least 1M, such as 256M or 2G".to_owned())),
    }
}

/// A number in this range.
pub fn number(range: RangeInclusive<u64>) -> impl Fn(&str) -> Result<u64, Expected> + Clone {
    move |text| match text.parse() {
        Ok(number) if range.contains(&number) && text.bytes().all(|byte| byte.is_ascii_digit()) => Ok(number),
        _ if *range.end() == u64::MAX => Err(Expected(format!("a number of at least {}", range.start()))),
        _ => Err(Expected(format!("a number from {} to {}", range.start(), range.end()))),
    }
}

/// A number of solutions.
pub fn total(text: &str) -> Result<u128, Expected> {
    let digits = text.bytes().all(|byte| byte.is_ascii_digit());
    text.parse().ok().filter(|_| digits).ok_or_else(|| Expected("a number of solutions".to_owned()))
}

/// What stands for a plan.
pub fn plan_hash(text: &str) -> Result<String, Expected> {
    let digits = text.len() == 16 && text.bytes().all(|byte| byte.is_ascii_digit() || (b'a'..=b'f').contains(&byte));
    if digits { Ok(text.to_owned()) } else { Err(Expected("the 16 digits from 0 to f that 'plan' prints".to_owned())) }
}

/// What a square is drawn with.
pub fn glyph(text: &str) -> Result<Glyph, Expected> {
    Glyph::new(text).ok_or_else(|| Expected(format!("something visible, at most {} columns wide,", Glyph::WIDEST)))
}

/// How many entries to draw.
#[derive(Clone, Copy, Debug)]
pub enum Sample {
    /// This number.
    Entries(u64),
    /// This share of all, in percent.
    Percent(f64),
}

impl Sample {
    /// The number of entries to draw if there are `entries` in all. A share is at least one entry.
    pub fn of(self, entries: u64) -> u64 {
        match self {
            Self::Entries(sample) => sample.min(entries),
            Self::Percent(percent) => (entries as f64 * percent / 100.0).ceil().min(entries as f64) as u64,
        }
    }
}

/// A number of entries, or a share with a percent sign.
pub fn sample(text: &str) -> Result<Sample, Expected> {
    let plain = text.bytes().all(|byte| byte.is_ascii_digit() || b".%".contains(&byte));
    let sample = match text.strip_suffix('%') {
        Some(percent) => {
            percent.parse().ok().filter(|percent| *percent > 0.0 && *percent <= 100.0).map(Sample::Percent)
        }
        None => text.parse().ok().filter(|entries| *entries > 0).map(Sample::Entries),
    };
    sample.filter(|_| plain).ok_or_else(|| Expected("a number of entries from 1 or a share as 0.1%".to_owned()))
}
