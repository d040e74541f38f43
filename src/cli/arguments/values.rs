//! What the values of options may be, and what is said of others.

use std::ops::RangeInclusive;

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use queencount::{EngineChoice, Kernel};

use super::super::list::Mark;

/// The engines that can be chosen: their names, and what the help says about them.
const ENGINES: [(&str, EngineChoice, &str); 3] = [
    ("auto", EngineChoice::Auto, "The one that is fastest for the board"),
    ("backtrack", EngineChoice::Backtrack, "Queens row by row: the reference"),
    ("meet", EngineChoice::Meet, "Pairs of half-boards, 512 at a time; N = 1 to 3 by backtracking"),
];

pub fn engine() -> impl TypedValueParser<Value = EngineChoice> {
    PossibleValuesParser::new(ENGINES.map(|(name, _, help)| PossibleValue::new(name).help(help))).try_map(|chosen| {
        let choice = ENGINES.iter().find(|(name, ..)| *name == chosen).map(|(_, choice, _)| *choice);
        choice.ok_or("expected the name of an engine")
    })
}

pub fn kernel() -> impl TypedValueParser<Value = Kernel> {
    let names = std::iter::once("auto").chain(Kernel::names());
    PossibleValuesParser::new(names).try_map(|chosen| match chosen.as_str() {
        "auto" => Ok(Kernel::default()),
        name => name.parse(),
    })
}

pub fn memory(text: &str) -> Result<u64, String> {
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
        _ => Err("expected a size of at least 1M, as 256M or 2G".to_owned()),
    }
}

/// A number in this range.
pub fn number(range: RangeInclusive<u64>) -> impl Fn(&str) -> Result<u64, String> + Clone {
    move |text| match text.parse() {
        Ok(number) if range.contains(&number) && text.bytes().all(|byte| byte.is_ascii_digit()) => Ok(number),
        _ if *range.end() == u64::MAX => Err(format!("expected a number of at least {}", range.start())),
        _ => Err(format!("expected a number from {} to {}", range.start(), range.end())),
    }
}

pub fn total(text: &str) -> Result<u128, String> {
    let digits = text.bytes().all(|byte| byte.is_ascii_digit());
    text.parse().ok().filter(|_| digits).ok_or_else(|| "expected a number of solutions".to_owned())
}

pub fn mark(text: &str) -> Result<Mark, String> {
    Mark::new(text).ok_or_else(|| format!("expected something visible, at most {} columns wide,", Mark::WIDEST))
}

/// How many entries to draw.
#[derive(Clone, Copy, Debug)]
pub enum Sample {
    /// So many.
    Entries(u64),
    /// So many of a hundred.
    Percent(f64),
}

impl Sample {
    /// How many of so many entries that is: of a share at least one.
    pub fn of(self, entries: u64) -> u64 {
        match self {
            Self::Entries(sample) => sample.min(entries),
            Self::Percent(percent) => (entries as f64 * percent / 100.0).ceil().min(entries as f64) as u64,
        }
    }
}

pub fn sample(text: &str) -> Result<Sample, String> {
    let plain = text.bytes().all(|byte| byte.is_ascii_digit() || b".%".contains(&byte));
    let sample = match text.strip_suffix('%') {
        Some(percent) => {
            percent.parse().ok().filter(|percent| *percent > 0.0 && *percent <= 100.0).map(Sample::Percent)
        }
        None => text.parse().ok().filter(|entries| *entries > 0).map(Sample::Entries),
    };
    sample.filter(|_| plain).ok_or_else(|| "expected a number of entries from 1 or a share as 0.1%".to_owned())
}
